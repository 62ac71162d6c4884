"""Senjutsu: Battle for Japan. Duels of two to four samurai with wounds, initiative, kamae and instants.

A card is a script (`script`, `ability`), a duel is the public state (`state`), a move is put in by `answers`, and
`round` goes on from there: lines in `resolve`, steps in `movement`, instants in `instants`.
"""

from companion.games.kit.catalogue import rules_of
from companion.games.kit.game import Game
from companion.games.senjutsu.answers import apply
from companion.games.senjutsu.cards import deck
from companion.games.senjutsu.checks import awaits, check, untimely
from companion.games.senjutsu.choices import options
from companion.games.senjutsu.given import scripted
from companion.games.senjutsu.moves import TOGETHER, AnyMove
from companion.games.senjutsu.names import names
from companion.games.senjutsu.setup import setup
from companion.games.senjutsu.starter import starter_cards
from companion.games.senjutsu.state import facts
from companion.games.senjutsu.table import advice, layout, misplaced, read, ready
from companion.games.senjutsu.view import view

PROMPTS = {
    "select": "Choose a card and lay it face down.",
    "reveal": "Turn your card up.",
    "speed": "Choose the speed of your card.",
    "instant": "Lay an instant over your card, or pass.",
    "step": "Move your samurai.",
    "rotate": "Turn your samurai.",
    "kamae": "Follow a branch of your kamae tree, or pass.",
    "choose": "Choose one of the alternatives.",
    "use": "Use this line, or pass.",
    "draw": "Say how many cards you draw.",
    "discard": "Discard face up what you are made to discard.",
}


def sources() -> dict[str, str]:
    """What the booklet gives, what follows from it, and what is ours."""
    cards = {
        card.name: f"{card.origin} ({card.note})" if card.note else card.origin for card in starter_cards().values()
    }
    return cards | {
        "health of five": "inferred (option `health`)",
        "hand limit of five": "booklet (option `hand_limit`)",
        "arena of 8 by 5 hexes": "house (option `arena`)",
        "marked start hexes": "house (option `start_hexes`)",
        "initiative numbers": "house (option `samurai`)",
        "kamae trees": "house, but for the branch from the gateway to balance (option `samurai`)",
        "starter decks": "house (option `decks`)",
    }


GAME = Game(
    name="senjutsu",
    title="Senjutsu: Battle for Japan",
    seats=range(2, 5),
    moves=AnyMove,
    together=TOGETHER,
    setup=setup,
    awaits=awaits,
    check=check,
    apply=apply,
    tick=lambda state, sealed, seconds: (state, ()),
    facts=facts,
    view=view,
    options=options,
    layout=layout,
    deck=deck,
    read=read,
    rules=lambda: rules_of("companion.games.senjutsu"),
    names=names,
    untimely=untimely,
    locks=frozenset({"select"}),
    lies_still=lambda place: ("SJ-47", "SJ-48"),
    reveals=("reveal",),
    ready=ready,
    standing="row",
    sources=sources,
    scripted=scripted,
    prompts=PROMPTS,
    misplaced=misplaced,
    advice=advice,
)

"""Senjutsu: Battle for Japan. Duels of two to four samurai with wounds, initiative, kamae and instants.

A card is a script (`script`, `ability`), a duel is the public state (`state`), a move is put in by `answers`, and
`round` goes on from there: lines in `resolve`, steps in `movement`, instants in `instants`.
"""

from companion.core.message import message
from companion.games.kit.catalogue import rules_of
from companion.games.kit.game import Game, OnTable, PrintedCards, Reveals, Rules
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
    "select": message("Choose a card and lay it face down."),
    "reveal": message("Turn your card up."),
    "speed": message("Choose the speed of your card."),
    "instant": message("Lay an instant over your card, or pass."),
    "step": message("Move your samurai."),
    "rotate": message("Turn your samurai."),
    "kamae": message("Follow a branch of your kamae tree, or pass."),
    "choose": message("Choose one of the alternatives."),
    "use": message("Use this line, or pass."),
    "draw": message("Say how many cards you draw."),
    "discard": message("Discard face up what you are made to discard."),
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
    rules=Rules(
        moves=AnyMove,
        together=TOGETHER,
        setup=setup,
        awaits=awaits,
        check=check,
        apply=apply,
        facts=facts,
        view=view,
        legal_moves=options,
        catalogue=lambda: rules_of("companion.games.senjutsu"),
        names=names,
        out_of_turn=untimely,
        standing="row",
        prompts=PROMPTS,
    ),
    reveals=Reveals(
        locks=frozenset({"select"}),
        covered_rules=lambda place: ("SJ-47", "SJ-48"),
        kinds=("reveal",),
        ready=ready,
    ),
    table=OnTable(
        layout=layout,
        deck=deck,
        read=read,
        misplaced=misplaced,
        advice=advice,
    ),
    printed=PrintedCards(
        sources=sources,
        scripted=scripted,
    ),
)

"""San, Ni, Ichi! for three to six players: seven rounds of one hidden card each."""

from companion.games.kit.catalogue import rules_of
from companion.games.kit.game import Game
from companion.games.san_ni_ichi.display import amiss
from companion.games.san_ni_ichi.faces import deck
from companion.games.san_ni_ichi.moves import TOGETHER, AnyMove
from companion.games.san_ni_ichi.names import names
from companion.games.san_ni_ichi.play import apply, awaits, check, options, tick
from companion.games.san_ni_ichi.printed import corrected, printed
from companion.games.san_ni_ichi.reading import misplaced, read, ready
from companion.games.san_ni_ichi.setup import setup
from companion.games.san_ni_ichi.state import facts
from companion.games.san_ni_ichi.table import layout
from companion.games.san_ni_ichi.untimely import untimely
from companion.games.san_ni_ichi.view import view

GAME = Game(
    name="san_ni_ichi",
    title="San, Ni, Ichi!",
    seats=range(3, 7),
    moves=AnyMove,
    together=TOGETHER,
    setup=setup,
    awaits=awaits,
    check=check,
    apply=apply,
    tick=tick,
    facts=facts,
    view=view,
    options=options,
    layout=layout,
    deck=deck,
    read=read,
    rules=lambda: rules_of(__name__),
    untimely=untimely,
    locks=frozenset({"select", "sit_out"}),
    open_locks=frozenset({"sit_out"}),
    lies_still=lambda place: ("SNI-11", "SNI-12"),
    reveals=("reveal",),
    ready=ready,
    standing="damage",
    misplaced=misplaced,
    amiss=amiss,
    names=names,
    printed=printed,
    corrected=corrected,
    misplaced_say="{player}'s Combat Pile shows {stands} on top; it should be {belongs}.",
    prompts={
        "select": "Lay a card face down and crosswise; press ready.",
        "sit_out": "Show your smoke bombs face up, and press ready.",
        "play": "Your card is next: play it on a Combat Pile, or discard it.",
        "block": "Your Block is next: turn it upright, or discard it.",
        "sai": "Your Sai is next: swap two Combat Piles, or discard it.",
        "shuriken": "Your Shuriken is next: into whose Damage Pile?",
        "tonfa": "Your Tonfa is next: take a top card and discard one from the hand.",
        "smoke": "Smoke bomb, or ready to pass?",
    },
)

"""San, Ni, Ichi! before a match: the words are in `lobby.toml`; here are the decks."""

from companion.core.message import Message, message, plural
from companion.games.kit.set_up import Choice, set_up
from companion.games.kit.tiles import spread
from companion.games.san_ni_ichi.cards import ATTACK, DECK_RULES, DECKS, Value
from companion.games.san_ni_ichi.faces import face
from companion.games.san_ni_ichi.state import SanNiIchiOptions

TILE = (
    ("fire-3", ATTACK, 3, "A", 3, "fire"),
    ("water-2", ATTACK, 2, "B", 2, "water"),
    ("wood-1", ATTACK, 1, "C", 1, "wood"),
)
"""San, ni, ichi."""


def _deck(top: int, weapons: int) -> Message:
    of_weapons = plural("{count} weapon", "{count} weapons", weapons)
    return message("Strengths 1 to {top} and {weapons}", top=top, weapons=of_weapons)


CHOICES = tuple(
    Choice([top, weapons], _deck(top, weapons), DECK_RULES[players][at > 0], (players,))
    for players, rows in DECKS.items()
    if len(rows) > 1
    for at, (top, weapons) in enumerate(rows)
)
FACES = spread("#20283a", *(face(Value(*card)) for card in TILE))
SET_UP = set_up(__package__, SanNiIchiOptions, FACES, deck=CHOICES)

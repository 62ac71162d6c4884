"""The fan cards: what is printed on them, and how sure we are of it.

A card's id is `type-value-winds` (`gun_sen-7-1`), a wild's `type-values-winds` (`hi_ogi-456-0`); each card exists once.
The booklet gives types, values and wilds. Its pictures are lost, so sticks, winds and power symbols are inferred or
chosen by us (`ORIGINS`); owners of the real cards can correct them.
"""

from functools import cache
from typing import NamedTuple

TYPES = ("gun_sen", "hi_ogi", "mai_ougi")
TITLES = {"gun_sen": "Gun-sen", "hi_ogi": "Hi-ōgi", "mai_ougi": "Mai-ougi"}
POWERS = {"gun_sen": "courage", "hi_ogi": "wisdom", "mai_ougi": "harmony"}
LETTERS = {kind: power[0].upper() for kind, power in POWERS.items()}
"""What our drawings show as the power symbol of a type."""
INDEX = {kind: at for at, kind in enumerate(TYPES)}

STICKS = (4, 3, 3, 2, 2, 2, 1, 1, 1)
"""Sticks of the values 1 to 9 unless the match says otherwise."""
WILD_STICKS = 1
WILD_WINDS = 0
"""Winds on the wilds unless the match says otherwise."""
FULL = 10
"""Sticks of a complete fan."""
TARGET = 20
"""What a combination adds up to."""
HAND = 5
CLOSED_COPIES = 5


class FanCard(NamedTuple):
    id: str
    type: str
    values: tuple[int, ...]
    winds: int
    wild: bool = False


def _all() -> dict[str, FanCard]:
    cards = [FanCard(f"{t}-{v}-{w}", t, (v,), w) for t in TYPES for v in range(1, 10) for w in range(3)]
    # No wild has exactly one wind: those are the 27 cards of the solo game.
    for values in ((1, 2, 3), (4, 5, 6), (7, 8, 9)):
        shown = "".join(map(str, values))
        cards += [FanCard(f"{t}-{shown}-{w}", t, values, w, True) for t in TYPES for w in (0, 2)]
    return {card.id: card for card in cards}


CARDS = _all()
"""Every card that can be in a match. Of the two versions of each wild a match has one: `wild_winds` says which."""

SYMBOLS = frozenset(card.id for card in CARDS.values() if not card.wild and card.values[0] in (3, 6, 9))
"""Cards that carry their type's power symbol unless the match says otherwise."""

ORIGINS = {
    "values": "booklet",
    "sticks": "inferred",  # the most regular of the tables that the four worked examples allow
    "winds": "inferred",  # one full set of 1 to 9 has one wind; the other two copies have none and two
    "wild_winds": "house",
    "symbols": "house",
}


@cache
def deck_of(players: int, wild_winds: int) -> frozenset[str]:
    """The cards that this many players use."""
    here = (card for card in CARDS.values() if not card.wild or card.winds == wild_winds)
    if players == 1:
        return frozenset(card.id for card in here if card.winds == 1)
    most = 1 if players <= 3 else 2
    return frozenset(card.id for card in here if card.winds <= most)


def sticks_of(card: FanCard, table: tuple[int, ...]) -> int:
    return WILD_STICKS if card.wild else table[card.values[0] - 1]


def _name(card: FanCard) -> str:
    return f"{TITLES[card.type]} {'/'.join(map(str, card.values))}{'~' * card.winds}"


NAMES = {card.id: _name(card) for card in CARDS.values()}
"""What sentences call a card, in every language: one `~` for each wind."""

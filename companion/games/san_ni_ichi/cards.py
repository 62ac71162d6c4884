"""The cards: what the booklet says about them, and house data where it says nothing.

The weapons' Strengths, letters and red numbers are printed on cards that the booklet does not show. Only the
Shuriken of Strength 22 is described there; every other weapon below is house data, not the printed cards.
Owners correct theirs once for their table, or in the header's `weapons`.
"""

import re

import msgspec

ELEMENTS = ("fire", "water", "wood")
BEATS = {"fire": "wood", "wood": "water", "water": "fire"}
BEATEN_BY = {loser: winner for winner, loser in BEATS.items()}

ATTACK, SHURIKEN, BLOCK, TORINOKO, SAI, TONFA, YOSO = (
    "attack",
    "shuriken",
    "block",
    "torinoko",
    "sai",
    "tonfa",
    "yoso_kogeki",
)
WEAPONS = (SHURIKEN, BLOCK, TORINOKO, SAI, TONFA, YOSO)
STRONGEST = 10
"""The box has attack cards of Strength 1 to 10 in each element."""

LETTERS = {"fire": "A", "water": "B", "wood": "C"}
WEAPON_LETTER = "A"

HOUSE_WEAPONS = (
    "shuriken-22",
    "block-0",
    "torinoko-1",
    "sai-13",
    "tonfa-11",
    "yoso_kogeki-15",
    "shuriken-21",
    "tonfa-12",
    "sai-14",
    "yoso_kogeki-16",
    "torinoko-2",
    "block-0",
)
"""Laid out when the header names no weapons, as many as the deck needs: one of each kind comes first."""

DECKS = {
    3: ((5, 6), (6, 3), (7, 0)),
    4: ((6, 10), (8, 4), (9, 1)),
    5: ((8, 11), (9, 8), (10, 5)),
    6: ((10, 12),),
}
"""By the number of players: (top Strength, weapons), the base deck first."""
DECK_RULES = {3: ("SNI-2", "SNI-62"), 4: ("SNI-3", "SNI-63"), 5: ("SNI-4", "SNI-64"), 6: ("SNI-5",)}
HAND = 7

_ID = re.compile(r"([a-z_]+)-(0|[1-9][0-9]{0,2})")


class Value(msgspec.Struct, frozen=True):
    """A card as this match has it."""

    card: str
    kind: str
    """`attack`, or the kind of weapon."""
    strength: int
    letter: str
    score: int
    """What it counts in a Damage Pile: an attack card its Strength, a weapon its red number."""
    element: str = ""
    """Attack cards only."""
    origin: str = "house"


def parsed(card: str) -> tuple[str, int] | None:
    """`sai-13` -> ("sai", 13); None where no card of the game could be called that."""
    found = _ID.fullmatch(card)
    if not found:
        return None
    name, number = found[1], int(found[2])
    if name in WEAPONS or (name in ELEMENTS and 1 <= number <= STRONGEST):
        return name, number
    return None


def weapon_origin(card: str, damage: int, players: int) -> str:
    """The booklet vouches for one weapon: the Shuriken of Strength 22 and its damage."""
    return "booklet" if card == "shuriken-22" and damage == players - 1 else "house"

"""What a weapon hits, drawn."""

from companion.core.message import Thing, message
from companion.games.kit.topics import Squares, Topic
from companion.games.sen_so.cards import SHURIKEN, WEAPONS
from companion.games.sen_so.geometry import turned
from companion.games.sen_so.state import SenSoState

FAR = 4
"""Squares of a Shuriken's flight that are drawn; it goes on to the wall."""
RULES = {"nunchaku": ("SEN-39", "SEN-41"), SHURIKEN: ("SEN-43", "SEN-44", "SEN-45")}


def topics(state: SenSoState) -> tuple[Topic, ...]:
    bare = Topic(message("What does it hit? Without a weapon"), ("SEN-39", "SEN-R1"), _struck(state.pattern(())))
    return (*(_weapon(state, weapon) for weapon in WEAPONS), bare)


def _weapon(state: SenSoState, weapon: str) -> Topic:
    flight = tuple((0, ahead) for ahead in range(1, FAR + 1))
    title = message("What does it hit? {weapon}", weapon=Thing("card", weapon))
    struck = _struck(flight if weapon == SHURIKEN else state.pattern((weapon,)))
    return Topic(title, RULES.get(weapon, ("SEN-39", "SEN-40")), struck)


def _struck(ahead: tuple[tuple[int, int], ...]) -> Squares:
    return Squares(tuple(tuple(turned(offset, eighths) for offset in ahead) for eighths in range(8)))

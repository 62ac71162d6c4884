"""The kamae on the table: four places at each seat, joined like the samurai's kamae tree, and a ring on one of them.

The ring carries a tag as the miniatures do. A ring that has gone to another place is its player's answer when a card
allows a kamae step; where no branch leads there, the rules refuse it as they refuse a card.
"""

from collections.abc import Iterator
from math import cos, hypot, radians, sin

from companion.core.drawing import Circle, Point, Polygon, Shape, Text
from companion.core.layout import SeenPiece
from companion.games.senjutsu.card_language.ability import KAMAE

APART = 17.0
"""From the middle of the four places to each of them, across and along."""
ROOM = 2 * APART + 34.0
"""Side of the square that the four places take."""
RADIUS = 15.0
INK = "#6d5b3a"
TINTS = {"gateway": "#f1ece0", "aggression": "#e3aaa2", "balance": "#b5d0aa", "determination": "#ecdf9e"}
"""Pale, so that the tag stands out on them."""
CORNERS = {"gateway": (-1, -1), "aggression": (-1, 1), "balance": (1, 1), "determination": (1, -1)}
"""As their player sees them: the gateway is near at the left."""


def ring(player: str) -> str:
    return f"kamae.{player}"


class KamaeBoard:
    """The four places of one seat. `turn` is the rotation of a card that is upright for its player."""

    def __init__(self, middle: Point, turn: float) -> None:
        self.turn = turn
        c, s = cos(radians(turn)), sin(radians(turn))
        self.places: dict[str, Point] = {}
        for kamae in KAMAE:
            right, up = (APART * sign for sign in CORNERS[kamae])
            x, y = middle[0] + right * c - up * s, middle[1] + right * s + up * c
            self.places[kamae] = round(x, 3), round(y, 3)

    def kamae_at(self, seen: SeenPiece) -> str | None:
        """The place that the ring lies on; None if it lies on none of them."""
        near = min(self.places, key=lambda kamae: self._apart(kamae, seen))
        return near if self._apart(near, seen) <= RADIUS else None

    def _apart(self, kamae: str, seen: SeenPiece) -> float:
        x, y = self.places[kamae]
        return hypot(x - seen.x, y - seen.y)

    def shapes(self, tree: dict[str, tuple[str, ...]]) -> Iterator[Shape]:
        """For the mat: the places, and the branches as arrows."""
        for kamae, at in self.places.items():
            yield Circle(at, RADIUS, TINTS[kamae], INK, 0.8)
            yield Text((at[0], at[1]), kamae, 2.6, INK, self.turn)
        for start, ends in tree.items():
            for end in ends:
                yield from _branch(self.places[start], self.places[end])


def _branch(start: Point, end: Point) -> Iterator[Shape]:
    length = hypot(end[0] - start[0], end[1] - start[1])
    x, y = (end[0] - start[0]) / length, (end[1] - start[1]) / length

    def along(far: float, aside: float = 0.0) -> Point:
        return round(start[0] + far * x - aside * y, 3), round(start[1] + far * y + aside * x, 3)

    tip = length - RADIUS
    yield Polygon((along(RADIUS), along(tip)), stroke=INK, width=0.8)
    yield Polygon((along(tip), along(tip - 3.0, 1.8), along(tip - 3.0, -1.8)), INK)

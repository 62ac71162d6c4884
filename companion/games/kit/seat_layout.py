"""Places around a table, written down as the player who sits there sees them.

>>> across = SeatPlace("Ben", 300, 400, turn=180)  # Ben sits at the far edge and looks this way
>>> across.at(right=100, ahead=50)
(200.0, 350.0)
>>> [zone.name for zone in across.row((("deck", 70, "pile"), ("card", 70, "one")), ahead=60, height=100, gap=10)]
['Ben.deck', 'Ben.card']
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import cos, radians, sin

from companion.core.drawing import Point, Shape, Text, rectangle
from companion.core.layout import Layout, Zone


@dataclass(frozen=True)
class SeatPlace:
    """Where somebody sits: a point on the table, and how far the player's view is turned there."""

    player: str
    x: float
    y: float
    turn: float
    """Degrees counter-clockwise: 0 looks up the table from the near edge, 180 down from the far one."""

    def at(self, right: float, ahead: float) -> Point:
        """The point of the table that is so far to the right and so far ahead of this place."""
        c, s = cos(radians(self.turn)), sin(radians(self.turn))
        return round(self.x + right * c - ahead * s, 3), round(self.y + right * s + ahead * c, 3)

    def zone(
        self,
        name: str,
        right: float,
        ahead: float,
        width: float,
        height: float,
        *,
        rotations: int = 4,
        holds: str = "one",
    ) -> Zone:
        """A zone of this player, centred there and turned like its owner."""
        x, y = self.at(right, ahead)
        return Zone(f"{self.player}.{name}", x, y, width, height, self.turn, rotations, holds)

    def row(
        self,
        places: Iterable[tuple[str, float, str]],
        *,
        ahead: float,
        height: float,
        gap: float,
        left: float | None = None,
        rotations: int = 2,
    ) -> Iterator[Zone]:
        """Zones side by side, (name, width, what it holds) each: centred, or from `left` on."""
        places = tuple(places)
        if left is None:
            left = -(sum(width for _, width, _ in places) + gap * (len(places) - 1)) / 2
        for name, width, holds in places:
            yield self.zone(name, left + width / 2, ahead, width, height, rotations=rotations, holds=holds)
            left += width + gap


def around(players: Sequence[str], places: Iterable[tuple[str, str]], card: tuple[float, float]) -> Layout:
    """A square table for up to four: before each player a row of places, (name, what it holds) each.

    The first two sit across from each other, the others at the sides.
    """
    row = [(name, card[0] + 8, holds) for name, holds in places]
    ahead = max(card[1], sum(card[0] + 16 for _ in row)) / 2 + card[1] / 2 + 12
    side = 2 * ahead + card[1] + 112
    turns = (0.0, 180.0, 270.0, 90.0)
    seats = [SeatPlace(name, side / 2, side / 2, turn) for name, turn in zip(players, turns, strict=False)]
    zones = tuple(zone for seat in seats for zone in seat.row(row, ahead=-ahead, height=card[1] + 8, gap=8.0))
    labels = (frame(zone, zone.name.rpartition(".")[2].upper(), "#6b6f76", below=6) for zone in zones)
    return Layout(side, side, zones, card, tuple(shape for label in labels for shape in label))


def frame(zone: Zone, label: str, ink: str, *, size: float = 4.0, below: float | None = None) -> tuple[Shape, Shape]:
    """A zone's outline on the mat, with its label in the middle, or so many millimetres below the zone's edge."""
    crosswise = zone.turn % 180 == 90
    width, height = (zone.height, zone.width) if crosswise else (zone.width, zone.height)
    at = (zone.x, zone.y)
    if below is not None:
        at = SeatPlace("", zone.x, zone.y, zone.turn).at(0.0, -zone.height / 2 - below)
    outline = rectangle(width, height, stroke=ink, line=0.8, at=(zone.x, zone.y))
    return outline, Text(at, label, size, ink, zone.turn)

"""Sensu's drawing for the lobby: an open fan, a third of it in the colour of each type."""

from math import cos, radians, sin

from companion.core.drawing import Circle, Face, Point, Polygon, rectangle
from companion.games.kit.tiles import HEIGHT, WIDTH
from companion.games.sensu.cards import TYPES
from companion.games.sensu.faces import DARK, GOLD, LIGHT

PANELS, HINGE = 12, (0.0, -19.0)
OPEN, SHUT = 20.0, 160.0
"""The directions of its two edges, in degrees."""


def _at(radius: float, panel: float) -> Point:
    angle = radians(SHUT - (SHUT - OPEN) * panel / PANELS)
    return round(HINGE[0] + radius * cos(angle), 2), round(HINGE[1] + radius * sin(angle), 2)


def _panel(at: int) -> Polygon:
    kind = TYPES[at * len(TYPES) // PANELS]
    fill = DARK[kind] if at % 2 else LIGHT[kind]
    return Polygon((_at(18, at), _at(41, at), _at(41, at + 1), _at(18, at + 1)), fill, GOLD, 0.5)


TILE = Face(
    WIDTH,
    HEIGHT,
    (
        rectangle(WIDTH, HEIGHT, fill="#2a2140"),
        *(Polygon((HINGE, _at(20, at + 0.35), _at(20, at + 0.65)), "#c9a06a", "#7a5630", 0.4) for at in range(PANELS)),
        *map(_panel, range(PANELS)),
        *(Polygon((_at(41.5, at), _at(41.5, at + 1)), stroke=GOLD, width=1.4) for at in range(PANELS)),
        Circle(HINGE, 2.2, GOLD, "#7a5630", 0.5),
    ),
)

"""Senjutsu's drawing for the lobby: two swords crossed before the sun, on a battlefield of hexes."""

from collections.abc import Iterator

from companion.core.drawing import Circle, Face, Polygon, Shape, placed, rectangle
from companion.games.kit.tiles import HEIGHT, WIDTH
from companion.games.senjutsu.faces import hexagon

SIDE = 5.7
BLADE = ((-1.6, -14), (1.6, -14), (1.4, 4), (0.4, 22), (-2.8, 34), (-2.0, 20), (-1.6, 4))


def _sword(side: int) -> Iterator[Shape]:
    """Its point is bent towards that side: -1 is the left."""
    shapes = (
        Polygon(tuple((-side * x, y) for x, y in BLADE), "#e9edf1", "#3a3f47", 0.4),
        Polygon(((-side * 0.4, -13), (-side * 0.5, 4), (side * 0.6, 21)), "", "#9aa4ae", 0.5),
        rectangle(3.6, 14, fill="#2b1d1d", stroke="#120c0c", line=0.4, at=(0, -22)),
        *(Polygon(((0, y - 1.6), (1.4, y), (0, y + 1.6), (-1.4, y)), "#d8b65a") for y in (-26.0, -22.0, -18.0)),
        rectangle(10, 2.2, fill="#d4a017", stroke="#5d4508", line=0.4, at=(0, -14.5)),
    )
    return placed(shapes, (3 * side, 1), -48 * side, 0.95)


TILE = Face(
    WIDTH,
    HEIGHT,
    (
        rectangle(WIDTH, HEIGHT, fill="#efe3cb"),
        Circle((0, 4), 21, "#b3261e"),
        *(
            hexagon((1.5 * SIDE * column, -20 - column % 2 * 0.866 * SIDE), SIDE - 0.5, "#4b5a3c", "#39462d")
            for column in range(-4, 5)
        ),
        *_sword(-1),
        *_sword(1),
    ),
)

"""Pictures as data: what our own proxy cards, mats and boards look like, in millimetres.

A game describes its faces here without knowing pixels; `vision` rasterises them for the virtual table, the
printer sets them into a PDF and the page turns them into SVG. One description, three painters.

A face's origin is its centre, x to the right and y up (towards the card's top), so turning a card is turning
its shapes. Colours are `#rrggbb`; an empty string is "none".
"""

from collections.abc import Iterable, Iterator
from math import cos, radians, sin

import msgspec

Point = tuple[float, float]


class Polygon(msgspec.Struct, frozen=True, tag="polygon"):
    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 0.5


class Circle(msgspec.Struct, frozen=True, tag="circle"):
    centre: Point
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 0.5


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A line of ASCII text, centred on its point. `size` is the height of a capital letter."""

    at: Point
    text: str
    size: float
    colour: str = "#000000"
    turn: float = 0.0
    """Degrees counter-clockwise."""


Shape = Polygon | Circle | Text


class Face(msgspec.Struct, frozen=True):
    """One side of a card or a printed mat; shapes are painted in order, later ones on top."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    outline: tuple[Point, ...] = ()
    """The cut edge where the card is not a rectangle (Sen So's cards are octagons)."""


def rectangle(
    width: float, height: float, *, fill: str = "", stroke: str = "", line: float = 0.5, at: Point = (0.0, 0.0)
) -> Polygon:
    """A rectangle centred on `at`."""
    x, y, dx, dy = at[0], at[1], width / 2, height / 2
    points = ((x - dx, y - dy), (x + dx, y - dy), (x + dx, y + dy), (x - dx, y + dy))
    return Polygon(points, fill, stroke, line)


def placed(shapes: Iterable[Shape], at: Point = (0.0, 0.0), turn: float = 0.0, scale: float = 1.0) -> Iterator[Shape]:
    """These shapes in a larger drawing: scaled, turned by degrees counter-clockwise, and moved."""
    x, y = scale * cos(radians(turn)), scale * sin(radians(turn))

    def moved(point: Point) -> Point:
        return round(at[0] + x * point[0] - y * point[1], 3), round(at[1] + y * point[0] + x * point[1], 3)

    for shape in shapes:
        if isinstance(shape, Polygon):
            yield Polygon(tuple(map(moved, shape.points)), shape.fill, shape.stroke, scale * shape.width)
        elif isinstance(shape, Circle):
            yield Circle(moved(shape.centre), scale * shape.radius, shape.fill, shape.stroke, scale * shape.width)
        else:
            yield Text(moved(shape.at), shape.text, scale * shape.size, shape.colour, shape.turn + turn)

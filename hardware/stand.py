"""A stand for the panel: four flat parts from a sheet of 3 mm plywood or card, that plug into each other.

Red lines are cut; grey text is for the eye. The parts fit an A4 sheet and are drawn at their true size.
"""

import math
from collections.abc import Sequence

from hardware.svg import CUT, Point, box, path, ring, shape, sheet, text

THICK = 3.0
FIT = 0.1
"""A slot is this much wider than the sheet is thick; a saw or a laser takes its share as well."""
TAB = 20.0
WIDTH, DEPTH = 120.0, 60.0
FRONT, BACK = 15.0, 51.0
"""Height of the stand where the player sits, and at the back."""
SLOPE = math.hypot(DEPTH, BACK - FRONT)
INSET = 8.0
"""From the side of a plate to the middle of a cheek."""
GREY = "#888888"

READY = (30.0, 40.0, 24.0)
SMALL = tuple((x, 40.0, 12.0) for x in (58.0, 76.0, 94.0))
LIGHTS = tuple((x, 14.0, 6.0) for x in (59.3, 76.0, 92.7))
"""Holes in the face as (x, y, diameter); the lights are as far apart as on a strip of 60 to the metre."""


def cheek() -> list[Point]:
    """The side: its upper and its lower edge each have a tab in the middle. y grows downwards."""
    corners = [(0.0, BACK), (0.0, BACK - FRONT), (DEPTH, 0.0), (DEPTH, BACK)]
    upper = _tab(corners[1], corners[2])
    lower = _tab(corners[3], corners[0])
    return [corners[0], corners[1], *upper, corners[2], corners[3], *lower]


def _tab(start: Point, end: Point) -> list[Point]:
    """Four corners of a tab that stands out on the left of the way from start to end."""
    length = math.dist(start, end)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    out = (along[1], -along[0])

    def at(way: float, height: float) -> Point:
        return (start[0] + along[0] * way + out[0] * height, start[1] + along[1] * way + out[1] * height)

    begin, finish = (length - TAB) / 2, (length + TAB) / 2
    return [at(begin, 0), at(begin, THICK), at(finish, THICK), at(finish, 0)]


def slots(depth: float) -> list[tuple[float, float, float, float]]:
    """Where the cheeks plug into a plate of this depth: x, y, width, height."""
    wide = THICK + FIT
    return [(x - wide / 2, (depth - TAB - FIT) / 2, wide, TAB + FIT) for x in (INSET, WIDTH - INSET)]


def _plate(x: float, y: float, depth: float, name: str, holes: Sequence[tuple[float, float, float]] = ()) -> list[str]:
    return [
        box(x, y, WIDTH, depth, stroke=CUT, line=0.2),
        *(box(x + sx, y + sy, w, h, stroke=CUT, line=0.2) for sx, sy, w, h in slots(depth)),
        *(ring(x + cx, y + cy, diameter / 2, stroke=CUT, width=0.2) for cx, cy, diameter in holes),
        text(x + WIDTH / 2, y + depth - 3, name, 3, "middle", GREY),
    ]


def _measure(start: Point, end: Point, label: str = "") -> list[str]:
    """A dimension line between two points, across or upright, with its length in millimetres."""
    (x1, y1), (x2, y2) = start, end
    across = y1 == y2
    tick = (0.0, 1.2) if across else (1.2, 0.0)
    ends = [path([(x - tick[0], y - tick[1]), (x + tick[0], y + tick[1])], GREY, 0.2) for x, y in (start, end)]
    words = f"{math.dist(start, end):.1f}".removesuffix(".0") + label
    where = ((x1 + x2) / 2, y1 - 0.8) if across else (x1 + 1.2, (y1 + y2) / 2 + 1)
    return [path([start, end], GREY, 0.2), *ends, text(*where, words, 2.6, "middle" if across else "start", GREY)]


def _dimensions() -> list[str]:
    """What a saw needs to know, where the parts lie on the sheet."""
    face, base, side = 10.0, 10 + SLOPE + 10, 145.0
    sx, sy, wide, tall = slots(DEPTH)[1]
    bottom = 12 + BACK
    holes = [
        text(10 + x, 10 + y + diameter / 4, f"⌀ {diameter:g}", 2.6, "middle", GREY)
        for x, y, diameter in (READY, *SMALL)
    ]
    return [
        *_measure((10, 7), (10 + WIDTH, 7)),
        *_measure((133, face), (133, face + SLOPE)),
        *_measure((133, base), (133, base + DEPTH)),
        *holes,
        text(10 + LIGHTS[0][0] - 5, 10 + LIGHTS[0][1] + 1, f"3 x ⌀ {LIGHTS[0][2]:g}", 2.4, "end", GREY),
        text(12, 14, "back", 2.4, "start", GREY),
        *_measure((10, face + 61), (10 + READY[0], face + 61)),
        *_measure((10 + READY[0], face + 61), (10 + SMALL[0][0], face + 61)),
        *_measure((10 + SMALL[0][0], face + 61), (10 + SMALL[1][0], face + 61)),
        *_measure((10 + READY[0], face), (10 + READY[0], face + READY[1])),
        *_measure((10 + LIGHTS[2][0], face), (10 + LIGHTS[2][0], face + LIGHTS[2][1])),
        *_measure((10 + LIGHTS[0][0], face + 9), (10 + LIGHTS[1][0], face + 9)),
        *_measure((10 + sx, base + sy - 3), (10 + sx + wide, base + sy - 3)),
        *_measure((10 + sx - 8, base + sy), (10 + sx - 8, base + sy + tall)),
        *_measure((10 + sx + wide, base + 55), (10 + WIDTH, base + 55)),
        *_measure((side, bottom + 13), (side + DEPTH, bottom + 13)),
        *_measure((side - 6, bottom - FRONT), (side - 6, bottom)),
        *_measure((side + DEPTH + 2, 12), (side + DEPTH + 2, bottom)),
        *_measure((side + (DEPTH - TAB) / 2, bottom + 8), (side + (DEPTH + TAB) / 2, bottom + 8)),
        text(
            145, 112, f"All in millimetres, for a sheet of {THICK:g} mm. Tabs stand out by {THICK:g}.", 3, "start", GREY
        ),
        text(145, 117, "For another sheet make the slots as wide as it is thick.", 3, "start", GREY),
        text(145, 122, "Red is cut. The back of the face is the side with the lights.", 3, "start", GREY),
    ]


def cut_sheet() -> str:
    """All parts on one landscape A4 sheet."""
    side = cheek()
    cheeks = []
    for dx in (145.0, 215.0):
        cheeks.append(shape([(x + dx, y + 12) for x, y in side], stroke=CUT, width=0.2))
        cheeks.append(text(dx + DEPTH * 0.6, 12 + BACK * 0.7, "cheek", 3, "middle", GREY))
    labels = [
        text(10 + x, 10 + y + diameter / 2 + 4, word, 2.6, "middle", GREY)
        for (x, y, diameter), word in zip((READY, *SMALL), ("ready", "up", "down", "select"), strict=True)
    ]
    measure = "100 mm: measure this after printing"
    ruler = [box(145, 95, 100, 4, stroke=GREY), text(195, 105, measure, 3, "middle", GREY)]
    return sheet(
        297,
        210,
        "Stand of a player's panel: cut sheet, 3 mm",
        *_plate(10, 10, SLOPE, "face", (READY, *SMALL, *LIGHTS)),
        *labels,
        *_plate(10, 10 + SLOPE + 10, DEPTH, "base"),
        *cheeks,
        *ruler,
        *_dimensions(),
    )

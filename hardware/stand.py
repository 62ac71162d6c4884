"""A stand for the panel: four flat parts from a sheet of 3 mm plywood or card, that plug into each other.

Red lines are cut; grey text is for the eye. The parts fit an A4 sheet and are drawn at their true size.
"""

import math
from collections.abc import Sequence

from hardware.svg import CUT, Point, box, ring, shape, sheet, text

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
    )

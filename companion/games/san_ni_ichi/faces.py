"""Our own drawings of the cards: proxies that a person and a camera can tell apart at a glance.

The element decides the colour and the sign. A row of pips along the top counts the Strength; it is at the top only, so
that every card looks different upside down (and a 6 is not a 9). The faint sign in the lower corner is the element that
the card beats.
"""

import math
from functools import cache

from companion.core.drawing import Circle, Face, Point, Polygon, Shape, Text, rectangle
from companion.games.kit.game import Card, Deck
from companion.games.san_ni_ichi.cards import ATTACK, BEATS, Value
from companion.games.san_ni_ichi.state import SanNiIchiState

WIDTH, HEIGHT = 63.0, 88.0
CARD = (WIDTH, HEIGHT)
PAPER, INK, RED = "#f7f2e6", "#15171c", "#c4161c"
GROUND = {"fire": "#d8412a", "water": "#1f63b8", "wood": "#2f8a3c"}
PALE = {"fire": "#f2c9b8", "water": "#bcd6f2", "wood": "#c4e3bf"}
STEEL = {
    "shuriken": "#3c3f4a",
    "block": "#8a6a1f",
    "torinoko": "#5b2a6e",
    "sai": "#11707a",
    "tonfa": "#6b3a1e",
    "yoso_kogeki": "#a3155f",
}

SIGNS: dict[str, tuple[tuple[Point, ...], ...]] = {
    "fire": (
        ((0, 16), (5, 8), (7, 11), (12, 0), (9, -10), (0, -15), (-9, -10), (-12, 0), (-8, 6), (-5, 3)),
        ((0, 2), (4, -5), (2, -11), (-3, -11), (-4, -5)),
    ),
    "water": (
        ((0, 17), (7, 5), (11, -4), (9, -12), (0, -16), (-9, -12), (-11, -4), (-7, 5)),
        ((-5, -3), (-6, -8), (-1, -12), (0, -9), (-3, -7)),
    ),
    "wood": (
        (
            (0, 17),
            (9, 6),
            (4, 6),
            (12, -5),
            (3, -5),
            (3, -16),
            (-3, -16),
            (-3, -5),
            (-12, -5),
            (-4, 6),
            (-9, 6),
        ),
        ((0, 12), (3, 8), (-3, 8)),
    ),
    "shuriken": (
        ((0, 17), (4, 4), (17, 0), (4, -4), (0, -17), (-4, -4), (-17, 0), (-4, 4)),
        ((0, 3), (3, 0), (0, -3), (-3, 0)),
    ),
    "block": (
        ((-13, 14), (13, 14), (13, -2), (0, -17), (-13, -2)),
        (
            (-2, 10),
            (2, 10),
            (2, 2),
            (8, 2),
            (8, -2),
            (2, -2),
            (2, -9),
            (-2, -9),
            (-2, -2),
            (-8, -2),
            (-8, 2),
            (-2, 2),
        ),
    ),
    "torinoko": (
        (
            (-8, 9),
            (2, 11),
            (8, 18),
            (11, 16),
            (7, 9),
            (10, 6),
            (13, -3),
            (9, -12),
            (0, -15),
            (-9, -12),
            (-13, -3),
        ),
        ((-8, 2), (-4, 5), (-6, -4), (-10, -4)),
    ),
    "sai": (
        (
            *((-2, -17), (2, -17), (2, 0), (13, 0), (13, 12), (9, 12), (9, 4), (2, 4), (2, 17)),
            *((-2, 17), (-2, 4), (-9, 4), (-9, 12), (-13, 12), (-13, 0), (-2, 0)),
        ),
        ((-1, -15), (1, -15), (1, -5), (-1, -5)),
    ),
    "tonfa": (
        ((-14, 8), (14, 8), (14, 2), (-4, 2), (-4, -14), (-10, -14), (-10, 2), (-14, 2)),
        ((9, 6), (12, 6), (12, 4), (9, 4)),
    ),
    "yoso_kogeki": (
        ((0, 17), (6, 6), (16, 5), (9, -4), (11, -15), (0, -10), (-11, -15), (-9, -4), (-16, 5), (-6, 6)),
        ((0, 6), (5, -4), (-5, -4)),
    ),
}
"""Each sign is a body and a detail cut out of it, in millimetres about its own centre."""


def sign(name: str, at: Point, scale: float, body: str, detail: str) -> list[Shape]:
    """One sign, placed and scaled."""
    placed = [tuple((at[0] + x * scale, at[1] + y * scale) for x, y in part) for part in SIGNS[name]]
    return [Polygon(part, fill) for part, fill in zip(placed, (body, detail), strict=True)]


@cache
def face(value: Value) -> Face:
    return Face(WIDTH, HEIGHT, tuple(_attack(value) if value.kind == ATTACK else _weapon(value)))


def _attack(value: Value) -> list[Shape]:
    ground, pale = GROUND[value.element], PALE[value.element]
    number = str(value.strength)
    shapes: list[Shape] = [
        rectangle(WIDTH, HEIGHT, fill=PAPER),
        rectangle(57, 82, fill=ground),
        rectangle(51, 40, fill=pale, at=(0, -15)),
        *sign(BEATS[value.element], (19.5, -28.5), 0.36, PAPER, pale),
        *sign(value.element, (14, 19), 0.72, PAPER, ground),
        *_corner(value, PAPER),
        Text((0, -14), number, 28 if len(number) == 1 else 24, INK),
        Text((0, -38), value.element.upper(), 3.2, PAPER),
    ]
    for pip in range(value.strength):
        shapes.append(Circle(((pip - (value.strength - 1) / 2) * 5.0, 37), 1.9, PAPER))
    if value.strength in (6, 9):
        shapes.append(rectangle(18, 2, fill=INK, at=(0, -32)))
    return shapes


def _weapon(value: Value) -> list[Shape]:
    steel = STEEL[value.kind]
    tens, units = divmod(value.strength, 10)
    return [
        rectangle(WIDTH, HEIGHT, fill=INK),
        rectangle(57, 82, fill=PAPER),
        rectangle(57, 11, fill=steel, at=(0, 35.5)),
        Text((0, 35.5), value.kind.replace("_", " ").upper(), 5, PAPER),
        *sign(value.kind, (7, 7), 0.95, steel, PAPER),
        *_corner(value, INK),
        # The Strength once more, for the camera: tens as bars, units as pips.
        *[rectangle(3, 8, fill=RED, at=(-25 + 5 * bar, -4)) for bar in range(tens)],
        *[Circle((-24 + 6 * pip, -15), 2.3, steel) for pip in range(units)],
        Text((-8, -29), str(value.strength), 18, steel),
        Circle((20, -31), 7, RED),
        Text((20, -31), str(value.score), 7, PAPER),
    ]


def _corner(value: Value, ink: str) -> list[Shape]:
    """The Strength with its letter below, where a fanned hand shows it."""
    return [Text((-17, 24), str(value.strength), 9, ink), Text((-17, 12.5), value.letter, 6, ink)]


@cache
def back() -> Face:
    """Three rings, for three, two, one, on a colour that no face has."""
    shapes: list[Shape] = [
        rectangle(WIDTH, HEIGHT, fill="#20283a"),
        rectangle(55, 80, stroke="#c9a227", line=1.2),
    ]
    for radius in (24.0, 16.0, 8.0):
        shapes.append(Circle((0, 0), radius, stroke="#c9a227", width=1.6))
    for turn in range(3):
        angle = math.radians(90 + 120 * turn)
        shapes.append(Circle((20 * math.cos(angle), 20 * math.sin(angle)), 3.2, tuple(GROUND.values())[turn]))
    return Face(WIDTH, HEIGHT, tuple(shapes))


def deck(state: SanNiIchiState) -> Deck:
    """The cards of this match."""
    table = state.table
    cards = {card: Card(face(value), table.copies[card], value.origin) for card, value in table.values.items()}
    return Deck(cards, back())

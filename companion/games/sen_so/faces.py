"""Our own drawings of the cards: octagons, which fit into a holder in any of eight directions."""

from math import cos, pi, sin

from companion.core.drawing import Circle, Face, Point, Polygon, Shape, Text, rectangle
from companion.games.kit.game import Card, Deck
from companion.games.sen_so.cards import SHURIKEN, WEAPONS
from companion.games.sen_so.state import SenSoState

ACROSS = 64.0
"""Width of a card from flat to flat, in millimetres."""
HOLDER = 78.0

GREEN, RED, BLUE, GOLD, INK, PAPER = "#2f8f4e", "#c23b22", "#2358a6", "#b8860b", "#1d1d1f", "#f6f1e4"


def octagon(across: float, fill: str, stroke: str = INK, line: float = 0.8) -> Polygon:
    return Polygon(_octagon_points(across), fill, stroke, line)


def _octagon_points(across: float) -> tuple[Point, ...]:
    radius = across / 2 / cos(pi / 8)
    return tuple((radius * cos(pi / 8 + turn * pi / 4), radius * sin(pi / 8 + turn * pi / 4)) for turn in range(8))


def _arrow(colour: str, tail: float, tip: float, shaft: float = 8.0, head: float = 24.0) -> Polygon:
    """An arrow that points to the card's top."""
    neck, half = tip - head * 0.7, shaft / 2
    points = ((-half, tail), (half, tail), (half, neck), (head / 2, neck), (0.0, tip), (-head / 2, neck), (-half, neck))
    return Polygon(points, colour, INK, 0.5)


def star(colour: str, centre: Point, radius: float, rays: int = 4, waist: float = 0.35) -> Polygon:
    points = []
    for turn in range(2 * rays):
        reach = radius if turn % 2 == 0 else radius * waist
        angle = pi / 2 + turn * pi / rays
        points.append((centre[0] + reach * cos(angle), centre[1] + reach * sin(angle)))
    return Polygon(tuple(points), colour, INK, 0.5)


def _card(ground: str, *shapes: Shape) -> Face:
    return Face(ACROSS, ACROSS, (octagon(ACROSS, ground), *shapes), _octagon_points(ACROSS))


def _word(text: str, size: float = 4.2, at: Point = (0.0, -23.0), colour: str = INK) -> Text:
    return Text(at, text, size, colour)


def _actions() -> dict[str, Face]:
    return {
        "move": _card("#dff2df", _arrow(GREEN, -16, 26), _word("MOVE")),
        "leap": _card(
            "#dff2df",
            rectangle(8, 8, fill=GREEN, stroke=INK, at=(0, -13)),
            Circle((0, 0), 6.5, "", GREEN, 2.0),
            _arrow(GREEN, 8, 28, head=26),
            _word("LEAP"),
        ),
        "flying_attack": _card(
            "#f5e3c4", _arrow(GREEN, -18, 6, head=20), star(RED, (0.0, 18.0), 10.0, 8, 0.5), _word("FLY")
        ),
        "attack": _card(
            "#f7d9d2",
            _arrow(RED, -6, 28, shaft=6, head=16),
            rectangle(26, 4, fill=INK, at=(0, -6)),
            rectangle(5, 10, fill=GOLD, stroke=INK, at=(0, -13)),
            _word("ATTACK"),
        ),
        "block": _card(
            "#d6e2f5",
            Polygon(((-19, 10), (19, 10), (15, -10), (0, -18), (-15, -10)), BLUE, INK, 0.8),
            _arrow(PAPER, -10, 27, shaft=6, head=18),
            _word("BLOCK", at=(0.0, -24.0)),
        ),
        SHURIKEN: _card(
            "#e4e4ea",
            star("#6b6b78", (0.0, -6.0), 15.0),
            Circle((0, -6), 3, PAPER, INK),
            _arrow(RED, 11, 29, 4, 14),
            _octagon_number(1),
        ),
    }


def _octagon_number(spaces: int) -> Text:
    return Text((15.0, -19.0), str(spaces), 5.5, INK)


def _weapons() -> dict[str, Face]:
    drawn: dict[str, tuple[str, tuple[Shape, ...]]] = {
        "katana": (
            "#fbf3d0",
            (
                Polygon(((-22, 2), (16, 12), (22, 18), (14, 16), (-23, 6)), "#aab4be", INK),
                rectangle(3, 14, fill=GOLD, at=(-20, 3)),
            ),
        ),
        "nunchaku": (
            "#e9dcf2",
            (
                rectangle(5, 24, fill="#6d4c2f", at=(-12, 6)),
                rectangle(5, 24, fill="#6d4c2f", at=(12, 6)),
                rectangle(24, 2, fill=INK, at=(0, 19)),
            ),
        ),
        "kau_sin_ke": (
            "#d9eef0",
            tuple(Circle((-20 + 5.7 * link, 14 - 14 * ((link % 3) / 2)), 3.2, "#7d8a94", INK) for link in range(8)),
        ),
        "bo_staff": (
            "#efe3d3",
            (
                rectangle(50, 5, fill="#8a5a2b", stroke=INK, at=(0, 8)),
                Circle((-22, 8), 4, GOLD, INK),
                Circle((22, 8), 4, GOLD, INK),
            ),
        ),
        "nagamaki": (
            "#f3dbe3",
            (
                rectangle(24, 4, fill="#8a5a2b", at=(-13, 2)),
                Polygon(((-1, 0), (20, 4), (25, 16), (-1, 6)), "#aab4be", INK),
            ),
        ),
    }
    labels = {
        "katana": "KATANA",
        "nunchaku": "NUNCHAKU",
        "kau_sin_ke": "KAU SIN KE",
        "bo_staff": "BO STAFF",
        "nagamaki": "NAGAMAKI",
    }
    return {
        weapon: _card(
            ground, *shapes, _word(labels[weapon], 4.0, (0.0, -12.0)), _octagon_number(WEAPONS[weapon].spaces)
        )
        for weapon, (ground, shapes) in drawn.items()
    }


def _back() -> Face:
    """It looks the same in all eight directions, so that a face-down card does not give its direction away."""
    rings = (
        octagon(54, "#7a1f2b", PAPER, 1.0),
        Circle((0, 0), 20, "", PAPER, 1.2),
        star(PAPER, (0.0, 0.0), 17.0, 8, 0.55),
    )
    return _card("#4a0f1c", *rings, Circle((0, 0), 5, "#7a1f2b", PAPER))


def holder() -> Face:
    """The card holder; its notch points where its player looks (SEN-7)."""
    notch = Polygon(((-6, HOLDER / 2), (6, HOLDER / 2), (0, HOLDER / 2 - 6)), GOLD, INK, 0.5)
    return Face(HOLDER, HOLDER, (rectangle(HOLDER, HOLDER, fill="#3a3a40", stroke="#111111", line=1.0), notch))


def deck(state: SenSoState) -> Deck:
    """A set for every player, with two of each action: the same action can be played twice in a row."""
    seats = len(state.ninjas)
    cards = {name: Card(face, 2 * seats, "inferred") for name, face in _actions().items()}
    cards |= {name: Card(face, seats, "booklet") for name, face in _weapons().items()}
    return Deck(cards, _back())

"""Our own drawing of the cards, made to be read by a camera.

Everything that distinguishes one card from another is drawn three times: along the left edge and along the top, where
it can be seen on a partly covered card in a fan or a column, and large in the middle.
"""

from functools import cache
from math import cos, pi, sin

from companion.core.drawing import Circle, Face, Point, Polygon, Shape, Text, rectangle
from companion.games.kit.game import Card, Deck
from companion.games.sensu.cards import CARDS, CLOSED_COPIES, LETTERS, ORIGINS, TITLES, TYPES, FanCard
from companion.games.sensu.state import SensuState

WIDTH, HEIGHT = 59.0, 92.0
SPINE, BAND, RAIL = 13.0, 15.0, 3.5
"""Widths of the strips along the left and the top edge; the rail beside them has a tick at the card's value."""
DARK = {"gun_sen": "#1f4e9c", "hi_ogi": "#2d7a3a", "mai_ougi": "#c2356f"}
LIGHT = {"gun_sen": "#dbe6f5", "hi_ogi": "#dff2dc", "mai_ougi": "#fbe0ea"}
WIND, GOLD, WHITE, INK = "#ffd23f", "#f2a33a", "#ffffff", "#16181d"
LEFT, TOP = -WIDTH / 2, HEIGHT / 2
MIDDLE = LEFT + SPINE + RAIL + (WIDTH - SPINE - RAIL) / 2


def closed_id(kind: str) -> str:
    """The Closed fan card of that type."""
    return f"closed-{kind}"


def deck(state: SensuState) -> Deck:
    """The cards of this match, Closed fan cards included."""
    terms = state.terms
    # Symbols are printed on the real cards; our proxies carry them where the powers are in play.
    symbols = terms.symbols if terms.powers else frozenset()
    cards = {
        card: Card(_face(CARDS[card], terms.sticks[card], card in symbols), origin=_origin(card in symbols))
        for card in sorted(terms.cards)
    }
    cards |= {closed_id(kind): Card(_closed(kind), CLOSED_COPIES, "booklet") for kind in TYPES}
    return Deck(cards, _back())


def _origin(symbol: bool) -> str:
    return ORIGINS["symbols"] if symbol else ORIGINS["sticks"]


@cache
def _face(card: FanCard, sticks: int, symbol: bool) -> Face:
    dark = DARK[card.type]
    shapes: list[Shape] = [
        rectangle(WIDTH, HEIGHT, fill=LIGHT[card.type]),
        rectangle(SPINE, HEIGHT, fill=dark, at=(LEFT + SPINE / 2, 0)),
        rectangle(WIDTH, BAND, fill=INK if card.wild else dark, at=(0, TOP - BAND / 2)),
        rectangle(WIDTH, RAIL, fill=dark, at=(0, TOP - BAND - RAIL / 2)),
        rectangle(RAIL, HEIGHT, fill=dark, at=(LEFT + SPINE + RAIL / 2, 0)),
        *(tick for value in card.values for tick in _ticks(value)),
        Text((LEFT + SPINE / 2, TOP - BAND / 2), _digits(card), 4.2 if card.wild else 11.0, WHITE),
        *_along_edges(sticks, card.winds),
        *_fan(card, sticks),
        *_numbers(card),
        *(rectangle(WIDTH - SPINE - 9, 6, fill=WIND, stroke=INK, at=(MIDDLE, y)) for y in (-30, -39)[: card.winds]),
    ]
    if symbol:
        letter = LETTERS[card.type]
        for centre in ((LEFT + SPINE / 2, -11.0), (12.5, TOP - BAND / 2), (23.5, 21.5)):
            shapes += [_hexagon(centre, 5.0), Text(centre, letter, 5.0, INK)]
    return Face(WIDTH, HEIGHT, tuple(shapes))


def _digits(card: FanCard) -> str:
    return "".join(map(str, card.values))


def _ticks(value: int) -> tuple[Shape, Shape]:
    """One tick on each rail, at one of nine places: it tells apart digits that look alike from a distance."""
    down = rectangle(RAIL, 7.0, fill=WHITE, at=(LEFT + SPINE + RAIL / 2, TOP - BAND - RAIL - 7.6 * (value - 0.4)))
    across = rectangle(4.0, RAIL, fill=WHITE, at=(LEFT + SPINE + RAIL + 4.6 * (value - 0.4), TOP - BAND - RAIL / 2))
    return down, across


def _along_edges(sticks: int, winds: int) -> list[Shape]:
    spine, band = LEFT + SPINE / 2, TOP - BAND / 2
    shapes: list[Shape] = []
    for stick in range(sticks):
        shapes.append(rectangle(9.0, 4.2, fill=WHITE, at=(spine, 25 - 8 * stick)))
        shapes.append(rectangle(3.4, 10.0, fill=WHITE, at=(-12.5 + 6 * stick, band)))
    for wind in range(winds):
        shapes.append(rectangle(11.0, 9.0, fill=WIND, at=(spine, -24.0 - 12 * wind)))
        shapes.append(rectangle(4.6, 13.0, fill=WIND, at=(20.6 + 5.8 * wind, band)))
    return shapes


def _fan(card: FanCard, sticks: int) -> list[Shape]:
    """A section of a fan with its sticks; each type has a different outline."""
    hinge = (MIDDLE, 3.0)
    cut = {"gun_sen": 24, "hi_ogi": 2, "mai_ougi": 4}[card.type]
    rim = [_ray(hinge, 24.0 if cut == 24 else 27.0, 150 - 120 * step / cut) for step in range(cut + 1)]
    shapes: list[Shape] = [Polygon((hinge, *rim), fill=WHITE, stroke=DARK[card.type], width=1.2)]
    for stick in range(sticks):
        tip = _ray(hinge, 21.0, 150 - 120 * (stick + 1) / (sticks + 1))
        shapes.append(Polygon((hinge, tip), stroke=DARK[card.type], width=2.4))
    return shapes


def _ray(hinge: Point, length: float, angle: float) -> Point:
    return hinge[0] + length * cos(angle * pi / 180), hinge[1] + length * sin(angle * pi / 180)


def _numbers(card: FanCard) -> list[Shape]:
    if not card.wild:
        disc = Circle((MIDDLE, -9), 15, WHITE, DARK[card.type], 1.5)
        return [disc, Text((MIDDLE, -9), _digits(card), 21, INK)]
    places = zip(card.values, (-13.5, 0.0, 13.5), strict=True)
    return [
        shape
        for value, x in places
        for shape in (Circle((MIDDLE + x, -9), 7.0, INK), Text((MIDDLE + x, -9), str(value), 9, WHITE))
    ]


def _hexagon(centre: Point, radius: float) -> Polygon:
    return Polygon(tuple(_ray(centre, radius, 60 * corner) for corner in range(6)), fill=GOLD, stroke=INK, width=0.6)


@cache
def _closed(kind: str) -> Face:
    """A folded fan."""
    title = TITLES[kind].upper().replace("Ō", "O")
    return Face(
        WIDTH,
        HEIGHT,
        (
            rectangle(WIDTH, HEIGHT, fill=DARK[kind]),
            rectangle(WIDTH - 8, HEIGHT - 8, stroke=WHITE, line=1.2),
            Polygon(((-5, -34), (5, -34), (11, 30), (-11, 30)), fill=LIGHT[kind], stroke=INK, width=1.0),
            *(Polygon(((0, -34), (x, 30)), stroke=DARK[kind], width=1.4) for x in (-7.0, -2.5, 2.5, 7.0)),
            Circle((0, -34), 4, GOLD, INK),
            Text((0, 36), title, 5.0, WHITE),
        ),
    )


@cache
def _back() -> Face:
    diamonds = [(x, y) for x in (-20.0, 0.0, 20.0) for y in (-33.0, -11.0, 11.0, 33.0)]
    return Face(
        WIDTH,
        HEIGHT,
        (
            rectangle(WIDTH, HEIGHT, fill="#5a4632"),
            rectangle(WIDTH - 5, HEIGHT - 5, stroke="#e8d9b8", line=1.0),
            *(
                Polygon(((x - 7, y), (x, y - 9), (x + 7, y), (x, y + 9)), fill="#e8d9b8", stroke="#2f2418", width=0.8)
                for x, y in diamonds
            ),
        ),
    )

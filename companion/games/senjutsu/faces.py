"""The physical cards of a match, and our drawings of them.

The type gives the ground, the speed stands large in the corner, the first grid is drawn as it is on the card, and
below it every card carries a crest: eight coloured fields that belong to its name alone, for the camera.
"""

from collections import Counter
from functools import cache
from math import cos, pi, sin

from companion.core.drawing import Circle, Face, Point, Polygon, Shape, Text, rectangle
from companion.games.kit.game import Card, Deck
from companion.games.kit.plain_cards import crest
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import STEPS, Hex
from companion.games.senjutsu.state import DuelState

WIDTH, HEIGHT = 63.0, 88.0
PAPER, INK = "#f6f1e4", "#16181d"
GROUND = {"defence": "#1d5fa8", "attack": "#b3261e", "meditation": "#2c7d46", "core": "#5a4a78"}
RANK = {"jade": "#1aa37a", "gold": "#d4a017", "steel": "#8d99a6", "wood": "#8a5a2b", "": "#ffffff"}
SUPPLY = {"wound": 20, "bleeding": 10, a.STUN: 10}
"""SJ-2; not a limit (SJ-R31)."""


def deck(state: DuelState) -> Deck:
    """Everybody's deck, a passive card for each, and the cards of the supply."""
    duel = state.duel
    copies: Counter[str] = Counter()
    for each in duel.decks:
        copies.update(each)
    cards = {card: Card(face(duel.cards[card]), count, duel.cards[card].origin) for card, count in copies.items()}
    passive = duel.cards[a.PASSIVE]
    cards[a.PASSIVE] = Card(face(passive), len(duel.players), passive.origin)
    for name, count in SUPPLY.items():
        cards[name] = Card(token(name), count, "booklet")
    return Deck(cards, back())


@cache
def face(card: a.Ability) -> Face:
    ground, name = GROUND[card.type], _fit(card.name)
    shapes: list[Shape] = [
        rectangle(WIDTH, HEIGHT, fill=ground),
        rectangle(WIDTH - 6, HEIGHT - 6, fill=PAPER),
        rectangle(WIDTH - 6, 13, fill=ground, at=(0, HEIGHT / 2 - 9.5)),
        Text((9.5, HEIGHT / 2 - 9.5), name, min(3.6, 42.0 / max(1, len(name))), PAPER),
        Circle((-WIDTH / 2 + 9.5, HEIGHT / 2 - 11), 8.0, PAPER, INK, 0.8),
        Text((-WIDTH / 2 + 9.5, HEIGHT / 2 - 11), _speed(card), 5.0 if len(_speed(card)) < 3 else 3.2, INK),
        rectangle(WIDTH - 6, 4.0, fill=RANK[card.rank], at=(0, -HEIGHT / 2 + 5)),
    ]
    if card.instant:
        mark = ">>" if card.instant == "replace" else "+"
        shapes.append(Text((-WIDTH / 2 + 9.5, 20), mark, 4.5, ground))
    shapes += _grid(card, (0.0, 8.0))
    shapes += crest(card.id)
    return Face(WIDTH, HEIGHT, tuple(shapes))


def _fit(name: str) -> str:
    return "".join(sign for sign in name.upper() if sign.isascii())[:20]


def _speed(card: a.Ability) -> str:
    return "=" if card.equal else "-".join(str(end) for end in card.speed) or "*"


def _grid(card: a.Ability, centre: Point) -> list[Shape]:
    """The first attack or block of the card, or the six hexes around an empty one."""
    lines = [line for segment in card.segments for line in segment.lines]
    marked: dict[Hex, str] = {}
    for line in lines:
        if isinstance(line, a.AttackLine):
            marked = {place: str(wounds or line.harm.bleed or "*") for place, wounds in line.hexes}
            break
        if isinstance(line, a.BlockLine):
            marked = dict.fromkeys(line.hexes, "O")
            break
    far = max([2, *(max(2 * abs(x), abs(y)) for x, y in marked)])
    size = 7.0 if far <= 2 else 4.4 if far <= 4 else 3.0
    colour = GROUND[card.type]
    shapes: list[Shape] = []
    for x, y in dict.fromkeys((*STEPS, *marked)):
        at = (centre[0] + 1.5 * size * x, centre[1] + 0.866 * size * y)
        shapes.append(hexagon(at, size, colour if (x, y) in marked else "", INK, 0.5))
        if (x, y) in marked:
            shapes.append(Text(at, marked[x, y], size * 0.6, PAPER))
    nose = ((0.0, 0.7), (0.5, -0.5), (-0.5, -0.5))
    points = tuple((centre[0] + size * x, centre[1] + size * y) for x, y in nose)
    return [*shapes, hexagon(centre, size, "", INK, 0.8), Polygon(points, INK)]


def hexagon(at: Point, size: float, fill: str = "", stroke: str = "", line: float = 0.5) -> Polygon:
    """A hex with flat edges above and below; `size` is its side."""
    corners = ((at[0] + size * cos(k * pi / 3), at[1] + size * sin(k * pi / 3)) for k in range(6))
    return Polygon(tuple((round(x, 3), round(y, 3)) for x, y in corners), fill, stroke, line)


@cache
def token(name: str) -> Face:
    """A card of the supply: wound, bleeding wound, stun."""
    ground = {"wound": "#7a0f0f", "bleeding": "#d01c4a", a.STUN: "#c9a400"}[name]
    drops = {"wound": 1, "bleeding": 3, a.STUN: 0}[name]
    shapes: list[Shape] = [
        rectangle(WIDTH, HEIGHT, fill=ground),
        rectangle(WIDTH - 10, HEIGHT - 10, fill="#fff8ee"),
    ]
    for at in range(drops):
        x, y = (at - (drops - 1) / 2) * 15, 12.0
        shapes += [
            Circle((x, y), 6.0, ground),
            Polygon(((x - 5.6, y + 2.0), (x + 5.6, y + 2.0), (x, y + 16.0)), ground),
        ]
    if not drops:
        rays = [((18, 8)[k % 2], k * pi / 5) for k in range(10)]
        star = tuple((round(r * cos(turn), 3), round(12 + r * sin(turn), 3)) for r, turn in rays)
        shapes.append(Polygon(star, ground, INK, 0.8))
    shapes.append(Text((0, -22), name.upper(), 6.5, INK))
    return Face(WIDTH, HEIGHT, tuple(shapes))


@cache
def back() -> Face:
    shapes: list[Shape] = [
        rectangle(WIDTH, HEIGHT, fill="#101d3a"),
        rectangle(WIDTH - 8, HEIGHT - 8, stroke="#c8a951"),
    ]
    for ring, size in enumerate((22.0, 16.0, 9.0)):
        shapes.append(hexagon((0.0, 0.0), size, "#101d3a" if ring % 2 else "#22376b", "#c8a951", 1.2))
    return Face(WIDTH, HEIGHT, tuple(shapes))

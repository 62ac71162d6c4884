"""Our own drawing of the cards: a number, and a sign with as many corners as its colour has."""

from functools import cache
from math import cos, pi, sin

from companion.core.drawing import Face, Polygon, Text, rectangle
from companion.games.high_card.state import COLOURS, VALUES, HighCardState
from companion.games.kit.game import Card, Deck

WIDTH, HEIGHT = 58.0, 88.0
INK = {"red": "#b3261e", "blue": "#1f4e9c", "green": "#2d7a3a", "gold": "#a8720a"}


def deck(state: HighCardState) -> Deck:
    cards = {f"{colour}-{value}": Card(face(colour, value)) for colour in COLOURS for value in VALUES}
    stripes = (rectangle(WIDTH - 8, 6, fill="#7a86a8", at=(0, y)) for y in range(-36, 37, 12))
    return Deck(cards, Face(WIDTH, HEIGHT, (rectangle(WIDTH, HEIGHT, fill="#2b3350"), *stripes)))


@cache
def face(colour: str, value: int) -> Face:
    ink, corners = INK[colour], COLOURS.index(colour) + 3
    turns = [2 * pi * corner / corners for corner in range(corners)]
    sign = Polygon(tuple((11 * sin(turn), 11 * cos(turn) - 24) for turn in turns), fill=ink)
    pips = (rectangle(5, 5, fill=ink, at=(7 * place - 28, 37)) for place in VALUES if place <= value)
    number = Text((0, 10), str(value), 30, ink)
    return Face(WIDTH, HEIGHT, (rectangle(WIDTH, HEIGHT, fill="#f6f1e4", stroke=ink, line=2), number, sign, *pips))

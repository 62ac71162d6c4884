"""The drawings that stand for games in the lobby."""

from zlib import crc32

from companion.core.drawing import Face, Text, placed, rectangle
from companion.games.kit.game import Game

WIDTH, HEIGHT = 80.0, 60.0
"""Millimetres, as cards have them; the page makes of it what it has room for."""
INKS = ("#7a2e2e", "#2b4a6f", "#2f5d46", "#5b3f73", "#6b5320", "#1f5a63")


def tile(game: Game) -> Face:
    """The game's own drawing, or its title on a colour that is always the same for it."""
    if game.set_up.tile is not None:
        return game.set_up.tile
    ink, words = INKS[crc32(game.title.encode()) % len(INKS)], game.title.upper().split() or [""]
    size = min(11.0, 92.0 / max(map(len, words)), 44.0 / (1.5 * len(words)))
    top = 0.75 * size * (len(words) - 1)
    title = (Text((0, top - 1.5 * size * row), word, size, "#f6f1e4") for row, word in enumerate(words))
    return Face(WIDTH, HEIGHT, (rectangle(WIDTH, HEIGHT, fill=ink), *title))


def spread(ground: str, *cards: Face) -> Face:
    """Cards fanned out on a ground."""
    middle, scale = (len(cards) - 1) / 2, 0.68 * HEIGHT / max(card.height for card in cards)
    shapes = (
        shape
        for at, card in enumerate(cards)
        for shape in placed(card.shapes, (21 * (at - middle), -3 * abs(at - middle)), -9 * (at - middle), scale)
    )
    return Face(WIDTH, HEIGHT, (rectangle(WIDTH, HEIGHT, fill=ground), *shapes))

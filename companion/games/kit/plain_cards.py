"""Cards that nobody has drawn: what stands on them, and a crest of coloured fields by which the camera knows them."""

import zlib
from collections.abc import Iterator, Mapping

from companion.core.drawing import Face, Point, Shape, Text, rectangle
from companion.games.kit.game import Card, Deck

SIZE = WIDTH, HEIGHT = 63.0, 88.0
PAPER, INK, BACK, STRIPE = "#f6f1e4", "#16181d", "#2b3350", "#7a86a8"
TINTS = ("#e6332a", "#f39200", "#ffe14d", "#3aaa35", "#1ba3dd", "#2d3a8c", "#9c3a96", "#f4f4f4")


def crest(card: str, top: Point = (0.0, -19.0)) -> Iterator[Shape]:
    """Eight fields whose colours belong to this card alone; `top` is the middle of the upper row."""
    code = zlib.crc32(card.encode())
    for field in range(8):
        row, column = divmod(field, 4)
        at = (top[0] + (column - 1.5) * 13.5, top[1] - 12.0 * row)
        yield rectangle(13.5, 12.0, fill=TINTS[code >> 3 * field & 7], stroke=INK, line=0.6, at=at)


def plain_face(card: str, text: str, ink: str = INK) -> Face:
    ground = rectangle(WIDTH, HEIGHT, fill=PAPER, stroke=ink, line=3)
    return Face(WIDTH, HEIGHT, (ground, Text((0, 18), text, min(36.0, 66.0 / max(1, len(text))), ink), *crest(card)))


def plain_deck(faces: Mapping[str, Face]) -> Deck:
    """One of each card, and a striped back."""
    stripes = (rectangle(WIDTH - 8, 6, fill=STRIPE, at=(0, y)) for y in range(-36, 37, 12))
    back = Face(WIDTH, HEIGHT, (rectangle(WIDTH, HEIGHT, fill=BACK), *stripes))
    return Deck({card: Card(face) for card, face in faces.items()}, back)

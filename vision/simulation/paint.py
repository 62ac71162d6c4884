"""Rasterising the drawings of `companion.core.drawing` with OpenCV.

Everything is drawn at three times the size and averaged down, so that edges, text and cut corners are anti-aliased.
Cards are painted once and cached: a deck has a few dozen faces, and a table shows the same ones all evening.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.drawing import Circle, Face, Point, Polygon, Shape, Text
from vision.pictures import Array, Image

_FINER = 3
_SHIFT = 4  # OpenCV takes sixteenths of a pixel
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_CAPITAL = 21.0  # height of a capital letter of that font at scale 1


class Painted(NamedTuple):
    """A face in pixels, and a mask: 255 on the card, 0 where a corner is cut off."""

    image: Image
    mask: Image


def colour(text: str) -> tuple[int, int, int]:
    """`#rrggbb` as OpenCV's blue, green, red."""
    return int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16)


@lru_cache(maxsize=2048)
def paint(face: Face, ppmm: float) -> Painted:
    """This face at so many pixels per millimetre. The result is shared and read-only."""
    width, height = max(1, round(face.width * ppmm)), max(1, round(face.height * ppmm))
    canvas = np.full((height * _FINER, width * _FINER, 3), 255, np.uint8)
    scale = np.array([width * _FINER / face.width, height * _FINER / face.height])
    middle = (face.width / 2, face.height / 2)
    draw(canvas, face.shapes, scale, middle)
    image = _shrink(canvas, width, height)
    if face.outline:
        fine = np.zeros(canvas.shape[:2], np.uint8)
        cv2.fillPoly(fine, [_pixels(face.outline, scale, middle, fine.shape[0])], 255, cv2.LINE_AA, _SHIFT)
        mask = _shrink(fine, width, height)
    else:
        mask = np.full((height, width), 255, np.uint8)
    for part in (image, mask):
        part.flags.writeable = False
    return Painted(image, mask)


def paint_mat(width: float, height: float, shapes: Iterable[Shape], ppmm: float, cloth: str = "#35523f") -> Image:
    """A whole table top: shapes are in table millimetres, with the origin near left."""
    size = round(width * ppmm), round(height * ppmm)
    canvas = np.full((size[1] * 2, size[0] * 2, 3), colour(cloth), np.uint8)
    draw(canvas, shapes, np.array([2 * ppmm, 2 * ppmm]), (0.0, 0.0))
    return _shrink(canvas, *size)


def draw(canvas: Image, shapes: Iterable[Shape], scale: Array, middle: Point) -> None:
    """Paint shapes in order. `scale` is pixels per millimetre, `middle` the origin's place from the lower left."""
    rows = canvas.shape[0]
    for shape in shapes:
        match shape:
            case Polygon(points, fill, stroke, width):
                corners = _pixels(points, scale, middle, rows)
                if fill:
                    cv2.fillPoly(canvas, [corners], colour(fill), cv2.LINE_AA, _SHIFT)
                if stroke:
                    cv2.polylines(canvas, [corners], True, colour(stroke), _line(width, scale), cv2.LINE_AA, _SHIFT)
            case Circle(centre, radius, fill, stroke, width):
                at = tuple(int(v) for v in _pixels([centre], scale, middle, rows)[0])
                size = round(radius * float(scale[0]) * (1 << _SHIFT))
                if fill:
                    cv2.circle(canvas, at, size, colour(fill), cv2.FILLED, cv2.LINE_AA, _SHIFT)
                if stroke:
                    cv2.circle(canvas, at, size, colour(stroke), _line(width, scale), cv2.LINE_AA, _SHIFT)
            case Text():
                _write(canvas, shape, scale, middle)


def _write(canvas: Image, text: Text, scale: Array, middle: Point) -> None:
    """Text on a layer of its own, rotated about its centre and blended over the canvas."""
    size = text.size * float(scale[1]) / _CAPITAL
    thick = max(1, round(text.size * float(scale[1]) * 0.14))
    (wide, high), below = cv2.getTextSize(text.text, _FONT, size, thick)
    layer = np.zeros((high + below + 2 * thick, wide + 2 * thick), np.uint8)
    cv2.putText(layer, text.text, (thick, high + thick), _FONT, size, 255, thick, cv2.LINE_AA)
    at = np.array([(text.at[0] + middle[0]) * scale[0], canvas.shape[0] - (text.at[1] + middle[1]) * scale[1]])
    about = (layer.shape[1] / 2, high + thick - _CAPITAL * size / 2)
    turn = cv2.getRotationMatrix2D(about, text.turn, 1.0)
    turn[:, 2] += at - np.array(about)
    reach = int(np.hypot(*layer.shape)) + 2
    left, top = (max(0, int(v) - reach) for v in at)
    part = canvas[top : int(at[1]) + reach, left : int(at[0]) + reach]
    if not part.size:
        return
    turn[:, 2] -= (left, top)
    cover = cv2.warpAffine(layer, turn, (part.shape[1], part.shape[0]))
    ink = np.array(colour(text.colour), np.float32)
    share = cover[..., None].astype(np.float32) / 255
    part[:] = np.rint(part * (1 - share) + ink * share).astype(np.uint8)


def _pixels(points: Iterable[Point], scale: Array, middle: Point, rows: int) -> NDArray[np.int32]:
    places = (np.array(list(points), float) + middle) * scale
    places[:, 1] = rows - places[:, 1]
    return np.rint((places - 0.5) * (1 << _SHIFT)).astype(np.int32)


def _line(width: float, scale: Array) -> int:
    return max(1, round(width * float(scale[0])))


def _shrink(canvas: Image, width: int, height: int) -> Image:
    return np.asarray(cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

"""Reading a photograph: a cut-out card, or a picture with any number of cards somewhere in it."""

from pathlib import Path

import cv2
import numpy as np

from companion.rulings import ShinpanError
from vision.calibrate import unfit
from vision.find import Quad, find_quads, overlap
from vision.paint import Array, Image
from vision.recognise import Reading, Recogniser, Slack
from vision.view import corners

NEAR = Slack(0.05, 4.0)
FAR = Slack(0.05, 4.0, reach=2, grows=(0.9, 1.0, 1.11))  # a sloppy cut, a sleeve, a border that was not found
CARDLIKE = 0.7  # quality of an outline that is a card even if nobody knows which
SAME = 0.3  # overlap from which two outlines cannot both be whole cards


class BadPicture(ShinpanError):
    """A file that is no usable picture."""


def load(path: Path) -> Image:
    """A picture from disk, turned as its camera meant it."""
    if not path.is_file():
        raise BadPicture(f"{path} is not there.")
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise BadPicture(f"{path} is not a picture that can be read.")
    return np.asarray(image, np.uint8)


def read_crop(recogniser: Recogniser, image: Image) -> Reading:
    """The one card that this picture is a cut-out of. Where a wider cut left table around it, the card's own outline
    is tried as well."""
    high, wide = image.shape[:2]
    whole = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) - 0.5
    best = read_quad(recogniser, image, whole, NEAR)
    if best.card is None:
        others = [read_quad(recogniser, image, whole, FAR)]
        for quad in find_quads(image, recogniser.aspect)[:4]:
            if cv2.contourArea(quad.corners.astype(np.float32)) > 0.2 * wide * high:
                others.append(read_quad(recogniser, image, quad.corners, NEAR))
        best = _better(best, others)
    return best


def read_photo(recogniser: Recogniser, image: Image) -> list[Reading]:
    """Every card in the picture, row by row from the top left as one would name them."""
    if unfit(image):
        raise BadPicture(unfit(image))
    quads = find_quads(image, recogniser.aspect)
    read = [(read_quad(recogniser, image, quad.corners, NEAR), quad) for quad in quads[:80]]
    kept: list[tuple[Reading, Quad]] = []
    for reading, quad in sorted(read, key=lambda pair: -_worth(*pair)):
        if reading.card is None and (quad.quality < CARDLIKE or not _as_large(reading, kept)):
            continue
        if all(overlap(reading.corners, other.corners) < SAME for other, _ in kept):
            kept.append((reading, quad))
    readings = [_second_look(recogniser, image, reading, quad) for reading, quad in kept]
    return _in_rows(readings)


def read_quad(recogniser: Recogniser, image: Image, quad: Array, slack: Slack) -> Reading:
    """The card with these corners (clockwise on the screen), whichever of them is its own top left."""
    width, height = recogniser.gallery.size
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    lying = (sides[0] + sides[2]) > (sides[1] + sides[3])
    start = np.roll(quad, -1, 0) if lying != (width > height) else quad
    own = np.array(corners(width, height), np.float32)
    plane = np.asarray(cv2.getPerspectiveTransform(own, start.astype(np.float32)), float)
    square = 0.85 < (sides[0] + sides[2]) / (sides[1] + sides[3]) < 1.18 or 0.85 < width / height < 1.18
    if square:
        aside = np.asarray(cv2.getPerspectiveTransform(own, np.roll(start, 1, 0).astype(np.float32)), float)
        either = (recogniser.read(image, p, (0.0, 180.0), slack) for p in (plane, aside))
        return max(either, key=lambda reading: (reading.confidence, reading.score))
    return recogniser.read(image, plane, (0.0, 180.0), slack)


def _worth(reading: Reading, quad: Quad) -> float:
    """Named cards first; among the rest the better outline."""
    return (2.0 + reading.confidence if reading.card else 0.0) + reading.score + 0.5 * quad.quality


def _second_look(recogniser: Recogniser, image: Image, reading: Reading, quad: Quad) -> Reading:
    """An unsure card again: cut anew along the corners that were fitted, and from farther around its outline."""
    if reading.card is not None:
        return reading
    again = read_quad(recogniser, image, reading.corners, NEAR)
    if again.best == reading.best and again.score > reading.score:
        reading = again
    return reading if reading.card else _better(reading, [read_quad(recogniser, image, quad.corners, FAR)])


def _better(reading: Reading, others: list[Reading]) -> Reading:
    """A second look counts when it fits clearly better. To take whichever is surest would be to ask an unknown card
    again and again until it is taken for a known one."""
    best = max(others, key=lambda other: other.score)
    return best if best.score > reading.score + 0.05 else reading


def _as_large(reading: Reading, kept: list[tuple[Reading, Quad]]) -> bool:
    """Is it about as large as the cards that are known? A logo or a phone on the table is no card."""
    known = [cv2.contourArea(other.corners.astype(np.float32)) for other, _ in kept if other.card]
    if not known:
        return True
    size = cv2.contourArea(reading.corners.astype(np.float32))
    return bool(0.4 < size / np.median(known) < 2.5)


def _in_rows(readings: list[Reading]) -> list[Reading]:
    """Top row first, left to right."""
    left = sorted(readings, key=lambda reading: float(reading.corners[:, 1].mean()))
    ordered: list[Reading] = []
    while left:
        first = left[0]
        line = float(first.corners[:, 1].mean()) + 0.5 * float(np.ptp(first.corners[:, 1]))
        row = [reading for reading in left if reading.corners[:, 1].mean() < line]
        ordered += sorted(row, key=lambda reading: float(reading.corners[:, 0].mean()))
        left = [reading for reading in left if reading.corners[:, 1].mean() >= line]
    return ordered

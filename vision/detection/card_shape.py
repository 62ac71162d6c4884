"""Whether something that no template explains has at least the shape and size of a card.

A coaster, a phone or an empty holder has none: along the outline that a card would have, wherever it lies in its place,
there is no edge on all four sides.
"""

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Zone
from vision.calibration.projection import TableProjection
from vision.detection.background import TableArea
from vision.detection.light import DARK
from vision.pictures import Array, Floats, Image

SCALE = 1.5  # pixels per millimetre
MARGIN = 12.0  # millimetres around a zone
REACH = 8.0  # millimetres by which a card may lie off its place, both ways
SKEW = 6.0  # degrees
BESIDE = 1.6  # millimetres from the outline at which both its sides are looked at
EDGE = 0.12  # logarithm of brightness: a larger step is an edge
SIDE = 0.65  # part of each side that has to be an edge
COVERED = 0.6  # part of a card's area that has to differ from the empty table
POINTS = 16  # on each side
PLAIN = 0.35  # part of the pattern of a deck's plainest card: less is no card
GRAIN = 0.2  # logarithm of brightness that noise may make of a pixel
COARSE = 6.0  # millimetres: slower changes are no pattern but light


def card_shaped(
    frame: Image,
    zone: Zone,
    card: tuple[float, float],
    projection: TableProjection,
    foreground: NDArray[np.uint8],
    noise: float,
    *,
    cut_corners: bool,
) -> bool:
    """Whether something as large as a card lies here. `foreground` is the mask of this zone and its `MARGIN`; of an
    octagon only the middle of each side is looked at."""
    area = TableArea.around(zone, MARGIN)
    dark = np.float32(DARK + noise / EDGE)  # so that noise makes no step that large
    picture = np.log(cv2.GaussianBlur(area.rectified(frame, projection, SCALE), (0, 0), 0.8) + dark)
    poses = _poses(zone, cut_corners)
    inner, outer = (_along(card, by, cut_corners) for by in (-BESIDE, BESIDE))
    step = np.abs(_sampled(picture, inner, poses) - _sampled(picture, outer, poses)).max(-1)
    sides = (step > EDGE).reshape(len(poses), 4, POINTS).mean(2).min(1)
    inside = _sampled(foreground[..., None].astype(np.float32), _within(card), poses, 1.0)[..., 0].mean(1)
    return bool(((sides >= SIDE) & (inside >= COVERED)).any())


def pattern_strength(image: Image, card: tuple[float, float], noise: float = 0.0) -> float:
    """How much pattern is printed in the middle of this picture of a whole card, whatever light falls on it."""
    size = (round(card[0] * SCALE), round(card[1] * SCALE))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    log = np.log(cv2.GaussianBlur(small, (0, 0), 1.5) + np.float32(DARK + noise / GRAIN))
    pattern = np.abs(log - cv2.GaussianBlur(log, (0, 0), COARSE * SCALE)).max(2)
    rows, cols = (side // 5 for side in pattern.shape)
    return float(np.quantile(pattern[rows:-rows, cols:-cols], 0.9))


def _poses(zone: Zone, cut_corners: bool) -> Array:
    """Right, up and degrees from the middle of a zone."""
    off = np.arange(-REACH, REACH + 0.1, 1.0)
    first = (0.0, 90.0) if zone.rotations >= 4 and not cut_corners else (0.0,)
    turns = [turn + skew for turn in first for skew in np.arange(-SKEW, SKEW + 0.1, 3.0)]
    return np.array(list(product(off, off, turns)))


def _along(card: tuple[float, float], beyond: float, cut_corners: bool) -> Array:
    """Places along the four sides of a card's outline, a little inside or beyond it."""
    wide, high = card[0] / 2, card[1] / 2
    part = np.linspace(-1, 1, POINTS) * (0.36 if cut_corners else 0.9)
    right = np.column_stack([np.full(POINTS, wide + beyond), part * high])
    top = np.column_stack([part * wide, np.full(POINTS, high + beyond)])
    return np.concatenate([right, top, -right, -top])


def _within(card: tuple[float, float]) -> Array:
    x, y = np.meshgrid(np.linspace(-0.4, 0.4, 7) * card[0], np.linspace(-0.4, 0.4, 7) * card[1])
    return np.column_stack([x.ravel(), y.ravel()])


def _sampled(picture: Floats, places: Array, poses: Array, scale: float = SCALE) -> Floats:
    """The picture at these places of a card, for every pose: poses x places x channels."""
    angle = np.radians(poses[:, 2:])
    x = poses[:, :1] + places[:, 0] * np.cos(angle) - places[:, 1] * np.sin(angle)
    y = poses[:, 1:2] + places[:, 0] * np.sin(angle) + places[:, 1] * np.cos(angle)
    rows, cols = picture.shape[:2]
    down = np.clip(np.rint(rows / 2 - 0.5 - y * scale), 0, rows - 1).astype(np.int32)
    across = np.clip(np.rint(cols / 2 - 0.5 + x * scale), 0, cols - 1).astype(np.int32)
    return np.asarray(picture[down, across], np.float32)

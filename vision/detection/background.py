"""Background subtraction: the empty table as it was calibrated, and a mask of what differs from it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Zone
from vision.calibration.projection import TableProjection
from vision.pictures import Array, Image

MASK_SCALE = 1.0  # pixels per millimetre of the mask
FOREGROUND = 22.0  # grey levels: a larger difference is not the empty table
NOISE = 6.5  # grey levels that noise does not reach at that scale: the least difference in the darkest room
BORDER = 6  # pixels around the mask by which today's light is measured
DIMMEST = 0.45  # least part of such limits in a dim room, where differences shrink but noise does not
WHITE = 230  # grey level of white paper in good light

Picture = NDArray[Any]  # of bytes or of floats


@dataclass(frozen=True)
class TableArea:
    """A rectangle of the table, seen from above in its own upright."""

    x: float
    y: float
    turn: float
    width: float
    height: float

    @classmethod
    def around(cls, zone: Zone, margin: float) -> "TableArea":
        return cls(zone.x, zone.y, zone.turn, zone.width + 2 * margin, zone.height + 2 * margin)

    def rectified(self, image: Image, projection: TableProjection, scale: float) -> NDArray[np.float32]:
        """This area of the image at so many pixels to the millimetre."""
        size = (round(self.width * scale), round(self.height * scale))
        homography = projection.homography_at(self.x, self.y, self.turn, self.width, self.height)
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(image, homography @ np.linalg.inv(self.to_pixels(scale)), size, flags=flags)
        return np.asarray(seen, np.float32)

    def to_pixels(self, scale: float) -> Array:
        """The matrix from its own millimetres (centre, y up) to the pixels of its rectified picture."""
        return np.array(
            [[scale, 0, self.width * scale / 2 - 0.5], [0, -scale, self.height * scale / 2 - 0.5], [0, 0, 1]]
        )


@dataclass
class Background:
    """How the table looks with nothing on it; `empty` is None where that is not known."""

    projection: TableProjection
    empty: Image | None
    _areas: dict[TableArea, NDArray[np.float32]] = field(default_factory=dict, repr=False)

    @cached_property
    def light_level(self) -> float:
        """How bright the room is, 1 in good light: the white paper of the markers shows it."""
        return float(np.clip(self._white / WHITE, DIMMEST, 1.0))

    @cached_property
    def _white(self) -> float:
        return 255.0 if self.empty is None else float(np.percentile(self.empty[::3, ::3], 99.7))

    def foreground_mask(self, frame: Image, area: TableArea) -> NDArray[np.uint8] | None:
        """1 where this area differs from the empty table, else 0, `MASK_SCALE` pixels to the millimetre; None where
        it is not known how it looks empty."""
        if self.empty is None or self.empty.shape != frame.shape:
            return None
        if area not in self._areas:
            self._areas[area] = self._smoothed(self.empty, area)
        now, empty = self._smoothed(frame, area), self._areas[area]
        gains = np.median(_border(now) / np.maximum(_border(empty), 4.0), axis=0)
        relit = empty * np.clip(gains, 0.1, 3.0).astype(np.float32)
        # The table may have been calibrated in other light: the limit follows the light of this frame.
        limit = FOREGROUND * np.clip(self._white * gains.mean() / WHITE, NOISE / FOREGROUND, 1.0)
        mask = (channel_difference(now, relit) > limit).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def _smoothed(self, image: Image, area: TableArea) -> NDArray[np.float32]:
        rectified = area.rectified(image, self.projection, MASK_SCALE)
        return np.asarray(cv2.GaussianBlur(rectified, (0, 0), 0.8), np.float32)


def _border(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The pixels around a picture, n x 3."""
    sides = picture[:BORDER], picture[-BORDER:], picture[BORDER:-BORDER, :BORDER], picture[BORDER:-BORDER, -BORDER:]
    return np.concatenate([side.reshape(-1, 3) for side in sides])


def channel_difference(one: Picture, other: Picture) -> Picture:
    """The absolute difference of two pictures at every pixel, in the channel that differs most."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.asarray(cv2.max(cv2.max(blue, green), red), one.dtype)

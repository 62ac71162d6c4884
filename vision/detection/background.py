"""The empty table as it was calibrated, and where a picture differs from it."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Zone
from vision.calibration.projection import TableProjection
from vision.simulation.paint import Array, Image

MASK_SCALE = 1.0  # pixels per millimetre of the small map in which difference is looked for
FOREGROUND = 22.0  # grey levels: more is not the empty table
NOISE = 6.5  # grey levels that noise does not reach in that map: so much must differ in the darkest room
BORDER = 6  # pixels around such a map by which the light of now is told
FAINT = 0.45  # of such limits is left in a dim room, where all differences shrink but the noise does not

Picture = NDArray[Any]  # of bytes or of floats


@dataclass(frozen=True)
class Area:
    """A rectangle of the table, seen from above in its own upright."""

    x: float
    y: float
    turn: float
    width: float
    height: float

    @classmethod
    def around(cls, zone: Zone, margin: float) -> "Area":
        return cls(zone.x, zone.y, zone.turn, zone.width + 2 * margin, zone.height + 2 * margin)

    def picture(self, image: Image, projection: TableProjection, grain: float) -> NDArray[np.float32]:
        """This area at so many pixels to the millimetre."""
        size = (round(self.width * grain), round(self.height * grain))
        homography = projection.homography_at(self.x, self.y, self.turn, self.width, self.height)
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        seen = cv2.warpPerspective(image, homography @ np.linalg.inv(self.to_pixels(grain)), size, flags=flags)
        return np.asarray(seen, np.float32)

    def to_pixels(self, grain: float) -> Array:
        """Its own millimetres (centre, y up) to the pixels of its picture."""
        return np.array(
            [[grain, 0, self.width * grain / 2 - 0.5], [0, -grain, self.height * grain / 2 - 0.5], [0, 0, 1]]
        )


@dataclass
class Background:
    """How the table looks with nothing on it; None where nobody knows."""

    projection: TableProjection
    empty: Image | None
    _maps: dict[Area, NDArray[np.float32]] = field(default_factory=dict, repr=False)

    @cached_property
    def dim(self) -> float:
        """How much smaller differences are than in good light: 1, or less in a dim room. What is white (the paper of
        the markers) tells."""
        return float(np.clip(self._white / 230, FAINT, 1.0))

    @cached_property
    def _white(self) -> float:
        return 255.0 if self.empty is None else float(np.percentile(self.empty[::3, ::3], 99.7))

    def foreground_mask(self, frame: Image, area: Area) -> NDArray[np.uint8] | None:
        """Where this area differs from the empty table, 0 or 1, `GRAIN` pixels to the millimetre; None when nobody
        knows how it looks empty."""
        if self.empty is None or self.empty.shape != frame.shape:
            return None
        if area not in self._maps:
            self._maps[area] = self._soft(self.empty, area)
        now, empty = self._soft(frame, area), self._maps[area]
        gains = np.median(_border(now) / np.maximum(_border(empty), 4.0), axis=0)
        lit = empty * np.clip(gains, 0.1, 3.0).astype(np.float32)
        # The table may have been measured in other light than now: it is today's in which differences shrink.
        limit = FOREGROUND * np.clip(self._white * gains.mean() / 230, NOISE / FOREGROUND, 1.0)
        foreground_mask = (apart(now, lit) > limit).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(foreground_mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def _soft(self, image: Image, area: Area) -> NDArray[np.float32]:
        return np.asarray(cv2.GaussianBlur(area.picture(image, self.projection, MASK_SCALE), (0, 0), 0.8), np.float32)


def _border(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The pixels around a picture, n x 3."""
    sides = picture[:BORDER], picture[-BORDER:], picture[BORDER:-BORDER, :BORDER], picture[BORDER:-BORDER, -BORDER:]
    return np.concatenate([side.reshape(-1, 3) for side in sides])


def apart(one: Picture, other: Picture) -> Picture:
    """How far two pictures are apart at every pixel: that of the channel that differs most."""
    blue, green, red = cv2.split(cv2.absdiff(one, other))
    return np.asarray(cv2.max(cv2.max(blue, green), red), one.dtype)

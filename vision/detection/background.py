"""Background subtraction: the empty table as it was calibrated, and a mask of what differs from it."""

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Zone
from vision.calibration.projection import TableProjection, transform
from vision.detection.light import DARK, DEVIATIONS, Relight, brighter, difference, drowned, new_things, noise_limits
from vision.pictures import Array, Floats, Image

MASK_SCALE = 1.0  # pixels per millimetre of the mask
FOREGROUND = 22.0  # grey levels: a larger difference is not the empty table
NOISE = 6.5  # grey levels that noise does not reach at that scale: the least difference in the darkest room
BORDER = 6  # pixels around the mask by which today's light is measured
WHITE = 215  # grey level of white paper in good light
FINER = 1.6  # times as much noise as in a thumbnail there is at that scale
SHRINK = 4  # a thumbnail is this much smaller than the frame


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
    _seen: tuple[Image, Relight, Floats, float] | None = field(default=None, repr=False)

    @cached_property
    def thumbnail(self) -> Image | None:
        return None if self.empty is None else thumbnail(self.empty)

    def foreground_mask(self, frame: Image, area: TableArea) -> NDArray[np.uint8] | None:
        """1 where something lies in this area that is not the empty table, else 0, `MASK_SCALE` pixels to the
        millimetre; None where it is not known how it looks empty."""
        if self.empty is None or self.empty.shape != frame.shape:
            return None
        if area not in self._areas:
            self._areas[area] = self._smoothed(self.empty, area)
        now = self._smoothed(frame, area)
        light, limits, level = self._light(frame)
        relit = brighter(self._areas[area], light.factors(*self._places(area)))
        # A lamp's light is smooth over the table, but somebody's shadow may lie here.
        here = np.median(_border(now + DARK) / (_border(relit) + DARK), axis=0)
        relit = brighter(relit, np.broadcast_to(np.clip(here, 0.2, 2.5).astype(np.float32), (2, 2, 3)))
        seen = np.clip(now, 0, 255).astype(np.uint8)
        mask = new_things(seen, relit, FINER * limits, _least(level)).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)

    def drowned(self, frame: Image) -> bool:
        """Whether a thing can lie there unseen, because there is too much noise."""
        _, limits, level = self._light(frame)
        return drowned(np.asarray(FINER * limits, np.float32), _least(level))

    def noise(self, frame: Image) -> float:
        """The mean deviation of a dark pixel at that scale, in grey levels."""
        return FINER * float(self._light(frame)[1].max()) / DEVIATIONS

    def _light(self, frame: Image) -> tuple[Relight, Floats, float]:
        """How the light of this frame differs from that of the empty table, its noise, and how bright it is."""
        if self._seen is None or self._seen[0] is not frame:
            small = thumbnail(frame)
            known = small if self.thumbnail is None else self.thumbnail
            light = Relight.between(known, small)
            limits = noise_limits(difference(small.astype(np.float32), light.applied(known)), small)
            self._seen = frame, light, limits, light_level(small)
        return self._seen[1:]

    def _places(self, area: TableArea) -> tuple[Array, Array]:
        """A coarse grid over an area, as places of the picture, which is 1 wide and 1 high."""
        homography = self.projection.homography_at(area.x, area.y, area.turn, area.width, area.height)
        across, down = np.meshgrid(np.linspace(-0.5, 0.5, 5) * area.width, np.linspace(0.5, -0.5, 5) * area.height)
        x, y = (transform(homography, np.stack([across, down], -1)) / self.projection.size).T
        return x.reshape(5, 5), y.reshape(5, 5)

    def _smoothed(self, image: Image, area: TableArea) -> NDArray[np.float32]:
        rectified = area.rectified(image, self.projection, MASK_SCALE)
        return np.asarray(cv2.GaussianBlur(rectified, (0, 0), 0.8), np.float32)


def _least(level: float) -> float:
    """How large a difference from the empty table counts at this level of light."""
    return max(NOISE, FOREGROUND * level)


def thumbnail(image: Image) -> Image:
    """A picture at a quarter of its size, in which a whole table is looked over."""
    wide, high = (side // SHRINK for side in (image.shape[1], image.shape[0]))
    half = cv2.resize(image, (2 * wide, 2 * high), interpolation=cv2.INTER_AREA)  # halving twice is quickest
    return np.asarray(cv2.resize(half, (wide, high), interpolation=cv2.INTER_AREA), np.uint8)


def light_level(picture: Image) -> float:
    """How bright the room is, 1 in good light: the white paper of the markers shows it."""
    return float(np.clip(np.percentile(picture[::3, ::3], 99.7) / WHITE, 0.0, 1.0))


def _border(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """The pixels around a picture, n x 3."""
    sides = picture[:BORDER], picture[-BORDER:], picture[BORDER:-BORDER, :BORDER], picture[BORDER:-BORDER, -BORDER:]
    return np.concatenate([side.reshape(-1, 3) for side in sides])

"""Finding the one card that was laid down to be enrolled.

On a calibrated table the card is whatever differs from the empty table, no matter what is printed on the mat; its
outline is then refined. Without a calibration it is the best outline in the picture that has a card's shape.
"""

from typing import NamedTuple

import cv2
import numpy as np

from companion.core.message import Message, message
from vision.calibration.calibrate import Calibration, exposure_fault
from vision.calibration.projection import corners, rigid_transform
from vision.detection.background import MASK_SCALE, Background, TableArea
from vision.detection.card_outlines import find_quads, overlap
from vision.pictures import Array, Image, resized, sharpness

SIZE_TOLERANCE = 0.1
"""Relative error that the sides of a card may have."""
FILLED = {False: 0.9, True: 0.77}
"""Part of a card's rectangle that must be foreground: less for square cards, which may be octagons."""
GOOD_OUTLINE = 0.45
"""Least quality of an outline where there is no calibration."""
TOO_SMALL, TOO_DARK, TOO_PLAIN, TOO_BLURRED = 60, 60, 4.0, 0.4
THUMB = (24, 32)

NOTHING = message("No card is to be seen: lay it flat on the table, alone and upright.")
UNCLEAR = message("The edge of the card is not clear: lay it on another spot, where the table is plain.")
SEVERAL = message("More than one card lies there: leave only the one that is asked for.")


class FoundCard(NamedTuple):
    """A card's corners, its own top left first, or why there are none."""

    corners: Array | None
    trouble: Message | None = None


class CardFinder:
    """Looks for one card of this size, in millimetres."""

    def __init__(self, card: tuple[float, float], calibration: Calibration | None) -> None:
        self.card, self.calibration = card, calibration
        self._background = Background(calibration.projection, calibration.empty_table()) if calibration else None

    def find(self, frame: Image) -> FoundCard:
        complaint = exposure_fault(frame)
        if complaint:
            return FoundCard(None, complaint)
        mask = self._foreground(frame)
        return self._from_outlines(frame) if mask is None else self._from_foreground(frame, mask)

    def _foreground(self, frame: Image) -> Image | None:
        """A mask of the whole table, 1 where something lies; None where it is not known how it looks empty."""
        return self._background.foreground_mask(frame, self._table) if self._background is not None else None

    @property
    def _table(self) -> TableArea:
        assert self.calibration is not None
        width, height = self.calibration.width, self.calibration.height
        return TableArea(width / 2, height / 2, 0.0, width, height)

    def _from_foreground(self, frame: Image, mask: Image) -> FoundCard:
        """The one object on a calibrated table that is as large as a card."""
        own = self.card[0] * self.card[1] * MASK_SCALE**2
        blobs = self._blobs(mask)
        if not blobs:
            return FoundCard(None, NOTHING)
        if len(blobs) > 1:
            return FoundCard(None, SEVERAL)
        box = cv2.boxPoints(cv2.minAreaRect(blobs[0])).astype(float)
        places = np.column_stack([box, np.ones(4)]) @ np.linalg.inv(self._table.to_pixels(MASK_SCALE)).T
        assert self.calibration is not None
        projection = self.calibration.projection
        rough = projection.pixels(places[:, :2] + (self.calibration.width / 2, self.calibration.height / 2))
        fits = [quad for quad in self._refined(frame, rough) if self._size_error(quad) < SIZE_TOLERANCE]
        if (
            not fits
            and self._size_error(rough) < SIZE_TOLERANCE
            and cv2.contourArea(blobs[0]) > FILLED[self._square] * own
        ):
            fits = [rough]
        if not fits:
            return FoundCard(None, UNCLEAR if cv2.contourArea(blobs[0]) < 1.6 * own else NOTHING)
        # The size of a card is known; only its place and rotation are taken from the picture.
        best = projection.millimetres(min(fits, key=self._size_error))
        x, y = best.mean(0)
        return FoundCard(
            projection.pixels(rigid_transform(corners(*self.card), float(x), float(y), self._rotation_of(best)))
        )

    def _blobs(self, mask: Image) -> list[Array]:
        """Outlines of connected components about as large as a card, or larger."""
        closed = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        found, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        own = self.card[0] * self.card[1] * MASK_SCALE**2
        return [np.asarray(outline) for outline in found if cv2.contourArea(outline) > 0.4 * own]

    def sees_anything(self, frame: Image) -> bool:
        """Whether anything as large as a card differs from the empty table. A hand does, and so does a pile."""
        mask = self._foreground(frame)
        return mask is not None and bool(self._blobs(mask))

    def _rotation_of(self, places: Array) -> float:
        """The rotation of a card with these corners on the table, assuming that its top points away from seat 1. Square
        cards may be octagons, which look the same after every eighth of a turn."""
        along = places[1] - places[0] + places[2] - places[3]
        down = places[2] - places[1] + places[3] - places[0]
        sideways = (np.hypot(*along) > np.hypot(*down)) != (self.card[0] > self.card[1])
        angle = float(np.degrees(np.arctan2(along[1], along[0]))) + 90 * bool(sideways)
        step = 45.0 if self._square else 180.0
        return angle - step * round(angle / step)

    @property
    def _square(self) -> bool:
        return abs(self.card[0] / self.card[1] - 1) < 0.05

    def _refined(self, frame: Image, rough: Array) -> list[Array]:
        """Outlines in the picture about where the object is: unlike the mask they follow its edges, not its shadow."""
        margin = 0.25 * float(np.ptp(rough, axis=0).max())
        low = np.clip(np.floor(rough.min(0) - margin), 0, None).astype(int)
        high = np.ceil(rough.max(0) + margin).astype(int)
        part = frame[low[1] : high[1], low[0] : high[0]]
        found = find_quads(np.ascontiguousarray(part), max(self.card) / min(self.card))
        return [quad.corners + low for quad in found if overlap(quad.corners + low, rough) > 0.85]

    def _size_error(self, quad: Array) -> float:
        """Relative error of a quadrilateral's sides against a card's true size."""
        assert self.calibration is not None
        places = self.calibration.projection.millimetres(quad)
        sides = np.linalg.norm(np.roll(places, -1, 0) - places, axis=1)
        a, b = sorted(((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2))
        return float(max(abs(a / min(self.card) - 1), abs(b / max(self.card) - 1)))

    def _from_outlines(self, frame: Image) -> FoundCard:
        """The largest good outline with a card's shape, except one around the whole picture."""
        area = frame.shape[0] * frame.shape[1]
        fits = [
            quad.corners
            for quad in find_quads(frame, max(self.card) / min(self.card))
            if quad.quality > GOOD_OUTLINE and 0.004 < cv2.contourArea(quad.corners.astype(np.float32)) / area < 0.8
        ]
        if not fits:
            return FoundCard(None, NOTHING)
        return FoundCard(self._reordered(max(fits, key=lambda quad: cv2.contourArea(quad.astype(np.float32)))))

    def _reordered(self, quad: Array) -> Array:
        """The corners from the card's own top left, assuming that its top points up in the picture."""
        ways = [np.roll(quad, -k, 0) for k in range(4)]
        if not self._square:
            tall = self.card[1] > self.card[0]
            ways = [way for way in ways if (_mean_sides(way)[1] > _mean_sides(way)[0]) == tall]
        return max(ways, key=lambda way: float(way[3, 1] - way[0, 1]))


def table_occupied(frame: Image, calibration: Calibration, card: tuple[float, float]) -> bool:
    """Whether anything as large as a card lies on a table that is known empty."""
    return CardFinder(card, calibration).sees_anything(frame)


def _mean_sides(quad: Array) -> tuple[float, float]:
    """The mean length across and down."""
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def rectify(frame: Image, quad: Array, card: tuple[float, float]) -> Image:
    """The card alone, seen from above, at the resolution of the picture."""
    across, down = _mean_sides(quad)
    width = max(8, round(max(across, down * card[0] / card[1])))
    height = max(8, round(width * card[1] / card[0]))
    there = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), there)
    return np.asarray(cv2.warpPerspective(frame, warp, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def card_corners_at(x: float, y: float, turn: float, card: tuple[float, float], calibration: Calibration) -> Array:
    """The corners in the picture of a card that lies there."""
    return calibration.projection.pixels(rigid_transform(corners(*card), x, y, turn))


def quality_fault(cut: Image, usual: float | None) -> Message | None:
    """What makes this a bad picture of a card, if anything; `usual` is how sharp the others are."""
    if min(cut.shape[:2]) < TOO_SMALL:
        return message("The card is too small in the picture: hang the camera lower or choose a higher resolution.")
    if np.percentile(cut, 98) < TOO_DARK:
        return message("The card is too dark: put on more light.")
    if float(cut.std()) < TOO_PLAIN:
        return message("The card shows nothing but one colour.")
    if usual is not None and sharpness(cut) < TOO_BLURRED * usual:
        return message("The card is blurred beside the others: hold still, or look after the focus.")
    return None


def same_picture(a: Image, b: Image) -> bool:
    """Whether two pictures of a card show the same, apart from noise."""
    one, other = (resized(image, *THUMB).astype(np.float32) for image in (a, b))
    return float(np.abs(one - other).mean()) < 6.0

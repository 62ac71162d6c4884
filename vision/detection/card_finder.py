"""Finding the one card that somebody has laid down to be enrolled.

On a measured table what is new there is the card, whatever is printed on the mat; its outline is then fitted closely.
Without a measurement it is the best outline of a card's shape in the picture.
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

SIZES = 0.1
"""How far the sides of a card may be from its true size, as a share."""
FULL = {False: 0.9, True: 0.77}
"""How much of a card's rectangle must differ from the empty table to be all of it: less where it may be an octagon."""
CLEAR = 0.45
"""Quality of an outline from which it may be a card's where nothing else is known."""
SMALL, DARK, PLAIN, BLURRED = 60, 60, 4.0, 0.4
THUMB = (24, 32)

NOTHING = message("No card is to be seen: lay it flat on the table, alone and upright.")
UNCLEAR = message("The edge of the card is not clear: lay it on another spot, where the table is plain.")
SEVERAL = message("More than one card lies there: leave only the one that is asked for.")


class FoundCard(NamedTuple):
    """A card's corners, its own top left first, or why there are none."""

    corners: Array | None
    trouble: Message | None = None


class CardFinder:
    """Looks for one card of this size (in millimetres)."""

    def __init__(self, card: tuple[float, float], calibration: Calibration | None) -> None:
        self.card, self.calibration = card, calibration
        self._background = Background(calibration.projection, calibration.empty_table()) if calibration else None

    def find(self, frame: Image) -> FoundCard:
        complaint = exposure_fault(frame)
        if complaint:
            return FoundCard(None, complaint)
        foreground_mask = self._foreground(frame)
        return self._outline(frame) if foreground_mask is None else self._new(frame, foreground_mask)

    def _foreground(self, frame: Image) -> Image | None:
        """The whole table from above, 1 where something lies; None where nobody knows how it looks empty."""
        return self._background.foreground_mask(frame, self._table) if self._background is not None else None

    @property
    def _table(self) -> TableArea:
        assert self.calibration is not None
        width, height = self.calibration.width, self.calibration.height
        return TableArea(width / 2, height / 2, 0.0, width, height)

    def _new(self, frame: Image, foreground_mask: Image) -> FoundCard:
        """The one thing on a measured table that is as large as a card."""
        own = self.card[0] * self.card[1] * MASK_SCALE**2
        things = self._things(foreground_mask)
        if not things:
            return FoundCard(None, NOTHING)
        if len(things) > 1:
            return FoundCard(None, SEVERAL)
        box = cv2.boxPoints(cv2.minAreaRect(things[0])).astype(float)
        places = np.column_stack([box, np.ones(4)]) @ np.linalg.inv(self._table.to_pixels(MASK_SCALE)).T
        assert self.calibration is not None
        projection = self.calibration.projection
        rough = projection.pixels(places[:, :2] + (self.calibration.width / 2, self.calibration.height / 2))
        fits = [quad for quad in self._close(frame, rough) if self._reprojection_error(quad) < SIZES]
        if (
            not fits
            and self._reprojection_error(rough) < SIZES
            and cv2.contourArea(things[0]) > FULL[self._square] * own
        ):
            fits = [rough]
        if not fits:
            return FoundCard(None, UNCLEAR if cv2.contourArea(things[0]) < 1.6 * own else NOTHING)
        # How large a card is need not be measured: only where it lies.
        best = projection.millimetres(min(fits, key=self._reprojection_error))
        x, y = best.mean(0)
        return FoundCard(projection.pixels(rigid_transform(corners(*self.card), float(x), float(y), self._turn(best))))

    def _things(self, foreground_mask: Image) -> list[Array]:
        """Outlines of what lies there and is about as large as a card, or larger."""
        closed = cv2.morphologyEx(foreground_mask, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        found, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        own = self.card[0] * self.card[1] * MASK_SCALE**2
        return [np.asarray(outline) for outline in found if cv2.contourArea(outline) > 0.4 * own]

    def anything(self, frame: Image) -> bool:
        """Does anything as large as a card lie on a table that is known empty? A hand is such a thing, and a pile."""
        foreground_mask = self._foreground(frame)
        return foreground_mask is not None and bool(self._things(foreground_mask))

    def _turn(self, places: Array) -> float:
        """How a card with these corners on the table is turned, taking it to point away from seat 1. Square cards are
        octagons, too, and then every eighth of a turn looks the same."""
        along = places[1] - places[0] + places[2] - places[3]
        down = places[2] - places[1] + places[3] - places[0]
        sideways = (np.hypot(*along) > np.hypot(*down)) != (self.card[0] > self.card[1])
        angle = float(np.degrees(np.arctan2(along[1], along[0]))) + 90 * bool(sideways)
        step = 45.0 if self._square else 180.0
        return angle - step * round(angle / step)

    @property
    def _square(self) -> bool:
        return abs(self.card[0] / self.card[1] - 1) < 0.05

    def _close(self, frame: Image, rough: Array) -> list[Array]:
        """Outlines in the picture about where the new thing is: they follow its edges, shadows aside."""
        reach = 0.25 * float(np.ptp(rough, axis=0).max())
        low = np.clip(np.floor(rough.min(0) - reach), 0, None).astype(int)
        high = np.ceil(rough.max(0) + reach).astype(int)
        part = frame[low[1] : high[1], low[0] : high[0]]
        found = find_quads(np.ascontiguousarray(part), max(self.card) / min(self.card))
        return [quad.corners + low for quad in found if overlap(quad.corners + low, rough) > 0.85]

    def _reprojection_error(self, quad: Array) -> float:
        """How far a quad's sides are from a card's true size, as a share."""
        assert self.calibration is not None
        places = self.calibration.projection.millimetres(quad)
        sides = np.linalg.norm(np.roll(places, -1, 0) - places, axis=1)
        a, b = sorted(((sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2))
        return float(max(abs(a / min(self.card) - 1), abs(b / max(self.card) - 1)))

    def _outline(self, frame: Image) -> FoundCard:
        """The largest good outline of a card's shape, anywhere in the picture but around all of it."""
        area = frame.shape[0] * frame.shape[1]
        fits = [
            quad.corners
            for quad in find_quads(frame, max(self.card) / min(self.card))
            if quad.quality > CLEAR and 0.004 < cv2.contourArea(quad.corners.astype(np.float32)) / area < 0.8
        ]
        if not fits:
            return FoundCard(None, NOTHING)
        return FoundCard(self._upright(max(fits, key=lambda quad: cv2.contourArea(quad.astype(np.float32)))))

    def _upright(self, quad: Array) -> Array:
        """The corners from the card's own top left, taking it to point up in the picture."""
        ways = [np.roll(quad, -k, 0) for k in range(4)]
        if not self._square:
            tall = self.card[1] > self.card[0]
            ways = [way for way in ways if (_mean_sides(way)[1] > _mean_sides(way)[0]) == tall]
        return max(ways, key=lambda way: float(way[3, 1] - way[0, 1]))


def table_occupied(frame: Image, calibration: Calibration, card: tuple[float, float]) -> bool:
    """Does anything as large as a card lie on a table that is known empty?"""
    return CardFinder(card, calibration).anything(frame)


def _mean_sides(quad: Array) -> tuple[float, float]:
    """Across and down."""
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def rectify(frame: Image, quad: Array, card: tuple[float, float]) -> Image:
    """The card alone, seen from above, at the size the picture has it."""
    across, down = _mean_sides(quad)
    width = max(8, round(max(across, down * card[0] / card[1])))
    height = max(8, round(width * card[1] / card[0]))
    there = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), there)
    return np.asarray(cv2.warpPerspective(frame, warp, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def card_corners_at(x: float, y: float, turn: float, card: tuple[float, float], calibration: Calibration) -> Array:
    """Where the corners of a card that lies there fall in the picture."""
    return calibration.projection.pixels(rigid_transform(corners(*card), x, y, turn))


def quality_fault(cut: Image, usual: float | None) -> Message | None:
    """What makes this picture of a card a bad one to know it by; `usual` is how sharp the others are."""
    if min(cut.shape[:2]) < SMALL:
        return message("The card is too small in the picture: hang the camera lower or choose a higher resolution.")
    if np.percentile(cut, 98) < DARK:
        return message("The card is too dark: put on more light.")
    if float(cut.std()) < PLAIN:
        return message("The card shows nothing but one colour.")
    if usual is not None and sharpness(cut) < BLURRED * usual:
        return message("The card is blurred beside the others: hold still, or look after the focus.")
    return None


def same_picture(a: Image, b: Image) -> bool:
    """Do two pictures of a card show the same thing lying the same way? Noise aside."""
    one, other = (resized(image, *THUMB).astype(np.float32) for image in (a, b))
    return float(np.abs(one - other).mean()) < 6.0

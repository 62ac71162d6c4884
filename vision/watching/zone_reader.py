"""Reading one zone: is anything there, and which card?

The empty table of the calibration shows how an empty zone looks. Where the picture differs from it, something lies;
the recogniser says which card, starting from where the difference is.
"""

from collections.abc import Iterator
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Layout, SeenCard, Zone
from vision.calibration.calibrate import Calibration
from vision.calibration.projection import rigid_transform
from vision.detection.background import MASK_SCALE, Background, TableArea
from vision.detection.card_finder import rectify
from vision.detection.card_shape import MARGIN, PLAIN, card_shaped, pattern_strength
from vision.pictures import Image
from vision.recognition.gallery import BACK
from vision.recognition.recogniser import CardReading, Recogniser, SearchRange
from vision.recognition.rows import RowReader

LIKE_A_CARD = 0.45  # similarity of the best guess below which it may be no card at all


class NotACard(Exception):
    """Something lies there that is no card, or nothing can be seen for noise: it is not known what is there."""


class ZoneReader:
    """Reads the zones of one layout through one calibration."""

    def __init__(self, layout: Layout, recogniser: Recogniser, calibration: Calibration) -> None:
        self.layout, self.recogniser, self.projection = layout, recogniser, calibration.projection
        self.background = Background(calibration.projection, calibration.empty_table())
        self.rows = RowReader(layout, recogniser, self.background)

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards in this zone, bottom to top; of a pile the top one."""
        foreground = self._foreground(frame, zone)
        if foreground is not None and not foreground.any():
            if self.background.drowned(frame):
                raise NotACard
            return ()
        if zone.holds == "row" and foreground is not None:
            row = self.rows.read(frame, zone)
            strange = len(row) == 1 and row[0].card is None and row[0].face_up
            if strange and not self._card_shaped(frame, zone, foreground):
                raise NotACard
            return row
        starts = [(zone.x, zone.y)]
        if foreground is not None:
            starts = [*self._centres(foreground, zone), *starts]
        # An alignment that starts too far away may end anywhere; one that comes out sure has found the card.
        readings = []
        for x, y in starts:
            readings.append(self._reading(frame, zone, x, y))
            if readings[-1].card is not None:
                break
        best = max(readings, key=lambda reading: (reading.confidence, reading.score))
        if best.card is None and best.score < LIKE_A_CARD and foreground is not None:
            if self.layout.holder is not None and self._plain(frame, best):
                return ()  # its holder is empty, wherever it was pushed
            if not self._card_shaped(frame, zone, foreground):
                raise NotACard
        return (self._seen(best, zone),)

    def _card_shaped(self, frame: Image, zone: Zone, foreground: NDArray[np.uint8]) -> bool:
        cut_corners = self.recogniser.gallery.disc > 0
        noise = self.background.noise(frame)
        return card_shaped(frame, zone, self.layout.card, self.projection, foreground, noise, cut_corners=cut_corners)

    def _plain(self, frame: Image, reading: CardReading) -> bool:
        """Whether less is printed there than on any card of the deck."""
        cut = rectify(frame, reading.corners, self.layout.card)
        seen = pattern_strength(cut, self.layout.card, self.background.noise(frame))
        return seen < PLAIN * self._plainest

    @cached_property
    def _plainest(self) -> float:
        templates = self.recogniser.gallery.templates
        return min((pattern_strength(template.image, self.layout.card) for template in templates), default=0.0)

    def _reading(self, frame: Image, zone: Zone, x: float, y: float) -> CardReading:
        """The card that lies about here."""
        width, height = self.layout.card
        step = 360 / zone.rotations
        angles = [zone.turn + k * step for k in range(zone.rotations)]
        homography = self.projection.homography_at(x, y, 0.0, width, height)
        return self.recogniser.read(frame, homography, angles, SearchRange(0.055, 4.0))

    def _seen(self, reading: CardReading, zone: Zone) -> SeenCard:
        places = self.projection.millimetres(reading.corners)
        along = places[1] - places[0] + places[2] - places[3]
        angle = float(np.degrees(np.arctan2(along[1], along[0]))) - zone.turn
        step = 360 / zone.rotations
        x, y = (round(float(v), 1) for v in places.mean(0))
        down = reading.card == BACK
        return SeenCard(
            None if down else reading.card,
            face_up=not down,
            rotation=round(angle / step) * step % 360,
            x=x,
            y=y,
            confidence=round(reading.confidence, 3),
            guesses=() if down else reading.guesses,
        )

    def _foreground(self, frame: Image, zone: Zone) -> NDArray[np.uint8] | None:
        """Where this zone and its margin differ from the empty table; all zero when the zone is empty, None when it is
        not known how it looks empty."""
        mask = self.background.foreground_mask(frame, TableArea.around(zone, MARGIN))
        if mask is None:
            return None
        inner = round(MARGIN * MASK_SCALE)
        core = mask[inner:-inner, inner:-inner]
        enough = core.mean() > 0.12 * self.layout.card[0] * self.layout.card[1] / (zone.width * zone.height)
        return mask if enough else np.zeros_like(mask)

    def _centres(self, foreground: NDArray[np.uint8], zone: Zone) -> Iterator[tuple[float, float]]:
        """Where the centre of the card may be: the middle of the places around which a square as broad as the card is
        all foreground, and the middle of the connected component there, which a neighbour or a hand may touch."""
        closed = cv2.morphologyEx(foreground, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        breadth = round(min(self.layout.card) * MASK_SCALE)
        full = cv2.boxFilter(closed.astype(np.float32), -1, (breadth, breadth), borderType=cv2.BORDER_CONSTANT)
        high, wide = foreground.shape
        down, across = (np.arange(side) - (side - 1) / 2 for side in foreground.shape)
        limit = 0.25 * breadth
        full[np.abs(down) > limit] = 0
        full[:, np.abs(across) > limit] = 0
        rows, cols = np.nonzero(full > full.max() - 0.02)
        yield self._on_table(zone, (cols.min() + cols.max() + 1 - wide) / 2, (high - rows.min() - rows.max() - 1) / 2)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        left, top, width, height, _ = stats[labels[int(rows.mean()), int(cols.mean())]]
        off = np.clip((left + (width - wide) / 2, (high - height) / 2 - top), -limit, limit)
        yield self._on_table(zone, float(off[0]), float(off[1]))

    @staticmethod
    def _on_table(zone: Zone, right: float, up: float) -> tuple[float, float]:
        """So many pixels of the mask from the centre of a zone, as a place on the table."""
        x, y = rigid_transform([(right / MASK_SCALE, up / MASK_SCALE)], zone.x, zone.y, zone.turn)[0]
        return float(x), float(y)

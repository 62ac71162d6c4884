"""Reading one zone: is anything there, and what.

The clear table of the calibration says how an empty place looks. Where the picture differs from it, something
lies; the recogniser says which card, starting from where the difference is.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Layout, SeenCard, Zone
from vision.calibration.calibrate import Calibration
from vision.calibration.projection import rigid_transform
from vision.detection.background import MASK_SCALE, Area, Background
from vision.recognition.gallery import BACK
from vision.recognition.recogniser import CardReading, Recogniser, SearchRange
from vision.recognition.rows import RowReader
from vision.simulation.paint import Image

MARGIN = 12.0  # millimetres around a zone in which a sloppy card may lie


class ZoneReader:
    """Reads the zones of one layout through one calibration."""

    def __init__(self, layout: Layout, recogniser: Recogniser, calibration: Calibration) -> None:
        self.layout, self.recogniser, self.projection = layout, recogniser, calibration.projection
        self.ground = Background(calibration.projection, calibration.empty_table())
        self.rows = RowReader(layout, recogniser, self.ground)

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards in this zone, bottom to top; of a pile the top one."""
        foreground_mask = self._foreground(frame, zone)
        if foreground_mask is not None and not foreground_mask.any():
            return ()
        if zone.holds == "row" and foreground_mask is not None:
            return self.rows.read(frame, zone)
        starts = (
            [(zone.x, zone.y)] if foreground_mask is None else [*self._middles(foreground_mask, zone), (zone.x, zone.y)]
        )
        # A fit that starts too far off ends anywhere. When it comes out sure, it has not.
        readings = []
        for x, y in starts:
            readings.append(self._reading(frame, zone, x, y))
            if readings[-1].card is not None:
                break
        return (self._seen(max(readings, key=lambda reading: (reading.confidence, reading.score)), zone),)

    def _reading(self, frame: Image, zone: Zone, x: float, y: float) -> CardReading:
        """The card lying about here."""
        width, height = self.layout.card
        step = 360 / zone.rotations
        turns = [zone.turn + k * step for k in range(zone.rotations)]
        return self.recogniser.read(
            frame, self.projection.homography_at(x, y, 0.0, width, height), turns, SearchRange(0.055, 4.0)
        )

    def _seen(self, reading: CardReading, zone: Zone) -> SeenCard:
        places = self.projection.millimetres(reading.corners)
        along = places[1] - places[0] + places[2] - places[3]
        turn = float(np.degrees(np.arctan2(along[1], along[0]))) - zone.turn
        step = 360 / zone.rotations
        x, y = (round(float(v), 1) for v in places.mean(0))
        down = reading.card == BACK
        return SeenCard(
            None if down else reading.card,
            face_up=not down,
            rotation=round(turn / step) * step % 360,
            x=x,
            y=y,
            confidence=round(reading.confidence, 3),
            guesses=() if down else reading.guesses,
        )

    def _foreground(self, frame: Image, zone: Zone) -> NDArray[np.uint8] | None:
        """Where this zone and its margin differ from the empty table; all zero when the zone is empty, None when
        nobody knows how it looks empty."""
        foreground_mask = self.ground.foreground_mask(frame, Area.around(zone, MARGIN))
        if foreground_mask is None:
            return None
        inner = round(MARGIN * MASK_SCALE)
        core = foreground_mask[inner:-inner, inner:-inner]
        enough = core.mean() > 0.12 * self.layout.card[0] * self.layout.card[1] / (zone.width * zone.height)
        return foreground_mask if enough else np.zeros_like(foreground_mask)

    def _middles(self, foreground_mask: NDArray[np.uint8], zone: Zone) -> Iterator[tuple[float, float]]:
        """Where the middle of what lies here may be: of the places where a card's breadth is full of difference, and
        of the whole difference around it, which a neighbour or a hand's edge may touch."""
        closed = cv2.morphologyEx(foreground_mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        breadth = round(min(self.layout.card) * MASK_SCALE)
        full = cv2.boxFilter(closed.astype(np.float32), -1, (breadth, breadth), borderType=cv2.BORDER_CONSTANT)
        high, wide = foreground_mask.shape
        down, across = (np.arange(side) - (side - 1) / 2 for side in foreground_mask.shape)
        roam = 0.25 * breadth
        full[np.abs(down) > roam] = 0
        full[:, np.abs(across) > roam] = 0
        rows, cols = np.nonzero(full > full.max() - 0.02)
        yield self._on_table(zone, (cols.min() + cols.max() + 1 - wide) / 2, (high - rows.min() - rows.max() - 1) / 2)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        left, top, width, height, _ = stats[labels[int(rows.mean()), int(cols.mean())]]
        off = np.clip((left + (width - wide) / 2, (high - height) / 2 - top), -roam, roam)
        yield self._on_table(zone, float(off[0]), float(off[1]))

    @staticmethod
    def _on_table(zone: Zone, right: float, up: float) -> tuple[float, float]:
        """A place of the map around a zone, so many of its pixels from the middle, on the table."""
        x, y = rigid_transform([(right / MASK_SCALE, up / MASK_SCALE)], zone.x, zone.y, zone.turn)[0]
        return float(x), float(y)

"""Reading one zone: is anything there, and what.

The clear table of the calibration says how an empty place looks. Where the picture differs from it, something
lies; the recogniser says which card, starting from where the difference is.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table import Layout, SeenCard, Zone
from vision.calibrate import Calibration
from vision.gallery import BACK
from vision.ground import GRAIN, Area, Ground
from vision.paint import Image
from vision.recognise import Reading, Recogniser, Slack
from vision.rows import RowReader
from vision.view import lying

MARGIN = 12.0  # millimetres around a zone in which a sloppy card may lie


class ZoneReader:
    """Reads the zones of one layout through one calibration."""

    def __init__(self, layout: Layout, recogniser: Recogniser, calibration: Calibration) -> None:
        self.layout, self.recogniser, self.view = layout, recogniser, calibration.view
        self.ground = Ground(calibration.view, calibration.empty_table())
        self.rows = RowReader(layout, recogniser, self.ground)

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards in this zone, bottom to top; of a pile the top one."""
        strange = self._strange(frame, zone)
        if strange is not None and not strange.any():
            return ()
        if zone.holds == "row" and strange is not None:
            return self.rows.read(frame, zone)
        x, y = self._middle(strange, zone) if strange is not None else (zone.x, zone.y)
        return (self._card(frame, zone, x, y),)

    def _card(self, frame: Image, zone: Zone, x: float, y: float) -> SeenCard:
        """The card lying about here."""
        width, height = self.layout.card
        step = 360 / zone.rotations
        turns = [zone.turn + k * step for k in range(zone.rotations)]
        reading = self.recogniser.read(frame, self.view.plane(x, y, 0.0, width, height), turns, Slack(0.055, 4.0))
        return self._seen(reading, zone)

    def _seen(self, reading: Reading, zone: Zone) -> SeenCard:
        places = self.view.millimetres(reading.corners)
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

    def _strange(self, frame: Image, zone: Zone) -> NDArray[np.uint8] | None:
        """Where this zone and its margin differ from the empty table; all zero when the zone is empty, None when
        nobody knows how it looks empty."""
        strange = self.ground.strange(frame, Area.around(zone, MARGIN))
        if strange is None:
            return None
        inner = round(MARGIN * GRAIN)
        core = strange[inner:-inner, inner:-inner]
        enough = core.mean() > 0.12 * self.layout.card[0] * self.layout.card[1] / (zone.width * zone.height)
        return strange if enough else np.zeros_like(strange)

    def _middle(self, strange: NDArray[np.uint8], zone: Zone) -> tuple[float, float]:
        """The middle of what lies here: of the piece of difference that covers most of the zone itself."""
        closed = cv2.morphologyEx(strange, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
        _, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
        inner = round(MARGIN * GRAIN)
        shares = np.bincount(labels[inner:-inner, inner:-inner].ravel(), minlength=len(stats))
        shares[0] = 0
        left, top, wide, high, _ = stats[int(shares.argmax())]
        rows, cols = strange.shape
        own = ((left + wide / 2 - cols / 2) / GRAIN, (rows / 2 - top - high / 2) / GRAIN)
        roam = 0.25 * min(self.layout.card)  # a hand's edge or a neighbour must not pull the search away
        own = (float(np.clip(own[0], -roam, roam)), float(np.clip(own[1], -roam, roam)))
        x, y = lying([own], zone.x, zone.y, zone.turn)[0]
        return float(x), float(y)

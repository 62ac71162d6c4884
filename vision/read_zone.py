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
from vision.paint import Image
from vision.recognise import Reading, Recogniser, Slack
from vision.view import lying

GRAIN = 1.0  # pixels per millimetre of the small map in which difference is looked for
MARGIN = 12.0  # millimetres around a zone in which a sloppy card may lie
STRANGE = 22.0  # grey levels: more is not the empty table


class ZoneReader:
    """Reads the zones of one layout through one calibration."""

    def __init__(self, layout: Layout, recogniser: Recogniser, calibration: Calibration) -> None:
        self.layout, self.recogniser, self.view = layout, recogniser, calibration.view
        self._empty = calibration.empty_table()
        self._maps: dict[str, NDArray[np.float32]] = {}

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards in this zone, bottom to top."""
        strange = self._strange(frame, zone)
        if strange is not None and not strange.any():
            return ()
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
        """Where this zone and its margin differ from the empty table, as a map in zone millimetres; all zero when
        the zone is empty, None when nobody knows how it looks empty."""
        if self._empty is None or self._empty.shape != frame.shape:
            return None
        if zone.name not in self._maps:
            self._maps[zone.name] = self._map(self._empty, zone)
        now, empty = self._map(frame, zone), self._maps[zone.name]
        border = _border(now.shape[:2])
        gains = np.median(now[border] / np.maximum(empty[border], 4.0), axis=0)
        apart = np.abs(now - empty * np.clip(gains, 0.3, 3.0)).max(2)
        strange = cv2.morphologyEx((apart > STRANGE).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        inner = round(MARGIN * GRAIN)
        core = strange[inner:-inner, inner:-inner]
        enough = core.mean() > 0.12 * self.layout.card[0] * self.layout.card[1] / (zone.width * zone.height)
        return np.asarray(strange if enough else np.zeros_like(strange), np.uint8)

    def _map(self, image: Image, zone: Zone) -> NDArray[np.float32]:
        """The zone and its margin from above, upright for its owner."""
        width, height = zone.width + 2 * MARGIN, zone.height + 2 * MARGIN
        size = (round(width * GRAIN), round(height * GRAIN))
        to_own = np.array([[1 / GRAIN, 0, -width / 2], [0, -1 / GRAIN, height / 2], [0, 0, 1]])
        warp = self.view.plane(zone.x, zone.y, zone.turn, width, height) @ to_own
        seen = cv2.warpPerspective(image, warp, size, flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP)
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.8), np.float32)

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


def _border(shape: tuple[int, ...]) -> NDArray[np.bool_]:
    frame = np.ones(shape, bool)
    inner = round(MARGIN * GRAIN / 2)
    frame[inner:-inner, inner:-inner] = False
    return frame

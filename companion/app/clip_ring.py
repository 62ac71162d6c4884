"""The last seconds of the camera, small and in memory, for whoever doubts what happened in them."""

from collections import deque
from typing import Any

import cv2

from companion.record.clip import RATE, Still
from companion.referee.last_seconds import SECONDS
from vision.pictures import Image

LARGEST = 8 * 2**20
"""Bytes of all pictures together."""
EDGE = 640
"""Pixels of the longer side: a card is some 45 of them wide, and a shift of five millimetres can be seen."""
QUALITY = 70
BUSY, AT_REST = 1.0 / RATE, 1.0
"""Seconds between two pictures while something moves or a count is on, and while nothing does."""
GLANCE, COARSE = (160, 90), 3
"""Size at which two frames are compared, and which of their pixels are looked at: every third costs a tenth."""
CHANGED = 10
"""Levels by which some spot has to differ from the last picture: the noise of a camera does not, a finger does."""
EARLY = 0.02
"""Seconds by which a frame may come early and still be the next picture."""


class ClipRing:
    """Only the camera's thread uses it. A frame is scaled down and encoded once, where it shows anything new."""

    def __init__(self, seconds: float = SECONDS, largest: int = LARGEST) -> None:
        self._seconds, self._largest = seconds, largest
        self._stills: deque[Still] = deque()
        self.bytes = 0
        self.size = (0, 0)
        """Width and height of the pictures."""
        self._glance: Any = None

    def clear(self) -> None:
        self._stills.clear()
        self.bytes, self._glance = 0, None

    def take(self, frame: Image, at: float, *, busy: bool) -> None:
        """`busy`: keep as many as there may be, whether or not anything moves."""
        since = at - self._stills[-1].at if self._stills else AT_REST
        if since < 0:  # another clock: a match at a virtual table begins at nought
            self.clear()
        if 0 <= since < BUSY - EARLY:
            return
        glance = cv2.resize(frame[::COARSE, ::COARSE], GLANCE, interpolation=cv2.INTER_AREA)
        rests = not busy and 0 <= since < AT_REST and self._glance is not None
        if rests and cv2.absdiff(glance, self._glance).max() <= CHANGED:
            return
        self._glance = glance
        self._append(Still(at, self._encoded(frame)))

    def between(self, start: float, end: float) -> list[Still]:
        """The pictures of these seconds, and the one before them, which shows how it began."""
        before = [still for still in self._stills if still.at < start][-1:]
        return before + [still for still in self._stills if start <= still.at <= end]

    def _encoded(self, frame: Image) -> bytes:
        scale = min(1.0, EDGE / max(frame.shape[:2]))
        small = frame if scale == 1.0 else cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR)
        self.size = (small.shape[1], small.shape[0])
        done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        assert done
        return jpeg.tobytes()

    def _append(self, still: Still) -> None:
        self._stills.append(still)
        self.bytes += len(still.jpeg)
        while self.bytes > self._largest or self._stills[0].at < still.at - self._seconds:
            self.bytes -= len(self._stills.popleft().jpeg)

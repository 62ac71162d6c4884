"""The mean of frames between which nothing has moved: less noise than any of them.

In a dim room a camera turns up its gain, and a card whose pips drown in the grain of one frame can be read in the mean
of several. It is only made while something is unsure, so an ordinary frame costs nothing more.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image

MOST = 24  # frames: more would hardly be less noisy, and light changes slowly


class StillMean:
    """Of the frames since something moved last."""

    def __init__(self) -> None:
        self._sum: NDArray[np.uint16] | None = None
        self._frames = 0

    def add(self, frame: Image) -> None:
        if self._sum is None or self._sum.shape != frame.shape:
            self._sum, self._frames = frame.astype(np.uint16), 1
        elif self._frames < MOST:
            cv2.add(self._sum, frame, self._sum, dtype=cv2.CV_16U)
            self._frames += 1

    def forget(self) -> None:
        self._sum, self._frames = None, 0

    def of(self, frame: Image) -> Image:
        """The mean so far; the frame itself if there is none."""
        if self._sum is None or self._frames < 2:
            return frame
        return np.asarray(cv2.convertScaleAbs(self._sum, alpha=1 / self._frames), np.uint8)

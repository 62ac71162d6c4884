"""What a camera is to the table, and what its frames are, whatever they come from."""

from typing import Any, Protocol

import cv2
import numpy as np

from companion.core.events import SIMULATED, Condition
from companion.core.rulings import ShinpanError
from vision.pictures import Image

TINY = 32
"""Pixels: a frame with a shorter side is not a picture."""


class NoCamera(ShinpanError):
    """There is no such camera, or it gives no picture."""


class Camera(Protocol):
    """Where frames come from."""

    name: str

    @property
    def condition(self) -> Condition:
        """Whether it works, is simulated, or what is wrong with it."""

    def read(self) -> Image | None:
        """The newest frame that was not returned yet; None when there is none (yet, or the camera is gone)."""

    def close(self) -> None:
        """Release the device. May be called twice."""


def as_frame(raw: Any) -> Image | None:
    """A driver's frame as blue, green and red; None when it is not a picture. Some drivers give grey frames, a fourth
    channel, or an empty array for a lost frame."""
    if raw is None:
        return None
    frame = np.asarray(raw)
    if is_jpeg(frame):
        frame = np.asarray(cv2.imdecode(frame.ravel(), cv2.IMREAD_COLOR))
    if frame.dtype == np.uint16:
        frame = (frame >> 8).astype(np.uint8)
    if frame.dtype != np.uint8 or min(frame.shape[:2], default=0) < TINY:
        return None
    if frame.ndim == 2 or (frame.ndim == 3 and frame.shape[2] == 1):
        return np.asarray(cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR), np.uint8)
    if frame.ndim == 3 and frame.shape[2] in (3, 4):
        return np.ascontiguousarray(frame[..., :3])
    return None


def is_jpeg(frame: Image) -> bool:
    return frame.dtype == np.uint8 and 1 in frame.shape[:2] and frame.ravel()[:2].tolist() == [0xFF, 0xD8]


class VirtualCamera:
    """The virtual table's camera: one slot that the simulator fills."""

    def __init__(self, name: str = "virtual table") -> None:
        self.name = name
        self.condition = SIMULATED
        self._slot: Image | None = None

    def show(self, frame: Image) -> None:
        self._slot = frame

    def read(self) -> Image | None:
        frame, self._slot = self._slot, None
        return frame

    def close(self) -> None:
        self._slot = None

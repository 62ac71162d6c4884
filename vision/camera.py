"""Where pictures come from. Every camera gives its newest frame and drops the ones nobody asked for in time."""

from typing import Protocol

from vision.paint import Image


class Camera(Protocol):
    """Something that can be looked through."""

    name: str

    def read(self) -> Image | None:
        """The newest frame that has not been given yet; None when there is none (yet, or the camera is gone)."""

    def close(self) -> None:
        """Let go of the device. May be called twice."""


class VirtualCamera:
    """The virtual table's camera: one slot that the simulator fills. A frame not taken in time is dropped."""

    def __init__(self, name: str = "virtual table") -> None:
        self.name = name
        self._slot: Image | None = None

    def show(self, frame: Image) -> None:
        self._slot = frame

    def read(self) -> Image | None:
        frame, self._slot = self._slot, None
        return frame

    def close(self) -> None:
        self._slot = None

"""A phone as a camera: its page sends one JPEG after the other, and the newest waits here until it is looked at.

Nothing is queued: a picture that nobody has looked at is dropped when the next one comes, and a picture is decoded only
when somebody looks. One phone at a time is the camera; another one has to ask to take over.
"""

import threading
import time
from collections import deque
from collections.abc import Callable

import cv2
import numpy as np

from companion.core.events import OK, Condition, trouble
from companion.core.message import Message, message
from companion.core.phone_camera import MOST_BYTES, PhoneInUse
from vision.camera.frames import TINY, as_frame
from vision.pictures import BadPicture, Image, announced_size

SILENCE = 3.0
"""Seconds without a picture after which the phone is in trouble: asleep, out of reach, put away."""
GIVEN_UP = 20.0
"""Seconds without a picture after which another phone need not ask."""
LARGEST_SIDE = 4096
"""Pixels: a picture that announces more is not decoded."""
HEAD = 16384
"""Bytes in which a JPEG has to announce its size; one that a page has made does so in the first few hundred."""
COUNTED = 16
"""Pictures over which it is counted how many come in a second."""


class PhoneCamera:
    """Safe to use from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = "phone"
        self.phone = ""
        """The one that is the camera."""
        self.size = (0, 0)
        self.late = 0.0
        self._clock = clock
        self._lock = threading.Lock()
        self._slot: bytes | None = None
        self._arrivals: deque[float] = deque(maxlen=COUNTED)
        self._fault: Message | None = None
        self._claimed = clock()
        """When it became the camera, which counts until its first picture comes."""

    # --- what its page does ---------------------------------------------------------------------------------------

    def begin(self, phone: str, *, instead: bool = False) -> None:
        with self._lock:
            if self.phone not in ("", phone) and not instead and self._silence() < GIVEN_UP:
                raise PhoneInUse(message("Another phone is the camera of this table."))
            if self.phone != phone:
                self._forget()
            self.phone, self._claimed = phone, self._clock()

    def give(self, phone: str, picture: bytes, late: float) -> None:
        """Raises `BadPicture` for what is none, and `PhoneInUse` when another phone has taken over."""
        wide, high, frame = announced_size(picture[:HEAD])
        if not frame or min(wide, high) < TINY or max(wide, high) > LARGEST_SIDE or len(picture) > MOST_BYTES:
            raise BadPicture(message("That is not a picture that a camera would send."))
        with self._lock:
            if phone != self.phone:
                raise PhoneInUse(message("Another phone is the camera of this table now."))
            self._slot, self.size, self.late = picture, (wide, high), late
            self._arrivals.append(self._clock())

    def leave(self, phone: str) -> None:
        with self._lock:
            if phone == self.phone:
                self.phone = ""
                self._forget()

    def _forget(self) -> None:
        self._slot, self._fault, self.size, self.late = None, None, (0, 0), 0.0
        self._arrivals.clear()

    # --- what the table sees --------------------------------------------------------------------------------------

    @property
    def condition(self) -> Condition:
        with self._lock:
            silent = self._silence() > SILENCE
            fault, phone = self._fault, self.phone
        if not phone:
            return trouble(message("No phone is the camera yet: open the page /camera on one."))
        if silent:
            return trouble(message("The phone sends no picture: wake it up, and open its page again if it is closed."))
        return OK if fault is None else trouble(fault)

    @property
    def rate(self) -> float:
        """Pictures a second, of late."""
        with self._lock:
            times = list(self._arrivals)
            return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else 0.0

    def read(self) -> Image | None:
        with self._lock:
            picture, self._slot = self._slot, None
        if picture is None:
            return None
        frame = _decoded(picture)
        self._fault = message("The phone's pictures cannot be read.") if frame is None else None
        return frame

    def close(self) -> None:
        with self._lock:
            self.phone = ""
            self._forget()

    def _silence(self) -> float:
        return self._clock() - (self._arrivals[-1] if self._arrivals else self._claimed)


def _decoded(picture: bytes) -> Image | None:
    """The page has turned it already as it should be, so nothing that is noted in it turns it again."""
    try:
        frame = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        return None
    return as_frame(frame)

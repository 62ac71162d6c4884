"""The camera's pictures, and what is read from them: one thread looks, anybody may ask for the newest."""

import threading
import time
from collections.abc import Callable
from typing import Any

import cv2

from companion.app.pace import Pace
from companion.core.events import Condition, Seen, trouble
from companion.core.message import Message
from vision.camera.frames import Camera
from vision.camera.live import LiveCamera
from vision.camera.phone import PhoneCamera
from vision.pictures import Image
from vision.watching.reading_patches import Patch, patches
from vision.watching.watcher import Watcher

QUALITY = 80
"""Quality of the JPEG pictures for pages and evidence."""
GLANCE = (160, 90)
"""Size at which two pictures are compared: the noise of single pixels is gone, a card that was moved is not."""
CHANGED = 8
"""Levels of brightness by which some part of a picture has to differ before it counts as another one."""


class CameraFeed:
    """A camera and the watcher that reads its frames; both may be missing.

    `blind` says why there is a camera and nothing to read it by: not calibrated, no cards enrolled.
    """

    def __init__(
        self, camera: Camera | None = None, watcher: Watcher | None = None, blind: Message | None = None
    ) -> None:
        self.camera = camera
        self._cameras = [camera]
        """All that were ever looked through, to be closed in the end."""
        self._watcher, self._next, self._blind = watcher, watcher, blind
        self._lock = threading.Lock()
        """Guards only the slot for the next watcher; nothing is waited for while it is held."""
        self.frames = 0
        self.pace = Pace()
        self.playing = False
        """A match is running: when nothing moves, somebody may be thinking."""
        self.frame: Image | None = None
        """The newest one. It is never changed afterwards, so other threads may look at it."""
        self.frame_at = 0.0
        """When it was taken, by the service's clock."""
        self._shown: tuple[Any, bytes] | None = None
        """The picture that pages were given last, and what it looks like at a glance."""
        self.readings: dict[str, Patch] = {}
        """The top card of each place where one lies face up, cut out of the picture it was read from."""

    @property
    def watcher(self) -> Watcher | None:
        """What reads the next frame."""
        with self._lock:
            return self._next

    def see_with(self, watcher: Watcher | None, blind: Message | None = None) -> None:
        """Read with this watcher from the next frame on: another match has begun, the table was measured again, or more
        cards are enrolled. None: nothing is read, because of `blind` or because no match is played."""
        with self._lock:
            self._next, self._blind = watcher, blind
            self.readings = {}

    def look_through(self, camera: Camera | None) -> None:
        """From the next frame on, this is the camera. It hangs elsewhere, so the watcher measures the table again by
        itself when it sees the markers."""
        if camera is not self.camera:
            self.camera, self.frame = camera, None
            self._cameras += [camera] if camera not in self._cameras else []
            self.readings = {}

    def look(self, now: Callable[[], float]) -> Seen | None:
        """Take a frame, if there is a new one; what lies on the table, if it lies still and something is new."""
        camera = self.camera  # another one may be chosen at any moment
        if camera is None or self._at_rest():
            return None
        frame = camera.read()
        if frame is None:
            return None
        self.pace.begin(time.monotonic())
        try:
            return self._seen(frame, now())
        finally:
            self.pace.done(time.monotonic())

    def _seen(self, frame: Image, at: float) -> Seen | None:
        self.frame, self.frame_at = frame, at
        self.frames += 1
        # Between two frames is the only moment at which the watcher changes.
        self._watcher = self.watcher
        if self._watcher is None:
            return None
        sight = self._watcher.look(frame, at)
        if sight is None:
            return None
        self.readings = patches(frame, sight, self._watcher, self.readings)
        return Seen(sight, at)

    def _at_rest(self) -> bool:
        """Whether this frame of a real camera need not be looked at, nor decoded: nothing has moved for a while, and it
        is not time for another look."""
        if not isinstance(self.camera, LiveCamera | PhoneCamera):
            return False
        moving = self._watcher is not None and not self._watcher.resting
        return not self.pace.due(time.monotonic(), moving=moving, playing=self.playing)

    def stir(self) -> None:
        """Somebody is there: look more often for a while."""
        self.pace.stir(time.monotonic())

    @property
    def condition(self) -> Condition | None:
        """How the camera is; one that works but was moved or cannot be read is in trouble. None: there is no camera."""
        camera = self.camera
        if camera is None:
            return None
        reason = self._blind or (self._watcher.notice if self._watcher is not None else None)
        condition = camera.condition
        return trouble(reason) if reason is not None and condition.usable else condition

    def picture(self) -> bytes | None:
        """The last frame as a JPEG."""
        frame = self.frame
        if frame is None:
            return None
        done, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        return jpeg.tobytes() if done else None

    def shown(self) -> bytes | None:
        """The picture for the pages: as long as nothing changes before the camera it stays the same to the byte."""
        frame = self.frame
        if frame is None:
            return None
        glance = cv2.resize(frame, GLANCE, interpolation=cv2.INTER_AREA)
        if self._shown is None or cv2.absdiff(glance, self._shown[0]).max() > CHANGED:
            jpeg = self.picture()
            self._shown = None if jpeg is None else (glance, jpeg)
        return None if self._shown is None else self._shown[1]

    def close(self) -> None:
        for camera in self._cameras:
            if camera is not None:
                camera.close()

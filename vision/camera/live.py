"""Cameras that are plugged in: webcams and Pi cameras.

A real camera runs in a thread of its own that keeps only the newest frame; frames that nobody takes in time are
dropped. A pulled cable is no error: the camera is opened again, by its name and not by its number, until it is back.
"""

import importlib
import logging
import os
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np

from companion.core.events import OK, Condition, trouble
from companion.core.message import Message, message
from vision.camera.frames import Camera, NoCamera, as_frame, is_jpeg
from vision.pictures import Image

log = logging.getLogger("shinpan")
T = TypeVar("T")

SIZE = (1920, 1080)
WARM_UP = 2.0
"""Seconds that a camera has to find exposure and white balance; then both are locked."""
PATIENCE = 15
"""Failed reads in a row before the camera counts as gone."""
SILENCE = 2.0
"""Seconds without a new picture after which the camera is in trouble, whatever its driver is waiting for or repeats."""
BLACK = 12
"""Grey levels: a frame of which hardly anything is brighter shows nothing."""
BLACK_EVERY = 15
"""Frames of which one is decoded to see whether it is black, when they come as JPEG."""
RETRY = 1.0
"""Seconds between two attempts to open a camera that is gone."""
BY_ID = Path("/dev/v4l/by-id")


class CameraDriver(Protocol):
    """What a live camera needs of a driver."""

    name: str

    def grab(self) -> Image | None:
        """The next frame; a webcam's may be its JPEG, which is decoded when somebody looks at it."""

    def hold(self) -> None:
        """Lock exposure and white balance as they are now."""

    def close(self) -> None: ...


class Webcam:
    """A USB camera through V4L2."""

    def __init__(self, path: str) -> None:
        self.name = Path(path).name
        if os.path.exists(path) and not os.access(path, os.R_OK | os.W_OK):
            raise NoCamera(
                message(
                    "The camera {name} is not yours to use: `sudo usermod -aG video $USER`, then log in anew.",
                    name=path,
                )
            )
        self._capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise NoCamera(
                message("The camera {name} cannot be opened: is it plugged in, and not in use elsewhere?", name=path)
            )
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if int(self._capture.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG"):
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)  # decoding takes twice as long as all that is done with most
        # They may still be locked from the last time: some cameras remember that.
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 3)  # V4L2's value for automatic
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)

    def grab(self) -> Image | None:
        good, frame = self._capture.read()
        return None if not good else np.asarray(frame) if is_jpeg(np.asarray(frame)) else as_frame(frame)

    def hold(self) -> None:
        """A value that the driver does not report is not set: many webcams would turn black or blue."""
        exposure, white = self._capture.get(cv2.CAP_PROP_EXPOSURE), self._capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
        if exposure > 0:
            self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2's value for manual
            self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        if white > 0:
            self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, white)

    def close(self) -> None:
        self._capture.release()


class PiCamera:
    """A ribbon-cable camera through picamera2, which only a Raspberry Pi has; it is imported when it is needed."""

    name = "picamera2"

    def __init__(self) -> None:
        try:
            picamera2: Any = importlib.import_module("picamera2")
        except ImportError:
            raise NoCamera(
                message("picamera2 is not installed: `apt install python3-picamera2`, then `make setup`.")
            ) from None
        except Exception as problem:  # usually built for another version of numpy
            raise NoCamera(message("picamera2 cannot be loaded: {problem}.", problem=str(problem))) from None
        if not picamera2.Picamera2.global_camera_info():
            raise NoCamera(message("picamera2 finds no camera: is its ribbon cable in?"))
        self._camera = picamera2.Picamera2()
        self._camera.configure(self._camera.create_video_configuration(main={"size": SIZE, "format": "RGB888"}))
        self._camera.start()

    def grab(self) -> Image | None:
        return as_frame(self._camera.capture_array("main"))  # what it calls RGB888 is OpenCV's blue, green, red

    def hold(self) -> None:
        now = self._camera.capture_metadata()
        held = {name: now[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in now}
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **held})

    def close(self) -> None:
        self._camera.close()


class LiveCamera:
    """A device that is read by a thread; the newest frame waits in one slot. Drivers fail in many ways: whatever they
    raise, the camera counts as gone and is opened again."""

    def __init__(
        self,
        name: str,
        opening: Callable[[], CameraDriver],
        clock: Callable[[], float] = time.monotonic,
        *,
        patient: bool = False,
    ) -> None:
        """A camera that is missing at first raises `NoCamera`, or is waited for if `patient`."""
        self.name = name
        self._open, self._clock = opening, clock
        self._condition = OK
        self._slot: Image | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._device: CameraDriver | None = None
        self._fresh = clock()
        self._last: Image | None = None
        self._frames = 0
        self._reason = self._no_picture
        """Why there has been no new picture since `_fresh`."""
        try:
            self._device = self._open_device()
        except NoCamera as problem:
            if not patient:
                raise
            self._condition = trouble(problem.message)
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    @property
    def condition(self) -> Condition:
        """A driver that never comes back from a read is noticed, too, and one that repeats a picture for ever."""
        silent = self._clock() - self._fresh > SILENCE
        return trouble(self._reason) if self._condition == OK and silent else self._condition

    @property
    def _no_picture(self) -> Message:
        return message("The camera {name} gives no picture: is its cable out?", name=self.name)

    def read(self) -> Image | None:
        with self._lock:
            frame, self._slot = self._slot, None
        return as_frame(frame)

    def close(self) -> None:
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5)
        self._release()

    def _run(self) -> None:
        since, held, failed, tries = self._clock(), False, 0, 0
        while not self._stop.is_set():
            if self._device is None:
                since, held, failed, tries = self._clock(), False, 0, tries + 1
                if not self._try_reopening():
                    self._stop.wait(RETRY * min(tries, 5))
                continue
            tries = 0
            frame = self._safely(self._device.grab)
            if frame is None:
                failed += 1
                if failed >= PATIENCE:
                    self._condition = trouble(self._no_picture)
                    self._release()
                continue
            failed = 0
            fault = self._fault(frame)
            if fault is None:
                # Opening a camera proves nothing: only a picture does.
                self._condition, self._fresh = OK, self._clock()
            self._reason = fault or self._no_picture
            with self._lock:
                self._slot = frame
            if not held and self._clock() - since > WARM_UP:
                self._safely(self._device.hold)
                held = True

    def _fault(self, frame: Image) -> Message | None:
        """Why this frame shows nothing new. No sensor is so free of noise that it gives the same picture twice."""
        last, self._last = self._last, frame
        if last is not None and np.array_equal(last[::16, ::16], frame[::16, ::16]) and np.array_equal(last, frame):
            return message("The camera {name} repeats one picture: pull its cable and put it back.", name=self.name)
        if is_jpeg(frame):
            self._frames += 1
            if self._frames % BLACK_EVERY:
                return None
            frame = np.asarray(cv2.imdecode(frame.ravel(), cv2.IMREAD_REDUCED_COLOR_8))
        if not frame.size or float(np.percentile(frame[::16, ::16], 98)) < BLACK:
            return message("The camera {name} gives a black picture: is its cap on, or the light off?", name=self.name)
        return None

    @staticmethod
    def _safely(step: Callable[[], T]) -> T | None:
        try:
            return step()
        except Exception as problem:
            log.debug("the camera's driver failed: %s", problem)
            return None

    def _open_device(self) -> CameraDriver:
        try:
            device = self._open()
        except NoCamera:
            raise
        except Exception as problem:
            raise NoCamera(
                message("The camera {name} cannot be started: {problem}.", name=self.name, problem=str(problem))
            ) from problem
        self.name = device.name
        return device

    def _try_reopening(self) -> bool:
        try:
            self._device = self._open_device()
        except NoCamera as problem:
            self._condition = trouble(problem.message)
            return False
        return True

    def _release(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            self._safely(device.close)


def any_camera(patient: bool) -> Camera:
    """Whichever camera there is; from then on the same one, by its persistent name."""
    chosen: list[Callable[[], CameraDriver]] = []

    def opening() -> CameraDriver:
        if chosen:
            return chosen[0]()
        device, reopen = _any_device()
        chosen.extend(reopen)
        return device

    return LiveCamera("auto", opening, patient=patient)


def _any_device() -> tuple[CameraDriver, list[Callable[[], CameraDriver]]]:
    """A Pi camera before a webcam, and how to open it again if it has a persistent name; a device number is none."""
    named = [partial(Webcam, str(path)) for path in sorted(BY_ID.glob("*-video-index0"))]
    ways: list[Callable[[], CameraDriver]] = [PiCamera, *named]
    numbered: list[Callable[[], CameraDriver]] = (
        [] if named else [partial(Webcam, str(path)) for path in sorted(Path("/dev").glob("video*"))]
    )
    why: Message | None = None
    for way in [*ways, *numbered]:
        try:
            return way(), [way] if way in ways else []
        except NoCamera as problem:
            why = why if way is PiCamera else problem.message
        except Exception as problem:
            log.debug("a camera could not be started: %s", problem)
    raise NoCamera(why or message("No camera was found; cards can be tapped on the page instead."))

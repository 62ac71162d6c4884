"""Where pictures come from: webcams, Pi cameras, video files, picture folders and the virtual table.

A real camera runs in a thread of its own that keeps only the newest frame: the referee looks when it has time, and what
it missed is gone. A cable that is pulled is an event of the evening, not an error: the camera is opened again, by its
own name and not by its number, until it is back.
"""

import importlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np

from companion.rulings import ShinpanError
from vision.paint import Image

SIZE = (1920, 1080)
WARM_UP = 2.0
"""Seconds a camera gets to find exposure and white balance; then both are held."""
PATIENCE = 15
"""Failed reads in a row before the camera counts as gone."""
RETRY = 1.0
"""Seconds between two attempts to open a camera that is gone."""
BY_ID = Path("/dev/v4l/by-id")
PICTURES = {".jpg", ".jpeg", ".png", ".bmp"}


class NoCamera(ShinpanError):
    """There is no such camera, or it gives no picture."""


class Camera(Protocol):
    """Something that can be looked through."""

    name: str
    state: str
    """`ok`, `simulated`, or a sentence about what is wrong."""

    def read(self) -> Image | None:
        """The newest frame that has not been given yet; None when there is none (yet, or the camera is gone)."""

    def close(self) -> None:
        """Let go of the device. May be called twice."""


class VirtualCamera:
    """The virtual table's camera: one slot that the simulator fills. A frame not taken in time is dropped."""

    def __init__(self, name: str = "virtual table") -> None:
        self.name = name
        self.state = "simulated"
        self._slot: Image | None = None

    def show(self, frame: Image) -> None:
        self._slot = frame

    def read(self) -> Image | None:
        frame, self._slot = self._slot, None
        return frame

    def close(self) -> None:
        self._slot = None


class Device(Protocol):
    """What a live camera needs of a driver."""

    def grab(self) -> Image | None: ...

    def hold(self) -> None:
        """Keep exposure and white balance as they are now."""

    def close(self) -> None: ...


class Webcam:
    """A USB camera through V4L2."""

    def __init__(self, path: str) -> None:
        self._capture = cv2.VideoCapture(path, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise NoCamera(f"The camera {path} cannot be opened: is it plugged in, and not in use elsewhere?")
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, SIZE[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, SIZE[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def grab(self) -> Image | None:
        good, frame = self._capture.read()
        return np.asarray(frame, np.uint8) if good else None

    def hold(self) -> None:
        exposure, white = self._capture.get(cv2.CAP_PROP_EXPOSURE), self._capture.get(cv2.CAP_PROP_WB_TEMPERATURE)
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, 1)  # V4L2's word for "by hand"
        self._capture.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._capture.set(cv2.CAP_PROP_WB_TEMPERATURE, white)

    def close(self) -> None:
        self._capture.release()


class PiCamera:
    """A ribbon-cable camera through picamera2, which only a Raspberry Pi has; it is loaded when asked for."""

    def __init__(self) -> None:
        try:
            picamera2: Any = importlib.import_module("picamera2")
        except ImportError:
            raise NoCamera("picamera2 is not installed: `apt install python3-picamera2`, then `make setup`.") from None
        if not picamera2.Picamera2.global_camera_info():
            raise NoCamera("picamera2 finds no camera: is its ribbon cable in?")
        self._camera = picamera2.Picamera2()
        self._camera.configure(self._camera.create_video_configuration(main={"size": SIZE, "format": "RGB888"}))
        self._camera.start()

    def grab(self) -> Image | None:
        return np.asarray(self._camera.capture_array("main"), np.uint8)  # its RGB888 is OpenCV's blue, green, red

    def hold(self) -> None:
        now = self._camera.capture_metadata()
        held = {name: now[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in now}
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **held})

    def close(self) -> None:
        self._camera.close()


class LiveCamera:
    """A device watched by a thread; the newest frame waits in one slot."""

    def __init__(self, name: str, opening: Callable[[], Device], clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.state = "ok"
        """`ok`, or a sentence about what is wrong."""
        self._open, self._clock = opening, clock
        self._slot: Image | None = None
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._device: Device | None = opening()  # the first time a missing camera is the caller's to hear of
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self) -> Image | None:
        with self._lock:
            frame, self._slot = self._slot, None
        return frame

    def close(self) -> None:
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5)
        self._let_go()

    def _run(self) -> None:
        since, held, failed = self._clock(), False, 0
        while not self._stop.is_set():
            if self._device is None:
                since, held, failed = self._clock(), False, 0
                if not self._reopened():
                    self._stop.wait(RETRY)
                continue
            frame = self._grab()
            if frame is None:
                failed += 1
                if failed >= PATIENCE:
                    self.state = f"The camera {self.name} gives no picture: is its cable out?"
                    self._let_go()
                continue
            failed = 0
            with self._lock:
                self._slot = frame
            if not held and self._clock() - since > WARM_UP:
                self._device.hold()
                held = True

    def _grab(self) -> Image | None:
        try:
            return self._device.grab() if self._device else None
        except (cv2.error, OSError, RuntimeError):
            return None

    def _reopened(self) -> bool:
        try:
            self._device = self._open()
        except ShinpanError as problem:
            self.state = str(problem)
            return False
        self.state = "ok"
        return True

    def _let_go(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.close()


class Film:
    """A video file or a folder of pictures as a camera: each look is the next frame."""

    def __init__(self, name: str, frames: Iterator[Image]) -> None:
        self.name = name
        self.state = "ok"
        self._frames = frames

    def read(self) -> Image | None:
        return next(self._frames, None)

    def close(self) -> None:
        self._frames = iter(())


def open_camera(source: str) -> Camera:
    """`auto`, `picamera2`, `v4l2:DEVICE`, `file:VIDEO` or `images:FOLDER`."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "ERROR")
    kind, _, place = source.partition(":")
    match kind:
        case "auto" if not place:
            return _any_camera()
        case "picamera2" if not place:
            return LiveCamera("picamera2", PiCamera)
        case "v4l2" if place:
            path = f"/dev/video{place}" if place.isdigit() else place
            return LiveCamera(Path(path).name, lambda: Webcam(path))
        case "file" if place:
            return Film(place, _film(Path(place)))
        case "images" if place:
            return Film(place, _folder(Path(place)))
        case "none":
            raise NoCamera("No camera is wanted.")
    raise NoCamera(f"{source!r} is no camera: say auto, none, picamera2, v4l2:DEVICE, file:VIDEO or images:FOLDER.")


def _any_camera() -> Camera:
    """A Pi camera before a webcam, and that by the name that stays when others are plugged in."""
    try:
        return LiveCamera("picamera2", PiCamera)
    except NoCamera:
        pass
    webcams = sorted(BY_ID.glob("*-video-index0")) or sorted(Path("/dev").glob("video*"))
    for path in webcams:
        try:
            return LiveCamera(path.name, lambda path=path: Webcam(str(path)))  # type: ignore[misc]
        except NoCamera:
            continue
    raise NoCamera("No camera was found; cards can be tapped on the page instead.")


def _film(path: Path) -> Iterator[Image]:
    if not path.is_file():
        raise NoCamera(f"{path} is not there.")
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise NoCamera(f"{path} is not a film that can be played.")
    return _frames(capture)


def _frames(capture: cv2.VideoCapture) -> Iterator[Image]:
    while True:
        good, frame = capture.read()
        if not good:
            capture.release()
            return
        yield np.asarray(frame, np.uint8)


def _folder(path: Path) -> Iterator[Image]:
    files = sorted(file for file in path.glob("*") if file.suffix.lower() in PICTURES)
    if not files:
        raise NoCamera(f"{path} holds no pictures.")
    return (np.asarray(image, np.uint8) for image in map(_picture, files) if image is not None)


def _picture(path: Path) -> Image | None:
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, np.uint8)

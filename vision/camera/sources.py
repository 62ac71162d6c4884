"""Where pictures come from: webcams, Pi cameras, video files, picture folders and the virtual table.

A real camera runs in a thread of its own that keeps only the newest frame; frames that nobody takes in time are
dropped. A pulled cable is no error: the camera is opened again, by its name and not by its number, until it is back.
"""

import importlib
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import cv2
import numpy as np

from companion.core.events import OK, SIMULATED, Condition, trouble
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from vision.pictures import BadPicture, Image, load

log = logging.getLogger("shinpan")
T = TypeVar("T")

SIZE = (1920, 1080)
WARM_UP = 2.0
"""Seconds that a camera has to find exposure and white balance; then both are locked."""
PATIENCE = 15
"""Failed reads in a row before the camera counts as gone."""
TINY = 32
"""Pixels: a frame with a shorter side is not a picture."""
SILENCE = 2.0
"""Seconds without a new picture after which the camera is in trouble, whatever its driver is waiting for or repeats."""
BLACK = 12
"""Grey levels: a frame of which hardly anything is brighter shows nothing."""
BLACK_EVERY = 15
"""Frames of which one is decoded to see whether it is black, when they come as JPEG."""
RETRY = 1.0
"""Seconds between two attempts to open a camera that is gone."""
BY_ID = Path("/dev/v4l/by-id")
PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp"}


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
    if _is_jpeg(frame):
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


def _is_jpeg(frame: Image) -> bool:
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
        return None if not good else np.asarray(frame) if _is_jpeg(np.asarray(frame)) else as_frame(frame)

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
        if _is_jpeg(frame):
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


Shot = Callable[[], Image | None]
"""A picture of a film, decoded when it is called."""


class Film:
    """A video file or a folder of pictures as a camera. It plays at its own pace, or gives the next picture at each
    read if it has none; what nobody reads in time is skipped. Held, it shows one picture again and again."""

    def __init__(
        self,
        name: str,
        pictures: Iterable[Shot | Image],
        pace: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
        *,
        loop: bool = False,
        held: bool = False,
    ) -> None:
        """`pictures` can be gone through again if it is to loop. `pace`: so many a second; 0: one at each read."""
        self.name = name
        self.condition = OK
        self.held = held
        self._pictures, self._pace, self._clock, self._loop = pictures, pace, clock, loop
        self._shots = iter(pictures)
        self._begin: float | None = None
        self._given = 0
        self._steps = 1
        self._frame: Image | None = None

    def step(self) -> None:
        """The next picture, though it is held."""
        self._steps += 1

    def read(self) -> Image | None:
        due = self._due()
        if not due:
            return None
        if self.held:
            due, self._steps = self._steps, 0
        for _ in range(due - 1):
            next(self._shots, None)
        self._frame = self._next() if due else self._frame
        return self._frame

    def _due(self) -> int:
        """How many pictures on it should be by now."""
        if not self._pace:
            return 1
        now = self._clock()
        self._begin = now if self._begin is None else self._begin
        due = int((now - self._begin) * self._pace) + 1 - self._given
        self._given += due
        return due

    def _next(self) -> Image | None:
        """The next picture that can be decoded."""
        for again in (True, False):
            for shot in self._shots:
                if (frame := shot() if callable(shot) else shot) is not None:
                    return frame
            if not (self._loop and again):
                break
            self._shots = iter(self._pictures)
        self.condition = trouble(message("All pictures of {name} have been shown.", name=self.name))
        return None

    def close(self) -> None:
        self._shots = iter(())


def open_camera(source: str, *, patient: bool = False) -> Camera:
    """`auto`, `picamera2`, `v4l2:DEVICE`, `file:VIDEO` or `images:FOLDER`. With `patient` a camera that is not
    plugged in yet is returned as well, and gives pictures as soon as it is.

    A film may be followed by `?` and how it is shown, joined by `&`: `loop`, `hold` and `pace=` pictures a second, or
    `max`. At a running table (`patient`) a video has its own pace; otherwise each read gives the next picture."""
    # More threads than that only wait for each other: a frame is small, and the pages want a core as well.
    cv2.setNumThreads(1 if (os.cpu_count() or 1) < 4 else 2)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")  # seconds; by default it is ten
    kind, _, place = source.partition(":")
    match kind:
        case "auto" if not place:
            return _any_camera(patient)
        case "picamera2" if not place:
            return LiveCamera("picamera2", PiCamera, patient=patient)
        case "v4l2" if place:
            path = f"/dev/video{place}" if place.isdigit() else place if "/" in place else f"/dev/{place}"
            return LiveCamera(Path(path).name, lambda: Webcam(path), patient=patient)
        case "file" | "images" if place:
            return _film(source, kind, *place.partition("?")[::2], at_table=patient)
        case "none":
            raise NoCamera(message("No camera is wanted."))
    raise NoCamera(
        message(
            "{source} is no camera: say auto, none, picamera2, v4l2:DEVICE, file:VIDEO or images:FOLDER.",
            source=repr(source),
        )
    )


def _any_camera(patient: bool) -> Camera:
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


def _film(source: str, kind: str, place: str, options: str, *, at_table: bool) -> Film:
    how = dict(option.partition("=")[::2] for option in options.split("&") if option)
    path = Path(place)
    pictures, own = _video(path) if kind == "file" else _folder(path)
    pace = how.pop("pace", "" if at_table else "max")
    try:
        speed = own if pace == "" else 0.0 if pace == "max" else float(pace)
    except ValueError:
        speed = -1.0
    loop, held = how.pop("loop", None) == "", how.pop("hold", None) == ""
    if how or not 0 <= speed < 1000:
        raise NoCamera(
            message("{source} cannot be shown like that: after ? say loop, hold or pace=2, joined by &.", source=source)
        )
    return Film(place, pictures, speed, loop=loop, held=held)


def _video(path: Path) -> tuple[Iterable[Shot], float]:
    """The pictures of a video, and how many there are in a second."""
    if not path.is_file():
        raise NoCamera(message("{file} is not there.", file=str(path)))
    capture = cv2.VideoCapture(str(path))
    if not capture.isOpened():
        raise NoCamera(message("{file} is not a film that can be played.", file=str(path)))
    pace = float(capture.get(cv2.CAP_PROP_FPS))
    capture.release()
    return _Video(path), pace if 0 < pace < 1000 else 30.0


class _Video:
    """The pictures of a video file, from its beginning each time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __iter__(self) -> Iterator[Shot]:
        capture = cv2.VideoCapture(str(self._path))
        while capture.grab():
            yield lambda: as_frame(capture.retrieve()[1])
        capture.release()


def _folder(path: Path) -> tuple[Iterable[Shot], float]:
    """The pictures of a folder, which have no pace of their own."""
    if not path.is_dir():
        raise NoCamera(message("{path} is not a folder.", path=str(path)))
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURES and file.name[0] != ".")
    if not files:
        raise NoCamera(message("{file} holds no pictures.", file=str(path)))
    return [partial(_picture, file) for file in files], 0.0


def _picture(path: Path) -> Image | None:
    try:
        return load(path)
    except BadPicture:
        return None

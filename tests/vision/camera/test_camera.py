"""Cameras: the newest frame only, cables that are pulled and put back, films and folders."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.events import OK
from companion.core.message import message
from vision.camera import live as camera
from vision.camera.films import Film
from vision.camera.frames import NoCamera, VirtualCamera, as_frame
from vision.camera.live import LiveCamera, Webcam
from vision.camera.sources import open_camera
from vision.pictures import Image


def picture(grey: int) -> Image:
    return np.full((48, 64, 3), grey, np.uint8)


class Cable:
    """A camera on a cable that the test pulls and puts back."""

    name = "test"

    def __init__(self) -> None:
        self.plugged = True
        self.fault: Exception | None = None
        self.grabbed = self.held = self.opened = self.closed = 0
        self.happened = threading.Condition()

    def open(self) -> "Cable":
        with self.happened:
            if not self.plugged:
                self.happened.notify_all()
                raise self.fault or NoCamera(message("The camera is not there."))
            self.opened += 1
            self.happened.notify_all()
        return self

    def grab(self) -> Image | None:
        with self.happened:
            self.grabbed += 1
            self.happened.notify_all()
            if self.fault is not None:
                raise self.fault
            return picture(50 + self.grabbed % 200) if self.plugged else None

    def hold(self) -> None:
        self.held += 1
        if self.fault is not None:
            raise self.fault

    def close(self) -> None:
        with self.happened:
            self.closed += 1
            self.happened.notify_all()
        if self.fault is not None:
            raise self.fault

    def until(self, true: Callable[[], bool]) -> None:
        with self.happened:
            assert self.happened.wait_for(true, timeout=20)


@pytest.fixture
def cable(monkeypatch: pytest.MonkeyPatch) -> Cable:
    monkeypatch.setattr(camera, "RETRY", 0.001)
    monkeypatch.setattr(camera, "WARM_UP", -1.0)
    return Cable()


def test_only_the_newest_frame_is_given_and_only_once() -> None:
    virtual = VirtualCamera()
    virtual.show(picture(1))
    virtual.show(picture(2))

    frame = virtual.read()
    assert frame is not None
    assert frame[0, 0, 0] == 2
    assert virtual.read() is None


def test_a_pulled_cable_is_told_and_the_camera_comes_back_by_itself(cable: Cable) -> None:
    live = LiveCamera("test", cable.open)
    cable.until(lambda: cable.grabbed > 3)
    assert cable.held == 1

    cable.plugged = False
    cable.until(lambda: cable.closed == 1)
    cable.until(lambda: live.condition != OK)

    cable.plugged = True
    cable.until(lambda: cable.opened == 2)
    seen = cable.grabbed
    cable.until(lambda: cable.grabbed > seen + 2)
    assert live.condition == OK
    assert live.read() is not None
    live.close()
    live.close()
    assert cable.closed == 2


def test_a_driver_that_raises_whatever_it_likes_is_a_cable_that_was_pulled(cable: Cable) -> None:
    """One unforeseen error once ended the thread: the picture stood still for the evening and nobody was told."""
    live = LiveCamera("test", cable.open)
    cable.until(lambda: cable.grabbed > 3)

    cable.plugged, cable.fault = False, TypeError("the driver's own")
    cable.until(lambda: cable.closed == 1)
    cable.until(lambda: "cannot be started: the driver's own" in str(live.condition.message))

    cable.plugged, cable.fault = True, None
    cable.until(lambda: cable.opened == 2)
    seen = cable.grabbed
    cable.until(lambda: cable.grabbed > seen + 2)
    assert live.condition == OK
    live.close()


def test_a_camera_whose_light_cannot_be_held_is_watched_all_the_same(cable: Cable) -> None:
    cable.hold = lambda: cable.open().close() or [][0]  # type: ignore[assignment, method-assign]
    live = LiveCamera("test", cable.open)
    cable.until(lambda: cable.closed == 1)
    seen = cable.grabbed
    cable.until(lambda: cable.grabbed > seen + 2)

    assert live.condition == OK
    live.close()


class Hanging(Cable):
    """A camera whose second read takes as long as the test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.hangs, self.goes_on = threading.Event(), threading.Event()

    def grab(self) -> Image | None:
        if self.grabbed == 1:
            self.hangs.set()
            assert self.goes_on.wait(20)
        return super().grab()


def test_a_driver_that_does_not_come_back_from_a_read_is_found_out() -> None:
    now, cable = [0.0], Hanging()
    live = LiveCamera("test", cable.open, lambda: now[0])
    assert cable.hangs.wait(20)
    assert live.condition == OK

    now[0] = 60.0
    assert str(live.condition.message) == "The camera test gives no picture: is its cable out?"

    cable.goes_on.set()
    cable.until(lambda: cable.grabbed > 2)
    assert live.condition == OK
    live.close()


class Repeating(Cable):
    """A camera whose driver gives this picture and no other."""

    def __init__(self, always: Image | None) -> None:
        super().__init__()
        self.always: Image | None = always

    def grab(self) -> Image | None:
        super().grab()
        return None if self.always is None else self.always.copy()


@pytest.mark.parametrize(("grey", "said"), [(120, "repeats one picture"), (3, "gives a black picture")])
def test_a_frozen_or_black_picture_is_told_after_two_seconds(grey: int, said: str) -> None:
    now, cable = [0.0], Repeating(picture(grey))
    live = LiveCamera("test", cable.open, lambda: now[0])
    cable.until(lambda: cable.grabbed > 3)
    assert live.condition == OK

    if said == "gives a black picture":  # with the noise of a sensor under its cap
        cable.grab = lambda: picture(Cable.grab(cable) is None or cable.grabbed % 5)  # type: ignore[method-assign]
        seen = cable.grabbed
        cable.until(lambda: cable.grabbed > seen + 2)
    now[0] = 2.1
    assert said in str(live.condition.message)

    cable.grab = lambda: Cable.grab(cable)  # type: ignore[method-assign]
    seen = cable.grabbed
    cable.until(lambda: cable.grabbed > seen + 200)
    assert live.condition == OK
    live.close()


def test_a_camera_that_opens_and_gives_no_picture_is_never_well(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it was opened again it counted as working."""
    monkeypatch.setattr(camera, "RETRY", 0.001)
    cable = Repeating(None)
    live = LiveCamera("test", cable.open)
    cable.until(lambda: cable.opened > 2)

    assert not any(live.condition == OK for _ in range(2000))
    live.close()


def test_a_camera_that_is_plugged_in_late_is_waited_for(cable: Cable) -> None:
    cable.plugged = False
    live = LiveCamera("test", cable.open, patient=True)
    assert str(live.condition.message) == "The camera is not there."
    assert live.read() is None

    cable.plugged = True
    cable.until(lambda: cable.grabbed > 1)
    assert live.condition == OK
    live.close()


@pytest.mark.parametrize(
    "raw",
    [
        np.full((48, 64), 90, np.uint8),
        np.full((48, 64, 1), 90, np.uint8),
        np.full((48, 64, 4), 90, np.uint8),
        np.full((48, 64), 90 * 256, np.uint16),
    ],
)
def test_a_frame_of_another_kind_becomes_blue_green_and_red(raw: Image) -> None:
    frame = as_frame(raw)

    assert frame is not None
    assert (frame.shape, frame.dtype, int(frame[0, 0, 0])) == ((48, 64, 3), np.uint8, 90)


@pytest.mark.parametrize("raw", [None, np.zeros((0, 64, 3), np.uint8), np.zeros((4, 4, 2), np.uint8), np.zeros(9)])
def test_what_is_no_frame_is_none(raw: object) -> None:
    assert as_frame(raw) is None


class Capture:
    """What OpenCV has for a webcam, with the values of a driver that knows little."""

    def __init__(self, path: str, backend: int) -> None:
        self.path, self.known = path, dict(KNOWN)
        self.asked: list[int] = []

    def isOpened(self) -> bool:
        return self.path != "/dev/nothing"

    def set(self, what: int, value: float) -> bool:
        self.asked.append(what)
        return what in self.known

    def get(self, what: int) -> float:
        return self.known.get(what, -1.0)

    def read(self) -> tuple[bool, object]:
        return True, None

    def release(self) -> None: ...


KNOWN = {cv2.CAP_PROP_EXPOSURE: 157.0}


def test_a_webcam_is_never_set_to_a_light_it_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "VideoCapture", Capture)
    webcam = Webcam("/dev/some")
    capture: Any = webcam._capture
    capture.asked.clear()
    webcam.hold()

    assert cv2.CAP_PROP_EXPOSURE in capture.asked
    assert cv2.CAP_PROP_WB_TEMPERATURE not in capture.asked
    assert webcam.grab() is None


def test_a_webcam_that_one_may_not_open_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, how: False)
    with pytest.raises(NoCamera, match="usermod"):
        Webcam(str(tmp_path))


def test_any_camera_keeps_to_the_one_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("usb-A-video-index0", "usb-B-video-index0"):
        (tmp_path / name).touch()
    opened: list[str] = []

    class Other(Capture):
        def __init__(self, path: str, backend: int) -> None:
            super().__init__(path, backend)
            opened.append(Path(path).name)

    monkeypatch.setattr(camera, "BY_ID", tmp_path)
    monkeypatch.setattr(camera, "RETRY", 0.001)
    monkeypatch.setattr(cv2, "VideoCapture", Other)
    live = open_camera("auto")
    assert isinstance(live, LiveCamera)
    assert live.name == "usb-A-video-index0"

    (tmp_path / "usb-A-video-index0").unlink()
    live._release()
    live._try_reopening()
    live.close()
    assert set(opened) == {"usb-A-video-index0"}


def test_a_camera_that_was_never_there_is_told_at_once(cable: Cable) -> None:
    cable.plugged = False
    with pytest.raises(NoCamera):
        LiveCamera("test", cable.open)


def test_a_folder_of_pictures_is_a_camera(tmp_path: Path) -> None:
    for number in (2, 1):
        cv2.imwrite(str(tmp_path / f"{number}.png"), picture(number))
    (tmp_path / "3.png").write_text("not a picture")
    folder = open_camera(f"images:{tmp_path}")

    assert [frame[0, 0, 0] for frame in (folder.read(), folder.read()) if frame is not None] == [1, 2]
    assert folder.read() is None
    assert "have been shown" in str(folder.condition.message)


def test_a_film_is_a_camera(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for grey in (40, 80, 120):
        writer.write(picture(grey))
    writer.release()
    film = open_camera(f"file:{tmp_path / 'film.avi'}")
    frames = [film.read() for _ in range(4)]

    assert [frame.mean() for frame in frames[:3] if frame is not None] == pytest.approx([40, 80, 120], abs=3)
    assert frames[3] is None


def shown(film: Film, *times: float) -> list[int | None]:
    """The grey of what a film of one picture for each grey level gives at these times."""
    frames = []
    for film._clock in ((lambda time=time: time) for time in times):
        frame = film.read()
        frames.append(None if frame is None else int(frame[0, 0, 0]))
    return frames


def test_a_film_plays_at_its_own_pace_and_skips_what_nobody_reads_in_time() -> None:
    film = Film("film", [picture(grey) for grey in range(5)], pace=10)

    assert shown(film, 7.0, 7.05, 7.11, 7.35, 7.41, 7.6) == [0, None, 1, 3, 4, None]
    assert "have been shown" in str(film.condition.message)


def test_a_film_that_loops_begins_again() -> None:
    film = Film("film", [picture(grey) for grey in range(5)], loop=True)

    assert shown(film, *[0.0] * 7) == [0, 1, 2, 3, 4, 0, 1]
    assert film.condition.message is None


def test_a_film_that_is_held_shows_one_picture_until_it_is_stepped() -> None:
    film = Film("film", [picture(grey) for grey in range(5)], held=True)

    assert shown(film, 0.0, 0.0, 0.0) == [0, 0, 0]
    film.step()
    assert shown(film, 0.0, 0.0) == [1, 1]


def test_how_a_film_is_shown_is_said_after_its_name(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), picture(1))
    film = open_camera(f"images:{tmp_path}?loop&hold&pace=max")

    assert shown(film, 0.0, 0.0, 0.0) == [1, 1, 1]  # type: ignore[arg-type]
    with pytest.raises(NoCamera, match="say loop, hold or pace=2"):
        open_camera(f"images:{tmp_path}?backwards")


def test_a_webcams_jpeg_is_decoded_when_somebody_looks_at_it() -> None:
    jpeg = cv2.imencode(".jpg", picture(90))[1].reshape(1, -1)
    frame = as_frame(jpeg)

    assert frame is not None
    assert frame.shape == picture(90).shape
    assert frame.mean() == pytest.approx(90, abs=2)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("teapot", "'teapot' is no camera"),
        ("file:nowhere.avi", "is not there"),
        ("images:nowhere", "is not a folder"),
        ("v4l2:/dev/no-such-camera", "cannot be opened"),
        ("picamera2", "picamera2 is not installed"),
        ("none", "No camera is wanted"),
    ],
)
def test_what_is_no_camera_is_told_in_one_sentence(source: str, words: str) -> None:
    with pytest.raises(NoCamera, match=words):
        open_camera(source)

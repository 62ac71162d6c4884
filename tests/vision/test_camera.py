"""Cameras: the newest frame only, cables that are pulled and put back, films and folders."""

import threading
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision import camera
from vision.camera import LiveCamera, NoCamera, VirtualCamera, open_camera
from vision.paint import Image


def picture(grey: int) -> Image:
    return np.full((48, 64, 3), grey, np.uint8)


class Cable:
    """A camera on a cable that the test pulls and puts back."""

    def __init__(self) -> None:
        self.plugged = True
        self.grabbed = self.held = self.opened = self.closed = 0
        self.happened = threading.Condition()

    def open(self) -> "Cable":
        with self.happened:
            if not self.plugged:
                self.happened.notify_all()
                raise NoCamera("The camera is not there.")
            self.opened += 1
            self.happened.notify_all()
        return self

    def grab(self) -> Image | None:
        with self.happened:
            self.grabbed += 1
            self.happened.notify_all()
            return picture(self.grabbed % 250) if self.plugged else None

    def hold(self) -> None:
        self.held += 1

    def close(self) -> None:
        with self.happened:
            self.closed += 1
            self.happened.notify_all()

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
    cable.until(lambda: live.state != "ok")

    cable.plugged = True
    cable.until(lambda: cable.opened == 2)
    seen = cable.grabbed
    cable.until(lambda: cable.grabbed > seen + 2)
    assert live.state == "ok"
    assert live.read() is not None
    live.close()
    live.close()
    assert cable.closed == 2


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


def test_a_film_is_a_camera(tmp_path: Path) -> None:
    writer = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10, (64, 48))
    for grey in (40, 80, 120):
        writer.write(picture(grey))
    writer.release()
    film = open_camera(f"file:{tmp_path / 'film.avi'}")
    frames = [film.read() for _ in range(4)]

    assert [frame.mean() for frame in frames[:3] if frame is not None] == pytest.approx([40, 80, 120], abs=3)
    assert frames[3] is None


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("teapot", "'teapot' is no camera"),
        ("file:nowhere.avi", "is not there"),
        ("images:nowhere", "holds no pictures"),
        ("v4l2:/dev/no-such-camera", "cannot be opened"),
        ("picamera2", "picamera2 is not installed"),
        ("none", "No camera is wanted"),
    ],
)
def test_what_is_no_camera_is_told_in_one_sentence(source: str, words: str) -> None:
    with pytest.raises(NoCamera, match=words):
        open_camera(source)

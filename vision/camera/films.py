"""Films and folders of pictures as cameras: they play at their own pace, can be held, stepped and looped."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import cv2

from companion.core.events import OK, trouble
from companion.core.message import message
from vision.camera.frames import NoCamera, as_frame
from vision.pictures import BadPicture, Image, load

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".webp"}

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


def open_film(source: str, kind: str, place: str, options: str, *, at_table: bool) -> Film:
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

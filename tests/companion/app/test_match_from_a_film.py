"""Whole matches through a video file: an evening whose light changes is filmed, and the file alone is refereed again.

A film cannot answer the referee, so each match is played twice. First the virtual table plays it under the evening's
light, with the referee in the loop, and every picture goes into a film; what people pressed and tapped, and when time
passed, is noted beside it. Then a fresh referee sees the file through `file:`, hears the same buttons between the same
pictures, and has to write the same kifu."""

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any

import cv2
import pytest

from companion.app.camera_feed import CameraFeed
from companion.app.demo import DemoClock, Sitting, Studio, VirtualDevices, differences
from companion.app.match_store import begin
from companion.app.wiring import NOTHING_KEPT, put_together
from companion.cli.serving import new_settings
from companion.core.events import Event, Outcome, Seen, Sense
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder
from companion.referee.service import Service
from companion.virtual import dealt
from tests.companion.app.evening_light import EveningLight
from vision.camera.frames import VirtualCamera
from vision.camera.sources import open_camera
from vision.pictures import Image

pytestmark = pytest.mark.long

PLAYERS = {"sen_so": 2, "san_ni_ichi": 3, "sensu": 2, "senjutsu": 2}
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 90]


class FilmedCamera(VirtualCamera):
    """What it is shown is lit by the evening and goes into the film as a JPEG; the referee sees that JPEG."""

    def __init__(self, film: Path, light: EveningLight, note: Callable[[], None]) -> None:
        super().__init__()
        self._film, self._light, self._note = film.open("wb"), light, note

    def show(self, frame: Image) -> None:
        jpeg = cv2.imencode(".jpg", self._light.lit(frame), QUALITY)[1]
        self._film.write(jpeg.tobytes())
        self._note()
        super().show(cv2.imdecode(jpeg, cv2.IMREAD_COLOR))

    def close(self) -> None:
        super().close()
        self._film.close()


class Notes:
    """What happened beside the film, in order: an event with its time, or None for a picture."""

    def __init__(self, clock: DemoClock) -> None:
        self._clock = clock
        self.all: list[tuple[float, Event | None]] = []

    def picture(self) -> None:
        self.all.append((self._clock.now, None))

    def of(self, service: Service) -> None:
        submit = service.submit

        def noted(event: Event) -> Outcome:
            if not isinstance(event, Seen) and not (isinstance(event, Sense) and event.name == "camera"):
                self.all.append((self._clock.now, event))
            return submit(event)

        service.submit = noted  # type: ignore[method-assign]


def moves(path: Path) -> list[tuple[str, dict[str, Any]]]:
    lines = (numbered.line for numbered in kifu.read(kifu.load(path)))
    return [(line.by, line.fields) for line in lines if isinstance(line, kifu.Moved) and not line.refused]


def filmed(name: str, folder: DataFolder, film: Path, seed: int, length: int) -> tuple[Path, Notes, Sitting, list[str]]:
    people = ("Aki", "Ben", "Cho")[: PLAYERS[name]]
    referee, journal = begin(folder, game(name), people, dealt(name, people, {}, Random(seed)), datetime.now())
    clock, studio = DemoClock(None), Studio(referee.match, seed)
    notes = Notes(clock)
    devices = VirtualDevices(len(people), clock)
    devices.camera = FilmedCamera(film, EveningLight(length, seed), notes.picture)
    running = put_together(referee, lambda: clock.now, new_settings(people), devices.plugged)
    running.play(referee, NOTHING_KEPT, studio.eyes())
    notes.of(running.service)
    evening = Sitting(running, devices, studio, seed, (15.0, 45.0))
    while not evening.over:
        evening.beat()
    found = [str(each) for each in differences(evening, journal.path)]  # type: ignore[arg-type]
    running.senses.stop()
    devices.close()
    journal.close()
    return journal.path, notes, evening, found


def refereed_again(name: str, folder: DataFolder, film: Path, notes: Notes, seed: int) -> tuple[Path, int]:
    """A fresh referee, the file, and the buttons."""
    people = ("Aki", "Ben", "Cho")[: PLAYERS[name]]
    referee, journal = begin(folder, game(name), people, dealt(name, people, {}, Random(seed)), datetime.now())
    now = 0.0
    service = Service(referee, lambda: now)
    feed = CameraFeed(open_camera(f"file:{film}"), Studio(referee.match, seed).eyes().watcher)
    for at, event in notes.all:
        now = at
        if event is not None:
            service.submit(event)
        elif (seen := feed.look(service.now)) is not None:
            service.submit(seen)
    feed.close()
    journal.close()
    return journal.path, feed.frames


@pytest.mark.parametrize("name", PLAYERS)
def test_a_film_of_an_evening_is_refereed_like_the_evening(name: str, tmp_path: Path) -> None:
    began, film, seed = time.perf_counter(), tmp_path / "evening.mjpeg", 7
    with DataFolder(tmp_path / "table") as folder:
        live, notes, evening, found = filmed(name, folder, film, seed, 400)
    with DataFolder(tmp_path / "again") as folder:
        again, frames = refereed_again(name, folder, film, notes, seed)
    print(
        f"{name}: {len(moves(live))} moves in {evening.feed.frames} pictures ({film.stat().st_size >> 20} MB), "
        f"{evening.corrections} corrections, {len(found)} differences; from the file {len(moves(again))} moves in "
        f"{frames} pictures, {'the same' if moves(again) == moves(live) else 'others'}; "
        f"{time.perf_counter() - began:.0f} s"
    )
    assert found == []
    assert moves(again) == moves(live)

"""Clips as H.264, by what the machine can do: probed, written, taken apart again, and made while the camera goes on."""

import os
import shutil
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import cv2
import numpy as np
import pytest

from companion.app import clip_film
from companion.app.clip_film import NotFilmed, best_encoder, pictures, smallest_clip
from companion.app.clip_keeper import WAITING, ClipKeeper
from companion.core.events import Read
from companion.record.clip import H264, MJPEG, Still, Testimony, decode, encode, in_pictures
from companion.record.evidence import CLIP, Evidence
from companion.referee.service import Service

needs_ffmpeg = pytest.mark.skipif(
    shutil.which("ffmpeg") is None, reason="ffmpeg is not installed (make debian-packages)"
)
SIZE = (641, 359)
TOLD = Testimony(players=("Aki", "Ben"), clock=12.5)


@pytest.fixture(autouse=True)
def probed_anew() -> Iterator[None]:
    best_encoder.cache_clear()
    yield
    best_encoder.cache_clear()


def jpeg(place: int) -> bytes:
    frame = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    frame[100:200, 20 * place : 20 * place + 70] = (30, 60, 220)
    cv2.putText(frame, str(place), (300, 320), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (255, 255, 255), 3)
    return cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()


def stills(count: int = 20) -> list[Still]:
    """Ten a second, with a rest in between as the camera has them while nothing moves."""
    return [Still(place / 10 + (3.0 if place >= count // 2 else 0.0), jpeg(place)) for place in range(count)]


def seen(picture: bytes) -> Any:
    return cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)


@needs_ffmpeg
def test_a_film_is_smaller_and_gives_every_picture_back_at_its_time() -> None:
    taken = stills()
    plain, film = encode(taken, SIZE, TOLD), smallest_clip(taken, SIZE, TOLD)
    clip = decode(film)

    assert best_encoder()
    assert clip.codec == H264
    assert len(film) < len(plain) / 2
    back = in_pictures(film, pictures)
    shown = decode(back)
    assert (shown.codec, shown.size, shown.testimony) == (MJPEG, SIZE, TOLD)
    assert [frame.at for frame in shown.frames] == [frame.at for frame in decode(plain).frames]
    for frame, still in zip(shown.frames, taken, strict=True):
        picture = seen(back[frame.start : frame.start + frame.size])
        assert picture.shape == (SIZE[1], SIZE[0], 3)
        assert cv2.absdiff(picture, seen(still.jpeg)).mean() < 3.0


@needs_ffmpeg
def test_a_film_that_lost_a_picture_is_not_shown_as_if_it_were_whole() -> None:
    film = bytearray(smallest_clip(stills(), SIZE, TOLD))
    frame = decode(bytes(film)).frames[0]  # all others say only what is new against it
    film[frame.start : frame.start + frame.size] = bytes(frame.size)
    with pytest.raises(NotFilmed):
        pictures(bytes(film))


def test_where_there_is_no_encoder_a_clip_is_single_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clip_film.shutil, "which", lambda name: None)
    assert smallest_clip(stills(), SIZE, TOLD) == encode(stills(), SIZE, TOLD)


@pytest.mark.parametrize(
    "answer",
    ["exit 1", "echo no such device >&2; exit 1", "exit 0", "head -c 999 /dev/zero", "kill -9 $$"],
    ids=["fails", "has no device", "writes nothing", "writes nonsense", "is killed"],
)
def test_an_encoder_that_is_there_and_does_not_work_is_not_used(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "ffmpeg"
    fake.write_text(f"#!/bin/sh\ncat > /dev/null\n{answer}\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert best_encoder() == ""
    assert decode(smallest_clip(stills(), SIZE, TOLD)).codec == MJPEG


@needs_ffmpeg
def test_an_encoder_that_fails_later_costs_no_clip(monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_encoder()
    monkeypatch.setattr(clip_film, "PATIENCE", 0.0)
    assert decode(smallest_clip(stills(), SIZE, TOLD)).codec == MJPEG


# --- the camera does not wait ---------------------------------------------------------------------------------------


class Table:
    """As much of a table as clips need."""

    def __init__(self, folder: Path) -> None:
        self.evidence, self.lobby, self.at = Evidence(folder), None, 0.0
        self.referee = SimpleNamespace(stage="reveal")
        self.vouched: list[str] = []
        self.frame = np.zeros((48, 64, 3), np.uint8)

    def now(self) -> float:
        return self.at

    def testimony(self, start: float, end: float) -> Testimony:
        return TOLD

    def numbers(self, said: Sequence[object]) -> list[int]:
        return []

    def vouch_for(self, clip: bytes, names: Sequence[str]) -> None:
        self.vouched += names

    def clip(self, keeper: ClipKeeper, line: int) -> None:
        """Something happens, and the seconds around it pass."""
        keeper.hear(Read(line), self.at)
        for _ in range(4):
            self.look(keeper)
            self.at += 1.0

    def look(self, keeper: ClipKeeper) -> None:
        feed = SimpleNamespace(frame=self.frame, frame_at=self.at)
        keeper.look(cast(Any, feed), cast(Service, self))


class Slow:
    """Makes clips smaller when it is let."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def __call__(self, stills: Sequence[Still], size: tuple[int, int], testimony: Testimony) -> bytes:
        assert self.go.wait(30)
        return encode(stills[:1], size, testimony)  # one picture: it is told apart by that


def test_the_camera_goes_on_while_a_clip_is_made_and_it_is_kept_when_it_is_done(tmp_path: Path) -> None:
    table, slow = Table(tmp_path / "match"), Slow()
    keeper = ClipKeeper(smaller=slow)
    table.clip(keeper, 7)
    assert table.vouched == []
    slow.go.set()
    keeper.finish(cast(Service, table))
    assert table.vouched == ["00007.avi"]
    kept = table.evidence.clip("00007")
    assert kept is not None
    assert len(kept.frames) == 1


def test_a_machine_that_does_not_keep_up_keeps_clips_as_they_are(tmp_path: Path) -> None:
    table, slow = Table(tmp_path / "match"), Slow()
    keeper = ClipKeeper(smaller=slow)
    for line in range(1, WAITING + 2):
        table.clip(keeper, line)
    late = f"{WAITING + 1:05}"
    assert table.vouched == [late + CLIP]
    kept = table.evidence.clip(late)
    assert kept is not None
    assert len(kept.frames) > 1
    slow.go.set()
    keeper.finish(cast(Service, table))
    assert sorted(table.vouched) == [f"{line:05}.avi" for line in range(1, WAITING + 2)]


def test_a_table_that_closes_keeps_a_clip_that_is_not_made_yet_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.app.clip_keeper.CLOSING", 0.0)
    table, slow = Table(tmp_path / "match"), Slow()
    keeper = ClipKeeper(smaller=slow)
    table.clip(keeper, 7)
    keeper.finish(cast(Service, table))
    slow.go.set()
    kept = table.evidence.clip("00007")
    assert table.vouched == ["00007.avi"]
    assert kept is not None
    assert len(kept.frames) > 1


def test_a_clip_of_a_match_that_has_left_the_table_is_not_put_into_the_next_one(tmp_path: Path) -> None:
    table, slow = Table(tmp_path / "match"), Slow()
    keeper = ClipKeeper(smaller=slow)
    table.clip(keeper, 7)
    table.evidence = Evidence(tmp_path / "next")
    slow.go.set()
    keeper.finish(cast(Service, table))
    assert table.vouched == []
    assert not (tmp_path / "next").exists()

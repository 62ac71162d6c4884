"""The ring of the camera's last seconds stays within its bounds, and clips are written without harm to the match."""

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from companion.app.clip_keeper import ClipKeeper
from companion.app.clip_ring import ClipRing
from companion.core.events import Press, Said, Seen
from companion.core.layout import SeenCard, Sight
from companion.core.message import message
from companion.record import evidence
from companion.record.evidence import Evidence
from companion.referee.last_seconds import MOST, LastSeconds
from companion.referee.service import TableDevices
from tests.web.evening import Evening

ROOT = Path(__file__).parents[3]


def frame(seed: int, height: int = 540, width: int = 960) -> np.ndarray:
    coarse = np.random.default_rng(seed).integers(0, 255, (height // 60, width // 60, 3), np.uint8)
    return coarse.repeat(60, 0).repeat(60, 1)


def test_the_ring_holds_fifteen_seconds_and_no_more() -> None:
    ring = ClipRing()
    for number in range(400):
        ring.take(frame(number % 7), number * 0.1, busy=True)

    stills = ring.between(0.0, 1000.0)
    assert 14.5 <= stills[-1].at - stills[0].at <= 15.0
    assert ring.size == (640, 360)
    assert ring.bytes == sum(len(still.jpeg) for still in stills)


def test_the_ring_stays_within_its_bytes_however_busy_the_picture_is() -> None:
    ring = ClipRing(largest=400_000)
    for number in range(60):
        noise = np.random.default_rng(number).integers(0, 255, (540, 960, 3), np.uint8)
        ring.take(noise, number * 0.1, busy=True)

        assert ring.bytes <= 400_000


def test_a_table_at_rest_gives_a_picture_a_second_and_a_finger_ten() -> None:
    still, ring = frame(1), ClipRing()
    for number in range(50):
        ring.take(still, number * 0.1, busy=False)
    assert len(ring.between(0.0, 10.0)) == 5
    for number in range(50, 60):
        ring.take(frame(number), number * 0.1, busy=False)
    assert len(ring.between(4.95, 10.0)) == 11  # ten, and the one before them


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(devices=TableDevices(evidence=Evidence(tmp_path / "2026-01-01-200000-sen_so")))


def film(keeper: ClipKeeper, evening: Evening, seconds: float) -> None:
    for _ in range(round(seconds * 10)):
        evening.at += 0.1
        feed = SimpleNamespace(frame=frame(round(evening.at * 10) % 5), frame_at=evening.at)
        keeper.look(feed, evening.service)


def call(keeper: ClipKeeper, evening: Evening, line: int = 0) -> None:
    keeper.hear(Said("call", ("SEN-15",), message("A card was moved."), line), evening.at)


def test_things_that_happen_together_share_a_clip_and_later_ones_have_their_own(evening: Evening) -> None:
    keeper = ClipKeeper()
    film(keeper, evening, 8)
    call(keeper, evening, 57)
    film(keeper, evening, 1)
    call(keeper, evening, 58)
    film(keeper, evening, 3)
    call(keeper, evening, 70)
    film(keeper, evening, 3)

    clips = {line: evening.service.evidence.clip(f"{line:05}") for line in (57, 58, 70)}
    assert clips[57] == clips[58]
    assert clips[70] is not None
    assert 9.5 <= clips[57].frames[-1].at <= 10.5  # seven seconds before the first, two after the last
    pictures = [line for line in evening.lines if "picture" in line]
    assert [line["of"] for line in pictures] == [["00057.avi", "00058.avi"], ["00070.avi"]]


def test_a_clip_is_kept_though_the_camera_gave_no_picture_for_longer_than_the_ring_holds(evening: Evening) -> None:
    keeper = ClipKeeper()
    film(keeper, evening, 8)
    call(keeper, evening, 57)
    evening.at += 40.0
    film(keeper, evening, 0.1)

    kept = evening.service.evidence.clip("00057")
    assert kept is not None
    assert 6.5 <= kept.frames[-1].at <= 7.5


def test_a_full_disk_is_one_sentence_and_the_match_goes_on(evening: Evening, monkeypatch) -> None:
    def full(path: Path, picture: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(evidence, "_write", full)
    keeper = ClipKeeper()
    for line in (57, 70, 80):
        call(keeper, evening, line)
        film(keeper, evening, 4)
    told = [said.text for said in evening.service.page(None).said]

    assert told == [
        "The pictures of this match are not kept any more (No space left on device); the match goes on.",
    ]
    evening.arm()
    assert evening.service.referee.match.moves == 2


def test_what_was_known_is_cut_to_the_seconds_of_the_clip_with_what_lay_there_before() -> None:
    evening, last = Evening(), LastSeconds()
    referee = evening.service.referee

    def see(at: float, x: float, confidence: float = 0.97) -> None:
        sight = Sight({"Aki.action1": (SeenCard("move", True, x=x, confidence=confidence),)})
        last.note(Seen(sight, at), referee.handle(Seen(sight, at)), referee)

    for at, x in ((1.0, 100.0), (2.0, 100.4), (9.0, 110.0)):
        see(at, x)
    last.note(Press(0, "ready", 8.0, 0.004), referee.handle(Press(0, "ready", 8.0, 0.004)), referee)
    told = last.between(5.0, 12.0, ("Aki", "Ben"), 3.0)

    assert [(reading.at, reading.cards[0].x) for reading in told.readings] == [(0.0, 100.0), (4.0, 110.0)]
    assert [(press.player, press.at, press.uncertainty) for press in told.presses] == [("Aki", 3.0, 0.004)]


def test_nobody_can_fill_the_memory_with_presses_and_readings() -> None:
    evening, last = Evening(), LastSeconds()
    referee = evening.service.referee
    for number in range(3 * MOST):
        sight = Sight({f"Aki.{number % 3}": (SeenCard(None, True, x=10.0 * number),)})
        for event in (Press(0, "ready", number * 0.001), Seen(sight, number * 0.001)):
            last.note(event, referee.handle(event), referee)

    assert len(last._presses) == len(last._readings) == MOST


WRITES = """
import sys
from pathlib import Path
from companion.record.clip import Still, Testimony, encode
from companion.record.evidence import CLIP, Evidence
evidence = Evidence(Path(sys.argv[1]))
clip = encode([Still(0.1 * n, bytes(60_000)) for n in range(40)], (640, 360), Testimony())
print("ready", flush=True)
for line in range(1, 200):
    evidence.keep(clip, [line], kind=CLIP)
"""


def test_a_kill_in_the_middle_of_writing_leaves_no_torn_clip(tmp_path: Path) -> None:
    for number in range(3):
        folder = tmp_path / f"2026-01-0{number + 1}-200000-sen_so"
        command = [sys.executable, "-c", WRITES, str(folder)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            while not list(folder.glob("*.avi")):
                pass
            writer.send_signal(signal.SIGKILL)
        kept = Evidence(folder)
        assert all(kept.clip(path.stem) is not None for path in folder.glob("*.avi"))
        assert {path.suffix for path in folder.iterdir()} <= {".avi", ".new"}

"""Clips and memory over a hundred matches: both stay within their bounds, whatever is played."""

import ctypes
import gc
import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.app.clip_keeper import ClipKeeper
from companion.app.clip_ring import LARGEST
from companion.app.demo import Evening
from companion.app.match_store import begin
from companion.app.wiring import Keeping
from companion.cli.serving import new_settings
from companion.games import game
from companion.record.evidence import Evidence
from companion.record.journal import DataFolder
from vision.simulation.paint import paint

QUOTA = 24 * 2**20
MATCHES, BEATS = int(os.environ.get("MATCHES", "100")), 40
"""So many matches, and of each so much that there are some reveals in it."""


def memory() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def at_rest() -> int:
    """The same without what only the simulated camera keeps, the faces that it has painted, and without pages that are
    free but not given back to the system. What grows here is a leak."""
    paint.cache_clear()
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    return memory()


def taken(folder: Path) -> int:
    files = {path.stat().st_ino: path.stat().st_size for path in folder.rglob("*") if path.suffix in (".avi", ".jpg")}
    return sum(files.values())


@pytest.mark.long
def test_a_hundred_matches_stay_within_the_quota_and_the_memory(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("companion.app.wiring.Evidence", lambda folder: Evidence(folder, QUOTA))
    names, began = ("sen_so", "san_ni_ichi", "senjutsu", "sensu"), datetime(2026, 1, 1, 20)
    clips, most_ring, most_disk, rests = 0, 0, 0, dict[int, tuple[int, int, int]]()
    with DataFolder(tmp_path) as data:
        for number in range(MATCHES):
            chosen = game(names[number % 4])
            people = ("Aki", "Ben", "Cho")[: max(2, chosen.seats.start)]
            referee, journal = begin(data, chosen, people, {}, began + timedelta(minutes=number))
            evening = Evening(
                referee, number, new_settings(people), keeping=Keeping(None, journal.path.with_suffix(""))
            )
            keeper: ClipKeeper = evening.senses.clips
            for _ in range(BEATS):
                if evening.over:
                    break
                evening.beat()
                most_ring = max(most_ring, keeper.ring.bytes)
            evening.close()
            journal.close()
            kept = Evidence(journal.path.with_suffix(""))
            own = sorted(journal.path.with_suffix("").glob("*.avi"))
            assert all(kept.clip(path.stem) is not None for path in own)
            clips += len(own)
            most_disk = max(most_disk, taken(tmp_path))
            if number + 1 in (10, MATCHES // 2, MATCHES):
                del evening, referee, journal, keeper, kept
                rests[number + 1] = (memory(), paint.cache_info().currsize, at_rest())
    told = f"{MATCHES} matches, {clips} clips; ring at most {most_ring}, disk at most {most_disk} of {QUOTA} bytes; "
    print(told)
    for number, (full, painted, rest) in rests.items():
        print(f"after {number}: {full / 2**20:.1f} MB with {painted} painted faces, {rest / 2**20:.1f} MB at rest")

    assert most_ring <= LARGEST
    assert most_disk <= QUOTA
    assert clips >= MATCHES
    assert rests[MATCHES][2] < rests[min(10, MATCHES)][2] + 24 * 2**20

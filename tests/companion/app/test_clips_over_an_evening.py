"""Clips and memory over a hundred matches: both stay within their bounds, whatever is played."""

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

QUOTA = 24 * 2**20
MATCHES, BEATS = int(os.environ.get("MATCHES", "100")), 40
"""So many matches, and of each so much that there are some reveals in it."""


def memory() -> int:
    """Bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def taken(folder: Path) -> int:
    files = {path.stat().st_ino: path.stat().st_size for path in folder.rglob("*") if path.suffix in (".avi", ".jpg")}
    return sum(files.values())


@pytest.mark.long
def test_a_hundred_matches_stay_within_the_quota_and_the_memory(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("companion.app.wiring.Evidence", lambda folder: Evidence(folder, QUOTA))
    names, began = ("sen_so", "san_ni_ichi", "senjutsu", "sensu"), datetime(2026, 1, 1, 20)
    clips, most_ring, most_disk, sizes = 0, 0, 0, []
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
            sizes.append(memory())
    told = f"{MATCHES} matches, {clips} clips; ring at most {most_ring}, disk at most {most_disk} of {QUOTA} bytes; "
    print(told + f"memory after 10: {sizes[min(9, MATCHES - 1)]}, at the end: {sizes[-1]}")

    assert most_ring <= LARGEST
    assert most_disk <= QUOTA
    assert clips >= MATCHES
    assert sizes[-1] < sizes[min(9, MATCHES - 1)] * 1.25 + 40 * 2**20

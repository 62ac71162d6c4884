"""`make test-endurance`: an evening of eight hours at one table, at speed, and whether anything grows with it.

The table runs in a process of its own (`tests.endurance.table`); people look at it from here. `HOURS=1` is a
shorter one. Exit 1 if memory, threads, handles or the disk grow, or if a page failed.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.upkeep.config import DEFAULTS
from tests.endurance.table import QUOTA
from tests.endurance.viewers import Viewers

HOURS = float(os.environ.get("HOURS", "8"))
SETTLED = 1
"""The round of games in which everything that is kept once has been made; round 0 is the first."""
GROWTH = 0.05
"""By how much more memory a later round may take at the most."""
AS_THE_SERVICE = {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"}
"""What hardware/pi/shinpan.service sets."""
PICTURES = (".jpg", ".avi")
KEPT = DEFAULTS.backup_keep


@dataclass(frozen=True)
class Sample:
    """A table that rests between two matches."""

    at: float
    round: int
    matches: int
    moves: int
    memory: int
    threads: int
    handles: int
    kifu: int
    """Bytes of the matches themselves: what an evening is for, and all that may grow."""
    pictures: int
    backups: int
    rest: int
    """Bytes of everything else on the disk, what lies in the folder for temporary files included."""


def sample(told: dict[str, Any], process: int, data: Path, scratch: Path) -> Sample:
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    sizes = {"kifu": 0, "pictures": 0, "backups": 0, "rest": 0}
    seen = set()
    for path in (*data.rglob("*"), *scratch.rglob("*")):
        facts = path.stat()
        if path.is_file() and facts.st_ino not in seen:  # one picture may belong to several lines
            seen.add(facts.st_ino)
            sizes[_kind(path)] += facts.st_size
    return Sample(
        told["at"],
        told["round"],
        told["matches"],
        told["moves"],
        int(status["VmRSS"].split()[0]) * 1024,
        int(status["Threads"]),
        len(list(Path(f"/proc/{process}/fd").iterdir())),
        **sizes,
    )


def _kind(path: Path) -> str:
    if path.suffix in PICTURES:
        return "pictures"
    return "backups" if path.parent.name == "backups" else "kifu" if path.suffix == ".kifu" else "rest"


def evening(folder: Path) -> tuple[list[Sample], Viewers]:
    data, scratch = folder / "data", folder / "tmp"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.endurance.table", str(data), str(HOURS)],
        env=os.environ | AS_THE_SERVICE | {"TMPDIR": str(scratch)},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    samples: list[Sample] = []
    viewers: Viewers | None = None
    try:
        for line in process.stdout:
            told = json.loads(line)
            if viewers is None:
                viewers = Viewers(told["port"]).__enter__()
            samples.append(sample(told, process.pid, data, scratch))
            tell(samples[-1])
            if samples[-1].at >= HOURS * 3600:
                viewers.__exit__()
            process.stdin.write("go on\n")
            process.stdin.flush()
    finally:
        if viewers is not None:
            viewers.__exit__()
        process.stdin.close()
        process.wait(60)
        process.stdout.close()
    if process.returncode or viewers is None:
        raise SystemExit("The table fell.")
    return samples, viewers


def tell(now: Sample) -> None:
    megabytes = [f"{each / 2**20:.1f}" for each in (now.memory, now.kifu, now.pictures, now.backups, now.rest)]
    row = [f"{now.at / 3600:.1f}", now.matches, now.moves, megabytes[0], now.threads, now.handles, *megabytes[1:]]
    print("| " + " | ".join(map(str, row)) + " |", flush=True)


def grown(samples: list[Sample]) -> list[str]:
    """What was not flat: the most that it took in a later round is compared with the most until the table had settled.
    Matches are what an evening is for: their bytes may grow, and so may what has a line for each of them."""
    before = [each for each in samples if each.round <= SETTLED]
    after = [each for each in samples if each.round > SETTLED]
    if not after:
        return ["The evening was too short to say whether anything grows."]
    found = []

    def most(part: list[Sample], what: str) -> int:
        return max(getattr(each, what) for each in part)

    written = samples[-1].kifu
    for what, allowed in (
        ("memory", GROWTH * most(before, "memory")),
        ("threads", 0),
        ("handles", 0),
        ("rest", written),
    ):
        if most(after, what) > most(before, what) + allowed:
            found.append(f"{what} grew from {most(before, what)} to {most(after, what)}")
    if most(samples, "pictures") > QUOTA:
        found.append(f"pictures took {most(samples, 'pictures')} of {QUOTA} bytes")
    if most(samples, "backups") > KEPT * (written + samples[-1].rest):
        found.append(f"{KEPT} backups took {most(samples, 'backups')} bytes")
    return found


def main() -> int:
    began = time.monotonic()
    print("| hour | matches | moves | memory | threads | handles | kifu | pictures | backups | rest |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    with TemporaryDirectory() as folder:
        samples, viewers = evening(Path(folder))
    found = grown(samples) + sorted(viewers.failed)
    took = time.monotonic() - began
    print(f"\nMegabytes. {viewers.visits} visits, {viewers.bytes / 2**20:.0f} MB of pages; {took / 60:.0f} minutes.")
    print("\n".join(found) or "Nothing grew.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

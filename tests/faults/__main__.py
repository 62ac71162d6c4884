"""`make test-faults`: everything that may go wrong with a table, tried; and a table of what was lost.

`FAULTS=short` takes some minutes, the whole about half an hour; `python -m tests.faults kills floods` tries
some parts. Exit 1 if anything was lost.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.bench import hostile
from tests.faults import attackers, crashes, memory
from tests.faults.tried import Tried

SHORT = os.environ.get("FAULTS") == "short"
Attempt = Callable[[Path], Tried]


def attempts(random: Random) -> Iterator[tuple[str, Attempt]]:
    """Each with the name of the part that it belongs to."""

    def times(short: int, whole: int) -> int:
        return short if SHORT else whole

    yield "kills", lambda folder: crashes.killed(folder, times(12, 200), signal.SIGKILL, random)
    yield "stops", lambda folder: crashes.killed(folder, times(4, 25), signal.SIGTERM, random)
    yield "cuts", lambda folder: crashes.power_cuts(folder, times(6, 60), random)
    yield "disks", lambda folder: crashes.full_disks(folder, times(40, 1000), random)
    yield "bits", lambda folder: crashes.flipped_bits(folder, times(3000, 400_000), random)
    yield "files", lambda folder: crashes.damaged_files(folder, times(40, 1500), random)
    yield "memory", lambda folder: memory.matches(folder, times(60, 600), random)
    yield "requests", lambda folder: attackers.fuzzed_requests(times(2000, 30_000), random)
    yield "events", lambda folder: attackers.fuzzed_events(times(5000, 180_000), random)
    for addresses in (1, 200):
        yield "guesses", partial(_guesses, addresses)
    floods = list(hostile.ATTACKS)[1:]
    for attack in floods[::3] if SHORT else floods:
        yield "floods", partial(_flood, attack)


def _guesses(addresses: int, folder: Path) -> Tried:
    return attackers.guesses(addresses)


def _flood(attack: str, folder: Path) -> Tried:
    return attackers.flood(attack)


def main() -> int:
    wanted, known = sys.argv[1:], {part for part, _ in attempts(Random(0))}
    if unknown := [part for part in wanted if part not in known]:
        print(f"There is no part {unknown[0]!r}; there are {', '.join(sorted(known))}.", file=sys.stderr)
        return 2
    logging.disable(logging.CRITICAL)
    hostile.raise_limits()
    print("| tried | times | what came of it | lost | seconds |\n|---|--:|---|--:|--:|", flush=True)
    lost = 0
    for part, attempt in attempts(Random(int(os.environ.get("SEED", "1")))):
        if wanted and part not in wanted:
            continue
        began = time.monotonic()
        with TemporaryDirectory() as folder:
            tried = attempt(Path(folder))
        what = "nothing" if not tried.lost else f"**{tried.lost} {tried.lost_what}**"
        print(f"| {tried.what} | {tried.times} | {tried.held} | {what} | {time.monotonic() - began:.0f} |", flush=True)
        lost += tried.lost
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

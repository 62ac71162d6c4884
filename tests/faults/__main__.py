"""`make test-faults`: everything that may go wrong with a table, tried; and a table of what was lost.

`FAULTS=short` takes some minutes, the whole about half an hour. Exit 1 if anything was lost.
"""

import logging
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.bench import hostile
from tests.faults import attackers, crashes, memory
from tests.faults.tried import Tried

SHORT = os.environ.get("FAULTS") == "short"
Attempt = Callable[[Path], Tried]


def attempts(random: Random) -> Iterator[Attempt]:
    def times(short: int, whole: int) -> int:
        return short if SHORT else whole

    yield lambda folder: crashes.killed(folder, times(12, 200), signal.SIGKILL, random)
    yield lambda folder: crashes.killed(folder, times(4, 25), signal.SIGTERM, random)
    yield lambda folder: crashes.power_cuts(folder, times(6, 60), random)
    yield lambda folder: crashes.full_disks(folder, times(40, 1000), random)
    yield lambda folder: crashes.flipped_bits(folder, times(3000, 400_000), random)
    yield lambda folder: crashes.damaged_files(folder, times(40, 1500), random)
    yield lambda folder: memory.matches(folder, times(60, 600), random)
    yield lambda folder: attackers.fuzzed_requests(times(2000, 30_000), random)
    yield lambda folder: attackers.fuzzed_events(times(5000, 180_000), random)
    for addresses in (1, 200):
        yield lambda folder, addresses=addresses: attackers.guesses(addresses)  # type: ignore[misc]
    floods = list(hostile.ATTACKS)[1:]
    for attack in floods[::3] if SHORT else floods:
        yield lambda folder, attack=attack: attackers.flood(attack)  # type: ignore[misc]


def main() -> int:
    logging.disable(logging.CRITICAL)
    hostile.raise_limits()
    print("| tried | times | what came of it | lost | seconds |\n|---|--:|---|--:|--:|", flush=True)
    lost = 0
    for attempt in attempts(Random(int(os.environ.get("SEED", "1")))):
        began = time.monotonic()
        with TemporaryDirectory() as folder:
            tried = attempt(Path(folder))
        what = "nothing" if not tried.lost else f"**{tried.lost} {tried.lost_what}**"
        print(f"| {tried.what} | {tried.times} | {tried.held} | {what} | {time.monotonic() - began:.0f} |", flush=True)
        lost += tried.lost
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

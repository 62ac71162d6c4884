"""`make test-pi`: Shinpan installed, started, killed, updated, rolled back, taken away and put back, in clean Debians.

Needs root, a network to bootstrap with, and about 6 GB. `PI_ROOTS=FOLDER` keeps the bootstrapped roots elsewhere than
in build/roots; `python -m tests.pi "bookworm amd64" "trixie arm64"` does only these. Exit 1 if anything failed.
"""

import os
import sys
import time
import traceback
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.pi import roots, trials, units
from tests.pi.versions import make_versions, maker

ALL = [("bookworm", "amd64"), ("trixie", "amd64"), ("bookworm", "arm64"), ("trixie", "arm64")]


class Report:
    """A row for everything that was tried."""

    def __init__(self) -> None:
        self.failures = 0
        print("| where | tried | what came of it | seconds |\n|---|---|---|--:|", flush=True)

    def tried(self, where: str, rows: Iterable[tuple[str, str]]) -> None:
        began = time.monotonic()
        try:
            for what, came in rows:
                print(f"| {where} | {what} | {came} | {time.monotonic() - began:.0f} |", flush=True)
                began = time.monotonic()
        except Exception as error:
            self.failures += 1
            print(
                f"| {where} | | **failed**: {str(error).splitlines()[0]} | {time.monotonic() - began:.0f} |", flush=True
            )
            traceback.print_exc()


def main(asked: list[str]) -> int:
    if os.geteuid():
        print("make test-pi has to be run as root: it bootstraps and boots Debian roots.", file=sys.stderr)
        return 1
    roots.get_ready()
    report = Report()
    report.tried("units", units.rows())
    chosen = [pair for pair in ALL if not asked or " ".join(pair) in asked]
    wheels = make_wheels(chosen)
    with TemporaryDirectory(dir=roots.CACHE) as scratch:
        versions = make_versions(Path(scratch))
        here = trials.Here(Path(scratch))
        for suite, architecture in chosen:
            with roots.fresh(suite, architecture) as root:
                trial = trials.Trial(root, versions, wheels, here)
                report.tried(root.name, trial.rows())
    print(f"\n{report.failures or 'Nothing'} failed.")
    return 1 if report.failures else 0


def make_wheels(chosen: Iterable[tuple[str, str]]) -> Path:
    """For every Python and processor that is tried, fetched once for each state of the pinned file."""
    machines = sorted({roots.MACHINES[architecture] for _, architecture in chosen})
    wheels = (
        roots.CACHE / f"wheels-{maker.hashlib.sha256(maker.PINNED.read_bytes()).hexdigest()[:12]}-{'-'.join(machines)}"
    )
    if not (wheels / "whole").exists():
        maker.make_wheels(wheels, ["3.11", "3.13"], machines)
        (wheels / "whole").touch()
    return wheels


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

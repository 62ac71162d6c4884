"""`python -m vision.bench [SECTION…]`: recognition beside other projects' methods, on the same pictures in one run.

Whole tables of the games are measured by `python -m tests.bench.vision`, because vision knows no games.
"""

import argparse
import resource
import time
from collections.abc import Iterator, Mapping
from typing import Protocol

import cv2

from vision.bench import cuts, free, pinochle, reliability, set_photos, speed


class Section(Protocol):
    """A module that measures something."""

    TITLE: str

    def run(self, every: int = 1) -> Iterator[str]:
        """Its table, line by line; on one picture or card of `every`."""


SECTIONS: Mapping[str, Section] = {
    "photos": set_photos,
    "pinochle": pinochle,
    "cuts": cuts,
    "reliability": reliability,
    "free": free,
    "speed": speed,
}


def main(sections: Mapping[str, Section] = SECTIONS) -> None:
    parser = argparse.ArgumentParser(description="Measure how well and how fast cards are read.")
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"{', '.join(sections)}; all if none is named")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="on a busy machine: one picture or card of N")
    asked = parser.parse_args()
    if unknown := set(asked.sections) - set(sections):
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    cv2.setNumThreads(1)  # so that CPU time is comparable
    start = time.perf_counter()
    for name in asked.sections or sections:
        begun = time.perf_counter()
        print(f"\n{sections[name].TITLE}{f' (thinned to one in {asked.every})' if asked.every > 1 else ''}", flush=True)
        for line in sections[name].run(asked.every):
            print(line, flush=True)
        print(f"({name}: {time.perf_counter() - begun:.0f} s)", flush=True)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{time.perf_counter() - start:.0f} s in all; most memory used: {most:.0f} MB")


if __name__ == "__main__":
    main()

"""`python -m vision.bench [SECTION…]`: recognition beside the peers' ways, on the same pictures in the same run."""

import argparse
import resource
import time
from typing import Any

import cv2

from vision.bench import curves, cuts, free, many, set_photos, speed, timing

SECTIONS: dict[str, Any] = {
    "photos": set_photos,
    "cuts": cuts,
    "free": free,
    "curves": curves,
    "many": many,
    "timing": timing,
    "speed": speed,
}
"""Each has a TITLE, and `run(every)` that gives its table line by line."""


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m vision.bench", description=__doc__)
    asked.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all if none is named")
    asked.add_argument("--every", type=int, default=1, metavar="N", help="on a busy machine: one picture or card of N")
    wish = asked.parse_args()
    if unknown := set(wish.sections) - set(SECTIONS):
        asked.error(f"there is no section {', '.join(sorted(unknown))}")
    cv2.setNumThreads(1)  # so that CPU time is comparable
    start = time.perf_counter()
    for name in wish.sections or SECTIONS:
        begun = time.perf_counter()
        print(f"\n{SECTIONS[name].TITLE}{f' (thinned to one in {wish.every})' if wish.every > 1 else ''}", flush=True)
        for line in SECTIONS[name].run(wish.every):
            print(line, flush=True)
        print(f"({name}: {time.perf_counter() - begun:.0f} s)", flush=True)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\n{time.perf_counter() - start:.0f} s in all; most memory used: {most:.0f} MB")


if __name__ == "__main__":
    main()

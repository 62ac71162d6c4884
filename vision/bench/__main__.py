"""`python -m vision.bench`: recognition beside the peers' ways, on photographs and on drawn cards."""

import argparse
import resource
from pathlib import Path

from vision.bench import curves, set_photos, speed


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m vision.bench", description=__doc__)
    asked.add_argument("--photos", type=Path, default=Path("../shared/photos/set"), help="folder of SET photographs")
    asked.add_argument("--every", type=int, default=1, help="measure every n-th photograph only")
    asked.add_argument("--splits", type=int, default=3, help="how often 30 %% of the gallery are left out")
    asked.add_argument("--cards", type=int, default=100, help="drawn cards for each point of a curve")
    wish = asked.parse_args()
    if wish.photos.is_dir():
        print("SET photographs, one reference a card", flush=True)
        print(set_photos.table(set_photos.photos(wish.photos), wish.every, wish.splits), flush=True)
    else:
        print(f"{wish.photos} is not there: photographs are not measured.")
    print("\nDrawn cards, photographed worse and worse: right / unsure / wrong", flush=True)
    for line in curves.lines(wish.cards):
        print(line, flush=True)
    print("\nTime", flush=True)
    for line in speed.lines():
        print(line, flush=True)
    print(f"\nMost memory used: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()

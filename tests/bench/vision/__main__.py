"""`python -m tests.bench.vision [SECTION…]` (`make bench-vision`): everything that `vision.bench` measures, and whole
tables of the games, which vision itself knows nothing of."""

from tests.bench.vision import curves, many, rooms, timing
from vision.bench.__main__ import SECTIONS, main

if __name__ == "__main__":
    main({**SECTIONS, "curves": curves, "many": many, "rooms": rooms, "timing": timing})

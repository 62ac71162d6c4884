"""Thousands of cards on the games' own tables, watched as in a match: is any of them named wrongly?

The cards come in parts, each with a seed of its own, so that a run can be thinned or gone on with:
`python -m tests.bench.vision.many --first 40 --parts 10` reads the cards of seeds 40 to 49.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import groupby
from typing import NamedTuple

import numpy as np
from msgspec import structs

from tests.bench.vision.full_tables import PLAYERS, USUAL, Conditions, FullTable, Tally, tally
from vision.bench.pool import on_all_cores
from vision.simulation.scene import DAY

TITLE = "Thousands of cards of every game at default settings, and some seen a little worse: wrong, unsure"
PART = 100
"""Cards of a part, at least: the last table is read to its end."""
PARTS = 25
"""Of every game at default settings."""
FEWER = 5
"""Of every game where it is seen worse."""
SEEN: Mapping[str, Conditions] = {
    "as usual": USUAL,
    "1.3 pixels per mm": replace(USUAL, ppmm=1.3),
    "noise of 8 levels": replace(USUAL, light=structs.replace(DAY, noise=8.0)),
    "a warm lamp": replace(USUAL, light=structs.replace(DAY, level=0.8, slope=0.25, cast=(0.75, 0.95, 1.1))),
}


class Part(NamedTuple):
    seen: str
    game: str
    seed: int


def read(part: Part) -> Tally:
    """The same cards in the same pictures whenever it is asked."""
    table = _table(part.game, part.seen)
    table.noise = np.random.default_rng(part.seed)
    return tally(table, part.seed, cards=PART)


@cache
def _table(game: str, seen: str) -> FullTable:
    return FullTable(game, seen=SEEN[seen])


def run(every: int = 1) -> Iterator[str]:
    counts = {seen: max(1, (PARTS if seen == "as usual" else FEWER) // every) for seen in SEEN}
    yield from told(counts, 1)


def told(counts: Mapping[str, int], first: int) -> Iterator[str]:
    """So many parts of every game in each condition: a line for each, whatever is wrong or unsure below it, and the
    sums."""
    parts = [Part(seen, name, first + k) for seen, count in counts.items() for name in PLAYERS for k in range(count)]
    done = zip(parts, on_all_cores(read, parts), strict=True)
    sums = {seen: Tally() for seen in counts}
    yield f"{'seen':18} {'game':12} {'cards':>7} {'wrong':>7} {'unsure':>7}"
    for (seen, name), group in groupby(done, lambda pair: pair[0][:2]):
        found, notes = Tally(), list[str]()
        for part, one in group:
            found += one
            for word, which in (("wrong", one.wrong), ("unsure", one.unsure)):
                notes += [f"    {word}, seed {part.seed}: {line}" for line in which]
        sums[seen] += found
        yield _row(seen, name, found)
        yield from notes
    for seen, whole in sums.items():
        yield _row(seen, "all", whole)


def _row(seen: str, name: str, found: Tally) -> str:
    return f"{seen:18} {name:12} {found.cards:7} {len(found.wrong):7} {len(found.unsure):7}"


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.bench.vision.many", description=TITLE)
    asked.add_argument("--seen", action="append", choices=SEEN, help="how the table is seen; all ways if none is named")
    asked.add_argument("--first", type=int, default=1, metavar="SEED", help="the first part's seed")
    asked.add_argument("--parts", type=int, default=PARTS, help=f"of {PART} cards, for every game")
    wish = asked.parse_args()
    for line in told(dict.fromkeys(wish.seen or SEEN, wish.parts), wish.first):
        print(line, flush=True)


if __name__ == "__main__":
    main()

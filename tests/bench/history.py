"""How the history does with 10, 1,000 and 100,000 matches: reading, listing, filtering, opening, counting.

`make bench-history` (COUNTS="10 1000" for less). The kifus are transcripts of all four games with names and days of
their own; one in a thousand is broken. Time and memory are told beside those of the smallest number, as ratios. Memory
is what Python has allocated at its highest, over what it had before.
"""

import os
import random
import re
import shutil
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.history import listing
from companion.history.library import MatchLibrary
from companion.history.listing import ALL, WantedMatches
from companion.history.standings import head_to_head, people, standings
from companion.record import kifu
from tests.web.evening import SETTINGS, Evening
from web.app import create_app

KIFU = Path(__file__).parents[1] / "kifu"
PLAYED = (
    "sen_so/first-match",
    "sen_so/conceded",
    "san_ni_ichi/conceded",
    "senjutsu/wounds-and-decks",
    "sensu/conceded",
)
PEOPLE = 200
REPEAT = 5


def make(folder: Path, count: int) -> None:
    """So many matches, begun one every three minutes. What is there already stays."""
    chance = random.Random(count)
    texts = [(path.split("/")[0], *_with_gaps((KIFU / f"{path}.kifu").read_text())) for path in PLAYED]
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(len(os.listdir(folder)), count):
        game, text, players = texts[number % len(texts)]
        for gap, new in enumerate(chance.sample(range(PEOPLE), players)):
            text = text.replace(f"@{gap}@", f"P{new:03}")
        if number % 1000 == 7:
            text = text[: len(text) // 2] + "\n{}\n"
        began = time.strftime("%Y-%m-%d-%H%M%S", time.gmtime(1_000_000_000 + 180 * number))
        (folder / f"{began}-{game}.kifu").write_text(text)


def _with_gaps(text: str) -> tuple[str, int]:
    """A transcript with gaps where the players' names stand, and how many players it has."""
    header = next(kifu.read(text.encode())).line
    assert isinstance(header, kifu.Header)
    for gap, player in enumerate(header.players):
        text = re.sub(rf"(?<=[\".]){player}(?=[\".])", f"@{gap}@", text)
    return text, len(header.players)


def measured(what: Callable[[], Any], repeat: int = REPEAT) -> tuple[float, float]:
    """Seconds, the middle of several; megabytes at the highest, of one more run."""
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        what()
        times.append(time.perf_counter() - began)
    tracemalloc.start()
    what()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return sorted(times)[len(times) // 2], peak / 2**20


def rows(data: Path) -> dict[str, tuple[float, float]]:
    library = MatchLibrary(data)
    began = time.perf_counter()
    library.refresh()
    found = {"read every kifu (once)": (time.perf_counter() - began, float("nan"))}
    before = _answers(library)
    total = library.find(ALL).total
    some = library.find(ALL, total // 2).matches[0]
    player = some.seats[0].name
    found |= {
        "start: look for changes": measured(lambda: MatchLibrary(data).refresh(), 3),
        "list, first page": measured(lambda: (library.refresh(0.25), library.find(ALL))),
        "list, last page": measured(lambda: library.find(ALL, max(0, total - 50))),
        "filter by game": measured(lambda: library.find(WantedMatches(game="sensu"))),
        "filter by player": measured(lambda: library.find(WantedMatches(player=player))),
        "filter by day": measured(lambda: library.find(WantedMatches(day=some.began[:10]))),
        "open a match, last moment": measured(lambda: _open(data, library, some.name)),
        "standings of an evening": measured(lambda: standings(library.index, WantedMatches(day=some.began[:10]))),
        "standings of all": measured(lambda: standings(library.index, ALL)),
        "one person": measured(lambda: people(library.index, ALL, player)),
        "head to head": measured(lambda: head_to_head(library.index, player, some.seats[-1].name)),
    }
    with served(data) as get:
        found |= {
            "the page /history": measured(lambda: get("/history")),
            "the page of a match": measured(lambda: get(f"/history/{some.name}")),
            "the page /people": measured(lambda: get("/people")),
        }
    broken = len(listing.faults(library.index))
    expected = len(range(7, total, 1000))
    print(
        f"  broken kifus named: {broken} of {expected}; index {(data / 'history.sqlite').stat().st_size / 2**20:.1f} MB"
    )
    if total <= int(os.environ.get("REBUILD", "1000")):
        library.index.rebuild()
        library.refresh()
        print("  thrown away and rebuilt, the same answers:", _answers(library) == before)
    library.close()
    return found


@contextmanager
def served(data: Path) -> Iterator[Callable[[str], None]]:
    """The pages of a table with these matches, asked for without a network in between."""
    client = create_app(Evening().service, replace(SETTINGS, data=data)).test_client()

    def get(path: str) -> None:
        assert client.get(path).status_code == 200, path

    get("/history")  # the index is opened and compared with the folder once
    yield get


def _open(data: Path, library: MatchLibrary, name: str) -> None:
    library._told.clear()
    told = library.open(name)
    if told.then:
        told.page(told.then[-1])


def _answers(library: MatchLibrary) -> Any:
    everything = library.find(ALL, count=10**6)
    return everything, standings(library.index, ALL), people(library.index, ALL), listing.faults(library.index)


def main(counts: list[int]) -> None:
    found: dict[int, dict[str, tuple[float, float]]] = {}
    for count in counts:
        data = Path(tempfile.mkdtemp(prefix="shinpan-history-"))
        try:
            made = time.perf_counter()
            make(data / "matches", count)
            print(f"{count} matches (made in {time.perf_counter() - made:.0f} s)", flush=True)
            found[count] = rows(data)
        finally:
            shutil.rmtree(data)
    least = counts[0]
    print("\n| | " + " | ".join(f"{count:,}" for count in counts) + " | ratio of time | ratio of memory |")
    print("|---|" + "---|" * (len(counts) + 2))
    for name in found[least]:
        cells = [f"{1000 * found[count][name][0]:.1f} ms, {found[count][name][1]:.2f} MB" for count in counts]
        first, last = found[least][name], found[counts[-1]][name]
        print(f"| {name} | " + " | ".join(cells) + f" | {last[0] / first[0]:.1f} | {last[1] / first[1]:.1f} |")


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [10, 1000, 100_000])

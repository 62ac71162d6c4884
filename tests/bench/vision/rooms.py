"""Tables in harsh rooms: every game and deck, every dial of the room, on many grounds.

Every table is measured empty. Then the room changes, and cards are laid several times, as people lay them; where a game
has holders, some places have an empty one. Counted are cards that were read right, doubted, lost or read wrong, and
empty places in which something was seen. The peers' methods get each single card that lies face up cut out at its true
place, which is more than any of them would have in a room; rows they cannot read at all.

Results are kept, one line for each point of the grid, so that a run can be stopped, gone on with and shared by several
processes: `python -m tests.bench.vision.rooms FILE --seeds 101 102 103` measures what is not in the file yet, and
`--only "Sen So" clutter` narrows it. `--table` only prints what is there.
"""

import argparse
import fcntl
import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import NamedTuple, TextIO

import cv2

from companion.core.layout import Layout, Sight, Zone
from tests.bench.vision.full_tables import LaidCard, Tally
from tests.bench.vision.harsh_table import Arm, HarshCamera, Lamp, Room, Thing
from tests.bench.vision.room_tables import TABLES, RoomTable
from vision.bench.peers import Features, MarginHash, Method, StatisticalHash
from vision.bench.pool import on_all_cores
from vision.calibration.calibrate import CalibrationFailed
from vision.calibration.projection import corners, rigid_transform
from vision.detection.card_finder import rectify
from vision.pictures import Image
from vision.watching.watcher import Watcher

TITLE = "Tables in harsh rooms: right / doubt / lost / wrong of the cards; +n: empty places in which a card was seen"
FRAMES, BESIDE_A_HAND = 16, 34  # in which a table that was laid has to be read
HIDDEN = 0.03  # part of a place under a hand
LAYINGS = 3  # of each table
PEERS: tuple[type[Method], ...] = (StatisticalHash, MarginHash, Features)
GROUNDS = ("wood", "art", "cloth", "dark wood", "pale wood", "red cloth", "stone", "checks", "black")
"""On the first four limits were chosen."""

Change = Callable[[Room, Layout], Room]


@dataclass(frozen=True)
class Condition:
    """A room in which a table is measured, and what becomes of it."""

    measured: Room
    change: Change = lambda room, _: room
    clutter: bool = False
    """Coaster, phone and dice where no card lies, and a hand at rest."""
    moved: float = 0.0
    """Millimetres by which holders are pushed about after the table was measured with the holders on it."""
    sleeves: bool = False


def _light(**dials: float) -> Change:
    return lambda room, _: replace(room, **dials)  # type: ignore[arg-type]


def _lamp(power: float, kelvin: float) -> Change:
    return lambda room, layout: replace(room, lamps=(Lamp(-150, layout.height + 100, 500, power, kelvin),))


def _shadow(broad: float, depth: float, softness: float, reach: float) -> Change:
    def cast(room: Room, layout: Layout) -> Room:
        across = 0.45 * layout.width
        bar = (across, -300.0, across + 40, reach * layout.height, broad, depth)
        return replace(room, shadows=(bar,), softness=softness)

    return cast


def conditions(ground: str, seed: int, more: float = 1.0) -> Mapping[str, Condition]:
    """The grid of dials on one ground; `more` makes every dial a little stronger or weaker."""
    room = Room(ground=ground, seed=seed)
    return {
        "good light": Condition(room),
        "lamp switched on": Condition(room, _lamp(1.0 * more, 2700)),
        "lamp and gain": Condition(room, lambda r, t: replace(_lamp(2.5 * more, 2900)(r, t), gain=1, stops=-1.0)),
        "lamp switched off": Condition(room, _light(stops=-2.0 * more)),
        "dusk, four stops": Condition(room, _light(stops=-4.0, kelvin=3500)),
        "brighter, one stop": Condition(room, _light(stops=1.0 * more)),
        "candle": Condition(room, _light(stops=-2.0, kelvin=1900, follows=0.6)),
        "candle to daylight": Condition(replace(room, kelvin=1900), _light(kelvin=6500)),
        "dim, high gain": Condition(room, _light(stops=-4.0 * more, follows=0.8)),
        "dim all evening": Condition(replace(room, stops=-4.0 * more, follows=0.8)),
        "flicker": Condition(replace(room, flicker=0.04 * more)),
        "person leans in": Condition(room, _shadow(320, 0.35 * more, 80, 0.30)),
        "shadow of an arm": Condition(room, _shadow(70, 0.45 * more, 20, 0.35)),
        "clutter": Condition(room, clutter=True),
        "holders moved": Condition(room, moved=4.0 * more),
        "sleeves": Condition(room, sleeves=True),
        "sleeves that shine": Condition(replace(room, shine=0.5 * more), sleeves=True),
        "shine": Condition(replace(room, shine=0.5 * more, glossy_markers=True)),
        "soft focus": Condition(replace(room, blur=2.1 * more)),
        "wide lens, 120": Condition(replace(room, field=120, bend=0.45)),
        "wide lens, 100": Condition(replace(room, field=100, bend=0.6 * more)),
        "tilt, 45 degrees": Condition(replace(room, tilt=45.0)),
        "720p": Condition(replace(room, size=(1280, 720))),
        "4K": Condition(replace(room, size=(3840, 2160))),
        "poor JPEG": Condition(replace(room, jpeg=45)),
        "sharpening camera": Condition(replace(room, sharpened=1.2, smeared=True)),
        "small markers": Condition(replace(room, marker_size=0.97)),
        "large markers": Condition(replace(room, marker_size=1.04)),
        "three markers": Condition(replace(room, markers=(0, 1, 3))),
    }


class Point(NamedTuple):
    """A table in a room. Ground and strength of the dials follow from the seed."""

    table: str
    condition: str
    seed: int

    def room(self) -> Condition:
        more = 0.9 + 0.05 * (self.seed % 5)
        return conditions(GROUNDS[self.seed % len(GROUNDS)], self.seed, more)[self.condition]


@dataclass
class Counted:
    """What became of the cards."""

    right: int = 0
    doubt: int = 0
    lost: int = 0
    wrong: int = 0
    empty: int = 0
    ghosts: int = 0
    """Empty places in which a card was seen."""
    off: float = 0.0
    """Millimetres by which the calibration was off at the card places, at most."""
    said: set[str] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    peers: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def cards(self) -> int:
        return self.right + self.doubt + self.lost + self.wrong

    def __iadd__(self, other: "Counted") -> "Counted":
        for count in ("right", "doubt", "lost", "wrong", "empty", "ghosts"):
            setattr(self, count, getattr(self, count) + getattr(other, count))
        self.off = max(self.off, other.off)
        self.said |= other.said
        self.notes += other.notes
        for name, found in other.peers.items():
            self.peers[name] = self.peers.get(name, Counter()) + found
        return self

    def __str__(self) -> str:
        if not self.cards:
            return "; ".join(self.said)
        return f"{self.right}/{self.doubt}/{self.lost}/{self.wrong}" + f" +{self.ghosts}" * bool(self.ghosts)


def measure(point: Point) -> Counted:
    condition, found = point.room(), Counted()
    try:
        table = RoomTable(point.table, condition.measured, holders=condition.moved > 0, sleeves=condition.sleeves)
    except CalibrationFailed as problem:
        found.said.add(str(problem.message))
        return found
    found.off = table.error()
    watcher = Watcher(table.layout, table.recogniser, table.measured)
    for _ in range(5):
        watcher.look(table.eye.frame([]), 0.0)
    eye = table.eye.relit(condition.change(condition.measured, table.layout))
    rng, sight = Random(point.seed), None
    for laying in range(LAYINGS):
        things, laid = table.lay(rng, moved=condition.moved, clutter=condition.clutter)
        frames = BESIDE_A_HAND if any(isinstance(thing, Arm) for thing in things) else FRAMES
        sight = _watched(watcher, eye, things, frames) or sight
        found.said |= {str(watcher.notice)} if watcher.notice else set()
        hidden = _under_a_hand(table, eye, things)
        _count(table, {name: cards for name, cards in laid.items() if name not in hidden}, sight, found)
        if not laying:
            _ask_peers(table, eye, things, laid, found)
    return found


def _watched(watcher: Watcher, eye: HarshCamera, things: list[Thing | Arm], frames: int) -> Sight | None:
    """The last news of these things, when nothing is left to be read."""
    news = None
    for frame in range(frames):
        news = watcher.look(eye.frame(things), 0.0) or news
        if frames == FRAMES and frame > watcher.still + 2 and watcher.settled:
            break
    return news


def _under_a_hand(table: RoomTable, eye: HarshCamera, things: list[Thing | Arm]) -> set[str]:
    """The places of which a hand at rest hides so much that nobody could tell what lies there."""
    arms = [thing for thing in things if isinstance(thing, Arm)]
    return {
        zone.name
        for zone in table.layout.zones
        for arm in arms
        if eye.hides(arm, rigid_transform(corners(*_size(table, zone)), zone.x, zone.y, zone.turn)) > HIDDEN
    }


def _size(table: RoomTable, zone: Zone) -> tuple[float, float]:
    return (zone.width, zone.height) if zone.holds == "row" else table.layout.card


def _count(table: RoomTable, laid: Mapping[str, list[LaidCard]], sight: Sight | None, found: Counted) -> None:
    for zone in table.layout.zones:
        if zone.name not in laid:
            continue
        seen = sight.zones.get(zone.name) if sight else None
        if not laid[zone.name]:
            found.empty += 1
            found.ghosts += bool(seen)
            continue
        one = Tally()
        table.compare(zone, laid[zone.name], seen, one)
        lost = sum("nothing seen" in slip for slip in one.wrong)
        found += Counted(
            one.cards - len(one.wrong) - len(one.unsure),
            len(one.unsure),
            lost,
            len(one.wrong) - lost,
            notes=one.wrong + one.unsure,
        )


def _ask_peers(
    table: RoomTable, eye: HarshCamera, things: list[Thing | Arm], laid: Mapping[str, list[LaidCard]], found: Counted
) -> None:
    """The same cards in the same picture, if they lie alone and face up."""
    if any(zone.holds == "row" for zone in table.layout.zones):
        return
    single = {(zone.x, zone.y): laid[zone.name][-1] for zone in table.layout.zones if laid[zone.name]}
    frame = eye.frame(things)
    for thing in things:
        if not isinstance(thing, Thing) or thing.size != table.layout.card:
            continue
        near = min(single, key=lambda at: (at[0] - thing.x) ** 2 + (at[1] - thing.y) ** 2)
        card = single[near]
        if not card.face_up:
            continue
        cut = _cut_out(frame, eye, thing)
        for method in _peers(table.recogniser.gallery.deck, table):
            answer = method.read(cut)
            became = ("right" if answer.card == card.card else "wrong") if answer.sure else "doubt"
            found.peers.setdefault(method.name, Counter())[became] += 1


def _cut_out(frame: Image, eye: HarshCamera, card: Thing) -> Image:
    outline = rigid_transform(corners(*card.size), card.x, card.y, card.turn)
    return rectify(frame, eye.pixels(outline), card.size)


_methods: dict[str, list[Method]] = {}


def _peers(deck: str, table: RoomTable) -> list[Method]:
    if deck not in _methods:
        _methods[deck] = [method(table.recogniser.gallery) for method in PEERS]
    return _methods[deck]


# --- results that are kept --------------------------------------------------------------------------------------------


def points(seeds: Iterable[int]) -> list[Point]:
    """The grid, one seed after the other; shuffled, so that a run that is stopped early is a fair sample of it."""
    found = []
    for seed in seeds:
        grid = [
            Point(table, condition, seed)
            for condition in conditions("wood", 1)
            for table in TABLES
            if ("holders" not in condition or TABLES[table].game == "sen_so") and RoomTable.can_be_laid(table)
        ]
        found += Random(seed).sample(grid, len(grid))
    return found


def kept(file: TextIO) -> dict[Point, Counted]:
    file.seek(0)
    found = {}
    for line in file:
        point, counts = json.loads(line)
        counts |= {"said": set(counts["said"]), "peers": {n: Counter(c) for n, c in counts["peers"].items()}}
        found[Point(*point)] = Counted(**counts)
    return found


def go_on(path: Path, wanted: Iterable[Point]) -> Iterator[tuple[Point, Counted]]:
    """Measure what is neither in the file nor claimed by another process."""
    with path.open("a+") as file:
        for point in wanted:
            if point in kept(file) or not (claim := _claim(path, point)):
                continue
            with claim:
                found = measure(point)
                line = json.dumps([point, vars(found) | {"said": sorted(found.said)}])
                file.write(line + "\n")
                file.flush()
            yield point, found


def _claim(path: Path, point: Point) -> TextIO | None:
    """A lock that this process holds on a point while it measures it; None if another one does."""
    lock = path.with_suffix(".lock").open("a")
    try:
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, zlib.crc32(repr(point).encode()))
    except OSError:
        lock.close()
        return None
    return lock


# --- tables -----------------------------------------------------------------------------------------------------------


def pivot(found: Mapping[Point, Counted]) -> Iterator[str]:
    """A line for each dial, a column for each table; the sums, and what the peers make of the single cards."""
    tables = [table for table in TABLES if any(point.table == table for point in found)]
    yield f"{'room':20} " + " ".join(f"{table:>20}" for table in tables)
    for condition in conditions("wood", 1):
        yield f"{condition:20} " + " ".join(f"{_cell(found, table, condition):>20}" for table in tables)
    whole = _sum(found.values())
    yield f"{'all':20} " + " ".join(f"{_cell(found, table, None):>20}" for table in tables)
    yield (
        f"{whole.cards} cards: {whole.right} right, {whole.doubt} doubts, {whole.lost} lost, {whole.wrong} wrong;"
        f" {whole.ghosts} of {whole.empty} empty places taken for a card"
    )
    for name, counts in whole.peers.items():
        of_all = max(1, counts.total())
        shares = " / ".join(f"{100 * counts[each] / of_all:.1f}" for each in ("right", "doubt", "wrong"))
        yield f"{name:22} {shares} per cent right / doubt / wrong of {of_all} single cards that were cut out for it"


def _cell(found: Mapping[Point, Counted], table: str, condition: str | None) -> str:
    return str(
        _sum(
            counted for point, counted in found.items() if point.table == table and condition in (None, point.condition)
        )
    )[:20]


def _sum(counted: Iterable[Counted]) -> Counted:
    whole = Counted()
    for each in counted:
        whole += each
    return whole


def run(every: int = 1) -> Iterator[str]:
    wanted = points(range(101, 103))[::every]
    found = dict(zip(wanted, on_all_cores(measure, wanted), strict=True))
    yield from pivot(found)
    for point, counted in found.items():
        if counted.wrong:
            yield f"    {point}: {'; '.join(counted.notes)}"


def main() -> None:
    asked = argparse.ArgumentParser(prog="python -m tests.bench.vision.rooms", description=TITLE)
    asked.add_argument("file", type=Path, help="where results are kept, a line for each point")
    asked.add_argument("--seeds", type=int, nargs="*", default=[101], help="each means a ground and what is random")
    asked.add_argument("--only", nargs="*", default=(), metavar="NAME", help="these tables and conditions")
    asked.add_argument("--table", action="store_true", help="measure nothing; print what is in the file")
    wish = asked.parse_args()
    cv2.setNumThreads(1)
    if wish.table:
        with wish.file.open() as file:
            for line in pivot(kept(file)):
                print(line)
        return
    tables = [name for name in wish.only if name in TABLES] or list(TABLES)
    rooms = [name for name in wish.only if name not in TABLES]
    wanted = [
        point for point in points(wish.seeds) if point.table in tables and (not rooms or point.condition in rooms)
    ]
    for point, found in go_on(wish.file, wanted):
        print(f"{point.table:20} {point.condition:20} {point.seed:4} {found} {found.off:.1f} mm", flush=True)


if __name__ == "__main__":
    main()

"""Tables in harsh rooms: measured, then watched through a change of light or with other things on them.

Every table is measured empty. Then the room changes, and cards are laid twice, as people lay them; where a game has
holders, a third of the places have an empty one. Counted are cards that were read right, doubted, lost or read wrong,
and empty places in which something was seen. `HELD_OUT` uses grounds, seeds and strengths that nothing was tuned on.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import NamedTuple

import numpy as np

from companion.core.layout import Layout, Sight, Zone
from companion.games import game
from companion.record.match import Match
from tests.bench.vision.full_tables import PLAYERS, USUAL, FullTable, LaidCard, Tally, _reader
from tests.bench.vision.harsh_table import Arm, HarshCamera, Lamp, Room, Thing, coaster, die, phone, printed
from vision.bench.pool import on_all_cores
from vision.calibration.calibrate import CalibrationFailed, calibrate, estimate_distortion
from vision.watching.watcher import Watcher

TITLE = "Tables in harsh rooms: right / doubt / lost / wrong of the cards; seen in empty places"
FRAMES = 16

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
        "soft focus": Condition(replace(room, blur=2.1 * more)),
        "wide lens, 120": Condition(replace(room, field=120, bend=0.45)),
        "wide lens, 100": Condition(replace(room, field=100, bend=0.6 * more)),
        "tilt, 45 degrees": Condition(replace(room, tilt=45.0)),
        "shine": Condition(replace(room, shine=0.5 * more, glossy_markers=True)),
        "small markers": Condition(replace(room, marker_size=0.97)),
        "large markers": Condition(replace(room, marker_size=1.04)),
        "three markers": Condition(replace(room, markers=(0, 1, 3))),
    }


TUNED = [("wood", 1, 1.0), ("art", 2, 1.0), ("cloth", 3, 1.0), ("dark wood", 4, 1.0)]
HELD_OUT = [("pale wood", 101, 0.9), ("red cloth", 102, 1.1), ("stone", 103, 1.1), ("checks", 104, 0.9)]


class Point(NamedTuple):
    game: str
    ground: str
    seed: int
    more: float
    condition: str


class Seen(NamedTuple):
    found: Tally
    lost: int
    empty: int
    ghosts: int
    error: float
    said: str

    def __str__(self) -> str:
        if not self.found.cards:
            return self.said
        wrong, doubt = len(self.found.wrong) - self.lost, len(self.found.unsure)
        right = self.found.cards - wrong - doubt - self.lost
        counts = f"{right}/{doubt}/{self.lost}/{wrong} of {self.found.cards}; {self.ghosts} of {self.empty}"
        return f"{counts}; {self.error:.1f} mm" + (f"; {self.said}" if self.said else "")


class HarshTable(FullTable):
    """One game's table in a harsh room."""

    def __init__(self, name: str, condition: Condition) -> None:
        self.seen, self.condition = USUAL, condition
        rules = game(name)
        state = Match(rules, list("ABCDEF")[: PLAYERS[name]]).state
        self.layout, self.deck = rules.table.layout(state), rules.table.deck(state)
        self.eye = HarshCamera(self.layout, condition.measured)
        holders = self._holders(Random(1), 0.0) if condition.moved else []
        picture = self.eye.frame(holders)
        lens = estimate_distortion(picture, self.layout.width, self.layout.height)
        self.measured = calibrate(picture, self.layout, lens)
        self.recogniser = _reader(name)
        self._upright = {}

    def _holders(self, rng: Random, slip: float) -> list[Thing]:
        holder = self.layout.holder
        if holder is None:
            return []
        off = partial(rng.uniform, -slip, slip)
        return [printed(holder, zone.x + off(), zone.y + off(), zone.turn + off()) for zone in self.layout.zones]

    def error(self) -> float:
        """How many millimetres the calibration is off at the card places, at most."""
        at = np.array([(zone.x, zone.y) for zone in self.layout.zones])
        return float(np.linalg.norm(self.measured.projection.millimetres(self.eye.pixels(at)) - at, axis=1).max())

    def lay(self, rng: Random) -> tuple[list[Thing | Arm], dict[str, list[LaidCard]]]:
        """Cards on two thirds of the places; an empty holder on half of the others."""
        table, laid = self.fill(rng)
        rest = [zone for zone in self.layout.zones if rng.random() < 0.35]
        for zone in rest:
            table.cards[zone.name], laid[zone.name] = [], []
        things: list[Thing | Arm] = []
        holder = self.layout.holder
        if self.condition.moved:
            things += self._holders(rng, self.condition.moved)
        elif holder is not None:
            in_use = [(one.x, one.y, one.zone_turn) for one in table.things()]
            empty = [(zone.x + rng.uniform(-3, 3), zone.y + rng.uniform(-3, 3), zone.turn) for zone in rest[::2]]
            things += [printed(holder, *place) for place in in_use + empty]
        things += self._clutter(rng, rest) if self.condition.clutter else []
        for one in table.things():
            face = self.deck.cards[one.card].face if one.face_up else self.deck.back
            things.append(printed(face, one.x, one.y, one.turn))
        return things, laid

    def _clutter(self, rng: Random, rest: list[Zone]) -> list[Thing | Arm]:
        things: list[Thing | Arm] = []
        for kind, zone in enumerate(rest):
            x, y = zone.x + rng.uniform(-8, 8), zone.y + rng.uniform(-8, 8)
            match kind % 4:
                case 0:
                    things.append(coaster(x, y, kind))
                case 1:
                    things.append(phone(x, y, zone.turn + rng.choice([0, 90, 20]), lit=rng.random() < 0.5))
                case 2:
                    things += [die(x + dx, y - dx, rng.randint(1, 6), rng.uniform(0, 90)) for dx in (-20, 5, 24)]
                case 3:
                    edge = (x, -60.0) if y < self.layout.height / 2 else (x, self.layout.height + 60)
                    things.append(Arm(x, y, *edge, height=12))
        return things


def measure(point: Point) -> Seen:
    condition = conditions(point.ground, point.seed, point.more)[point.condition]
    try:
        table = HarshTable(point.game, condition)
    except CalibrationFailed as problem:
        return Seen(Tally(), 0, 0, 0, 0.0, str(problem.message))
    watcher = Watcher(table.layout, table.recogniser, table.measured)
    for _ in range(5):
        watcher.look(table.eye.frame([]), 0.0)
    eye = table.eye.relit(condition.change(condition.measured, table.layout))
    rng, found, lost, empty, ghosts = Random(point.seed), Tally(), 0, 0, 0
    sight: Sight | None = None
    said: set[str] = set()
    for _ in range(2):
        things, laid = table.lay(rng)
        for _ in range(FRAMES):
            news = watcher.look(eye.frame(things), 0.0)
            sight = news or sight
        said |= {str(watcher.notice)} if watcher.notice else set()
        for zone in table.layout.zones:
            seen = sight.zones.get(zone.name) if sight else None
            if laid[zone.name]:
                one = Tally()
                table.compare(zone, laid[zone.name], seen, one)
                lost += sum("nothing seen" in slip for slip in one.wrong)
                found += one
            else:
                empty += 1
                ghosts += bool(seen)
    return Seen(found, lost, empty, ghosts, table.error(), "; ".join(sorted(said)))


def run(every: int = 1) -> Iterator[str]:
    games = [name for name in ("sen_so", "san_ni_ichi", "sensu", "senjutsu") if name in PLAYERS]
    for title, grounds in (("tuned on", TUNED), ("held out", HELD_OUT)):
        points = [
            Point(name, *ground, condition)
            for name in games
            for ground in grounds
            for condition in conditions(*ground)
            if "holders" not in condition or name == "sen_so"
        ][:: max(1, every)]
        for point, seen in zip(points, on_all_cores(measure, points), strict=True):
            yield f"{title:9} {point.game:12} {point.ground:10} {point.condition:20} {seen}"

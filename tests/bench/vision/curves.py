"""Accuracy over resolution, blur, noise, light, glare, tilt and overlap: whole tables of the games' own cards,
one condition made worse at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from random import Random
from typing import NamedTuple

from msgspec import structs

from tests.bench.vision.full_tables import PLAYERS, USUAL, Conditions, FullTable, Tally
from vision.bench.pool import on_all_cores
from vision.calibration.calibrate import CalibrationFailed
from vision.simulation.scene import DAY
from vision.watching.zone_reader import NotACard

CARDS = 40
"""Cards for each point of a curve, at least."""
TITLE = "Full tables of every game, seen worse and worse: right / unsure / wrong, per cent of the cards"


CURVES: Mapping[str, Mapping[str, Conditions]] = {
    "pixels per mm": {f"{value:g}": replace(USUAL, ppmm=value) for value in (2.2, 1.6, 1.2, 1.0)},
    "blur, pixels": {f"{value:g}": replace(USUAL, blur=value) for value in (0.6, 1.0, 1.5, 2.0)},
    "noise, levels": {
        f"{value:g}": replace(USUAL, light=structs.replace(DAY, noise=value)) for value in (6.0, 12.0, 20.0)
    },
    "light, level": {
        f"{value:g}": replace(USUAL, light=structs.replace(DAY, level=value)) for value in (0.6, 0.4, 0.25)
    },
    "warm and uneven": {
        f"{value:g}": replace(USUAL, light=structs.replace(DAY, slope=value, cast=(1 - value, 1.0, 1 + value / 3)))
        for value in (0.2, 0.35, 0.5)
    },
    "glare": {f"{value:g}": replace(USUAL, glare=value) for value in (0.3, 0.6, 0.9)},
    "tilt, degrees": {f"{value:g}": replace(USUAL, tilt=value) for value in (0.0, 20.0, 30.0, 40.0)},
    "overlap, mm shown": {f"{value:g}": replace(USUAL, strip=value) for value in (16.0, 12.0, 9.0, 7.0)},
}


class Point(NamedTuple):
    game: str
    curve: str
    value: str


class Measured(NamedTuple):
    found: Tally
    by_day: bool = False

    def __str__(self) -> str:
        if not self.found.cards:
            return "not measured"
        wrong, unsure = len(self.found.wrong), len(self.found.unsure)
        parts = (self.found.cards - wrong - unsure, unsure, wrong)
        shares = "/".join(f"{100 * part / self.found.cards:.3g}" for part in parts)
        return shares + "*" * self.by_day + f" ({self.found.miscounted} rows miscounted)" * bool(self.found.miscounted)


def run(every: int = 1) -> Iterator[str]:
    points = [
        Point(game, curve, value)
        for game in PLAYERS
        for curve, steps in CURVES.items()
        if "overlap" not in curve or has_rows(game)
        for value in steps
    ]
    work = partial(measure, cards=max(10, CARDS // every))
    whole = Tally()
    for (game, curve), line in groupby(zip(points, on_all_cores(work, points), strict=True), lambda pair: pair[0][:2]):
        shown, notes = [], []
        for point, one in line:
            shown.append(f"{point.value}: {one}")
            notes += [f"    wrong, {point.value}: {what}" for what in one.found.wrong]
            whole += one.found
        yield f"{game:12} {curve:18} " + "   ".join(shown)
        yield from notes
    yield "* the markers are not to be made out like this: the table was measured by day"
    yield (
        f"{whole.cards} cards in all: {len(whole.wrong)} wrong, {len(whole.unsure)} unsure;"
        f" {whole.miscounted} rows with too few cards or too many"
    )


def has_rows(game: str) -> bool:
    return any(zone.holds == "row" for zone in FullTable(game).layout.zones)


def measure(point: Point, cards: int = CARDS, seed: int = 1) -> Measured:
    try:
        table = FullTable(point.game, seen=CURVES[point.curve][point.value])
    except CalibrationFailed:
        return Measured(Tally())
    return Measured(once(table, seed, cards), table.by_day)


def once(table: FullTable, seed: int, cards: int) -> Tally:
    """Tables filled at random and every zone looked at once, without the watcher's patience."""
    rng, found, reader = Random(seed), Tally(), table.watcher().reader
    while found.cards < cards:
        filled, laid = table.fill(rng)
        frame = table.frame(table.scene(filled))
        for zone in table.layout.zones:
            try:
                seen = reader.read(frame, zone)
            except NotACard:
                seen = ()
            table.compare(zone, laid[zone.name], seen, found)
    return found

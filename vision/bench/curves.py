"""Accuracy over resolution, blur, noise, light, glare, tilt and overlap: whole tables of the four games' own cards, one
thing made worse at a time."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random

from msgspec import structs

from vision.bench.full_tables import PLAYERS, USUAL, Conditions, FullTable, Tally
from vision.calibrate import CalibrationFailed
from vision.scene import DAY

CARDS = 30
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
    "tilt, degrees": {f"{value:g}": replace(USUAL, tilt=value) for value in (0.0, 15.0, 25.0, 35.0)},
    "overlap, mm shown": {f"{value:g}": replace(USUAL, strip=value) for value in (16.0, 12.0, 9.0, 7.0)},
}


def run(cards: int = CARDS, seed: int = 1) -> Iterator[str]:
    for name in PLAYERS:
        for curve, steps in CURVES.items():
            rows = any(zone.holds == "row" for zone in FullTable(name).layout.zones) if "overlap" in curve else True
            if rows:
                points = (f"{value}: {_point(name, seen, cards, seed)}" for value, seen in steps.items())
                yield f"{name:12} {curve:18} " + "   ".join(points)


def _point(name: str, seen: Conditions, cards: int, seed: int) -> str:
    try:
        table = FullTable(name, seen=seen)
    except CalibrationFailed as problem:
        return f"not measured ({problem})"
    found = once(table, seed, cards)
    wrong, unsure = len(found.wrong), len(found.unsure)
    shares = (100 * part / found.cards for part in (found.cards - wrong - unsure, unsure, wrong))
    return "/".join(f"{share:.0f}" for share in shares)


def once(table: FullTable, seed: int, cards: int) -> Tally:
    """Tables filled at random and every zone looked at once, without the watcher's patience."""
    rng, found, reader = Random(seed), Tally(), table.watcher().reader
    while found.cards < cards:
        filled, laid = table.fill(rng)
        frame = table.frame(table.scene(filled))
        for zone in table.layout.zones:
            found.cards += len(laid[zone.name]) if zone.holds == "row" else 1
            for told, honest in table.mistakes(zone, laid[zone.name], reader.read(frame, zone)):
                (found.unsure if honest else found.wrong).append(told)
    return found

"""How soon a reveal is read: milliseconds from the first frame without a hand to the sight that tells it.

A camera gives 30 frames a second, and frames that come while another is being read are lost. A third of a second after
the last hand has gone the referee should know what lies there. Wall time counts.
"""

import time
from collections.abc import Iterator
from math import floor, inf
from random import Random
from typing import NamedTuple

from companion.core.layout import Sight
from companion.virtual.physical_table import PhysicalTable
from tests.bench.vision.full_tables import PLAYERS, FullTable
from vision.simulation.scene import Hand, Scene

TITLE = "A reveal on every game's table, at 30 frames a second: wall time until it is read (aim: a third of a second)"
RATE = 30.0
TRIES = 3
PATIENCE = 60  # frames after which a reveal counts as never read


class TimedReveal(NamedTuple):
    """One reveal, from the first frame without a hand on. Milliseconds."""

    frames: int
    """That were looked at until the sight with every card named rightly was told; 0 if it never was."""
    waited: float
    """For the longest frame before that."""
    read: float
    """For the frame in which the zones were read."""
    work: float
    """And of CPU in that frame: on a machine that has nothing else to do the same."""
    delay: float
    """From when the first of these frames was taken to the sight, missed frames and all."""


def run(every: int = 1) -> Iterator[str]:
    for name in PLAYERS:
        table = FullTable(name)
        for _ in table.recogniser.names:
            table.recogniser.prepare()  # as a watcher has long done when the first cards are laid
        places = [zone.name for zone in table.layout.zones if zone.holds != "row"]
        for turned in (1, len(places)):
            found = [reveal(table, places, turned, seed) for seed in range(max(1, TRIES // every))]
            yield (
                f"{name:12} {turned:2} of {len(places):2} cards turned up: {max(one.frames for one in found)} frames,"
                f" {max(one.waited for one in found):.1f} ms a frame while it waits,"
                f" {max(one.read for one in found):.0f} ms to read ({max(one.work for one in found):.0f} of CPU),"
                f" {max(one.delay for one in found):.0f} ms in all"
            )


def reveal(table: FullTable, places: list[str], turned: int, seed: int) -> TimedReveal:
    """Covered cards in these places, under a hand that moves; in the frame in which it is gone so many are turned up.
    That is the worst case: at a table most of them lie still, and are read ahead, before the last hand has gone."""
    rng, watcher = Random(seed), table.watcher()
    lying = PhysicalTable(table.layout, rng)
    laid = {}
    for place in places:
        laid[place] = rng.choice(sorted(table.deck.cards))
        lying.lay(place, laid[place], face_up=False)
    scene = table.scene(lying)
    table.look(watcher, scene)
    at = lying.zones[places[0]]
    for step in range(6):
        hand = Hand(at.x, at.y - 25 * step, at.x, -150.0)
        watcher.look(table.frame(Scene(scene.cards, hands=(hand,))), 0.0)
    up = rng.sample(places, turned)
    for place in up:
        lying.turn_up(place)
    due = {place: [laid[place]] if place in up else [] for place in places}
    scene = table.scene(lying)
    waited = done = 0.0
    taken = -1  # the number of the frame that was looked at last; they come by the camera's clock, not by ours
    for looked in range(1, PATIENCE):
        taken = max(taken + 1, floor(done * RATE))
        frame = table.frame(scene)
        start, busy = time.perf_counter(), time.process_time()
        sight = watcher.look(frame, taken / RATE)
        spent, work = time.perf_counter() - start, time.process_time() - busy
        done = max(done, taken / RATE) + spent
        if sight is not None and {place: _open(sight, place) for place in places} == due:
            return TimedReveal(looked, waited, 1000 * spent, 1000 * work, 1000 * done)
        waited = max(waited, 1000 * spent)
    return TimedReveal(0, waited, inf, inf, inf)


def _open(sight: Sight, place: str) -> list[str | None]:
    """The cards that are seen face up there."""
    return [card.card for card in sight.zones.get(place, ()) if card.face_up]

"""How soon a reveal is read: frames after the last card lies still, and the work each frame takes.

A camera gives 30 frames a second. A third of a second after the last hand has gone the referee must know what lies
there: ten frames, of which the watcher waits a few for stillness and reads in one.
"""

import time
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from companion.virtual.table import VirtualTable
from vision.bench.full_tables import PLAYERS, FullTable
from vision.scene import Hand, Scene

TITLE = (
    "A reveal on every game's table: frames until it is read, at 30 frames a second (aim: within a third of a second)"
)
RATE = 30.0
TRIES = 3


class Reveal(NamedTuple):
    """One reveal, from the first frame without a hand on."""

    frames: int
    """Until the sight with all of it was told; 0 if it never was."""
    waited: float
    """CPU milliseconds of the longest frame before that."""
    read: float
    """And of the frame in which the zones were read."""

    @property
    def delay(self) -> float:
        """Milliseconds from the first still frame to the sight: the frames that passed and the work of the last."""
        return 1000 * (self.frames - 1) / RATE + self.read


def run(every: int = 1) -> Iterator[str]:
    for name in PLAYERS:
        table = FullTable(name)
        places = [zone.name for zone in table.layout.zones if zone.holds != "row"]
        for turned in (1, len(places)):
            found = [reveal(table, places, turned, seed) for seed in range(max(1, TRIES // every))]
            yield (
                f"{name:12} {turned:2} of {len(places):2} cards turned up: {max(one.frames for one in found)} frames,"
                f" {max(one.waited for one in found):.1f} ms of CPU while it waits,"
                f" {max(one.read for one in found):.0f} ms to read, {max(one.delay for one in found):.0f} ms in all"
            )


def reveal(table: FullTable, places: list[str], turned: int, seed: int) -> Reveal:
    """Covered cards in these places; so many are turned up under a hand that is then taken away."""
    rng, watcher = Random(seed), table.watcher()
    lying = VirtualTable(table.layout, rng)
    for place in places:
        lying.lay(place, rng.choice(sorted(table.deck.cards)), face_up=False)
    table.look(watcher, table.scene(lying))
    for place in rng.sample(places, turned):
        lying.turn_up(place)
    scene = table.scene(lying)
    at = lying.zones[places[0]]
    for step in range(6):
        hand = Hand(at.x, at.y - 25 * step, at.x, -150.0)
        watcher.look(table.frame(Scene(scene.cards, hands=(hand,))), 0.0)
    waited = 0.0
    for number in range(1, 2 * round(RATE)):
        frame = table.frame(scene)
        start = time.process_time()
        sight = watcher.look(frame, 0.0)
        spent = 1000 * (time.process_time() - start)
        if sight is not None and all(place in sight.zones for place in places):
            return Reveal(number, waited, spent)
        waited = max(waited, spent)
    return Reveal(0, waited, 0.0)

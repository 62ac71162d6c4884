"""`make bench`: our rules beside what a user would pick instead, in one run, as ratios.

A step is: list what may be done, pick one at random, do it. Times are CPU time of this process, in many short windows
that take turns between the engines; a ratio compares windows of the same turn, there and back, and the median of the
ratios counts. So a machine that is busy, or slows down as it gets warm, tilts nothing.
"""

import statistics
import time
from collections.abc import Callable
from random import Random

from rich.console import Console
from rich.table import Table

from tests.bench import ours, peers

TURNS = 24
SECONDS = 0.2


def steps_per_second(play: Callable[[Random], int], random: Random, seconds: float) -> float:
    """Play whole matches for about so long."""
    began, steps = time.process_time(), 0
    while time.process_time() < began + seconds:
        steps += play(random)
    return steps / (time.process_time() - began)


def _ratio(ours: list[float], theirs: list[float]) -> float:
    return statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))


def main() -> None:
    console = Console(width=150)
    random = Random(1)
    engines = {**ours.games(), **peers.games()}
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    for turn in range(TURNS):
        for name in list(engines) if turn % 2 else reversed(engines):
            speeds[name].append(steps_per_second(engines[name], random, SECONDS))
    table = Table("engine, game", "steps/s", *(f"x {peer}" for peer in peers.games()), title="Rule steps per second")
    for name, found in speeds.items():
        ratios = [f"{_ratio(found, speeds[peer]):.2f}" for peer in peers.games()]
        table.add_row(name, f"{statistics.median(found):,.0f}", *ratios)
    console.print(table)
    console.print(ours.replay_time())
    console.print(ours.round_cost())
    console.print(ours.vision_speed())


if __name__ == "__main__":
    main()

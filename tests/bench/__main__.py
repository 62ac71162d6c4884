"""`make bench`: our rules beside what a user would pick instead, in one run, as ratios.

A step is: list what may be done, pick one at random, do it. Times are CPU time of this process, the median of several
windows that take turns between the engines, so that a busy machine slows all of them alike.
"""

import statistics
import time
from collections.abc import Callable
from random import Random

from rich.console import Console
from rich.table import Table

from tests.bench import ours, peers

WINDOWS = 7
SECONDS = 0.6


def steps_per_second(play: Callable[[Random], int], random: Random, seconds: float) -> float:
    """Play whole matches for about so long."""
    began, steps = time.process_time(), 0
    while time.process_time() < began + seconds:
        steps += play(random)
    return steps / (time.process_time() - began)


def main() -> None:
    console = Console(width=110)
    random = Random(1)
    engines = {**ours.games(), **peers.games()}
    speeds: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(WINDOWS):
        for name, play in engines.items():
            speeds[name].append(steps_per_second(play, random, SECONDS))
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    table = Table("engine, game", "steps/s", *(f"x {peer}" for peer in peers.games()), title="Rule steps per second")
    for name, speed in medians.items():
        ratios = [f"{speed / medians[peer]:.2f}" for peer in peers.games()]
        table.add_row(name, f"{speed:,.0f}", *ratios)
    console.print(table)
    console.print(ours.replay_time())
    console.print(ours.round_cost())
    console.print(ours.vision_speed())


if __name__ == "__main__":
    main()

"""`make bench-panels`: the panels measured, beside what one would write with pyserial and JSON lines.

Everything goes through real serial device files, in real time, with the boards in a process of their own. Both kinds of
board debounce for the same five milliseconds, so what differs is the link: theirs is `plain_panels.py`.
"""

import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from companion.core.events import Light, Press, Sense
from firmware_interface import protocol
from firmware_interface.damage import believed, damage, lines
from firmware_interface.panels import Panels
from firmware_interface.simulator import SimulatedPanel
from tests.bench import plain_panels
from tests.bench.live_boards import SCAN, boards_elsewhere, live, tapping, watching
from tests.firmware_interface.press_to_page import press_to_page

SEATS = 8


def damaged(count: int) -> tuple[int, float]:
    """How many of so many damaged lines are taken for something that was never said, and how many are read a second."""
    hurt = damage(lines(seed=1, count=20_000), count, seed=2)
    return believed(hurt, lambda line, bad: protocol.decode(line[:1], bad) is not None)


def press_to_light(boards: int, presses: int) -> list[float]:
    """Seconds from a finger's touch until the light has answered, over all boards at once."""
    with boards_elsewhere(_tapping, boards, presses) as (ports, results):
        panels, phase = Panels(boards, ports, clock=time.monotonic), dict[int, str]()
        while not results.poll():
            for event in panels.poll(time.monotonic()):
                if isinstance(event, Press):
                    phase[event.seat] = "placing" if phase.get(event.seat) == "locked" else "locked"
                    panels.show(Light(event.seat, phase[event.seat]), time.monotonic())
            panels.wait(0.02)
        panels.close()
        return list(results.recv())


def spread(boards: int, counts: int, lossy: bool = False) -> list[float]:
    """Seconds between the first and the last panel that shows the same count of a countdown."""
    with boards_elsewhere(_losing if lossy else _watching, boards, counts) as (ports, results):
        panels, count, changed = Panels(boards, ports, clock=time.monotonic), 0, time.monotonic()
        while not results.poll():
            now = time.monotonic()
            panels.poll(now)
            if now - changed > 0.5 and all(panels.seated(seat) for seat in range(boards)):
                count, changed = count % 3 + 1, now
                for seat in range(boards):
                    panels.show(Light(seat, "countdown", count), now)
            panels.wait(0.02)
        panels.close()
        return list(results.recv())


def replug(boards: int, cycles: int) -> list[float]:
    """Seconds from putting a pulled cable back until the panel works again, while the others are being used."""
    chance = random.Random(4)
    simulated = [SimulatedPanel(1, f"{number:016x}", time.monotonic()) for number in range(boards)]
    panels = Panels(boards, lambda: [board.port for board in simulated if board.port], clock=time.monotonic)
    back: list[float] = []
    try:
        _run(panels, simulated, seated=True)
        for _ in range(cycles):
            out = chance.sample(range(boards), chance.randint(1, 2))
            for seat in out:
                simulated[seat].unplug()
            _run(panels, simulated, seconds=chance.uniform(0.0, 0.5))
            chance.shuffle(out)
            for seat in out:
                simulated[seat].replug()
            began = time.monotonic()
            _run(panels, simulated, seated=True)
            back.append(time.monotonic() - began)
            for board in simulated:
                board.tap(0, "ready", time.monotonic())
            heard = _run(panels, simulated, presses=boards, seconds=5.0) + _run(panels, simulated, seconds=0.01)
            assert sorted(heard) == list(range(boards)), f"a press was lost or doubled: {sorted(heard)}"
    finally:
        panels.close()
        for board in simulated:
            board.close()
    return back


def _run(
    panels: Panels, boards: list[SimulatedPanel], seconds: float = 30.0, seated: bool = False, presses: int = -1
) -> list[int]:
    """Let them live for so long, or until all have a seat and a light, or so many presses are heard; who pressed."""
    end = time.monotonic() + seconds
    pressed: list[int] = []
    while (now := time.monotonic()) < end and len(pressed) != presses:
        for board in boards:
            board.step(now)
        pressed += [event.seat for event in panels.poll(now) if not isinstance(event, Sense)]
        if seated and all(panels.seated(n) and board.lights[0].phase == "idle" for n, board in enumerate(boards)):
            break
        time.sleep(SCAN)
    return pressed


def _boards(count: int) -> list[SimulatedPanel]:
    return [SimulatedPanel(1, f"{number:016x}", time.monotonic()) for number in range(count)]


def _tapping(results: Connection, count: int, presses: int) -> None:
    tapping(results, live(results, _boards(count)), presses)


def _watching(results: Connection, count: int, wanted: int) -> None:
    watching(results, live(results, _boards(count)), wanted)


def _losing(results: Connection, count: int, wanted: int) -> None:
    """With the next line to one of the panels lost at each count."""
    watching(results, live(results, _boards(count)), wanted, lambda board: board.fail("drop", 1, "panel"))  # type: ignore[attr-defined]


class Sheet:
    """Rows of ours and of theirs: median, 99th percentile, longest, and how many times theirs is ours."""

    def __init__(self) -> None:
        self.table = Table(
            "what", "median ms", "p99 ms", "longest ms", "JSON lines: median", "p99", "theirs / ours (p99)",
            title="Panels on serial devices",
        )  # fmt: skip

    def row(self, what: str, ours: list[float], theirs: list[float] | None = None, instead: str = "–") -> None:
        mine = _figures(ours)
        other = _figures(theirs) if theirs else None
        told = (*(f"{value:.1f}" for value in other[:2]), f"{other[1] / mine[1]:.2f}") if other else (instead, "", "")
        self.table.add_row(what, *(f"{value:.1f}" for value in mine), *told)


def _figures(seconds: list[float]) -> tuple[float, float, float]:
    ordered = sorted(seconds)
    at = statistics.median(ordered), ordered[int(len(ordered) * 0.99)], ordered[-1]
    return at[0] * 1000, at[1] * 1000, at[2] * 1000


def _page(presses: int) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        return press_to_page(Path(folder), presses)


@click.command()
@click.option("--lines", "line_count", default=1_000_000, show_default=True, help="Damaged lines to read.")
@click.option("--presses", default=1000, show_default=True, help="Buttons to press.")
@click.option("--counts", default=60, show_default=True, help="Numbers of a countdown to show.")
@click.option("--cycles", default=200, show_default=True, help="Cables to pull and put back.")
def bench(line_count: int, presses: int, counts: int, cycles: int) -> None:
    """Measure the panels: damage, press to light, press to page, countdown, replugging."""
    console, sheet = Console(width=130), Sheet()
    console.print(f"load of this computer when it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    readers: dict[str, Callable[[int], tuple[int, float]]] = {"ours": damaged, "JSON lines": plain_panels.damaged}
    for name, read in readers.items():
        wrong, speed = read(line_count)
        console.print(
            f"{line_count} damaged lines, {name}: {wrong} taken for something that was not said; {speed:,.0f}/s"
        )
    alone = max(3, presses // 4)  # one finger alone takes its time
    for boards, wanted in ((1, alone), (SEATS, presses)):
        theirs = plain_panels.press_to_light(boards, wanted)
        sheet.row(f"press to light, {boards} at once, {wanted} presses", press_to_light(boards, wanted), theirs)
    sheet.row(f"press to page, {alone} presses", _page(alone), instead="has no page")
    sheet.row(f"countdown, first to last of {SEATS}", spread(SEATS, counts), plain_panels.spread(SEATS, counts))
    sheet.row("the same, a line lost at each", spread(SEATS, counts, lossy=True), instead="not shown at all")
    sheet.row(f"replugged, {cycles} times, until all work", replug(SEATS, cycles), instead="stays dead")
    console.print(sheet.table)


if __name__ == "__main__":
    bench()

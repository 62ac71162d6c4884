"""What the panels are measured by: `python -m firmware_interface.bench`.

Everything goes through real serial device files, in real time, with the boards in a process of their own.
"""

import multiprocessing
import os
import random
import select
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import click

from companion.events import Light, Press, Sense
from firmware_interface import protocol
from firmware_interface.damage import damage, lines
from firmware_interface.panels import Panels
from firmware_interface.simulator import SimulatedPanel

SCAN = 0.001
"""A Pico looks at its buttons about a thousand times a second."""


def damaged(count: int) -> tuple[int, float]:
    """How many of so many damaged lines are taken for something that was never said, and how long that took."""
    start = time.perf_counter()
    wrong = sum(
        protocol.decode(line[:1], hurt) is not None for line, hurt in damage(lines(seed=1, count=20_000), count, seed=2)
    )
    return wrong, time.perf_counter() - start


def press_to_light(boards: int, presses: int) -> list[float]:
    """Seconds from a finger's touch until the light has answered, over all boards at once."""
    with _process(_tapping, boards, presses) as (panels, results):
        phase: dict[int, str] = {}
        while not results.poll():
            for event in panels.poll(time.monotonic()):
                if isinstance(event, Press):
                    phase[event.seat] = "placing" if phase.get(event.seat) == "locked" else "locked"
                    panels.show(Light(event.seat, phase[event.seat]), time.monotonic())
            panels.wait(0.02)
        times: list[float] = results.recv()
        return times


def spread(boards: int, counts: int) -> list[float]:
    """Seconds between the first and the last panel that shows the same count of a countdown."""
    with _process(_watching, boards, counts) as (panels, results):
        count, changed = 0, time.monotonic()
        while not results.poll():
            now = time.monotonic()
            panels.poll(now)
            if now - changed > 0.5 and all(panels.seated(seat) for seat in range(boards)):
                count, changed = count % 3 + 1, now
                for seat in range(boards):
                    panels.show(Light(seat, "countdown", count), now)
            panels.wait(0.02)
        times: list[float] = results.recv()
        return times


def replug(boards: int, cycles: int) -> list[float]:
    """Seconds from putting a pulled cable back until the panel works again, while the others are being used."""
    chance = random.Random(4)
    simulated = [SimulatedPanel(1, f"{number:016x}", time.monotonic()) for number in range(boards)]
    panels = Panels(boards, lambda: [board.port for board in simulated if board.port])
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


@contextmanager
def _process(
    live: Callable[[Connection, int, int], None], boards: int, count: int
) -> Iterator[tuple[Panels, Connection]]:
    """Boards that live in another process, and the host's panels in this one."""
    mine, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=live, args=(theirs, boards, count))
    process.start()
    panels = Panels(boards, mine.recv())
    try:
        yield panels, mine
    finally:
        panels.close()
        process.join()


def _live(results: Connection, count: int) -> Iterator[tuple[float, list[SimulatedPanel]]]:
    boards = [SimulatedPanel(1, f"{number:016x}", time.monotonic()) for number in range(count)]
    results.send([board.port for board in boards])
    try:
        while True:
            select.select([board.fileno for board in boards], [], [], SCAN)
            now = time.monotonic()
            for board in boards:
                board.step(now)
            yield now, boards
    finally:
        for board in boards:
            board.close()


def _tapping(results: Connection, count: int, presses: int) -> None:
    chance = random.Random(5)
    times: list[float] = []
    waiting: dict[int, tuple[float, str]] = {}
    rest = {seat: time.monotonic() + 1.0 + chance.random() for seat in range(count)}
    for now, boards in _live(results, count):
        for seat, board in enumerate(boards):
            shown = board.lights[0].phase
            if seat in waiting and shown != waiting[seat][1]:
                times.append(board.lit_at[0] - waiting.pop(seat)[0])
                rest[seat] = now + chance.uniform(0.1, 0.3)
            elif seat not in waiting and now >= rest[seat] and shown != "offline":
                waiting[seat] = now, shown
                board.tap(0, "ready", now)
        if len(times) >= presses:
            break
    results.send(times)


def _watching(results: Connection, count: int, wanted: int) -> None:
    times: list[float] = []
    measured = 0
    for _, boards in _live(results, count):
        shown = {board.lights[0].count for board in boards}
        if len(shown) == 1 and shown != {measured} and shown != {0}:
            (measured,) = shown
            moments = [board.lit_at[0] for board in boards]
            times.append(max(moments) - min(moments))
        if len(times) >= wanted:
            break
    results.send(times)


def _figures(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    at = [statistics.median(ordered), ordered[int(len(ordered) * 0.99)], ordered[-1]]
    return "median {:.1f} ms, p99 {:.1f} ms, longest {:.1f} ms".format(*(value * 1000 for value in at))


@click.command()
@click.option("--lines", "line_count", default=1_000_000, show_default=True, help="Damaged lines to read.")
@click.option("--presses", default=1000, show_default=True, help="Buttons to press.")
@click.option("--cycles", default=200, show_default=True, help="Cables to pull and put back.")
def bench(line_count: int, presses: int, cycles: int) -> None:
    """Measure the panels: damage, press to light, countdown, replugging."""
    click.echo(f"load of this computer when it began: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    wrong, seconds = damaged(line_count)
    click.echo(f"{line_count} damaged lines, {wrong} taken for something that was not said ({seconds:.0f} s)")
    for boards in (1, 8):
        click.echo(f"press to light, {boards} at once, {presses} presses: {_figures(press_to_light(boards, presses))}")
    click.echo(f"countdown on 8 panels, 30 counts, first to last: {_figures(spread(8, 30))}")
    click.echo(f"{cycles} times unplugged and replugged, 8 panels, all back after: {_figures(replug(8, cycles))}")


if __name__ == "__main__":
    bench()

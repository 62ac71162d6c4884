"""Boards that live in another process, whatever they speak: fingers that tap, eyes that watch the lights."""

import multiprocessing
import random
import select
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Protocol

SCAN = 0.001
"""A Pico looks at its buttons about a thousand times a second."""


class Lamp(Protocol):
    @property
    def phase(self) -> str: ...

    @property
    def count(self) -> int: ...


class LiveBoard(Protocol):
    """What fingers and eyes need of a board."""

    port: str

    @property
    def fileno(self) -> int: ...

    @property
    def lights(self) -> Sequence[Lamp]: ...

    @property
    def lit_at(self) -> list[float]: ...

    def step(self, now: float) -> None: ...

    def tap(self, seat: int, button: str, at: float | None = None) -> None: ...

    def close(self) -> None: ...


@contextmanager
def boards_elsewhere(
    run: Callable[[Connection, int, int], None], boards: int, count: int
) -> Iterator[tuple[list[str], Connection]]:
    """Their ports, and where their results will come from."""
    mine, theirs = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=run, args=(theirs, boards, count))
    process.start()
    try:
        yield mine.recv(), mine
    finally:
        mine.close()
        process.join()


def live(results: Connection, boards: Sequence[LiveBoard]) -> Iterator[tuple[float, Sequence[LiveBoard]]]:
    """Step the boards for ever, as a Pico's main loop does."""
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


def tapping(results: Connection, beats: Iterator[tuple[float, Sequence[LiveBoard]]], presses: int) -> None:
    """Press ready here and there; how long each took to change its light."""
    chance = random.Random(5)
    times: list[float] = []
    waiting: dict[int, tuple[float, str]] = {}
    rest: dict[int, float] = {}
    for now, boards in beats:
        for seat, board in enumerate(boards):
            shown = board.lights[0].phase
            due = rest.setdefault(seat, now + 1.0 + chance.random())
            if seat in waiting and shown != waiting[seat][1]:
                times.append(board.lit_at[0] - waiting.pop(seat)[0])
                rest[seat] = now + chance.uniform(0.1, 0.3)
            elif seat not in waiting and now >= due and shown != "offline":
                waiting[seat] = now, shown
                board.tap(0, "ready", now)
        if len(times) >= presses:
            break
    results.send(times)


def watching(
    results: Connection,
    beats: Iterator[tuple[float, Sequence[LiveBoard]]],
    wanted: int,
    disturb: Callable[[LiveBoard], None] = lambda board: None,
) -> None:
    """How far apart the boards were in showing each number of a countdown; one of them is disturbed before each."""
    chance = random.Random(6)
    times: list[float] = []
    measured = 0
    for _, boards in beats:
        shown = {board.lights[0].count for board in boards}
        if len(shown) == 1 and shown != {measured} and shown != {0}:
            (measured,) = shown
            moments = [board.lit_at[0] for board in boards]
            times.append(max(moments) - min(moments))
            disturb(chance.choice(boards))
        if len(times) >= wanted:
            break
    results.send(times)

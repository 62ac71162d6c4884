"""What one would write instead: JSON lines over pyserial, `readline` in a thread for each port, no checksum.

It is written as well as such a thing is: lines at once, no polling, a lock around nothing but the wire.
"""

import json
import os
import threading
import time
import tty
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

import serial

from firmware_interface.damage import believed, damage
from tests.bench.live_boards import boards_elsewhere, live, tapping, watching

SETTLE = 0.005
"""The same debouncing as ours."""


class Lit(NamedTuple):
    phase: str
    count: int


class PlainBoard:
    def __init__(self) -> None:
        self._mine, self._theirs = os.openpty()
        tty.setraw(self._theirs)
        os.set_blocking(self._mine, False)
        self.port = os.ttyname(self._theirs)
        self.lights = (Lit("idle", 0),)
        self.lit_at = [0.0]
        self._rest = b""
        self._due: list[float] = []

    @property
    def fileno(self) -> int:
        return self._mine

    def step(self, now: float) -> None:
        while self._due and self._due[0] <= now:
            self._due.pop(0)
            os.write(self._mine, json.dumps({"seat": 0, "button": "ready", "ticks": int(now * 1000)}).encode() + b"\n")
        try:
            *lines, self._rest = (self._rest + os.read(self._mine, 4096)).split(b"\n")
        except BlockingIOError:
            return
        for line in lines:
            said = json.loads(line)
            self.lights, self.lit_at[0] = (Lit(said["phase"], said["count"]),), now

    def tap(self, seat: int, button: str, at: float | None = None) -> None:
        self._due.append((time.monotonic() if at is None else at) + SETTLE)

    def close(self) -> None:
        os.close(self._mine)
        os.close(self._theirs)


def press_to_light(boards: int, presses: int) -> list[float]:
    with boards_elsewhere(_tapping, boards, presses) as (ports, results):
        for port in ports:
            threading.Thread(target=_answer, args=(port,), daemon=True).start()
        return list(results.recv())


def _answer(port: str) -> None:
    phase = "idle"
    with serial.Serial(port, 115200) as wire:
        while True:
            try:
                said = json.loads(wire.readline())
            except (ValueError, OSError):
                return  # the other end is gone
            if said["button"] == "ready":
                phase = "placing" if phase == "locked" else "locked"
                wire.write(json.dumps({"seat": said["seat"], "phase": phase, "count": 0}).encode() + b"\n")


def spread(boards: int, counts: int) -> list[float]:
    """A count goes out to one port after the other."""
    with boards_elsewhere(_watching, boards, counts) as (ports, results):
        wires = [serial.Serial(port, 115200) for port in ports]
        count = 0
        while not results.poll(0.5):
            count = count % 3 + 1
            for wire in wires:
                wire.write(json.dumps({"seat": 0, "phase": "countdown", "count": count}).encode() + b"\n")
        for wire in wires:
            wire.close()
        return list(results.recv())


def damaged(count: int) -> tuple[int, float]:
    """How many of so many damaged lines are read as something else than was said, and how many are read a second."""
    said = [
        json.dumps({"seat": seat, "button": button, "ticks": 7919 * seat + 104729 * number}).encode()
        for seat in range(8)
        for number, button in enumerate(("ready", "up", "down", "select") * 60)
    ]

    def taken(line: bytes, bad: bytes) -> bool:
        found = _read(bad)
        return found is not None and found != json.loads(line)

    return believed(damage(said, count, seed=2), taken)


def _read(line: bytes) -> Any:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    # As most do: whatever has the fields is taken.
    return found if isinstance(found, dict) and {"seat", "button", "ticks"} <= found.keys() else None


def _tapping(results: Connection, count: int, presses: int) -> None:
    tapping(results, live(results, [PlainBoard() for _ in range(count)]), presses)


def _watching(results: Connection, count: int, wanted: int) -> None:
    watching(results, live(results, [PlainBoard() for _ in range(count)]), wanted)

"""The board's own main loop on fake pins, behind a serial device file, with the host code that a Pi would run."""

import json
import os
import subprocess
import sys
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.events import OK, Light, Press
from firmware_interface.flash import sources
from firmware_interface.panels import Panels

PROGRAM = Path(__file__).with_name("fake_pico.py")
HUB = """
BUTTONS = ((2, 3, 4, 5), (6, 7, 8, 9))
PIXELS_PIN, PIXELS, BRIGHTNESS, BUZZER_PIN = 16, 3, 100, 15
"""
PATIENCE = 20.0
"""Seconds; only a test that fails waits for them."""


class FakePico:
    """The firmware's files in a folder, as `shinpan panel flash` copies them, and a process that runs them."""

    def __init__(self, folder: Path, pins: Path) -> None:
        for file in sources(pins, False):
            (folder / (file.name if file != pins else "pins.py")).write_bytes(file.read_bytes())
        self.folder = folder
        self.panel, self.host = os.openpty()
        tty.setraw(self.host)
        tty.setraw(self.panel)
        self.port = os.ttyname(self.host)
        self.shown: list[list[Any]] = []
        self._rest = b""
        self._start()

    def _start(self) -> None:
        control, self._fingers = os.pipe()
        self._log, log = os.pipe()
        os.set_blocking(self._log, False)
        command = [sys.executable, "-u", str(PROGRAM), str(self.folder), str(control), str(log)]
        self.process = subprocess.Popen(command, stdin=self.panel, stdout=self.panel, pass_fds=(control, log))
        os.close(control)
        os.close(log)

    def power_on(self) -> None:
        """As after a reset."""
        self.process.wait(PATIENCE)
        os.close(self._fingers)
        os.close(self._log)
        self._start()

    def pin(self, number: int, level: int) -> None:
        os.write(self._fingers, f"{number} {level}\n".encode())

    def look(self) -> list[list[Any]]:
        """All that its lights and its buzzer have done so far."""
        try:
            *lines, self._rest = (self._rest + os.read(self._log, 65536)).split(b"\n")
        except BlockingIOError:
            return self.shown
        self.shown += map(json.loads, lines)
        return self.shown

    @property
    def lights(self) -> list[list[int]]:
        return next((told[1:] for told in reversed(self.look()) if told[0] == "lights"), [])

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        for file in (self.panel, self.host, self._fingers, self._log):
            os.close(file)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[FakePico]:
    pins = tmp_path / "my_hub.py"
    pins.write_text(HUB)
    pico = FakePico(tmp_path, pins)
    yield pico
    pico.close()


@pytest.fixture
def panels(hub: FakePico) -> Iterator[Panels]:
    panels = Panels(2, [hub.port])
    yield panels
    panels.close()


def until(panels: Panels, done: Callable[[], bool], heard: list[Press] | None = None) -> None:
    """Let host and board live until this is so."""
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline, "it never came to that"
        events = panels.poll(time.monotonic())
        if heard is not None:
            heard += [event for event in events if isinstance(event, Press)]
        panels.wait(0.01)


def test_one_pico_serves_two_seats_through_its_own_main_loop(hub: FakePico, panels: Panels) -> None:
    until(panels, lambda: panels.seated(0) and panels.seated(1))
    (status,) = panels.status()
    assert (status.uid, status.condition, status.seats) == ("e6614103e7123456", OK, (0, 1))

    heard: list[Press] = []
    before = time.monotonic()
    hub.pin(7, 0)  # seat 2, up
    until(panels, lambda: len(heard) == 1, heard)
    hub.pin(7, 1)
    hub.pin(2, 0)  # seat 1, ready
    until(panels, lambda: len(heard) == 2, heard)
    assert [(press.seat, press.button) for press in heard] == [(1, "up"), (0, "ready")]
    assert all(before - press.uncertainty <= press.at <= time.monotonic() + press.uncertainty for press in heard)
    assert heard[0].clock == heard[1].clock
    assert heard[0].stamp < heard[1].stamp

    panels.show(Light(0, "locked"), time.monotonic())
    panels.show(Light(1, "placing"), time.monotonic())
    until(panels, lambda: hub.lights == [[0, 255, 0]] * 3 + [[0, 0, 255]] * 3)
    for seat in range(2):
        panels.show(Light(seat, "countdown", 2), time.monotonic())
    until(panels, lambda: hub.lights == ([[255, 140, 0]] * 2 + [[0, 0, 0]]) * 2)
    assert ["tone", 880] in hub.look()


def test_a_word_from_the_host_leads_to_the_prompt_and_the_next_start_back(hub: FakePico, panels: Panels) -> None:
    until(panels, lambda: panels.seated(0))
    (place,) = panels._places.values()
    assert place.link is not None
    place.link.ask_repl()
    until(panels, lambda: ["reset"] in hub.look())
    hub.power_on()
    until(panels, lambda: ["prompt"] in hub.look())
    hub.power_on()
    until(panels, lambda: hub.lights[:1] == [[24, 24, 24]] and panels.seated(1))

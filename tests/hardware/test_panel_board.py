"""The Pico's own file, on modules that stand in for MicroPython's."""

import importlib.util
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from firmware_interface import protocol
from hardware.panel import main as firmware
from hardware.panel import pins

BOARD = Path(firmware.__file__).with_name("board.py")


class Pin:
    IN, PULL_UP = 0, 1
    levels: dict[int, int] = {}

    def __init__(self, number: int, *_: int) -> None:
        self.number = number

    def value(self) -> int:
        return self.levels.get(self.number, 1)


class Pico:
    """MicroPython's modules as far as the board file knows them, and what was done with them."""

    def __init__(self) -> None:
        Pin.levels = {}
        self.strip: list[Any] = []
        self.written = 0
        self.tones: list[tuple[str, int]] = []
        self.resets = self.feeds = 0
        self.interrupt: list[int] = []
        self.said = b""
        self.reading, self.wire = os.pipe()
        pico = self

        class Strip(list[Any]):
            def __init__(self, pin: Pin, count: int) -> None:
                super().__init__([(0, 0, 0)] * count)
                pico.strip = self

            def write(self) -> None:
                pico.written += 1

        class PWM:
            def __init__(self, pin: Pin) -> None:
                pass

            def freq(self, hertz: int) -> None:
                pico.tones.append(("freq", hertz))

            def duty_u16(self, duty: int) -> None:
                pico.tones.append(("duty", duty))

        class WDT:
            def __init__(self, timeout: int) -> None:
                assert timeout <= 8388  # the most an RP2040 can do

            def feed(self) -> None:
                pico.feeds += 1

        def reset() -> None:
            pico.resets += 1

        self.modules = {
            "machine": SimpleNamespace(
                Pin=Pin, PWM=PWM, WDT=WDT, reset=reset, unique_id=lambda: bytes.fromhex("e6614103e7123456")
            ),
            "micropython": SimpleNamespace(kbd_intr=self.interrupt.append),
            "neopixel": SimpleNamespace(NeoPixel=Strip),
            "pins": pins,
            "protocol": protocol,
        }
        self.stdin = SimpleNamespace(
            fileno=lambda: self.reading, buffer=SimpleNamespace(read=lambda size: os.read(self.reading, size))
        )
        self.stdout = SimpleNamespace(buffer=SimpleNamespace(write=self.hear))

    def hear(self, line: bytes) -> None:
        self.said += line


@pytest.fixture
def pico(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Pico]:
    pico = Pico()
    for name, module in pico.modules.items():
        monkeypatch.setitem(sys.modules, name, module)  # type: ignore[arg-type]
    monkeypatch.chdir(tmp_path)
    yield pico
    os.close(pico.reading)
    os.close(pico.wire)


@pytest.fixture
def board(pico: Pico) -> ModuleType:
    spec = importlib.util.spec_from_file_location("board", BOARD)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.sys = SimpleNamespace(stdin=pico.stdin, stdout=pico.stdout)  # type: ignore[attr-defined]
    return module


def test_it_has_everything_that_the_firmware_asks_of_a_board(board: ModuleType) -> None:
    wanted = [name for name in vars(firmware.Board) if not name.startswith("_")]
    made = board.start()

    assert all(hasattr(made, name) for name in wanted)
    assert (made.uid, made.seats, made.pixels) == ("e6614103e7123456", 1, 3)
    assert made.abilities == protocol.RGB | protocol.BUZZER


def test_a_pressed_button_pulls_its_pin_to_ground(board: ModuleType) -> None:
    made = board.start()
    assert made.pressed() == 0
    Pin.levels = {pins.BUTTONS[0][1]: 0, pins.BUTTONS[0][3]: 0}

    assert made.pressed() == 0b1010


def test_lights_are_dimmed_and_sent_at_once(board: ModuleType, pico: Pico) -> None:
    board.start().light(0, [(255, 0, 0), (0, 255, 0), (0, 0, 0)])

    assert pico.strip == [(102, 0, 0), (0, 102, 0), (0, 0, 0)]
    assert pico.written == 1


def test_reading_never_waits_and_byte_three_is_just_a_byte(board: ModuleType, pico: Pico) -> None:
    made = board.start()
    assert made.read() == b""
    os.write(pico.wire, b"\x03>00 PING 01")

    assert made.read() == b"\x03>00 PING 01"
    assert pico.interrupt == [-1]


def test_the_buzzer_sounds_and_falls_silent(board: ModuleType, pico: Pico) -> None:
    made = board.start()
    made.tone(880)
    made.tone(0)

    assert pico.tones == [("duty", 0), ("freq", 880), ("duty", 32768), ("duty", 0)]


def test_the_way_to_the_prompt_is_a_fresh_start_without_the_watchdog(board: ModuleType, pico: Pico) -> None:
    board.start().repl()
    assert pico.resets == 1

    assert board.start() is None
    assert board.start() is not None


def test_select_held_at_the_start_leads_to_the_prompt(board: ModuleType, pico: Pico) -> None:
    Pin.levels = {pins.BUTTONS[0][3]: 0}

    assert board.start() is None
    assert pico.interrupt == []


def test_the_main_loop_runs_the_panel_and_feeds_the_watchdog(
    board: ModuleType, pico: Pico, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Enough(Exception):
        pass

    def ticks() -> int:
        if pico.feeds > 20:
            raise Enough
        return 1000 + pico.feeds

    monkeypatch.setitem(sys.modules, "board", board)
    monkeypatch.setattr(time, "ticks_ms", ticks, raising=False)
    os.write(pico.wire, protocol.encode(protocol.HOST, 0, "PING", 7))
    with pytest.raises(Enough):
        firmware.run()

    heard = protocol.Lines(protocol.HOST, protocol.PANEL).feed(pico.said)
    assert [verb for _, verb, _ in heard] == ["HELLO", "PONG"]


def test_without_a_board_the_main_loop_leaves_at_once(
    board: ModuleType, pico: Pico, monkeypatch: pytest.MonkeyPatch
) -> None:
    Pin.levels = {pins.BUTTONS[0][3]: 0}
    monkeypatch.setitem(sys.modules, "board", board)
    firmware.run()

    assert pico.said == b""

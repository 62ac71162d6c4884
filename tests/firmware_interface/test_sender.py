"""A cable that takes nothing holds up nobody: not the table, not the other panels."""

import threading
import time
from collections.abc import Iterator

import pytest

from companion.app.camera_feed import CameraFeed
from companion.app.senses import Senses
from companion.core.events import Light, Press, Tap
from companion.games import game
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import Service
from firmware_interface import protocol
from firmware_interface.panels import Panels
from firmware_interface.sender import WAITING, SendingPort

AT_ONCE = 0.25
"""Seconds: far below the two that a serial port is given to write a line, far above what a busy machine takes."""


class DeadCable:
    """A port that has introduced a panel and then takes nothing more, as a cable does that is half pulled out."""

    def __init__(self, uid: str) -> None:
        panel = protocol.Lines(protocol.PANEL, protocol.HOST)
        self.inbox = panel.line("HELLO", "panel", 1, 0, 0x0100, uid, 1, protocol.RGB)
        self.writing, self.cut = threading.Event(), threading.Event()
        self.written = 0

    def read(self, size: int) -> bytes:
        data, self.inbox = self.inbox[:size], self.inbox[size:]
        return data

    def write(self, data: bytes) -> int:
        self.writing.set()
        self.cut.wait(60)
        self.written += 1
        return len(data)

    def fileno(self) -> int:
        raise OSError("not a file")

    def close(self) -> None:
        """Ends no write that is under way."""


@pytest.fixture
def cable() -> Iterator[DeadCable]:
    cable = DeadCable("a" * 16)
    yield cable
    cable.cut.set()


def test_a_dead_cable_never_holds_the_tables_lock(cable: DeadCable) -> None:
    """Every tap, press and pause is answered while a line is stuck in a port's write."""
    match = Match(game("sen_so"), ("Aki", "Ben"), {})
    service = Service(Referee(RecordedMatch(match, lambda fields: 1)), time.monotonic)
    panels = Panels(2, ["dead"], {"a" * 16: (0,)}, lambda url: cable, clock=time.monotonic)
    senses = Senses(service, CameraFeed(), panels)
    senses.start()
    try:
        assert cable.writing.wait(30)
        slowest = 0.0
        for what in ("resume", "pause") * 20:
            began = time.monotonic()
            service.submit(Tap("referee", what, {}, began))
            service.submit(Press(0, "ready", began))
            service.submit(Tap("Aki", "move", {"move": "dance"}, began))  # its refusal is a red light on that panel
            service.page(None)
            slowest = max(slowest, time.monotonic() - began)
            time.sleep(0.01)
    finally:
        senses.stop()

    assert cable.written == 0  # the first line of all is stuck to this moment
    assert slowest < AT_ONCE


def test_a_dead_cable_holds_up_no_other_poll(cable: DeadCable) -> None:
    """It is noticed like any other panel that is gone, and time goes on meanwhile."""
    panels = Panels(1, ["dead"], open_port=lambda url: cable, clock=time.monotonic)
    slowest, states = 0.0, []
    for step in range(400):
        began = time.monotonic()
        states += [event.condition.state.value for event in panels.poll(step / 50) if hasattr(event, "condition")]
        panels.show(Light(0, "choice" if step % 2 else "placing"), step / 50)
        slowest = max(slowest, time.monotonic() - began)
    panels.close()

    assert states[:2] == ["ok", "missing"]
    assert slowest < AT_ONCE


def test_lines_that_nobody_takes_are_not_piled_up(cable: DeadCable) -> None:
    port = SendingPort(cable)
    port.write(b"first")
    assert cable.writing.wait(30)
    for _ in range(WAITING):
        port.write(b"more")
    with pytest.raises(BlockingIOError):
        port.write(b"one too many")

    port.close()


def test_what_goes_wrong_in_a_write_is_told_by_the_next_call(cable: DeadCable) -> None:
    def pulled(data: bytes) -> int:
        raise OSError(5, "Input/output error")

    def read_for_a_while() -> None:
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            port.read(1)
            time.sleep(0.001)

    cable.write = pulled  # type: ignore[method-assign]
    port = SendingPort(cable)
    port.write(b"into the void")
    with pytest.raises(OSError, match="Input/output"):
        read_for_a_while()

    port.close()


def test_whatever_a_driver_raises_is_told_by_the_next_call_and_ends_no_thread_unheard() -> None:
    class Odd:
        def write(self, data: bytes) -> int:
            raise RuntimeError("an error of no expected kind")

        def read(self, size: int) -> bytes:
            return b""

        def fileno(self) -> int:
            return -1

        def close(self) -> None:
            pass

    port = SendingPort(Odd())
    port.write(b"PING\n")
    waiting = threading.Event()

    def read_on() -> None:
        for _ in range(1000):
            port.read(1)
            waiting.wait(0.01)

    with pytest.raises(OSError, match="no expected kind"):
        read_on()

"""One wire: what the host's end does when the other end is not as good as ours."""

import grp
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from serial.tools import list_ports

from companion.core.events import MISSING, SIMULATED, Press, trouble
from companion.core.message import message
from firmware_interface import protocol
from firmware_interface.clock import PanelClock
from firmware_interface.link import PING_EVERY, Heard, Hello, Link, LinkLost
from firmware_interface.panels import Panels
from firmware_interface.ports import PortTrouble, open_port, usb_ports
from firmware_interface.simulator import SimulatedPanel


class Wire:
    """A port whose other end is played by the test, such as a panel that somebody wrote in C."""

    def __init__(self) -> None:
        self.panel = protocol.Lines(protocol.PANEL, protocol.HOST)
        self.inbox = b""
        self.said: list[tuple[str, list[Any]]] = []
        self.closed = False

    def read(self, size: int) -> bytes:
        data, self.inbox = self.inbox[:size], self.inbox[size:]
        return data

    def write(self, data: bytes) -> int:
        self.said += [(verb, values) for _, verb, values in self.panel.feed(data)]
        return len(data)

    def fileno(self) -> int:
        raise OSError("not a file")

    def close(self) -> None:
        self.closed = True

    def say(self, verb: str, *values: int | str) -> None:
        self.inbox += self.panel.line(verb, *values)

    def hello(self) -> None:
        self.say("HELLO", "panel", 1, 0, 0x0203, "0" * 16, 1, protocol.RGB)

    def pings(self) -> list[int]:
        return [values[0] for verb, values in self.said if verb == "PING"]


@pytest.fixture
def wire() -> Wire:
    return Wire()


def test_it_is_online_only_after_the_handshake(wire: Wire) -> None:
    link = Link(wire, 0.0)
    link.poll(0.0)
    assert not link.online
    wire.hello()

    assert link.poll(0.1) == [Hello("panel", (1, 0), (2, 3), "0" * 16, 1, protocol.RGB)]
    assert link.online
    assert link.hello is not None
    assert link.hello.capabilities == ("rgb",)


def test_what_never_answers_is_no_panel(wire: Wire) -> None:
    link = Link(wire, 0.0)
    for tenths in range(30):
        link.poll(tenths / 10)

    assert 5 < len(wire.said) < 20
    with pytest.raises(LinkLost, match="no panel answers"):
        link.poll(3.1)


def test_a_press_before_the_handshake_means_nothing(wire: Wire) -> None:
    link = Link(wire, 0.0)
    wire.say("PRESS", 1, 0, "ready", 0)

    assert link.poll(0.0) == []


def test_three_heartbeats_without_an_answer_are_the_end(wire: Wire) -> None:
    link = Link(wire, 0.0)
    wire.hello()
    link.poll(0.0)

    for tenths in range(30):
        link.poll(tenths / 10)
    with pytest.raises(LinkLost, match="stopped answering"):
        link.poll(3.1)
    assert len(wire.pings()) == 3


def test_a_press_that_only_the_heartbeat_tells_is_healed_and_its_time_is_vague(wire: Wire) -> None:
    """Firmware that sends each press but once: the line was lost, the button is still down two heartbeats later."""
    link = Link(wire, 0.0)
    wire.hello()
    heard: list[Heard] = []
    for tenths in range(60):
        heard += link.poll(tenths / 10)
        for number in wire.pings()[-1:]:
            wire.say("PONG", number, tenths * 100, 0b10 if tenths >= 20 else 0, 1 if tenths >= 20 else 0)

    presses = [each for each in heard if isinstance(each, Press)]
    assert [(press.seat, press.button) for press in presses] == [(0, "up")]
    assert presses[0].uncertainty >= PING_EVERY
    assert abs(presses[0].at - 2.0) <= presses[0].uncertainty
    assert link.healed == 1
    assert link.held == 0b10


def test_a_light_that_is_never_acknowledged_ends_the_link(wire: Wire) -> None:
    link = Link(wire, 0.0)
    wire.hello()
    link.poll(0.0)
    link.show(0, "locked", 0, 0.0)

    for quarters in range(4):
        link.poll(quarters / 4)
        wire.say("PONG", wire.pings()[-1], quarters * 250, 0, 0)
    with pytest.raises(LinkLost, match="does not do what it is told"):
        link.poll(1.0)
    assert sum(verb == "SHOW" for verb, _ in wire.said) == 4


def test_only_the_newest_light_is_ever_sent_again(wire: Wire) -> None:
    link = Link(wire, 0.0)
    wire.hello()
    link.poll(0.0)
    link.show(0, "placing", 0, 0.0)
    link.show(0, "locked", 0, 0.1)
    wire.said.clear()
    link.poll(0.35)

    assert [values[1] for verb, values in wire.said if verb == "SHOW"] == ["locked"]


def test_a_pulled_cable_is_told_in_a_sentence(wire: Wire) -> None:
    link = Link(wire, 0.0)

    def broken(size: int) -> bytes:
        raise OSError(5, "Input/output error")

    wire.read = broken  # type: ignore[method-assign]
    with pytest.raises(LinkLost, match="unplugged"):
        link.poll(0.1)
    link.close()
    assert wire.closed


def test_the_shortest_round_trip_knows_the_time_best() -> None:
    clock = PanelClock()
    clock.learn(ticks=1000, sent=10.0, heard=10.4)
    clock.learn(ticks=2150, sent=11.1, heard=11.102)
    clock.learn(ticks=3000, sent=12.0, heard=12.3)

    at, uncertainty = clock.moment(2200, 12.5)
    assert at == pytest.approx(11.151)
    assert 0.002 <= uncertainty <= 0.0022
    assert clock.ticks(11.151) == 2200


def test_a_processor_that_is_taken_away_makes_a_press_vague_and_never_wrong(panel: SimulatedPanel) -> None:
    """Half a second may pass between looking at the clock and reading the wire: no answer must seem quicker by that."""
    now, late = 10.0, 0.0
    link = Link(open_port(panel.port), now, lambda: now + late)
    for _ in range(40):
        now += 0.01
        panel.step(now)
        link.poll(now)
    late = 0.5
    link.clock = PanelClock()
    for _ in range(4):
        now += 1.0
        link.poll(now)
        panel.step(now + 0.4)  # answered while we were away
        link.poll(now)
    link.close()

    assert len(link.clock)
    assert link.clock.trip >= 0.4


def test_a_stamp_is_understood_over_the_end_of_the_panels_clock() -> None:
    clock = PanelClock()
    clock.learn(ticks=protocol.TICKS - 100, sent=5.0, heard=5.0)

    assert clock.moment(50, 6.0)[0] == pytest.approx(5.15)
    assert clock.ticks(5.15) == 50


@pytest.mark.parametrize("drift", [-50e-6, 50e-6])
def test_an_hour_with_a_bad_quartz_keeps_every_press_within_its_give(drift: float) -> None:
    clock = PanelClock()
    for second in range(3600):
        clock.learn(int(second * (1 + drift) * 1000), second - 0.001, second + 0.003)
        if second % 60 == 30:
            at, uncertainty = clock.moment(int((second + 0.5) * (1 + drift) * 1000), second + 1)
            assert abs(at - second - 0.5) <= uncertainty


# --- ports --------------------------------------------------------------------------------------------------------


@pytest.fixture
def panel() -> Iterator[SimulatedPanel]:
    with SimulatedPanel(uid="5" * 16, now=0.0) as panel:
        yield panel


def handshake(url: str, panel: SimulatedPanel) -> Hello:
    link = Link(open_port(url), 0.0)
    try:
        for tenths in range(20):
            for message in link.poll(tenths / 10):
                assert isinstance(message, Hello)
                return message
            panel.step(tenths / 10)
    finally:
        link.close()
    raise AssertionError("no handshake")


def test_a_port_may_be_a_device_file(panel: SimulatedPanel) -> None:
    assert handshake(panel.port, panel).uid == "5" * 16


def test_a_port_may_be_spied_on(panel: SimulatedPanel, capsys: pytest.CaptureFixture[str]) -> None:
    assert handshake(f"spy://{panel.port}", panel).uid == "5" * 16
    assert "HELLO" in capsys.readouterr().err


def test_a_port_may_be_a_socket(panel: SimulatedPanel) -> None:
    """A panel at the far end of the room: its cable ends in another computer that passes the bytes on."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def pass_on() -> None:
            far, _ = server.accept()
            with far, open(panel.port, "r+b", buffering=0) as cable:
                while asked := far.recv(100):
                    cable.write(asked)
                    panel.step(0.0)
                    far.sendall(cable.read(100))

        thread = threading.Thread(target=pass_on, daemon=True)
        thread.start()
        link = Link(open_port(f"socket://127.0.0.1:{server.getsockname()[1]}"), 0.0)
        hello = None
        deadline = time.monotonic() + 30
        while hello is None and time.monotonic() < deadline:
            hello = next(iter(link.poll(0.0)), None)
        link.close()
        thread.join()

    assert isinstance(hello, Hello)


def test_a_port_is_ours_alone_and_the_other_program_is_named(panel: SimulatedPanel) -> None:
    hog = "import serial, sys; s = serial.Serial(sys.argv[1], exclusive=True); print('mine', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", hog, panel.port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "mine\n"
        with pytest.raises(PortTrouble, match=rf"in use by python.* \(process {other.pid}\)"):
            open_port(panel.port)
        other.communicate("\n")

    open_port(panel.port).close()


def test_a_port_that_is_not_there_is_said_so() -> None:
    with pytest.raises(PortTrouble, match="there is no port /dev/ttyACM99"):
        open_port("/dev/ttyACM99")


@pytest.mark.parametrize("url", ["teleport://mars", "/etc/hostname", "socket://127.0.0.1:1"])
def test_what_is_no_port_gets_a_sentence(url: str) -> None:
    with pytest.raises(PortTrouble, match="cannot be opened"):
        open_port(url)


def test_missing_permission_names_the_group_and_the_cure(
    panel: SimulatedPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root may open everything, so the refusal itself is played."""
    real = os.open

    def refuse(path: str, *rest: int) -> int:
        if path == panel.port:
            raise PermissionError(13, "Permission denied", path)
        return real(path, *rest)

    monkeypatch.setattr(os, "open", refuse)
    group = grp.getgrgid(os.stat(panel.port).st_gid).gr_name

    with pytest.raises(PortTrouble, match=rf"group {group}; run 'sudo usermod -aG {group} \$USER', then log out"):
        open_port(panel.port)


def test_trouble_with_a_port_is_told_once_and_tried_again_for_ever() -> None:
    tries = 0

    def refuse(url: str) -> Wire:
        nonlocal tries
        tries += 1
        raise PortTrouble(message("no permission to open it"))

    panels = Panels(1, ["/dev/ttyACM0"], open_port=refuse)
    told = [event for second in range(100) for event in panels.poll(second)]

    assert [(event.name, event.condition) for event in told] == [  # type: ignore[union-attr]
        ("panel 1", MISSING),
        ("panel at /dev/ttyACM0", trouble(message("no permission to open it"))),
    ]
    assert tries > 90


def test_panels_are_found_by_their_usb_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        SimpleNamespace(device="/dev/ttyACM1", vid=0x2E8A, pid=0x0005),
        SimpleNamespace(device="/dev/ttyACM0", vid=0x2E8A, pid=0x000A),
        SimpleNamespace(device="/dev/ttyACM2", vid=0x2E8A, pid=0x000C),  # a debug probe
        SimpleNamespace(device="/dev/ttyUSB0", vid=0x0403, pid=0x6001),  # somebody's 3D printer
        SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None),
    ]
    monkeypatch.setattr(list_ports, "comports", lambda: found)

    assert usb_ports() == ["/dev/ttyACM0", "/dev/ttyACM1"]


def test_in_real_time_a_panel_lives_in_its_own_thread() -> None:
    with SimulatedPanel() as panel:
        panel.run()
        panels = Panels(1, [panel.port])
        pressed: list[object] = []
        deadline = time.monotonic() + 30
        while not pressed and time.monotonic() < deadline:
            for event in panels.poll(time.monotonic()):
                if getattr(event, "condition", None) == SIMULATED:
                    panel.tap(0, "select")
                pressed += [event] if hasattr(event, "button") else []
            panels.wait(0.01)
        panels.close()

    assert [event.button for event in pressed] == ["select"]  # type: ignore[attr-defined]

"""systemd hears that the table is ready, and that it lives only while both halves of it do."""

import os
import socket
from pathlib import Path

import pytest

from companion.app.senses import CAMERA, PANELS
from companion.app.service_manager import VITAL, ServiceManager, watched
from companion.core.heartbeat import Heartbeats
from web.events import PAGES, REQUESTS


class Systemd:
    """Its end of the socket."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(path))
        self._socket.settimeout(10.0)

    def environment(self, **more: str) -> dict[str, str]:
        return {"NOTIFY_SOCKET": str(self.path), **more}

    def heard(self) -> list[str]:
        return self._socket.recv(4096).decode().split("\n")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def systemd(tmp_path: Path):
    end = Systemd(tmp_path / "notify")
    yield end
    end.close()


class Steps:
    """Lets the watchdog's thread go on one wait at a time, and moves a clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.hearts = Heartbeats(lambda: self.now)
        self.asked: list[float] = []
        self.script: list = []

    def wait(self, seconds: float) -> bool:
        self.asked.append(seconds)
        if not self.script:
            return True
        self.script.pop(0)()
        return False


def test_it_is_ready_when_polling_and_pages_have_begun_and_then_it_is_fed(systemd):
    steps = Steps()
    steps.script = [
        lambda: steps.hearts.beat(PANELS),
        lambda: [steps.hearts.beat(name) for name in (PAGES, REQUESTS)],
        lambda: None,
    ]
    manager = ServiceManager(systemd.environment(WATCHDOG_USEC="20000000"))
    with watched(steps.hearts, manager, steps.wait):
        assert systemd.heard()[0] == "READY=1"
        assert systemd.heard() == ["WATCHDOG=1"]
    assert systemd.heard() == ["STOPPING=1"]
    assert steps.asked[-1] == 5.0


@pytest.mark.parametrize("hung", VITAL)
def test_one_half_that_hangs_is_enough_for_it_to_starve(systemd, hung):
    steps = Steps()

    def beat(*names: str) -> None:
        for name in names:
            steps.hearts.beat(name)

    def hang() -> None:
        steps.now += 60.0
        beat(*({*VITAL} - {hung}))

    def again() -> None:
        beat(*VITAL)

    steps.script = [lambda: beat(*VITAL), hang, again]
    with watched(steps.hearts, ServiceManager(systemd.environment(WATCHDOG_USEC="20000000")), steps.wait):
        assert systemd.heard()[0] == "READY=1"
        assert systemd.heard() == [f"STATUS=No sign of life from: {hung}."]
        assert systemd.heard() == ["WATCHDOG=1"]


def test_a_camera_that_hangs_interrupts_nobodys_match(systemd):
    steps = Steps()

    def camera_hangs() -> None:
        steps.now += 60.0
        for name in VITAL:
            steps.hearts.beat(name)

    steps.script = [lambda: [steps.hearts.beat(name) for name in (*VITAL, CAMERA)], camera_hangs]
    with watched(steps.hearts, ServiceManager(systemd.environment()), steps.wait):
        assert systemd.heard()[0] == "READY=1"
        assert systemd.heard() == ["WATCHDOG=1"]
        assert systemd.heard() == [f"STATUS=No sign of life from: {CAMERA}."]


def test_without_systemd_nothing_is_said_and_nothing_fails(tmp_path):
    manager = ServiceManager({})
    assert manager.watchdog is None
    manager.tell("READY=1")
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "gone")}).tell("READY=1")


@pytest.mark.parametrize(
    ("environment", "seconds"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 30.0),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
    ],
)
def test_the_watchdogs_time_is_read_and_one_that_is_not_ours_left_alone(environment, seconds):
    assert ServiceManager(environment).watchdog == seconds


def test_an_abstract_socket_is_found(tmp_path):
    name = f"shinpan-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind("\0" + name)
        end.settimeout(10.0)
        ServiceManager({"NOTIFY_SOCKET": "@" + name}).tell("READY=1")
        assert end.recv(100) == b"READY=1"

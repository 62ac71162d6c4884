"""What systemd is told: that the table is ready, that it stops, and again and again that it is alive.

It is told over a datagram socket that it names in the environment; without one nothing is said. A watchdog that is not
fed in time has the service killed and started again, so it is fed only while both halves of the table work: the loop
that polls panels and clock, and the pages.
"""

import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from companion.app.senses import PANELS
from companion.core.heartbeat import Heartbeats
from web.events import PAGES, REQUESTS

log = logging.getLogger("shinpan")

VITAL = (PANELS, PAGES, REQUESTS)
"""A camera that hangs is told on the page, and people tap instead; nobody's match is interrupted for it."""
FED = 0.25
"""Part of the watchdog's time after which it is fed again."""


class ServiceManager:
    """The service manager that started us, if it listens."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # An address in the abstract namespace is written with an @ and begins with a zero byte.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.watchdog = _watchdog(environment)
        """Seconds within which it wants a sign of life; None: it does not."""

    def tell(self, *words: str) -> None:
        """Each is one assignment: READY=1. Nothing that goes wrong here may stop a table."""
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.settimeout(1.0)
                line.sendto("\n".join(words).encode(), self._address)
        except OSError as error:
            log.warning("systemd could not be told: %s.", error)


def _watchdog(environment: Mapping[str, str]) -> float | None:
    """It may be meant for another process, one that started us."""
    if environment.get("WATCHDOG_PID", str(os.getpid())) != str(os.getpid()):
        return None
    try:
        seconds = int(environment["WATCHDOG_USEC"]) / 1e6
    except (KeyError, ValueError):
        return None
    return seconds if seconds > 0 else None


@contextmanager
def watched(
    heartbeats: Heartbeats, manager: ServiceManager | None = None, wait: Callable[[float], bool] | None = None
) -> Iterator[None]:
    """Tell the service manager about the table that runs inside. `wait` waits for some seconds, or until the end, and
    says whether it has come."""
    manager = manager or ServiceManager()
    ended = threading.Event()

    def keep_telling() -> None:
        _keep_telling(heartbeats, manager, wait or ended.wait)

    thread = threading.Thread(target=keep_telling, name="watchdog", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        manager.tell("STOPPING=1")


def _keep_telling(heartbeats: Heartbeats, manager: ServiceManager, wait: Callable[[float], bool]) -> None:
    while not heartbeats.beating(*VITAL):
        if wait(0.1):
            return
    manager.tell("READY=1", "STATUS=The table is open.")
    well = True
    while not wait((manager.watchdog or 20.0) * FED):
        silent = heartbeats.silent()
        if heartbeats.beating(*VITAL):
            manager.tell("WATCHDOG=1")
        if well != (not silent):
            well = not silent
            told = f"No sign of life from: {', '.join(silent)}." if silent else "The table is open."
            log.warning("%s", told)
            manager.tell(f"STATUS={told}")

"""Which connections are let in and how long they may be silent, before anything of a request has been understood.

Everybody shares the places for strangers, only so many of them for one address. Apart from these, places are kept for
the addresses from which somebody is logged in, and for the table's own screen.
"""

import asyncio
import errno
import logging
import resource
import time
from collections.abc import Callable
from typing import Any, Protocol

from uvicorn.protocols.http.h11_impl import H11Protocol

from web.tries import LOOPBACK, network

HEADER = 10.0
"""Seconds for the head of a request, from the connection or the last answer on; also how long one may be idle."""
STALLED = 30.0
"""Seconds after which a client that takes nothing of its answer is let go."""
STRANGERS, PER_ADDRESS = 1200, 64
KEPT_PER_ADDRESS, ADDRESSES_PER_ROLE = 16, 4
HANDLES = 4096
"""Open files and sockets that are asked of the system."""
SPARE_HANDLES = 450
"""Of these for everything but strangers' connections: kept places, own screen, camera, panels, files."""
CONNECTION = "shinpan.connection"
"""Where the scope of a request has its connection."""
RESTATED = 60.0
"""Seconds without trouble after which running out of handles is news again."""

log = logging.getLogger("shinpan")


class Guest(Protocol):
    """A connection, from its first moment on."""

    @property
    def silent(self) -> bool:
        """Nothing has been asked there that could be answered now."""

    def hang_up(self) -> None:
        """Without another word."""


class Doorkeeper:
    """Counts connections; used on the event loop only."""

    def __init__(self, strangers: int = STRANGERS) -> None:
        self._limit = strangers
        self._strangers: dict[Guest, str] = {}
        self._per_address: dict[str, int] = {}
        self._kept: dict[Guest, str] = {}
        self._guests: dict[str, list[str]] = {}

    def knows(self, role: str, address: str) -> None:
        """Somebody is logged in as that from there: places are kept for the latest few addresses of each role."""
        address = network(address)
        known = self._guests.setdefault(role, [])
        if address in known:
            return
        known.append(address)
        del known[:-ADDRESSES_PER_ROLE]

    def admit(self, connection: Guest, address: str) -> bool:
        if address in LOOPBACK:
            return True
        address = network(address)
        if self._has_kept_place(address):
            self._kept[connection] = address
            return True
        if self._per_address.get(address, 0) >= PER_ADDRESS:
            return False
        if len(self._strangers) >= self._limit and not self._make_room():
            return False
        self._strangers[connection] = address
        self._per_address[address] = self._per_address.get(address, 0) + 1
        return True

    def leave(self, connection: Guest) -> None:
        self._kept.pop(connection, None)
        address = self._strangers.pop(connection, None)
        if address is not None:
            self._per_address[address] -= 1
            if not self._per_address[address]:
                del self._per_address[address]

    def _has_kept_place(self, address: str) -> bool:
        taken = sum(each == address for each in self._kept.values())
        return taken < KEPT_PER_ADDRESS and any(address in known for known in self._guests.values())

    def _make_room(self) -> bool:
        """Let go whoever has been connected longest without asking for anything."""
        silent = next((each for each in self._strangers if each.silent), None)
        if silent is None:
            return False
        self.leave(silent)
        silent.hang_up()
        return True


class TimedConnection(H11Protocol):
    """A connection that the doorkeeper let in; one that is silent or takes nothing for too long is closed."""

    doorkeeper: Doorkeeper
    doorstep: Guest | None = None
    """Whom it was let in as, where the door came first."""
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    @property
    def silent(self) -> bool:
        """Nothing has been asked here that could be answered now."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.doorstep is not None:
            self.doorkeeper.leave(self.doorstep)
        if self.doorkeeper.admit(self, self.client[0] if self.client else ""):
            self._expect_request()
        else:
            transport.abort()

    def hang_up(self) -> None:
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.doorkeeper.leave(self)
        _cancel(self._deadline)
        _cancel(self._stalled)
        super().connection_lost(exc)

    def handle_events(self) -> None:
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            _cancel(self._deadline)
            self.cycle.scope[CONNECTION] = self  # type: ignore[literal-required]  # its task has not begun yet

    def hand_out(self, chunk: bytes) -> bool:
        """Send a chunk, framed already, of an answer that is under way; False: the client has not taken what went
        before."""
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(chunk)
        return True

    def on_response_complete(self) -> None:
        self._expect_request()
        super().on_response_complete()

    def pause_writing(self) -> None:
        super().pause_writing()
        _cancel(self._stalled)
        self._stalled = self.loop.call_later(STALLED, self.transport.abort)

    def resume_writing(self) -> None:
        _cancel(self._stalled)
        super().resume_writing()

    def _expect_request(self) -> None:
        _cancel(self._deadline)
        self._deadline = self.loop.call_later(HEADER, self._give_up)

    def _give_up(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def guarded_by(doorkeeper: Doorkeeper) -> type[TimedConnection]:
    """The kind of connection that uvicorn makes, with its doorkeeper."""
    return type("GuardedConnection", (TimedConnection,), {"doorkeeper": doorkeeper})


def places_for_strangers() -> int:
    """As many as the system gives handles for, when it is asked for more of them."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = HANDLES if hard == resource.RLIM_INFINITY else min(HANDLES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):
            pass  # then there are fewer places
    handles = HANDLES if soft == resource.RLIM_INFINITY else soft
    return max(64, min(STRANGERS, handles - SPARE_HANDLES, handles // 2))


def said_once(now: Callable[[], float] = time.monotonic) -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """Handles what goes wrong on the event loop: running out of handles is one line in the log, not a traceback for
    every try."""
    last: float | None = None

    def handle(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal last
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            before, last = last, now()
            if before is None or last - before > RESTATED:
                log.warning("No more connections can be opened: this machine has no handles left for them.")
        else:
            loop.default_exception_handler(context)

    return handle

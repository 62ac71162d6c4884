"""How much a browser may send: the size of everything in a tap, taps for each role, and what strangers may ask for.
What is too much is answered to whoever sent it and goes no further: nothing of it is written down or told to others."""

import threading
from collections.abc import Callable
from typing import Any

from companion.core.message import Message, message
from web.pins import REFEREE
from web.tries import network

LARGEST_IMPORT = 24 * 2**20
"""Bytes of a body that brings kifus in: those of the referee alone may be as large."""
IMPORT, IMPORT_TOURNAMENT = "/api/history/import", "/api/tournament"
LONGEST_TAP = 8 * 1024
"""Bytes of a whole tap; the longest that a game allows has a few hundred."""
LONGEST_TEXT, LONGEST_NAME, LONGEST_LIST = 500, 64, 64
DEEPEST = 8
LARGEST_NUMBER = 10**9
TAPS, TAPS_AT_ONCE = 4.0, 24
"""Taps a second of a player, and how many may be saved up; the referee, who taps for all, has four times these."""


def too_much(value: Any, depth: int = 1) -> Message | None:
    """What in this JSON value is larger than any move, reason or card needs; None where nothing is."""
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return message("a text in it has more than {most} characters", most=LONGEST_TEXT)
    if isinstance(value, int | float) and not abs(value) <= LARGEST_NUMBER:
        return message("a number in it is above {most}", most=LARGEST_NUMBER)
    if isinstance(value, list | dict):
        if depth > DEEPEST:
            return message("it is nested too deeply")
        if len(value) > LONGEST_LIST:
            return message("a list in it has more than {most} entries", most=LONGEST_LIST)
        if isinstance(value, dict) and any(len(name) > LONGEST_NAME for name in value):
            return message("a name in it has more than {most} characters", most=LONGEST_NAME)
        parts = value.values() if isinstance(value, dict) else value
        return next((found for part in parts if (found := too_much(part, depth + 1)) is not None), None)
    return None


class TapBudget:
    """Safe to use from any thread. `now` is the table's own clock, so that a simulated evening may hurry."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def spend(self, role: str) -> bool:
        """Whether this role may tap once more now. Roles are few: only those that somebody is logged in to."""
        times = 4 if role == REFEREE else 1
        with self._lock:
            now = self._now()
            left, at = self._left.get(role, (TAPS_AT_ONCE * times, now))
            left = min(left + max(0.0, now - at) * TAPS * times, TAPS_AT_ONCE * times)
            self._left[role] = (left - 1 if left >= 1 else left), now
            return left >= 1


class GuestBudget:
    """What people who are not logged in may do, by their address: so many at once, then one every so many seconds.

    Safe to use from any thread. An address is forgotten as soon as it could begin anew, and no more than `GUESTS` are
    kept: whoever has many addresses must not fill the memory with them.
    """

    AT_ONCE, EVERY = 20, 5.0
    """Twenty register at the desk's tablet in a row; nobody fills a tournament by holding a key down."""
    GUESTS = 1000

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._free_at: dict[str, float] = {}
        """Address -> when it has everything back that it spent, whoever came last at the end."""
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._free_at)

    def spend(self, address: str) -> bool:
        """Whether that address may do one thing more now."""
        with self._lock:
            now, guest = self._now(), network(address)
            free_at = max(now, self._free_at.get(guest, now)) + self.EVERY
            if free_at - now > self.AT_ONCE * self.EVERY:
                return False
            self._free_at = {each: at for each, at in self._free_at.items() if at > now and each != guest}
            while len(self._free_at) >= self.GUESTS:
                del self._free_at[next(iter(self._free_at))]
            self._free_at[guest] = free_at
            return True

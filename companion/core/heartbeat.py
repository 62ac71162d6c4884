"""Signs of life of the threads that must not stop: `/healthz` tells from them whether the table works."""

import threading
import time
from collections.abc import Callable

PATIENCE = 5.0
"""Seconds within which a thread has to complete a step."""


class Heartbeats:
    """Safe to use from any thread. A thread that never began, or that has ended, cannot be late."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._due: dict[str, float] = {}
        self._lock = threading.Lock()

    def beat(self, name: str, patience: float = PATIENCE) -> None:
        """A step of this thread is complete; the next one will be within that many seconds."""
        with self._lock:
            self._due[name] = self._now() + patience

    def end(self, name: str) -> None:
        """This thread has ended as it should."""
        with self._lock:
            self._due.pop(name, None)

    def beating(self, *names: str) -> bool:
        """Whether each of these has begun and none is late."""
        with self._lock:
            now = self._now()
            return all(self._due.get(name, now) > now for name in names)

    def silent(self) -> tuple[str, ...]:
        """Threads that should have beaten again by now."""
        with self._lock:
            now = self._now()
            return tuple(sorted(name for name, due in self._due.items() if due < now))

"""What has arrived and is not handled yet. One table that floods the venue gets in nobody's way: every table has a
queue of its own, of a fixed length, and they are served in turn."""

import threading
from collections import OrderedDict, deque
from typing import Generic, TypeVar

T = TypeVar("T")

WAITING = 64
"""Messages of one table that may wait. What is dropped is sent again: a state with the next one, a piece of a kifu
because nobody acknowledged it."""


class Inbox(Generic[T]):
    """Safe to use from any thread."""

    def __init__(self, waiting: int = WAITING) -> None:
        self._queues: OrderedDict[str, deque[T]] = OrderedDict()
        self._waiting = waiting
        self._news = threading.Condition()
        self.dropped: dict[str, int] = {}
        """Table -> how much of it had to be dropped."""
        self._closed = False

    def put(self, table: str, item: T) -> None:
        with self._news:
            queue = self._queues.setdefault(table, deque())
            if len(queue) >= self._waiting:
                queue.popleft()
                self.dropped[table] = self.dropped.get(table, 0) + 1
            queue.append(item)
            self._news.notify()

    def take(self, timeout: float) -> tuple[str, T] | None:
        """The next one, table after table; None: nothing came in that time."""
        return next(iter(self.take_many(timeout, 1)), None)

    def take_many(self, timeout: float, most: int) -> list[tuple[str, T]]:
        """What there is, table after table, and no more than that many; waits for the first of them."""
        with self._news:
            self._news.wait_for(lambda: self._queues or self._closed, timeout)
            taken: list[tuple[str, T]] = []
            while self._queues and len(taken) < most:
                table, queue = self._queues.popitem(last=False)
                taken.append((table, queue.popleft()))
                if queue:
                    self._queues[table] = queue  # behind all others
            return taken

    def close(self) -> None:
        with self._news:
            self._closed = True
            self._news.notify_all()

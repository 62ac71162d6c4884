"""What is made when it is asked for, and kept for a while.

Like `functools.lru_cache`, which on a method of one object ties that object into a knot that is not let go of when the
object is: after an evening of matches dozens of galleries lay in memory.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """Of things with a number, the last so many that were asked for."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._things: dict[int, T] = {}

    def of(self, number: int, make: Callable[[int], T]) -> T:
        found = self._things.pop(number, None)
        if found is None:
            found = make(number)
        self._things[number] = found  # now the last one
        if len(self._things) > self.most:
            self._things.pop(next(iter(self._things)))
        return found

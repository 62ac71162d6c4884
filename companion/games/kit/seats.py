"""A tuple with one entry per seat, and the same tuple with one seat changed. States are immutable."""

from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)


def with_seat(seats: tuple[T, ...], at: int, entry: T) -> tuple[T, ...]:
    """The seats with another entry at that place.

    >>> with_seat((7, 7, 7), 1, 5)
    (7, 5, 7)
    """
    changed = list(seats)
    changed[at] = entry
    return tuple(changed)


def change_seat(seats: tuple[S, ...], at: int, **changes: Any) -> tuple[S, ...]:
    """The seats with some fields of one seat's struct changed.

    >>> class Hand(msgspec.Struct, frozen=True):
    ...     player: str
    ...     cards: int
    >>> change_seat((Hand("Aki", 5), Hand("Ben", 5)), 1, cards=4)[1]
    Hand(player='Ben', cards=4)
    """
    return with_seat(seats, at, msgspec.structs.replace(seats[at], **changes))

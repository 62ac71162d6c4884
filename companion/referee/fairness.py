"""Who pressed first. Presses that the clocks cannot tell apart are a tie.

Two boards have two clocks, each known to the host only give or take some milliseconds; two buttons on one board have
one, and are told apart by its stamps alone. Nothing is drawn by lot and the faster cable wins nothing.
"""

from collections.abc import Iterable
from typing import NamedTuple

from companion.core.events import Press

RESOLUTION = 0.001
"""The resolution of a board's time stamps, in seconds."""
NOISE = 1e-6
"""Rounding error of floating-point sums; smaller than anything a clock can tell."""


class Apart(NamedTuple):
    """How long after one press another came, in seconds, and how far that may be wrong."""

    gap: float
    uncertainty: float


def apart(first: Press, second: Press) -> Apart:
    if first.clock and first.clock == second.clock:
        return Apart(second.stamp - first.stamp, RESOLUTION)
    return Apart(second.at - first.at, first.uncertainty + second.uncertainty)


def surely_before(first: Press, second: Press) -> bool:
    """Whether the first came before the second even if both clocks are wrong by as much as they can be."""
    gap, uncertainty = apart(first, second)
    return gap > uncertainty + NOISE


def order(presses: Iterable[Press]) -> tuple[tuple[Press, ...], ...]:
    """The presses in groups: each one surely came before all those in later groups; within a group it is a tie.

    A tie is not passed on lightly: with A and C clearly apart, but a B between them that could be either's equal, all
    three share a group, because no order of groups would be true of B.
    """
    left = sorted(presses, key=lambda press: (press.at, press.seat))
    groups = []
    while left:
        group = list(first(left)) or left  # clocks that contradict each other decide nothing
        rest = [press for press in left if press not in group]
        while drawn_in := [late for late in rest if not all(surely_before(early, late) for early in group)]:
            group += drawn_in
            rest = [press for press in rest if press not in drawn_in]
        groups.append(tuple(press for press in left if press in group))
        left = rest
    return tuple(groups)


def first(presses: Iterable[Press]) -> tuple[Press, ...]:
    """Everyone who may have been first; one press if that is certain."""
    all_presses = tuple(presses)
    return tuple(press for press in all_presses if not any(surely_before(other, press) for other in all_presses))

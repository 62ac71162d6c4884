"""Who was first? Said only where the clocks can tell; what they cannot tell apart is a tie.

Two boards have two clocks, each known to the host only give or take some milliseconds. Nothing is drawn by lot and
the faster cable wins nothing.
"""

from collections.abc import Iterable

from companion.events import Press


def surely_before(first: Press, second: Press) -> bool:
    """Whether every way the clocks may be wrong leaves the first before the second."""
    return first.at + first.give < second.at - second.give


def order(presses: Iterable[Press]) -> tuple[tuple[Press, ...], ...]:
    """The presses in groups: each one surely came before all those in later groups; within a group it is a tie.

    A tie is not passed on lightly: with A and C clearly apart, but a B between them that could be either's equal, all
    three share a group, because no order of groups would be true of B.
    """
    groups: list[list[Press]] = []
    latest = float("-inf")
    for press in sorted(presses, key=lambda press: (press.at - press.give, press.seat)):
        if press.at - press.give > latest:
            groups.append([])
        groups[-1].append(press)
        latest = max(latest, press.at + press.give)
    return tuple(tuple(group) for group in groups)


def first(presses: Iterable[Press]) -> tuple[Press, ...]:
    """Everyone who may have been first: alone if it is certain."""
    all_presses = tuple(presses)
    return tuple(press for press in all_presses if not any(surely_before(other, press) for other in all_presses))

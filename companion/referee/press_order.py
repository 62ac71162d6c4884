"""The order in which everybody was ready, in words: who was first, by how much, and how sure that is."""

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Any

from companion.core.events import Press
from companion.core.message import Message, Thing, message, things
from companion.record.kifu import FirstReady
from companion.referee.fairness import Apart, apart, first, order

TAPPED = 0.5
"""Seconds of uncertainty of a tap on a tablet: nothing stamped it when the finger came down."""


def tapped(seat: int, at: float) -> Press:
    """Ready from a tablet: a press without a board's time stamp."""
    return Press(seat, "ready", at, TAPPED)


def sentence(presses: Sequence[Press], names: Sequence[str]) -> Message | None:
    """Who was first; None with fewer than two presses."""
    found = first_ready(presses, names)
    return None if found is None else told(found)


def first_ready(presses: Sequence[Press], names: Sequence[str]) -> FirstReady | None:
    """The same as the kifu keeps it."""
    if len(presses) < 2:
        return None
    leaders = first(presses) or tuple(presses)
    if len(leaders) > 1:
        widest = max((_distance(*pair) for pair in combinations(leaders, 2)), key=lambda each: each.gap)
        players = tuple(names[press.seat] for press in leaders)
        return FirstReady(players, _kept(widest.gap), _kept(widest.uncertainty))
    (leader,) = leaders
    followers = {press.seat: apart(leader, press) for press in presses if press is not leader}
    seat = min(followers, key=lambda seat: followers[seat].gap - followers[seat].uncertainty)
    gap, uncertainty = followers[seat]
    return FirstReady((names[leader.seat],), _kept(gap), _kept(uncertainty), names[seat])


def told(ready: FirstReady) -> Message:
    """In words."""
    if not ready.before:
        return message(
            "{players} were ready together: {gap} apart, known only to ±{uncertainty}.",
            players=things("player", ready.players),
            gap=span(ready.apart),
            uncertainty=margin(ready.give),
        )
    return message(
        "{first} was ready first, {gap} before {second} (±{uncertainty}).",
        first=Thing("player", ready.players[0]),
        second=Thing("player", ready.before),
        gap=span(ready.apart),
        uncertainty=margin(ready.give),
    )


def _kept(seconds: float) -> float:
    """Far finer than any clock here, so that the words are the same when they are made of it again."""
    return round(seconds, 7)


def listed(presses: Sequence[Press], names: Sequence[str]) -> list[dict[str, Any]]:
    """The whole order, for the record: each group of equals, how long after the first of all, give or take."""
    groups = order(presses)
    rows = []
    for group in groups:
        gap, uncertainty = apart(groups[0][0], group[0])
        row: dict[str, Any] = {"players": [names[press.seat] for press in group]}
        rows.append(row if group is groups[0] else {**row, "after": round(gap, 3), "give": rounded_up(uncertainty)})
    return rows


def span(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def margin(seconds: float) -> str:
    return span(rounded_up(seconds))


def rounded_up(seconds: float) -> float:
    """To whole milliseconds, so that an uncertainty is never understated."""
    return math.ceil(round(seconds * 1000, 6)) / 1000


def _distance(one: Press, other: Press) -> Apart:
    gap, uncertainty = apart(one, other)
    return Apart(abs(gap), uncertainty)

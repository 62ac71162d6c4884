"""How strong players are, over all evenings: openskill's Plackett-Luce, which knows tables of any size and draws.

Nothing of it is kept: it is worked out from all results in the order in which they were played.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

SCALE, BASE = 40.0, 1000.0
"""A new player has 1000 less what nobody knows yet; 40 for each of openskill's points."""


class Rating(msgspec.Struct, frozen=True):
    name: str
    rating: float
    """What one can be sure of: it grows with results, and with how many there are."""
    matches: int


@cache
def _model() -> Any:
    from openskill.models import PlackettLuce

    return PlackettLuce()


def ratings(results: Iterable[tuple[Sequence[str], Sequence[float]]]) -> list[Rating]:
    """`results`: players and their points, the oldest first. The strongest first."""
    model = _model()
    known: dict[str, Any] = {}
    played: dict[str, int] = {}
    for players, points in results:
        if len(players) < 2:
            continue
        teams = [[known.get(name) or model.rating(name=name)] for name in players]
        rated = model.rate(teams, scores=list(points))
        for name, (new,) in zip(players, rated, strict=True):
            known[name] = new
            played[name] = played.get(name, 0) + 1
    found = [Rating(name, round(BASE + SCALE * each.ordinal(), 1), played[name]) for name, each in known.items()]
    return sorted(found, key=lambda each: (-each.rating, each.name))

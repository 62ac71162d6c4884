"""Which card that was seen in a row stands for which that was laid, when some are unsure, lost or made up."""

from collections.abc import Sequence
from typing import NamedTuple

DOUBT = "?"
NOTHING = "nothing"


class Slip(NamedTuple):
    """A card that was not read as it was laid."""

    at: int
    """Its place among those laid, from 0."""
    laid: str
    seen: str

    @property
    def honest(self) -> bool:
        return self.seen == DOUBT


class _Step(NamedTuple):
    """How much is wrong and unsure from a place in both rows on, and what comes first there."""

    wrong: int
    unsure: int
    laid: int
    seen: int
    slip: Slip | None


def slips(laid: Sequence[str], seen: Sequence[str]) -> list[Slip]:
    """What was not read as it was laid. Of all ways to pair the two, in order, it is that with the least wrong and then
    the least unsure: matching what is equal first would tear rows apart, for a covered card is like any other. A
    doubt may stand for several cards in a row."""
    best: dict[tuple[int, int], _Step] = {(len(laid), len(seen)): _Step(0, 0, 0, 0, None)}

    def step(i: int, j: int, ahead: int, on: int, slip: Slip | None) -> _Step:
        rest = best[i + ahead, j + on]
        wrong, unsure = (slip is not None and slip.honest == honest for honest in (False, True))
        return _Step(rest.wrong + wrong, rest.unsure + unsure, ahead, on, slip)

    for i in range(len(laid), -1, -1):
        for j in range(len(seen), -1, -1):
            steps = []
            if i < len(laid) and j < len(seen):
                steps.append(step(i, j, 1, 1, None if laid[i] == seen[j] else Slip(i, laid[i], seen[j])))
            if i < len(laid):
                stands = DOUBT if DOUBT in seen[max(0, j - 1) : j + 1] else NOTHING
                steps.append(step(i, j, 1, 0, Slip(i, laid[i], stands)))
            if j < len(seen):
                steps.append(step(i, j, 0, 1, Slip(i, NOTHING, seen[j])))
            if steps:
                best[i, j] = min(steps, key=lambda one: one[:2])
    found, i, j = [], 0, 0
    while (now := best[i, j]).laid or now.seen:
        i, j = i + now.laid, j + now.seen
        found += [now.slip] if now.slip else []
    return found

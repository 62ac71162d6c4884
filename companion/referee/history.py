"""How everybody stood after each move of the match, for a chart of it."""

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.games.kit.game import Rules
from companion.record.match import Match


class StandingAt(msgspec.Struct, frozen=True):
    moves: int
    """Moves, and acts of the referee, made so far."""
    tally: tuple[int, ...]
    """By seat."""


class History:
    """Read off the states that the match itself keeps, so what is taken back is gone from here, too."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._known: list[tuple[Any, tuple[int, ...]]] = []
        """Each state with its tally: a state is counted once."""

    def steps(self) -> tuple[StandingAt, ...]:
        """The start, and every move that changed something."""
        match, known = self._match, self._known
        past = list(match.past)[::-1]
        while known and (len(known) > len(past) or known[-1][0] is not past[len(known) - 1].state):
            known.pop()
        known += [(moment.state, tally(match.game.rules, moment.state)) for moment in past[len(known) :]]
        tallies = [counted for _, counted in known] + [tally(match.game.rules, match.state)]
        steps, moves = [StandingAt(0, tallies[0])], 0
        for moment, counted in zip(past, tallies[1:], strict=True):
            moves += moment.counts
            if counted != steps[-1].tally:
                steps.append(StandingAt(moves, counted))
        return tuple(steps)


def tally(rules: Rules, state: Any) -> tuple[int, ...]:
    if rules.tally is not None:
        return tuple(rules.tally(state))
    standing = rules.facts(state).get(rules.standing, {})
    return tuple(len(each) if isinstance(each, Sequence) else int(each) for each in standing.values())

"""One moment of a match that is looked back at."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.clock import MatchClock
from companion.core.events import Press, Said
from companion.core.message import Message
from companion.core.rulings import Refusal
from companion.games.kit.game import Move
from companion.record import kifu
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.history import History, StandingAt
from companion.referee.referee import Referee


class Then(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """How everything stood once one line was written. Most of it is shared with the moments beside it."""

    number: int
    line: kifu.Line
    reached: float
    """Seconds on the match clock, as far as the kifu says."""
    players: tuple[str, ...]
    state: Any
    sealed: Mapping[str, Any]
    awaited: tuple[str, ...]
    moves: int
    refusal: Refusal | None
    said: list[Said]
    spoken: int
    struck: frozenset[int]
    stage: str
    ready: tuple[str, ...]
    called: tuple[str, ...]
    turned_up: dict[str, Move]
    put_back: tuple[Message, ...]
    paused: bool
    order: Message
    """Who was ready first before the last count."""
    chain: kifu.Chain
    steps: list[StandingAt]
    stands: int
    """So many of these steps had been made."""


class MatchThen(Match):
    """A match as it stood. Nothing can be done in it."""

    def __init__(self, match: Match, then: Then) -> None:
        self.game, self.options = match.game, match.options
        self.players, self.state, self.sealed = then.players, then.state, then.sealed
        self._moves = then.moves
        self._past = []
        self._awaited = (None, None, {})

    @property
    def moves(self) -> int:
        return self._moves


class StandingThen(History):
    def __init__(self, match: Match, then: Then) -> None:
        super().__init__(match)
        self._steps = tuple(then.steps[: then.stands])

    def steps(self) -> tuple[StandingAt, ...]:
        return self._steps


class RefereeThen(Referee):
    """The referee as they stood there, to be asked for the page."""

    def __init__(self, match: Match, then: Then) -> None:
        frozen = MatchThen(match, then)
        super().__init__(RecordedMatch(frozen, lambda fields: 0))
        self.timekeeper.clock = MatchClock(then.reached)
        self.history = StandingThen(frozen, then)
        self.paused, self.turned_up, self.put_back = then.paused, then.turned_up, then.put_back
        self.tell.recall(then.said, then.spoken, then.struck)
        reveal, pressed = self.reveal, {player: Press(0, "ready", 0.0) for player in then.ready}
        reveal.stage, reveal.ready, reveal.called = then.stage, pressed, set(then.called)

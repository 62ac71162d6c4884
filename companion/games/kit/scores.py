"""A state with players and their points, for games that the most points win."""

from typing import Self

import msgspec

from companion.core.message import message, things
from companion.core.rulings import Ruling
from companion.games.kit.seats import with_seat


class ScoredState(msgspec.Struct, frozen=True):
    """What the referee's acts by hand need is here. A game adds its own fields, and says when it is `played_out`."""

    players: tuple[str, ...]
    scores: tuple[int, ...]
    ended: tuple[int, ...] | None = None
    """The seats that won a match which the referee has ended by hand."""

    @property
    def played_out(self) -> bool:
        raise NotImplementedError

    @property
    def over(self) -> bool:
        return self.ended is not None or self.played_out

    @property
    def winners(self) -> tuple[str, ...]:
        """Empty until the match is over; equal points share the win."""
        best = [seat for seat, score in enumerate(self.scores) if score == max(self.scores)]
        return tuple(self.players[seat] for seat in (best if self.ended is None else self.ended) if self.over)

    def with_points(self, player: str, points: int) -> Self:
        seat = self.players.index(player)
        return msgspec.structs.replace(self, scores=with_seat(self.scores, seat, self.scores[seat] + points))

    def outcome(self, rule: str) -> Ruling:
        """Who has won, once it is over."""
        won = message("The match is won by {players}.", players=things("player", self.winners))
        return Ruling(rule, won, {"over": (False, True), "winners": ([], list(self.winners))})

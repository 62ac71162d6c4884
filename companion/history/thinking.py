"""How long everybody took to answer, as far as the times in a kifu tell.

Somebody thinks from the moment that something is awaited from them until they have answered it: with a move, or, before
a count of three, by pressing ready. Turning a card up at the count is no thought of its own.
"""

from companion.history.retelling import Retelling
from companion.history.then import Then
from companion.record import kifu


class Thinking:
    def __init__(self, told: Retelling) -> None:
        self._told = told
        self._since: dict[int, float] = {}
        """Seat -> since when something is awaited from there."""
        self._seconds = [0.0] * len(told.match.players)
        self._answers = [0] * len(told.match.players)

    def by_seat(self) -> list[tuple[float, int]]:
        """Seconds, and how many answers were timed."""
        reveals = set(self._told.match.game.reveals.kinds)
        timed = False
        for then in self._told.then:
            line = then.line
            timed = timed or isinstance(line, kifu.Clock | kifu.Note) or getattr(line, "at", None) is not None
            if isinstance(line, kifu.Moved) and line.at is not None and then.refusal is None:
                if line.fields.get("move") not in reveals:
                    self._answer(then, line.by, line.at)
            elif isinstance(line, kifu.Note) and line.ready and line.at is not None:
                self._pressed(then, line, line.at)
            self._await(then)
        if not timed:
            return [(0.0, 0)] * len(self._seconds)
        return [(round(seconds, 2), count) for seconds, count in zip(self._seconds, self._answers, strict=True)]

    def _pressed(self, then: Then, line: kifu.Note, at: float) -> None:
        """The note is written when the last one is ready; the others were so before."""
        delays = {player: float(group.get("after", 0.0)) for group in line.ready for player in group.get("players", ())}
        latest = max(delays.values(), default=0.0)
        for player, after in delays.items():
            self._answer(then, player, at - (latest - after))

    def _answer(self, then: Then, player: str, at: float) -> None:
        if player not in then.players:
            return
        seat = then.players.index(player)
        since = self._since.pop(seat, None)
        if since is not None:
            self._seconds[seat] += max(0.0, at - since)
            self._answers[seat] += 1

    def _await(self, then: Then) -> None:
        awaited = then.awaited
        for seat, player in enumerate(then.players):
            if player in awaited:
                self._since.setdefault(seat, then.reached)
            else:
                self._since.pop(seat, None)

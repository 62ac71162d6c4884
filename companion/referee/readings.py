"""What the cards on the observed table mean as moves."""

from companion.games.kit.game import Move
from companion.record.match import Match
from companion.referee.observed_table import ObservedTable


class Readings:
    def __init__(self, match: Match, table: ObservedTable) -> None:
        self._match, self._table = match, table
        self._refused: dict[str, Move] = {}
        """The last refused reading of each player: it is refused once, not again with every picture."""

    def of(self, player: str) -> Move | None:
        """What lies there as an answer to what is awaited from this player; None: nothing yet."""
        match = self._match
        move: Move | None = match.game.table.read(match.state, match.sealed, player, self._table.telling)
        return None if move == self._refused.get(player) else move

    def answer(self, player: str) -> Move | None:
        """A move that counts as soon as it is seen, without ready and without the count of three."""
        kinds, reveals = self._match.awaits.get(player, ()), self._match.game.reveals
        if any(kind in reveals.locks or kind in reveals.kinds for kind in kinds):
            return None
        move = self.of(player)
        return move if move is not None and move.kind in kinds else None

    def lock(self, player: str) -> Move | None:
        """The covered cards that this player may lock by pressing ready."""
        move = self.of(player)
        return move if move is not None and move.kind in self._match.game.reveals.locks else None

    def reveal(self) -> list[tuple[str, Move]]:
        """Everyone's card, in the order of the rules; empty until every card of the reveal has been read."""
        order = self._match.game.reveals.kinds
        awaited = [player for player, kinds in self._match.awaits.items() if set(kinds) & set(order)]
        read = [(player, move) for player in awaited if (move := self.of(player)) is not None and move.kind in order]
        return sorted(read, key=lambda each: order.index(each[1].kind)) if len(read) == len(awaited) else []

    def refuse(self, player: str, move: Move) -> None:
        self._refused[player] = move

    def accept(self, player: str) -> None:
        self._refused.pop(player, None)

    def forget(self) -> None:
        """Things have been put right: whatever lies there may be read again."""
        self._refused.clear()

"""What the table shows of a match, and the options it was set up with."""

from typing import Annotated

import msgspec

from companion.games.kit.scores import ScoredState

COLOURS = ("red", "blue", "green", "gold")
"""One for each seat."""
VALUES = range(1, 8)


class HighCardOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=len(VALUES))] = 3


class HighCardState(ScoredState, frozen=True):
    options: HighCardOptions = HighCardOptions()
    played: tuple[tuple[str, ...], ...] = ()
    """The cards that each seat has turned up, in order."""
    covered: bool = False
    """Everybody's card lies face down."""

    @property
    def played_out(self) -> bool:
        return len(self.played[0]) == self.options.rounds

    def hand(self, player: str) -> list[str]:
        seat = self.players.index(player)
        return [card for card in cards_of(seat) if card not in self.played[seat]]


def cards_of(seat: int) -> list[str]:
    return [f"{COLOURS[seat]}-{value}" for value in VALUES]

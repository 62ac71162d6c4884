"""What the table shows of a match, and the options it was set up with."""

from typing import Annotated

import msgspec

COLOURS = ("red", "blue", "green", "gold")
"""One for each seat."""
VALUES = range(1, 8)


class HighCardOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=len(VALUES))] = 3


class HighCardState(msgspec.Struct, frozen=True):
    options: HighCardOptions
    players: tuple[str, ...]
    played: tuple[tuple[str, ...], ...]
    """The cards that each seat has turned up, in order."""
    scores: tuple[int, ...]
    covered: bool = False
    """Everybody's card lies face down."""
    ended: tuple[int, ...] | None = None
    """The seats that won a match which the referee has ended by hand."""

    @property
    def over(self) -> bool:
        return self.ended is not None or len(self.played[0]) == self.options.rounds

    @property
    def winners(self) -> tuple[str, ...]:
        if self.ended is not None:
            return tuple(self.players[seat] for seat in self.ended)
        best = max(self.scores)
        return tuple(who for who, score in zip(self.players, self.scores, strict=True) if self.over and score == best)

    def hand(self, seat: int) -> tuple[str, ...]:
        cards = (f"{COLOURS[seat]}-{value}" for value in VALUES)
        return tuple(card for card in cards if card not in self.played[seat])


def value(card: str) -> int:
    """The 5 of `red-5`."""
    return int(card.rpartition("-")[2])

"""What of a match is worth counting over many of them: points, wounds, sticks, favourite weapons."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.core.message import Message, message

FAVOURITES, COST = message("Favourite cards"), message("Cost")


@dataclass(frozen=True)
class Counted:
    """One figure of every player in a match that is over."""

    title: Message
    """What it is: "Points"."""
    by_seat: Callable[[Any], Sequence[int]]
    """(state) -> the figure of each player, by seat."""
    rounds: Callable[[Any], int] | None = None
    """(state) -> how many sets or rounds were played, where the figure is worth sharing out among them."""
    a_round: Message | None = None
    """What that is: "Points a set"."""


@dataclass(frozen=True)
class Figures:
    """A game that leaves this out is counted by matches and wins alone."""

    counted: Mapping[str, Counted] = field(default_factory=dict)
    """Id -> figure, in the order in which they are shown."""
    chosen: Callable[[Any, str, Any], Sequence[str]] = lambda state, player, move: ()
    """(state before, player, move) -> the weapons or cards that the player has chosen with that move, for what somebody
    likes to use. Only of moves that count."""
    chosen_title: Message = FAVOURITES
    cost: Callable[[Any, str], int | None] = lambda state, thing: None
    """(state, one of those) -> what it costs to use it, as its card says."""
    cost_title: Message = COST

"""What a player can do, exactly as the kifu writes it."""

from companion.games.kit.game import Move


class SelectCard(Move, frozen=True, tag="select"):
    """A card lies face down by the opponent's."""


class RevealCard(Move, frozen=True, tag="reveal"):
    card: str
    """An ability card, `passive` or `stun`."""


class ChooseSpeed(Move, frozen=True, tag="speed"):
    value: int


class LayInstant(Move, frozen=True, tag="instant"):
    """An instant laid over the player's card of the round."""

    card: str


class PassUp(Move, frozen=True, tag="pass"):
    """No instant now, or an optional line left out."""

    rest: bool = False
    """No more instants this round."""


class StepMove(Move, frozen=True, tag="step"):
    path: list[str] = []
    """Hexes or facings, one for each step."""
    to: str = ""
    """The same for a single step."""

    @property
    def places(self) -> list[str]:
        return [*self.path, self.to] if self.to else self.path


class RotateMove(Move, frozen=True, tag="rotate"):
    facing: str


class KamaeStep(Move, frozen=True, tag="kamae"):
    to: str


class ChooseLines(Move, frozen=True, tag="choose"):
    option: int | str
    """Counted from 1, or the first word of the choice: `move`, `kamae`."""


class UseLine(Move, frozen=True, tag="use"):
    """Take an optional line."""


class DrawUpTo(Move, frozen=True, tag="draw"):
    cards: int


class DiscardForced(Move, frozen=True, tag="discard"):
    """Cards that an opponent's card forces out of the hand, face up."""

    cards: list[str]


TOGETHER = frozenset({"select", "reveal"})

"""What a player can do, exactly as the kifu writes it."""

from companion.games.kit.game import Move


class Select(Move, frozen=True, tag="select"):
    """A card lies face down by the opponent's."""


class Reveal(Move, frozen=True, tag="reveal"):
    card: str
    """An ability card, `passive` or `stun`."""


class Speed(Move, frozen=True, tag="speed"):
    value: int


class Instant(Move, frozen=True, tag="instant"):
    """An instant laid over the own card."""

    card: str


class Pass(Move, frozen=True, tag="pass"):
    """No instant now, or an optional line left out."""

    rest: bool = False
    """No more instants this round."""


class Step(Move, frozen=True, tag="step"):
    path: list[str] = []
    """Hexes or facings, one for each step."""
    to: str = ""
    """The same for a single step."""

    @property
    def places(self) -> list[str]:
        return [*self.path, self.to] if self.to else self.path


class Rotate(Move, frozen=True, tag="rotate"):
    facing: str


class Kamae(Move, frozen=True, tag="kamae"):
    to: str


class Choose(Move, frozen=True, tag="choose"):
    option: int | str
    """Counted from 1, or the first word of the choice: `move`, `kamae`."""


class Use(Move, frozen=True, tag="use"):
    """Take an optional line."""


class Draw(Move, frozen=True, tag="draw"):
    cards: int


class Discard(Move, frozen=True, tag="discard"):
    """Cards that an opponent's card forces out of the hand, face up."""

    cards: list[str]


AnyMove = Select | Reveal | Speed | Instant | Pass | Step | Rotate | Kamae | Choose | Use | Draw | Discard

TOGETHER = frozenset({"select", "reveal"})

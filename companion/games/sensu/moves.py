"""What a player can do at a table of Sensu; the fields are those of the kifu."""

import msgspec

from companion.games.kit.game import Move


class Draw(Move, frozen=True, gc=False, tag="draw"):
    """A card into the hand; in the solo game `card` goes `to` the discards or a column."""

    from_: str | None = msgspec.field(default=None, name="from")
    card: str | None = None
    to: str | None = None


class Discard(Move, frozen=True, gc=False, tag="discard"):
    card: str


class Combine(Move, frozen=True, gc=False, tag="combine"):
    cards: tuple[str, ...]
    redeem: tuple[str, ...] = ()
    """Most sticks first, then the bonus cards."""
    wild: int | None = None
    discard: tuple[str, ...] | None = None
    """The order of the rest, the last one on top; as they stand in `cards` where it is left out."""


class Place(Move, frozen=True, gc=False, tag="place"):
    cards: tuple[str, ...] = ()


class Pass(Move, frozen=True, gc=False, tag="pass"):
    """Only where there is nothing left to draw."""


class Wisdom(Move, frozen=True, gc=False, tag="wisdom"):
    from_: str = msgspec.field(name="from")


class Harmony(Move, frozen=True, gc=False, tag="harmony"):
    from_: str = msgspec.field(name="from")


class Courage(Move, frozen=True, gc=False, tag="courage"):
    fans: dict[str, str] = {}


class Chosen(Move, frozen=True, gc=False, tag="chosen"):
    fan: str


Moves = Draw | Discard | Combine | Place | Pass | Wisdom | Harmony | Courage | Chosen

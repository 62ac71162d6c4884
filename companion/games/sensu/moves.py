"""What a player can do at a table of Sensu. The fields are those of the kifu."""

import msgspec

from companion.games.kit.game import Move


class DrawFanCard(Move, frozen=True, gc=False, tag="draw"):
    """A card into the hand; in the solo game `card` goes `to` the discards or a column."""

    from_: str | None = msgspec.field(default=None, name="from")
    card: str | None = None
    to: str | None = None


class DiscardFanCard(Move, frozen=True, gc=False, tag="discard"):
    card: str


class Combine(Move, frozen=True, gc=False, tag="combine"):
    cards: tuple[str, ...]
    redeem: tuple[str, ...] = ()
    """The card with the most sticks, then the bonus cards."""
    wild: int | None = None
    """The value that the wild takes, where there is one."""
    discard: tuple[str, ...] | None = None
    """The other cards in the order of discarding, the last one on top; without it, in the order of `cards`."""


class PlaceRedeemed(Move, frozen=True, gc=False, tag="place"):
    cards: tuple[str, ...] = ()


class PassTurn(Move, frozen=True, gc=False, tag="pass"):
    """Only where there is nothing left to draw."""


class Wisdom(Move, frozen=True, gc=False, tag="wisdom"):
    from_: str = msgspec.field(name="from")
    card: str | None = None
    """Which card of that pile, where it may be another than the top (SU-R15)."""


class Harmony(Move, frozen=True, gc=False, tag="harmony"):
    from_: str = msgspec.field(name="from")


class Courage(Move, frozen=True, gc=False, tag="courage"):
    fans: dict[str, str] = {}
    """Opponent -> the type of the fan that loses its last card."""


class Chosen(Move, frozen=True, gc=False, tag="chosen"):
    fan: str


SensuMoves = DrawFanCard | DiscardFanCard | Combine | PlaceRedeemed | PassTurn | Wisdom | Harmony | Courage | Chosen

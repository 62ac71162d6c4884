"""What happened at a table of Sensu, as data for the page to draw."""

from companion.core.rulings import Happening


class DrewFanCard(Happening, frozen=True, gc=False, tag="drew"):
    player: str
    source: str
    """`deck`, or the player whose discard pile it was."""
    card: str | None = None
    """None where only the player knows it."""
    place: str | None = None
    """In the solo game: where it was laid, `discards` or `column1` to `column4`."""


class LaidCombination(Happening, frozen=True, gc=False, tag="laid"):
    player: str
    cards: tuple[str, ...]


class RedeemedCards(Happening, frozen=True, gc=False, tag="redeemed"):
    player: str
    cards: tuple[str, ...]


class DiscardedCards(Happening, frozen=True, gc=False, tag="discarded"):
    """Cards that went face up onto the player's own pile, the last one on top."""

    player: str
    cards: tuple[str, ...]


class BuiltFan(Happening, frozen=True, gc=False, tag="built"):
    """A card joined a fan."""

    player: str
    fan: str
    card: str
    sticks: int
    """Of the fan, with this card."""


class ClosedFan(Happening, frozen=True, gc=False, tag="closed"):
    player: str
    fan: str


class LostFanCard(Happening, frozen=True, gc=False, tag="lost"):
    """Courage took the last card of a fan."""

    player: str
    fan: str
    card: str


class ReshuffledDiscards(Happening, frozen=True, gc=False, tag="reshuffled"):
    cards: int

"""What happened to a card, as data for the page to draw: where it went when it left the open table."""

from companion.core.rulings import Happening


class CardDiscarded(Happening, frozen=True, tag="discarded"):
    player: str
    card: str


class CardDrawn(Happening, frozen=True, tag="drawn"):
    """A card of a Combat Pile went into a hand, by a Tonfa or after a smoke bomb."""

    player: str
    card: str
    source: str
    """Whose Combat Pile it was."""


class ShurikenThrown(Happening, frozen=True, tag="thrown"):
    player: str
    card: str
    target: str
    """Whose Damage Pile it went into."""


class PileTaken(Happening, frozen=True, tag="taken"):
    """A whole Combat Pile went into its owner's Damage Pile, face down. Everybody saw which cards were in it."""

    player: str
    cards: tuple[str, ...]
    """Bottom to top."""

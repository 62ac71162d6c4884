"""What a player can do: the vocabulary of the kifu, one class per move."""

from companion.games.kit.game import Move


class SelectFaceDown(Move, frozen=True, tag="select"):
    """A card lies face down and crosswise in front of its player."""


class SitOut(Move, frozen=True, tag="sit_out"):
    """The hand holds only smoke bombs: they are shown and nothing is selected."""

    cards: tuple[str, ...] | str | None = None
    """May be left out where it can only be all the bombs that are left."""


class TurnUpSelected(Move, frozen=True, tag="reveal"):
    """The selected card is turned up, together with everybody else's."""

    card: str


class PlayOnPile(Move, frozen=True, tag="play"):
    """An attack card, or a Yoso Kogeki, goes onto a Combat Pile."""

    on: str
    counter: str | None = None
    """Who receives the player's pile when it is moved by a Counter."""
    element: str | None = None
    """The element of a Yoso Kogeki that starts a pile."""


class GiveUpCard(Move, frozen=True, tag="discard"):
    """The revealed card is discarded unused."""


class UseBlock(Move, frozen=True, tag="block", rename={"mate": "for"}):
    mate: str | None = None
    """The team-mate whom it protects; None: its player."""


class UseSai(Move, frozen=True, tag="sai"):
    swap: tuple[str, ...]
    """The two players whose piles change places."""


class UseShuriken(Move, frozen=True, tag="shuriken"):
    target: str


class UseTonfa(Move, frozen=True, tag="tonfa", rename={"source": "from"}):
    source: str
    """Whose pile loses its top card."""
    discard: str | None = None
    """The hand card that is discarded afterwards; with an empty hand it can only be the card just drawn."""


class UseSmokeBomb(Move, frozen=True, tag="smoke", rename={"mate": "for"}):
    draw: str | None = None
    """Which card returns to the hand, where several are the lowest."""
    mate: str | None = None
    """The team-mate whom it protects; None: its player."""
    card: str | None = None
    """Which bomb, where somebody saw it. It matters only for counting the bombs that are left."""


class NoSmokeBomb(Move, frozen=True, tag="pass"):
    """No smoke bomb this round."""


TOGETHER = frozenset({"select", "sit_out", "reveal", "smoke", "pass"})

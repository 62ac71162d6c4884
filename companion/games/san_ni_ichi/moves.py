"""What a player can do: the vocabulary of the kifu, one class a move."""

from companion.games.kit.game import Move


class Select(Move, frozen=True, tag="select"):
    """A card lies face down and crosswise in front of its player."""


class SitOut(Move, frozen=True, tag="sit_out"):
    """The whole hand is smoke bombs: they are shown and nothing is selected."""

    cards: tuple[str, ...] | str | None = None
    """May be left out where it can only be all the bombs that are left."""


class Reveal(Move, frozen=True, tag="reveal"):
    """The selected card is turned up, everyone's together."""

    card: str


class Play(Move, frozen=True, tag="play"):
    """An attack card, or a Yoso Kogeki, goes onto a Combat Pile."""

    on: str
    counter: str | None = None
    """Who gets the own pile, moved away by a Counter."""
    element: str | None = None
    """What a Yoso Kogeki that starts a pile stands for."""


class Discard(Move, frozen=True, tag="discard"):
    """The revealed card is given up."""


class Block(Move, frozen=True, tag="block", rename={"mate": "for"}):
    mate: str | None = None
    """The team-mate it protects instead of its player."""


class Sai(Move, frozen=True, tag="sai"):
    swap: tuple[str, ...]


class Shuriken(Move, frozen=True, tag="shuriken"):
    target: str


class Tonfa(Move, frozen=True, tag="tonfa", rename={"source": "from"}):
    source: str
    """Whose pile loses its top card."""
    discard: str | None = None
    """The hand card that is given up afterwards; from an empty hand it can only be the card just drawn."""


class Smoke(Move, frozen=True, tag="smoke", rename={"mate": "for"}):
    draw: str | None = None
    """Which card comes back to the hand, where the lowest is tied."""
    mate: str | None = None
    """The team-mate it protects instead of its player."""
    card: str | None = None
    """Which bomb, where somebody saw it; nothing depends on it but the count of bombs."""


class Pass(Move, frozen=True, tag="pass"):
    """No smoke bomb this round."""


AnyMove = Select | SitOut | Reveal | Play | Discard | Block | Sai | Shuriken | Tonfa | Smoke | Pass
TOGETHER = frozenset({"select", "sit_out", "reveal", "smoke", "pass"})

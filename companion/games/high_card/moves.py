"""What players do, and what happens then."""

from companion.core.rulings import Happening
from companion.games.kit.game import Move


class LayCard(Move, frozen=True, tag="lay"):
    """A card lies face down. Which one it is stays its player's secret, so the move does not say."""


class ShowCard(Move, frozen=True, tag="turn_up"):
    """At the count of three."""

    card: str


class RoundWon(Happening, frozen=True, tag="round_won"):
    player: str
    card: str


class RoundTied(Happening, frozen=True, tag="round_tied"):
    players: tuple[str, ...]
    """Who shared the highest value."""

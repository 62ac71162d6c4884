"""What players do in High Card."""

from companion.games.kit.game import Move


class LayCard(Move, frozen=True, tag="lay"):
    """A card lies face down. Which one it is stays its player's secret, so the move does not say."""


class ShowCard(Move, frozen=True, tag="turn_up"):
    """At the count of three."""

    card: str


Moves = LayCard | ShowCard

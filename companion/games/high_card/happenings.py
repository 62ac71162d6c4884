"""What happened, as data for the page."""

from companion.core.rulings import Happening


class RoundWon(Happening, frozen=True, tag="round_won"):
    player: str
    card: str


class RoundTied(Happening, frozen=True, tag="round_tied"):
    players: tuple[str, ...]
    """Who shared the highest value."""


Happenings = RoundWon | RoundTied

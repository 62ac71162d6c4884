"""What a player may hold, as far as the open cards on the table tell. Hands themselves are hidden."""

from companion.core.message import Thing, message
from companion.core.rulings import Refused
from companion.games.senjutsu.state import Duel, Samurai


def left(duel: Duel, samurai: Samurai, seat: int, card: str) -> int:
    """Copies of a card that this player may still hold: those of the deck that do not lie face up."""
    return duel.decks[seat].get(card, 0) - samurai.shown.get(card, 0)


def check_in_hand(duel: Duel, samurai: Samurai, seat: int, card: str) -> None:
    """Refuse a card that this player cannot hold."""
    player = duel.named[seat]
    if card not in duel.cards:
        raise Refused("TABLE-4", message("There is no card {card} in this match.", card=Thing("card", card)))
    if card not in duel.decks[seat]:
        told = message("{card} is not in the deck of {player}.", card=Thing("card", card), player=player)
        raise Refused(("TABLE-1", "SJ-5", "TABLE-4"), told)
    if not samurai.hand:
        raise Refused("TABLE-2", message("{player} has no ability card in hand.", player=player))
    if left(duel, samurai, seat, card) < 1:
        told = message(
            "Every copy of {card} in the deck of {player} is already face up.",
            card=Thing("card", card),
            player=player,
        )
        raise Refused("TABLE-1", told)

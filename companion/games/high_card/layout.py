"""The table: the deck, a place for a card before each player, and what a card that lies there means."""

from companion.core.layout import Layout, Sight
from companion.games.high_card.moves import LayCard, ShowCard
from companion.games.high_card.state import COLOURS, VALUES, HighCardState
from companion.games.kit.game import Deck, Move, Sealed
from companion.games.kit.plain_cards import SIZE, plain_deck
from companion.games.kit.reading import CoveredCard
from companion.games.kit.seat_layout import around

CARD = CoveredCard("card", LayCard, ShowCard)


def deck(state: HighCardState) -> Deck:
    return plain_deck({f"{colour}-{value}": f"{colour} {value}" for colour in COLOURS for value in VALUES})


def layout(state: HighCardState) -> Layout:
    return around(state.players, [(CARD.place, "one")], SIZE)


def read(state: HighCardState, sealed: Sealed, player: str, sight: Sight) -> Move | None:
    return CARD.read(player, sight, lies=state.covered)

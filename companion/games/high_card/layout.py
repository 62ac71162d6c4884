"""The table: the deck, a place for a card before each player, and what a card that lies there means."""

from companion.core.drawing import Face
from companion.core.layout import Layout, Sight
from companion.games.high_card.moves import LayCard, ShowCard
from companion.games.high_card.state import COLOURS, HighCardState, cards_of
from companion.games.kit.game import Deck, Move, Sealed
from companion.games.kit.plain_cards import SIZE, plain_deck, plain_face
from companion.games.kit.reading import CoveredCard
from companion.games.kit.seat_layout import around

CARD = CoveredCard("card", LayCard, ShowCard)
INK = {"red": "#b3261e", "blue": "#1f4e9c", "green": "#2d7a3a", "gold": "#a8720a"}


def deck(state: HighCardState) -> Deck:
    return plain_deck({card: face(card) for seat in range(len(COLOURS)) for card in cards_of(seat)})


def face(card: str) -> Face:
    colour, value = card.split("-")
    return plain_face(card, value, INK[colour])


def layout(state: HighCardState) -> Layout:
    return around(state.players, [(CARD.place, "one")], SIZE)


def read(state: HighCardState, sealed: Sealed, player: str, sight: Sight) -> Move | None:
    return CARD.read(player, sight, lies=state.covered)

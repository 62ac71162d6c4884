"""What lies before a player as an answer to what is awaited, and how a move looks once it is made."""

from companion.core.layout import SeenCard, Sight
from companion.games.high_card.moves import LayCard, Moves, ShowCard
from companion.games.high_card.state import HighCardState
from companion.games.kit.game import Sealed
from companion.games.kit.reading import face_down, face_up_card


def read(state: HighCardState, sealed: Sealed, player: str, sight: Sight) -> Moves | None:
    place = f"{player}.card"
    if not state.covered:
        return LayCard() if face_down(sight, place) else None
    card = face_up_card(sight, place)
    return ShowCard(card) if card else None


def laid(state: HighCardState, player: str, move: Moves) -> dict[str, tuple[SeenCard, ...]]:
    card = SeenCard(move.card, True) if isinstance(move, ShowCard) else SeenCard(None, False)
    return {f"{player}.card": (card,)}

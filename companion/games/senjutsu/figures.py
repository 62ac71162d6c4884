"""What is worth counting over many duels."""

from collections.abc import Sequence
from typing import Any

from companion.core.message import message
from companion.games.kit.figures import Counted, Figures
from companion.games.senjutsu.card_language.ability import PASSIVE
from companion.games.senjutsu.moves import LayInstant, RevealCard
from companion.games.senjutsu.state import DuelState


def _wounds(state: DuelState) -> list[int]:
    return [samurai.wounds for samurai in state.samurai]


def _dealt(state: DuelState) -> list[int]:
    """What the opponents have. In a duel of more than two, all that the others took."""
    taken = _wounds(state)
    return [sum(taken) - own for own in taken]


def _chosen(state: DuelState, player: str, move: Any) -> Sequence[str]:
    return (
        (move.card,)
        if isinstance(move, RevealCard | LayInstant) and move.card in state.duel.cards and move.card != PASSIVE
        else ()
    )


FIGURES = Figures(
    {
        "wounds": Counted(message("Wounds"), _wounds, lambda state: int(state.round), message("Wounds a round")),
        "dealt": Counted(message("Wounds of the others"), _dealt),
    },
    chosen=_chosen,
)

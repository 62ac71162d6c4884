"""What is worth counting over many matches of San, Ni, Ichi!"""

from collections.abc import Sequence
from typing import Any

from companion.core.message import message
from companion.games.kit.figures import Counted, Figures
from companion.games.san_ni_ichi.cards import WEAPONS, parsed
from companion.games.san_ni_ichi.moves import TurnUpSelected
from companion.games.san_ni_ichi.state import SanNiIchiState


def _damage(state: SanNiIchiState) -> list[int]:
    return [state.total(seat) for seat in range(len(state.table.players))]


def _chosen(state: SanNiIchiState, player: str, move: Any) -> Sequence[str]:
    found = parsed(move.card) if isinstance(move, TurnUpSelected) else None
    return (move.card,) if found and found[0] in WEAPONS else ()


def _cost(state: SanNiIchiState, card: str) -> int | None:
    return state.table.values[card].score if card in state.table.values else None


FIGURES = Figures(
    {"damage": Counted(message("Damage"), _damage, lambda state: int(state.round), message("Damage a round"))},
    chosen=_chosen,
    chosen_title=message("Favourite weapons"),
    cost=_cost,
    cost_title=message("Damage in a pile"),
)

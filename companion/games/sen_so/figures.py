"""What is worth counting over many matches of Sen So."""

from collections.abc import Sequence
from typing import Any

from companion.core.message import message
from companion.games.kit.figures import Counted, Figures
from companion.games.sen_so.cards import WEAPONS
from companion.games.sen_so.moves import Arm
from companion.games.sen_so.state import SenSoState


def _points(state: SenSoState) -> list[int]:
    return [ninja.score for ninja in state.ninjas]


def _chosen(state: SenSoState, player: str, move: Any) -> Sequence[str]:
    return move.weapons if isinstance(move, Arm) else ()


def _cost(state: SenSoState, weapon: str) -> int | None:
    return WEAPONS[weapon].spaces if weapon in WEAPONS else None


FIGURES = Figures(
    {"points": Counted(message("Points"), _points, lambda state: int(state.set), message("Points a set"))},
    chosen=_chosen,
    chosen_title=message("Favourite weapons"),
    cost=_cost,
    cost_title=message("Inventory spaces"),
)

"""What is worth counting over many matches of Sensu."""

from companion.core.message import message
from companion.games.kit.figures import Counted, Figures
from companion.games.sensu.solo import score
from companion.games.sensu.state import SensuState


def _sticks(state: SensuState) -> list[int]:
    return [score(state)] if state.terms.solo else [sum(fan.sticks for fan in seat.fans) for seat in state.seats]


def _closed(state: SensuState) -> list[int]:
    return [sum(fan.closed for fan in seat.fans) for seat in state.seats]


FIGURES = Figures(
    {"sticks": Counted(message("Sticks"), _sticks), "closed": Counted(message("Closed fans"), _closed)},
)

"""The other side: RLCard and OpenSpiel, driven the way their documentation does.

OpenSpiel counts every card that is dealt as a step of its own (a chance node); RLCard and we draw within a move.
So its gin rummy stands here twice: by all its steps, and by what the players do.
"""

from collections.abc import Callable
from random import Random

import open_spiel.python.games  # registers the Python games
import pyspiel
import rlcard


def games() -> dict[str, Callable[[Random], int]]:
    return {
        "RLCard uno": _rlcard("uno"),
        "RLCard gin-rummy": _rlcard("gin-rummy"),
        "OpenSpiel python_tic_tac_toe": _open_spiel("python_tic_tac_toe"),
        "OpenSpiel gin_rummy (C++)": _open_spiel("gin_rummy"),
        "OpenSpiel gin_rummy (C++), moves": _open_spiel("gin_rummy", dealing=False),
    }


def _rlcard(name: str) -> Callable[[Random], int]:
    environment = rlcard.make(name)

    def play(random: Random) -> int:
        steps = 0
        state, _ = environment.reset()
        while not environment.is_over():
            state, _ = environment.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return play


def _open_spiel(name: str, *, dealing: bool = True) -> Callable[[Random], int]:
    """Counting what chance does as steps, or the players' moves alone."""
    rules = pyspiel.load_game(name)

    def play(random: Random) -> int:
        steps = 0
        state = rules.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(actions, chances)[0])
                steps += dealing
            else:
                state.apply_action(random.choice(state.legal_actions()))
                steps += 1
        return steps

    return play


__all__ = ["games", "open_spiel"]

"""The four games.

Rule for everything below this package: pure functions on immutable values. No files, no clock, no chance, no
other game. Whatever happened in the world comes in as a move or a tick; whatever follows goes out as a ruling.
"""

from importlib import import_module

from companion.core.rulings import Unknown
from companion.core.wording import add_home
from companion.games.kit.game import Game

NAMES = ("sen_so", "san_ni_ichi", "sensu", "senjutsu")


def game(name: str) -> Game:
    """The game of that name, loaded when first asked for."""
    if name not in NAMES:
        raise Unknown(f"There is no game called {name!r}; there are {', '.join(NAMES)}.")
    found: Game = import_module(f"companion.games.{name}").GAME
    add_home(f"companion.games.{name}")
    return found

"""The virtual table: it holds what the referee must not know, and acts where people would.

It lays cards, moves pieces, presses buttons and taps pages. What the referee gets of that are camera frames, serial
bytes and web requests; nothing here is ever handed to it directly.

A game's simulated players are in the module of its name here, or in the module `virtual` of its own package. Both may
be missing: then the players of `companion.virtual.any_game` play it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from types import ModuleType
from typing import Any

from companion import games
from companion.virtual import any_game
from companion.virtual.player import Hands, Player

Seating = Callable[[Sequence[Hands], Any], list[Player]]
Options = Mapping[str, Any]
Dealing = Callable[[Sequence[str], Options, Random], Options]


def seating(game: str) -> Seating:
    """How that game's players are seated: (their hands, the match's first state) -> the players."""
    module = _module(game)
    seat: Seating = module.seat if module else partial(any_game.seat, games.game(game))
    return seat


def dealt(game: str, players: Sequence[str], options: Options, random: Random) -> Options:
    """The options of a match, with what is dealt openly before it and was not named."""
    deal: Dealing | None = getattr(_module(game), "deal", None)
    return deal(players, options, random) if deal else options


def _module(game: str) -> ModuleType | None:
    for name in (f"{__name__}.{game}", f"{games.package(game)}.virtual"):
        if find_spec(name) is not None:
            return import_module(name)
    return None

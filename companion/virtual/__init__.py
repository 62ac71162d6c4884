"""The virtual table: it holds what the referee must not know, and acts where people would.

It lays cards, moves pieces, presses buttons and taps pages. What the referee gets of that are camera frames, serial
bytes and web requests; nothing here is ever handed to it directly.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any

from companion.virtual.player import Hands, Player

Seating = Callable[[Sequence[Hands], Any], list[Player]]
Options = Mapping[str, Any]
Dealing = Callable[[Sequence[str], Options, Random], Options]


def seating(game: str) -> Seating:
    """How that game's players are seated: (their hands, the match's first state) -> the players."""
    seat: Seating = import_module(f"companion.virtual.{game}").seat
    return seat


def dealt(game: str, players: Sequence[str], options: Options, random: Random) -> Options:
    """The options of a match, with what is dealt openly before it and was not named."""
    deal: Dealing | None = getattr(import_module(f"companion.virtual.{game}"), "deal", None)
    return deal(players, options, random) if deal else options

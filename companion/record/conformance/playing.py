"""Matches of random but repeatable moves, which the checks are made on."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from companion.core.message import Message
from companion.core.rulings import Ruling
from companion.games.kit.game import Move
from companion.record.match import Match

Begin = Callable[[], Match]
Findings = Iterator[Message]
MOST_MOVES = 3000
"""A random match that is longer than this does not come to an end."""
PATIENCE = 400
"""Moves after which the clock of a match against time runs out."""
TRIED = 12
"""So many moves are tried of those that are legal at one moment."""


def choose(match: Match, choice: int) -> tuple[str, Move]:
    """One of all moves that are open to anybody."""
    awaited = list(match.awaits)
    player = awaited[choice % len(awaited)]
    open_moves = match.game.rules.legal_moves(match.state, match.sealed, player)
    return player, open_moves[(choice // 7) % len(open_moves)]


def play(match: Match, drawn: Sequence[int]) -> Iterator[tuple[str, Move, tuple[Ruling, ...]]]:
    """Make one move for each number, until the match is over."""
    for choice in drawn:
        if match.over:
            return
        player, move = choose(match, choice)
        yield player, move, match.move(player, move)


def fields(move: Move) -> dict[str, Any]:
    return dict(msgspec.to_builtins(move))


def written(move: Move | None) -> str:
    """A move as a kifu has it, for a finding."""
    return "–" if move is None else msgspec.json.encode(move).decode()

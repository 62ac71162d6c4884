"""What a player can do by tap where the camera does not do it, by the kinds of move that are awaited."""

from typing import Generic, TypeVar

import msgspec

from companion.games.kit.game import Move, Parts, Sealed
from companion.record.match import Match

MoveT = TypeVar("MoveT")
NOBODY: Sealed = {}
"""No sealed moves: what is offered to a player must not depend on what others have sealed."""


class Offer(msgspec.Struct, Generic[MoveT], frozen=True):
    moves: tuple[MoveT, ...]
    """Of every other awaited kind, all that may be made."""
    parts: dict[str, Parts]
    """Kind of move -> what it is put together from, where there are too many to list."""


def offer(match: Match, player: str) -> Offer[Move]:
    kinds = match.awaits.get(player, ())
    if not kinds:
        return Offer((), {})
    game = match.game
    parts = {kind: each for kind, each in game.table.parts(match.state, player).items() if kind in kinds}
    listed = game.rules.legal_moves(match.state, NOBODY, player)
    return Offer(tuple(move for move in listed if move.kind not in parts), parts)

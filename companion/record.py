"""A match and its kifu, always in step: what could not be written down has not happened."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.game import Move
from companion.journal import JournalFailed
from companion.match import Match
from companion.rulings import Refused, Ruling

Write = Callable[[Mapping[str, Any]], int]
"""Puts a line on the disk and gives back its number; raises JournalFailed."""


def header(match: Match) -> dict[str, Any]:
    return {"kifu": 1, "game": match.game.name, "players": match.players, "options": match.options}


class Record:
    def __init__(self, match: Match, write: Write, reach: Callable[[float], None] = lambda seconds: None) -> None:
        """`reach` remembers the match clock between two clock lines, as well as it can."""
        self.match = match
        self.reach = reach
        self._write = write

    def move(self, player: str, move: Move, at: float) -> tuple[tuple[Ruling, ...], int]:
        """Make a move and write it down. A refusal is written down too: it is what a dispute is about."""
        fields = {"by": player, **msgspec.to_builtins(move), "at": round(at, 2)}
        try:
            rulings = self.match.move(player, move)
        except Refused as refusal:
            self._write({**fields, "refused": refusal.rules})
            raise
        return rulings, self._kept(fields)

    def clock(self, seconds: float) -> tuple[tuple[Ruling, ...], int]:
        rulings = self.match.clock(seconds)
        return rulings, self._kept({"clock": seconds})

    def note(self, sentence: str, at: float, **more: Any) -> int:
        """Write down what is no move and changes nothing: a call, the order of presses."""
        return self._write({"note": sentence, "at": round(at, 2), **more})

    def undo(self, moves: int, why: str) -> int:
        if not 1 <= moves <= self.match.moves:
            self.match.undo(moves)
        line = self._write({"undo": moves, "why": why})
        self.match.undo(moves)
        return line

    def _kept(self, fields: Mapping[str, Any]) -> int:
        try:
            return self._write(fields)
        except JournalFailed:
            self.match.forget()
            raise

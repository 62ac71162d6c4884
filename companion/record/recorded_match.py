"""A match and its kifu, always in step: a move that could not be written down does not count."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.message import Message
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Move
from companion.record.acts import AnyAct
from companion.record.journal import Journal, JournalFailed, KifuHead
from companion.record.kifu import Rest
from companion.record.match import Match, Rewound

Write = Callable[[Mapping[str, Any]], int]
"""Puts a line on the disk and gives back its number; raises JournalFailed."""
Listener = Callable[[Mapping[str, Any], Message | None], None]
"""Is told of a line, and why it could not be written where it could not."""


REFUSALS, BUDGET_SECONDS = 30, 60.0
"""How many refused moves of a player are written down in that many seconds of match time."""
LONGEST_REFUSED = 2048
"""Bytes of a refused move in the kifu; the longest that a game allows has a few hundred."""


def header(match: Match) -> dict[str, Any]:
    return {"kifu": 1, "game": match.game.name, "players": match.players, "options": match.options}


class RecordedMatch:
    def __init__(
        self,
        match: Match,
        write: Write,
        keep_elapsed: Callable[[float], None] = lambda seconds: None,
        sign: Callable[[Rest], Mapping[str, Any] | None] = lambda rest: None,
        head: Callable[[], KifuHead | None] = lambda: None,
    ) -> None:
        """`keep_elapsed` remembers the match clock between two clock lines, without waiting for the disk."""
        self.match = match
        self._sign, self._head = sign, head
        self.keep_elapsed = keep_elapsed
        self.trouble: Message | None = None
        """Why the last line could not be written; None when it was."""
        self._write = write
        self._listeners: list[Listener] = []
        self._refusals: dict[str, tuple[float, int]] = {}
        """Player -> since when refused moves are counted, and how many there were."""

    @classmethod
    def on_disk(cls, match: Match, journal: Journal) -> "RecordedMatch":
        return cls(match, journal.append, journal.keep_elapsed, journal.sign, lambda: journal.head)

    @property
    def head(self) -> KifuHead | None:
        """The present end of the kifu; None where it is not on a disk."""
        return self._head()

    def rest(self, *, paused: bool) -> None:
        """Where the match stands still, paused or over, everything that has been written is signed."""
        if self.match.over or paused:
            signature = self._sign("end" if self.match.over else "pause")
            if signature is not None:
                self._tell(signature)

    def listen(self, listener: Listener) -> None:
        """Be told of every line that goes into the kifu, or that should have gone there and could not."""
        self._listeners.append(listener)

    def move(self, player: str, move: Move, at: float) -> tuple[tuple[Ruling, ...], int]:
        """Make a move and write it down. A refusal is written down too: it is what a dispute is about."""
        fields = {"by": player, **msgspec.to_builtins(move), "at": round(at, 2)}
        try:
            rulings = self.match.move(player, move)
        except Refused as refusal:
            self._keep_refusal(fields, refusal, at)
            raise
        return rulings, self._kept(fields)

    def _keep_refusal(self, fields: Mapping[str, Any], refusal: Refused, at: float) -> None:
        """Write a refused move down, as long as its player has not filled the kifu with them: nobody can make a match
        too large to go on with."""
        player = fields["by"] if fields["by"] in self.match.players else "?"
        since, written = self._refusals.get(player, (at, 0))
        if not 0 <= at - since < BUDGET_SECONDS:
            since, written = at, 0
        self._refusals[player] = since, written + 1
        if written == REFUSALS:
            self.note(f"{player}: more refused moves within a minute are not written down.", at)
        if written >= REFUSALS:
            return
        if len(msgspec.json.encode(fields)) > LONGEST_REFUSED:
            self.note(f"A move of {player} was refused and is too long to be written down.", at, rules=refusal.rules)
            return
        self._put({**fields, "refused": refusal.rules})

    def act(self, act: AnyAct, at: float) -> tuple[tuple[Ruling, ...], int]:
        """The referee does something by hand, and it is written down. A refused act leaves no line: there is nothing
        to dispute."""
        rulings = self.match.act(act)
        return rulings, self._kept({**msgspec.to_builtins(act), "at": round(at, 2)})

    def clock(self, seconds: float) -> tuple[tuple[Ruling, ...], int]:
        rulings = self.match.clock(seconds)
        return rulings, self._kept({"clock": seconds})

    def note(self, sentence: str, at: float, **more: Any) -> int:
        """Write down something that is not a move and changes nothing: a call, the order of presses."""
        return self._put({"note": sentence, "at": round(at, 2), **more})

    def picture(self, digest: str, names: Sequence[str], at: float) -> None:
        """A picture was kept under these names, which are lines or calls: it cannot be exchanged unnoticed."""
        self._put({"picture": digest, "of": names, "at": round(at, 2)})

    def undo(self, moves: int, why: str, by: str = "") -> Rewound:
        """`by` is the player whose own tap it was; nobody: the referee takes it back."""
        self.match.rewound(moves)
        self._put({"undo": moves, "why": why, **({"by": by} if by else {})})
        return self.match.undo(moves)

    def _kept(self, fields: Mapping[str, Any]) -> int:
        try:
            line = self._put(fields)
        except JournalFailed:
            self.match.forget()
            raise
        self.match.written(line)
        return line

    def _put(self, fields: Mapping[str, Any]) -> int:
        try:
            line = self._write(fields)
            self.trouble = None
            return line
        except JournalFailed as failure:
            self.trouble = failure.message
            raise
        finally:
            self._tell(fields)

    def _tell(self, fields: Mapping[str, Any]) -> None:
        for listener in self._listeners:
            listener(fields, self.trouble)

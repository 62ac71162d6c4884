"""A transcript played at a live table, by taps, with its page kept after every line that is written."""

from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from companion.app.match_store import begin
from companion.core.events import Tap, Tick
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder
from companion.referee.service import Service
from companion.referee.table_view import SHOWN, AnyPage

BEGAN = datetime(2026, 11, 14, 20, 15)


class LiveTable:
    def __init__(
        self, data: Path, header: kifu.Header, languages: tuple[str, ...] = ("en",), began: datetime = BEGAN
    ) -> None:
        self.at = 0.0
        self.pages: dict[str, dict[int, AnyPage]] = {language: {} for language in languages}
        """Language -> the line that the kifu had reached -> the page of a spectator then."""
        self._folder = DataFolder(data).__enter__()
        referee, self.journal = begin(self._folder, game(header.game), header.players, header.options, began)
        self.service = Service(referee, lambda: self.at)
        self.service._match = self.journal.path.stem
        self._look()

    def play(self, transcript: bytes) -> Path:
        """The kifu that comes of it."""
        for numbered in kifu.read(transcript):
            self._do(numbered.line)
        self.journal.close()
        self._folder.__exit__()
        return self.journal.path

    def _do(self, line: kifu.Line) -> None:
        match line:
            case kifu.Moved(by, fields):
                self._count_before(by, fields)
                if by in self.service.match.players:
                    self._tap(by, "move", fields)
            case kifu.Acted(fields):
                self._tap("referee", str(fields["referee"]), {k: v for k, v in fields.items() if k != "referee"})
            case kifu.Undo(moves, why):
                self._tap("referee", "undo", {"moves": moves, "why": why})
            case kifu.Clock(seconds):
                self._wait(max(0.0, seconds - self.service.clock()[0]))

    def _count_before(self, player: str, fields: dict[str, Any]) -> None:
        """A card that is turned up has been covered, and everybody is ready for it."""
        reveals, awaits = self.service.match.game.reveals.kinds, self.service.match.awaits
        if fields.get("move") in reveals and fields.get("move") in awaits.get(player, ()):
            for number, (other, kinds) in enumerate(awaits.items()):
                if set(kinds) & set(reveals) and self.service.referee.stage == "placing":
                    self.at += 0.7 * number
                    self._tap(other, "ready", {})
            for _ in range(3):
                if self.service.referee.stage == "countdown":
                    self._wait(1.0)

    def _wait(self, seconds: float) -> None:
        self.at += seconds
        self.service.submit(Tick(self.at))
        self._look()

    def _tap(self, by: str, what: str, data: dict[str, Any]) -> None:
        self.at += 0.125
        self.service.submit(Tap(by, what, data, self.at))
        self._look()

    def _look(self) -> None:
        """What a spectator sees now. Where one event wrote several lines, nobody saw the page between them."""
        for language, pages in self.pages.items():
            page = self.service.page(None, language)
            assert page.record is not None
            pages.setdefault(page.record.line, page)


PRESSES = ("stage", "phases", "prompts", "ready", "order")
AnyFields = dict[str, Any]
"""A page as JSON has it."""


def alike(then: AnyPage | AnyFields, live: AnyPage | AnyFields) -> tuple[AnyFields, AnyFields]:
    """Both pages without what no kifu keeps, to be compared: whether clock and devices run, how long somebody has been
    waited for, how far a count was, and which sentence was the how-manieth since the service was started.

    A count that only one player had to be ready for leaves no line either, until the card is turned up.
    """
    one, other = _lasting(then), _lasting(live)
    if other["stage"] in ("countdown", "reveal") and one["stage"] == "placing":
        for name in PRESSES:
            del one[name], other[name]
    if other.pop("full"):  # what is left out here had pushed an older sentence from the live page
        one["said"] = one["said"][-len(other["said"]) :]
    del one["full"]
    return one, other


def _lasting(page: AnyPage | AnyFields) -> AnyFields:
    fields: AnyFields = page if isinstance(page, dict) else msgspec.json.decode(msgspec.json.encode(page))
    said = [{**each, "number": 0} for each in fields["said"] if each["kind"] != "time" and not _too_soon(each)]
    still = {"clock": {"limit": fields["clock"]["limit"]}, "version": 0, "count": 0, "senses": {}, "waits": {}}
    return {**fields, **still, "said": said, "full": len(fields["said"]) == SHOWN}


def _too_soon(said: AnyFields) -> bool:
    """Ready was pressed and the cards did not lie there: no rule, and no line."""
    return said["kind"] == "refused" and not said["rules"]

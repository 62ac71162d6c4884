"""Playing a recorded evening again: the same events go to a fresh referee, and the outcomes are compared."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.core.events import Event, Outcome, Tick
from companion.core.validation import read_json
from companion.record.event_log import Handled, LogStart, Ticks, Written, read
from companion.record.journal import JournalFailed
from companion.record.recorded_match import RecordedMatch
from companion.record.replay import Replay
from companion.referee.referee import Referee

KIFU, LIGHTS, SENTENCES, PAGE = "kifu", "lights", "sentences", "page"
"""What is compared. `page` is everything else: refusals, and when pages are sent again."""


class Difference(msgspec.Struct, frozen=True):
    """The first event whose outcome is not the recorded one."""

    line: int
    """Of the file."""
    event: Event
    what: str
    recorded: Any
    now: Any


class Relived(msgspec.Struct, frozen=True):
    """An evening that was played again, up to its first difference if it has one."""

    events: int
    difference: Difference | None = None


class FreshReferee:
    """A referee at the point where a recording begins. Its kifu lines are collected, not written."""

    def __init__(self, start: LogStart) -> None:
        match = Replay(start.kifu.encode()).finish()
        self.referee = Referee(RecordedMatch(match, self._write), start.elapsed)
        if start.notice is not None:
            self.referee.notice(start.notice)
        self._number = start.line
        self._recorded: list[Written] = []
        self._lines: list[bytes] = []

    def handle(self, handled: Handled) -> tuple[Outcome, list[bytes]]:
        """The outcome and the kifu lines. A line that could not be written then fails again."""
        self._recorded, self._lines = list(handled.kifu), []
        outcome = self.referee.handle(handled.event)
        self._next_of_referee()
        return outcome, self._lines

    def _write(self, fields: Mapping[str, Any]) -> int:
        self._lines.append(msgspec.json.encode(fields))
        then = self._next_of_referee()
        if then is not None and then.failed is not None:
            raise JournalFailed(then.failed)
        self._number += 1
        return self._number

    def _next_of_referee(self) -> Written | None:
        """The next recorded line of the referee's; those between count as lines and are not made again."""
        while self._recorded:
            written = self._recorded.pop(0)
            if written.by_referee:
                return written
            self._number += written.failed is None
        return None


def relive(path: Path) -> Relived:
    """Give a recording to a fresh referee. Raises ShinpanError where the file cannot be used."""
    lines = read(path)
    _, start = next(lines)
    assert isinstance(start, LogStart)  # `read` gives it first
    again, events = FreshReferee(start), 0
    for number, entry in lines:
        for handled in _events(entry):
            events += 1
            difference = _difference(number, handled, *again.handle(handled))
            if difference is not None:
                return Relived(events, difference)
    return Relived(events)


def _events(entry: LogStart | Handled | Ticks) -> list[Handled]:
    if isinstance(entry, Handled):
        return [entry]
    if isinstance(entry, Ticks):
        return [Handled(Tick(at)) for at in ((entry.first, entry.last) if entry.ticks > 1 else (entry.first,))]
    return []


def _difference(number: int, then: Handled, outcome: Outcome, lines: list[bytes]) -> Difference | None:
    effects, refusal = msgspec.json.encode(outcome.effects), msgspec.json.encode(outcome.refusal)
    written = [bytes(each.line) for each in then.kifu if each.by_referee]
    if effects == bytes(then.effects) and refusal == bytes(then.refusal) and lines == written:
        return None
    recorded, now = _parts(bytes(then.effects)), _parts(effects)
    recorded[KIFU], now[KIFU] = [*map(_plain, written)], [*map(_plain, lines)]
    recorded[PAGE].append(_plain(bytes(then.refusal)))
    now[PAGE].append(_plain(refusal))
    what = next(what for what in (KIFU, LIGHTS, SENTENCES, PAGE) if what == PAGE or recorded[what] != now[what])
    return Difference(number, then.event, what, recorded[what], now[what])


def _parts(effects: bytes) -> dict[str, list[Any]]:
    every = _plain(effects)
    lights = [effect for effect in every if effect["type"] == "light"]
    sentences = [effect for effect in every if effect["type"] == "said"]
    return {LIGHTS: lights, SENTENCES: sentences, PAGE: [each for each in every if each not in lights + sentences]}


def _plain(text: bytes) -> Any:
    return read_json(text)

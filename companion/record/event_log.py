"""The events of an evening in a file: everything that reached the referee, and what became of it.

One JSON object a line, each with a check that runs on from the line before, as in a kifu. `shinpan relive` gives the
events to a fresh referee and compares. There are no pictures in it.

    {"events":1,"shinpan":"1.0","elapsed":0.0,"line":1,"kifu":"{\\"kifu\\":1,...}","check":"..."}
    {"event":{"type":"tap",...},"effects":[...],"kifu":[{"line":{...}}],"check":"..."}
    {"ticks":412,"first":3.02,"last":11.24,"check":"..."}

Time passes fifty times a second and mostly nothing comes of it. Of such a run of ticks the first and the last are
kept: a tick without an outcome leaves the referee as it is, except that the first one after another event may stop the
match clock, and that the clock is never read between two ticks.
"""

import os
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from companion.core.events import Event, Outcome, Tick
from companion.core.message import Message, message
from companion.core.rulings import Mistake
from companion.core.validation import read_json, wrong_field
from companion.record import kifu
from companion.record.journal import Journal, JournalFailed

VERSION = 1
LARGEST = 512 * 2**20
"""Bytes; an evening takes a few million."""


class BadEvents(Mistake):
    """A file of events that cannot be relived: the line and the reason."""


class LogStart(msgspec.Struct, frozen=True, kw_only=True):
    """How the table stood when the recording began."""

    events: int = VERSION
    shinpan: str
    """The version that recorded it."""
    elapsed: float
    """Match time."""
    line: int
    """Number of the last line of the kifu."""
    kifu: str
    """The kifu up to there."""
    notice: Message | None = None
    """What was said before the first event."""


class Written(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line for the kifu, and why it could not be written where it could not."""

    line: msgspec.Raw
    failed: Message | None = None

    @property
    def by_referee(self) -> bool:
        """No referee writes signatures, nor lines about pictures."""
        return not bytes(self.line).startswith((b'{"picture":', b'{"signed":'))


class Handled(msgspec.Struct, frozen=True, omit_defaults=True):
    """An event and its outcome. What is only compared stays as it was written."""

    event: Event
    effects: msgspec.Raw = msgspec.Raw(b"[]")
    refusal: msgspec.Raw = msgspec.Raw(b"null")
    kifu: tuple[Written, ...] = ()


class Ticks(msgspec.Struct, frozen=True):
    """A run of ticks that had no outcome."""

    ticks: int
    first: float
    last: float


class EventLog:
    """Records a table. It is called under the table's lock: a line goes to the system's cache, nobody waits for the
    disk. Where the disk takes no more, the recording ends and says so; the match goes on."""

    def __init__(self, path: Path, start: LogStart) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise _failed(path, error) from None
        self._open = True
        self._chain = kifu.START
        self._lines: list[Written] = []
        """Those of the event that is being handled."""
        self._quiet: Ticks | None = None
        try:
            self._append(msgspec.structs.asdict(start))
        except OSError as error:
            self.close()
            raise _failed(path, error) from None

    def line(self, fields: Mapping[str, Any], failed: Message | None) -> None:
        """A line went into the kifu, or could not."""
        self._lines.append(Written(msgspec.Raw(msgspec.json.encode(fields)), failed))

    def __call__(self, event: Event, outcome: Outcome) -> Message | None:
        """The referee has handled this. Gives back why the recording ends here, if it does."""
        lines, self._lines = self._lines, []
        if not self._open:
            return None
        silent = not (outcome.effects or outcome.refusal or lines)
        if silent and isinstance(event, Tick):
            quiet = self._quiet
            self._quiet = Ticks(quiet.ticks + 1, quiet.first, event.at) if quiet else Ticks(1, event.at, event.at)
            return None
        entry: dict[str, Any] = {"event": event}
        if outcome.effects:
            entry["effects"] = outcome.effects
        if outcome.refusal is not None:
            entry["refusal"] = outcome.refusal
        if lines:
            entry["kifu"] = lines
        try:
            self._end_run()
            self._append(entry)
        except OSError as error:
            self._quiet = None
            self.close()
            detail = error.strerror or str(error)
            return message(
                "The events are no longer recorded in {file} ({detail}). The match goes on.",
                file=self.path.name,
                detail=detail,
            )
        return None

    def close(self) -> None:
        if self._open:
            self._open = False
            try:
                self._end_run()
            except OSError:
                pass  # the ticks at the end, from which nothing followed
            finally:
                os.close(self._file)

    def _end_run(self) -> None:
        if self._quiet is not None:
            quiet, self._quiet = self._quiet, None
            self._append(msgspec.structs.asdict(quiet))

    def _append(self, fields: Mapping[str, Any]) -> None:
        line, chain = kifu.write(fields, self._chain)
        if os.write(self._file, line) < len(line):
            raise OSError(None, "no space left")
        self._chain = chain


def _failed(path: Path, error: OSError) -> JournalFailed:
    told = message(
        "The events cannot be recorded in {file}: {detail}.", file=str(path), detail=error.strerror or str(error)
    )
    return JournalFailed(told)


def record(path: Path, journal: Journal, elapsed: float, notice: Message | None = None) -> EventLog:
    """Begin to record a table whose kifu this is. A file that is there already is kept; the new one gets a number."""
    start = LogStart(
        shinpan=version("shinpan"),
        elapsed=elapsed,
        line=journal.lines,
        kifu=kifu.load(journal.path).decode(),
        notice=notice,
    )
    return EventLog(_free(path), start)


def _free(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def read(path: Path) -> Iterator[tuple[int, LogStart | Handled | Ticks]]:
    """The numbered lines of a recording, its start first. A last line that was cut off by a kill is left out."""
    chain, started = kifu.START, False
    for number, raw in enumerate(_load(path).split(b"\n"), 1):
        if not raw:
            continue
        try:
            text, following = kifu.without_check(raw, chain)
            if following is chain:
                raise BadEvents(message("it has no check"))
            chain = following
            line = _parse(text, started)
        except (BadEvents, kifu.Altered) as error:
            told = message("{file}, line {line}: {error}", file=str(path), line=number, error=error.message)
            raise BadEvents(told) from None
        started = True
        yield number, line
    if not started:
        raise BadEvents(message("{file}: there is nothing in it", file=str(path)))


def _load(path: Path) -> bytes:
    try:
        data = path.read_bytes() if path.stat().st_size <= LARGEST else None
    except OSError as error:
        told = message("{file} cannot be read: {detail}.", file=str(path), detail=error.strerror or str(error))
        raise BadEvents(told) from None
    if data is None:
        told = message("{file}: it is larger than {size} MB, and no evening is", file=str(path), size=LARGEST // 2**20)
        raise BadEvents(told)
    return data[: data.rfind(b"\n") + 1] if b"\n" in data else data


def _parse(text: bytes, started: bool) -> LogStart | Handled | Ticks:
    try:
        if not started:
            start = read_json(text, LogStart)
            if start.events != VERSION:
                told = message(
                    "it is of version {version}; this Shinpan reads version {known}",
                    version=str(start.events),
                    known=VERSION,
                )
                raise BadEvents(told)
            return start
        return read_json(text, Ticks) if text.startswith(b'{"ticks"') else read_json(text, Handled)
    except msgspec.DecodeError as error:
        raise BadEvents(message("it is not a line of recorded events ({detail})", detail=wrong_field(error))) from None

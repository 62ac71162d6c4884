"""Beginning a match, and resuming one after a power cut or a crash."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.core.files import set_aside
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.games.kit.game import Game
from companion.record import corrections, event_log, kifu
from companion.record.event_log import EventLog
from companion.record.journal import DataFolder, Journal
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch, header
from companion.record.replay import Replay
from companion.referee.referee import Referee
from companion.referee.timekeeper import LINE_EVERY


class CannotGoOn(ShinpanError):
    """A match that was not over cannot be resumed, because its kifu cannot be replayed."""


def begin(
    folder: DataFolder, game: Game, players: Sequence[str], options: Mapping[str, Any], began: datetime
) -> tuple[Referee, Journal]:
    """Set up a new match, with the cards as their owner reads them, and its kifu."""
    damaged = corrections.set_damaged_aside(folder.path, game)
    match = Match(game, players, corrections.applied(folder.path, game, len(players), options))
    key, notice = folder.key()
    journal = Journal.create(folder.new(game.name, began.strftime("%Y-%m-%d-%H%M%S")), header(match), key)
    referee = Referee(RecordedMatch.on_disk(match, journal))
    for each in (*damaged, *filter(None, [notice])):
        referee.notice(each)
    return referee, journal


def resume(folder: DataFolder, game: Game | None = None) -> tuple[Referee, Journal, Message | None] | None:
    """The newest match, of this game or of any, if it is not over, just as it stood; and a notice if its last line was
    torn, or if there was a newer file without any match in it."""
    path = folder.newest("*" if game is None else game.name)
    if path is None:
        return None
    try:
        if _holds_no_match(path):
            aside = set_aside(path, message("{file} is not a kifu.", file=path.name))
            found = None if path.exists() else resume(folder, game)
            if found is None:
                return None
            referee, journal, notice = found
            referee.notice(aside)
            return referee, journal, notice or aside
        return _resumed(folder, game, path)
    except CannotGoOn:
        raise
    except ShinpanError as error:
        raise CannotGoOn(
            message(
                "The match {file} cannot go on: {reason} (Correct the file, or begin another match with --new; this "
                "one stays as it is.)",
                file=path.name,
                reason=error.message,
            )
        ) from error


def _holds_no_match(path: Path) -> bool:
    """Whether there is not a single line of a kifu in this file, but something else: nothing that anybody did at the
    table is in it. A damaged match is another thing, for then people have to look."""
    data = kifu.load(path)
    return b"\n" in data and not any(_is_line(line) for line in data.split(b"\n"))


def _is_line(text: bytes) -> bool:
    try:
        kifu.parse(text.strip())
    except kifu.NotAKifu:
        return False
    except kifu.Altered:
        pass
    return True


def _resumed(folder: DataFolder, game: Game | None, path: Path) -> tuple[Referee, Journal, Message | None] | None:
    key, about_key = folder.key()
    journal, notice = Journal.reopen(path, key)
    data = kifu.load(path)
    if not data:
        # Killed between making the file and writing its header: nothing was acknowledged.
        journal.close()
        path.unlink()
        return resume(folder, game)
    referee = _going_on(journal, data, *filter(None, (about_key, notice)))
    if referee.match.over or game not in (None, referee.match.game):
        journal.close()
        return None
    return referee, journal, notice


def reopen(folder: DataFolder, path: Path) -> tuple[Referee, Journal]:
    """This match just as it stood, over or not."""
    key, about_key = folder.key()
    journal, notice = Journal.reopen(path, key)
    return _going_on(journal, kifu.load(path), *filter(None, (about_key, notice))), journal


def _going_on(journal: Journal, data: bytes, *notices: Message) -> Referee:
    try:
        match = Replay(data).finish()
    except ShinpanError:
        journal.close()
        raise
    elapsed = _remembered(match, last_time(data), Journal.elapsed(journal.path))
    referee = Referee(RecordedMatch.on_disk(match, journal), elapsed)
    for each in notices:
        referee.notice(each)
    return referee


def _remembered(match: Match, written: float, remembered: float) -> float:
    """The match time to go on with: that of the last line in the kifu, or what was remembered since then.

    No more than the time between two clock lines can have passed since, whatever the file says; and it is a line in the
    kifu that ends a match by time, never this file.
    """
    elapsed = min(max(written, remembered), written + LINE_EVERY)
    limit = match.game.rules.time_limit(match.state)
    if limit is not None and written < limit <= elapsed:
        return max(written, limit - 1.0)
    return elapsed


def record_events(path: Path, referee: Referee, journal: Journal) -> EventLog:
    """Begin to record the events of a match that was just begun or resumed."""
    elapsed = referee.clock.read(0.0)  # it does not run yet
    notice = referee.said[-1].message if referee.said else None
    return event_log.record(path, journal, elapsed, notice)


def last_time(data: bytes) -> float:
    """The latest match time in a kifu."""
    elapsed = 0.0
    for numbered in kifu.read(data):
        if isinstance(numbered.line, kifu.Clock):
            elapsed = max(elapsed, numbered.line.clock)
        else:
            elapsed = max(elapsed, getattr(numbered.line, "at", None) or 0.0)
    return elapsed

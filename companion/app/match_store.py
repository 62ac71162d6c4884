"""Beginning a match, and resuming one after a power cut or a crash."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

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


class CannotGoOn(ShinpanError):
    """A match that was not over cannot be resumed, because its kifu cannot be replayed."""


def begin(
    folder: DataFolder, game: Game, players: Sequence[str], options: Mapping[str, Any], began: datetime
) -> tuple[Referee, Journal]:
    """Set up a new match, with the cards as their owner reads them, and its kifu."""
    match = Match(game, players, corrections.applied(folder.path, game, len(players), options))
    journal = Journal.create(folder.new(game.name, began.strftime("%Y-%m-%d-%H%M%S")), header(match))
    return Referee(RecordedMatch(match, journal.append, journal.keep_elapsed)), journal


def resume(folder: DataFolder, game: Game) -> tuple[Referee, Journal, Message | None] | None:
    """The newest match of this game if it is not over, just as it stood; and a notice if its last line was torn."""
    path = folder.newest(game.name)
    if path is None:
        return None
    try:
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


def _resumed(folder: DataFolder, game: Game, path: Path) -> tuple[Referee, Journal, Message | None] | None:
    journal, notice = Journal.reopen(path)
    data = kifu.load(path)
    if not data:
        # Killed between making the file and writing its header: nothing was acknowledged.
        journal.close()
        path.unlink()
        return resume(folder, game)
    try:
        match = Replay(data).finish()
    except ShinpanError:
        journal.close()
        raise
    if match.over or match.game is not game:
        journal.close()
        return None
    elapsed = max(last_time(data), Journal.elapsed(path))
    referee = Referee(RecordedMatch(match, journal.append, journal.keep_elapsed), elapsed)
    if notice is not None:
        referee.notice(notice)
    return referee, journal, notice


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

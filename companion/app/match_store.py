"""Beginning a match, and resuming one after a power cut or a crash."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.core.files import set_aside
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.games.kit.game import Game
from companion.history.retelling import Retelling, retold
from companion.record import corrections, event_log, kifu
from companion.record.event_log import EventLog
from companion.record.journal import DataFolder, Journal, JournalFailed
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch, header
from companion.record.replay import Replay
from companion.referee.referee import Referee
from companion.referee.timekeeper import LINE_EVERY


def begin(
    folder: DataFolder, game: Game, players: Sequence[str], options: Mapping[str, Any], began: datetime
) -> tuple[Referee, Journal]:
    """Set up a new match, with the cards as their owner reads them, and its kifu."""
    damaged = corrections.set_damaged_aside(folder.path, game)
    match = Match(game, players, corrections.applied(folder.path, game, len(players), options))
    journal = Journal.create(folder.new(game.name, began.strftime("%Y-%m-%d-%H%M%S")), header(match), folder.key())
    referee = Referee(RecordedMatch.on_disk(match, journal))
    for each in (*damaged, *folder.news()):
        referee.notice(each)
    return referee, journal


def resume(folder: DataFolder, game: Game | None = None) -> tuple[Referee, Journal] | None:
    """The newest match, of this game or of any, if it is not over, just as it stood. One that nobody can go on with is
    set aside, and the one before it is looked at."""
    path = folder.newest("*" if game is None else game.name)
    if path is None:
        return None
    found = reopen(folder, path)
    if found is None:
        return None if path.exists() else resume(folder, game)
    referee, journal = found
    if referee.match.over or game not in (None, referee.match.game):
        journal.close()
        return None
    return referee, journal


def reopen(folder: DataFolder, path: Path) -> tuple[Referee, Journal] | None:
    """This match just as it stood, over or not. None: it cannot go on, and was set aside; `DataFolder.news` says why.
    Nothing is lost by that: a person can put the file right and give it its name back."""
    try:
        journal, notice = Journal.reopen(path, folder.key())
        if not path.stat().st_size:
            # Killed between making the file and writing its header: nothing was acknowledged.
            journal.close()
            path.unlink()
            return None
        return _going_on(folder, journal, notice), journal
    except JournalFailed:
        raise  # that is the disk's fault
    except ShinpanError as error:
        reason = message("The match {file} cannot go on: {reason}.", file=path.name, reason=error.message)
        folder.tell(set_aside(path, reason))
        return None


def _going_on(folder: DataFolder, journal: Journal, notice: Message | None) -> Referee:
    data = kifu.load(journal.path)
    try:
        match = Replay(data).finish()
    except ShinpanError:
        journal.close()
        raise
    elapsed = _remembered(match, last_time(data), Journal.elapsed(journal.path))
    referee = Referee(RecordedMatch.on_disk(match, journal), elapsed)
    _recall(referee, retold(journal.path.name, data))
    for each in (*folder.news(), *filter(None, [notice])):
        referee.notice(each)
    return referee


def _recall(referee: Referee, telling: Retelling) -> None:
    """What was ruled before the restart is still on everybody's page, and what has to be put back still has to be."""
    if telling.then:
        last = telling.then[-1]
        referee.tell.recall(last.said, last.spoken, last.struck)
        referee.put_back = last.put_back


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
    notices = notices_of(referee)
    return event_log.record(path, journal, elapsed, notices[-1] if notices else None)


def notices_of(referee: Referee) -> list[Message]:
    """What has to be said about a match that was just begun or resumed."""
    return [said.message for said in referee.tell.own]


def last_time(data: bytes) -> float:
    """The latest match time in a kifu."""
    elapsed = 0.0
    for numbered in kifu.read(data):
        if isinstance(numbered.line, kifu.Clock):
            elapsed = max(elapsed, numbered.line.clock)
        else:
            elapsed = max(elapsed, getattr(numbered.line, "at", None) or 0.0)
    return elapsed

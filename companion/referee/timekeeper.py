"""When the match clock's lines go into the kifu."""

import math

from companion.core.clock import MatchClock, warning
from companion.core.message import Message, message
from companion.core.rulings import Ruling, ShinpanError
from companion.record.recorded_match import RecordedMatch

LINE_EVERY = 10.0
"""Seconds of match time between two clock lines in the kifu: what a power cut can cost the match clock. Each line waits
for the disk; in between the clock is remembered without waiting, which is enough for a service that was killed."""
RETRY_AFTER = 2.0
"""Seconds before a clock line that could not be written is tried again."""


class Timekeeper:
    """The match clock and its lines: time reaches the rules in no other way."""

    def __init__(self, record: RecordedMatch, elapsed: float) -> None:
        self.clock = MatchClock(elapsed)
        self._record = record
        self._last_line = elapsed
        self._retry_at = 0.0
        self._left: float | None = None
        """What was left of the time limit when the clock was last seen running."""

    def pass_time(self, at: float, *, revealing: bool = False) -> tuple[tuple[Ruling, ...], int] | None:
        """Write a clock line where one is due: its rulings and its number. Raises ShinpanError where that fails.

        While players are `revealing`, from the count of three until every card is turned up, the time limit waits: a
        set that everybody has begun to turn up is played.
        """
        match = self._record.match
        if match.over and self.clock.running:
            self.clock.pause(at)
        if not self.clock.running:
            return None
        elapsed = self.clock.read(at)
        limit = match.game.rules.time_limit(match.state)
        over_limit = limit is not None and self._last_line < limit <= elapsed
        due = over_limit or elapsed >= self._last_line + LINE_EVERY
        written = None
        if due and elapsed >= self._retry_at and not (over_limit and revealing):
            written = self._write(round(elapsed, 2))
        self._record.keep_elapsed(elapsed)
        return written

    def warning(self, at: float) -> Message | None:
        """What is to be said of the time that is left, once for each time it comes to that.

        Time that the referee adds or takes counts at once, or, where the match is paused, as soon as it goes on.
        """
        match = self._record.match
        limit = match.game.rules.time_limit(match.state)
        if match.over or limit is None or not self.clock.running:
            return None
        before, self._left = self._left, limit - self.clock.read(at)
        due = None if before is None else warning(before, self._left)
        return None if due is None else _LEFT[due][math.ceil(self._left) < due]

    def pause(self, at: float) -> tuple[tuple[Ruling, ...], int]:
        """Stop the clock, and write down where it stands."""
        self.clock.pause(at)
        return self._write(max(self._last_line, round(self.clock.read(at), 2)))

    def write_down(self, at: float) -> tuple[tuple[Ruling, ...], int] | None:
        """Write a clock line now, unless there is nothing new to write."""
        elapsed = round(self.clock.read(at), 2)
        return self._write(elapsed) if elapsed > self._last_line else None

    def took_back(self) -> None:
        """Moves were taken back, and with them perhaps the last clock lines."""
        self._last_line = min(self._last_line, self._record.match.facts.get("clock", self._last_line))

    def _write(self, elapsed: float) -> tuple[tuple[Ruling, ...], int]:
        try:
            written = self._record.clock(elapsed)
        except ShinpanError:
            self._retry_at = elapsed + RETRY_AFTER
            raise
        self._last_line = elapsed
        return written


_LEFT = {
    300.0: (message("Five minutes left."), message("Less than five minutes left.")),
    60.0: (message("One minute left."), message("Less than a minute left.")),
    10.0: (message("Ten seconds left."), message("Less than ten seconds left.")),
}
"""Warning -> the words for it; and those for a match that comes there because the referee takes time."""

"""The match clock: counts while it runs, stands while it is paused, and never reads the time itself."""

WARNINGS = (10.0, 60.0, 300.0)
"""Seconds before the end of a match at which everybody is warned."""


def warning(before: float, left: float) -> float | None:
    """The warning that is due where so many seconds were left a moment ago and so many are now."""
    return next((each for each in WARNINGS if 0.0 < left <= each < before), None)


class MatchClock:
    def __init__(self, elapsed: float = 0.0) -> None:
        self._elapsed = elapsed
        self._since: float | None = None

    @property
    def running(self) -> bool:
        return self._since is not None

    def start(self, at: float) -> None:
        if self._since is None:
            self._since = at

    def pause(self, at: float) -> None:
        self._elapsed, self._since = self.read(at), None

    def read(self, at: float) -> float:
        """Seconds of match time at that moment of the service's clock."""
        return self._elapsed if self._since is None else self._elapsed + max(0.0, at - self._since)

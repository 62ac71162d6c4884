"""How often the camera is looked at: seldom while nobody is there, at once with a hand or a press, and less before the
match has to wait for it. Pure: whoever asks brings the time."""

RESTING = 0.1
"""Seconds between two looks while nothing moves: one picture in three."""
LEFT_ALONE = 10.0
"""Seconds without a hand, a press or somebody at the camera's page after which nobody is there, between two matches."""
LONG_ALONE = 60.0
"""The same while a match runs: somebody may be thinking."""
THINKING = 0.2
"""Seconds between two looks at a match that nobody has touched for so long: a card that is peeked at is still seen."""
LATE = 0.1
"""Seconds that buttons and clock may come late before the camera has to step back for them."""
FORGIVEN = 0.9
"""What is left of a delay after each round of the buttons that was on time."""
SHARE = 4.0
"""How many times as long as it took, at most, the camera then rests after a look."""


class Pace:
    """When the next look is due. The thread of the camera asks; any thread may `stir` it."""

    def __init__(self, idle: float = 0.5) -> None:
        """`idle`: seconds between two looks while nobody is there."""
        self.idle = idle
        self._stirred = 0.0
        self._looked = float("-inf")
        self._cost = 0.0
        self._strain = 0.0
        self._rate: float | None = None

    def stir(self, now: float) -> None:
        """Somebody is there: a hand, a press, a page that shows the camera."""
        self._stirred = now

    def due(self, now: float, *, moving: bool, playing: bool) -> bool:
        """Whether the next picture is to be looked at. `moving`: the watcher has something to follow."""
        if moving:
            self.stir(now)
        return now - self._looked >= max(self._wanted(now, moving, playing), self._strain * SHARE * self._cost)

    def _wanted(self, now: float, moving: bool, playing: bool) -> float:
        if moving:
            return 0.0
        alone = now - self._stirred
        if playing:
            return min(THINKING, self.idle) if alone > LONG_ALONE else RESTING
        return self.idle if alone > LEFT_ALONE else RESTING

    def begin(self, now: float) -> None:
        """A look begins."""
        if self._looked > float("-inf"):
            rate = 1.0 / max(now - self._looked, 0.001)
            self._rate = rate if self._rate is None else 0.8 * self._rate + 0.2 * rate
        self._looked = now

    def done(self, now: float) -> None:
        """It is over."""
        self._cost = 0.7 * self._cost + 0.3 * (now - self._looked)

    def polled(self, late: float) -> None:
        """Buttons and clock had their turn, so many seconds after it was due."""
        self._strain = min(1.0, late / (5 * LATE) + self._strain) if late > LATE else FORGIVEN * self._strain

    @property
    def strained(self) -> bool:
        """The camera steps back for the match."""
        return self._strain > 0.1

    def rate_awake(self, now: float) -> float | None:
        """Looks a second, lately; None while the camera rests on purpose."""
        return self._rate if now - self._stirred < LEFT_ALONE / 2 else None

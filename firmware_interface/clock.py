"""A panel's clock as the host sees it: which moment here a stamp from over there was, and how sure that is.

A PING that left at t0 and was answered at t1 met the panel's clock somewhere in between: the middle is the best
guess and half the round trip is how far it can be off. The shortest trip of the last few knows most.
"""

from collections import deque
from typing import NamedTuple

from firmware_interface import protocol

DRIFT = 100e-6
"""Two cheap quartz clocks part by no more than this much of the time that passes."""

RESOLUTION = 0.001
"""Stamps are whole milliseconds."""


class Sample(NamedTuple):
    ticks: int
    """Counted on where the panel's own count starts again at zero."""
    at: float
    """The middle of the round trip, on the host's clock."""
    uncertainty: float
    """Half the round trip."""

    def uncertainty_at(self, at: float) -> float:
        return self.uncertainty + abs(at - self.at) * DRIFT


class PanelClock:
    def __init__(self) -> None:
        self._samples: deque[Sample] = deque(maxlen=16)
        self._newest = 0
        self.trip = 0.0
        """The last round trip in seconds."""

    def __len__(self) -> int:
        return len(self._samples)

    def learn(self, ticks: int, sent: float, heard: float) -> None:
        self.trip = heard - sent
        self._newest = self.whole(ticks)
        self._samples.append(Sample(self._newest, (sent + heard) / 2, self.trip / 2))

    def whole(self, ticks: int) -> int:
        """A stamp of the panel as if its count never started again."""
        return self._newest + protocol.since(ticks, self._newest % protocol.TICKS)

    def moment(self, ticks: int, now: float) -> tuple[float, float]:
        """A stamp of the panel on the host's clock, and how far that may be wrong."""
        best = self._best(now)
        at = best.at + (self.whole(ticks) - best.ticks) / 1000
        return min(at, now), best.uncertainty_at(at) + RESOLUTION

    def ticks(self, at: float) -> int:
        """What the panel's clock will say at this moment."""
        best = self._best(at)
        return (best.ticks + round((at - best.at) * 1000)) % protocol.TICKS

    def _best(self, at: float) -> Sample:
        return min(self._samples, key=lambda sample: sample.uncertainty_at(at))

"""What the referee has seen, heard and said in the last seconds, for whoever doubts a ruling."""

from collections import deque
from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from companion.core.events import Event, Outcome, Press, Said, Seen, Tap
from companion.core.layout import SeenCard
from companion.record.clip import CountHeard, PressHeard, ReadingMade, SentenceSaid, Testimony
from companion.referee.press_order import TAPPED
from companion.referee.referee import Referee

SECONDS = 15.0
MOST = 500
"""Of each kind: nobody can fill the memory by pressing a button."""
JUST_BEFORE = 0.5
"""Seconds before the first picture in which a press still belongs to a clip."""
TREMBLE, UNSURE = 2.0, 0.1
"""Millimetres, and confidence, within which a reading counts as the same."""
TOLD = ("ruling", "call", "refused")
"""The kinds of sentence that are doubted."""
HeardT = TypeVar("HeardT", PressHeard, CountHeard, ReadingMade, SentenceSaid)


class LastSeconds:
    """Called under the table's lock with every event: nothing here waits, and a tick costs a comparison."""

    def __init__(self) -> None:
        self._presses: deque[PressHeard] = deque(maxlen=MOST)
        self._counts: deque[CountHeard] = deque(maxlen=MOST)
        self._readings: deque[ReadingMade] = deque()
        self._sentences: deque[SentenceSaid] = deque(maxlen=MOST)
        self._lay: dict[str, ReadingMade] = {}
        """Zone -> what lay there before the oldest reading that is still kept."""
        self._lie: dict[str, tuple[SeenCard, ...]] = {}
        self._stage: tuple[str, int] = ("", 0)

    def note(self, event: Event, outcome: Outcome, referee: Referee) -> None:
        match event:
            case Press(button="ready") if event.seat < len(referee.match.players):
                player = referee.match.players[event.seat]
                heard = PressHeard(player, event.at, event.uncertainty, False, event.clock, event.stamp)
                self._presses.append(heard)
            case Tap(what="ready"):
                self._presses.append(PressHeard(event.by, event.at, TAPPED, tapped=True))
            case Seen():
                self._see(event)
        stage = referee.stage, referee.count
        if stage != self._stage:
            self._stage = stage
            self._counts.append(CountHeard(event.at, *stage))
        for said in outcome.effects:
            if isinstance(said, Said) and said.kind in TOLD:
                self._sentences.append(SentenceSaid(event.at, said.kind, said.rules, said.line, said.message))

    def _see(self, event: Seen) -> None:
        for zone, cards in event.sight.zones.items():
            if not _same(self._lie.get(zone), cards):
                self._lie[zone] = cards
                self._readings.append(ReadingMade(event.at, zone, tuple(map(_rounded, cards))))
        while self._readings and (len(self._readings) > MOST or self._readings[0].at < event.at - SECONDS):
            old = self._readings.popleft()
            self._lay[old.zone] = old

    def between(self, start: float, end: float, players: Sequence[str], clock: float) -> Testimony:
        """What was heard and seen from then to then; times count from `start`. What lay there before is in it, too."""
        lay = dict(self._lay)
        for reading in self._readings:
            if reading.at <= start:
                lay[reading.zone] = reading
        stage = [each for each in self._counts if each.at <= start][-1:]
        return Testimony(
            players=tuple(players),
            clock=round(clock, 2),
            presses=_within(self._presses, start - JUST_BEFORE, end, start),
            counts=tuple(replace(each, at=0.0) for each in stage) + _within(self._counts, start, end),
            readings=tuple(replace(each, at=0.0) for _, each in sorted(lay.items()))
            + _within(self._readings, start, end),
            sentences=_within(self._sentences, start, end),
        )


def _within(noted: "deque[HeardT]", start: float, end: float, zero: float | None = None) -> tuple[HeardT, ...]:
    nought = start if zero is None else zero
    return tuple(replace(each, at=round(each.at - nought, 3)) for each in noted if start < each.at <= end)


def _same(before: tuple[SeenCard, ...] | None, cards: tuple[SeenCard, ...]) -> bool:
    """Whether that is the same reading: the figures of a card that lies still tremble a little."""
    if before is None or len(before) != len(cards):
        return False
    return all(
        (one.card, one.face_up, one.guesses) == (other.card, other.face_up, other.guesses)
        and max(abs(one.x - other.x), abs(one.y - other.y)) < TREMBLE
        and abs(one.confidence - other.confidence) < UNSURE
        for one, other in zip(before, cards, strict=True)
    )


def _rounded(card: SeenCard) -> SeenCard:
    """To what a person can tell apart: half a millimetre, a degree, a hundredth."""
    return replace(
        card,
        rotation=float(round(card.rotation)),
        x=round(2 * card.x) / 2,
        y=round(2 * card.y) / 2,
        confidence=round(card.confidence, 2),
    )

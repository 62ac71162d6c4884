"""A refereed table as a running service: senses put events in, one at a time; pages and lights get what follows."""

import threading
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any

import msgspec

from companion.core.camera_setup import NO_CAMERA, CameraSetup
from companion.core.events import Effect, Event, Outcome, Said, Sense, trouble
from companion.core.heartbeat import Heartbeats
from companion.core.layout import SeenCard, Sight
from companion.core.message import Message
from companion.games.kit.game import Move
from companion.record.evidence import Evidence
from companion.referee.referee import NOBODY, Referee
from companion.referee.table_view import AnyPage, Undoing, in_words, page, undoing

EffectListener = Callable[[Effect], None]
Recorder = Callable[[Event, Outcome], Message | None]
"""Writes down an event and what became of it; gives back why it will not go on doing so, once. It must not block."""
REFEREE = "referee"
"""The viewer who is not a player and may see everything the table shows."""


class TableDevices(msgspec.Struct, frozen=True):
    """What the pages can ask of a table beside its match."""

    picture: Callable[[], bytes | None] = lambda: None
    """The camera's last frame as a JPEG, where there is a camera."""
    camera_setup: CameraSetup = NO_CAMERA
    """The camera to be set up: aimed, measured, taught."""
    evidence: Evidence = Evidence(None)
    """The pictures that rulings and calls were made on."""


NO_DEVICES = TableDevices()
"""A table that is played by taps alone."""


class Service:
    """Safe to call from any thread. `now` gives the service's steady clock, real or simulated."""

    def __init__(
        self,
        referee: Referee,
        now: Callable[[], float],
        devices: TableDevices = NO_DEVICES,
        recorder: Recorder | None = None,
    ) -> None:
        self.referee = referee
        self.now = now
        self.version = 0
        """Grows with everything new on the page."""
        self.picture = devices.picture
        self.camera_setup = devices.camera_setup
        self.evidence = devices.evidence
        self.heartbeats = Heartbeats()
        """Of the threads that this table needs."""
        self._recorder = recorder
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._listeners: list[EffectListener] = []

    def listen(self, listener: EffectListener) -> None:
        """Be told of every effect, in order. A listener must not block."""
        self._listeners.append(listener)

    def unlisten(self, listener: EffectListener) -> None:
        """Be told no more."""
        self._listeners.remove(listener)

    def let_go(self) -> None:
        """The match has ended and nobody asks for its camera any more: keep no picture and no gallery in memory."""
        self.picture, self.camera_setup = NO_DEVICES.picture, NO_DEVICES.camera_setup
        self._listeners.clear()

    def submit(self, event: Event) -> Outcome:
        """Let the referee handle an event, and pass on what follows to whoever listens."""
        with self._lock:
            outcome = self.referee.handle(event)
            self._pass_on(outcome.effects)
            self._record(event, outcome)
            return outcome

    def _record(self, event: Event, outcome: Outcome) -> None:
        """A recording that fails ends with a notice; the match goes on."""
        failure = self._recorder(event, outcome) if self._recorder is not None else None
        if failure is not None:
            self._recorder = None
            self.submit(Sense("recording", trouble(failure), event.at, failure))

    def _pass_on(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            for listener in self._listeners:
                listener(effect)
        if effects:
            self.version += 1
            self._news.notify_all()

    def page(self, viewer: str | None, language: str = "en") -> AnyPage:
        with self._lock:
            shown = page(self.referee, viewer, language, self.now(), self.version)
            return self._with_pictures(shown) if viewer == REFEREE else shown

    def _with_pictures(self, shown: AnyPage) -> AnyPage:
        """For the referee alone, who may look at what somebody covered too late."""
        sentences = {self._first + place: said for place, said in enumerate(self.referee.said)}
        told = tuple(
            msgspec.structs.replace(
                each, picture=self.evidence.of(each.number, sentences[each.number]) or msgspec.UNSET
            )
            for each in shown.said
        )
        return msgspec.structs.replace(shown, said=told)

    @property
    def _first(self) -> int:
        """The number of the oldest sentence that is kept."""
        return self.referee.spoken - len(self.referee.said)

    def freshen(self) -> None:
        """Something on the page changed that is not part of the match: send it again."""
        with self._lock:
            self.version += 1
            self._news.notify_all()

    def vouch_for(self, picture: bytes, names: Sequence[str]) -> None:
        """A picture was kept under these names: what it looks like goes into the kifu."""
        digest = sha256(picture).hexdigest()
        with self._lock:
            self.referee.picture_kept(digest, names, self.now())
            self.freshen()

    def numbers(self, said: Sequence[Said]) -> list[int]:
        """The numbers that the page knows these sentences by."""
        with self._lock:
            wanted = {id(each) for each in said}
            return [self._first + place for place, each in enumerate(self.referee.said) if id(each) in wanted]

    def options(self, player: str) -> tuple[Move, ...]:
        """Every move that this player may make now, whether by card or by tap."""
        with self._lock:
            match = self.referee.match
            if player not in match.awaits:
                return ()
            return tuple(match.game.rules.legal_moves(match.state, NOBODY, player))

    def undoing(self, moves: int, language: str) -> Undoing:
        """What taking back that many moves would come to; raises Refused where there are not so many."""
        with self._lock:
            return undoing(self.referee, moves, language)

    def clock(self) -> tuple[float, bool]:
        """Where the match clock stands, and whether it runs."""
        with self._lock:
            return self.referee.clock.read(self.now()), self.referee.clock.running

    @property
    def limit(self) -> float | None:
        """When the match clock ends the match, if it does."""
        match = self.referee.match
        return match.game.rules.time_limit(match.state)

    def advice(self, place: str, cards: Sequence[str], language: str = "en") -> Any:
        """What the page would say if these cards lay there: for tablets that stand in for the camera."""
        with self._lock:
            match = self.referee.match
            sight = Sight({place: tuple(SeenCard(card, True) for card in cards)})
            return in_words(match.game.table.advice(match.state, sight), match.name, language)

    def wait(self, version: int, timeout: float) -> int:
        """Wait until the page is newer than that version; gives back the version it has."""
        with self._news:
            self._news.wait_for(lambda: self.version > version, timeout)
            return self.version

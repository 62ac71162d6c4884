"""A table as a running service: senses put events in, one at a time; pages and lights get what follows.

It outlives its matches: a referee handles the events while one is played, and the lobby between two of them.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from companion.core.camera_setup import NO_CAMERA, CameraSetup
from companion.core.events import Condition, Effect, Event, Light, Outcome, Press, Said, Sense, trouble
from companion.core.heartbeat import Heartbeats
from companion.core.layout import SeenCard, Sight
from companion.core.message import Message, message
from companion.core.own_hand import OwnHand
from companion.core.phone_camera import NO_PHONE, PhoneLink
from companion.core.rulings import Refused, ShinpanError
from companion.games.kit.game import Move
from companion.record.clip import Testimony
from companion.record.evidence import CLIP, Evidence
from companion.record.match import Match
from companion.referee.housekeeping import Housekeeping
from companion.referee.last_seconds import LastSeconds
from companion.referee.lobby import PLACES, Lobby
from companion.referee.lobby_view import Check, LobbyPage, lobby_page
from companion.referee.offers import NOBODY, Offer, offer
from companion.referee.referee import Referee
from companion.referee.table_view import AnyPage, Undoing, hand_shown, in_words, page, undoing

EffectListener = Callable[[Effect], None]
Recorder = Callable[[Event, Outcome], Message | None]
"""Writes down an event and its outcome; returns, once, the reason if recording has to stop. It must not block."""
REFEREE = "referee"
"""The viewer who is not a player and may see everything the table shows."""

FilmPictures = Callable[[bytes], Sequence[bytes]]
"""A film -> its pictures as JPEGs."""


class TableDevices(msgspec.Struct, frozen=True):
    """What the pages can ask of a table beside its match."""

    picture: Callable[[], bytes | None] = lambda: None
    """The camera's last frame as a JPEG, where there is a camera."""
    camera_setup: CameraSetup = NO_CAMERA
    """The camera to be set up: aimed, measured, taught."""
    evidence: Evidence = Evidence(None)
    """The pictures that rulings and calls were made on."""
    checks: Callable[[], Sequence[Check]] = lambda: ()
    """What has to be well before a match, and whether it is."""
    spectators_picture: Callable[[], bytes | None] = lambda: None
    """What of the camera's picture everybody may see."""


class VirtualHands(Protocol):
    """Hands at a virtual table, for people who have sat down there."""

    def of(self, player: str) -> OwnHand | None: ...
    def answer(self, player: str, number: int, chosen: Sequence[int]) -> None: ...
    def takes(self, player: str, fields: dict[str, Any]) -> bool: ...
    def takes_back(self, player: str) -> None: ...
    def narrowed(self, player: str, offer: Offer[Move]) -> Offer[Move]: ...
    def leave(self, asked_by: Sequence[str]) -> None: ...
    def hand_over(self, asked_by: Sequence[str]) -> None: ...


class NoMatch(ShinpanError):
    """Something that only a match has was asked for in the lobby."""


NO_DEVICES = TableDevices()
"""A table that is played by taps alone."""


class Service:
    """Safe to call from any thread. `now` gives the service's steady clock, real or simulated."""

    def __init__(
        self,
        host: Referee | Lobby,
        now: Callable[[], float],
        devices: TableDevices = NO_DEVICES,
        recorder: Recorder | None = None,
        go_on: Callable[[str], None] | None = None,
        virtual_hands: VirtualHands | None = None,
        phone_camera: PhoneLink = NO_PHONE,
        film_pictures: FilmPictures = lambda film: (),
    ) -> None:
        """`go_on` takes the table on after a match: `rematch`, `rotate` or `lobby`. None: it has only this match."""
        self.now = now
        self._go_on = go_on
        self.virtual_hands = virtual_hands
        self.phone_camera = phone_camera
        self.film_pictures = film_pictures
        """Takes the single pictures out of a clip that is written as H.264."""
        self._match = ""
        self.review = False
        """The referee has to confirm the result before anything follows it."""
        self.version = 0
        """Grows with everything new on the page."""
        self.heartbeats = Heartbeats()
        """Of the threads that this table needs."""
        self.house: Housekeeping | None = None
        """Who looks after a real table; None: it is simulated."""
        self.senses: dict[str, Condition] = {}
        """How everything that is plugged in is, whoever sits there."""
        self._lock = threading.RLock()
        self._news = threading.Condition(self._lock)
        self._listeners: list[EffectListener] = []
        self._hosted = host, _all_places(host)
        """Who has the table, and where those sit who play; changed in one step."""
        self._last_seconds = LastSeconds()
        self._strangers: set[int] = set()
        """Places whose buttons were pressed though nobody plays there."""
        self._use(devices, recorder)

    def _use(self, devices: TableDevices, recorder: Recorder | None) -> None:
        self.picture, self.camera_setup = devices.picture, devices.camera_setup
        self.spectators_picture = devices.spectators_picture
        self.evidence, self.checks = devices.evidence, devices.checks
        self._recorder = recorder

    def hand_over(
        self,
        host: Referee | Lobby,
        devices: TableDevices,
        recorder: Recorder | None = None,
        places: Sequence[int] | None = None,
        match: str = "",
        review: bool = False,
    ) -> None:
        """Let this referee, or this lobby, have the table from now on. `places` says where the players sit, `match` is
        what the pages know the match by; with `review` its result waits for the referee."""
        with self._lock:
            self._match, self.review = match, review
            self._last_seconds, self._strangers = LastSeconds(), set()
            self._pass_on([Light(seat, "idle") for seat in range(len(self._places))])
            self._hosted = host, _all_places(host) if places is None else tuple(places)
            self._use(devices, recorder)
            for name, condition in list(self.senses.items()):
                self.submit(Sense(name, condition, self.now()))
            self.freshen()

    @property
    def referee(self) -> Referee:
        """Of the match that is being played, or was played last and is still shown."""
        if isinstance(self._host, Lobby):
            raise NoMatch(message("No match is being played: the table is in the lobby."))
        return self._host

    @property
    def match(self) -> Match:
        """The match that has the table, or the one that is being arranged."""
        return self._host.trial if isinstance(self._host, Lobby) else self._host.match

    @property
    def at_table(self) -> tuple[str, bool]:
        """What the match that has the table is known by, and whether it is over; no name in the lobby. Nobody waits for
        the table's lock here."""
        host = self._host
        return ("", False) if isinstance(host, Lobby) else (self._match, host.match.over)

    @property
    def lobby(self) -> Lobby | None:
        """None while a match has the table."""
        return self._host if isinstance(self._host, Lobby) else None

    @property
    def playing(self) -> bool:
        """Whether a match is under way that nobody should disturb. Nobody waits for the table's lock here."""
        host = self._host
        return not isinstance(host, Lobby) and not host.match.over

    @property
    def lying_open(self) -> bool | None:
        """Whether all cards of the last reveal lie open, from when they have been read until the next count. Where a
        game has no reveals, whether nothing is sealed. None: no match is played, and nobody hides anything."""
        with self._lock:
            host = self._host
            if isinstance(host, Lobby) or host.match.over:
                return None
            return not host.match.sealed and bool(host.turned_up or not host.match.game.reveals.kinds)

    @property
    def places(self) -> dict[str, int]:
        """Who sits where: player -> place, counted from 0. Nobody waits for the table's lock here."""
        host, places = self._hosted
        if isinstance(host, Lobby):
            return {name: place for place, name in enumerate(host.arrangement.seats) if name}
        return dict(zip(host.match.players, places, strict=True))

    @property
    def _host(self) -> Referee | Lobby:
        return self._hosted[0]

    @property
    def _places(self) -> tuple[int, ...]:
        return self._hosted[1]

    def listen(self, listener: EffectListener) -> None:
        """Be told of every effect, in order. A listener must not block."""
        self._listeners.append(listener)

    def unlisten(self, listener: EffectListener) -> None:
        """Be told no more."""
        self._listeners.remove(listener)

    def let_go(self) -> None:
        """The match has ended and nobody asks for its camera any more: keep no picture and no gallery in memory."""
        self.picture, self.camera_setup = NO_DEVICES.picture, NO_DEVICES.camera_setup
        self.spectators_picture = NO_DEVICES.spectators_picture
        self._listeners.clear()

    def submit(self, event: Event) -> Outcome:
        """Let the host handle an event, and pass on what follows to whoever listens."""
        with self._lock:
            here = self._seated(event)
            if here is None:
                return Outcome([])
            host = self._host
            outcome = host.handle(here)
            if host is self._host:  # else a match has just begun, and what follows is the new host's to say
                self._pass_on(outcome.effects)
                self._record(here, outcome)
                if isinstance(host, Referee):
                    self._last_seconds.note(here, outcome, host)
            return outcome

    @property
    def goes_on(self) -> bool:
        """Whether there can be another match after this one."""
        return self._go_on is not None

    def go_on(self, to: str) -> None:
        """After a match: `confirm` its result, then to a rematch (`rematch`, or `rotate` with everybody one seat on) or
        to the `lobby`."""
        with self._lock:
            if self._go_on is None:
                raise Refused("TABLE-4", message("This table is only for this match."))
            if not self.referee.match.over:
                raise Refused("TABLE-4", message("The match is not over. The referee can end it."))
            if self.review and to != "confirm":
                raise Refused("TABLE-5", message("The result is under review: the referee has to confirm it first."))
            self._go_on(to)

    def _seated(self, event: Event) -> Event | None:
        """The same event with the seat that its place has in this match; None: nobody plays there."""
        if isinstance(event, Press) and event.button not in ("start", "reset"):
            if event.seat not in self._places:
                self._pressed_by_nobody(event.seat)
                return None
            return replace(event, seat=self._places.index(event.seat))
        if isinstance(event, Sense):
            self.senses[event.name] = event.condition
            kind, _, number = event.name.rpartition(" ")
            if kind == "panel" and number.isdecimal():
                if int(number) - 1 not in self._places:
                    return None
                return replace(event, name=f"panel {self._places.index(int(number) - 1) + 1}")
        return event

    def _pressed_by_nobody(self, place: int) -> None:
        """Once for each place and host: whoever presses there wonders why nothing happens."""
        if place not in self._strangers:
            self._strangers.add(place)
            seat = place + 1
            if isinstance(self._host, Lobby):
                self.notice(message("Panel {seat} was pressed, and this table has no such seat.", seat=seat))
            else:
                self.notice(
                    message("Nobody plays at seat {seat}: its buttons do nothing until the match is over.", seat=seat)
                )

    def _record(self, event: Event, outcome: Outcome) -> None:
        """A recording that fails ends with a notice; the match goes on."""
        failure = self._recorder(event, outcome) if self._recorder is not None else None
        if failure is not None:
            self._recorder = None
            self.submit(Sense("recording", trouble(failure), event.at, failure))

    def _pass_on(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Light):
                effect = replace(effect, seat=self._places[effect.seat])
            for listener in self._listeners:
                listener(effect)
        if effects:
            self.version += 1
            self._news.notify_all()

    def page(self, viewer: str | None, language: str = "en") -> AnyPage | LobbyPage:
        """What this viewer sees of the match, or of the lobby."""
        with self._lock:
            if isinstance(self._host, Lobby):
                return lobby_page(self._host, self.version, language, virtual=self.virtual_hands is not None)
            plain = page(self._host, viewer, language, self.now(), self.version)
            shown = replace(plain, match=self._match, review=self.review and plain.over)
            own = self.virtual_hands.of(viewer) if self.virtual_hands is not None and viewer is not None else None
            if own is not None:
                shown = replace(shown, hand=hand_shown(own, self._host.match.name, language), oops_until=None)
            return self._with_pictures(shown) if viewer == REFEREE else shown

    def _with_pictures(self, shown: AnyPage) -> AnyPage:
        """For the referee alone, who may look at what somebody covered too late."""
        sentences = {self._first + place: said for place, said in enumerate(self.referee.said)}
        told = tuple(
            replace(
                each,
                picture=self.evidence.of(each.number, sentences[each.number]) or msgspec.UNSET,
                clip=self.evidence.of(each.number, sentences[each.number], CLIP) or msgspec.UNSET,
            )
            for each in shown.said
        )
        return replace(shown, said=told)

    @property
    def _first(self) -> int:
        """The number of the oldest sentence that is kept."""
        return self.referee.spoken - len(self.referee.said)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else does anything at this table meanwhile: for what takes several steps."""
        with self._lock:
            yield

    def freshen(self) -> None:
        """Something on the page changed that is not part of the match: send it again."""
        with self._lock:
            self.version += 1
            self._news.notify_all()

    def vouch_for(self, picture: bytes, names: Sequence[str]) -> None:
        """A picture was kept under these names: what it looks like goes into the kifu."""
        digest = sha256(picture).hexdigest()
        with self._lock:
            if isinstance(self._host, Lobby):
                return  # it was a picture of the match that has just been left
            self.referee.picture_kept(digest, names, self.now())
            self.freshen()

    def testimony(self, start: float, end: float) -> Testimony:
        """What the referee knew in these seconds of the match."""
        with self._lock:
            referee, now = self.referee, self.now()
            clock = max(0.0, referee.clock.read(now) - (now - start if referee.clock.running else 0.0))
            return self._last_seconds.between(start, end, referee.match.players, clock)

    def moves_since(self, line: int) -> int:
        """How many moves would have to be taken back for this line of the kifu not to count any more; 0: it is none
        that could be."""
        with self._lock:
            past = [moment for moment in self.referee.match.past if moment.line >= line]
            return sum(moment.counts for moment in past) if past and past[-1].line == line > 0 else 0

    def notice(self, news: Message) -> None:
        """Everybody should read this."""
        with self._lock:
            self._host.notice(news)
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

    def check(self, player: str, move: Move) -> None:
        """Raise Refused where this move may not be made now."""
        with self._lock:
            self.referee.match.check(player, move)

    def undoing(self, moves: int, language: str) -> Undoing:
        """What taking back that many moves would come to; raises Refused where there are not so many."""
        with self._lock:
            return undoing(self.referee, moves, language)

    def offer(self, player: str) -> Offer[Move]:
        """The same for a page: the moves, or what they are put together from where they are too many."""
        with self._lock:
            made = offer(self.referee.match, player)
            return made if self.virtual_hands is None else self.virtual_hands.narrowed(player, made)

    def clock(self) -> tuple[float, bool]:
        """Where the match clock stands, and whether it runs."""
        with self._lock:
            if isinstance(self._host, Lobby):
                return 0.0, False
            return self._host.clock.read(self.now()), self._host.clock.running

    @property
    def limit(self) -> float | None:
        """When the match clock ends the match, if it does."""
        if isinstance(self._host, Lobby):
            return None
        match = self._host.match
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


def _all_places(host: Referee | Lobby) -> tuple[int, ...]:
    return tuple(range(PLACES if isinstance(host, Lobby) else len(host.match.players)))

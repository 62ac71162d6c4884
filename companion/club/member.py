"""A table in its club: says how it stands, sends its kifus until the venue has them, and does what the venue wants.

It lives on a thread of its own beside the table. The table never waits for it; without a network, a broker or a venue
everything is played as before, and what was played is sent when they are back.
"""

import logging
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from companion.club import payloads, topics
from companion.club.kifu_folder import KifuFolder
from companion.club.link import Account, BrokerLink
from companion.club.membership import Membership
from companion.club.outbox import Outbox
from companion.club.payloads import (
    Acks,
    BadPayload,
    Deed,
    FromTheFuture,
    Have,
    Order,
    PageOut,
    Payload,
    Piece,
    Presence,
    RulingOut,
    VenueHere,
    Wanted,
)
from companion.club.table_state import happened, table_state
from companion.core.events import OK, Condition, Effect, Said, Sense, Tap, trouble
from companion.core.message import Message, message
from companion.core.rulings import Refused, ShinpanError
from companion.core.wording import LANGUAGES, sentence
from companion.referee.service import NoMatch, Service

log = logging.getLogger("shinpan")

STEP = 0.05
"""Seconds between two looks at what has to be said; more often nobody could read it on a wall."""
STATE_EVERY = 10.0
"""Seconds after which a state is said again although nothing is new: a broker may have lost it."""
ASK_EVERY = 3.0
"""Seconds after which the venue is asked again what it has."""
PER_PART = 400
"""Matches in one `have`."""
CLUB = "club"


class ClubTable(Protocol):
    """What a member has to know of its table."""

    @property
    def service(self) -> Service: ...
    @property
    def order(self) -> str:
        """The order that has the table, or had it last."""
        ...

    def in_play(self) -> tuple[str, int] | None:
        """The match that is being written, and how many of its lines are on the disk."""
        ...

    def summon(self, order: Order) -> None:
        """Bring the table to where the order wants it. Raises Refused or ShinpanError where that cannot be."""
        ...

    def has_line(self, text: str) -> bool:
        """Whether the kifu of the present match has this text in it."""
        ...


class Member:
    """`start` it, `stop` it."""

    def __init__(
        self,
        membership: Membership,
        table: ClubTable,
        kifus: KifuFolder,
        software: str = "",
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._member, self._table, self._kifus, self._now = membership, table, kifus, now
        self.session = secrets.token_hex(6)
        self._software = software
        self.outbox = Outbox()
        self._said: deque[Said] = deque(maxlen=200)
        self._heard: deque[tuple[str, bytes]] = deque(maxlen=500)
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._came = False
        self._venue = ""
        self._asked = -1e9
        self._parts: dict[int, tuple[str, ...]] = {}
        self._wanted = Wanted(serial=0)
        self._done = 0
        self._deeds: set[str] = set()
        self._obstacle: Message | None = None
        self._told: tuple[bytes, float] = (b"", -1e9)
        self._page_shown = -1
        account = Account(membership.broker, membership.table, membership.secret, membership.authority)
        wanted = [self._to(topics.ACKS), self._to(topics.WANTED), topics.to_all(membership.venue, topics.VENUE)]
        gone = payloads.write(Presence(here=False, session=self.session))
        self._link = BrokerLink(
            account, wanted, self._hear, self._connected, (self._of(topics.PRESENCE), gone), self._lost
        )
        self._thread = threading.Thread(target=self._run, name=CLUB, daemon=True)
        table.service.listen(self._listen)

    def _of(self, what: str) -> str:
        return topics.of_table(self._member.venue, self._member.table, what)

    def _to(self, what: str) -> str:
        return topics.to_table(self._member.venue, self._member.table, what)

    def start(self) -> None:
        self._link.open()
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._wake.set()
        self._thread.join(5)
        self._link.close((self._of(topics.PRESENCE), payloads.write(Presence(here=False, session=self.session))))

    # --- other threads --------------------------------------------------------------------------------------------

    def _listen(self, effect: Effect) -> None:
        """Under the table's lock: nothing here waits."""
        if isinstance(effect, Said) and not effect.only:
            self._said.append(effect)
        self._wake.set()

    def _hear(self, topic: str, data: bytes) -> None:
        self._heard.append((topic, data))
        self._wake.set()

    def _connected(self) -> None:
        self._came = True
        self._wake.set()

    def _lost(self, why: Message) -> None:
        self._heard.append(("", b""))
        log.info("%s %s", why, "The table plays on.")

    # --- its own thread -------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.wait(0.5)
            self._wake.clear()
            try:
                self.step()
            except Exception:
                log.exception("Something went wrong between this table and its club; it is tried again.")
                self._stop.wait(1.0)
            self._stop.wait(STEP)

    def step(self) -> None:
        while self._heard:
            self._take(*self._heard.popleft())
        if not self._link.connected:
            self._condition(here=False)
            return
        if self._came:
            self._greet()
        self._carry_out()
        self._say_state()
        self._say_rulings()
        self._send_kifus()
        self._say_page()

    def _say(self, what: str, payload: Payload, *, retain: bool = False) -> None:
        self._link.say(self._of(what), payloads.write(payload), retain=retain, sure=what == topics.PRESENCE)

    def _greet(self) -> None:
        self._came = False
        self.outbox.forget()
        self._asked, self._told = -1e9, (b"", -1e9)
        self._say(topics.PRESENCE, Presence(here=True, session=self.session, software=self._software), retain=True)

    def _take(self, topic: str, data: bytes) -> None:
        kind = payloads.KINDS.get(topic.rpartition("/")[2]) if topic else None
        if kind is None:
            return
        try:
            said = payloads.read(data, kind)
        except FromTheFuture:
            newer = message("The venue runs a newer Shinpan: update this table. Play on: everything is kept here.")
            self._sense(trouble(newer))
            return
        except BadPayload as error:
            log.warning("What came from the venue was left out: %s.", error)
            return
        match said:
            case Acks():
                if said.part >= 0 and said.session == self.session:
                    self._parts.pop(said.part, None)
                self.outbox.take(said)
            case Wanted() if said.serial > self._wanted.serial:
                self._wanted = said
            case VenueHere():
                self._condition(here=said.here)
                if said.here and said.session != self._venue:
                    self._venue, self._came = said.session, True

    def _condition(self, *, here: bool) -> None:
        away = message("The venue cannot be reached. Play on: everything is sent when it is back.")
        self._sense(OK if here else trouble(away))

    def _sense(self, condition: Condition) -> None:
        service = self._table.service
        if service.senses.get(CLUB) != condition:
            service.submit(Sense(CLUB, condition, service.now()))

    # --- what the venue wants -------------------------------------------------------------------------------------

    def _carry_out(self) -> None:
        wanted = self._wanted
        if wanted.serial == self._done:
            return
        self._obstacle = None
        try:
            for deed in wanted.deeds:
                self._do(deed)
            if wanted.order is not None:
                self._table.summon(wanted.order)
        except (Refused, ShinpanError) as refused:
            self._obstacle = refused.message
            return  # it may be possible in a moment: when the match that is played here is over
        self._done = wanted.serial

    def _do(self, deed: Deed) -> None:
        if deed.id in self._deeds:
            return
        service = self._table.service
        try:
            match deed.kind:
                case "time":
                    # The line itself says which deed it was, so that none is done twice, even over a restart.
                    mark = f"({deed.id})"
                    if not self._table.has_line(mark):
                        data = {"seconds": deed.seconds, "why": f"{deed.why} {mark}".strip()}
                        self._tap("time", data)
                case "pause" | "resume":
                    self._tap(deed.kind, {})
                case "answer":
                    for player in list(service.referee.attention.calls):
                        self._tap("answer", {"player": player})
        except NoMatch:
            pass  # there is nothing to pause or to give time to any more
        self._deeds.add(deed.id)

    def _tap(self, what: str, data: dict[str, object]) -> None:
        service = self._table.service
        refusal = service.submit(Tap("referee", what, dict(data), service.now())).refusal
        if refusal is not None:
            self._obstacle = refusal.message

    # --- what the table says --------------------------------------------------------------------------------------

    def _say_state(self) -> None:
        written = self._kifus.written()
        state = table_state(self._table.service)
        state = msgspec.structs.replace(
            state,
            session=self.session,
            order=self._table.order,
            wanted=self._done,
            obstacle="" if self._obstacle is None else sentence(self._obstacle),
            unsent=self.outbox.unsent(written),
        )
        # A clock that runs is no news: whoever has the state counts on from there.
        same = payloads.write(msgspec.structs.replace(state, reached=0.0 if state.running else state.reached))
        before, at = self._told
        if same != before or self._now() - at > STATE_EVERY:
            self._told = same, self._now()
            self._say(topics.STATE, state, retain=True)

    def _say_rulings(self) -> None:
        while self._said:
            said = self._said.popleft()
            try:
                match = self._table.in_play()
                names = self._table.service.match.name
            except NoMatch:
                continue
            text = {language: sentence(said.message, language, names) for language in LANGUAGES}
            live = "" if match is None else match[0]
            ruling = RulingOut(
                match=live, line=said.line, kind=said.kind, rules=said.rules[:12], text=text, what=happened(said)
            )
            self._say(topics.RULING, ruling)

    def _send_kifus(self) -> None:
        written = self._kifus.written()
        unknown = self.outbox.unknown(written)
        now = self._now()
        if unknown and now - self._asked > ASK_EVERY:
            self._asked = now
            for part, matches in enumerate(_parted(unknown, PER_PART)):
                heads = tuple(self._kifus.head(match, written[match]) for match in matches)
                self._say(topics.HAVE, Have(session=self.session, part=part, matches=heads))
        for span in self.outbox.due(written, now):
            lines = self._kifus.read(span)
            if lines:
                self._say(topics.KIFU, Piece(match=span.match, first=span.first, lines=lines))

    def _say_page(self) -> None:
        service = self._table.service
        if not self._wanted.watched or self._page_shown == service.version:
            return
        self._page_shown = service.version
        for language in self._wanted.watched[:2]:
            if language in LANGUAGES:
                page = msgspec.to_builtins(service.page(None, language))
                self._say(topics.PAGE, PageOut(language=language, page=page))


def _parted(items: Sequence[str], most: int) -> list[Sequence[str]]:
    return [items[at : at + most] for at in range(0, len(items), most)]

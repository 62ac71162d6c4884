"""The venue: hears what the tables say, keeps it, runs the tournament, and says what it wants of each table.

One thread handles the news, table after table, and another one what has to be kept (`keeper`). Nothing that a table
sends can stop them: what cannot be read is one sentence at the desk, and play goes on.
"""

import logging
import re
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from companion.club import payloads, topics
from companion.club.desk import ArbitersDesk, slot_of
from companion.club.inbox import Inbox
from companion.club.intake import Intake
from companion.club.keeper import KEPT, KifuKeeper
from companion.club.link import Account, BrokerLink
from companion.club.payloads import (
    BadPayload,
    Deed,
    PageOut,
    Presence,
    RulingOut,
    TableState,
    TakeOver,
    VenueHere,
    Wanted,
)
from companion.club.results import MatchResult
from companion.club.round_news import round_out
from companion.club.store import KnownMatch, Store
from companion.core.heartbeat import Heartbeats
from companion.core.message import Message, Thing, message
from companion.core.rulings import ShinpanError

log = logging.getLogger("shinpan")

TICK = 0.25
RESEND = 3.0
"""Seconds after which a table that has not done what is wanted is told again."""
WATCHED = 20.0
"""Seconds for which a table sends its page after somebody has asked for it."""
ALARMS: Final = 50
VENUE = "venue"


@dataclass
class LiveTable:
    """What is known of a table at this moment; all of it can be lost, and comes again."""

    id: str
    name: str
    key: str = ""
    here: bool = False
    session: str = ""
    software: str = ""
    state: TableState = field(default_factory=TableState)
    state_at: float = 0.0
    """When the state came, by the venue's own clock: a table's clock is never believed."""
    rulings: deque[RulingOut] = field(default_factory=lambda: deque(maxlen=6))
    pages: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Language -> the table's own page, while somebody looks at it."""
    page_version: int = 0
    watched: dict[str, float] = field(default_factory=dict)
    """Language -> until when somebody looks."""
    wanted: Wanted = field(default_factory=lambda: Wanted(serial=0))
    told_at: float = -1e9
    answered: tuple[Deed, ...] = ()
    """Calls that the arbiter has answered."""


@dataclass(frozen=True)
class Alarm:
    number: int
    at: float
    table: str
    told: Message


class Venue:
    """`open` it with an account at the broker, `close` it. Safe to call from any thread; `news` is its lock."""

    def __init__(
        self,
        store: Store,
        name: str = "",
        clock: Callable[[], float] = time.time,
        now: Callable[[], float] = time.monotonic,
        software: str = "",
    ) -> None:
        self.store, self._clock, self._now, self._software = store, clock, now, software
        self._strangers: set[tuple[str, str]] = set()
        """Tables of another version that the desk has been told of, with that version."""
        self.id = store.setting("venue") or secrets.token_hex(4)
        store.set("venue", self.id)
        self.name = name or store.setting("name", "Shinpan")
        store.set("name", self.name)
        self.session = secrets.token_hex(6)
        self.version = 0
        self.heartbeats = Heartbeats()
        self.news = threading.Condition(threading.RLock())
        self.alarms: deque[Alarm] = deque(maxlen=ALARMS)
        self._alarm_number = 0
        self.tables = {each.id: LiveTable(each.id, each.name, each.key) for each in store.tables()}
        self.desk = ArbitersDesk(store)
        self.intake = Intake(store, self._finished, self.alarm, lambda table: self._table(table).key)
        self._inbox: Inbox[tuple[str, bytes]] = Inbox()
        self.keeper = KifuKeeper(
            self.intake,
            self._read,
            lambda table, acks: self._say_to(table, topics.ACKS, acks),
            lambda told: self.alarm("", told),
            self.heartbeats,
        )
        self._take_overs: dict[str, TakeOver] = {}
        self._serial = int(store.setting("serial", "0"))
        self._round = b""
        self._link: BrokerLink | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=VENUE, daemon=True)
        self.told: list[Callable[[str, LiveTable], None]] = []
        """Are told of every state, ruling and presence as it comes: for lights."""
        self._greeted = False
        self.intake.sweep()
        self._catch_up()

    def open(self, account: Account) -> None:
        gone = payloads.write(VenueHere(here=False, session=self.session, name=self.name))
        will = (topics.to_all(self.id, topics.VENUE), gone)
        everything = [f"{topics.ROOT}/{self.id}/table/#"]
        self._link = BrokerLink(account, everything, self._hear, self._connected, will)
        self._link.open()
        self.keeper.start()
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self._inbox.close()
        self.keeper.stop()
        if self._thread.is_alive():
            self._thread.join(5)
        if self._link is not None:
            gone = payloads.write(VenueHere(here=False, session=self.session, name=self.name))
            self._link.close((topics.to_all(self.id, topics.VENUE), gone))
        self.store.close()

    # --- for pages ------------------------------------------------------------------------------------------------

    def wait(self, version: int, timeout: float) -> int:
        with self.news:
            self.news.wait_for(lambda: self.version > version, timeout)
            return self.version

    def freshen(self) -> None:
        with self.news:
            self.version += 1
            self.news.notify_all()

    def clock(self) -> float:
        """Seconds since 1970, by the venue."""
        return self._clock()

    @property
    def connected(self) -> bool:
        return self._link is not None and self._link.connected

    def alarm(self, table: str, told: Message) -> None:
        """Something for the arbiter to look at. What was just said is not said again."""
        with self.news:
            if any(each.told == told and each.table == table for each in list(self.alarms)[-10:]):
                return
            self._alarm_number += 1
            self.alarms.append(Alarm(self._alarm_number, self._clock(), table, told))
            log.warning("%s: %s", self._table(table).name if table else self.name, told)
            self.freshen()

    def dismiss(self, number: int) -> None:
        with self.news:
            self.alarms = deque((each for each in self.alarms if each.number != number), maxlen=ALARMS)
            self.freshen()

    def watch(self, table: str, language: str) -> None:
        """Somebody looks at the page of this table."""
        with self.news:
            self._table(table).watched[language] = self._now() + WATCHED

    def answer_calls(self, table: str) -> None:
        """The arbiter is on the way."""
        with self.news:
            live = self._table(table)
            live.answered = (Deed(id=f"a{secrets.token_hex(4)}", kind="answer"),)

    def add(self, id: str, name: str, key: str) -> None:
        with self.news:
            self.tables[id] = LiveTable(id, name, key)
            self.freshen()

    def drop(self, id: str) -> None:
        with self.news:
            self.store.drop_table(id)
            self.tables.pop(id, None)
            self.freshen()

    def free_tables(self) -> list[str]:
        """Tables that are here and that the round does not need, by name."""
        taken = self.desk.taken()
        here = [each for each in self.tables.values() if each.here and each.id not in taken]
        return [each.id for each in sorted(here, key=lambda each: natural(each.name))]

    def move_board(self, board: int, table: str) -> None:
        """A board goes on at another table, from the kifu as far as it came here."""
        with self.news:
            if table not in self.tables or table in self.desk.taken():
                raise ShinpanError(message("That table is not free."))
            self.desk.move(board, table)
            self.freshen()

    # --- the broker's thread --------------------------------------------------------------------------------------

    def _connected(self) -> None:
        self._greeted = False

    def _hear(self, topic: str, data: bytes) -> None:
        heard = topics.heard(self.id, topic)
        if heard is None:
            return
        if heard.what in KEPT:
            self.keeper.put(heard.table, heard.what, data)
        else:
            self._inbox.put(heard.table, (heard.what, data))

    # --- its own thread -------------------------------------------------------------------------------------------

    def _run(self) -> None:
        due = 0.0
        while not self._stop.is_set():
            try:
                arrived = self._inbox.take(TICK)
                if arrived is not None:
                    self.take(arrived[0], *arrived[1])
                if self._now() >= due:
                    due = self._now() + TICK
                    self.tick()
                self.heartbeats.beat(VENUE)
            except Exception:
                log.exception("The venue stumbled; it goes on.")
                self._stop.wait(0.5)
        self.heartbeats.end(VENUE)

    def _table(self, id: str) -> LiveTable:
        return self.tables.get(id) or LiveTable(id, id)

    def take(self, table: str, what: str, data: bytes) -> None:
        """Some news of a table."""
        live, said = self.tables.get(table), self._read(table, what, data)
        if live is not None and said is not None:
            self._handle(live, said)

    def _read(self, table: str, what: str, data: bytes) -> payloads.Payload | None:
        """What a table says; None: it was dropped from the club, or nobody here understands it."""
        kind, live = payloads.KINDS.get(what), self.tables.get(table)
        if kind is None or live is None:
            return None
        try:
            return payloads.read(data, kind)
        except BadPayload as error:
            told = message(
                "What {table} says cannot be read: {why}.", table=Thing("table", live.name), why=error.message
            )
            self.alarm(table, told)
            return None

    def _handle(self, live: LiveTable, said: payloads.Payload) -> None:
        with self.news:
            match said:
                case Presence():
                    self._present(live, said)
                case TableState():
                    live.state, live.state_at = said, self._now()
                case RulingOut():
                    live.rulings.append(said)
                case PageOut():
                    live.pages[said.language] = said.page
                    live.page_version += 1
            self.freshen()
        for tell in self.told:
            tell(topics.STATE if isinstance(said, TableState) else "", live)

    def _present(self, live: LiveTable, said: Presence) -> None:
        with self.news:
            if live.here and said.here and said.session != live.session and live.session:
                self.alarm(
                    live.id,
                    message(
                        "{table} came twice: it was started again, or two tables use one identity.",
                        table=Thing("table", live.name),
                    ),
                )
            if said.here or said.session == live.session:
                live.here = said.here
            if said.here:
                live.session, live.software, live.told_at = said.session, said.software, -1e9
                self._compare_versions(live)

    def _compare_versions(self, live: LiveTable) -> None:
        """Versions understand each other as long as they speak the same `v`; somebody should know all the same."""
        if "" in (live.software, self._software) or live.software == self._software:
            return
        if (live.id, live.software) not in self._strangers:
            self._strangers.add((live.id, live.software))
            told = message(
                "{table} runs Shinpan {theirs} and the venue runs {ours}. They play together; update the older one "
                "when the evening is over.",
                table=Thing("table", live.name),
                theirs=live.software,
                ours=self._software,
            )
            self.alarm(live.id, told)

    # --- results --------------------------------------------------------------------------------------------------

    def _finished(self, match: KnownMatch, result: MatchResult | None) -> None:
        slot = slot_of(match.order)
        if slot is not None:
            with self.news:
                told = self.desk.result(slot, match.table, match.match, result)
                if told is not None:
                    self.alarm(match.table, told)
                self.freshen()

    def _catch_up(self) -> None:
        """Results that were read, and not given to the desk, when the venue was killed."""
        for match in self.store.matches():
            if match.order and match.result:
                self._finished(match, msgspec.json.decode(match.result.encode(), type=MatchResult))

    # --- what is wanted -------------------------------------------------------------------------------------------

    def tick(self) -> None:
        with self.news:
            if not self._greeted and self.connected:
                self._greet()
            before = (self.desk.id, len(self.desk.tournament.rounds), self.desk.tournament.ended)
            try:
                self.desk.tick(self._clock(), self.free_tables())
            except ShinpanError as error:
                self.alarm("", error.message)
            if before != (self.desk.id, len(self.desk.tournament.rounds), self.desk.tournament.ended):
                self.freshen()
            self._want()
            self._say_round()

    def _greet(self) -> None:
        self._greeted = True
        self._round = b""
        for live in self.tables.values():
            live.told_at = -1e9
        here = VenueHere(here=True, session=self.session, name=self.name)
        self._say(topics.to_all(self.id, topics.VENUE), here, retain=True)

    def _want(self) -> None:
        """Tell every table what is wanted of it, until its state says that it is done."""
        orders = self.desk.orders()
        now = self._now()
        for live in self.tables.values():
            order = orders.get(live.id)
            board = self.desk.board_at(live.id)
            if order is not None and board is not None:
                order = msgspec.structs.replace(order, take_over=self._begun_elsewhere(order.id, board.number, live.id))
            deeds = self.desk.deeds(board.number) if board is not None and order is not None and order.start else ()
            if not live.state.calls:
                live.answered = ()
            watched = tuple(language for language, until in live.watched.items() if until > now)
            body = Wanted(serial=live.wanted.serial, order=order, deeds=(*deeds, *live.answered)[-32:], watched=watched)
            if body != live.wanted:
                live.wanted = msgspec.structs.replace(body, serial=self._next_serial())
                live.told_at = -1e9
            behind = live.state.wanted != live.wanted.serial and live.wanted.serial > 0
            if live.here and behind and now - live.told_at > RESEND:
                live.told_at = now
                self._say_to(live.id, topics.WANTED, live.wanted, retain=True)

    def _begun_elsewhere(self, order: str, board: int, table: str) -> TakeOver | None:
        """The match of a board that was moved, as far as the table had sent it where it was begun."""
        last = self.desk.tournament.round
        if last is None or board not in last.moved:
            return None
        if order not in self._take_overs or self._take_overs[order].table == table:
            played = [each for each in self.store.matches(order) if each.table != table]
            if not played:
                return None
            longest = max(played, key=lambda each: each.lines)
            lines = tuple(self.store.kifu(longest.table, longest.match))
            self._take_overs[order] = TakeOver(longest.table, longest.match, lines)
        return self._take_overs[order]

    def _next_serial(self) -> int:
        """It only ever grows, over restarts too; some are kept in reserve, so that the disk is not asked each time."""
        self._serial += 1
        if self._serial % 100 == 1:
            self.store.set("serial", str(self._serial + 100))
        return self._serial

    def _say_round(self) -> None:
        out = round_out(self.desk, self._clock())
        text = payloads.write(out)
        if text != self._round and self.connected:
            self._round = text
            self._say(topics.to_all(self.id, topics.ROUND), out, retain=True)

    def _say_to(self, table: str, what: str, payload: payloads.Payload, *, retain: bool = False) -> None:
        self._say(topics.to_table(self.id, table, what), payload, retain=retain)

    def _say(self, topic: str, payload: payloads.Payload, *, retain: bool = False) -> None:
        if self._link is not None:
            self._link.say(topic, payloads.write(payload), retain=retain, sure=retain)

    def say_raw(self, topic: str, data: Mapping[str, Any]) -> None:
        """For others on the same broker: Home Assistant."""
        if self._link is not None:
            self._link.say(topic, msgspec.json.encode(data), retain=True, sure=True)


def natural(name: str) -> tuple[Any, ...]:
    """`Table 2` before `Table 10`."""
    return tuple(int(part) if part.isdigit() else part.casefold() for part in re.split(r"(\d+)", name))

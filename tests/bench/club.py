"""1, 8, 64 and 256 simulated tables on one venue, and where it ends: `make bench-club`.

Each measurement has a venue process of its own, with its real server, broker and database. Tables speak to the broker
as members do, 32 to a process: a state, a ruling and two lines of kifu every so many seconds each. The wall is a
process that reads the live stream, compressed, as a browser does. Measured are the time from a table saying a ruling
until the wall has it, the time from a table sending lines until it hears that they are on the venue's disk, and what
venue and broker cost while that goes on. After the four sizes the tables speak more and more often, until the wall is
late by more than a second or rulings are missing. `python -m tests.bench.club nats 64 256@0.5` measures just these two.
"""

import http.client
import json
import multiprocessing
import os
import sys
import tempfile
import threading
import time
import zlib
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from companion.club import topics
from companion.club.broker import VENUE_USER, Broker, BrokerKind
from companion.club.joining import JoinAnswer
from companion.club.link import Account, BrokerLink
from companion.club.membership import BrokerAddress
from companion.club.payloads import Acks, HealthState, Piece, PlayerState, Presence, RulingOut, TableState, read, write
from companion.club.store import KnownTable, Store
from companion.club.venue import Venue
from web.app import Settings
from web.server import Server
from web.venue.app import create_venue_app
from web.venue.desk import ListenerAnswer
from web.venue.news import GAP, VenueNews

SECRET = "0" * 32
SIZES = (1, 8, 64, 256)
EVERY = 2.0
FASTER = (1.0, 0.5, 0.25, 0.125)
"""Seconds between two rulings of one table, when 256 tables look for the end."""
SECONDS = 20.0
PER_PROCESS = 32
LATE = 1000.0
"""Milliseconds after which a wall is no longer live."""
PLAYERS = (PlayerState("Aki", 5.0, True), PlayerState("Ben", 10.0))
HEALTH = tuple(HealthState(name, "ok") for name in ("camera", "club", "panel 1", "panel 2", "timer"))


class Load(NamedTuple):
    broker: BrokerKind
    tables: int
    every: float


class Costs(NamedTuple):
    """Of one process."""

    cpu: float
    """Seconds so far."""
    memory: int
    """Megabytes at this moment."""


def costs(process: int) -> Costs:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return Costs(seconds, pages * os.sysconf("SC_PAGE_SIZE") // 2**20)


# --- tables ---------------------------------------------------------------------------------------------------------


class SimulatedTable:
    """What a member says, without a table behind it."""

    def __init__(self, address: BrokerAddress, venue: str, number: int) -> None:
        self.id, self._venue, self._turn = f"t{number}", venue, 0
        self._sent: dict[int, float] = {}
        self.acknowledged: list[float] = []
        """Milliseconds from sending lines until the venue had them on its disk."""
        acks = [topics.to_table(venue, self.id, topics.ACKS)]
        self.link = BrokerLink(Account(address, self.id, SECRET), acks, self._hear, lambda: None)
        self.link.open()

    def _of(self, what: str) -> str:
        return topics.of_table(self._venue, self.id, what)

    def _hear(self, topic: str, data: bytes) -> None:
        for head in read(data, Acks).matches:
            sent = self._sent.pop(head.lines, None)
            if sent is not None:
                self.acknowledged.append(1000.0 * (time.monotonic() - sent))

    def come(self) -> None:
        self.link.say(self._of(topics.PRESENCE), write(Presence(here=True, session="s")), retain=True, sure=True)

    def speak(self) -> None:
        turn, self._turn = self._turn, self._turn + 1
        state = TableState(
            stage="placing", game="sen_so", title="Sen So", match="m", moves=turn, players=PLAYERS, health=HEALTH
        )
        told = {"en": f"{time.time():.6f}", "it": "x" * 40}
        ruling = RulingOut(match="m", line=turn, kind="ruling", rules=("SEN-58",), text=told)
        lines = tuple(f'{{"move":"{turn}.{part}","sealed":"{"0" * 200}"}}' for part in range(2))
        self.link.say(self._of(topics.STATE), write(state), retain=True)
        self.link.say(self._of(topics.RULING), write(ruling))
        self._sent[2 * turn + 2] = time.monotonic()
        self.link.say(self._of(topics.KIFU), write(Piece(match="m", first=2 * turn + 1, lines=lines)))


def tables(address: BrokerAddress, venue: str, numbers: range, every: float, start: Connection) -> None:
    """These tables: they come, wait for the word, and speak in turn. How much they said goes back, and how late it
    was acknowledged."""
    made = [SimulatedTable(address, venue, number) for number in numbers]
    until = time.monotonic() + 60.0
    while not all(each.link.connected for each in made) and time.monotonic() < until:
        time.sleep(0.05)
    for each in made:
        each.come()
    start.send(len(made))
    start.recv()
    began, said = time.monotonic(), 0
    while (passed := time.monotonic() - began) < SECONDS:
        due = int(passed / every * len(made))
        for at in range(said, due):
            made[at % len(made)].speak()
        said = max(said, due)
        time.sleep(0.002)
    time.sleep(2.0)
    start.send((said, [late for each in made for late in each.acknowledged]))
    for each in made:
        each.link.close()


def wall(port: int, ready: Connection) -> None:
    """A browser at the wall: milliseconds from a ruling being said until it is here."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/events?as=&lang=en", headers={"Accept-Encoding": "gzip"})
    stream, unpack = connection.getresponse(), zlib.decompressobj(31)
    ready.send(stream.status)
    seen, late, rest = set[tuple[str, str]](), list[float](), b""

    def read_on() -> None:
        nonlocal rest
        while part := stream.read1(1 << 20):
            rest += unpack.decompress(part)
            *events, rest = rest.split(b"\n\n")
            now = time.time()
            for event in events:
                _, found, data = event.partition(b"event: page\ndata: ")
                for table in json.loads(data)["tables"] if found else ():
                    for said in table["said"]:
                        if (table["id"], said) not in seen:
                            seen.add((table["id"], said))
                            late.append(1000.0 * (now - float(said)))

    threading.Thread(target=read_on, daemon=True).start()
    ready.recv()
    ready.send(late)


class NoDoor:
    """Nobody joins while it is measured."""

    def joined(self, table: KnownTable) -> JoinAnswer:
        raise NotImplementedError

    def dropped(self) -> None:
        raise NotImplementedError

    def listener(self) -> ListenerAnswer:
        raise NotImplementedError


# --- one measurement ------------------------------------------------------------------------------------------------


def percentile(values: list[float], which: int) -> float:
    return quantiles(values, n=100)[which - 1] if len(values) > 2 else 0.0


def measure(load: Load, answer: Connection) -> None:
    """In a process of its own, which is the venue."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venue = Venue(Store(f"sqlite:///{home / 'venue.db'}"), "Bench")
        for number in range(load.tables):
            venue.store.add_table(KnownTable(f"t{number}", f"Table {number}", SECRET, ""))
            venue.add(f"t{number}", f"Table {number}", "")
        broker = Broker(load.broker, home / "broker", venue.id, 0, "127.0.0.1")
        broker.let_in({VENUE_USER: SECRET, **{f"t{number}": SECRET for number in range(load.tables)}})
        broker.start()
        app = create_venue_app(venue, Settings(referee_pin="246810", secret="s" * 32), NoDoor())
        news: VenueNews = app.extensions["shinpan"]["news"]
        with Server(app, news, "127.0.0.1", 0, None, GAP, news) as server:
            venue.open(Account(broker.address, VENUE_USER, SECRET))
            answer.send(drive(load, venue, broker, server.port))
        venue.close()
        broker.stop()


def drive(load: Load, venue: Venue, broker: Broker, port: int) -> tuple[str, bool]:
    """A row of the table, and whether the wall kept up."""
    context = multiprocessing.get_context("spawn")
    crowd = []
    for at in range(0, load.tables, PER_PROCESS):
        here, there = context.Pipe()
        part = range(at, min(load.tables, at + PER_PROCESS))
        made = context.Process(target=tables, args=(broker.address, venue.id, part, load.every, there))
        made.start()
        crowd.append(here)
    screen, there = context.Pipe()
    context.Process(target=wall, args=(port, there)).start()
    for each in (screen, *crowd):
        each.recv()
    while not all(each.here for each in venue.tables.values()):
        time.sleep(0.05)
    before = costs(os.getpid()), costs(broker.process)
    began = time.monotonic()
    for each in crowd:
        each.send("go")
    said, acknowledged = 0, list[float]()
    for each in crowd:
        count, late = each.recv()
        said, acknowledged = said + count, acknowledged + late
    passed = time.monotonic() - began
    after = costs(os.getpid()), costs(broker.process)
    screen.send("that is all")
    seen: list[float] = screen.recv()
    cpu = [100.0 * (now.cpu - then.cpu) / passed for now, then in zip(after, before, strict=True)]
    kept_up = percentile(seen, 99) < LATE and len(seen) >= said - load.tables and len(acknowledged) == said
    cells = (
        *(load.broker, load.tables, f"{load.tables / load.every:g}", f"{len(seen)} of {said}"),
        *(f"{percentile(seen, 50):.0f}", f"{percentile(seen, 99):.0f}"),
        *(
            f"{len(acknowledged)} of {said}",
            f"{percentile(acknowledged, 50):.0f}",
            f"{percentile(acknowledged, 99):.0f}",
        ),
        *(f"{cpu[0]:.0f} %", f"{after[0].memory} MB", f"{cpu[1]:.0f} %", f"{after[1].memory} MB"),
    )
    return f"| {' | '.join(map(str, cells))} |", kept_up


def measured(load: Load) -> bool:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=measure, args=(load, there))
    process.start()
    there.close()
    row, kept_up = here.recv()
    print(row, flush=True)
    process.join()
    return kept_up


HEAD = """\
| broker | tables | rulings a second | at the wall | p50 ms | p99 ms | kifu acknowledged | p50 ms | p99 ms | \
venue CPU | memory | broker CPU | memory |
|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"""


def asked_for(words: list[str]) -> list[Load]:
    """`mosquitto 64 256@0.5`: these sizes at this broker, one of them with a ruling every half second."""
    kinds: tuple[BrokerKind, ...] = ("mosquitto", "nats")
    sizes = [word.partition("@") for word in words if word not in kinds]
    return [
        Load(kind, int(size), float(every or EVERY))
        for kind in kinds
        if kind in words or not set(kinds) & set(words)
        for size, _, every in sizes or [(str(size), "", "") for size in SIZES]
    ]


def main() -> None:
    words = sys.argv[1:]
    print(HEAD)
    for load in asked_for(words):
        measured(load)
        if load.tables == SIZES[-1] and not any(word[0].isdigit() for word in words):
            for every in FASTER:
                if not measured(Load(load.broker, load.tables, every)):
                    break


if __name__ == "__main__":
    main()

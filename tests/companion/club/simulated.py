"""A real venue on a real broker, and tables that are real but for their cards: nobody plays, the result is tapped."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random

from companion.app.club_table import member_of
from companion.app.table import Table
from companion.app.wiring import NO_EYES, Devices
from companion.club.broker import VENUE_USER, Broker, BrokerKind
from companion.club.joining import JoinAnswer
from companion.club.link import Account
from companion.club.member import Member
from companion.club.membership import Membership, load, save
from companion.club.store import KnownTable, Store
from companion.club.venue import Venue
from companion.core.events import Tap
from companion.record.journal import DataFolder
from companion.referee.lobby import PLACES, Arrangement
from web.app import Settings
from web.pins import SeatPin

SETTINGS = Settings(
    referee_pin="246810", secret="s" * 32, seats=tuple(SeatPin("13579" + str(seat)) for seat in range(6))
)
SECRET = "0" * 32


def until(condition: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait for something that other threads bring about; it is an error if they never do."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.01)


class TappedTable:
    """A table of the club in a folder of its own; the same folder again is the same table after a kill."""

    def __init__(self, data: Path, seed: int = 1) -> None:
        self.random = Random(seed)
        self.folder = DataFolder(data)
        self.folder.__enter__()
        membership, _ = load(data)
        assert membership is not None
        self.membership = membership
        self.table = Table(self.folder, time.monotonic, SETTINGS, Devices(), lambda match: NO_EYES)
        self.table.resume()
        self.member: Member = member_of(membership, self.table, self.folder)
        self.service = self.table.running.service

    def start(self) -> "TappedTable":
        self.member.start()
        return self

    def kill(self) -> None:
        """No farewell, nothing closed in order: as if the process were gone."""
        self.member._stop.set()
        self.member._wake.set()
        self.member._thread.join(5)
        client = self.member._link._client
        client.loop_stop()
        sock = client.socket()
        if sock is not None:
            sock.close()
        if self.table._journal is not None:
            self.table._journal.close()
            self.table._journal = None
        self.folder.__exit__()

    def close(self) -> None:
        self.member.stop()
        self.table.close()
        self.folder.__exit__()

    def tap(self, what: str, **data: object) -> None:
        self.tap_as("referee", what, **data)

    def tap_as(self, who: str, what: str, **data: object) -> None:
        refusal = self.service.submit(Tap(who, what, dict(data), self.service.now())).refusal
        assert refusal is None, str(refusal.message)

    @property
    def playing_match(self) -> str:
        """The name of the kifu that is being written."""
        live = self.table.in_play
        assert live is not None
        return live[0]

    @property
    def playing(self) -> bool:
        return self.service.lobby is None and not self.service.referee.match.over

    def say(self, text: str) -> None:
        """A line more in the kifu."""
        self.tap("rule", say=text)

    def win(self, winner: str | None = None) -> str:
        players = self.service.referee.match.players
        won = winner or self.random.choice(players)
        self.tap("end", how="agreed", winners=[won], why="the evening is short")
        return won


class Club:
    """A broker, a venue and some tables on this machine."""

    def __init__(self, home: Path, kind: BrokerKind, tables: int, software: str = "", database: str = "") -> None:
        self.home, self._database = home, database
        store = self.open_store()
        self.venue = Venue(store, "Test", software=software)
        self.broker = Broker(kind, home / "broker", self.venue.id, 0, "127.0.0.1")
        self.tables: dict[str, TappedTable] = {}
        for number in range(1, tables + 1):
            self.join(number)
        self.let_in()
        self.broker.start()
        self.open_venue()

    def open_store(self) -> Store:
        self.home.mkdir(parents=True, exist_ok=True)
        return Store(self._database or f"sqlite:///{self.home / 'venue.db'}")

    @classmethod
    def without_broker(cls, home: Path) -> Venue:
        """A venue with one table that nothing reaches but what the test says."""
        venue = Venue(Store(f"sqlite:///{home / 'venue.db'}"), "Test")
        venue.add("t1", "Table 1", "")
        return venue

    def join(self, number: int) -> None:
        """As `shinpan club join` does it, without the page."""
        known = KnownTable(f"t{number}", f"Table {number}", SECRET, "")
        self.venue.store.add_table(known)
        self.venue.add(known.id, known.name, "")
        answer = JoinAnswer(
            venue=self.venue.id,
            venue_name="Test",
            table=known.id,
            name=known.name,
            secret=SECRET,
            broker=self.broker.address,
        )
        save(self.data(number), answer.membership("", ""))

    def let_in(self) -> None:
        self.broker.let_in({VENUE_USER: SECRET, **dict.fromkeys(self.venue.tables, SECRET)})

    def open_venue(self) -> None:
        self.venue.open(Account(self.broker.address, VENUE_USER, SECRET))

    def kill_venue(self) -> None:
        venue = self.venue
        venue._stop.set()
        venue.keeper.stop()
        venue._thread.join(5)
        assert venue._link is not None
        venue._link._client.loop_stop()
        sock = venue._link._client.socket()
        if sock is not None:
            sock.close()
        venue.store.close()

    def restart_venue(self) -> None:
        self.venue = Venue(self.open_store(), "Test")
        self.open_venue()

    def data(self, number: int) -> Path:
        folder = self.home / f"table{number}"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def table(self, number: int) -> TappedTable:
        self.tables[f"t{number}"] = TappedTable(self.data(number), number).start()
        return self.tables[f"t{number}"]

    def close(self) -> None:
        for each in self.tables.values():
            each.close()
        self.venue.close()
        self.broker.stop()


@contextmanager
def club(
    home: Path, kind: BrokerKind = "mosquitto", tables: int = 2, software: str = "", database: str = ""
) -> Iterator[Club]:
    """`software` is the venue's version, `database` where it keeps things instead of a SQLite of its own."""
    with ExitStack() as stack:
        made = Club(home, kind, tables, software, database)
        stack.callback(made.close)
        yield made


def begin(table: TappedTable) -> None:
    """A match of the table's own."""
    with table.service.held():
        table.table.begin(Arrangement(seats=("Aki", "Ben", *[""] * (PLACES - 2)), game="sen_so"))


def kifu(data: Path, match: str) -> list[str]:
    return (data / "matches" / f"{match}.kifu").read_text().splitlines()


def member_file(data: Path) -> Membership:
    found, _ = load(data)
    assert found is not None
    return found

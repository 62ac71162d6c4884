"""A club on one machine, to look at: everything is real but the tables' people and cards."""

import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

from companion.app.venue_wiring import RunningVenue, VenueConfig
from companion.club.joining import JoinRequest, join, new_code
from companion.club.membership import save
from companion.club.tournament.ledger import TournamentRules

PEOPLE = (
    *("Aki", "Ben", "Cho", "Dai", "Emi", "Fumi", "Gen", "Hana", "Iko", "Jun", "Kei", "Lia", "Mio", "Nao", "Oki", "Pia"),
    *("Rei", "Sora", "Taro", "Umi", "Vera", "Wako", "Yuki", "Zen", "Aiko", "Bunta", "Chie", "Daiki", "Eri", "Goro"),
    *("Hiro", "Ichi"),
)
RULES = TournamentRules(
    title="Club evening", kind="swiss", game="sen_so", options={"end": {"actions": 10}}, between=0.25, alone=True
)


def run_club(
    tables: int, players: int, broker: str, speed: str, port: int, once: bool, tell: Callable[[str, str], None]
) -> None:
    """Until it is stopped; with `once`, until the tournament is over."""
    with tempfile.TemporaryDirectory(prefix="shinpan-club-") as folder:
        home = Path(folder)
        running = RunningVenue(
            VenueConfig(home / "venue", "Demo club", broker, 0, host="127.0.0.1", port=port, tls=True)
        )
        started: list[subprocess.Popen[bytes]] = []
        try:
            running.server.start()
            tell(running.server.url, running.pin)
            started += [_table(running, home, number, speed) for number in range(1, tables + 1)]
            _play(running, players, tables, once)
        finally:
            for each in started:
                each.terminate()
            for each in started:
                each.wait(10)
            running.close()


def _table(running: RunningVenue, home: Path, number: int, speed: str) -> subprocess.Popen[bytes]:
    """A virtual table in a process of its own, which joins as any table does."""
    venue, data = running.venue, home / f"table-{number}"
    data.mkdir()
    code = new_code(venue.store, f"Table {number}", venue.clock())
    known = join(venue.store, JoinRequest(code=code), venue.clock())
    venue.add(known.id, known.name, known.key)
    save(data, running.joined(known).membership("", running.server.url))
    shinpan = [sys.executable, "-c", "from companion.cli import main; main()"]
    where = ["--data", str(data), "--port", "0", "--host", "127.0.0.1"]
    command = [*shinpan, "demo", *where, "--speed", speed, "--seed", str(number)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


def _play(running: RunningVenue, players: int, tables: int, once: bool) -> None:
    venue = running.venue
    with venue.news:
        venue.desk.begin(RULES, venue.clock())
        for name in PEOPLE[:players]:
            venue.desk.enter(name)
        venue.freshen()
    while sum(each.here for each in venue.tables.values()) < tables:
        venue.wait(venue.version, 1.0)
    with venue.news:
        venue.desk.pair(venue.free_tables(), venue.clock())
    while not (once and venue.desk.tournament.ended):
        running.keep_broker()
        venue.wait(venue.version, 1.0)
        threading.Event().wait(0.2)

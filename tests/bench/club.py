"""1, 8, 64 and 256 simulated tables on one venue: `make bench-club`.

The tables are members like any other, in processes of their own (32 to a process); each makes a ruling every
two seconds. Measured at the venue, which runs here alone: from the moment at which a table says a ruling to the moment
at which it is in the page that the wall gets; and what venue and broker cost.
"""

import multiprocessing
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from statistics import quantiles

from companion.club import topics
from companion.club.broker import VENUE_USER, Broker, BrokerKind
from companion.club.link import Account, BrokerLink
from companion.club.membership import BrokerAddress
from companion.club.payloads import PlayerState, Presence, RulingOut, TableState, write
from companion.club.store import KnownTable, Store
from companion.club.venue import Venue
from web.venue.news import VenueNews

SECRET = "0" * 32
EVERY = 2.0
SECONDS = 20.0
PER_PROCESS = 32


def tables(address: BrokerAddress, venue: str, numbers: range, seconds: float) -> None:
    """These tables for so long: a state and a ruling every two seconds, in turn."""
    links = {}
    for number in numbers:
        link = BrokerLink(Account(address, f"t{number}", SECRET), [], lambda *_: None, lambda: None)
        link.open()
        links[number] = link
    until = time.monotonic() + 20
    while not all(link.connected for link in links.values()) and time.monotonic() < until:
        time.sleep(0.05)
    players = (PlayerState("Aki", 5.0, True), PlayerState("Ben", 10.0))
    for number, link in links.items():
        link.say(topics.of_table(venue, f"t{number}", topics.PRESENCE), write(Presence(here=True, session="s")))
    end, turn = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        began = time.monotonic()
        for number, link in links.items():
            state = TableState(stage="placing", game="sen_so", title="Sen So", match="m", moves=turn, players=players)
            link.say(topics.of_table(venue, f"t{number}", topics.STATE), write(state), retain=True)
            told = {"en": f"{time.time():.6f}", "it": ""}
            ruling = RulingOut(match="m", line=turn, kind="ruling", rules=("SEN-58",), text=told)
            link.say(topics.of_table(venue, f"t{number}", topics.RULING), write(ruling))
            time.sleep(max(0.0, EVERY / len(links) - 0.0005))
        turn += 1
        time.sleep(max(0.0, began + EVERY - time.monotonic()))
    for link in links.values():
        link.close()


def measure(kind: BrokerKind, count: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venue = Venue(Store(f"sqlite:///{home / 'venue.db'}"), "Bench")
        for number in range(count):
            venue.store.add_table(KnownTable(f"t{number}", f"Table {number}", SECRET, ""))
            venue.add(f"t{number}", f"Table {number}", "")
        broker = Broker(kind, home / "broker", venue.id, 0, "127.0.0.1")
        broker.let_in({VENUE_USER: SECRET, **{f"t{number}": SECRET for number in range(count)}})
        broker.start()
        venue.open(Account(broker.address, VENUE_USER, SECRET))
        parts = [range(at, min(count, at + PER_PROCESS)) for at in range(0, count, PER_PROCESS)]
        context = multiprocessing.get_context("spawn")
        crowd = [context.Process(target=tables, args=(broker.address, venue.id, part, SECONDS)) for part in parts]
        news, seen, late = VenueNews(venue), set[str](), list[float]()
        cpu, wall = time.process_time(), time.monotonic()
        for each in crowd:
            each.start()
        version = 0
        while any(each.is_alive() for each in crowd):
            newer = venue.wait(version, 0.5)
            if newer == version:
                continue
            version = newer
            page = news.page(None)
            now = time.time()
            for table in page.tables:
                for said in table.said:
                    if (key := f"{table.id} {said}") not in seen:
                        seen.add(key)
                        late.append(1000.0 * (now - float(said)))
            time.sleep(0.04)
        spent = 100.0 * (time.process_time() - cpu) / (time.monotonic() - wall)
        broker_cost = process_cost(broker.process)
        venue.close()
        broker.stop()
        cuts = quantiles(late, n=100) if len(late) > 2 else [0.0] * 99
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        return (
            f"| {kind} | {count} | {len(late)} | {cuts[49]:.0f} | {cuts[98]:.0f} | {spent:.0f} % | {memory} MB | "
            f"{broker_cost} |"
        )


def process_cost(process: int) -> str:
    """Seconds of CPU and memory of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return f"{seconds:.1f} s CPU, {pages * os.sysconf('SC_PAGE_SIZE') // 2**20} MB"


def main() -> None:
    counts = [int(each) for each in sys.argv[1:]] or [1, 8, 64, 256]
    print("| broker | tables | rulings seen | p50 ms | p99 ms | venue CPU | venue memory | broker |")
    print("|---|--:|--:|--:|--:|--:|--:|---|")
    kinds: tuple[BrokerKind, ...] = ("mosquitto", "nats")
    for kind in kinds:
        for count in counts:
            print(measure(kind, count), flush=True)


if __name__ == "__main__":
    main()

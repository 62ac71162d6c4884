"""Clubs under fire: `python -m tests.faults.club [MATCHES FAULTS]`, for each broker in turn.

Tables play matches without a pause while the broker is killed (SIGKILL), the venue and the tables are dropped without a
farewell, deliveries are doubled, held back and turned round, the venue's clock jumps by minutes and one table floods
the broker. In the end every kifu at the venue has to be, byte for byte, the one on the table's disk, every match has to
have its result there once, and nothing else may be there.
"""

import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.club import topics
from companion.club.broker import BrokerKind
from companion.club.results import MatchResult, result_of
from companion.club.venue import Venue
from companion.referee.lobby import PLACES, Arrangement
from tests.companion.club.simulated import Club, TappedTable, until

FAULTS = ("broker", "venue", "table", "flood", "clock")


class Mischief:
    """Doubles, holds back and turns round what is delivered."""

    def __init__(self, random: Random, hear: Callable[[str, bytes], None]) -> None:
        self._random, self._hear = random, hear
        self._held: list[tuple[str, bytes]] = []
        self.done: Counter[str] = Counter()

    def __call__(self, topic: str, data: bytes) -> None:
        chance = self._random.random()
        if chance < 0.1:
            self._held.append((topic, data))
            self.done["held back"] += 1
            return
        self._hear(topic, data)
        if chance < 0.2:
            self._hear(topic, data)
            self.done["doubled"] += 1
        if self._held and chance > 0.7:
            self._random.shuffle(self._held)
            while self._held:
                self._hear(*self._held.pop())
            self.done["turned round"] += 1


class Campaign:
    def __init__(self, home: Path, kind: BrokerKind, matches: int, faults: int, tables: int = 6, seed: int = 1) -> None:
        self.random = Random(seed)
        self.matches, self.faults = matches, faults
        self.club = Club(home, kind, tables)
        self.numbers = range(1, tables + 1)
        self.locks = {number: threading.Lock() for number in self.numbers}
        self.played: Counter[int] = Counter()
        self.done: Counter[str] = Counter()
        self.mischief: list[Mischief] = []
        self._disturb_venue()
        for number in self.numbers:
            self.start_table(number)

    def _disturb_venue(self) -> None:
        venue = self.club.venue
        assert venue._link is not None
        mischief = Mischief(self.random, venue._hear)
        venue._link._heard = mischief
        self.mischief.append(mischief)

    def start_table(self, number: int) -> None:
        made = TappedTable(self.club.data(number), self.random.randrange(10**6))
        mischief = Mischief(self.random, made.member._hear)
        made.member._link._heard = mischief
        self.mischief.append(mischief)
        self.club.tables[f"t{number}"] = made.start()

    # --- playing --------------------------------------------------------------------------------------------------

    def play(self, number: int) -> None:
        """Match after match at this table, until there are enough at all tables together."""
        random = Random(number)
        while sum(self.played.values()) < self.matches:
            with self.locks[number]:
                table = self.club.tables[f"t{number}"]
                if not table.playing:
                    if table.service.lobby is None:
                        table.service.go_on("lobby")
                    seats = (f"A{number}", f"B{number}", *[""] * (PLACES - 2))
                    table.table.begin(Arrangement(seats=seats, game="sen_so"))
            for line in range(random.randrange(3)):
                with self.locks[number]:
                    self.club.tables[f"t{number}"].say(f"Line {line}")
            with self.locks[number]:
                self.club.tables[f"t{number}"].win()
                self.played[number] += 1

    # --- faults ---------------------------------------------------------------------------------------------------

    def fault(self, kind: str) -> None:
        self.done[kind] += 1
        match kind:
            case "broker":
                os.kill(self.club.broker.process, signal.SIGKILL)
                time.sleep(self.random.random() * 0.5)
                self.club.broker.start()
            case "venue" | "clock":
                self.club.kill_venue()
                time.sleep(self.random.random() * 0.3)
                skew = self.random.uniform(-600, 600) if kind == "clock" else 0.0
                self.club.venue = Venue(self.club.open_store(), "Test", lambda: time.time() + skew)
                self.club.open_venue()
                self._disturb_venue()
            case "table":
                number = self.random.choice(self.numbers)
                with self.locks[number]:
                    self.club.tables[f"t{number}"].kill()
                    self.start_table(number)
            case "flood":
                flooding = self.club.tables[f"t{self.random.choice(self.numbers)}"].member
                topic = topics.of_table(self.club.venue.id, flooding._member.table, topics.STATE)
                for _ in range(500):
                    flooding._link.say(topic, b'{"v":1,"stage":"lobby"}' + b" " * 500)

    def run(self) -> float:
        began = time.monotonic()
        players = [threading.Thread(target=self.play, args=(number,), daemon=True) for number in self.numbers]
        for each in players:
            each.start()
        for at in range(self.faults):
            # Spread over the whole run: so many matches from one fault to the next.
            until(lambda due=self.matches * at // self.faults: sum(self.played.values()) >= due, 600.0)  # type: ignore[misc]
            self.fault(self.random.choice(FAULTS))
        for each in players:
            each.join(600)
        self.settle()
        return time.monotonic() - began

    def settle(self) -> None:
        """Everything that was played arrives, now that nothing is broken any more."""
        wanted = {number: len(list(self.club.data(number).glob("matches/*.kifu"))) for number in self.numbers}

        def arrived() -> bool:
            store = self.club.venue.store
            sent = all(
                table.member.outbox.unsent(table.member._kifus.written()) == 0 for table in self.club.tables.values()
            )
            # A piece is acknowledged when it is on the disk; the result is read after that.
            return sent and len(store.matches()) == sum(wanted.values()) and not store.ended_without_result()

        until(arrived, 180.0)

    def differences(self) -> list[str]:
        """What is wrong at the venue; nothing, as it should be."""
        import msgspec

        found, store = [], self.club.venue.store
        kept = {(each.table, each.match): each for each in store.matches()}
        for number in self.numbers:
            for path in sorted(self.club.data(number).glob("matches/*.kifu")):
                here = path.read_text().splitlines()
                there = store.kifu(f"t{number}", path.stem)
                if here != there:
                    found.append(f"{path.name} of table {number}: {len(here)} lines, {len(there)} at the venue")
                known = kept.pop((f"t{number}", path.stem), None)
                if known is not None and here[-1].startswith('{"signed":"end"'):
                    told = msgspec.json.decode(known.result.encode(), type=MatchResult) if known.result else None
                    if told is None or told.winners != result_of(here).winners:
                        found.append(f"{path.name} of table {number}: its result is {told}")
        return found + [f"{each} is nobody's" for each in kept]


def campaign(home: Path, kind: BrokerKind, matches: int, faults: int, tables: int = 6, seed: int = 1) -> str:
    """Raises AssertionError where anything is lost or twice."""
    made = Campaign(home, kind, matches, faults, tables, seed)
    try:
        seconds = made.run()
        wrong = made.differences()
        assert not wrong, "\n".join(wrong[:20])
        mischief: Counter[str] = sum((each.done for each in made.mischief), Counter())
        kept, lines = made.club.venue.store.counts()
        return (
            f"{kind}: {kept} matches, {lines} lines, {made.done.total()} faults "
            f"({', '.join(f'{count} {name}' for name, count in sorted(made.done.items()))}), "
            f"deliveries {dict(mischief)}: nothing lost, nothing twice, {seconds:.0f} s"
        )
    finally:
        made.club.close()


def main() -> None:
    matches, faults = (int(each) for each in (sys.argv[1:3] or ("550", "110")))
    kinds: tuple[BrokerKind, ...] = ("mosquitto", "nats")
    for kind in kinds:
        with tempfile.TemporaryDirectory() as folder:
            print(campaign(Path(folder), kind, matches, faults), flush=True)


if __name__ == "__main__":
    main()

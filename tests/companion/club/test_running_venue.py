"""A whole venue as `shinpan venue` runs it: its own broker with TLS and rights, tables that join by code."""

import json
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.app.venue_wiring import RunningVenue, VenueConfig
from companion.cli.club import join_club
from companion.club import topics
from companion.club.broker import BrokerKind
from companion.club.joining import new_code, spoken
from companion.club.link import Account, BrokerLink
from companion.club.membership import load
from companion.core.rulings import ShinpanError
from tests.companion.club.simulated import TappedTable, begin, until


@pytest.fixture
def running(tmp_path: Path, broker: BrokerKind) -> Iterator[RunningVenue]:
    config = VenueConfig(tmp_path / "venue", "Test club", broker, 0, host="127.0.0.1", port=0, tls=True)
    made = RunningVenue(config)
    made.server.start()
    yield made
    made.close()


def join(running: RunningVenue, data: Path, name: str) -> TappedTable:
    """As `shinpan club join` does it, with the address that the desk shows."""
    data.mkdir()
    code = new_code(running.venue.store, name, running.venue.clock())
    join_club(f"{running.server.url}join/{spoken(code)}", "", data)
    return TappedTable(data)


class Ear:
    """Somebody who listens at the broker with some account."""

    def __init__(self, account: Account, wanted: list[str]) -> None:
        self.heard: dict[str, bytes] = {}
        self.link = BrokerLink(account, wanted, self._hear, lambda: None)
        self.link.open()

    def _hear(self, topic: str, data: bytes) -> None:
        self.heard[topic] = data

    def close(self) -> None:
        self.link.close()


@pytest.fixture
def lights(running: RunningVenue) -> Iterator[Callable[[list[str]], Ear]]:
    """Listens with the account that the desk gives out for Home Assistant."""
    made: list[Ear] = []

    def listen(wanted: list[str]) -> Ear:
        told = running.listener()
        made.append(Ear(Account(told.broker, told.user, told.secret, told.authority), wanted))
        return made[-1]

    yield listen
    for each in made:
        each.close()


def test_a_table_joins_over_tls_and_what_it_plays_arrives(running: RunningVenue, tmp_path: Path) -> None:
    table = join(running, tmp_path / "t", "Table 1").start()
    until(lambda: running.venue.tables["t1"].here)
    begin(table)
    table.win("Aki")
    until(lambda: [bool(each.result) for each in running.venue.store.matches()] == [True])

    membership, _ = load(tmp_path / "t")
    assert membership is not None
    assert membership.broker.tls
    assert (tmp_path / "t" / "club.json").stat().st_mode & 0o077 == 0
    table.close()


def test_the_broker_proves_itself_with_the_certificate_that_a_table_gets_and_no_other(running: RunningVenue) -> None:
    told = running.listener()
    where = (told.broker.host, told.broker.port)
    with (
        socket.create_connection(where, 10) as line,
        ssl.create_default_context(cadata=told.authority).wrap_socket(line, server_hostname=told.broker.host) as safe,
    ):
        assert safe.version() in ("TLSv1.2", "TLSv1.3")
    with socket.create_connection(where, 10) as line, pytest.raises(ssl.SSLCertVerificationError):
        ssl.create_default_context().wrap_socket(line, server_hostname=told.broker.host)


def test_a_table_that_dies_leaves_its_last_will(
    running: RunningVenue, tmp_path: Path, lights: Callable[[list[str]], Ear]
) -> None:
    table = join(running, tmp_path / "t", "Table 1").start()
    until(lambda: running.venue.tables["t1"].here)
    table.kill()
    until(lambda: not running.venue.tables["t1"].here, 40.0)
    presence = topics.of_table(running.venue.id, "t1", topics.PRESENCE)
    ear = lights([presence])
    until(lambda: presence in ear.heard)

    assert json.loads(ear.heard[presence])["here"] is False


def test_home_assistant_finds_every_table_and_follows_it(
    running: RunningVenue, tmp_path: Path, lights: Callable[[list[str]], Ear]
) -> None:
    table = join(running, tmp_path / "t", "Table 1").start()
    ear = lights(["homeassistant/#", topics.of_table(running.venue.id, "+", topics.STATE)])
    until(lambda: sum(topic.startswith("homeassistant/") for topic in ear.heard) >= 4)
    configs = [json.loads(data) for topic, data in ear.heard.items() if topic.startswith("homeassistant/")]
    begin(table)
    table.win("Aki")
    [state] = {each["state_topic"] for each in configs}
    until(lambda: json.loads(ear.heard.get(state, b"{}")).get("winners") == ["Aki"])

    assert {each["name"] for each in configs} == {"Stage", "Countdown", "Winner", "Calls the arbiter"}
    assert {each["device"]["name"] for each in configs} == {"Table 1"}
    table.close()


def test_whoever_only_listens_hears_nothing_hidden_and_says_nothing(
    running: RunningVenue, tmp_path: Path, lights: Callable[[list[str]], Ear]
) -> None:
    table = join(running, tmp_path / "t", "Table 1").start()
    until(lambda: running.venue.tables["t1"].here)
    venue = running.venue.id
    hidden = [topics.of_table(venue, "+", what) for what in (topics.KIFU, topics.HAVE, topics.PAGE)]
    ear = lights([*hidden, f"{topics.ROOT}/{venue}/to/#", topics.of_table(venue, "+", topics.RULING)])
    until(lambda: ear.link.connected)
    ear.link.say(topics.of_table(venue, "t1", topics.PRESENCE), b'{"v":1,"here":false,"session":"x"}', retain=True)
    begin(table)
    table.say("Everybody may know this.")
    table.win("Aki")
    until(lambda: [bool(each.result) for each in running.venue.store.matches()] == [True])
    until(lambda: any(topic.endswith("/ruling") for topic in ear.heard))

    assert {topic.rpartition("/")[2] for topic in ear.heard} == {"ruling"}
    assert running.venue.tables["t1"].here
    table.close()


def test_a_table_that_is_taken_out_gets_in_no_more(running: RunningVenue, tmp_path: Path) -> None:
    table = join(running, tmp_path / "t", "Table 1").start()
    until(lambda: running.venue.tables["t1"].here)
    running.venue.drop("t1")
    running.dropped()
    until(lambda: not table.member._link.connected)
    time.sleep(2.5)  # long enough for it to try again twice

    assert not table.member._link.connected
    begin(table)
    table.win("Aki")
    table.close()


def test_a_second_table_of_one_name_is_told_at_the_desk_and_at_the_table(running: RunningVenue, tmp_path: Path) -> None:
    store, now = running.venue.store, running.venue.clock()
    late = new_code(store, "Table 1", now)
    table = join(running, tmp_path / "t", "Table 1").start()
    until(lambda: running.venue.tables["t1"].here)
    with pytest.raises(ShinpanError, match=r"^A table called Table 1 is in this club already\.$"):
        new_code(store, "Table 1", now)
    with pytest.raises(ShinpanError, match=r"^The venue says: A table called Table 1 is in this club already\.$"):
        join_club(f"{running.server.url}join/{spoken(late)}", "", tmp_path / "other")
    begin(table)
    table.win("Aki")
    until(lambda: [bool(each.result) for each in store.matches()] == [True])

    assert running.venue.tables["t1"].here
    table.close()

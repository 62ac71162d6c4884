"""A club with real brokers: nothing lost, nothing twice."""

import os
import signal
from pathlib import Path

from companion.club import topics
from companion.club.broker import BrokerKind
from companion.club.link import Account, BrokerLink
from companion.club.membership import BrokerAddress, Membership, load, save
from companion.club.payloads import Piece, write
from companion.club.tournament.ledger import TournamentRules
from tests.companion.club.simulated import SECRET, TappedTable, begin, club, kifu, until
from tests.faults.club import campaign


def test_a_round_starts_on_every_table_and_results_come_in_by_themselves(tmp_path: Path, broker: BrokerKind) -> None:
    with club(tmp_path, broker, 2) as made:
        one, two = made.table(1), made.table(2)
        venue = made.venue
        until(lambda: all(each.here for each in venue.tables.values()))
        with venue.news:
            venue.desk.begin(TournamentRules(title="Cup", kind="swiss", game="sen_so", rounds=2), 0.0)
            for name in ("Aki", "Ben", "Cho", "Dai"):
                venue.desk.enter(name)
            venue.desk.pair(venue.free_tables(), 0.0)
        until(lambda: one.table.arrangement.order == "t1-1-1" and two.table.arrangement.order == "t1-1-2")
        assert not one.playing
        assert len(one.table.arrangement.players) == 2
        with venue.news:
            venue.desk.start(0.0)
        until(lambda: one.playing and two.playing)
        won = {one.win(), two.win()}
        until(lambda: venue.desk.tournament.round is not None and venue.desk.tournament.round.over)

        points = venue.desk.tournament.points()
        assert {venue.desk.tournament.name(each) for each, scored in points.items() if scored == 1.0} == won


def test_what_was_played_without_venue_and_broker_arrives_when_they_are_back(
    tmp_path: Path, broker: BrokerKind
) -> None:
    with club(tmp_path, broker, 1) as made:
        table = made.table(1)
        until(lambda: made.venue.tables["t1"].here)
        made.kill_venue()
        os.kill(made.broker.process, signal.SIGKILL)
        for _ in range(3):
            begin(table)
            table.say("Nobody hears this yet.")
            table.win("Aki")
            table.service.go_on("lobby")
        made.broker.start()
        made.restart_venue()
        until(lambda: [bool(each.result) for each in made.venue.store.matches()] == [True] * 3)

        for each in made.venue.store.matches():
            assert made.venue.store.kifu("t1", each.match) == kifu(made.data(1), each.match)


def test_a_match_goes_on_at_another_table_from_its_kifu(tmp_path: Path) -> None:
    with club(tmp_path, "nats", 2) as made:
        one, two = made.table(1), made.table(2)
        venue = made.venue
        until(lambda: all(each.here for each in venue.tables.values()))
        with venue.news:
            venue.desk.begin(TournamentRules(title="Cup", kind="swiss", game="sen_so", rounds=1), 0.0)
            for name in ("Aki", "Ben"):
                venue.desk.enter(name)
            venue.desk.pair(["t1"], 0.0)
            venue.desk.start(0.0)
        until(lambda: one.playing)
        one.say("This was said at the first table.")
        until(lambda: one.member.outbox.unsent(one.member._kifus.written()) == 0)
        one.kill()
        del made.tables["t1"]
        venue.move_board(1, "t2")
        until(lambda: two.playing)

        assert any("This was said at the first table." in line for line in kifu(made.data(2), two.table.in_play[0]))  # type: ignore[index]
        two.win("Ben")
        until(lambda: venue.desk.tournament.finished)
        assert {
            venue.desk.tournament.name(each): scored for each, scored in venue.desk.tournament.points().items()
        } == {
            "Aki": 0.0,
            "Ben": 1.0,
        }


def test_extra_time_from_the_desk_is_given_once_whatever_is_started_again(tmp_path: Path) -> None:
    with club(tmp_path, "mosquitto", 1) as made:
        table = made.table(1)
        venue = made.venue
        until(lambda: venue.tables["t1"].here)
        options = {"end": {"time": 600}}
        with venue.news:
            venue.desk.begin(TournamentRules(title="Cup", kind="swiss", game="sen_so", rounds=1, options=options), 0.0)
            for name in ("Aki", "Ben"):
                venue.desk.enter(name)
            venue.desk.pair(["t1"], 0.0)
            venue.desk.start(0.0)
        until(lambda: table.playing)
        with venue.news:
            venue.desk.extend(300.0, 1)
        until(lambda: table.service.limit == 900.0)
        table.kill()
        table = made.table(1)
        until(lambda: venue.tables["t1"].session == table.member.session)
        until(lambda: venue.tables["t1"].state.wanted == venue.tables["t1"].wanted.serial)

        assert table.service.limit == 900.0


def test_nobody_hears_or_says_what_is_not_theirs(tmp_path: Path, broker: BrokerKind) -> None:
    with club(tmp_path, broker, 2) as made:
        venue = made.venue
        heard: list[tuple[str, bytes]] = []
        everything = [f"{topics.ROOT}/#", topics.of_table(venue.id, "t1", topics.KIFU)]
        account = Account(made.broker.address, "t2", SECRET)
        intruder = BrokerLink(account, everything, lambda *each: heard.append(each), lambda: None)
        nobody = BrokerLink(Account(made.broker.address, "t9", "guess"), [], lambda *_: None, lambda: None)
        intruder.open()
        nobody.open()
        one = made.table(1)
        until(lambda: intruder.connected and venue.tables["t1"].here)
        forged = Piece(match="2026-01-01-000000-sen_so", first=1, lines=('{"kifu":1}',))
        intruder.say(topics.of_table(venue.id, "t1", topics.KIFU), write(forged))
        begin(one)
        one.win("Aki")
        until(lambda: [bool(each.result) for each in venue.store.matches()] == [True])

        assert not nobody.connected
        assert not any("/table/t1/" in topic or "/to/t1/" in topic for topic, _ in heard)
        assert [each.table for each in venue.store.matches()] == ["t1"]
        assert venue.store.kifu("t1", "2026-01-01-000000-sen_so") == []
        intruder.close()
        nobody.close()


def test_a_table_in_a_club_plays_on_when_nobody_answers(tmp_path: Path) -> None:
    nowhere = BrokerAddress("127.0.0.1", 9)
    save(tmp_path, Membership(venue="v", venue_name="V", table="t1", name="One", secret="s", broker=nowhere))
    table = TappedTable(tmp_path).start()
    begin(table)
    table.win("Aki")
    table.close()

    assert len(list((tmp_path / "matches").glob("*.kifu"))) == 1


def test_damaged_membership_is_set_aside_and_said(tmp_path: Path) -> None:
    (tmp_path / "club.json").write_text("{")
    found, told = load(tmp_path)

    assert found is None
    assert "club.json" in str(told)


def test_a_short_campaign_of_faults_loses_nothing(tmp_path: Path, broker: BrokerKind) -> None:
    """`make test-club` is the whole one."""
    assert "nothing lost" in campaign(tmp_path, broker, 12, 4, tables=3, seed=7)

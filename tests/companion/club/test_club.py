"""A club with real brokers: nothing lost, nothing twice."""

from pathlib import Path

from companion.club.broker import BrokerKind
from companion.club.tournament.ledger import TournamentRules
from tests.companion.club.simulated import club, until


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

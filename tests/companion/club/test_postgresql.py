"""A venue that keeps everything in PostgreSQL: a real server, killed and started again in the middle of an evening."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from companion.club.store import KnownTable, Store, StoreFailed
from companion.club.tournament.ledger import TournamentRules
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from tests.companion.club.postgresql import postgresql, programs
from tests.companion.club.simulated import begin, club, kifu, until

needs_server = [
    pytest.mark.skipif(programs() is None, reason="no PostgreSQL server here: apt install postgresql"),
    pytest.mark.skipif(find_spec("psycopg") is None, reason="no driver here: pip install 'shinpan[postgresql]'"),
]


class TestWithAServer:
    pytestmark = needs_server

    def test_an_evening_survives_the_kill_of_its_database(self, tmp_path: Path) -> None:
        with postgresql() as server, club(tmp_path, "mosquitto", 2, database=server.url) as made:
            tables = [made.table(1), made.table(2)]
            venue = made.venue
            until(lambda: all(each.here for each in venue.tables.values()))
            with venue.news:
                venue.desk.begin(TournamentRules(title="Cup", kind="swiss", game="sen_so", rounds=1), 0.0)
                for name in ("Aki", "Ben", "Cho", "Dai"):
                    venue.desk.enter(name)
                venue.desk.pair(venue.free_tables(), 0.0)
                venue.desk.start(0.0)
            until(lambda: all(each.playing for each in tables))
            server.kill()
            won = {each.win() for each in tables}
            until(lambda: any("cannot" in sentence(each.told) for each in list(venue.alarms)))
            server.start()
            until(lambda: venue.desk.tournament.finished, 60.0)

            assert {
                venue.desk.tournament.name(id) for id, each in venue.desk.tournament.points().items() if each
            } == won
            made.kill_venue()
            made.restart_venue()
            assert made.venue.desk.tournament.finished
            for number in (1, 2):
                [known] = [match for match in made.venue.store.matches() if match.table == f"t{number}"]
                assert made.venue.store.kifu(f"t{number}", known.match) == kifu(made.data(number), known.match)
                assert known.result

    def test_what_was_played_while_venue_and_database_were_away_arrives_once(self, tmp_path: Path) -> None:
        with postgresql() as server, club(tmp_path, "nats", 1, database=server.url) as made:
            table = made.table(1)
            until(lambda: made.venue.tables["t1"].here)
            made.kill_venue()
            server.kill()
            for _ in range(3):
                begin(table)
                table.win("Aki")
                table.service.go_on("lobby")
            server.start()
            made.restart_venue()
            until(lambda: [bool(each.result) for each in made.venue.store.matches()] == [True] * 3, 60.0)

            for each in made.venue.store.matches():
                assert made.venue.store.kifu("t1", each.match) == kifu(made.data(1), each.match)

    def test_two_tables_cannot_have_one_name_there_either(self) -> None:
        from companion.club.joining import CannotJoin, JoinRequest, join, new_code

        with postgresql() as server:
            store = Store(server.url)
            codes = [new_code(store, "Table 1", 0.0) for _ in range(2)]
            assert isinstance(join(store, JoinRequest(code=codes[0]), 1.0), KnownTable)
            with pytest.raises(CannotJoin, match="already"):
                join(store, JoinRequest(code=codes[1]), 1.0)
            store.close()

    def test_a_database_that_is_away_at_the_start_is_one_sentence(self) -> None:
        with pytest.raises(StoreFailed, match="cannot be opened"):
            Store("postgresql+psycopg://shinpan:geheim@127.0.0.1:9/nowhere")


@pytest.mark.parametrize("url", ["nonsense", "oracle9://x:geheim@y", "postgresql+nothing://u:geheim@h/d"])
def test_an_address_that_is_no_database_is_one_sentence_without_its_password(url: str) -> None:
    with pytest.raises(ShinpanError) as told:
        Store(url)

    assert "is not the address of a database" in str(told.value)
    assert "geheim" not in str(told.value)

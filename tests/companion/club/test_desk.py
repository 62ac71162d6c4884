"""The arbiter's desk: a tournament run by hand and by itself, every step of it on the disk."""

from pathlib import Path

import pytest

from companion.club.club_ratings import ClubRatings
from companion.club.desk import ArbitersDesk, Slot
from companion.club.results import MatchResult
from companion.club.store import Store
from companion.club.tournament.ledger import TournamentRules
from companion.club.tournament.standings import standings
from companion.club.tournament.tournament import NotInThisTournament
from tests.companion.club.simulated import club, until

TABLES = ("t1", "t2", "t3", "t4")
MINUTE = 60.0


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'venue.db'}")


def opened(store: Store, players: int = 4, **more: object) -> ArbitersDesk:
    desk = ArbitersDesk(store)
    desk.begin(TournamentRules(**{"title": "Cup", "kind": "swiss", "game": "sen_so", "rounds": 2, **more}), 0.0)  # type: ignore[arg-type]
    for number in range(1, players + 1):
        desk.enter(f"P{number}")
    return desk


def finish(desk: ArbitersDesk, board: int, winner: int = 0) -> None:
    """The table of this board reports: whoever has that seat has won."""
    last = desk.tournament.round
    assert last is not None
    paired = last.boards[board]
    names = tuple(map(desk.tournament.name, paired.players))
    result = MatchResult("sen_so", names, (names[winner],), dict.fromkeys(names, 0.0))
    assert desk.result(Slot(desk.id, last.number, board), paired.table, f"m{last.number}", result) is None


def points(desk: ArbitersDesk) -> dict[str, float]:
    return {desk.tournament.name(id): each for id, each in desk.tournament.points().items()}


def test_it_runs_by_itself_from_the_first_call_to_the_end(store: Store) -> None:
    desk = opened(store, alone=True, between=3)
    desk.pair(TABLES, 0.0)
    desk.tick(3 * MINUTE - 1, ())
    assert desk.tournament.round is not None
    assert desk.tournament.round.started_at is None
    desk.tick(3 * MINUTE, ())
    assert desk.tournament.round.started_at == 3 * MINUTE
    finish(desk, 1)
    desk.tick(10 * MINUTE, ("t3", "t4"))
    assert len(desk.tournament.rounds) == 1, "a match is still played"
    finish(desk, 2)
    desk.tick(11 * MINUTE, TABLES)
    assert len(desk.tournament.rounds) == 2, "the next round is called"
    desk.tick(14 * MINUTE, ())
    finish(desk, 1)
    finish(desk, 2)
    desk.tick(20 * MINUTE, TABLES)

    assert desk.tournament.ended


def test_whoever_comes_late_plays_from_the_next_round_on_and_has_no_points_before(store: Store) -> None:
    desk = opened(store)
    desk.pair(TABLES, 0.0)
    desk.start(0.0)
    late = desk.enter("Late")
    assert desk.tournament.entrants[late].joined == 2
    finish(desk, 1)
    finish(desk, 2)
    desk.pair(TABLES, 0.0)
    last = desk.tournament.round
    assert last is not None

    assert points(desk)["Late"] == float(late in last.byes)
    assert late in {*last.byes, *(player for board in last.boards.values() for player in board.players)}


def test_whoever_comes_after_the_call_is_in_when_it_is_paired_again(store: Store) -> None:
    desk = opened(store, 3)
    desk.pair(TABLES, 0.0)
    late = desk.enter("Late")
    desk.unpair()
    desk.pair(TABLES, 0.0)
    last = desk.tournament.round
    assert last is not None

    assert last.byes == ()
    assert late in {player for board in last.boards.values() for player in board.players}


def test_whoever_leaves_is_not_paired_and_keeps_the_points(store: Store) -> None:
    desk = opened(store)
    desk.pair(TABLES, 0.0)
    desk.start(0.0)
    finish(desk, 1)
    finish(desk, 2)
    last = desk.tournament.round
    assert last is not None
    gone = last.boards[1].players[0]
    desk.leave(gone, "the last train")
    desk.pair(TABLES, 0.0)

    assert gone not in {player for board in desk.tournament.rounds[1].boards.values() for player in board.players}
    assert [(row.points, row.left) for row in standings(desk.tournament) if row.id == gone] == [(1.0, True)]


def test_a_result_waits_for_the_arbiter_where_that_is_wanted(store: Store) -> None:
    desk = opened(store, 2, hold=True)
    desk.pair(TABLES, 0.0)
    desk.start(0.0)
    finish(desk, 1)
    assert sum(points(desk).values()) == 0.0
    desk.release(1, 1)

    assert sum(points(desk).values()) == 1.0


def test_the_arbiters_word_stands_whatever_the_table_says_later(store: Store) -> None:
    desk = opened(store, 2)
    desk.pair(TABLES, 0.0)
    desk.start(0.0)
    finish(desk, 1, winner=0)
    with pytest.raises(NotInThisTournament, match="Say why"):
        desk.correct(1, 1, (0.0, 1.0), " ")
    desk.correct(1, 1, (0.0, 1.0), "the wrong name was tapped")
    last = desk.tournament.round
    assert last is not None
    names = tuple(map(desk.tournament.name, last.boards[1].players))
    told = desk.result(Slot(desk.id, 1, 1), "t1", "m1", MatchResult("sen_so", names, (names[0],)))

    assert "by the arbiter's hand" in str(told)
    assert points(desk)[names[1]] == 1.0


def test_after_a_kill_the_desk_stands_where_it_stood(store: Store) -> None:
    desk = opened(store)
    desk.pair(TABLES, 0.0)
    desk.start(1.0)
    desk.extend(300.0, 1)
    desk.pause(2.0)
    finish(desk, 2)
    desk.penalise(1, 0.5, "late")
    again = ArbitersDesk(store)

    assert again.id == desk.id
    assert standings(again.tournament) == standings(desk.tournament)
    assert again.orders() == desk.orders()
    assert again.deeds(1) == desk.deeds(1)


def test_a_board_without_a_table_gets_the_first_that_is_free(store: Store) -> None:
    desk = opened(store, 4)
    desk.pair(["t1"], 0.0)
    last = desk.tournament.round
    assert last is not None
    assert last.boards[2].table == ""
    desk.tick(1.0, ["t9"])

    assert last.boards[2].table == "t9"


def test_a_call_from_a_table_reaches_the_arbiter_and_the_answer_the_table(tmp_path: Path) -> None:
    with club(tmp_path, "mosquitto", 1) as made:
        table, venue = made.table(1), made.venue
        until(lambda: venue.tables["t1"].here)
        with venue.news:
            desk = venue.desk
            desk.begin(TournamentRules(title="Cup", kind="swiss", game="sen_so", rounds=1), 0.0)
            for name in ("Aki", "Ben"):
                desk.enter(name)
            desk.pair(["t1"], 0.0)
            desk.start(0.0)
        until(lambda: table.playing)
        table.tap_as("Aki", "call")
        until(lambda: venue.tables["t1"].state.calls == ("Aki",))
        venue.answer_calls("t1")
        until(lambda: not table.service.referee.attention.calls)
        until(lambda: venue.tables["t1"].state.calls == ())


def test_the_desk_stops_and_starts_the_clocks_of_all_tables(tmp_path: Path) -> None:
    with club(tmp_path, "mosquitto", 2) as made:
        tables, venue = [made.table(1), made.table(2)], made.venue
        until(lambda: all(each.here for each in venue.tables.values()))
        with venue.news:
            options = {"end": {"time": 600}}
            rules = TournamentRules(title="Cup", kind="swiss", game="sen_so", rounds=1, options=options)
            venue.desk.begin(rules, 0.0)
            for name in ("Aki", "Ben", "Cho", "Dai"):
                venue.desk.enter(name)
            venue.desk.pair(venue.free_tables(), 0.0)
            venue.desk.start(0.0)
        until(lambda: all(each.playing for each in tables))
        with venue.news:
            venue.desk.pause(1.0)
        until(lambda: all(each.state.stage == "paused" for each in venue.tables.values()))
        with venue.news:
            venue.desk.resume(2.0)
            venue.desk.extend(60.0)
        until(lambda: all(each.state.stage not in ("paused", "lobby") for each in venue.tables.values()))
        until(lambda: all(each.service.limit == 660.0 for each in tables))


def test_ratings_go_over_all_evenings_of_the_venue(store: Store) -> None:
    ratings = ClubRatings(store)
    for evening in (1, 2):
        desk = opened(store, 2, rounds=1)
        desk.pair(TABLES, 0.0)
        desk.start(0.0)
        finish(desk, 1)
        assert [each.matches for each in ratings.all()] == [evening] * 2
    strongest, weakest = ratings.all()

    assert strongest.rating > weakest.rating

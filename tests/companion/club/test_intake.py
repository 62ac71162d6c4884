"""What arrives at the venue is written down once, in order, whatever arrives how often."""

from pathlib import Path
from random import Random

import pytest
import sqlalchemy

from companion.app.match_store import begin
from companion.club.intake import Intake
from companion.club.payloads import BadPayload, FromTheFuture, Have, MatchHead, Piece, TableState, read, write
from companion.club.results import MatchResult
from companion.club.store import KnownMatch, KnownTable, NewLines, Store, StoreFailed
from companion.core.message import Message
from companion.games import game
from companion.record.acts import EndMatch
from companion.record.journal import DataFolder


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(f"sqlite:///{tmp_path / 'venue.db'}")


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    """A kifu of a match that Aki won."""
    from datetime import datetime

    with DataFolder(tmp_path / "data") as folder:
        referee, journal = begin(folder, game("sen_so"), ["Aki", "Ben"], {}, datetime(2026, 1, 1))
        referee.record.note("Cup", 0.0, order="t1-1-1")
        referee.record.act(EndMatch("agreed", winners=("Aki",), why="so be it"), 1.0)
        referee.record.rest(paused=False)
        journal.close()
        return journal.path.read_text().splitlines()


def test_doubled_and_turned_round_pieces_are_one_kifu(store: Store, lines: list[str]) -> None:
    told: list[MatchResult | None] = []
    intake = Intake(store, lambda match, result: told.append(result))
    pieces = [Piece(match="m", first=number, lines=(line,)) for number, line in enumerate(lines, 1)]
    random = Random(1)
    for _ in range(20):
        for piece in random.sample(pieces, len(pieces)):
            intake.pieces([("t1", piece)])
            intake.read_results()

    assert store.kifu("t1", "m") == lines
    assert [each.winners for each in told if each is not None] == [("Aki",)]
    assert store.matches("t1-1-1")[0].lines == len(lines)


def test_a_piece_that_does_not_follow_is_answered_with_how_far_the_venue_is(store: Store, lines: list[str]) -> None:
    intake = Intake(store)
    intake.pieces([("t1", Piece(match="m", first=1, lines=(lines[0],)))])
    [(_, told)] = intake.pieces([("t1", Piece(match="m", first=3, lines=(lines[2],)))])

    assert told.matches[0].lines == 1


def test_another_line_under_one_number_is_an_alarm_and_the_first_one_counts(store: Store, lines: list[str]) -> None:
    alarms: list[Message] = []
    intake = Intake(store, alarm=lambda table, told: alarms.append(told))
    intake.pieces([("t1", Piece(match="m", first=1, lines=tuple(lines)))])
    intake.have("t1", Have(session="s", matches=(MatchHead("m", len(lines), "0" * 64),)))

    assert len(alarms) == 1
    assert store.kifu("t1", "m") == lines


def test_a_venue_killed_before_it_read_the_result_reads_it_at_the_next_start(store: Store, lines: list[str]) -> None:
    store.append([NewLines("t1", "m", 1, tuple(lines), "", "t1-1-1")])
    told: list[tuple[KnownMatch, MatchResult | None]] = []
    Intake(store, lambda match, result: told.append((match, result))).sweep()

    assert [result.winners for _, result in told if result is not None] == [("Aki",)]


def test_a_full_disk_acknowledges_nothing_and_says_so(store: Store, lines: list[str]) -> None:
    store._engine.dispose()
    sqlalchemy.event.listen(store._engine, "connect", lambda db, _: db.execute("PRAGMA max_page_count = 1"))
    intake, large = Intake(store), lines[0] + " " * 5000

    with pytest.raises(StoreFailed, match="Nothing is lost"):
        intake.pieces([("t1", Piece(match="m", first=1, lines=(large,) * 20))])
    assert store.heads([("t1", "m")]) == {}


def test_two_tables_cannot_have_one_name(store: Store) -> None:
    from companion.club.joining import CannotJoin, JoinRequest, join, new_code

    codes = [new_code(store, "Table 1", 0.0), new_code(store, "Table 1", 0.0)]
    table = join(store, JoinRequest(code=codes[0].lower()), 1.0)
    assert isinstance(table, KnownTable)
    with pytest.raises(CannotJoin, match="already"):
        join(store, JoinRequest(code=codes[1]), 1.0)
    with pytest.raises(CannotJoin, match="not good"):
        join(store, JoinRequest(code=codes[0]), 1.0)
    with pytest.raises(CannotJoin, match="already"):
        new_code(store, "table 1", 0.0)


def test_a_code_is_good_for_an_hour(store: Store) -> None:
    from companion.club.joining import LASTS, CannotJoin, JoinRequest, join, new_code

    code = new_code(store, "Table 1", 0.0)
    with pytest.raises(CannotJoin, match="not good"):
        join(store, JoinRequest(code=code), LASTS + 1.0)


def test_a_payload_from_the_future_is_told_in_one_sentence() -> None:
    with pytest.raises(FromTheFuture, match="version 2"):
        read(b'{"v": 2, "stage": {"new": "shape"}}', TableState)


@pytest.mark.parametrize("data", [b"", b"[]", b'{"stage": 7}', b"\xff\xfe", b"[" * 10_000, b" " * 800_000])
def test_nonsense_is_told_in_one_sentence(data: bytes) -> None:
    with pytest.raises(BadPayload):
        read(data, TableState)


def test_fields_that_nobody_knows_yet_are_left_out() -> None:
    assert read(b'{"v": 1, "stage": "over", "mood": "good"}', TableState) == read(
        write(TableState(stage="over")), TableState
    )


def test_the_schema_in_the_docs_is_the_present_one() -> None:
    from companion.club.schema import FILE, schema

    assert FILE.read_bytes() == schema()

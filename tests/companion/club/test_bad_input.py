"""What goes wrong at a club on an evening: one sentence where somebody sees it, and play goes on."""

from pathlib import Path

import pytest
import sqlalchemy

from companion.club import topics
from companion.club.payloads import Presence, write
from companion.club.venue import Venue
from companion.core.events import OK, SenseState
from companion.core.wording import sentence
from tests.companion.club.simulated import Club, TappedTable, begin, club, kifu, until


def alarms(venue: Venue) -> list[str]:
    return [sentence(each.told) for each in list(venue.alarms)]


def plays_on(made: Club, table: TappedTable, number: int) -> None:
    """A match at this table, begun and won now, arrives with its result."""
    begin(table)
    match = table.playing_match
    table.win("Aki")

    def arrived() -> bool:
        known = made.venue.store.match(f"t{number}", match)
        return known is not None and bool(known.result)

    until(arrived)
    assert made.venue.store.kifu(f"t{number}", match) == kifu(made.data(number), match)


def test_a_table_of_another_version_is_told_once_and_plays_along(tmp_path: Path) -> None:
    with club(tmp_path, "mosquitto", 1, software="2.0") as made:
        table = made.table(1)
        older = Presence(here=True, session=table.member.session, software="1.3")
        until(lambda: made.venue.tables["t1"].here)
        made.venue.alarms.clear()
        for _ in range(2):
            table.member._say(topics.PRESENCE, older, retain=True)
        plays_on(made, table, 1)

        told = "Table 1 runs Shinpan 1.3 and the venue runs 2.0. They play together; update the older one when the "
        assert alarms(made.venue) == [told + "evening is over."]


def test_what_a_table_says_in_a_schema_from_the_future_is_left_out_and_told(tmp_path: Path) -> None:
    with club(tmp_path, "mosquitto", 1) as made:
        table = made.table(1)
        until(lambda: made.venue.tables["t1"].here)
        table.member._link.say(topics.of_table(made.venue.id, "t1", topics.STATE), b'{"v":2,"stage":{"new":"shape"}}')
        until(lambda: alarms(made.venue))
        plays_on(made, table, 1)

        why = "it speaks version 2 of the club's language and this Shinpan knows 1: update it"
        assert alarms(made.venue) == [f"What Table 1 says cannot be read: {why}."]


def test_a_table_says_so_when_the_venue_is_newer_and_plays_on(tmp_path: Path) -> None:
    with club(tmp_path, "mosquitto", 1) as made:
        table = made.table(1)
        until(lambda: table.service.senses.get("club") == OK)
        assert made.venue._link is not None
        made.venue._link.say(topics.to_table(made.venue.id, "t1", topics.WANTED), b'{"v":2,"serial":"9"}')
        until(lambda: table.service.senses["club"].state is SenseState.TROUBLE)
        plays_on(made, table, 1)

        assert "newer Shinpan: update this table" in str(table.service.senses["club"].message)


@pytest.mark.parametrize("nonsense", [b"", b"{", b"[1]", b'{"here":7}', b"\xff\xfe"])
def test_nonsense_on_a_topic_is_one_sentence_at_the_desk(tmp_path: Path, nonsense: bytes) -> None:
    venue = Club.without_broker(tmp_path)
    venue.take("t1", topics.PRESENCE, nonsense)

    assert len(alarms(venue)) == 1
    assert alarms(venue)[0].startswith("What Table 1 says cannot be read: ")
    venue.take("t1", topics.PRESENCE, write(Presence(here=True, session="s")))
    assert venue.tables["t1"].here
    venue.close()


def test_with_a_full_disk_at_the_venue_the_tables_play_on_and_nothing_is_lost(tmp_path: Path) -> None:
    """SQLite is given no page more than it has, which is what it says on a full disk."""
    with club(tmp_path, "mosquitto", 1) as made:
        table, engine = made.table(1), made.venue.store._engine
        until(lambda: made.venue.tables["t1"].here)
        full = True

        @sqlalchemy.event.listens_for(engine, "begin")
        def no_room(connection: sqlalchemy.Connection) -> None:
            pages = 1 if full else 1_000_000
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        matches = []
        for _ in range(12):
            begin(table)
            matches.append(table.playing_match)
            for _ in range(6):
                table.say("Something of some length that takes room, " * 10)
            table.win("Aki")
            table.service.go_on("lobby")
        until(lambda: alarms(made.venue))
        assert alarms(made.venue) == [
            "The venue cannot write to its database (database or disk is full). Nothing is lost: the tables send "
            "everything again. Make room on the disk."
        ]
        full = False
        until(lambda: [bool(each.result) for each in made.venue.store.matches()] == [True] * 12, 60.0)

        for match in matches:
            assert made.venue.store.kifu("t1", match) == kifu(made.data(1), match)

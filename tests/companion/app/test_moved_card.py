"""Somebody at the virtual table cannot leave a covered card alone: the camera sees it, and the referee calls it."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.app.demo import Evening, differences
from companion.app.match_store import begin
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder
from companion.virtual.physical_table import PhysicalTable
from web.app import Settings
from web.pins import SeatPin

CASES = {"sen_so": ("action1", "SEN-15"), "san_ni_ichi": ("selected", "SNI-12"), "senjutsu": ("card", "SJ-48")}
SAYS = "A card of Aki was moved after ready: put it right and press ready again."


def push(table: PhysicalTable, zone: str) -> Callable[[], None]:
    table.push(zone, 9.0, -4.0)
    return lambda: table.push(zone, -9.0, 4.0)


def peek(table: PhysicalTable, zone: str) -> Callable[[], None]:
    table.turn_up(zone)
    return lambda: table.turn_down(zone)


@pytest.mark.parametrize(
    ("name", "meddle"),
    [("sen_so", push), ("san_ni_ichi", peek), ("senjutsu", push)],
    ids=["pushed", "turned up too soon", "pushed on a pile"],
)
def test_a_card_that_is_touched_after_ready_is_called_on_the_page_and_in_the_kifu(
    tmp_path: Path, name: str, meddle: Callable[[PhysicalTable, str], Callable[[], None]]
) -> None:
    place, rule = CASES[name]
    people = ("Aki", "Ben", "Cho")[: game(name).seats.start]
    settings = Settings(referee_pin="1", seats=(SeatPin("1"),) * 6, secret="s")
    with DataFolder(tmp_path) as data:
        referee, journal = begin(data, game(name), people, {}, datetime(2026, 1, 1, tzinfo=UTC))
        evening = Evening(referee, 3, settings)
        try:
            while referee.phase("Aki") != "locked":
                evening.beat()
            put_right = meddle(evening._table, f"Aki.{place}")
            evening._film()
            (called,) = [said for said in evening.service.page(None).said if said.kind == "call"]
            assert (called.text, rule in called.rules) == (SAYS, True)
            assert referee.phase("Aki") == "placing"
            for _ in range(100_000):  # the panel hears of it as soon as the wire lets it
                if evening._boards[0].lights[0].phase != "locked":
                    break
                evening._listen()
            assert evening._boards[0].lights[0].phase in ("refused", "placing")  # both may come in one read
            put_right()
            evening._film()
            evening.players[0].hands.press("ready")
            while referee.stage != "reveal":
                evening.beat()
            assert [said.kind for said in referee.said].count("call") == 1
            assert differences(evening, journal.path) == []
        finally:
            evening.close()
            journal.close()
    notes = [each.line for each in kifu.read(journal.path.read_bytes()) if isinstance(each.line, kifu.Note)]
    assert [(note.note, rule in note.rules) for note in notes if note.rules] == [(SAYS, True)]
    assert any("was ready first" in note.note or "were ready together" in note.note for note in notes)

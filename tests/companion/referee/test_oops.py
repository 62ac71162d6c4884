"""Oops: a player takes back their last tap, for five seconds and while nobody has gone on."""

from typing import Any

import pytest

from companion.core.events import Tap
from companion.core.rulings import Refusal
from companion.games.sensu import GAME as SENSU
from companion.referee.table_view import page
from tests.web.evening import Evening


class Table(Evening):
    def oops(self, player: str) -> Refusal | None:
        return self.service.submit(Tap(player, "oops", {}, self.at)).refusal

    @property
    def facts(self) -> dict[str, Any]:
        return self.service.referee.match.facts

    def until(self, viewer: str | None) -> float | None:
        return page(self.service.referee, viewer, "en", self.at).oops_until


@pytest.fixture
def sensu() -> Table:
    return Table(game=SENSU, wild_winds=0)


def test_the_own_last_tap_is_taken_back_and_the_kifu_says_so(sensu: Table) -> None:
    before = sensu.facts
    sensu.move("Aki", "draw", **{"from": "deck"})
    sensu.wait(4.9)
    assert sensu.oops("Aki") is None

    assert sensu.facts == before
    assert sensu.lines[-1] == {"undo": 1, "why": "Oops: Aki took back their last tap.", "by": "Aki"}
    assert str(sensu.service.referee.said[-1].message) == "Aki takes the last tap back."


def test_after_five_seconds_it_is_too_late(sensu: Table) -> None:
    sensu.move("Aki", "draw", **{"from": "deck"})
    sensu.wait(5.1)
    refusal = sensu.oops("Aki")
    assert refusal is not None
    assert "Five seconds are over" in str(refusal.message)
    assert sensu.facts["hands"]["Aki"] == 6


def test_once_somebody_has_gone_on_nothing_is_taken_back(sensu: Table) -> None:
    sensu.move("Aki", "draw", **{"from": "deck"})
    sensu.move("Aki", "discard", card="gun_sen-1-0")
    sensu.move("Ben", "discard", card="gun_sen-1-0")  # refused, and a line of the kifu all the same
    refusal = sensu.oops("Aki")
    assert refusal is not None
    assert "somebody has gone on" in str(refusal.message)
    assert sensu.oops("Ben") is not None


def test_a_refused_try_of_ones_own_and_the_clock_do_not_count(sensu: Table) -> None:
    sensu.move("Aki", "draw", **{"from": "deck"})
    sensu.move("Aki", "draw", **{"from": "deck"})  # refused: six cards in hand
    sensu.tap("referee", "pause")  # writes the clock down
    assert sensu.oops("Aki") is None


def test_only_the_last_tap_is_taken_back_and_only_once(sensu: Table) -> None:
    sensu.move("Aki", "draw", **{"from": "deck"})
    assert sensu.oops("Aki") is None
    assert sensu.oops("Aki") is not None
    assert sensu.oops("Ben") is not None


def test_what_the_referee_tapped_for_a_player_is_the_referees(sensu: Table) -> None:
    sensu.service.submit(Tap("referee", "move", {"by": "Aki", "move": "draw", "from": "deck"}, sensu.at))
    assert sensu.facts["hands"]["Aki"] == 6
    assert sensu.oops("Aki") is not None
    assert sensu.oops("referee") is not None


def test_only_the_page_of_the_one_who_tapped_knows(sensu: Table) -> None:
    sensu.move("Aki", "draw", **{"from": "deck"})
    assert sensu.until("Aki") == 5.0
    assert [sensu.until(viewer) for viewer in ("Ben", "referee", None)] == [None, None, None]


def test_a_sealed_choice_is_taken_back_while_it_is_sealed() -> None:
    table = Table()
    table.move("Ben", "arm", weapons=["bo_staff"])
    table.move("Aki", "arm", weapons=["katana"])
    assert table.oops("Ben") is not None
    table.place()
    assert table.service.referee.stage == "countdown"
    table.count()
    table.move("Aki", "show", weapon="katana")
    assert table.oops("Aki") is None
    assert table.service.referee.stage == "reveal"
    assert table.service.referee.match.awaits["Aki"] == ("show",)
    table.move("Ben", "show", weapon="bo_staff")
    table.move("Aki", "show", weapon="katana")
    assert table.facts["players"]["Aki"]["weapon"] == "katana"


def test_whoever_opened_everybodys_sealed_choices_cannot_choose_again() -> None:
    table = Table()
    table.begin()
    table.ready()
    table.count()
    table.move("Ben", "reveal", card="move", direction="F")
    table.move("Aki", "reveal", card="move", direction="F")
    refusal = table.oops("Aki")
    assert refusal is not None
    assert "lie open now" in str(refusal.message)


def test_whoever_takes_back_that_the_cards_lie_there_is_not_ready_and_the_others_stay_so() -> None:
    table = Table()
    table.arm()
    table.place()
    assert table.service.referee.stage == "countdown"
    assert table.oops("Ben") is None
    assert table.service.referee.stage == "placing"
    assert table.service.referee.ready == {"Aki"}
    table.place()
    assert table.service.referee.stage == "countdown"

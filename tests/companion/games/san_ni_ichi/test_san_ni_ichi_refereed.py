"""A round at the referee's table: what is laid, pressed and tapped, without a camera or a wire."""

from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.events import Press, Seen, Tap, Tick
from companion.core.layout import SeenCard, Sight
from companion.core.message import Thing
from companion.games.san_ni_ichi import GAME
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.reveal import COUNT

DOWN = SeenCard(None, False, 90.0)
WEAPONS = ["torinoko-1", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"]


class Table:
    """Three players, and what lies before them."""

    def __init__(self) -> None:
        self.match = Match(GAME, ("Aki", "Ben", "Cho"), {"weapons": WEAPONS})
        self.referee = Referee(RecordedMatch(self.match, lambda fields: 1))
        self.now = 0.0
        self.zones: dict[str, tuple[SeenCard, ...]] = {
            zone.name: () for zone in GAME.table.layout(self.match.state).zones
        }

    def lay(self, **places: Any) -> None:
        """`Aki_selected="fire-1"`; None for a back, "" for nothing."""
        for place, card in places.items():
            lying = () if card == "" else (SeenCard(card, True, 90.0) if card else DOWN,)
            self.zones[place.replace("_", ".")] = lying
        self.referee.handle(Seen(Sight(dict(self.zones)), self.now))

    def press(self, *names: str) -> None:
        for name in names:
            self.referee.handle(Press(self.match.players.index(name), "ready", self.now))

    def tap(self, name: str, **move: Any) -> None:
        self.referee.handle(Tap(name, "move", move, self.now))

    def count(self) -> None:
        for _ in range(COUNT):
            self.now += 1.0
            self.referee.handle(Tick(self.now))

    def turned_up(self, Aki: str = "fire-1") -> "Table":
        self.lay(Aki_selected=None, Ben_selected=None, Cho_selected=None)
        self.press("Ben", "Cho", "Aki")
        self.count()
        self.lay(Aki_selected=Aki, Ben_selected="water-2", Cho_selected="wood-3")
        return self

    @property
    def calls(self) -> list[str]:
        return [str(said.message) for said in self.referee.said if said.kind in ("call", "refused")]


@pytest.mark.rule("SNI-11", "SNI-12", "SNI-35")
def test_a_round_is_played_with_cards_and_one_button():
    table = Table().turned_up()
    assert table.match.facts["phase"] == "attack"
    table.lay(Aki_selected="", Aki_combat="fire-1")
    table.lay(Ben_selected="", Aki_combat="water-2")
    table.lay(Cho_selected="", Ben_combat="wood-3")
    assert table.match.facts["phase"] == "damage"

    table.press("Aki", "Ben")
    table.lay(Cho_selected="torinoko-1")

    assert table.match.facts["round"] == 2
    assert table.match.facts["damage"] == {"Aki": 0, "Ben": 3, "Cho": 0}
    assert table.match.facts["hands"] == {"Aki": 6, "Ben": 6, "Cho": 5}
    assert table.calls == []


@pytest.mark.rule("SNI-35")
def test_ready_does_not_pass_for_somebody_whose_bomb_lies_there():
    table = Table().turned_up(Aki="fire-2")
    table.lay(Aki_selected="", Aki_combat="fire-2")
    table.lay(Ben_selected="", Aki_combat="water-2")
    table.lay(Cho_selected="", Ben_combat="wood-3")
    # Two cards are the lowest: which one comes back has to be said.
    table.lay(Aki_selected="torinoko-1")
    table.press("Aki")
    assert "Aki" in table.match.awaits

    table.tap("Aki", move="smoke", draw="fire-2")
    assert "Aki" not in table.match.awaits


@pytest.mark.rule("SNI-39")
def test_who_sits_out_may_put_the_bomb_away_while_the_others_count():
    table = Table()
    table.match.state = replace(table.match.state, hands=(1, 1, 1))
    table.lay(Aki_selected="torinoko-1", Ben_selected=None, Cho_selected=None)
    table.press("Aki", "Ben", "Cho")
    table.lay(Aki_selected="", discard="torinoko-1")
    table.count()

    assert table.calls == []
    assert table.referee.stage == "reveal"


@pytest.mark.rule("SNI-35")
def test_what_one_player_declared_does_not_show_in_what_another_may_choose():
    table = Table().turned_up()
    for name in ("Aki", "Ben", "Cho"):
        table.tap(name, move="discard")
    before = table.referee.choices("Ben")
    table.tap("Aki", move="smoke")

    assert table.referee.choices("Ben") == before
    assert table.referee.choices("Aki") == []


@pytest.mark.rule("SNI-15", "SNI-16")
def test_a_pile_that_was_not_taken_is_called_when_its_owner_is_ready_again():
    table = Table().turned_up()
    table.lay(Aki_selected="", Ben_combat="fire-1")
    table.lay(Ben_selected="", Aki_combat="water-2")
    table.lay(Cho_selected="", Cho_combat="wood-3")
    table.press("Aki", "Ben", "Cho")
    assert table.match.facts["taken"] == {"Aki": 0, "Ben": 0, "Cho": 1}

    table.lay(Aki_selected=None, Ben_selected=None, Cho_selected=None)
    table.press("Aki", "Cho")

    (called,) = [said for said in table.referee.said if said.kind == "call"]
    assert called.message.facts == {
        "player": Thing("player", "Cho"),
        "stands": Thing("card", "wood-3"),
        "belongs": Thing("card", "–"),
    }

"""Ready means still: who was first is told as exactly as the clocks allow, and who moves a card then is called."""

from typing import Any

import pytest

from companion.core.events import Light, Press, Said, Seen, Tap, Tick
from companion.core.layout import SeenCard, Sight
from companion.games import game
from companion.record import kifu
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch, header
from companion.record.replay import Replay
from companion.referee.referee import Referee
from companion.referee.reveal import COUNT, PATIENCE
from companion.referee.table_view import page

PLACES = {"sen_so": ("weapon", "block", "action1", "action2"), "san_ni_ichi": ("selected",), "senjutsu": ("card",)}
"""Where each game's cards lie covered."""
CITED = {"sen_so": ("SEN-15",), "san_ni_ichi": ("SNI-11", "SNI-12"), "senjutsu": ("SJ-47", "SJ-48")}
MOVED = "A card of Aki was moved after ready: put it right and press ready again."


def down(x: float = 0.0, y: float = 0.0) -> SeenCard:
    return SeenCard(None, False, 90.0, x, y)


class LockedTable:
    """Aki, Ben and Cho before the first lock of a game, and everything that the referee writes and says."""

    def __init__(self, name: str) -> None:
        self.places = PLACES[name]
        self.match = Match(game(name), ("Aki", "Ben", "Cho"), {})
        self.lines: list[Any] = [header(self.match)]
        self.referee = Referee(RecordedMatch(self.match, self._write))
        self.now = 10.0
        self.zones: dict[str, tuple[SeenCard, ...]] = {
            zone.name: () for zone in self.match.game.table.layout(self.match.state).zones
        }
        for player in self.match.players if name == "sen_so" else ():
            self.referee.handle(Tap(player, "move", {"move": "arm", "weapons": ["katana"]}, self.now))

    def _write(self, fields: Any) -> int:
        self.lines.append(fields)
        return len(self.lines)

    def look(self, **places: tuple[SeenCard, ...]) -> list[Any]:
        self.zones |= {name.replace("_", "."): cards for name, cards in places.items()}
        return list(self.referee.handle(Seen(Sight(dict(self.zones)), self.now)).effects)

    def lay(self, player: str) -> None:
        self.look(**{f"{player}_{place}": (down(),) for place in self.places})

    def press(
        self, player: str, at: float | None = None, uncertainty: float = 0.003, clock: str = "", stamp: float = 0.0
    ) -> None:
        moment = self.now if at is None else at
        self.referee.handle(Press(self.match.players.index(player), "ready", moment, uncertainty, clock, stamp))

    def locked(self) -> "LockedTable":
        for player in self.match.players:
            self.lay(player)
            self.press(player)
        return self

    @property
    def calls(self) -> list[Said]:
        return [said for said in self.referee.said if said.kind in ("call", "refused")]

    @property
    def notes(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if "note" in line]

    def order(self, language: str = "en") -> str:
        return str(page(self.referee, None, language, self.now).order)


@pytest.fixture(params=PLACES)
def table(request: pytest.FixtureRequest) -> LockedTable:
    return LockedTable(request.param)


def test_who_was_ready_first_is_shown_and_written_down_with_its_uncertainty(table: LockedTable) -> None:
    for player in table.match.players:
        table.lay(player)
    table.press("Ben", 10.038)
    table.press("Aki", 10.0)
    table.press("Cho", 10.2)

    assert table.referee.stage == "countdown"
    assert table.order() == "Aki was ready first, 38 ms before Ben (±6 ms)."
    assert table.order("it") == "Aki ha premuto pronto 38 ms prima di Ben (±6 ms)."
    assert table.notes[-1] == {
        "note": table.order(),
        "at": 0.0,
        "ready": [
            {"players": ["Aki"]},
            {"players": ["Ben"], "after": 0.038, "give": 0.006},
            {"players": ["Cho"], "after": 0.2, "give": 0.006},
        ],
        "first": {"players": ("Aki",), "before": "Ben", "apart": 0.038, "give": 0.006},
    }


def test_what_the_clocks_cannot_tell_apart_is_called_a_tie(table: LockedTable) -> None:
    for player in table.match.players:
        table.lay(player)
    table.press("Aki", 10.0, 0.0041)
    table.press("Cho", 11.5)
    table.press("Ben", 10.004)

    assert table.order() == "Aki, Ben were ready together: 4 ms apart, known only to ±8 ms."
    assert [row["players"] for row in table.notes[-1]["ready"]] == [["Aki", "Ben"], ["Cho"]]


def test_two_seats_of_one_board_are_told_apart_to_the_millisecond_over_the_worst_wire(table: LockedTable) -> None:
    for player in table.match.players:
        table.lay(player)
    table.press("Cho", 10.300, 0.2, "hub", 5.004)
    table.press("Ben", 10.296, 0.2, "hub", 5.002)
    table.press("Aki", 10.300, 0.2, "hub", 5.000)

    assert table.order() == "Aki was ready first, 2 ms before Ben (±1 ms)."


def test_a_tablet_that_stands_in_for_a_panel_is_no_stop_watch() -> None:
    table = LockedTable("san_ni_ichi")
    for player in table.match.players:
        table.lay(player)
    table.press("Aki", 10.0)
    table.referee.handle(Tap("Ben", "ready", {}, 10.3))
    table.press("Cho", 12.0)

    assert table.order() == "Aki, Ben were ready together: 300 ms apart, known only to ±503 ms."


def test_a_press_that_waited_for_the_camera_counts_from_its_touch() -> None:
    table = LockedTable("senjutsu")
    table.press("Ben", 10.0)
    for player in ("Aki", "Cho"):
        table.lay(player)
    table.press("Aki", 11.0)
    table.press("Cho", 11.5)
    table.now = 12.0
    table.lay("Ben")

    assert table.referee.stage == "countdown"
    assert table.order() == "Ben was ready first, 1.0 s before Aki (±6 ms)."


def test_the_order_is_no_secret_and_nothing_comes_of_it(table: LockedTable) -> None:
    """No rule of these games asks who was faster: the state is the same whoever was."""
    states = []
    for order in (("Aki", "Ben", "Cho"), ("Cho", "Ben", "Aki")):
        other = LockedTable(table.match.game.name)
        for number, player in enumerate(order):
            other.lay(player)
            other.press(player, 10.0 + number)
        states.append(other.match.facts)

    assert states[0] == states[1]


def test_a_count_that_begins_again_after_a_pause_is_written_down_once(table: LockedTable) -> None:
    table.locked()
    for what in ("pause", "resume"):
        table.referee.handle(Tap("referee", what, {}, table.now + 1.0))

    assert table.referee.stage == "countdown"
    assert len(table.notes) == 1


MOVES: dict[str, tuple[SeenCard, ...]] = {
    "taken away": (),
    "pushed aside": (down(30.0),),
    "one more": (down(), down(1.0)),
    "not sure what lies there": (SeenCard(None, True),),
}


@pytest.mark.parametrize("moved", MOVES)
@pytest.mark.parametrize("counting", [False, True], ids=["others still lay", "during the count"])
def test_a_card_moved_after_ready_is_called_by_its_rule(table: LockedTable, counting: bool, moved: str) -> None:
    place = table.places[-1] if len(table.places) == 1 else "action1"
    if counting:
        table.locked().referee.handle(Tick(table.now + 1.0))
    else:
        table.lay("Aki")
        table.press("Aki")
    effects = table.look(**{f"Aki_{place}": MOVES[moved]})

    (call,) = table.calls
    assert (call.kind, call.rules) == ("call", (*CITED[table.match.game.name], "TABLE-3"))
    assert str(call.message) == MOVED
    assert [(light.seat, light.phase) for light in effects if isinstance(light, Light)][:2] == [
        (0, "refused"),
        (0, "placing"),
    ]
    assert table.referee.stage == "placing"
    written = {"note": MOVED, "rules": call.rules, "place": f"Aki.{place}"}
    assert {name: value for name, value in table.notes[-1].items() if name != "at"} == written
    assert call.line == len(table.lines)


@pytest.mark.parametrize("counting", [False, True], ids=["others still lay", "during the count"])
def test_who_was_called_puts_it_right_presses_again_and_the_match_goes_on(table: LockedTable, counting: bool) -> None:
    if counting:
        table.locked()
    else:
        table.lay("Aki")
        table.press("Aki")
    place = f"Aki_{table.places[0]}"
    table.look(**{place: ()})
    table.press("Aki")
    assert "Aki" not in table.referee.ready
    table.now += 1.0
    table.look(**{place: (down(3.0),)})  # the press was only a little early
    assert "Aki" in table.referee.ready

    for player in () if counting else ("Ben", "Cho"):
        table.lay(player)
        table.press(player)
    assert table.referee.stage == "countdown"
    assert len(table.calls) == 1


def test_who_presses_again_without_putting_it_right_is_told(table: LockedTable) -> None:
    table.locked()
    table.look(**{f"Aki_{table.places[0]}": ()})
    table.press("Aki")
    for tenth in range(round(PATIENCE * 10) + 2):
        table.referee.handle(Tick(table.now + tenth / 10))

    assert table.calls[-1].message.template == "{player}: the cards are not in their places, face down, yet."
    assert table.referee.phase("Aki") == "placing"


def test_a_card_that_only_seems_to_shift_is_not_called(table: LockedTable) -> None:
    table.locked()
    table.look(**{f"{player}_{place}": (down(2.5, -2.5),) for player in table.match.players for place in table.places})

    assert table.calls == []
    assert table.referee.stage == "countdown"


def test_a_place_under_somebodys_arm_is_not_a_moved_card(table: LockedTable) -> None:
    table.locked()
    del table.zones[f"Aki.{table.places[0]}"]
    table.look()

    assert table.calls == []


def test_after_the_count_turning_up_is_no_call(table: LockedTable) -> None:
    table.locked()
    for _ in range(COUNT):
        table.now += 1.0
        table.referee.handle(Tick(table.now))
    table.look(**{f"Aki_{table.places[0]}": (SeenCard(None, True),)})

    assert table.referee.stage == "reveal"
    assert table.calls == []


def test_notes_are_kept_and_change_nothing_when_the_kifu_is_played_again(table: LockedTable) -> None:
    table.locked()
    table.look(**{f"Aki_{table.places[0]}": ()})
    check, data = kifu.START, b""
    for fields in table.lines:
        line, check = kifu.write(fields, check)
        data += line

    assert Replay(data).finish().facts == table.match.facts
    assert [each.line.note for each in kifu.read(data) if isinstance(each.line, kifu.Note)] == [
        note["note"] for note in table.notes
    ]


def test_who_shows_bombs_and_sits_out_may_tidy_up_while_the_others_still_lay() -> None:
    table = LockedTable("san_ni_ichi")
    table.lay("Ben")
    table.press("Ben")
    reveal, match = table.referee.reveal, table.match
    match.sealed = {**match.sealed, "Aki": match.decode({"move": "sit_out", "cards": ["torinoko-1"]})}
    reveal.lock("Aki", Press(0, "ready", table.now))

    assert reveal.watched(match) == ["Ben"]

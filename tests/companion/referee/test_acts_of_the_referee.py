"""What the referee does by hand at a running table: taps in, kifu lines, sentences and a page out."""

import pytest

from companion.core.events import Light, Said
from companion.core.layout import SeenCard
from companion.record.replay import Replay
from companion.referee.reveal import COUNT
from companion.referee.table_view import page
from tests.companion.referee.test_referee import DOWN, SLOTS, RefereedTable, phases, up


def spoken(table):
    return [(said.kind, said.rules, str(said.message)) for said in table.referee.said]


def test_an_act_is_written_down_and_shown_as_what_it_is():
    table = RefereedTable()
    effects = table.tap("referee", "award", player="Ben", points=-5, why="looked")

    assert table.lines == [{"referee": "award", "player": "Ben", "points": -5, "why": "looked", "at": 0.0}]
    said = next(effect for effect in effects if isinstance(effect, Said))
    assert (said.kind, said.rules, said.line) == ("act", ("TABLE-5",), 2)
    shown = page(table.referee, None, "en", 0.0)
    assert [(each.kind, each.text, each.players) for each in shown.said] == [
        ("act", "The referee takes 5 points from Ben: looked", ("Ben",))
    ]
    assert shown.moves == 1


def test_what_follows_from_an_act_is_a_ruling():
    table = RefereedTable(end={"points": 5})
    table.tap("referee", "award", player="Ben", points=5, why="fair play")

    assert [kind for kind, _, _ in spoken(table)] == ["act", "ruling", "ruling"]
    assert table.referee.stage == "over"


def test_an_act_is_taken_back_like_a_move():
    table = RefereedTable()
    table.tap("referee", "award", player="Ben", points=-5, why="looked")
    table.tap("referee", "undo", moves=1, why="did not")

    assert table.match.facts["scores"] == {"Aki": 0, "Ben": 0}


@pytest.mark.parametrize(
    ("what", "data"),
    [
        ("time", {"seconds": 60, "why": "late"}),
        ("award", {"player": "Aki", "points": 5, "why": "me"}),
        ("rule", {"say": "I win."}),
        ("end", {"how": "agreed", "why": "I win"}),
        ("rename", {"player": "Ben", "name": "Bea"}),
    ],
)
def test_a_player_cannot_do_what_only_the_referee_may(what, data):
    table = RefereedTable()

    assert table.refusal("Aki", what, **data).rules == ("TABLE-4",)
    assert table.lines == []
    assert table.match.moves == 0


def test_a_refused_act_is_answered_and_leaves_no_line():
    table = RefereedTable(end={"actions": 3})

    assert table.refusal("referee", "time", seconds=60, why="late").rules == ("TABLE-5",)
    assert table.refusal("referee", "award", points=5).rules == ("TABLE-4",)
    assert table.refusal("referee", "rule", referee="end", how="agreed", why="late").rules == ("TABLE-4",)
    assert table.lines == []


def test_a_full_disk_keeps_an_act_from_counting():
    table = RefereedTable()
    table.disk_full = True

    assert table.refusal("referee", "rename", player="Ben", name="Bea").rules == ()
    assert table.match.players == ("Aki", "Ben")


def test_the_rules_know_how_much_was_played_before_time_is_taken():
    table = RefereedTable(end={"time": 60}).revealing()
    reached = table.referee.clock.read(table.now)
    table.tap("referee", "time", seconds=-1000, why="the hall closes")

    assert 0 < reached < 10
    assert table.lines[-2] == {"clock": round(reached, 2)}
    assert table.match.over
    assert table.match.game.rules.time_limit(table.match.state) == pytest.approx(reached)


def test_a_match_that_time_had_ended_goes_on_and_so_does_its_clock():
    table = RefereedTable(end={"time": 30}).shown()
    table.wait(60)
    assert table.referee.stage == "over"
    assert not table.referee.clock.running
    table.tap("referee", "time", seconds=30, why="a dispute")

    assert table.referee.stage == "placing"
    assert table.referee.clock.running
    assert table.referee.phase("Aki") == "placing"
    table.wait(20)
    assert not table.match.over
    table.wait(20)
    assert table.match.over


def test_a_paused_match_stays_paused_when_time_is_added():
    table = RefereedTable(end={"time": 30}).shown()
    table.tap("referee", "pause")
    table.tap("referee", "time", seconds=30, why="a dispute")

    assert not table.referee.clock.running


def test_a_match_that_is_ended_in_the_middle_of_the_count_is_over():
    table = RefereedTable().locked()
    table.wait(1)
    assert table.referee.stage == "countdown"
    table.tap("referee", "end", how="abandoned", why="fire alarm")

    assert table.referee.stage == "over"
    assert page(table.referee, None, "en", table.now).view.winners == ()
    table.tap("referee", "undo", moves=1, why="a false alarm")
    assert table.referee.stage == "placing"


def test_a_player_with_a_new_name_plays_on_with_cards_panel_and_lock():
    """The camera still calls the places by the names that they were laid out with."""
    table = RefereedTable().armed()
    for slot in SLOTS:
        table.lay(f"Ben.{slot}", DOWN)
    table.press(1)
    assert table.referee.ready == {"Ben"}
    table.tap("referee", "rename", player="Ben", name="Bea")

    assert table.referee.ready == {"Bea"}
    assert table.referee.phase("Bea") == "locked"
    for slot in SLOTS:
        table.lay(f"Aki.{slot}", DOWN)
    table.press(0)
    table.wait(COUNT)
    for name in ("Aki", "Ben"):
        table.lay(f"{name}.weapon", SeenCard("katana", True))
    assert table.match.facts["players"]["Bea"]["weapon"] == "katana"
    assert table.lines[-1]["by"] in ("Aki", "Bea")
    table.press(0)
    table.press(1)
    table.wait(COUNT)
    table.lay("Aki.action1", up("move"))
    table.lay("Ben.action1", up("move"))
    assert table.match.facts["set"] == 1


def test_a_card_that_moves_after_a_new_name_is_still_called():
    table = RefereedTable().armed()
    for slot in SLOTS:
        table.lay(f"Ben.{slot}", DOWN)
    table.press(1)
    table.tap("referee", "rename", player="Ben", name="Bea")
    effects = table.lay("Ben.action1")

    assert (1, "refused", 0) in phases(effects)
    assert [text for kind, _, text in spoken(table) if kind == "call"] == [
        "A card of Bea was moved after ready: put it right and press ready again."
    ]


def test_a_question_about_a_card_follows_the_new_name():
    table = RefereedTable().armed()
    table.lay("Ben.weapon", SeenCard(None, True, guesses=("katana", "bo_staff")))
    table.tap("referee", "rename", player="Ben", name="Bea")

    assert [question.zone for question in page(table.referee, "referee", "en", 0.0).questions] == ["Bea.weapon"]
    table.tap("Bea", "correct", zone="Bea.weapon", card=None)
    assert table.referee.unsure == {}
    table.look()
    assert table.referee.unsure == {}


def test_lights_of_a_renamed_player_go_to_the_same_seat():
    table = RefereedTable().armed()
    table.tap("referee", "rename", player="Ben", name="Bea")
    effects = table.tap("Bea", "move", move="arm", weapons=["katana"])

    assert [light.seat for light in effects if isinstance(light, Light) and light.phase == "refused"] == [1]


def test_what_was_tapped_replays():
    import msgspec

    table = RefereedTable().armed()
    table.tap("referee", "rename", player="Ben", name="Bea")
    table.tap("referee", "award", player="Bea", points=3, why="fair play")
    table.tap("referee", "rule", say="Pawns stand in the middle.")
    table.tap("referee", "undo", moves=1, why="they need not")
    table.tap("referee", "end", how="conceded", player="Aki", why="tired")
    header = {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"], "options": {}}

    again = Replay(b"\n".join(map(msgspec.json.encode, [header, *table.lines]))).finish()
    assert again.facts == table.match.facts
    assert again.facts["winners"] == ["Bea"]

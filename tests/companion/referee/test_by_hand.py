"""Taking back, putting a misread move right, conceding, and calling the referee, at a running table."""

import pytest

from companion.core.events import Light
from companion.core.layout import SeenCard
from companion.games import game
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.attention import NOTED_EVERY
from companion.referee.referee import Referee
from companion.referee.reveal import COUNT
from companion.referee.table_view import page, undoing
from tests.companion.referee.test_acts_of_the_referee import spoken
from tests.companion.referee.test_referee import RefereedTable, phases, up


def struck(table):
    return [each.text for each in page(table.referee, None, "en", table.now).said if each.taken_back]


def moved(table):
    """Both turn up a step forward, read by the camera."""
    table.lay("Aki.action1", up("move"))
    table.lay("Ben.action1", up("move"))
    return table


# --- taking back ----------------------------------------------------------------------------------------------------


def test_rulings_that_were_taken_back_stay_and_are_struck_through():
    table = RefereedTable().armed()
    table.tap("referee", "award", player="Ben", points=-5, why="looked")
    assert struck(table) == []
    table.tap("referee", "undo", moves=1, why="did not")

    assert struck(table) == ["The referee takes 5 points from Ben: looked"]
    assert "Aki has chosen the weapons of this match." in str(spoken(table))


def test_a_new_name_is_not_struck_through_when_the_moves_around_it_are():
    table = RefereedTable()
    table.tap("referee", "award", player="Ben", points=1, why="fair")
    table.tap("referee", "rename", player="Ben", name="Bea")
    table.tap("referee", "undo", moves=1, why="unfair")

    assert struck(table) == ["The referee gives Ben 1 point: fair"]


def test_after_taking_back_the_page_says_what_to_put_back_until_somebody_moves():
    table = moved(RefereedTable().revealing())
    table.tap("referee", "undo", moves=2, why="too early")

    shown = page(table.referee, None, "en", table.now)
    assert shown.put_back
    assert shown.said[-1].text == f"Put back on the table: {'; '.join(shown.put_back)}"
    table.tap("referee", "rule", say="Carefully.")
    assert page(table.referee, None, "en", table.now).put_back
    table.press(0)
    table.press(1)
    table.wait(COUNT)
    moved(table)
    assert page(table.referee, None, "en", table.now).put_back == ()


def test_a_preview_tells_what_would_be_undone_and_changes_nothing():
    table = moved(RefereedTable().revealing())
    facts = table.match.facts
    told = undoing(table.referee, 2, "en")

    assert "Aki moves to e2 (Move)." in [each.text for each in told.undoes]
    assert told.put_back
    assert table.match.facts == facts


def test_a_preview_tells_nothing_of_a_sealed_move_but_that_it_was_made():
    table = RefereedTable().revealing()
    table.tap("Aki", "move", move="reveal", card="leap", direction="F")

    told = undoing(table.referee, 1, "en")
    assert [each.text for each in told.undoes] == ["Aki: turn up the action."]
    assert "leap" not in str(told).lower()


def test_a_game_that_says_only_how_moves_look_gets_its_cards_put_back_by_that():
    match = Match(game("high_card"), ["Aki", "Ben"], {})
    referee = Referee(RecordedMatch(match, lambda fields: 1))
    for player in match.players:
        match.move(player, match.decode({"move": "lay"}))
    match.move("Aki", match.decode({"move": "turn_up", "card": "red-5"}))

    assert undoing(referee, 1, "en").put_back == ("Aki: Card: a card, face down",)
    assert undoing(referee, 3, "en").put_back == ("Aki: Card: nothing", "Ben: Card: nothing")


@pytest.mark.parametrize("undo", [True, False])
def test_a_match_that_time_had_ended_goes_on_with_time_added(undo):
    table = RefereedTable(end={"time": 30}).shown()
    table.wait(60)
    assert table.match.over
    if undo:
        table.tap("referee", "undo", moves=1, why="a dispute")
    table.tap("referee", "time", seconds=60, why="a dispute")

    assert not table.match.over
    table.tap("referee", "resume")
    table.wait(20)
    assert not table.match.over
    table.wait(60)
    assert table.match.over


# --- a reading that became a move -----------------------------------------------------------------------------------


def test_a_correction_of_a_card_that_became_a_move_is_answered_with_an_offer_and_one_tap_makes_it_right():
    table = moved(RefereedTable().revealing())
    assert table.match.facts["players"]["Aki"]["cell"] == "e2"
    table.tap("referee", "correct", zone="Aki.action1", card="attack")

    assert table.match.facts["players"]["Aki"]["cell"] == "e2"
    assert page(table.referee, "Ben", "en", table.now).offer == ""
    assert page(table.referee, "referee", "en", table.now).offer.startswith("The card at ")
    table.tap("referee", "mend", accept=True, why="a card was misread")

    facts = table.match.facts
    assert facts["players"]["Aki"]["cell"] == "e1"
    assert facts["players"]["Ben"]["cell"] == "e8"
    assert [line for line in table.lines if "undo" in line] == [{"undo": 2, "why": "a card was misread"}]
    assert [(line["by"], line["card"]) for line in table.lines[-2:]] == [("Aki", "attack"), ("Ben", "move")]
    assert page(table.referee, "referee", "en", table.now).offer == ""
    table.look()
    assert facts == table.match.facts


def test_an_offer_can_be_declined_and_is_out_of_date_once_something_was_done():
    table = moved(RefereedTable().revealing())
    table.tap("referee", "correct", zone="Aki.action1", card="attack")
    table.tap("referee", "mend", accept=False)
    assert table.match.facts["players"]["Aki"]["cell"] == "e2"
    assert table.refusal("referee", "mend", accept=True).rules == ("TABLE-4",)

    table.tap("referee", "correct", zone="Aki.action1", card="attack")
    table.tap("referee", "award", player="Ben", points=1, why="fair")
    assert table.refusal("referee", "mend", accept=True).rules == ("TABLE-4",)
    assert not any("undo" in line for line in table.lines)


def test_what_came_after_a_misread_move_is_named_in_the_offer():
    table = moved(RefereedTable().revealing())
    table.tap("referee", "rule", say="Gently.")
    table.tap("referee", "correct", zone="Ben.action1", card="attack")

    assert "1 later move would be taken back with it." in page(table.referee, "referee", "en", table.now).offer
    table.tap("referee", "mend", accept=True)
    assert table.match.facts["players"]["Ben"]["cell"] == "e9"


def test_a_card_that_is_no_legal_move_when_corrected_can_still_be_taken_back():
    table = moved(RefereedTable().revealing())
    table.tap("referee", "correct", zone="Aki.action1", card="block")

    assert "no move that may be made" in page(table.referee, "referee", "en", table.now).offer
    table.tap("referee", "mend", accept=True)
    assert table.match.facts["players"]["Aki"]["cell"] == "e1"
    assert table.match.facts["players"]["Ben"]["cell"] == "e9"


def test_a_player_who_corrects_a_card_that_became_a_move_is_sent_to_the_referee():
    table = moved(RefereedTable().revealing())

    refusal = table.refusal("Aki", "correct", zone="Aki.action1", card="attack")
    assert str(refusal.message).endswith("Call the referee to put it right.")
    assert table.refusal("Aki", "mend", accept=True).rules == ("TABLE-4",)


# --- conceding ------------------------------------------------------------------------------------------------------


def test_a_player_concedes_and_the_kifu_has_the_end():
    table = RefereedTable()
    table.tap("Ben", "concede", why="late")

    assert table.lines == [{"referee": "end", "how": "conceded", "player": "Ben", "why": "late", "at": 0.0}]
    assert table.match.facts["winners"] == ["Aki"]
    assert table.refusal("Aki", "concede").rules == ("TABLE-5",)
    assert table.refusal("referee", "concede").rules == ("TABLE-4",)


def test_where_the_game_has_a_move_for_conceding_that_is_made():
    table = RefereedTable(knock_out=10).armed()
    table.tap("Ben", "concede")

    assert {name: value for name, value in table.lines[-1].items() if name != "at"} == {"by": "Ben", "move": "concede"}


# --- calling the referee --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["tap", "panel"])
def test_whoever_calls_the_referee_is_shown_on_page_and_light_until_it_is_answered(by):
    table = RefereedTable().armed()
    effects = table.tap("Ben", "call") if by == "tap" else table.press(1, "call")

    assert (1, "call", 0) in phases(effects)
    assert page(table.referee, None, "en", table.now).calls == {"Ben": table.now}
    assert table.lines[-1] == {"note": "Ben calls the referee.", "at": 0.0}
    assert table.tap("Ben", "call") == []
    effects = table.tap("referee", "answer", player="Ben")
    assert (1, "placing", 0) in phases(effects)
    assert page(table.referee, None, "en", table.now).calls == {}
    assert table.sentences[-2:] == ["Ben calls the referee.", "The referee comes to Ben."]
    assert table.refusal("referee", "answer", player="Ben").rules == ("TABLE-4",)


def test_a_call_gives_way_to_the_count_of_three_and_is_shown_again():
    table = RefereedTable().locked()
    effects = table.tap("Ben", "call")
    assert not any(isinstance(effect, Light) for effect in effects)
    effects = table.wait(COUNT)
    for name in table.match.players:
        effects = table.lay(f"{name}.weapon", SeenCard("katana", True))
    assert (1, "call", 0) in phases(effects)


def test_a_player_can_take_the_call_back_and_cannot_fill_the_kifu_by_calling():
    table = RefereedTable()
    for _ in range(5):
        table.tap("Ben", "call")
        table.tap("Ben", "answer")
    assert len(table.lines) == 1
    table.now += NOTED_EVERY
    table.tap("Ben", "call")
    assert len(table.lines) == 2


def test_a_call_follows_a_new_name():
    table = RefereedTable()
    table.tap("Ben", "call")
    table.tap("referee", "rename", player="Ben", name="Bea")

    assert list(page(table.referee, None, "en", table.now).calls) == ["Bea"]
    table.tap("Bea", "answer")
    assert table.referee.attention.calls == {}


# --- who is awaited -------------------------------------------------------------------------------------------------


def test_the_page_knows_since_when_somebody_is_awaited():
    table = RefereedTable()
    table.wait(5)
    table.tap("Aki", "move", move="arm", weapons=["katana"])
    table.wait(5)

    waits = page(table.referee, None, "en", table.now).waits
    assert waits["Aki"] == 5.0
    assert waits["Ben"] == 0.25


@pytest.mark.parametrize(
    ("name", "players", "able"),
    [("sen_so", ("Aki", "Ben"), ("Aki", "Ben")), ("sensu", ("Aki", "Ben"), ()), ("sensu", ("Aki",), ("Aki",))],
)
def test_the_desk_is_told_whom_points_can_be_given_to(name, players, able):
    referee = Referee(RecordedMatch(Match(game(name), players), lambda fields: 1))

    assert page(referee, "referee", "en", 0.0).awards == able
    assert page(referee, None, "en", 0.0).awards == ()

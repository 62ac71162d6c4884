"""Replay holds a kifu to what it says of itself."""

import msgspec
import pytest

from companion import kifu
from companion.replay import MISSING, Broken, Replay, look_up, same

HEADER = {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]}
ARMS = {"by": "Aki", "move": "arm", "weapons": ["katana"]}


def replay(*lines):
    return Replay(b"\n".join(msgspec.json.encode(line) for line in lines))


def broken(*lines):
    with pytest.raises(Broken) as trouble:
        replay(*lines).finish()
    return trouble.value


def test_each_line_is_given_back_with_its_rulings_and_its_number():
    played = list(replay(HEADER, ARMS, {"expect": {"players.Aki.loadout": ["katana"]}}))

    assert [each.number for each in played] == [1, 2, 3]
    assert [[ruling.rule for ruling in each.rulings] for each in played] == [[], ["SEN-10"], []]


def test_a_foretold_refusal_must_come_and_changes_nothing():
    too_much = {"by": "Aki", "move": "arm", "weapons": ["katana", "nunchaku", "bo_staff"]}
    played = list(replay(HEADER, {**too_much, "refused": "SEN-10"}, ARMS))
    assert played[1].refusal is not None
    assert played[1].refusal.rules == ("SEN-10",)

    assert "line 2: it should be refused by SEN-10, and is allowed" in str(
        broken(HEADER, {**ARMS, "refused": "SEN-10"})
    )


def test_any_one_of_the_foretold_rules_will_do_and_another_will_not():
    early = {"by": "Aki", "move": "show", "weapon": "katana"}
    replay(HEADER, {**early, "refused": ["SEN-99", "TABLE-3"]}).finish()

    trouble = broken(HEADER, {**early, "refused": ["SEN-99", "SEN-58"]})
    assert "refused for another reason" in trouble.reason
    assert trouble.rules == ("SEN-13", "SEN-9", "TABLE-3")


def test_a_refusal_that_was_not_foretold_breaks_the_replay_with_its_rule():
    trouble = broken(HEADER, {"by": "Zoe", "move": "arm", "weapons": []})

    assert (trouble.number, trouble.rules) == (2, ("TABLE-4",))
    assert str(trouble) == "line 2: There is no player called Zoe in this match. [TABLE-4]"


@pytest.mark.parametrize(
    ("header", "rule"),
    [
        ({"players": ["Aki"]}, "SEN-5"),
        ({"players": ["Aki", "Aki"]}, "TABLE-4"),
        ({"options": {"bored": [9, 9]}}, "TABLE-4"),
        ({"options": {"starts": {"Aki": "z99"}}}, "SEN-3"),
        ({"game": "go"}, "TABLE-4"),
        ({"colour": "red"}, "TABLE-4"),
    ],
)
def test_an_illegal_header_is_refused_with_its_rule_and_may_foretell_it(header, rule):
    trouble = broken({**HEADER, **header})
    assert trouble.number == 1
    assert rule in trouble.rules

    foretold = replay({**HEADER, **header, "refused": rule})
    assert [each.refusal.rules for each in foretold if each.refusal] == [trouble.rules]
    assert foretold.match is None


def test_after_a_refused_header_there_is_no_match_to_play():
    header = {**HEADER, "players": ["Aki"], "refused": "SEN-5"}

    assert broken(header, ARMS).number == 2
    assert "as the header says" in broken(header).reason


def test_a_legal_header_that_should_be_refused_breaks_the_replay():
    assert "and is allowed" in broken({**HEADER, "refused": "SEN-5"}).reason


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        ("players.Aki.cell", "e2", 'players.Aki.cell should be "e2", and is "e1"'),
        ("players.Zoe.cell", "e2", "there is no such thing"),
        ("scores", {"Aki": 0}, "and is"),
        ("over", 0, "over should be 0, and is false"),
        ("set", False, "set should be false, and is 0"),
        ("awaits.Aki.1", "arm", "there is no such thing"),
    ],
)
def test_an_expectation_that_does_not_hold_is_named(path, value, reason):
    assert reason in broken(HEADER, {"expect": {path: value}}).reason


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("players.Aki.cell", "e1"),
        ("scores", {"Aki": 0, "Ben": 0}),
        ("awaits.Aki", ["arm"]),
        ("awaits.Ben.0", "arm"),
        ("players.Aki.weapon", None),
        ("clock", 0),
        ("winners", []),
    ],
)
def test_an_expectation_reaches_anything_in_the_state_by_its_path(path, value):
    replay(HEADER, {"expect": {path: value}}).finish()


def test_a_name_with_a_dot_in_it_is_found():
    facts = {"scores": {"Dr. No": 3, "Dr": {" No": 4}}}

    assert look_up(facts, "scores.Dr. No") == 3
    assert look_up(facts, "scores.Dr.No") is MISSING
    assert look_up(5, "scores") is MISSING


def test_numbers_are_the_same_whatever_their_form_and_true_is_no_number():
    assert same(5, 5.0)
    assert same((1, [2]), [1, [2]])
    assert not same(True, 1)
    assert not same({"a": [True]}, {"a": [1]})


def test_undo_takes_back_accepted_moves_and_skips_refused_ones_and_checks():
    match = replay(
        HEADER,
        ARMS,
        {"by": "Ben", "move": "arm", "weapons": []},
        {"by": "Ben", "move": "arm", "weapons": [], "refused": "SEN-9"},
        {"expect": {"awaits.Ben": ["set"]}},
        {"undo": 2, "why": "wrong box"},
        {"expect": {"players.Aki.loadout": [], "awaits.Ben": ["arm"]}},
        ARMS,
    ).finish()

    assert match.moves == 1


def test_undoing_more_than_there_is_breaks_the_replay():
    assert broken(HEADER, ARMS, {"undo": 2}).rules == ("TABLE-4",)


def test_a_clock_line_moves_the_match_clock_and_cannot_go_back():
    assert replay(HEADER, {"clock": 90}).finish().facts["clock"] == 90
    assert broken(HEADER, {"clock": 90}, {"clock": 89}).rules == ("TABLE-3",)


def test_what_is_no_kifu_is_not_replayed(tmp_path):
    with pytest.raises(kifu.NotAKifu):
        Replay.of(tmp_path / "none.kifu")
    with pytest.raises(kifu.NotAKifu, match="line 2"):
        replay(HEADER, ["a list"]).finish()


@pytest.mark.parametrize("line", [{"move": "arm", "weapons": []}, {"by": "Aki"}, {"by": "Aki", "weapons": []}])
def test_a_move_that_does_not_say_whose_or_which_it_is_is_refused(line):
    assert broken(HEADER, line).rules == ("TABLE-4",)
    replay(HEADER, {**line, "refused": "TABLE-4"}).finish()


def test_a_clock_that_goes_back_and_an_undo_of_nothing_may_be_foretold_too():
    lines = [{"clock": 5.0}, {"clock": 4.0, "refused": "TABLE-3"}, {"undo": 1, "refused": ["TABLE-4"]}]

    assert replay(HEADER, *lines, {"expect": {"clock": 5.0}}).finish().state.clock == 5.0


def test_the_referee_may_sign_an_undo_with_name_and_time():
    match = replay(HEADER, ARMS, {"undo": 1, "why": "misread", "by": "referee", "at": 12.5}).finish()

    assert match.moves == 0


def test_what_is_awaited_has_no_order():
    begun = [
        HEADER,
        ARMS,
        {"by": "Ben", "move": "arm", "weapons": []},
        {"by": "Aki", "move": "set", "slots": ["weapon", "block", "action1", "action2"]},
        {"by": "Ben", "move": "set", "slots": ["block", "action1", "action2"]},
        {"by": "Aki", "move": "show", "weapon": "katana"},
    ]
    replay(*begun, {"expect": {"awaits.Aki": ["reveal", "change_weapon", "change_block"]}}).finish()

    assert "awaits.Ben should be" in broken(*begun, {"expect": {"awaits.Ben": ["reveal"]}}).reason

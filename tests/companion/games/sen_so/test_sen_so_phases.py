"""The phases of a set, in their order, and the three ends of a match."""

import pytest


@pytest.mark.rule("SEN-17")
def test_blocks_change_before_weapons_and_both_before_the_reveal(bout):
    match = bout("Aki Ben Cho", weapons={"Aki": ["katana", "bo_staff"], "Ben": ["katana", "bo_staff"]})
    match.do("Aki", "change_weapon", weapon="bo_staff")

    assert match["awaits"] == {"Ben": ["change_weapon", "reveal"], "Cho": ["reveal"]}
    with match.refuses("SEN-17", "SEN-19", "TABLE-3"):
        match.do("Ben", "change_block")
    match.do("Cho", "reveal", card="move", direction="F")
    assert match["awaits"] == {"Ben": ["reveal"]}
    with match.refuses("SEN-17", "SEN-20", "TABLE-3"):
        match.do("Ben", "change_weapon", weapon="bo_staff")
    with match.refuses("SEN-17", "SEN-19", "TABLE-3"):
        match.do("Ben", "change_block")


@pytest.mark.rule("SEN-17", "SEN-23")
@pytest.mark.parametrize(
    ("move", "fields", "rule"),
    [
        ("change_block", {}, "SEN-19"),
        ("change_weapon", {"weapon": "bo_staff"}, "SEN-20"),
        ("reveal", {"card": "move", "direction": "F"}, "SEN-23"),
    ],
)
def test_each_player_plays_one_action_in_a_set(bout, move, fields, rule):
    for first in ("change_block", "reveal"):
        match = bout(weapons={"Aki": ["katana", "bo_staff"]})
        match.do("Aki", first, **({} if first == "change_block" else {"card": "attack", "direction": "F"}))

        with match.refuses(rule, "SEN-17", "TABLE-3"):
            match.do("Aki", move, **fields)


@pytest.mark.rule("SEN-17", "SEN-30")
def test_between_sets_only_second_actions_are_placed(bout):
    match = bout(weapons={"Aki": ["katana", "bo_staff"]}).set(Aki="move F", Ben="move F")

    assert match["phase"] == "select"
    assert match["awaits"] == {"Aki": ["set"], "Ben": ["set"]}
    for move, fields in (
        ("reveal", {"card": "move", "direction": "F"}),
        ("change_block", {}),
        ("change_weapon", {"weapon": "bo_staff"}),
    ):
        with match.refuses("SEN-17", "SEN-30", "TABLE-3"):
            match.do("Aki", move, **fields)


@pytest.mark.rule("SEN-18", "SEN-23")
def test_revealed_actions_are_held_until_the_last_one_and_their_order_makes_no_difference(bout):
    forth, back = bout(starts={"Aki": "e4", "Ben": "e6"}), bout(starts={"Aki": "e4", "Ben": "e6"})
    forth.do("Aki", "reveal", card="move", direction="F")
    assert forth.cells == ("e4", "e6")
    assert forth["awaits"] == {"Ben": ["reveal"]}
    forth.do("Ben", "reveal", card="attack", direction="F")
    back.do("Ben", "reveal", card="attack", direction="F")
    back.do("Aki", "reveal", card="move", direction="F")

    assert forth.cells == ("e5", "e6")
    assert forth.match.state == back.match.state


@pytest.mark.rule("SEN-19", "SEN-52", "SEN-R23")
def test_a_new_block_takes_the_place_of_an_open_one_unseen(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack L").guard(Ben="F")
    assert match["players.Ben.block"] == "F"

    match.set(Aki="move B", Ben="block")
    assert match["players.Ben.block"] == "hidden"
    changed = next(ruling for ruling in match.rulings if ruling.rule == "SEN-19")
    assert changed.changes == {"players.Ben.block": ("F", "hidden")}


@pytest.mark.rule("SEN-20", "SEN-R23", "SEN-R24")
def test_a_new_weapon_takes_the_place_of_the_old_which_may_come_back(bout):
    match = bout(weapons={"Aki": ["katana", "kau_sin_ke"]}).set(Aki="kau_sin_ke", Ben="move F")
    assert match["players.Aki.weapon"] == "kau_sin_ke"

    match.set(Aki="katana", Ben="move F")
    assert match["players.Aki.weapon"] == "katana"
    match.select()
    with match.refuses("SEN-20", "TABLE-1"):
        match.do("Aki", "change_weapon", weapon="katana")


@pytest.mark.rule("SEN-19", "SEN-20", "SEN-17")
@pytest.mark.parametrize(("card", "rule"), [("block", "SEN-19"), ("katana", "SEN-20"), ("bo_staff", "SEN-20")])
def test_blocks_and_weapons_are_not_revealed_as_actions(bout, card, rule):
    match = bout(weapons={"Aki": ["katana", "bo_staff"]})

    for direction in ("F", None):
        with match.refuses(rule, "SEN-17", "TABLE-4"):
            match.do("Aki", "reveal", card=card, direction=direction)


@pytest.mark.rule("SEN-21")
def test_a_shuriken_flies_after_the_moves(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e7"}, weapons={"Aki": ["shuriken"]})
    match.set(Aki="shuriken F", Ben="move R")

    assert match.scores == (0, 0), "Ben has stepped out of its way"


@pytest.mark.rule("SEN-22")
def test_who_changes_neither_block_nor_weapon_loses_nothing_by_it(bout):
    match = bout(weapons={"Aki": ["katana"]}).set(Aki="move F", Ben="move F")

    assert (match["players.Aki.weapon"], match["players.Aki.block"]) == ("katana", "hidden")
    assert not {"SEN-19", "SEN-20"} & set(match.rules)


@pytest.mark.rule("SEN-17")
def test_a_set_in_which_everybody_changes_something_ends_without_a_reveal(bout):
    match = bout(weapons={"Aki": ["katana", "bo_staff"]}).set(Aki="bo_staff", Ben="block")

    assert (match["set"], match["phase"]) == (1, "select")


@pytest.mark.rule("SEN-25", "SEN-24")
def test_collisions_are_settled_before_any_attack(bout):
    match = bout("Aki Ben Cho", starts={"Aki": "e4", "Ben": "d5", "Cho": "f5"})
    match.set(Aki="attack n", Ben="move e", Cho="move w")

    assert match.cells == ("e4", "d5", "f5")
    assert match.scores == (2, 0, 0), "both are next to e5 again when the attack falls on it"


@pytest.mark.rule("SEN-28")
def test_scoring_adds_up_all_attacks_of_the_set_and_discards_what_was_thrown(bout):
    match = bout("Aki Ben Cho", starts={"Aki": "e4", "Ben": "e6", "Cho": "f5"}, weapons={"Aki": ["shuriken"]})
    match.set(Aki="shuriken n", Ben="attack s", Cho="move n").guard(Ben=None)

    assert match.scores == (5, -5 + 2, 0)
    assert match["players.Aki.loadout"] == []


@pytest.mark.rule("SEN-29", "SEN-30")
def test_after_a_set_the_second_action_moves_up_and_a_new_one_is_placed(bout):
    match = bout().set(Aki="move F", Ben="move F")

    for slots in (["action1"], ["action1", "action2"], ["block"]):
        with match.refuses("SEN-29", "SEN-30", "TABLE-3"):
            match.do("Aki", "set", slots=slots)
    match.do("Aki", "set", slots=["action2"])
    assert match["awaits"] == {"Ben": ["set"]}
    with match.refuses("SEN-30", "TABLE-3"):
        match.do("Aki", "set", slots=["action2"])
    match.do("Ben", "set", slots=["action2"])
    assert match["phase"] == "pre_actions"
    with match.refuses("SEN-30", "TABLE-3"):
        match.do("Aki", "set", slots=["action2"])


@pytest.mark.rule("SEN-31")
def test_sets_follow_one_another_and_are_counted(bout):
    match = bout()
    for played in range(1, 8):
        match.set(Aki="attack F", Ben="attack F")
        assert (match["set"], match["over"]) == (played, False)


@pytest.mark.rule("SEN-70", "SEN-72", "SEN-R28")
def test_an_action_match_ends_after_so_many_sets_and_most_points_win(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}, end={"actions": 2})
    match.set(Aki="attack F", Ben="move L").set(Aki="attack L", Ben="attack FR").guard(Aki=None)

    assert match["set"] == 2
    assert (match["over"], match["winners"], match["awaits"]) == (True, ["Ben"], {})
    assert match.rules[-2:] == ["SEN-72", "SEN-70"]
    with match.refuses("SEN-70", "SEN-72", "TABLE-3"):
        match.do("Aki", "set", slots=["action2"])


@pytest.mark.rule("SEN-70", "SEN-R27")
def test_equal_points_win_together(bout):
    match = bout("Aki Ben Cho", starts={"Aki": "e4", "Cho": "e6", "Ben": "a1"}, end={"actions": 1})
    match.set(Aki="attack n", Ben="attack n", Cho="attack s")

    assert match.scores == (1, 0, 1)
    assert match["winners"] == ["Aki", "Cho"]


@pytest.mark.rule("SEN-73", "SEN-74", "SEN-R27", "SEN-I8")
def test_a_points_match_ends_after_the_scoring_in_which_somebody_gets_there_even_with_two_players(bout):
    match = bout("Aki Ben", starts={"Aki": "e4", "Ben": "e5"}, end={"points": 10})
    match.set(Aki="attack F", Ben="attack B").guard(Ben=None)
    assert (match.scores, match["over"], match["winners"]) == ((5, -5), False, [])

    match.set(Aki="attack F", Ben="attack B").guard(Ben=None)
    assert (match.scores, match["over"], match["winners"]) == ((10, -10), True, ["Aki"])
    assert match.rules[-2:] == ["SEN-73", "SEN-70"]


@pytest.mark.rule("SEN-73", "SEN-R27")
def test_when_several_reach_the_limit_together_the_highest_wins(bout):
    starts = {"Aki": "e4", "Ben": "d5", "Cho": "e6"}
    match = bout("Aki Ben Cho", starts=starts, end={"points": 1})
    match.set(Aki="attack n", Ben="attack se", Cho="attack w").guard(Aki=None)

    assert match.scores == (-5 + 2, 5, 1)
    assert match["winners"] == ["Ben"]


@pytest.mark.rule("SEN-71", "SEN-R27")
def test_half_an_hour_is_the_usual_limit_and_ends_the_match_at_once_between_sets(bout):
    match = bout().set(Aki="move F", Ben="move F")
    match.match.clock(1799.9)
    assert (match["clock"], match["over"]) == (1799.9, False)

    match.match.clock(1800.0)
    assert (match["over"], match["winners"]) == (True, ["Aki", "Ben"])


@pytest.mark.rule("SEN-71", "SEN-R27")
def test_a_set_that_has_begun_is_played_to_its_scoring_when_the_time_is_up(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}, end={"time": 60})
    match.do("Aki", "reveal", card="attack", direction="F")
    match.match.clock(60)
    match.match.clock(75)
    assert not match["over"]
    match.do("Ben", "reveal", card="attack", direction="L")
    assert not match["over"]

    match.guard(Ben="F")
    assert (match["over"], match["winners"], match["clock"]) == (True, ["Aki"], 75)


@pytest.mark.rule("SEN-71")
@pytest.mark.parametrize("stage", ["aim", "guard", "changed"])
def test_aims_guards_and_changes_are_parts_of_a_set_that_has_begun(bout, stage):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}, weapons={"Aki": ["bo_staff"]}, end={"time": 60})
    if stage == "changed":
        match.do("Ben", "change_block")
        match.match.clock(61)
        match.do("Aki", "reveal", card="attack", direction="F")
        match.aim(Aki="e5").guard(Ben=None)
    else:
        match.set(Aki="attack F", Ben="attack B")
        if stage == "guard":
            match.aim(Aki="e5")
        match.match.clock(61)
        assert not match["over"]
        if stage == "aim":
            match.aim(Aki="e5")
        match.guard(Ben=None)

    assert (match["over"], match.scores) == (True, (5, -5))


@pytest.mark.rule("SEN-71")
def test_a_set_in_which_nobody_has_acted_has_not_begun(bout):
    match = bout(end={"time": 60})
    match.match.clock(60)

    assert match["over"]


@pytest.mark.rule("SEN-71")
def test_time_does_not_end_a_match_by_actions_or_points(bout):
    for end in ({"actions": 25}, {"points": 30}):
        match = bout(end=end)
        match.match.clock(7200)

        assert not match["over"]


@pytest.mark.rule("SEN-75")
def test_the_referee_keeps_the_score_sheet_and_every_point_on_it_has_its_ruling(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"})
    sheet = {"Aki": 0, "Ben": 0}
    for cards in ({"Aki": "attack F", "Ben": "attack B"}, {"Aki": "attack B", "Ben": "attack F"}):
        match.set(**cards).guard(**dict.fromkeys(match["awaits"]))
        for ruling in match.rulings:
            for path, (before, after) in ruling.changes.items():
                if path.startswith("scores."):
                    sheet[path.removeprefix("scores.")] += after - before

    assert match["scores"] == sheet == {"Aki": 5 - 5, "Ben": -5 + 5}
    match.set(Aki="move B", Ben="attack F")
    assert match.scores == (0, 1)


@pytest.mark.rule("SEN-76")
def test_advanced_modules_are_off_unless_the_header_asks_for_them(bout):
    options = bout().match.state.options

    assert (options.knock_out, options.advanced_knock_out, options.glancing, options.rotating_block) == (
        None,
        False,
        "attack",
        False,
    )


@pytest.mark.rule("SEN-R30")
def test_a_set_waits_for_an_action_of_every_player(bout):
    match = bout("Aki Ben Cho").set(Aki="move F", Ben="block")

    assert "reveal" in match["awaits.Cho"]
    assert (match["set"], match["players.Aki.cell"]) == (0, "e1")
    match.do("Cho", "reveal", card="move", direction="F")
    assert match["set"] == 1


@pytest.mark.rule("SEN-R22")
def test_a_new_weapon_counts_in_the_set_after_its_change(bout):
    match = bout(weapons={"Aki": ["katana", "kau_sin_ke"]}).set(Aki="kau_sin_ke", Ben="move L")
    match.set(Aki="attack F", Ben="move L")

    with match.refuses("SEN-40"):
        match.do("Aki", "aim", cell="e2")
    match.aim(Aki="e4")

"""The optional modules: Knock Out, glancing options, rotating block, dual wield."""

import pytest

SIDE_BY_SIDE = {"Aki": "e4", "Ben": "e5"}


def strike(match, times=1):
    """Aki strikes Ben, who has no block there."""
    for _ in range(times):
        match.set(Aki="attack F", Ben="attack B").guard(Ben=None)


@pytest.mark.rule("SEN-A1")
def test_in_a_knock_out_only_losses_count(bout):
    match = bout(starts=SIDE_BY_SIDE, knock_out=15)
    strike(match)

    assert match.scores == (0, -5)
    assert match["endurance"] == {"Aki": 15, "Ben": 10}
    match.set(Aki="attack R", Ben="attack L")
    assert match.scores == (0, -5), "glances give nothing"


@pytest.mark.rule("SEN-A1")
def test_a_player_without_endurance_is_out_and_the_last_one_in_wins(bout):
    match = bout(starts=SIDE_BY_SIDE, knock_out=15)
    strike(match, 2)
    assert not match["over"]
    strike(match)

    assert match.scores == (0, -15)
    assert (match["over"], match["winners"]) == (True, ["Aki"])
    assert match["players.Ben.cell"] is None
    with match.refuses("SEN-A1", "SEN-70", "TABLE-3"):
        match.do("Ben", "set", slots=["action2"])


@pytest.mark.rule("SEN-A1")
def test_who_is_out_leaves_the_board_and_the_others_play_on_through_the_empty_space(bout):
    starts = {"Aki": "e4", "Ben": "e5", "Cho": "a9"}
    match = bout("Aki Ben Cho", starts=starts, knock_out=5)
    match.set(Aki="attack n", Ben="block", Cho="block").guard(Ben=None)

    assert match["players.Ben.out"] is True
    assert match["awaits"] == {"Aki": ["set", "concede"], "Cho": ["set", "concede"]}
    with match.refuses("SEN-A1", "TABLE-3"):
        match.do("Ben", "set", slots=["action2"])
    match.set(Aki="move n", Cho="block")
    assert match["players.Aki.cell"] == "e5"
    assert "SEN-35" not in match.rules


@pytest.mark.rule("SEN-A1", "SEN-70")
def test_when_all_go_out_at_once_equal_losses_win_together(bout):
    match = bout(starts=SIDE_BY_SIDE, knock_out=5).set(Aki="attack F", Ben="attack F").guard(Aki=None, Ben=None)

    assert match.scores == (-5, -5)
    assert (match["over"], match["winners"]) == (True, ["Aki", "Ben"])


@pytest.mark.rule("SEN-A1", "SEN-70", "SEN-R27")
def test_when_all_go_out_at_once_the_fewest_losses_win(bout):
    match = bout("Aki Ben Cho", starts={"Aki": "e4", "Ben": "e5", "Cho": "f5"}, knock_out=5)
    match.set(Aki="attack n", Ben="attack e", Cho="attack sw").guard(Aki=None, Ben=None, Cho=None)
    assert match["winners"] == ["Aki", "Ben", "Cho"]

    match = bout("Aki Ben Cho Dai", starts={"Aki": "e4", "Ben": "e5", "Cho": "f5", "Dai": "a1"}, knock_out=5)
    match.do("Dai", "concede")
    match.set(Aki="attack n", Ben="attack s", Cho="attack w").guard(Aki=None, Ben=None)
    assert (match["winners"], match["scores.Cho"]) == (["Cho"], 0), "somebody is still in"


@pytest.mark.rule("SEN-A1")
def test_a_concession_ends_a_match_of_two_whatever_the_other_has_sealed(bout):
    match = bout(knock_out=30)
    match.do("Aki", "reveal", card="attack", direction="F")
    match.do("Ben", "concede")

    assert (match["over"], match["winners"], match["awaits"]) == (True, ["Aki"], {})
    assert (match.match.sealed, match["set"]) == ({}, 0), "what was sealed is not played any more"
    match.match.undo(1)
    assert match["awaits"] == {"Aki": ["concede"], "Ben": ["reveal", "concede"]}


@pytest.mark.rule("SEN-A1")
def test_when_the_last_one_awaited_concedes_the_sealed_actions_of_the_others_are_played(bout):
    match = bout("Aki Ben Cho", starts={"Aki": "e4", "Ben": "e5", "Cho": "a9"}, knock_out=30)
    match.do("Aki", "reveal", card="move", direction="B")
    match.do("Ben", "reveal", card="attack", direction="F")
    match.do("Cho", "concede")

    assert match["players.Aki.cell"] == "e3"
    assert match["set"] == 1
    assert match["awaits"] == {"Aki": ["set", "concede"], "Ben": ["set", "concede"]}


@pytest.mark.rule("SEN-A1")
def test_who_has_sealed_an_action_may_still_concede_and_the_action_is_void(bout):
    starts = {"Aki": "e4", "Ben": "a1", "Cho": "e5"}
    match = bout("Aki Ben Cho", starts=starts, knock_out=30)
    match.do("Aki", "reveal", card="attack", direction="F")
    match.do("Aki", "concede")
    match.do("Ben", "reveal", card="attack", direction="B")
    match.do("Cho", "reveal", card="attack", direction="B")

    assert match.scores == (0, 0, 0)
    assert match["set"] == 1


@pytest.mark.rule("SEN-A1")
@pytest.mark.parametrize("stage", ["setup", "show", "aim", "guard", "select"])
def test_a_concession_at_any_stage_lets_the_others_play_on(bout, stage):
    starts = {"Aki": "e4", "Ben": "a1", "Cho": "e5"}
    weapons = {"Aki": ["katana"], "Ben": ["katana"], "Cho": ["katana"]}
    match = bout("Aki Ben Cho", starts=starts, weapons=weapons, knock_out=30, armed=False)
    match.arm()
    if stage == "setup":
        match.do("Aki", "set", slots=["weapon", "block", "action1", "action2"])
        match.do("Ben", "set", slots=["weapon", "block", "action1", "action2"])
        match.do("Cho", "concede")
        assert match["awaits.Aki"] == ["show", "concede"]
        return
    match.lay()
    if stage == "show":
        match.do("Aki", "show", weapon="katana")
        match.do("Ben", "show", weapon="katana")
        match.do("Cho", "concede")
        assert match["phase"] == "pre_actions"
        assert match["players.Aki.weapon"] == "katana"
        return
    match.show()
    match.set(Aki="attack n", Ben="block", Cho="attack n")
    if stage == "aim":
        match.aim(Aki="e5")
        match.do("Cho", "concede")
        assert match["phase"] == "select"
        return
    match.aim(Aki="e5", Cho="e6")
    if stage == "guard":
        assert match["awaits.Cho"] == ["guard", "concede"]
        match.do("Aki", "concede")
        assert match["phase"] == "select", "nobody strikes Cho any more"
        assert match["scores.Cho"] == 0
        return
    match.guard(Cho=None)
    match.do("Aki", "set", slots=["action2"])
    match.do("Ben", "set", slots=["action2"])
    match.do("Cho", "concede")
    assert match["phase"] == "pre_actions"


@pytest.mark.rule("SEN-A1")
def test_only_a_knock_out_can_be_conceded(bout):
    match = bout()

    with match.refuses("SEN-A1", "TABLE-3"):
        match.do("Aki", "concede")


@pytest.mark.rule("SEN-A1", "SEN-71", "SEN-R27")
def test_a_knock_out_has_a_time_limit_too_and_then_the_fewest_losses_win_among_those_in(bout):
    match = bout("Aki Ben Cho", starts={"Aki": "e4", "Ben": "e5", "Cho": "a9"}, knock_out=10)
    match.set(Aki="attack n", Ben="block", Cho="block").guard(Ben=None)
    match.do("Aki", "concede")
    match.match.clock(1800)

    assert (match["over"], match["winners"]) == (True, ["Cho"])


@pytest.mark.rule("SEN-A2")
def test_an_advanced_knock_out_keeps_score_apart_and_the_highest_score_wins_in_the_end(bout):
    match = bout(starts=SIDE_BY_SIDE, knock_out=5, advanced_knock_out=True)
    match.set(Aki="attack B", Ben="attack F").guard(Aki="F")
    match.set(Aki="attack B", Ben="attack F")
    strike(match)

    assert match["scores"] == {"Aki": 5, "Ben": 10}
    assert match["endurance"] == {"Aki": 5, "Ben": 0}
    assert match["players.Ben.out"]
    assert match["winners"] == ["Ben"]


@pytest.mark.rule("SEN-A2")
def test_an_advanced_knock_out_needs_an_endurance(bout, refused):
    with refused("SEN-A2"):
        bout(advanced_knock_out=True)


@pytest.mark.rule("SEN-A3")
@pytest.mark.parametrize(
    ("glancing", "scores"),
    [("attack", (2, 0, 0)), ("wound", (0, -1, -1)), ("blow", (2, -1, -1)), ("none", (0, 0, 0))],
)
def test_what_a_glance_is_worth_is_an_option(bout, glancing, scores):
    starts = {"Aki": "e4", "Ben": "d6", "Cho": "f6"}
    match = bout("Aki Ben Cho", starts=starts, glancing=glancing).set(Aki="attack n", Ben="block", Cho="block")

    assert match.scores == scores


@pytest.mark.rule("SEN-A3")
@pytest.mark.parametrize(("result", "scores"), [("attack", (1, 0)), ("wound", (0, -1)), ("blow", (1, -1))])
def test_the_attacker_decides_where_the_option_says_choice(bout, result, scores):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}, glancing="choice").set(Aki="attack F", Ben="block")
    assert match["awaits"] == {"Aki": ["glance"]}
    with match.refuses("SEN-A3", "TABLE-3"):
        match.do("Ben", "glance", result="attack")
    match.do("Aki", "glance", result=result)

    assert match.scores == scores


@pytest.mark.rule("SEN-A3", "SEN-61", "SEN-R18")
def test_nobody_decides_on_a_hit_though_others_stand_next_to_it_or_on_a_miss(bout):
    match = bout("Aki Ben Cho", starts={**SIDE_BY_SIDE, "Cho": "d6"}, glancing="choice")
    match.set(Aki="attack n", Ben="block", Cho="block")
    assert match["awaits"] == {"Ben": ["guard"]}

    match.guard(Ben=None).set(Aki="attack s", Ben="block", Cho="block")
    assert match["phase"] == "select"


@pytest.mark.rule("SEN-A1", "SEN-A3")
def test_wounding_glances_wear_endurance_down(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}, glancing="wound", knock_out=2)
    match.set(Aki="attack F", Ben="block").set(Aki="attack F", Ben="block")

    assert (match["over"], match["winners"], match.scores) == (True, ["Aki"], (0, -2))


@pytest.mark.rule("SEN-A4")
def test_an_open_block_turns_by_one_angle_in_the_pre_actions_once_a_set(bout):
    match = bout(starts=SIDE_BY_SIDE, rotating_block=True)
    with match.refuses("SEN-A4", "TABLE-3"):
        match.do("Ben", "rotate_block", direction="F")
    match.set(Aki="attack F", Ben="attack B").guard(Ben="F")
    match.select()
    assert "rotate_block" in match["awaits.Ben"]
    for too_far in ("F", "R", "B"):
        with match.refuses("SEN-A4"):
            match.do("Ben", "rotate_block", direction=too_far)
    match.do("Ben", "rotate_block", direction="FL")
    with match.refuses("SEN-A4", "TABLE-3"):
        match.do("Ben", "rotate_block", direction="L")
    match.set(Aki="attack F", Ben="attack B")

    assert match["players.Ben.block"] == "FL"
    assert match.scores == (10, -5), "the turned block does not face Aki any more"


@pytest.mark.rule("SEN-A4")
def test_blocks_do_not_turn_unless_the_option_is_agreed_on(bout):
    match = bout(starts=SIDE_BY_SIDE).set(Aki="attack F", Ben="attack B").guard(Ben="F")
    match.select()

    with match.refuses("SEN-A4", "TABLE-3"):
        match.do("Ben", "rotate_block", direction="FL")


CHAINS = {"Aki": ["nunchaku", "kau_sin_ke", "katana"], "Ben": []}


@pytest.mark.rule("SEN-A5")
def test_a_second_weapon_takes_the_place_of_the_block_and_both_patterns_count(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}, weapons={"Aki": ["nunchaku", "kau_sin_ke"]}, dual_wield=True)
    match.do("Aki", "second_weapon", weapon="kau_sin_ke")
    match.do("Ben", "reveal", card="attack", direction="F")

    assert (match["players.Aki.second"], match["players.Aki.block"]) == ("kau_sin_ke", None)
    match.set(Aki="attack F", Ben="attack B")
    assert match["awaits"] == {"Aki": ["aim"]}
    match.do("Aki", "aim", cell="e6")
    match.do("Ben", "guard", direction=None)
    assert match.scores == (5, -4), "two ahead is the Kau sin ke's; Ben had grazed Aki before"


@pytest.mark.rule("SEN-A5")
def test_with_a_second_weapon_nothing_is_blocked_until_a_block_is_back(bout):
    match = bout(starts=SIDE_BY_SIDE, weapons={"Aki": ["nunchaku", "kau_sin_ke"]}, dual_wield=True)
    match.do("Aki", "second_weapon", weapon="kau_sin_ke")
    match.do("Ben", "reveal", card="attack", direction="F")
    assert match.scores == (-5, 5), "nobody is asked for a block that is not there"

    match.set(Aki="block", Ben="attack F")
    assert match["players.Aki.second"] is None
    assert match["awaits"] == {"Aki": ["guard"]}


@pytest.mark.rule("SEN-A5")
def test_two_hands_hold_no_more_than_two_hands_take(bout):
    match = bout(weapons=CHAINS | {"Aki": ["katana", "nunchaku", "shuriken"]}, dual_wield=True)
    with match.refuses("SEN-A5"):
        match.do("Aki", "second_weapon", weapon="nunchaku")
    with match.refuses("SEN-2", "SEN-A5"):
        match.do("Aki", "second_weapon", weapon="shuriken")
    with match.refuses("TABLE-1", "SEN-A5"):
        match.do("Aki", "second_weapon", weapon="katana")

    printed = bout(weapons={"Aki": ["katana", "nunchaku"]}, dual_wield=True, hands={"katana": 1})
    printed.do("Aki", "second_weapon", weapon="nunchaku")
    assert printed["players.Aki.second"] == "nunchaku"


@pytest.mark.rule("SEN-A5")
def test_the_active_weapon_changes_only_to_one_that_the_other_hand_leaves_room_for(bout):
    match = bout(weapons={"Aki": ["nunchaku", "kau_sin_ke", "bo_staff"]}, dual_wield=True)
    match.do("Aki", "second_weapon", weapon="kau_sin_ke")
    match.do("Ben", "reveal", card="move", direction="L")
    match.select()

    with match.refuses("SEN-A5"):
        match.do("Aki", "change_weapon", weapon="bo_staff")
    with match.refuses("TABLE-1", "SEN-20"):
        match.do("Aki", "change_weapon", weapon="kau_sin_ke")


@pytest.mark.rule("SEN-A5")
def test_a_second_weapon_is_refused_where_it_is_not_agreed_on(bout):
    match = bout(weapons={"Aki": ["nunchaku", "kau_sin_ke"]})
    with match.refuses("SEN-A5", "TABLE-3"):
        match.do("Aki", "second_weapon", weapon="kau_sin_ke")

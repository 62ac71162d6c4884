"""Blocks and points, with the booklet's worked examples."""

import pytest

AROUND = {"F": "e6", "FR": "f6", "R": "f5", "BR": "f4", "B": "e4", "BL": "d4", "L": "d5", "FL": "d6"}
"""Where an attacker stands, as Aki on e5 sees it."""
REVERSE = {"e6": "s", "f6": "sw", "f5": "w", "f4": "nw", "e4": "n", "d4": "ne", "d5": "e", "d6": "se"}


@pytest.mark.rule("SEN-53", "SEN-54", "SEN-59", "SEN-65")
@pytest.mark.parametrize(("side", "cell"), AROUND.items())
def test_a_block_on_the_side_the_blow_comes_from_saves_the_points_in_all_eight_directions(bout, side, cell):
    match = bout(starts={"Aki": "e5", "Ben": cell})
    match.set(Aki="block", Ben=f"attack {REVERSE[cell]}")
    wrong = next(other for other in AROUND if other != side)
    with match.refuses("SEN-55", "SEN-53"):
        match.do("Aki", "guard", direction=wrong)
    match.guard(Aki=side)

    assert match.scores == (0, 5)
    assert match["players.Aki.block"] == side
    assert {"SEN-55", "SEN-59"} <= set(match.rules)


@pytest.mark.rule("SEN-53", "SEN-4")
@pytest.mark.parametrize(("player", "side"), [("Aki", "F"), ("Ben", "L"), ("Cho", "B"), ("Dai", "R")])
def test_the_side_is_named_from_the_defenders_own_alignment(bout, player, side):
    """The same blow from the north on each of the four."""
    names = ["Aki", "Ben", "Cho", "Dai"]
    attacker = next(name for name in names if name != player)
    starts = dict(zip(names, ("a1", "a9", "i1", "i9"), strict=True)) | {player: "e5", attacker: "e6"}
    match = bout(" ".join(names), starts=starts)
    match.set(**{name: "attack s" if name == attacker else "block" for name in names})
    match.guard(**{player: side})

    assert match[f"scores.{player}"] == 0
    assert match[f"scores.{attacker}"] == 5


@pytest.mark.rule("SEN-53", "SEN-65", "SEN-R17")
@pytest.mark.parametrize(("switch", "side", "other"), [("bearing", "FR", "F"), ("arrow", "F", "FR")])
def test_beside_the_arrow_the_attackers_place_decides_or_by_switch_the_arrow(bout, switch, side, other):
    """SEN-R17: Aki on e5 attacks north and strikes f6, where Ben looks south and sees Aki ahead to the right."""
    match = bout(starts={"Aki": "e5", "Ben": "f6"}, weapons={"Aki": ["katana"]}, block_bearing=switch)
    match.set(Aki="attack n", Ben="block").aim(Aki="f6")

    with match.refuses("SEN-55"):
        match.do("Ben", "guard", direction=other)
    match.guard(Ben=side)
    assert match.scores == (5, 0)


@pytest.mark.rule("SEN-53", "SEN-R17")
def test_out_of_line_the_reverse_of_the_arrow_decides_even_by_bearing(bout):
    """SEN-R17: a knight's step away is on none of the eight lines."""
    match = bout(starts={"Aki": "e5", "Ben": "f7"}, weapons={"Aki": ["katana"]}, patterns={"katana": [[2, 1]]})
    match.set(Aki="attack n", Ben="block").guard(Ben="F")

    assert match.scores == (5, 0)


@pytest.mark.rule("SEN-53", "SEN-R17")
@pytest.mark.parametrize("switch", ["bearing", "arrow"])
def test_on_a_straight_attack_both_readings_agree(bout, switch):
    match = bout(starts={"Aki": "e3", "Ben": "e6"}, weapons={"Aki": ["kau_sin_ke"]}, block_bearing=switch)
    match.set(Aki="attack n", Ben="block").aim(Aki="e6").guard(Ben="F")

    assert match.scores == (5, 0)


@pytest.mark.rule("SEN-55", "SEN-R21")
def test_a_block_that_faces_elsewhere_stays_hidden(bout):
    """SEN-R21"""
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben=None)

    assert match["players.Ben.block"] == "hidden"
    assert match.scores == (5, -5)


@pytest.mark.rule("SEN-55", "SEN-14", "SEN-R21")
def test_an_open_block_stays_up_and_goes_on_guarding_without_being_asked_for(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben="F")
    match.set(Aki="attack F", Ben="attack B")

    assert match["phase"] == "select"
    assert match.scores == (10, 0)
    assert match["players.Ben.block"] == "F"
    with match.refuses("SEN-55", "TABLE-3"):
        match.do("Ben", "guard", direction="F")


@pytest.mark.rule("SEN-55", "SEN-58")
def test_an_open_block_does_not_help_on_another_side(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben="F")
    match.set(Aki="move FR", Ben="attack R").set(Aki="attack L", Ben="attack R")

    assert match.cells == ("f5", "e5")
    assert match.scores == (10, -5)


@pytest.mark.rule("SEN-55", "SEN-14")
def test_a_player_cannot_find_a_block_on_a_side_where_the_same_card_has_shown_none(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben=None)
    match.set(Aki="attack F", Ben="attack B")
    assert match["awaits"] == {"Ben": ["guard"]}, "a second blow on that side asks again"
    with match.refuses("SEN-55"):
        match.do("Ben", "guard", direction="F")
    match.guard(Ben=None)

    match.set(Aki="attack F", Ben="block").guard(Ben="F")
    assert match["scores.Ben"] == -10


@pytest.mark.rule("SEN-56", "SEN-52", "SEN-R22")
def test_a_new_block_guards_in_the_very_set_in_which_it_is_changed(bout):
    """SEN-R22"""
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben=None)
    match.set(Aki="attack F", Ben="block").guard(Ben="F")

    assert match.scores == (10, -5)


@pytest.mark.rule("SEN-57")
def test_when_a_block_is_shown_the_ruling_gives_the_booklets_advice(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben="F")

    shown = next(ruling for ruling in match.rulings if ruling.rule == "SEN-55")
    assert "SEN-57" in shown.text
    assert shown.changes == {"players.Ben.block": ("hidden", "F")}


@pytest.mark.rule("SEN-53", "SEN-55")
def test_two_blows_from_two_sides_are_answered_once(bout):
    starts = {"Aki": "e4", "Ben": "d5", "Cho": "e5"}
    match = bout("Aki Ben Cho", starts=starts).set(Aki="attack n", Ben="attack e", Cho="block")
    with match.refuses("SEN-55"):
        match.do("Cho", "guard", direction="B")
    match.guard(Cho="R")

    assert match.scores == (5, 5, -5), "Cho looks south: Ben comes from the right, Aki from ahead"


@pytest.mark.rule("SEN-55")
def test_a_guard_is_awaited_only_from_who_is_hit_behind_a_hidden_block(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B")

    assert match["awaits"] == {"Ben": ["guard"]}
    with match.refuses("SEN-55", "TABLE-3"):
        match.do("Aki", "guard", direction="F")


@pytest.mark.rule("SEN-58", "SEN-66", "SEN-65")
def test_the_booklets_first_example_a_hit_on_an_unguarded_side_after_a_move(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}).set(Aki="attack F", Ben="move F").guard(Ben=None)

    assert match.scores == (5, -5)
    struck = next(ruling for ruling in match.rulings if ruling.rule == "SEN-58")
    assert struck.changes == {"scores.Aki": (0, 5), "scores.Ben": (0, -5)}


@pytest.mark.rule("SEN-59", "SEN-67", "SEN-54")
def test_the_booklets_second_example_the_same_hit_on_the_guarded_side(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}).set(Aki="attack F", Ben="move F").guard(Ben="F")

    assert match.scores == (5, 0)
    blocked = next(ruling for ruling in match.rulings if ruling.rule == "SEN-59")
    assert blocked.changes == {"scores.Aki": (0, 5)}


@pytest.mark.rule("SEN-60", "SEN-62", "SEN-68")
def test_the_booklets_glances_purple_two_cyan_one_orange_none(bout):
    starts = {"Purple": "d4", "Orange": "e6", "Cyan": "f5"}
    match = bout("Purple Orange Cyan", starts=starts)
    match.set(Purple="attack ne", Orange="attack n", Cyan="attack n")

    assert match["scores"] == {"Purple": 2, "Orange": 0, "Cyan": 1}
    assert {"SEN-60", "SEN-62"} <= set(match.rules)


@pytest.mark.rule("SEN-61", "SEN-R18")
def test_a_hit_scores_no_glance_on_neighbours(bout):
    starts = {"Aki": "e4", "Ben": "e5", "Cho": "e6"}
    match = bout("Aki Ben Cho", starts=starts).set(Aki="attack n", Ben="block", Cho="block").guard(Ben=None)

    assert match.scores == (5, -5, 0)


@pytest.mark.rule("SEN-63")
def test_a_glance_is_never_blocked_and_costs_nothing(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}).set(Aki="attack F", Ben="block")

    assert match["phase"] == "select", "nobody is asked for a block"
    assert match.scores == (1, 0)


@pytest.mark.rule("SEN-60", "SEN-47", "SEN-R18")
def test_a_flying_attack_can_glance(bout):
    """SEN-R18"""
    match = bout(starts={"Aki": "e3", "Ben": "d6"}, weapons={"Aki": ["nagamaki"]})
    match.set(Aki="flying_attack F", Ben="block")

    assert match.scores == (1, 0)


@pytest.mark.rule("SEN-64", "SEN-R20")
def test_give_and_take_two_blocked_blows_score_nothing(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack F")
    match.guard(Aki="F")
    assert match.scores == (0, 0)
    assert match["awaits"] == {"Ben": ["guard"]}, "guards are held until both have answered"
    match.guard(Ben="F")

    assert match.scores == (0, 0)
    assert match.rules.count("SEN-64") == 1
    assert not {"SEN-58", "SEN-59"} & set(match.rules)


@pytest.mark.rule("SEN-58", "SEN-59", "SEN-64", "SEN-R20")
@pytest.mark.parametrize(("aki", "ben", "scores"), [(None, None, (0, 0)), ("F", None, (5, 0)), (None, "F", (0, 5))])
def test_an_exchange_in_which_not_both_block_is_scored_as_usual(bout, aki, ben, scores):
    """SEN-R20"""
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack F").guard(Aki=aki, Ben=ben)

    assert match.scores == scores
    assert "SEN-64" not in match.rules


@pytest.mark.rule("SEN-64", "SEN-59", "SEN-R20")
def test_a_third_attacker_scores_beside_a_give_and_take(bout):
    starts = {"Aki": "e4", "Ben": "d4", "Cho": "e5"}
    match = bout("Aki Ben Cho", starts=starts).set(Aki="attack n", Ben="attack ne", Cho="attack s")
    match.guard(Aki="F", Cho="F")

    assert match.scores == (0, 5, -5)


@pytest.mark.rule("SEN-64", "SEN-43", "SEN-R20")
def test_shuriken_take_part_in_a_give_and_take(bout):
    match = bout(starts={"Aki": "e2", "Ben": "e7"}, weapons={"Aki": ["shuriken"], "Ben": ["shuriken"]})
    match.set(Aki="shuriken F", Ben="shuriken F").guard(Aki="F", Ben="F")

    assert match.scores == (0, 0)
    assert match["players.Aki.loadout"] == match["players.Ben.loadout"] == []


@pytest.mark.rule("SEN-58", "SEN-R19")
def test_several_attackers_on_one_defender_are_each_scored_alone(bout):
    """SEN-R19"""
    starts = {"Aki": "e4", "Ben": "d5", "Cho": "e5", "Dai": "f5"}
    match = bout("Aki Ben Cho Dai", starts=starts)
    match.set(Aki="attack n", Ben="attack e", Cho="block", Dai="attack w").guard(Cho="F")

    assert match.scores == (5, 5, -10, 5)


@pytest.mark.rule("SEN-R20", "SEN-59")
def test_blocked_blows_that_go_round_in_a_row_are_no_exchange(bout):
    match = bout("Aki Ben Cho", starts={"Cho": "e4", "Aki": "e5", "Ben": "e6"})
    match.set(Cho="attack n", Aki="attack n", Ben="attack n")
    match.guard(Aki=match.read("Aki", "s"), Ben=match.read("Ben", "s"))

    assert match["scores"] == {"Aki": 5, "Ben": 0, "Cho": 5}

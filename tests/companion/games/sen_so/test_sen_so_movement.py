"""The Move phase: steps, leaps, collisions, and what they allow next."""

import pytest

from companion.games.sen_so.geometry import NAMES

CROSS = {"Aki": "e4", "Ben": "d5", "Cho": "e6", "Dai": "f5"}
"""Four players around e5."""


@pytest.mark.rule("SEN-32", "SEN-24")
@pytest.mark.parametrize(
    ("direction", "aki", "ben"),
    [
        ("F", "e6", "b1"),
        ("FR", "f6", "a1"),
        ("R", "f5", "a2"),
        ("BR", "f4", "a3"),
        ("B", "e4", "b3"),
        ("BL", "d4", "c3"),
        ("L", "d5", "c2"),
        ("FL", "d6", "c1"),
    ],
)
def test_a_move_goes_to_any_of_the_eight_neighbours_as_its_player_sees_them(bout, direction, aki, ben):
    match = bout(starts={"Aki": "e5", "Ben": "b2"}).set(Aki=f"move {direction}", Ben=f"move {direction}")

    assert match.cells == (aki, ben)


@pytest.mark.rule("SEN-33", "SEN-24")
@pytest.mark.parametrize(
    ("direction", "landing"), list(zip(NAMES, ("e7", "g7", "g5", "g3", "e3", "c3", "c5", "c7"), strict=True))
)
def test_a_leap_goes_two_spaces_over_whatever_stands_between(bout, direction, landing):
    match = bout("Aki Ben", starts={"Aki": "e5", "Ben": "e6"}, weapons={"Aki": ["bo_staff"]})
    match.set(Aki=f"leap {direction}", Ben="attack L")

    assert match.cells == (landing, "e6")
    assert "SEN-35" not in match.rules


@pytest.mark.rule("SEN-34", "SEN-26", "SEN-R2", "SEN-R3", "SEN-R7")
def test_a_leap_needs_a_movement_before_it(bout):
    match = bout().set(Aki="leap F", Ben="move F")
    assert match["players.Aki.cell"] == "e1", "in the first set there is no action before it"
    assert {"SEN-34", "SEN-26"} <= set(match.rules)

    match.set(Aki="leap F", Ben="leap F")
    assert match.cells == ("e1", "e6"), "an invalid leap is no movement; a move is"
    match.set(Aki="move F", Ben="leap F")
    assert match.cells == ("e2", "e4"), "a leap is a movement too"


@pytest.mark.rule("SEN-34", "SEN-49")
@pytest.mark.parametrize("between", ["attack B", "block", "kau_sin_ke", "shuriken B"])
def test_any_other_action_ends_the_momentum(bout, between):
    match = bout(weapons={"Aki": ["katana", "kau_sin_ke", "shuriken"]}).set(Aki="move F", Ben="attack B")
    assert match["players.Aki.momentum"] is True
    match.set(Aki=between, Ben="attack B")
    if "aim" in match["awaits"].get("Aki", ()):
        match.aim(Aki="e1")
    assert match["players.Aki.momentum"] is False

    match.set(Aki="leap F", Ben="attack B")
    assert match["players.Aki.cell"] == "e2"
    assert "SEN-34" in match.rules


@pytest.mark.rule("SEN-80", "SEN-34")
def test_the_bo_staff_lets_its_holder_leap_at_once_and_not_fly(bout):
    match = bout(weapons={"Aki": ["katana", "bo_staff"]}).set(Aki="leap F", Ben="attack B")
    assert match["players.Aki.cell"] == "e1"
    match.set(Aki="bo_staff", Ben="attack B").set(Aki="leap F", Ben="attack B")
    assert match["players.Aki.cell"] == "e3", "a weapon changed in the set before counts"

    match.set(Aki="attack B", Ben="attack B").aim(Aki="e2").set(Aki="flying_attack F", Ben="attack B")
    assert match["players.Aki.cell"] == "e3"
    assert "SEN-49" in match.rules


@pytest.mark.rule("SEN-35", "SEN-36")
def test_two_who_land_in_one_space_bounce_back(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}).set(Aki="move F", Ben="move F")

    assert match.cells == ("e4", "e6")
    assert match.rules == ["SEN-35", "SEN-36", "SEN-35", "SEN-36"]
    assert not match["players.Aki.momentum"]


@pytest.mark.rule("SEN-35", "SEN-36")
@pytest.mark.parametrize(
    ("start", "direction"), [("e1", "B"), ("a1", "BL"), ("a5", "L"), ("a9", "FL"), ("e9", "F"), ("i9", "R")]
)
def test_a_move_off_the_board_is_a_collision_with_the_wall(bout, start, direction):
    match = bout(starts={"Aki": start, "Ben": "c3"}).set(Aki=f"move {direction}", Ben="attack B")

    assert match["players.Aki.cell"] == start
    assert match.rules[:2] == ["SEN-35", "SEN-36"]


@pytest.mark.rule("SEN-37")
def test_a_leap_off_the_board_ends_on_the_space_it_went_over(bout):
    match = bout(starts={"Aki": "e8", "Ben": "a1"}, weapons={"Aki": ["bo_staff"]}).set(Aki="leap F", Ben="attack B")

    assert match["players.Aki.cell"] == "e9"
    assert match.rules[:2] == ["SEN-35", "SEN-37"]


@pytest.mark.rule("SEN-36")
def test_a_leap_whose_first_space_is_off_the_board_stays_at_its_start(bout):
    match = bout(starts={"Aki": "e9", "Ben": "a1"}, weapons={"Aki": ["bo_staff"]}).set(Aki="leap F", Ben="attack B")

    assert match["players.Aki.cell"] == "e9"
    assert match.rules[:2] == ["SEN-35", "SEN-36"]


@pytest.mark.rule("SEN-37")
def test_the_booklets_leap_that_collides_with_a_mover_ends_between(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e7"}, weapons={"Aki": ["bo_staff"]}).set(Aki="leap F", Ben="move F")

    assert match.cells == ("e5", "e7")


@pytest.mark.rule("SEN-36", "SEN-37", "SEN-R12")
def test_a_leaper_who_bounces_onto_a_taken_space_goes_on_to_the_start(bout):
    """SEN-R12"""
    starts = {"Aki": "e4", "Ben": "e5", "Cho": "e6"}
    match = bout("Aki Ben Cho", starts=starts, weapons={"Aki": ["bo_staff"]})
    match.set(Aki="leap n", Ben="attack w", Cho="attack w")

    assert match.cells == ("e4", "e5", "e6")


@pytest.mark.rule("SEN-35", "SEN-36", "SEN-38", "SEN-R8")
def test_who_moves_into_a_standing_player_bounces_alone_and_alone_is_barred(bout):
    """SEN-R8"""
    match = bout(starts={"Aki": "e4", "Ben": "e5"}, weapons={"Ben": ["bo_staff"]})
    match.set(Aki="move F", Ben="attack L").aim(Ben="f5")
    assert match.cells == ("e4", "e5")

    match.set(Aki="leap R", Ben="leap L")
    assert match.cells == ("e4", "g5")
    assert "SEN-38" in match.rules


@pytest.mark.rule("SEN-35", "SEN-R9")
def test_three_or_four_into_one_space_all_bounce(bout):
    """SEN-R9"""
    match = bout("Aki Ben Cho Dai", starts=CROSS)
    match.set(Aki="move n", Ben="move e", Cho="move s", Dai="move w")

    assert match.cells == ("e4", "d5", "e6", "f5")
    assert match.rules.count("SEN-35") == 4


@pytest.mark.rule("SEN-35", "SEN-R10")
def test_changing_places_and_crossing_diagonals_are_no_collisions(bout):
    """SEN-R10"""
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="move n", Ben="move s")
    assert match.cells == ("e5", "e4")

    match = bout(starts={"Aki": "e4", "Ben": "f4"}).set(Aki="move ne", Ben="move nw")
    assert match.cells == ("f5", "e5")
    assert match["players.Aki.momentum"]


@pytest.mark.rule("SEN-36", "SEN-R13")
def test_a_space_that_is_really_left_can_be_entered(bout):
    """SEN-R13"""
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="move n", Ben="move n")

    assert match.cells == ("e5", "e6")


@pytest.mark.rule("SEN-36", "SEN-35", "SEN-R11", "SEN-R13")
def test_a_bounce_is_passed_on_down_a_chain(bout):
    """SEN-R11, SEN-R13: Dai stands, so Cho comes back, so Ben does, so Aki does."""
    starts = {"Aki": "e3", "Ben": "e4", "Cho": "e5", "Dai": "e6"}
    match = bout("Aki Ben Cho Dai", starts=starts)
    match.set(Aki="move n", Ben="move n", Cho="move n", Dai="attack w")

    assert match.cells == ("e3", "e4", "e5", "e6")
    assert match.rules.count("SEN-35") == 3
    assert [match[f"players.{name}.momentum"] for name in starts] == [False] * 4


@pytest.mark.rule("SEN-36", "SEN-37", "SEN-R11")
def test_a_bounced_leaper_pushes_back_who_came_to_the_space_between(bout):
    """SEN-R11: both stand on e5 after the first pass, so both go back once more."""
    starts = {"Aki": "e4", "Ben": "d5", "Cho": "e6"}
    match = bout("Aki Ben Cho", starts=starts, weapons={"Aki": ["bo_staff"]})
    match.set(Aki="leap n", Ben="move e", Cho="attack e")

    assert match.cells == ("e4", "d5", "e6")


@pytest.mark.rule("SEN-36", "SEN-R11")
def test_who_is_back_at_the_start_is_never_displaced_by_who_came_there(bout):
    """SEN-R11: Ben runs into the wall and stays; Aki, who wanted Ben's space, bounces."""
    match = bout(starts={"Aki": "a4", "Ben": "a5"}).set(Aki="move n", Ben="move w")

    assert match.cells == ("a4", "a5")
    assert match.rules.count("SEN-36") == 2


@pytest.mark.rule("SEN-37", "SEN-36")
def test_two_leapers_into_one_space_end_on_the_spaces_they_leapt_over(bout):
    match = bout(starts={"Aki": "e3", "Ben": "e7"}, weapons={"Aki": ["bo_staff"], "Ben": ["bo_staff"]})
    match.set(Aki="leap n", Ben="leap s")

    assert match.cells == ("e4", "e6")


@pytest.mark.rule("SEN-38", "SEN-26", "SEN-R5")
@pytest.mark.parametrize("card", ["leap", "flying_attack"])
@pytest.mark.parametrize(("waived", "goes"), [(False, False), (True, True)])
def test_after_a_collision_the_next_leap_or_flight_does_nothing_unless_a_weapon_may_waive_it(bout, card, waived, goes):
    """SEN-R5 and its switch."""
    weapon = {"leap": "bo_staff", "flying_attack": "nagamaki"}[card]
    match = bout(weapons={"Aki": [weapon]}, weapon_waives_bans=waived)
    match.set(Aki="move B", Ben="attack B")
    match.set(Aki=f"{card} F", Ben="attack B")

    assert (match["players.Aki.cell"] != "e1") is goes
    assert ("SEN-38" in match.rules) is not goes


@pytest.mark.rule("SEN-38")
def test_the_ban_lasts_for_one_set_only(bout):
    match = bout(weapons={"Aki": ["bo_staff"]}).set(Aki="move B", Ben="attack B")
    match.set(Aki="leap F", Ben="attack B").set(Aki="leap F", Ben="attack B")

    assert match["players.Aki.cell"] == "e3"


@pytest.mark.rule("SEN-38", "SEN-R5")
def test_with_the_switch_another_weapon_still_waives_nothing(bout):
    match = bout(weapons={"Aki": ["nagamaki"]}, weapon_waives_bans=True).set(Aki="move B", Ben="attack B")
    match.set(Aki="leap F", Ben="attack B")

    assert match["players.Aki.cell"] == "e1"


@pytest.mark.rule("SEN-26", "SEN-R7")
def test_an_invalid_flying_attack_neither_moves_nor_attacks(bout):
    """SEN-R7"""
    match = bout(starts={"Aki": "e4", "Ben": "e6"}).set(Aki="flying_attack F", Ben="attack L")

    assert (match.cells, match.scores) == (("e4", "e6"), (0, 0))
    assert {"SEN-49", "SEN-26"} <= set(match.rules)


@pytest.mark.rule("SEN-R6", "SEN-34")
def test_a_leap_is_judged_by_the_weapon_at_its_reveal_and_not_by_the_one_at_its_laying(bout):
    match = bout(weapons={"Aki": ["bo_staff", "katana"]}).set(Aki="attack B", Ben="attack B")
    match.set(Aki="katana", Ben="attack B")
    match.set(Aki="leap F", Ben="attack B")

    assert match["players.Aki.cell"] == "e1"
    assert "SEN-34" in match.rules


@pytest.mark.rule("SEN-R3")
def test_a_flying_attack_is_no_movement_for_what_follows(bout):
    """Even where a weapon lifts the ban, it takes the right weapon: there is no momentum to leap with."""
    match = bout(weapons={"Aki": ["nagamaki"]}, weapon_waives_bans=True).set(Aki="flying_attack F", Ben="attack B")
    assert match["players.Aki.momentum"] is False

    match.set(Aki="leap F", Ben="attack B")
    assert match["players.Aki.cell"] == "e2"

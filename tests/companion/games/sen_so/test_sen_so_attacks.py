"""Attacks: patterns and their turning, the one location, Shuriken, and Flying Attacks."""

import pytest

from companion.games.sen_so.cards import WEAPONS
from companion.games.sen_so.geometry import NAMES, grid, turned

COMPASS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
NUNCHAKU = {
    "n": ("e6", "d6", "f6", "e4"),
    "ne": ("f6", "e6", "f5", "d4"),
    "e": ("f5", "f6", "f4", "d5"),
    "se": ("f4", "f5", "e4", "d6"),
    "s": ("e4", "f4", "d4", "e6"),
    "sw": ("d4", "e4", "d5", "f6"),
    "w": ("d5", "d4", "d6", "f5"),
    "nw": ("d6", "d5", "e6", "f4"),
}
"""From e5: ahead, ahead to the left, ahead to the right, behind."""
SEATS = (("Aki", "Aki Ben"), ("Ben", "Aki Ben Cho Dai"), ("Cho", "Aki Ben Cho Dai"), ("Dai", "Aki Ben Cho Dai"))


@pytest.mark.rule("SEN-39", "SEN-41", "SEN-4")
@pytest.mark.parametrize(("player", "players"), SEATS)
@pytest.mark.parametrize("arrow", COMPASS)
def test_a_pattern_turns_with_the_arrow_in_eight_directions_on_all_four_sides(bout, player, players, arrow):
    corners = dict(zip(players.split(), ("a1", "a9", "i9", "i1"), strict=False))
    match = bout(players, starts=corners | {player: "e5"}, weapons={player: ["nunchaku"]})
    match.set(**dict.fromkeys(players.split(), f"attack {arrow}"))

    attack = next(each for each in match.match.state.attacks if each.card == "attack" and len(each.choices) > 1)
    assert tuple(map(match.match.state.board.name, attack.choices)) == NUNCHAKU[arrow]


@pytest.mark.rule("SEN-39", "SEN-79")
@pytest.mark.parametrize(
    ("arrow", "cells"),
    [("n", ("e7", "e8")), ("ne", ("g7", "h8")), ("e", ("g5", "h5")), ("sw", ("c3", "b2")), ("w", ("c5", "b5"))],
)
def test_the_kau_sin_ke_reaches_two_and_three_spaces_away(bout, arrow, cells):
    match = bout(starts={"Aki": "e5", "Ben": "a1"}, weapons={"Aki": ["kau_sin_ke"]})
    match.set(Aki=f"attack {arrow}", Ben="attack B")

    for near in ("e6", "f6", "f5", "d4"):
        with match.refuses("SEN-40", "SEN-39"):
            match.do("Aki", "aim", cell=near)
    for cell in cells:
        match.match.game.rules.check(match.match.state, {}, "Aki", match.match.decode({"move": "aim", "cell": cell}))


@pytest.mark.rule("SEN-39")
def test_an_offset_goes_round_its_ring_as_many_cells_as_the_ring_is_wide():
    assert [turned((0, 1), turn) for turn in range(8)] == [
        (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)
    ]  # fmt: skip
    assert [turned((1, 2), turn) for turn in (0, 1, 2, 4)] == [(1, 2), (2, 1), (2, -1), (-1, -2)]
    assert turned((0, 0), 3) == (0, 0)
    for ring in (1, 2, 3, 4):
        assert turned((0, ring), 1) == (ring, ring)


@pytest.mark.rule("SEN-39")
def test_an_owner_of_the_real_cards_can_give_their_patterns(bout):
    match = bout(
        starts={"Aki": "e5", "Ben": "a1"}, weapons={"Aki": ["katana"]}, patterns={"katana": [[2, 1], [0, -1], [0, 1]]}
    )
    match.set(Aki="attack ne", Ben="attack B")

    choices = [match.match.state.board.name(cell) for cell in match.match.state.attacks[0].choices]
    assert choices == ["g6", "d6", "f4"]


@pytest.mark.rule("SEN-77", "SEN-80", "SEN-81", "SEN-41", "SEN-78")
def test_every_weapon_has_its_own_pattern_and_the_nunchaku_four_locations():
    patterns = {weapon: data.pattern for weapon, data in WEAPONS.items() if weapon != "shuriken"}

    assert len(patterns["nunchaku"]) == 4
    assert len(set(patterns.values())) == len(patterns)
    assert all(data.pattern_origin in ("booklet", "inferred", "house") for data in WEAPONS.values())


@pytest.mark.rule("SEN-40", "SEN-27")
@pytest.mark.parametrize("cell", ["e4", "e7", "d4", "e8", "z9", "e10", "here"])
def test_only_a_location_of_the_pattern_can_be_attacked(bout, cell):
    match = bout(starts={"Aki": "e4", "Ben": "e6"}, weapons={"Aki": ["katana"]})
    match.set(Aki="attack F", Ben="attack B")

    with match.refuses("SEN-40", "SEN-39", "SEN-27"):
        match.do("Aki", "aim", cell=cell)


@pytest.mark.rule("SEN-41", "SEN-40")
def test_the_booklets_nunchaku_hits_purple_or_cyan_and_not_both(bout):
    starts = {"Orange": "e4", "Purple": "e5", "Cyan": "f5"}
    match = bout("Orange Purple Cyan", starts=starts, weapons={"Orange": ["nunchaku"]})
    match.set(Orange="attack n", Purple="attack n", Cyan="attack n")
    match.aim(Orange="e5")

    with match.refuses("SEN-40", "SEN-41", "TABLE-3"):
        match.do("Orange", "aim", cell="f5")
    assert match["awaits"] == {"Purple": ["guard"]}
    match.guard(Purple=None)
    assert (match["scores.Purple"], match["scores.Cyan"]) == (-5 + 1, 1)


@pytest.mark.rule("SEN-42", "SEN-40", "SEN-R15")
def test_a_worse_or_an_empty_location_may_be_chosen(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}, weapons={"Aki": ["katana"]})
    match.set(Aki="attack F", Ben="attack B").aim(Aki="f5")

    assert match.scores == (1, 0)


@pytest.mark.rule("SEN-40", "SEN-18", "SEN-R15")
def test_aims_are_held_until_the_last_one_is_in(bout):
    match = bout(starts={"Aki": "e4", "Ben": "e5"}, weapons={"Aki": ["katana"], "Ben": ["katana"]})
    match.set(Aki="attack F", Ben="attack F")
    match.aim(Aki="e5")

    assert match["awaits"] == {"Ben": ["aim"]}
    assert match.match.game.rules.view(match.match.state, "Ben").strikes[0].target is None
    with match.refuses("SEN-40", "TABLE-3"):
        match.do("Aki", "aim", cell="d5")


@pytest.mark.rule("SEN-27", "SEN-R15")
def test_locations_off_the_board_cannot_be_chosen_and_none_at_all_is_no_attack(bout):
    """SEN-R15"""
    match = bout(starts={"Aki": "e8", "Ben": "i1"}, weapons={"Aki": ["katana"]})
    match.set(Aki="attack F", Ben="attack B")
    with match.refuses("SEN-40", "TABLE-4"):
        match.do("Aki", "aim", cell="e10")
    match.aim(Aki="d9")

    match = bout(starts={"Aki": "e9", "Ben": "d9"}, weapons={"Aki": ["katana"]})
    match.set(Aki="attack F", Ben="attack B")
    assert match["phase"] == "select", "nothing to aim at"
    assert match["scores.Aki"] == 0


@pytest.mark.rule("SEN-27")
def test_a_single_location_is_attacked_without_asking(bout):
    match = bout(
        starts={"Aki": "e7", "Ben": "i1"}, weapons={"Aki": ["kau_sin_ke"]}, patterns={"kau_sin_ke": [[2, 0], [3, 0]]}
    )
    match.set(Aki="attack F", Ben="attack B")

    assert match["phase"] == "select"
    with match.refuses("SEN-40", "TABLE-3"):
        match.do("Aki", "aim", cell="e9")


@pytest.mark.rule("SEN-40", "SEN-R1")
def test_without_a_weapon_an_attack_has_one_location_straight_ahead(bout):
    """SEN-R1"""
    match = bout(starts={"Aki": "e4", "Ben": "e5"}).set(Aki="attack F", Ben="attack B").guard(Ben=None)

    assert match.scores == (5, -5)


@pytest.mark.rule("SEN-43", "SEN-44", "SEN-R26")
def test_a_shuriken_flies_to_the_first_player_on_its_line_and_no_further(bout):
    starts = {"Aki": "e1", "Ben": "e5", "Cho": "e9"}
    match = bout("Aki Ben Cho", starts=starts, weapons={"Aki": ["shuriken"]})
    match.set(Aki="shuriken n", Ben="attack w", Cho="attack w").guard(Ben=None)

    assert match.scores == (5, -5, 0)


@pytest.mark.rule("SEN-43", "SEN-45", "SEN-69", "SEN-R18", "SEN-R25")
def test_the_booklets_shuriken_that_misses_scores_nothing_not_even_a_glance_and_is_gone(bout):
    match = bout(starts={"Aki": "e1", "Ben": "e6"}, weapons={"Aki": ["katana", "shuriken"]})
    match.set(Aki="shuriken F", Ben="move R")

    assert match.cells == ("e1", "d6")
    assert match.scores == (0, 0)
    assert {"SEN-45", "SEN-46"} <= set(match.rules)
    assert match["players.Aki.loadout"] == ["katana"]


@pytest.mark.rule("SEN-46", "SEN-R25")
def test_a_thrown_shuriken_cannot_be_thrown_again_and_a_second_one_can(bout):
    match = bout(weapons={"Aki": ["shuriken", "shuriken"]}).set(Aki="shuriken B", Ben="attack B")
    assert match["players.Aki.loadout"] == ["shuriken"]
    match.set(Aki="shuriken B", Ben="attack B")
    match.select()

    with match.refuses("SEN-46", "TABLE-1"):
        match.do("Aki", "reveal", card="shuriken", direction="F")


@pytest.mark.rule("SEN-47", "SEN-51", "SEN-48")
@pytest.mark.parametrize("direction", NAMES)
def test_a_flying_attack_moves_one_space_and_strikes_the_next_whatever_the_weapon(bout, direction):
    here = grid(9, 9)
    middle = here.cell("e5")
    way = NAMES.index(direction)
    beyond = here.name(here.ray(middle, way)[1])
    match = bout(starts={"Aki": "e5", "Ben": beyond}, weapons={"Aki": ["nagamaki"]})
    match.set(Aki=f"flying_attack {direction}", Ben="attack n" if way in (0, 1, 7) else "attack s")

    assert match["players.Aki.cell"] == here.name(here.step[middle][way])
    assert match["awaits"] == {"Ben": ["guard"]}
    with match.refuses("SEN-48", "SEN-47", "TABLE-3"):
        match.do("Aki", "aim", cell=beyond)
    match.guard(Ben=None)
    assert match["scores.Aki"] == 5


@pytest.mark.rule("SEN-49", "SEN-81")
def test_a_flying_attack_needs_a_movement_before_it_or_the_nagamaki(bout):
    match = bout(weapons={"Aki": ["katana", "nagamaki"]}).set(Aki="flying_attack F", Ben="attack B")
    assert match["players.Aki.cell"] == "e1"
    assert "SEN-49" in match.rules
    match.set(Aki="move F", Ben="attack B").set(Aki="flying_attack F", Ben="attack B")
    assert match["players.Aki.cell"] == "e3"

    match.set(Aki="nagamaki", Ben="attack B").set(Aki="flying_attack F", Ben="attack B")
    assert match["players.Aki.cell"] == "e4"
    match.set(Aki="attack B", Ben="attack B").aim(Aki="e3").set(Aki="leap F", Ben="attack B")
    assert match["players.Aki.cell"] == "e4"
    assert "SEN-34" in match.rules


@pytest.mark.rule("SEN-50", "SEN-R3", "SEN-R4")
@pytest.mark.parametrize(("card", "weapon"), [("leap", "bo_staff"), ("flying_attack", "nagamaki")])
@pytest.mark.parametrize(("waived", "goes"), [(False, False), (True, True)])
def test_neither_a_leap_nor_a_flight_follows_a_flying_attack_unless_a_weapon_may_waive_it(
    bout, card, weapon, waived, goes
):
    """SEN-R4 and its switch."""
    match = bout(weapons={"Aki": [weapon]}, weapon_waives_bans=waived)
    match.set(Aki="move F", Ben="attack B").set(Aki="flying_attack F", Ben="attack B")
    assert match["players.Aki.momentum"] is False

    match.set(Aki=f"{card} F", Ben="attack B")
    assert (match["players.Aki.cell"] != "e3") is goes
    assert ("SEN-50" in match.rules) is not goes


@pytest.mark.rule("SEN-50")
def test_a_move_is_always_allowed_after_a_flying_attack_and_brings_momentum_back(bout):
    match = bout(weapons={"Aki": ["nagamaki"]}).set(Aki="flying_attack F", Ben="attack B")
    match.set(Aki="move F", Ben="attack B").set(Aki="leap F", Ben="attack B")

    assert match["players.Aki.cell"] == "e5"


@pytest.mark.rule("SEN-51", "SEN-36", "SEN-R14")
@pytest.mark.parametrize(("switch", "scores"), [(True, (1, 1)), (False, (0, 0))])
def test_a_flying_attack_that_collided_still_strikes_from_where_it_ended_or_not_by_switch(bout, switch, scores):
    """SEN-R14: both bounce off e5 and both strike it, next to the other."""
    match = bout(
        starts={"Aki": "e4", "Ben": "e6"},
        weapons={"Aki": ["nagamaki"], "Ben": ["nagamaki"]},
        flying_attack_after_collision=switch,
    )
    match.set(Aki="flying_attack F", Ben="flying_attack F")

    assert (match.cells, match.scores) == (("e4", "e6"), scores)


@pytest.mark.rule("SEN-51")
def test_a_flying_attack_into_the_wall_has_nothing_to_strike(bout):
    match = bout(starts={"Aki": "e9", "Ben": "d9"}, weapons={"Aki": ["nagamaki"]})
    match.set(Aki="flying_attack F", Ben="attack B")

    assert match["scores.Aki"] == 0
    assert match["players.Aki.cell"] == "e9"


@pytest.mark.rule("SEN-39", "SEN-40", "SEN-R16")
def test_the_attackers_space_is_never_a_location_and_the_attacker_is_never_grazed(bout):
    """SEN-R16"""
    match = bout(starts={"Aki": "e4", "Ben": "a9"}).set(Aki="attack F", Ben="attack B")

    assert match.scores == (0, 0)

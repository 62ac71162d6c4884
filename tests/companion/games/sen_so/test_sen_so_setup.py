"""Sen So before the first action: seats, board, weapons, and the first cards on the play sheets."""

import pytest

from companion.games.sen_so.cards import WEAPONS

ALL = ["weapon", "block", "action1", "action2"]


@pytest.mark.rule("SEN-1", "SEN-R30")
def test_a_first_action_is_an_attack_a_move_a_block_or_a_weapon_and_nothing_else(bout):
    match = bout(weapons={"Aki": ["katana", "bo_staff"]})

    assert match["awaits.Aki"] == ["change_block", "change_weapon", "reveal"]
    for card in ("pass", "dodge", "rest"):
        with match.refuses("SEN-1", "TABLE-4"):
            match.do("Aki", "reveal", card=card, direction="F")


@pytest.mark.rule("SEN-2", "SEN-21", "SEN-R1", "SEN-R25")
def test_a_shuriken_is_revealed_like_an_attack_and_never_becomes_the_active_weapon(bout):
    match = bout(weapons={"Aki": ["katana", "shuriken"]})

    with match.refuses("SEN-2"):
        match.do("Aki", "change_weapon", weapon="shuriken")
    match.set(Aki="shuriken F", Ben="move F")
    assert match["players.Aki.weapon"] == "katana"


@pytest.mark.rule("SEN-2")
def test_who_chose_only_shuriken_has_no_weapon_to_place_to_show_or_to_change_to(bout):
    match = bout(weapons={"Aki": ["shuriken"], "Ben": ["katana"]}, armed=False)
    match.arm()

    with match.refuses("SEN-2", "SEN-13", "TABLE-2"):
        match.do("Aki", "set", slots=["weapon"])
    match.lay()
    assert match["awaits"] == {"Ben": ["show"]}
    with match.refuses("SEN-2", "SEN-13", "TABLE-3"):
        match.do("Aki", "show", weapon="shuriken")
    match.show()
    assert match["awaits.Aki"] == ["change_block", "reveal"]
    with match.refuses("SEN-2", "TABLE-3"):
        match.do("Aki", "change_weapon", weapon="shuriken")
    with match.refuses("SEN-12", "TABLE-3"):
        match.do("Aki", "change_weapon", weapon="katana")


@pytest.mark.rule("SEN-3")
def test_two_players_start_in_the_middle_of_facing_sides(bout):
    assert bout().cells == ("e1", "e9")
    assert bout(board=[5, 7]).cells == ("c1", "c7")


@pytest.mark.rule("SEN-3")
@pytest.mark.parametrize("starts", [{"Aki": "e9"}, {"Aki": "c3", "Ben": "c3"}])
def test_two_players_cannot_start_in_one_space(bout, refused, starts):
    with refused("SEN-3", "TABLE-1"):
        bout(starts=starts)


@pytest.mark.rule("SEN-3", "TABLE-4")
@pytest.mark.parametrize("cell", ["e10", "j1", "e0", "E1", "1e", "e", "", "e²", "e1.0"])
def test_a_start_beside_the_board_is_refused(bout, refused, cell):
    with refused("SEN-3", "TABLE-4"):
        bout(starts={"Aki": cell})


@pytest.mark.rule("SEN-4")
def test_straight_ahead_is_each_players_own_straight_ahead(bout):
    match = bout("Aki Ben Cho Dai")
    match.set(Aki="move F", Ben="move F", Cho="move F", Dai="move F")
    assert match.cells == ("e2", "b5", "e8", "h5")

    match.set(Aki="move R", Ben="move R", Cho="move R", Dai="move R")
    assert match.cells == ("f2", "b4", "d8", "h6")


@pytest.mark.rule("SEN-5")
def test_three_and_four_players_sit_clockwise_one_on_each_side(bout):
    assert bout("Aki Ben Cho").cells == ("e1", "a5", "e9")
    assert bout("Aki Ben Cho Dai").cells == ("e1", "a5", "e9", "i5")


@pytest.mark.rule("SEN-5")
@pytest.mark.parametrize("players", ["Aki", "Aki Ben Cho Dai Emi"])
def test_one_player_or_five_are_refused(bout, refused, players):
    with refused("SEN-5"):
        bout(players)


@pytest.mark.rule("SEN-6")
def test_a_place_takes_one_card(bout):
    match = bout(weapons={"Aki": ["katana"]}, armed=False)
    match.arm()

    with match.refuses("SEN-6", "TABLE-1"):
        match.do("Aki", "set", slots=["weapon", "weapon"])
    match.do("Aki", "set", slots=["weapon"])
    with match.refuses("SEN-6", "TABLE-1"):
        match.do("Aki", "set", slots=["weapon"])
    with match.refuses("SEN-6", "TABLE-4"):
        match.do("Aki", "set", slots=[])


@pytest.mark.rule("SEN-7", "SEN-R29")
def test_a_revealed_action_lies_in_one_of_eight_directions(bout):
    match = bout()

    with match.refuses("SEN-7", "TABLE-4"):
        match.do("Aki", "reveal", card="move")
    with match.refuses("TABLE-4"):
        match.do("Aki", "reveal", card="move", direction="N")


@pytest.mark.rule("SEN-8")
def test_a_new_weapon_has_no_direction(bout):
    match = bout(weapons={"Aki": ["katana", "bo_staff"]})

    with match.refuses("TABLE-4"):
        match.do("Aki", "change_weapon", weapon="bo_staff", direction="F")


@pytest.mark.rule("SEN-9")
def test_weapons_are_chosen_before_anything_is_set_and_only_once(bout):
    match = bout(armed=False)

    with match.refuses("SEN-9", "TABLE-3"):
        match.do("Aki", "set", slots=["block"])
    match.do("Aki", "arm", weapons=["katana"])
    with match.refuses("SEN-9", "TABLE-3"):
        match.do("Aki", "arm", weapons=["bo_staff"])


@pytest.mark.rule("SEN-9", "SEN-13", "SEN-14", "SEN-15", "SEN-16", "SEN-R1")
def test_places_are_filled_in_order_one_by_one_or_together(bout):
    match = bout(weapons={"Aki": ["katana"], "Ben": ["katana"]}, armed=False)
    match.arm()

    with match.refuses("SEN-9", "SEN-13"):
        match.do("Aki", "set", slots=["block", "action1", "action2"])
    match.do("Aki", "set", slots=["weapon"])
    with match.refuses("SEN-9", "SEN-14"):
        match.do("Aki", "set", slots=["action1"])
    match.do("Aki", "set", slots=["block"])
    with match.refuses("SEN-9", "SEN-15"):
        match.do("Aki", "set", slots=["action2"])
    assert match["awaits.Aki"] == ["set"]
    match.do("Aki", "set", slots=["action2", "action1"])
    assert "Aki" not in match["awaits"]
    with match.refuses("SEN-9", "SEN-6", "TABLE-3"):
        match.do("Aki", "set", slots=["action2"])


@pytest.mark.rule("SEN-16")
def test_no_action_is_played_while_a_second_action_is_missing(bout):
    match = bout(armed=False)
    match.arm()
    match.do("Aki", "set", slots=ALL[1:])
    match.do("Ben", "set", slots=["block", "action1"])

    for move, fields in (("reveal", {"card": "move", "direction": "F"}), ("change_block", {})):
        with match.refuses("SEN-9", "SEN-17", "TABLE-3"):
            match.do("Aki", move, **fields)


@pytest.mark.rule("SEN-10")
@pytest.mark.parametrize(
    "weapons", [["katana", "nunchaku", "kau_sin_ke"], ["katana", "bo_staff", "shuriken", "shuriken"]]
)
def test_more_than_eight_inventory_spaces_are_refused(bout, weapons):
    match = bout(armed=False)

    with match.refuses("SEN-10"):
        match.do("Aki", "arm", weapons=weapons)


@pytest.mark.rule("SEN-10")
@pytest.mark.parametrize("weapons", [[], ["shuriken"], ["nunchaku", "bo_staff", "kau_sin_ke"]])
def test_up_to_eight_spaces_or_fewer_or_none_are_allowed(bout, weapons):
    match = bout(armed=False)
    match.do("Aki", "arm", weapons=weapons)

    assert match["players.Aki.loadout"] == weapons


@pytest.mark.rule("SEN-11")
def test_the_booklets_loadout_fills_all_eight_spaces(bout):
    loadout = ["katana", "kau_sin_ke", "shuriken", "shuriken"]
    match = bout(armed=False)
    match.do("Aki", "arm", weapons=loadout)

    assert match["players.Aki.loadout"] == loadout
    with match.refuses("SEN-10"):
        match.do("Ben", "arm", weapons=["katana", "nunchaku", "shuriken", "shuriken"])


@pytest.mark.rule("SEN-77", "SEN-78", "SEN-79", "SEN-80", "SEN-81", "SEN-82")
def test_inventory_spaces_are_those_of_the_booklet():
    spaces = {weapon: data.spaces for weapon, data in WEAPONS.items()}

    assert spaces == {"katana": 4, "nunchaku": 3, "kau_sin_ke": 2, "bo_staff": 3, "nagamaki": 3, "shuriken": 1}


@pytest.mark.rule("SEN-82", "TABLE-1")
@pytest.mark.parametrize(
    ("weapons", "rules"),
    [(["shuriken"] * 3, ("SEN-82", "TABLE-1")), (["katana", "katana"], ("TABLE-1",)), (["sai"], ("TABLE-4",))],
)
def test_a_weapon_that_the_deck_does_not_hold_is_called(bout, weapons, rules):
    match = bout(armed=False)

    with match.refuses(*rules):
        match.do("Aki", "arm", weapons=weapons)


@pytest.mark.rule("SEN-12")
def test_a_weapon_that_was_not_chosen_is_out_of_the_match(bout):
    match = bout(weapons={"Aki": ["katana", "bo_staff"]}, armed=False)
    match.arm()
    match.lay()

    with match.refuses("SEN-12", "SEN-13"):
        match.do("Aki", "show", weapon="nagamaki")
    match.show()
    with match.refuses("SEN-12", "SEN-20"):
        match.do("Aki", "change_weapon", weapon="nagamaki")
    with match.refuses("SEN-12", "TABLE-1"):
        match.do("Aki", "reveal", card="shuriken", direction="F")


@pytest.mark.rule("SEN-13")
def test_start_weapons_are_turned_up_together_when_all_cards_lie(bout):
    match = bout(weapons={"Aki": ["katana"], "Ben": ["bo_staff"]}, armed=False)
    match.arm()
    match.do("Aki", "set", slots=ALL)
    with match.refuses("SEN-13", "TABLE-3"):
        match.do("Aki", "show", weapon="katana")
    match.do("Ben", "set", slots=ALL)

    match.do("Aki", "show", weapon="katana")
    assert match["players.Aki.weapon"] is None, "sealed until the last one is in"
    with match.refuses("SEN-2"):
        match.do("Ben", "show", weapon="shuriken")
    match.do("Ben", "show", weapon="bo_staff")
    assert [match["players.Aki.weapon"], match["players.Ben.weapon"]] == ["katana", "bo_staff"]
    with match.refuses("SEN-13", "TABLE-3"):
        match.do("Ben", "show", weapon="bo_staff")


@pytest.mark.rule("SEN-14")
def test_the_start_block_lies_hidden(bout):
    assert bout()["players.Aki.block"] == "hidden"


@pytest.mark.rule("SEN-15")
def test_the_first_set_begins_as_soon_as_all_cards_lie_when_nobody_has_a_weapon(bout):
    match = bout(armed=False)
    match.arm()
    assert match["phase"] == "setup"
    match.lay()

    assert match["phase"] == "pre_actions"


@pytest.mark.rule("TABLE-4")
@pytest.mark.parametrize(
    "options",
    [
        {"boards": [9, 9]},
        {"board": [9]},
        {"board": [0, 9]},
        {"board": [27, 9]},
        {"starts": {"Zoe": "e1"}},
        {"patterns": {"sai": [[1, 0]]}},
        {"patterns": {"katana": [[1, 0, 0]]}},
        {"patterns": {"katana": [[0, 0]]}},
        {"patterns": {"shuriken": [[1, 0]]}},
        {"block_bearing": "front"},
        {"weapon_waives_bans": "yes"},
        {"end": {"rounds": 3}},
        {"end": {}},
        {"end": {"time": 0}},
        {"end": {"time": 1800, "points": 30}},
        {"knock_out": 0},
        {"knock_out": True},
    ],
)
def test_a_header_that_makes_no_sense_is_refused_in_one_sentence(bout, refused, options):
    with refused("TABLE-4"):
        bout(**options)


@pytest.mark.rule("SEN-71", "SEN-72", "SEN-73")
@pytest.mark.parametrize("end", [{"time": 600, "actions": 25}, {"points": -1}])
def test_a_match_ends_in_exactly_one_of_three_ways(bout, refused, end):
    with refused("SEN-71", "SEN-72", "SEN-73"):
        bout(end=end)


@pytest.mark.rule("SEN-A5")
@pytest.mark.parametrize("hands", [{"katana": 3}, {"tea_pot": 1}])
def test_a_weapon_takes_up_to_two_hands(bout, refused, hands):
    with refused("SEN-A5", "TABLE-4"):
        bout(hands=hands)


@pytest.mark.rule("SEN-13", "SEN-9")
def test_start_weapons_may_be_shown_before_any_block_or_action_is_placed(bout):
    match = bout(weapons={"Aki": ["katana"], "Ben": ["bo_staff"]}, armed=False)
    match.arm()
    for player in ("Aki", "Ben"):
        match.do(player, "set", slots=["weapon"])

    match.show()

    assert [match["players.Aki.weapon"], match["players.Ben.weapon"]] == ["katana", "bo_staff"]
    assert match["phase"] == "setup"
    for player in ("Aki", "Ben"):
        match.do(player, "set", slots=ALL[1:])
    assert match["phase"] == "pre_actions"


@pytest.mark.rule("SEN-13")
def test_a_start_weapon_that_was_shown_stays_shown_while_its_player_goes_on_setting_up(bout):
    match = bout(weapons={"Aki": ["katana"], "Ben": ["bo_staff"]}, armed=False)
    match.arm()
    for player in ("Aki", "Ben"):
        match.do(player, "set", slots=["weapon"])
    match.do("Aki", "show", weapon="katana")

    match.do("Aki", "set", slots=ALL[1:])
    match.do("Ben", "show", weapon="bo_staff")

    assert match["players.Aki.weapon"] == "katana"

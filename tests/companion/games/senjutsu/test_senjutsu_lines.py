"""Lines of a card: attacks and blocks, moves and collisions, kamae, costs and choices."""

from typing import Any

import pytest


def card(name: str, *lines: str, kind: str = "attack", speed: str = "6") -> str:
    return "\n".join((f"card {name}", f"type {kind}", "rank wood", f"speed {speed}", *lines, ""))


REST = card("Rest", "advantage", kind="meditation", speed="1")


@pytest.mark.rule("SJ-20", "SJ-21", "SJ-33")
def test_a_grid_turns_with_the_samurai(bout: Any) -> None:
    script = card("Cut", "attack wound 2 at FR") + REST
    for facing, wounds in (("N", 0), ("NW", 2), ("NE", 0)):
        duel = bout(script, facings={"Aki": facing})
        duel.play(Aki="cut", Ben="rest")
        assert duel["wounds.Ben"] == wounds


@pytest.mark.rule("SJ-20", "SJ-33", "SJ-61")
def test_each_hex_of_a_grid_may_wound_differently_and_strikes_everyone_there(bout: Any) -> None:
    script = card("Sweep", "attack bleed 1", "    3", "  1   x", "    ^") + REST
    places = {"Aki": ["b2"], "Ben": ["b3"], "Cho": ["a3"]}
    duel = bout(script, ("Aki", "Ben", "Cho"), arena=[4, 4], start_hexes=places, facings={"Aki": "N"}, health=9)
    duel.play(Aki="sweep", Ben="rest", Cho="rest")

    assert (duel["wounds.Ben"], duel["wounds.Cho"], duel["wounds.Aki"]) == (3, 1, 0)
    assert (duel["bleeding.Ben"], duel["bleeding.Cho"]) == (1, 1)


GUARD = card("Guard", "block at F", "draw 1", kind="defence", speed="8-2")
CUT = card("Cut", "attack wound 1 at F")


@pytest.mark.rule("SJ-R8", "SJ-R9", "SJ-63")
@pytest.mark.parametrize(
    ("timing", "speed", "wounds"),
    [("equal", 6, 0), ("equal", 7, 1), ("equal", 5, 1), ("equal_or_faster", 7, 0), ("equal_or_faster", 5, 1)],
)
def test_a_block_needs_the_initiative_of_the_attack(bout: Any, timing: str, speed: int, wounds: int) -> None:
    duel = bout(CUT + GUARD, block_timing=timing)
    duel.play(Aki="cut", Ben="guard")
    duel.do("Ben", "speed", value=speed)

    assert duel["wounds.Ben"] == wounds
    # Whether it stopped anything or not, the rest of the card was resolved: a card was drawn.
    assert duel["decks.Ben"] == 34 - 1 - 1


@pytest.mark.rule("SJ-R8", "SJ-20")
def test_a_block_covers_its_own_hexes_only(bout: Any) -> None:
    for facing, wounds in (("S", 0), ("SW", 1), ("N", 1)):
        duel = bout(CUT + GUARD, facings={"Ben": facing})
        duel.play(Aki="cut", Ben="guard")
        duel.do("Ben", "speed", value=6)
        assert duel["wounds.Ben"] == wounds


@pytest.mark.rule("SJ-R9")
def test_a_block_saves_its_player_alone_and_its_answer_comes_at_once(bout: Any) -> None:
    sweep = card("Sweep", "attack wound 1 at front", "suffer wound 1")
    parry = card("Parry", "block at any", "on block: foes stun 1", kind="defence")
    places = {"Aki": ["b2"], "Ben": ["b3"], "Cho": ["a3"]}
    options = {"arena": [4, 4], "start_hexes": places, "facings": {"Aki": "N"}}
    duel = bout(sweep + parry + REST, ("Aki", "Ben", "Cho"), **options)
    said = duel.play(Aki="sweep", Ben="parry", Cho="rest")

    assert (duel["wounds.Ben"], duel["wounds.Cho"], duel["wounds.Aki"]) == (0, 1, 1)
    assert (duel["stuns.Aki"], duel["stuns.Cho"], duel["stuns.Ben"]) == (1, 1, 0)
    told = [ruling.text for ruling in said]
    assert told.index("Aki takes a stun card into the hand.") < told.index("Aki takes a wound card.")


def test_on_hit_counts_only_after_a_hit(bout: Any) -> None:
    script = card("Cut", "attack wound 1 at F", "on hit: draw 3") + REST
    for facing, drawn in (("N", 3), ("S", 0)):
        duel = bout(script, facings={"Aki": facing})
        duel.play(Aki="cut", Ben="rest")
        assert duel["decks.Aki"] == 34 - drawn - 1


@pytest.mark.rule("SJ-54", "SJ-21")
def test_optional_moves_may_be_left_out_and_forced_ones_not(bout: Any) -> None:
    free = card("Free", "move up to 2 back", "rotate up to 1", kind="meditation")
    must = card("Must", "move 2 back", "rotate 1", kind="meditation")
    duel = bout(free + must, facings={"Aki": "N"}, start_hexes={"Aki": ["b3"], "Ben": ["b4"]})
    duel.play(Aki="free", Ben="passive")
    duel.do("Aki", "step", path=[])
    duel.do("Aki", "rotate", facing="N")
    duel.do("Ben", "choose", option="move")
    duel.do("Ben", "pass")
    duel.do("Ben", "pass")
    assert (duel["samurai.Aki.hex"], duel["samurai.Aki.facing"]) == ("b3", "N")

    duel.play(Aki="must", Ben="passive")
    duel.refuse("Aki", "pass", "SJ-54")
    duel.refuse("Aki", "step", "SJ-54", path=[])
    duel.refuse("Aki", "step", "SJ-54", to="b2")
    duel.refuse("Aki", "step", "SJ-54", path=["b2", "b1", "a1"])
    duel.refuse("Aki", "step", "SJ-54", path=["c4", "d3"])
    duel.refuse("Aki", "step", "SJ-54", path=["b1", "b2"])
    duel.refuse("Aki", "step", "TABLE-4", path=["b2", "x9"])
    duel.do("Aki", "step", path=["b2", "S"])
    assert duel["samurai.Aki.hex"] == "b1"
    duel.refuse("Aki", "rotate", "SJ-54", facing="N")
    duel.refuse("Aki", "rotate", "SJ-54", facing="S")
    duel.refuse("Aki", "rotate", "TABLE-4", facing="E")
    duel.refuse("Aki", "pass", "SJ-54")
    duel.do("Aki", "rotate", facing="ne")
    assert duel["samurai.Aki.facing"] == "NE"


def test_a_forced_line_without_a_choice_is_carried_out(bout: Any) -> None:
    script = card("About", "move 1 B", "rotate 2 left", "rotate about", kind="meditation") + REST
    duel = bout(script, facings={"Aki": "N"})
    duel.play(Aki="about", Ben="rest")

    assert duel["samurai.Aki.hex"] == "b1"
    assert duel["samurai.Aki.facing"] == "NE"


RUSH = card("Rush", "move up to 2 F", "draw 2", kind="meditation")


@pytest.mark.rule("SJ-64", "SJ-R16", "SJ-R18")
def test_a_collision_stuns_both_and_cancels_the_card_that_moves(bout: Any) -> None:
    duel = bout(RUSH + REST, start_hexes={"Aki": ["b1"], "Ben": ["b3"]})
    duel.play(Aki="rush", Ben="rest")
    duel.do("Aki", "step", path=["b2", "b3"])

    assert duel["samurai.Aki.hex"] == "b2"
    assert (duel["stuns.Aki"], duel["stuns.Ben"]) == (1, 1)
    assert duel["decks.Aki"] == 34 - 1  # the two cards were not drawn
    assert duel["advantage"] == ["Ben", "Aki"]


@pytest.mark.rule("SJ-R16")
@pytest.mark.parametrize(("switch", "drawn"), [("mover", 0), ("first_mover", 2)])
def test_the_other_reading_cancels_the_card_of_whoever_moved_first(bout: Any, switch: str, drawn: int) -> None:
    early = card("Early", "move 1 F", "--- 2", "advantage", kind="meditation", speed="9")
    options = {"start_hexes": {"Aki": ["b1"], "Ben": ["b4"]}, "collision_cancels": switch}
    duel = bout(RUSH + early, **options, samurai={"Aki": "ronin", "Ben": "master"})
    duel.play(Aki="rush", Ben="early")
    # Ben came first to b3; Aki now runs into it.
    duel.do("Aki", "step", path=["b2", "b3"])

    assert duel["decks.Aki"] == 34 - drawn - 1
    assert duel["advantage"] == (["Ben", "Aki"] if switch == "mover" else ["Aki", "Ben"])


@pytest.mark.rule("SJ-64", "SJ-R16")
def test_a_push_into_somebody_costs_the_pusher_the_rest_of_the_card(bout: Any) -> None:
    shove = card("Shove", "attack push 1 at F", "draw 3")
    places = {"Aki": ["b1"], "Ben": ["b2"], "Cho": ["b3"]}
    options = {"arena": [4, 4], "start_hexes": places, "facings": {"Aki": "N"}}
    duel = bout(shove + REST, ("Aki", "Ben", "Cho"), **options)
    duel.play(Aki="shove", Ben="rest", Cho="rest")

    assert duel["samurai.Ben.hex"] == "b2"
    assert (duel["stuns.Ben"], duel["stuns.Cho"], duel["stuns.Aki"]) == (1, 1, 0)
    assert duel["decks.Aki"] == 34 - 1


def test_a_push_moves_straight_away_from_the_attacker(bout: Any) -> None:
    duel = bout(card("Shove", "attack push 2 at F") + REST, start_hexes={"Aki": ["b1"], "Ben": ["b2"]})
    duel.play(Aki="shove", Ben="rest")

    assert duel["samurai.Ben.hex"] == "b4"


@pytest.mark.rule("SJ-65", "SJ-R17", "SJ-R18")
@pytest.mark.parametrize(("terrain", "cancels", "drawn"), [([], False, 2), ([], True, 0), (["b1"], False, 2)])
def test_an_edge_or_object_stuns_once_and_the_card_goes_on(
    bout: Any, terrain: list[str], cancels: bool, drawn: int
) -> None:
    back = card("Back", "move 2 B", "draw 2", kind="meditation")
    start = {"Aki": ["b2" if terrain else "b1"], "Ben": ["b4"]}
    duel = bout(back + REST, start_hexes=start, terrain=terrain, edge_cancels=cancels)
    duel.play(Aki="back", Ben="rest")

    assert duel["samurai.Aki.hex"] == start["Aki"][0]
    assert (duel["stuns.Aki"], duel["stuns.Ben"]) == (1, 0)
    assert duel["decks.Aki"] == 34 - drawn - 1


@pytest.mark.rule("SJ-65", "SJ-R17")
def test_a_step_against_the_edge_is_lost_and_the_next_one_counts(bout: Any) -> None:
    duel = bout(card("Roam", "move 2", kind="meditation") + REST, start_hexes={"Aki": ["b1"], "Ben": ["b4"]})
    duel.play(Aki="roam", Ben="rest")
    duel.do("Aki", "step", path=["S", "b2"])

    assert (duel["samurai.Aki.hex"], duel["stuns.Aki"]) == ("b2", 1)


@pytest.mark.rule("SJ-64", "SJ-54")
def test_a_samurai_that_goes_forth_and_back_runs_into_nobody(bout: Any) -> None:
    """It was once still standing where it had come from when it came back, and stunned itself twice."""
    duel = bout(card("Roam", "move 2", kind="meditation") + REST, start_hexes={"Aki": ["b1"], "Ben": ["b4"]})
    duel.play(Aki="roam", Ben="rest")
    duel.do("Aki", "step", path=["b2", "b1"])

    assert (duel["samurai.Aki.hex"], duel["stuns.Aki"]) == ("b1", 0)


@pytest.mark.rule("SJ-28", "SJ-R19")
@pytest.mark.parametrize(("switch", "order"), [("top", ["Cho", "Aki", "Ben"]), ("up", ["Aki", "Cho", "Ben"])])
def test_the_advantage_symbol_moves_a_token_up(bout: Any, switch: str, order: list[str]) -> None:
    samurai = {"Aki": "ronin", "Ben": "student", "Cho": "master"}
    duel = bout(REST, ("Aki", "Ben", "Cho"), samurai=samurai, advantage_symbol=switch)
    duel.play(Aki="passive", Ben="passive", Cho="rest")

    assert duel["advantage"] == order


KATA = card("Kata", "kamae", "in balance: draw 2", "in aggression: draw 5", kind="meditation")


@pytest.mark.rule("SJ-22", "SJ-55", "SJ-31", "SJ-60", "SJ-32", "SJ-R25", "SJ-30")
def test_a_kamae_line_counts_in_that_kamae_when_it_comes_up(bout: Any) -> None:
    duel = bout(KATA + REST, samurai={"Aki": "student"})
    duel.play(Aki="kata", Ben="rest")
    duel.refuse("Aki", "kamae", "SJ-31", to="aggression")
    duel.refuse("Aki", "kamae", "TABLE-4", to="anger")
    duel.do("Aki", "pass")
    assert duel["decks.Aki"] == 33  # no kamae, no bonus

    duel.play(Aki="kata", Ben="rest")
    duel.do("Aki", "kamae", to="Balanced")
    assert duel["samurai.Aki.kamae"] == "balance"
    assert duel["decks.Aki"] == 33 - 2 - 1


@pytest.mark.rule("SJ-R26", "SJ-31", "SJ-29")
def test_a_branch_may_lead_one_way_and_a_permission_is_one_step(bout: Any) -> None:
    duel = bout(KATA + REST, samurai={"Aki": "ronin"})
    duel.play(Aki="kata", Ben="rest")
    duel.do("Aki", "kamae", to="aggression")
    duel.refuse("Aki", "kamae", "SJ-31", "SJ-R26", to="gateway")
    duel.play(Aki="kata", Ben="rest")
    duel.refuse("Aki", "kamae", "SJ-R26", to="balance")
    duel.do("Aki", "kamae", to="gateway")
    assert duel["samurai.Aki.kamae"] == "gateway"


@pytest.mark.rule("SJ-57", "SJ-58", "SJ-59", "SJ-R5", "SJ-74")
def test_the_passive_card_costs_a_card_for_a_move_or_a_kamae_step(bout: Any) -> None:
    duel = bout(REST)
    duel.play(Aki="passive", Ben="rest")

    assert duel.asked == ("Aki", ("choose",))
    assert (duel["hands.Aki"], duel["pile.Aki"]) == (5, [None])
    duel.refuse("Aki", "choose", "SJ-58", option=3)
    duel.refuse("Aki", "choose", "SJ-58", option="fly")
    duel.refuse("Aki", "step", "TABLE-3", to="b1")
    duel.do("Aki", "choose", option="move")
    duel.do("Aki", "step", to="a2")
    duel.do("Aki", "pass")
    assert duel["samurai.Aki.hex"] == "a2"
    assert duel["samurai.Aki.kamae"] == "gateway"


@pytest.mark.rule("SJ-59", "SJ-R27", "SJ-38", "SJ-R14")
def test_a_discard_that_an_opponent_forces_goes_face_up(bout: Any) -> None:
    cry = card("Cry", "foes discard 2 stun 1", kind="meditation")
    duel = bout(cry + REST)
    duel.play(Aki="cry", Ben="rest")

    assert duel.asked == ("Ben", ("discard",))
    duel.refuse("Ben", "discard", "SJ-59", cards=["rest"])
    duel.refuse("Ben", "discard", "SJ-38", cards=["stun", "rest"])
    duel.refuse("Ben", "discard", "SJ-R4", cards=["passive", "rest"])
    duel.refuse("Ben", "discard", "TABLE-4", cards=["nonsense", "rest"])
    duel.refuse("Ben", "pass", "SJ-54")
    duel.do("Ben", "discard", cards=["Rest", "cry"])
    assert duel["pile.Ben"][:2] == ["rest", "cry"]


def test_paths_and_discards_too_many_to_list_are_put_together_from_their_parts(bout: Any) -> None:
    cry = card("Cry", "foes discard 3", kind="meditation", speed="9")
    run = card("Run", "move up to 4", kind="meditation", speed="8")
    many = "".join(card(f"Filler {letter}", "draw 1", kind="meditation") for letter in "ABCDEFGHIJ")
    decks = {"cry": 6, "run": 6} | {f"filler_{letter}": 3 for letter in "abcdefghi"} | {"filler_j": 1}
    duel = bout(cry + run + many, decks=decks)
    duel.play(Aki="cry", Ben="run")

    assert duel.asked == ("Ben", ("discard",))
    held = duel.match.game.table.parts(duel.match.state, "Ben")["discard"]
    assert (held.field, held.least, held.most) == ("cards", 3, 3)
    assert held.of == {card: copies - (card == "run") for card, copies in decks.items()}
    assert duel.match.game.table.parts(duel.match.state, "Aki") == {}
    duel.do("Ben", "discard", cards=["filler_i", "filler_j", "filler_h"])
    steps = duel.match.game.table.parts(duel.match.state, "Ben")["step"]
    assert (steps.field, set(steps.of), steps.most) == ("path", {"N", "NE", "SE", "S", "SW", "NW"}, 4)


def test_a_forced_discard_asks_for_no_more_than_the_hand_holds(bout: Any) -> None:
    burn = card("Burn", "discard 5", kind="meditation", speed="9")
    cry = card("Cry", "foes discard 2", kind="meditation")
    duel = bout(burn + cry)
    duel.play(Aki="cry", Ben="burn")

    assert duel["round"] == 2


def test_optional_costs_are_paid_or_not(bout: Any) -> None:
    deal = card("Deal", "may:", "  cost discard 2 wound 1", "  draw 4", "draw 1", kind="meditation")
    duel = bout(deal + REST)
    duel.play(Aki="deal", Ben="rest")
    assert duel.asked == ("Aki", ("use", "pass"))
    duel.do("Aki", "use")
    assert duel["decks.Aki"] == 34 - 4 - 1 - 1
    assert duel["wounds.Aki"] == 1
    duel.play(Aki="deal", Ben="rest")
    duel.do("Aki", "pass")
    assert duel["wounds.Aki"] == 1
    assert duel["decks.Aki"] == 28 - 1 - 1


def test_draw_up_to_takes_any_number_up_to_it(bout: Any) -> None:
    duel = bout(card("Sip", "draw up to 2", kind="meditation") + REST)
    duel.play(Aki="sip", Ben="rest")
    duel.refuse("Aki", "draw", "SJ-54", cards=3)
    duel.refuse("Aki", "draw", "SJ-54", cards=-1)
    duel.do("Aki", "draw", cards=1)
    assert duel["decks.Aki"] == 34 - 1 - 1


@pytest.mark.rule("SJ-61", "SJ-62", "SJ-63")
def test_wild_swing_beats_a_calm_defence_that_cannot_reach_its_speed(bout: Any) -> None:
    decks = {"wild_swing": 3, "calm_defence": 37}
    duel = bout("", decks=decks, samurai={"Aki": "student", "Ben": "master"})
    duel.play(Aki="passive", Ben="passive")
    duel.do("Aki", "choose", option="kamae")
    duel.do("Aki", "kamae", to="balance")
    duel.do("Ben", "choose", option="kamae")
    duel.do("Ben", "pass")
    duel.play(Aki="wild_swing", Ben="calm_defence")
    duel.refuse("Ben", "speed", "SJ-15", value=7)
    duel.do("Ben", "speed", value=6)

    assert duel["wounds.Ben"] == 2
    assert duel["hands.Aki"] == 4  # five after the reveal, and one for the balanced line
    assert duel.asked == ("Ben", ("step",))
    duel.refuse("Ben", "step", "SJ-54", to="b2")
    duel.do("Ben", "step", to="b4")
    assert duel["samurai.Ben.hex"] == "b4"


@pytest.mark.rule("SJ-R12", "SJ-33", "SJ-7")
def test_what_befalls_everyone_befalls_all_at_the_same_moment(bout: Any) -> None:
    """Both fall in the same line: nobody has won."""
    script = card("Fire", "everyone wound 1 stun 1", "draw 1") + REST
    duel = bout(script, health={"Aki": 2, "Ben": 3})
    duel.play(Aki="fire", Ben="passive")
    assert (duel["wounds"], duel["stuns"]) == ({"Aki": 1, "Ben": 1}, {"Aki": 1, "Ben": 1})
    together = bout(script, health=1)
    together.play(Aki="fire", Ben="passive")

    assert (together["over"], together["winners"]) == (True, [])
    assert together["samurai.Aki.defeated"]
    assert together["samurai.Ben.defeated"]
    assert together["decks.Aki"] == 34, "nothing more of the card is resolved"

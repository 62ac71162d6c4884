"""The round: choosing, revealing, initiative, discarding, running out, and falling."""

from typing import Any

import pytest

CUT = "card Cut\ntype attack\nrank wood\nspeed 6\nattack wound 1 at F\n"
BLEED = "card Slash\ntype attack\nrank wood\nspeed 6\nattack bleed 2 at F\n"
DAZE = "card Daze\ntype attack\nrank wood\nspeed 6\nattack stun 3 at F\n"


@pytest.mark.rule("SJ-6", "SJ-47", "SJ-48", "SJ-R33")
def test_everyone_chooses_and_reveals_once_and_together(bout: Any, wait: str) -> None:
    duel = bout(wait)
    duel.refuse("Aki", "reveal", "SJ-48", card="wait")
    duel.do("Aki", "select")
    duel.refuse("Aki", "select", "SJ-47")
    assert duel["phase"] == "draw"
    duel.do("Ben", "select")
    assert duel["phase"] == "activation"
    duel.refuse("Ben", "select", "SJ-R33")
    duel.do("Ben", "reveal", card="Wait")
    assert duel["played.Ben"] == []
    duel.do("Aki", "reveal", card="wait")
    assert duel["round"] == 2


@pytest.mark.rule("SJ-14", "SJ-53", "SJ-48")
def test_the_highest_speed_acts_first(bout: Any) -> None:
    duel = bout("", arena=[8, 5], start_hexes={}, decks={"swift_mind": 3, "firm_mind": 3, "quick_stab": 34})
    duel.play(Aki="swift_mind", Ben="firm_mind")

    assert duel.asked == ("Aki", ("step", "pass"))
    assert duel["order"] == [["Ben", "firm_mind", 5]]


TIE = "".join(
    f"card {kind.title()}\ntype {kind}\nrank wood\nspeed 5\nmay move 1\n"
    for kind in ("defence", "attack", "meditation")
)


@pytest.mark.rule("SJ-26", "SJ-16")
@pytest.mark.parametrize(
    ("aki", "ben", "first"),
    [("meditation", "defence", "Ben"), ("attack", "meditation", "Aki"), ("attack", "defence", "Ben")],
)
def test_a_tie_goes_by_type(bout: Any, aki: str, ben: str, first: str) -> None:
    duel = bout(TIE)
    duel.play(Aki=aki, Ben=ben)

    assert duel.asked[0] == first


@pytest.mark.rule("SJ-27", "SJ-28", "SJ-56", "SJ-R3", "SJ-R2", "SJ-49")
def test_a_tie_of_one_type_goes_by_advantage_and_the_passive_card_comes_last(bout: Any) -> None:
    slow = "card Slow\ntype meditation\nrank wood\nspeed 0\nmay move 1\n"
    duel = bout(TIE + slow, samurai={"Aki": "ronin", "Ben": "master"})
    duel.play(Aki="attack", Ben="attack")
    assert duel.asked[0] == "Aki"
    duel.do("Aki", "pass")
    duel.do("Ben", "pass")
    duel.play(Aki="passive", Ben="passive")
    assert duel.asked[0] == "Aki"
    duel.do("Aki", "choose", option=2)
    duel.do("Aki", "pass")
    duel.do("Ben", "choose", option="kamae")
    duel.do("Ben", "pass")
    duel.play(Aki="passive", Ben="slow")
    assert duel.asked[0] == "Ben"


@pytest.mark.rule("SJ-15", "SJ-R7")
def test_speeds_are_chosen_after_the_reveal_from_the_top_of_the_advantage(bout: Any) -> None:
    duel = bout("card Wall\ntype defence\nrank wood\nspeed 6-2\nblock at F\nmay move 1\n")
    duel.play(Aki="wall", Ben="wall")

    assert duel["advantage"] == ["Ben", "Aki"]
    assert duel["order"] == [["Ben", "wall", None], ["Aki", "wall", None]]
    duel.refuse("Aki", "speed", "TABLE-3", value=4)
    duel.refuse("Ben", "speed", "SJ-15", value=1)
    duel.do("Ben", "speed", value=2)
    duel.refuse("Ben", "speed", "SJ-15", value=3)
    duel.do("Aki", "speed", value=6)
    assert duel.asked[0] == "Aki"
    assert duel["initiative"] == 6


@pytest.mark.rule("SJ-17", "SJ-R24", "SJ-7")
def test_each_segment_acts_at_its_own_initiative(bout: Any) -> None:
    double = "card Double\ntype meditation\nrank wood\nspeed 9\nmay move 1\n--- 3\nmay rotate 1\n"
    middle = "card Middle\ntype meditation\nrank wood\nspeed 5\nmay draw 1\n"
    duel = bout(double + middle)
    duel.play(Aki="double", Ben="middle")

    assert duel.asked == ("Aki", ("step", "pass"))
    duel.do("Aki", "pass")
    assert duel.asked == ("Ben", ("draw", "pass"))
    duel.do("Ben", "draw", cards=1)
    assert duel.asked == ("Aki", ("rotate", "pass"))
    assert duel["initiative"] == 3


@pytest.mark.rule("SJ-50", "SJ-R4", "SJ-R27", "SJ-59", "SJ-57")
def test_played_cards_go_face_up_to_the_discards_and_the_passive_card_back_to_the_hand(bout: Any, wait: str) -> None:
    duel = bout(wait)
    duel.play(Aki="wait", Ben="passive")
    duel.do("Ben", "choose", option=2)
    duel.do("Ben", "pass")

    # Aki drew one in its turn and was over the limit by nothing; Ben paid one face down.
    assert duel["pile.Aki"] == ["wait", None]
    assert duel["pile.Ben"] == [None]
    duel.play(Aki="passive", Ben="passive")
    assert duel["played.Ben"] == ["passive"]


@pytest.mark.rule("SJ-51", "SJ-13")
def test_everyone_discards_to_the_limit_without_counting_the_passive_card(bout: Any) -> None:
    duel = bout("card Fill\ntype meditation\nrank wood\nspeed 3\ndraw 4\n", hand_limit={"Aki": 3})
    duel.play(Aki="fill", Ben="fill")

    assert duel["discards.Aki"] == 1 + 6
    assert duel["discards.Ben"] == 1 + 4
    assert (duel["hands.Aki"], duel["hands.Ben"]) == (4, 6)
    assert duel["decks.Aki"] == 34 - 4 - 1


@pytest.mark.rule("SJ-33", "SJ-34", "SJ-R10", "SJ-R12", "SJ-R13")
def test_wounds_of_both_kinds_add_up_to_a_defeat_at_once(bout: Any) -> None:
    duel = bout(CUT + BLEED)
    duel.play(Aki="slash", Ben="passive")
    duel.do("Ben", "choose", option=2)
    duel.do("Ben", "pass")
    duel.play(Aki="slash", Ben="passive")
    duel.do("Ben", "choose", option=2)
    duel.do("Ben", "pass")
    assert (duel["bleeding.Ben"], duel["samurai.Ben.defeated"]) == (4, False)
    duel.play(Aki="cut", Ben="passive")

    # Ben's passive card at 0 is never asked about: its lines are lost.
    assert (duel["wounds.Ben"], duel["bleeding.Ben"]) == (1, 4)
    assert duel["row.Ben"] == ["bleeding"] * 4 + ["wound"]
    assert duel["over"]
    assert duel["winners"] == ["Aki"]
    assert duel["awaits"] == {}
    duel.refuse("Ben", "choose", "SJ-R12", "SJ-R13", option=1)
    duel.refuse("Aki", "select", "SJ-R13")


@pytest.mark.rule("SJ-35", "SJ-36", "SJ-R11")
def test_bleeding_takes_cards_from_the_deck_before_the_draw(bout: Any) -> None:
    duel = bout(BLEED)
    duel.play(Aki="slash", Ben="passive")
    duel.do("Ben", "choose", option=2)
    duel.do("Ben", "pass")

    assert duel["wounds.Ben"] == 0
    assert duel["bleeding.Ben"] == 2
    assert duel["decks.Ben"] == 34 - 2 - 1
    assert duel["pile.Ben"] == [None, None, None]
    assert [rule for rule in duel.rules_said() if rule in ("SJ-36", "SJ-46")] == ["SJ-46", "SJ-36", "SJ-46"]


DRAIN = "card Drain\ntype meditation\nrank wood\nspeed 3\ndraw 40\n"


@pytest.mark.rule("SJ-66", "SJ-52", "SJ-R1", "SJ-R6", "SJ-R34", "SJ-R11")
@pytest.mark.parametrize(("switch", "stuns", "wounds"), [("mixed", 1, 1), ("stun", 2, 0), ("wound", 0, 2)])
def test_an_empty_deck_hurts_by_the_switch(bout: Any, switch: str, stuns: int, wounds: int) -> None:
    one = "card Sip\ntype meditation\nrank wood\nspeed 3\ndraw 35\n"
    duel = bout(one + BLEED, empty_deck=switch, decks={"Aki": {"sip": 40}, "Ben": {"slash": 40}})
    duel.play(Aki="sip", Ben="passive")
    duel.do("Ben", "choose", option=2)
    duel.do("Ben", "pass")

    # Thirty-four were drawn and the thirty-fifth was missing; then the draw of the next round failed.
    assert duel["decks.Aki"] == 0
    assert (duel["stuns.Aki"], duel["wounds.Aki"]) == (stuns, wounds)
    duel.play(Aki="passive", Ben="slash")
    duel.do("Aki", "choose", option=2)
    duel.do("Aki", "pass")
    # Bleeding from an empty deck is void, and the discards are never shuffled back.
    assert duel["bleeding.Aki"] == 2
    assert duel["decks.Aki"] == 0
    assert (duel["stuns.Aki"] + duel["wounds.Aki"]) == 3


@pytest.mark.rule("SJ-R12", "SJ-52")
def test_who_fall_together_have_drawn(bout: Any) -> None:
    duel = bout(DRAIN, empty_deck="mixed", health=1, hand_limit=30)
    duel.play(Aki="drain", Ben="drain")

    assert duel["over"]
    assert duel["winners"] == []
    assert duel["samurai.Aki.defeated"]
    assert duel["samurai.Ben.defeated"]


@pytest.mark.rule("SJ-37", "SJ-38", "SJ-R14", "SJ-R31")
def test_a_stun_is_a_card_in_hand_that_leaves_only_by_being_played(bout: Any, wait: str) -> None:
    duel = bout(DAZE + wait, health=9)
    duel.play(Aki="daze", Ben="wait")
    assert duel["stuns.Ben"] == 3
    # Ben held nine after drawing one, and discarded ability cards down to five before the next draw.
    assert duel["hands.Ben"] == 6
    duel.do("Aki", "select")
    duel.do("Ben", "select")
    duel.refuse("Aki", "reveal", "SJ-37", card="stun")
    duel.do("Aki", "reveal", card="wait")
    duel.do("Ben", "reveal", card="stun")
    assert duel["stuns.Ben"] == 2
    assert duel["round"] == 3
    assert "stun" not in duel["pile.Ben"]


@pytest.mark.rule("SJ-39", "SJ-67", "SJ-R15")
@pytest.mark.parametrize(("switch", "blows", "defeated"), [("over", 5, False), ("limit", 5, True), ("over", 6, True)])
def test_too_many_stuns_in_the_discard_phase_are_a_defeat(bout: Any, switch: str, blows: int, defeated: bool) -> None:
    daze = f"card Daze\ntype attack\nrank wood\nspeed 6\nattack stun {blows} at F\n"
    duel = bout(daze, stun_defeat=switch)
    duel.play(Aki="daze", Ben="passive")
    duel.do("Ben", "choose", option=2)
    duel.do("Ben", "pass")

    assert duel["samurai.Ben.defeated"] is defeated
    assert duel["over"] is defeated
    assert ("SJ-39" in duel.rules_said()) is defeated


@pytest.mark.rule("SJ-R12", "SJ-R13", "SJ-34")
def test_with_three_the_fight_goes_on_without_the_fallen(bout: Any) -> None:
    places = {"Aki": ["b2"], "Ben": ["b3"], "Cho": ["d1"]}
    duel = bout(
        CUT,
        players=("Aki", "Ben", "Cho"),
        start_hexes=places,
        arena=[4, 4],
        facings={"Aki": "N"},
        health={"Ben": 1},
    )
    duel.play(Aki="cut", Ben="passive", Cho="passive")

    assert duel["samurai.Ben.defeated"]
    assert duel["samurai.Ben.hex"] is None
    assert not duel["over"]
    duel.do("Cho", "choose", option="kamae")
    duel.do("Cho", "pass")
    assert duel["awaits"] == {"Aki": ["select"], "Cho": ["select"]}
    duel.refuse("Ben", "select", "SJ-R12")


def test_cards_that_cannot_be_there_are_called(bout: Any) -> None:
    lone = "card Lone\ntype meditation\nrank gold\nspeed 3\nadvantage\n"
    duel = bout(lone + CUT, decks={"Aki": {"lone": 1, "cut": 39}, "Ben": {"cut": 40}})
    duel.play(Aki="lone", Ben="cut")
    duel.do("Aki", "select")
    duel.do("Ben", "select")
    duel.refuse("Aki", "reveal", "TABLE-1", card="lone")
    duel.refuse("Ben", "reveal", "TABLE-1", card="lone")
    duel.refuse("Ben", "reveal", "TABLE-4", card="nonsense")


@pytest.mark.rule("SJ-R5", "SJ-57")
def test_nobody_plays_from_an_empty_hand_and_the_passive_card_then_does_nothing(bout: Any) -> None:
    burn = "card Burn\ntype meditation\nrank wood\nspeed 3\ndraw 40\ndiscard 40\n"
    duel = bout(burn, empty_deck="wound", health=99)
    duel.play(Aki="burn", Ben="burn")

    assert (duel["hands.Aki"], duel["decks.Aki"], duel["discards.Aki"]) == (0, 0, 40)
    duel.do("Aki", "select")
    duel.do("Ben", "select")
    duel.refuse("Aki", "reveal", "TABLE-2", card="burn")
    duel.do("Aki", "reveal", card="passive")
    duel.do("Ben", "reveal", card="passive")
    assert duel.rules_said().count("SJ-R5") == 2
    assert duel["round"] == 3


@pytest.mark.rule("SJ-32")
def test_some_sensei_cards_need_their_kamae(bout: Any) -> None:
    sensei = "card Secret\ntype attack\nrank wood\nsensei\nneeds balance\nspeed 5\nattack wound 1 at F\n"
    duel = bout(sensei)
    duel.do("Aki", "select")
    duel.do("Ben", "select")
    duel.refuse("Aki", "reveal", "SJ-32", card="secret")
    duel.do("Aki", "reveal", card="passive")
    duel.do("Ben", "reveal", card="passive")
    duel.do("Ben", "choose", option=2)
    duel.do("Ben", "pass")
    duel.do("Aki", "choose", option=2)
    duel.do("Aki", "kamae", to="balance")
    duel.play(Aki="secret", Ben="passive")
    assert duel["wounds.Ben"] == 1

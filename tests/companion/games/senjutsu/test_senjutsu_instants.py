"""Instants: when they are asked for, what they may cover, and when they act."""

from typing import Any

import pytest


def card(name: str, *lines: str, kind: str, speed: str = "", instant: str = "", rank: str = "wood") -> str:
    head = [f"card {name}", f"type {kind}", f"rank {rank}"]
    head += [f"instant {instant}"] if instant else []
    head += [f"speed {speed}"] if speed else []
    return "\n".join((*head, *lines, ""))


CUT = card("Cut", "attack wound 1 at F", kind="attack", speed="6")
WAIT = card("Wait", "draw 1", kind="meditation", speed="3")
PARRY = card("Parry", "block at F", kind="defence", speed="10-1", instant="replace")
SHIELD = card("Shield", "block at F", kind="defence", instant="replace")
LUNGE = card("Lunge", "attack wound 2 at F", kind="attack", instant="add")
AFTER = card("After", "attack stun 1 at F", kind="attack", speed="=", instant="add")
SOON = card("Soon", "attack bleed 1 at F", kind="attack", speed="9", instant="add")
DEEP = card("Deep", "draw 3", kind="meditation", instant="add")
ALL = CUT + WAIT + PARRY + SHIELD + LUNGE + AFTER + SOON + DEEP


def settle(duel: Any) -> None:
    """Nobody lays anything more."""
    while duel.asked and "instant" in duel.asked[1]:
        duel.do(duel.asked[0], "pass", rest=True)


@pytest.mark.rule("SJ-18", "SJ-19", "SJ-41", "SJ-42", "SJ-R21", "SJ-R23")
def test_a_replacement_covers_the_card_before_it_is_resolved(bout: Any) -> None:
    duel = bout(ALL, samurai={"Aki": "master", "Ben": "ronin"})
    duel.refuse("Ben", "instant", "SJ-41", card="parry")
    duel.play(Aki="cut", Ben="wait")

    assert duel.asked == ("Ben", ("instant", "pass"))
    duel.refuse("Aki", "instant", "SJ-40", "SJ-41", card="lunge")
    duel.do("Ben", "instant", card="Parry")
    assert duel["played.Ben"] == ["wait", "parry"]
    duel.refuse("Ben", "speed", "SJ-15", value=11)
    duel.do("Ben", "speed", value=6)
    settle(duel)

    assert duel["wounds.Ben"] == 0
    assert duel["decks.Ben"] == 33  # the covered card drew nothing
    assert duel["pile.Ben"] == ["wait", "parry"]


@pytest.mark.rule("SJ-24", "SJ-R21")
def test_a_replacement_without_a_speed_keeps_that_of_the_card_it_covers(bout: Any) -> None:
    brace = card("Brace", "draw 1", kind="meditation", speed="6")
    for base, wounds in (("brace", 0), ("wait", 1)):
        duel = bout(ALL + brace, samurai={"Aki": "master", "Ben": "ronin"})
        duel.play(Aki="cut", Ben=base)
        duel.do("Ben", "instant", card="shield")
        settle(duel)
        assert duel["wounds.Ben"] == wounds


@pytest.mark.rule("SJ-R21", "SJ-41")
def test_a_speed_above_the_current_moment_acts_at_once(bout: Any) -> None:
    dash = card("Dash", "draw 1", kind="meditation", speed="8", instant="replace")
    block = card("Block", "block at F", "draw 1", kind="defence", speed="2")
    duel = bout(CUT + dash + block, decks={"Aki": {"cut": 40}, "Ben": {"dash": 20, "block": 20}})
    duel.play(Aki="cut", Ben="block")
    duel.do("Ben", "pass")
    assert duel["wounds.Ben"] == 1
    assert duel.asked == ("Ben", ("instant", "pass"))
    said = duel.do("Ben", "instant", card="dash")

    assert "Ben resolves Dash at speed 6." in duel.tell(said)


@pytest.mark.rule("SJ-40", "SJ-R20")
def test_an_instant_goes_on_a_card_of_another_type_that_is_no_instant(bout: Any) -> None:
    duel = bout(ALL, samurai={"Aki": "ronin", "Ben": "master"})
    duel.play(Aki="cut", Ben="parry")
    duel.do("Ben", "speed", value=6)

    # Ben's own card is an instant: nothing is laid on it, and nobody asks.
    assert duel.asked == ("Aki", ("instant", "pass"))
    duel.refuse("Ben", "instant", "SJ-40", "SJ-R20", card="lunge")
    duel.refuse("Aki", "instant", "SJ-40", card="lunge")
    duel.refuse("Aki", "instant", "SJ-19", card="wait")
    duel.refuse("Aki", "instant", "SJ-19", card="stun")
    duel.refuse("Aki", "instant", "TABLE-4", card="nonsense")


@pytest.mark.rule("SJ-R20", "SJ-42")
def test_additions_as_many_as_wished_and_one_replacement_at_most(bout: Any) -> None:
    slow = card("Slow", "may draw 1", kind="meditation", speed="1")
    decks = {"Aki": {"cut": 10, "deep": 15, "shield": 15}, "Ben": {"slow": 40}}
    duel = bout(ALL + slow, samurai={"Aki": "ronin", "Ben": "master"}, decks=decks)
    duel.play(Aki="cut", Ben="slow")
    duel.do("Aki", "instant", card="deep")
    duel.do("Aki", "instant", card="deep")
    duel.do("Aki", "instant", card="shield")

    # The block has taken the place of the cut; what was added to the card is still resolved.
    assert duel["wounds.Ben"] == 0
    assert duel["decks.Aki"] == 34 - 6
    assert duel.asked == ("Ben", ("draw", "pass"))
    duel.refuse("Aki", "instant", "SJ-40", "SJ-R20", card="deep")
    duel.refuse("Aki", "instant", "SJ-40", "SJ-R20", card="shield")


@pytest.mark.rule("SJ-R20", "SJ-24")
def test_an_instant_without_a_speed_is_never_the_card_of_the_round(bout: Any) -> None:
    duel = bout(ALL)
    duel.do("Aki", "select")
    duel.do("Ben", "select")
    for name in ("shield", "lunge", "after", "deep"):
        duel.refuse("Aki", "reveal", "SJ-R20", "SJ-24", card=name)
    duel.do("Aki", "reveal", card="soon")


@pytest.mark.rule("SJ-43", "SJ-44", "SJ-R22", "SJ-19")
def test_an_addition_without_a_speed_is_part_of_the_same_activation(bout: Any) -> None:
    duel = bout(
        ALL,
        samurai={"Aki": "ronin", "Ben": "master"},
        decks={"Aki": {"wait": 20, "lunge": 20}, "Ben": {"cut": 40}},
    )
    duel.play(Aki="wait", Ben="cut")
    duel.do("Aki", "instant", card="lunge")
    assert duel["wounds.Ben"] == 0
    duel.do("Aki", "pass")  # Ben's cut at 6
    duel.do("Aki", "pass")  # Aki's own card at 3, with the lunge behind it

    assert duel["wounds.Ben"] == 2
    assert duel["wounds.Aki"] == 1
    assert duel["decks.Aki"] == 33


@pytest.mark.rule("SJ-43", "SJ-R22")
def test_an_addition_may_still_come_when_the_own_card_is_resolved_but_not_later(bout: Any) -> None:
    decks = {"Aki": {"cut": 20, "deep": 20}, "Ben": {"wait": 40}}
    duel = bout(ALL, samurai={"Aki": "ronin", "Ben": "master"}, decks=decks)
    duel.play(Aki="cut", Ben="wait")
    duel.do("Aki", "pass")
    assert duel["wounds.Ben"] == 1
    assert duel.asked == ("Aki", ("instant", "pass"))
    duel.do("Aki", "instant", card="deep")
    assert duel["decks.Aki"] == 34 - 3
    duel.do("Aki", "pass")
    assert duel["round"] == 2


@pytest.mark.rule("SJ-43", "SJ-41")
def test_after_the_own_turn_nothing_is_laid_any_more(bout: Any) -> None:
    slow = card("Slow", "may draw 1", kind="meditation", speed="1")
    decks = {"Aki": {"cut": 20, "deep": 10, "parry": 10}, "Ben": {"slow": 40}}
    duel = bout(ALL + slow, samurai={"Aki": "ronin", "Ben": "master"}, decks=decks)
    duel.play(Aki="cut", Ben="slow")
    duel.do("Aki", "pass", rest=True)
    assert duel.asked[0] == "Ben"
    duel.refuse("Aki", "instant", "SJ-43", card="deep")
    duel.refuse("Aki", "instant", "SJ-41", card="parry")


@pytest.mark.rule("SJ-45", "SJ-R22")
@pytest.mark.parametrize(("name", "path"), [("after", "stuns.Ben"), ("soon", "bleeding.Ben"), ("late", "stuns.Ben")])
def test_an_addition_with_a_speed_or_equals_comes_right_after_its_card(bout: Any, name: str, path: str) -> None:
    step = card("Step", "draw 1", kind="meditation", speed="5")
    late = card("Late", "attack stun 1 at F", kind="attack", speed="2", instant="add")
    decks = {"Aki": {"step": 20, name: 20}, "Ben": {"wait": 40}}
    duel = bout(ALL + step + late, samurai={"Aki": "ronin", "Ben": "master"}, decks=decks)
    duel.play(Aki="step", Ben="wait")
    said = [*duel.do("Aki", "instant", card=name)]
    while duel.asked:
        said += duel.do("Aki", "pass", rest=True)

    told = [text for text in duel.tell(said) if " resolves " in text]
    first, second = "Aki resolves Step at speed 5.", f"Aki resolves {name.title()} right after Step, at speed 5."
    assert told == [first, second, "Ben resolves Wait at speed 3."]
    assert duel[path] == 1


@pytest.mark.rule("SJ-R23")
@pytest.mark.parametrize(("order", "first"), [("top", "Ben"), ("bottom", "Aki")])
def test_instants_are_asked_for_in_advantage_order(bout: Any, order: str, first: str) -> None:
    duel = bout(ALL, instant_order=order)
    duel.play(Aki="wait", Ben="wait")

    assert duel["advantage"] == ["Ben", "Aki"]
    assert duel.asked == (first, ("instant", "pass"))
    duel.do(first, "pass")
    assert duel.asked[0] != first


@pytest.mark.rule("SJ-R23", "SJ-19")
def test_when_somebody_lays_one_the_question_goes_round_again(bout: Any) -> None:
    duel = bout(ALL)
    duel.play(Aki="wait", Ben="wait")
    duel.do("Ben", "pass")
    duel.do("Aki", "instant", card="lunge")
    assert duel.asked[0] == "Ben"
    duel.do("Ben", "pass", rest=True)
    duel.do("Aki", "pass", rest=True)
    assert duel["round"] == 2


@pytest.mark.rule("SJ-R20", "SJ-40", "SJ-R14")
def test_nothing_is_laid_on_a_stun_and_who_cannot_hold_an_instant_is_not_asked(bout: Any) -> None:
    daze = card("Daze", "foes stun 1", kind="meditation", speed="6")
    lone = card("Lone", "draw 1", kind="meditation", instant="add", rank="gold")
    decks = {"Aki": {"daze": 40}, "Ben": {"lone": 1, "cut": 39}}
    duel = bout(CUT + daze + lone, decks=decks)
    duel.play(Aki="daze", Ben="cut")
    assert duel.asked == ("Ben", ("instant", "pass"))
    duel.do("Ben", "instant", card="lone")
    # The only copy lies open now: nobody asks again, in this round or the next.
    assert duel["round"] == 2
    duel.do("Aki", "select")
    duel.do("Ben", "select")
    duel.do("Aki", "reveal", card="passive")
    duel.do("Ben", "reveal", card="stun")
    assert duel.asked == ("Aki", ("choose",))
    duel.refuse("Ben", "instant", "SJ-40", "TABLE-1", card="lone")

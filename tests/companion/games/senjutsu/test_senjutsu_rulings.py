"""Rulings on things that happen at one moment: falling, pushing, added attacks, duels without decks."""

from typing import Any

import pytest

PUSH = "card Push\ntype attack\nrank wood\nspeed 5\nattack wound 1 push 1 at F\ndraw 1\n"
STUNNING = "card Daze\ntype attack\nrank wood\nspeed 5\nattack wound 1 stun 2 at F\n"
WAIT = "card Wait\ntype meditation\nrank wood\nspeed 1\ndraw 1\n"
THREE = ("Aki", "Ben", "Cho")
ROW = {"arena": [4, 4], "start_hexes": {"Aki": ["b1"], "Ben": ["b2"], "Cho": ["b3"]}, "facings": {"Aki": "N"}}


@pytest.mark.rule("SJ-R12", "SJ-34")
def test_who_falls_is_out_at_once_and_is_not_pushed_into_anybody(bout: Any) -> None:
    duel = bout(PUSH + WAIT, THREE, health={"Ben": 1}, **ROW)
    duel.play(Aki="push", Ben="wait", Cho="wait")

    assert duel["samurai.Ben.defeated"]
    assert "SJ-54" not in duel.rules_said(), "nobody has moved"
    assert (duel["stuns.Ben"], duel["stuns.Cho"]) == (0, 0)
    assert duel["decks.Aki"] == 32, "the rest of the card, and the next round's draw"


@pytest.mark.rule("SJ-R12")
def test_who_falls_takes_no_stun(bout: Any) -> None:
    duel = bout(STUNNING + WAIT, THREE, health={"Ben": 1}, **ROW)
    duel.play(Aki="daze", Ben="wait", Cho="wait")

    assert duel["samurai.Ben.defeated"]
    assert duel["stuns.Ben"] == 0


@pytest.mark.rule("SJ-R35")
def test_of_several_pushed_samurai_the_farthest_moves_first(bout: Any) -> None:
    wave = "card Wave\ntype attack\nrank wood\nspeed 5\nfoes push 1\n"
    for ben, cho in (("ronin", "student"), ("student", "ronin")):  # the ronin has the advantage
        duel = bout(wave + WAIT, THREE, samurai={"Aki": "master", "Ben": ben, "Cho": cho}, **ROW)
        duel.play(Aki="wave", Ben="wait", Cho="wait")

        assert (duel["samurai.Ben.hex"], duel["samurai.Cho.hex"]) == ("b3", "b4")
        assert (duel["stuns.Ben"], duel["stuns.Cho"]) == (0, 0)


@pytest.mark.rule("SJ-45", "SJ-R8", "SJ-R22")
@pytest.mark.parametrize(("speed", "wounds"), [("6", 0), ("2", 1)])
def test_an_added_attack_acts_at_the_moment_of_its_card_and_is_blocked_there(
    bout: Any, speed: str, wounds: int
) -> None:
    calm = "card Calm\ntype meditation\nrank wood\nspeed 6\ndraw 1\n"
    jab = "card Jab\ntype attack\nrank wood\nspeed 2\ninstant add\nattack wound 1 at F\n"
    guard = f"card Guard\ntype defence\nrank wood\nspeed {speed}\nblock at any\n"
    decks = {"Aki": {"calm": 20, "jab": 20}, "Ben": {"guard": 40}}
    duel = bout(calm + jab + guard, decks=decks)
    duel.play(Aki="calm", Ben="guard")
    said = list(duel.do("Aki", "instant", card="jab"))
    while duel.asked:
        said += duel.do("Aki", "pass", rest=True)

    assert duel["wounds.Ben"] == wounds
    assert ("SJ-45", "Aki resolves Jab right after Calm, at speed 6.") in [
        (ruling.rule, text) for ruling, text in zip(said, duel.tell(said), strict=True)
    ]


@pytest.mark.rule("SJ-R22")
def test_of_two_additions_the_one_with_the_higher_printed_speed_comes_first(bout: Any) -> None:
    calm = "card Calm\ntype meditation\nrank wood\nspeed 6\ndraw 1\n"
    slow = "card Slow\ntype attack\nrank wood\nspeed 2\ninstant add\nattack wound 1 at F\n"
    fast = "card Fast\ntype attack\nrank wood\nspeed 4\ninstant add\nattack wound 1 at F\n"
    decks = {"Aki": {"calm": 20, "slow": 10, "fast": 10}, "Ben": {"wait": 40}}
    duel = bout(calm + slow + fast + WAIT, decks=decks)
    duel.play(Aki="calm", Ben="wait")
    said = [*duel.do("Aki", "instant", card="slow"), *duel.do("Aki", "instant", card="fast")]
    while duel.asked:
        said += duel.do("Aki", "pass", rest=True)

    assert [text.split()[2] for text in duel.tell(said) if " resolves " in text] == ["Calm", "Fast", "Slow", "Wait"]


@pytest.mark.rule("SJ-R36")
def test_without_decks_three_rounds_without_an_ability_card_are_a_draw(bout: Any) -> None:
    spend = "card Spend\ntype meditation\nrank wood\nspeed 3\ndraw 34\n"
    duel = bout(spend, empty_deck="stun", hand_limit=50)
    duel.play(Aki="spend", Ben="spend")
    assert (duel["decks.Aki"], duel["decks.Ben"], duel["round"]) == (0, 0, 2)
    for stun in range(2):
        duel.play(Aki="stun", Ben="stun")
        assert not duel["over"], stun
    duel.play(Aki="spend", Ben="stun")
    for _ in range(2):
        duel.play(Aki="stun", Ben="stun")
        assert not duel["over"], "an ability card was played in between"
    duel.play(Aki="stun", Ben="stun")

    assert (duel["over"], duel["winners"], duel["phase"]) == (True, [], "over")
    assert duel.rules_said()[-1] == "SJ-R36"


@pytest.mark.rule("SJ-R8")
def test_a_block_at_f_does_not_stop_an_attack_from_two_hexes_ahead(bout: Any) -> None:
    lance = "card Lance\ntype attack\nrank wood\nspeed 5\nattack wound 1 at F2\n"
    shield = "card Shield\ntype defence\nrank wood\nspeed 5\nblock at F\n"
    places = {"start_hexes": {"Aki": ["b1"], "Ben": ["b3"]}, "facings": {"Aki": "N", "Ben": "S"}}
    duel = bout(lance + shield, **places)
    duel.play(Aki="lance", Ben="shield")

    assert duel["wounds.Ben"] == 1


@pytest.mark.rule("SJ-26", "SJ-27", "SJ-R9")
def test_ties_and_blocks_say_why(bout: Any) -> None:
    cut = "card Cut\ntype attack\nrank wood\nspeed 5\nattack wound 1 at F\n"
    shield = "card Shield\ntype defence\nrank wood\nspeed 5\nblock at F\n"
    duel = bout(cut + shield, facings={"Aki": "N", "Ben": "S"})
    said = duel.play(Aki="cut", Ben="shield")
    told = dict(zip(duel.tell(said), (ruling.rule for ruling in said), strict=True))

    assert told["Ben resolves Shield at speed 5: at the same speed a defence comes before an attack."] == "SJ-26"
    assert told["Ben blocks the attack of Aki: both come at speed 5, and a block comes first."] == "SJ-R9"
    said = duel.play(Aki="cut", Ben="cut")
    told = dict(zip(duel.tell(said), (ruling.rule for ruling in said), strict=True))
    assert told["Ben resolves Cut at speed 5, before Aki: same speed, same type, higher advantage."] == "SJ-27"


@pytest.mark.rule("SJ-64", "SJ-65", "SJ-66", "SJ-52")
def test_stuns_and_wounds_say_from_what(bout: Any) -> None:
    charge = "card Charge\ntype attack\nrank wood\nspeed 5\nmove 1 F\n"
    retreat = "card Retreat\ntype meditation\nrank wood\nspeed 4\nmove 4 B\n"
    spend = "card Spend\ntype meditation\nrank wood\nspeed 3\ndraw 40\n"
    duel = bout(charge + retreat + spend, facings={"Aki": "N", "Ben": "S"}, health=9, hand_limit=60)
    told = duel.tell(duel.play(Aki="charge", Ben="retreat"))
    assert "Aki runs into Ben and takes a stun card into the hand." in told
    assert "Aki runs into Ben, who takes a stun card into the hand, too." in told
    assert "Ben is stopped at the arena's edge and takes a stun card into the hand." in told

    said = duel.play(Aki="spend", Ben="stun")
    assert "Aki takes 7 stun cards into the hand: the deck is empty." in duel.tell(said)
    assert "Aki takes a wound card: the deck is empty." in duel.tell(said)
    assert "Aki prende una ferita: il mazzo è vuoto." in duel.tell(said, "it")

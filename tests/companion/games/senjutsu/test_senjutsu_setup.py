"""Headers: samurai, decks, arena, starts, advantage; and what is refused about them."""

from typing import Any

import pytest

from companion.core.rulings import Refused
from companion.core.wording import sentence
from companion.games.senjutsu import GAME
from companion.games.senjutsu.cards import FIGHTERS
from companion.games.senjutsu.hexes import arena, bearing, distance, turned
from companion.record.match import Match

TWO = ("Aki", "Ben")


def refused(players: tuple[str, ...] = TWO, **options: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        Match(GAME, players, options)
    return caught.value


@pytest.mark.rule("SJ-1", "SJ-3")
def test_two_to_four_can_fight() -> None:
    for count in (2, 3, 4):
        assert len(Match(GAME, ("Aki", "Ben", "Cho", "Dai")[:count]).facts["samurai"]) == count
    assert "SJ-1" in refused(("Aki",)).rules
    assert "SJ-3" in refused(("Aki", "Ben", "Cho", "Dai", "Eri")).rules


@pytest.mark.rule("SJ-12", "SJ-13", "SJ-46", "SJ-9", "SJ-30")
def test_everyone_begins_at_the_gateway_with_five_cards_and_the_first_draw() -> None:
    facts = Match(GAME, TWO).facts

    assert facts["hands"] == {"Aki": 6, "Ben": 6}
    assert facts["decks"] == {"Aki": 34, "Ben": 34}
    assert facts["wounds"] == facts["bleeding"] == facts["stuns"] == facts["discards"] == {"Aki": 0, "Ben": 0}
    assert facts["samurai"]["Aki"]["kamae"] == "gateway"
    assert (facts["round"], facts["phase"]) == (1, "draw")
    assert Match(GAME, TWO).awaits == {"Aki": ("select",), "Ben": ("select",)}


@pytest.mark.rule("SJ-8", "SJ-R32", "SJ-29")
def test_a_samurai_is_chosen_once_and_the_warrior_is_the_vengeful() -> None:
    facts = Match(GAME, TWO, {"samurai": {"Aki": "The Warrior"}}).facts

    assert facts["samurai"]["Aki"]["id"] == "vengeful"
    assert facts["samurai"]["Ben"]["id"] == "master"
    assert "SJ-8" in refused(samurai={"Aki": "ronin", "Ben": "ronin"}).rules
    assert "TABLE-4" in refused(samurai={"Aki": "monk"}).rules
    assert "TABLE-4" in refused(samurai={"Eri": "ronin"}).rules


@pytest.mark.rule("SJ-R32")
def test_the_core_card_is_the_passive_card(bout: Any, wait: str) -> None:
    duel = bout(wait)
    duel.play(Aki="Core card", Ben="wait")

    assert duel["played.Aki"] == ["passive"]


@pytest.mark.rule("SJ-29", "SJ-R26", "SJ-60")
def test_every_samurai_has_a_tree_of_its_own_and_some_branches_lead_one_way() -> None:
    trees = [fighter.tree for fighter in FIGHTERS.values()]

    assert all(trees.count(tree) == 1 for tree in trees)
    assert "balance" in FIGHTERS["student"].tree["gateway"]
    ronin = FIGHTERS["ronin"].tree
    assert "aggression" in ronin["balance"]
    assert "balance" not in ronin["aggression"]


@pytest.mark.rule("SJ-10", "SJ-R19")
def test_the_highest_initiative_number_is_on_top_and_a_tie_is_as_the_header_has_it() -> None:
    both = {"samurai": {"Aki": {"id": "ronin", "initiative": 7}, "Ben": "student"}}

    assert Match(GAME, TWO, {"samurai": {"Aki": "vengeful", "Ben": "ronin"}}).facts["advantage"] == [
        "Ben",
        "Aki",
    ]
    assert Match(GAME, TWO, both).facts["advantage"] == ["Aki", "Ben"]
    assert Match(GAME, TWO, {**both, "advantage": ["Ben", "Aki"]}).facts["advantage"] == ["Ben", "Aki"]
    assert "SJ-10" in refused(samurai={"Aki": "ronin", "Ben": "master"}, advantage=["Ben", "Aki"]).rules
    assert "TABLE-4" in refused(advantage=["Ben"]).rules


@pytest.mark.rule("SJ-11", "SJ-R30", "SJ-4")
def test_starts_are_marked_hexes_of_the_own_side_and_facings_are_free() -> None:
    facts = Match(GAME, TWO, {"starts": {"Aki": "F1"}, "facings": {"Aki": "sw"}}).facts["samurai"]

    assert (facts["Aki"]["hex"], facts["Aki"]["facing"]) == ("f1", "SW")
    assert (facts["Ben"]["hex"], facts["Ben"]["facing"]) == ("d5", "S")
    assert "SJ-11" in refused(starts={"Aki": "a1"}).rules
    assert "SJ-11" in refused(starts={"Aki": "d5"}).rules
    assert "TABLE-4" in refused(starts={"Aki": "z9"}).rules
    assert "TABLE-4" in refused(facings={"Aki": "E"}).rules
    same = refused(start_hexes={"Aki": ["b2"], "Ben": ["b2"]}, starts={"Aki": "b2", "Ben": "b2"})
    assert "SJ-11" in same.rules


@pytest.mark.rule("SJ-11", "SJ-R30")
def test_four_players_sit_around_the_arena_clockwise_from_the_near_side() -> None:
    facts = Match(GAME, ("Aki", "Ben", "Cho", "Dai")).facts["samurai"]

    assert [facts[name]["hex"] for name in ("Aki", "Ben", "Cho", "Dai")] == ["d1", "a2", "d5", "h3"]


def test_terrain_takes_a_hex_away() -> None:
    assert Match(GAME, TWO, {"terrain": {"d1": "rock"}}).facts["samurai"]["Aki"]["hex"] == "e1"
    assert "SJ-11" in refused(terrain=["d1"], starts={"Aki": "d1"}).rules
    assert "SJ-11" in refused(terrain=["c1", "d1", "e1", "f1"]).rules
    assert "TABLE-4" in refused(terrain=["q1"]).rules


@pytest.mark.rule("SJ-5", "SJ-68", "SJ-69", "SJ-70", "SJ-71", "SJ-72", "SJ-74", "SJ-R28", "SJ-R29")
@pytest.mark.parametrize(
    ("deck", "rule"),
    [
        ({"quick_stab": 39}, "SJ-68"),
        ({"quick_stab": 41}, "SJ-5"),
        ({"dragon_moon_slash": 2, "quick_stab": 38}, "SJ-69"),
        ({"war_cry": 2, "quick_stab": 38}, "SJ-70"),
        ({"Swift Mind": 4, "quick_stab": 36}, "SJ-71"),
        ({"passive": 1, "quick_stab": 39}, "SJ-74"),
        ({"stun": 1, "quick_stab": 39}, "TABLE-4"),
        ({"quick_stab": "forty"}, "TABLE-4"),
        ("forty quick stabs", "TABLE-4"),
    ],
)
def test_an_illegal_deck_is_refused_with_its_rule(deck: Any, rule: str) -> None:
    assert rule in refused(decks={"Aki": deck}).rules


@pytest.mark.rule("SJ-72")
def test_wood_may_fill_a_deck_and_a_deck_may_be_text_or_for_everybody() -> None:
    for decks in ({"quick_stab": 40}, {"Aki": "40 Quick Stab"}, {"Ben": {"Quick Stab": 40}}):
        assert Match(GAME, TWO, {"decks": decks}).facts["decks"]["Aki"] == 34


@pytest.mark.parametrize(
    "options",
    [
        {"healt": 5},
        {"health": 0},
        {"hand_limit": {"Eri": 3}},
        {"arena": [0, 3]},
        {"arena": [30, 3]},
        {"block_timing": "later"},
        {"cards": "card Jab\ntype attack\nrank wood\nspeed 77\ndraw 1"},
        {"samurai": {"Aki": {"id": "ronin", "tree": {"gateway": ["anger"]}}}},
        {"decks": {"Eri": {"quick_stab": 40}}},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    assert "TABLE-4" in refused(**options).rules


@pytest.mark.rule("SJ-25", "SJ-R2")
def test_a_card_of_the_header_that_breaks_a_rule_names_it_with_line_and_reason() -> None:
    refusal = refused(cards="card Jab\ntype attack\nrank wood\nspeed 11\ndraw 1")

    assert "SJ-25" in refusal.rules
    assert "Jab, line 4: a speed is at most 10, not 11" in refusal.text


def test_a_card_of_the_header_takes_the_place_of_a_starter_card() -> None:
    swing = "card Wild Swing\ntype attack\nrank wood\nspeed 7\nattack wound 5 at F"
    match = Match(GAME, TWO, {"cards": swing, "decks": {"wild_swing": 40}})

    assert match.state.duel.cards["wild_swing"].rank == "wood"


def test_hexes_turn_and_measure_as_on_paper() -> None:
    board = arena(8, 5)
    c3, d3 = board.names["c3"], board.names["d3"]

    assert distance(c3, d3) == 1
    assert distance(board.names["d1"], board.names["d5"]) == 4
    assert turned((0, 2), 1) == (1, 1)
    assert all(turned(turned(offset, 2), 4) == offset for offset in ((0, 4), (2, 2), (1, -5)))
    assert bearing((0, 6)) == 0
    assert bearing((1, 3)) == 1
    assert bearing((-1, 3)) == 0


@pytest.mark.rule("SJ-8", "SJ-29")
def test_a_console_may_change_something_of_the_samurai_that_its_player_gets_anyway() -> None:
    tree = {"gateway": ["aggression"]}
    match = Match(GAME, ("Aki", "Ben"), {"samurai": {"Aki": {"tree": tree, "initiative": 9}, "Ben": "master"}})

    assert match.facts["samurai"]["Aki"]["id"] == "student"
    assert match.state.duel.trees[0]["gateway"] == ("aggression",)
    assert match.facts["advantage"] == ["Aki", "Ben"]


@pytest.mark.rule("SJ-11", "SJ-68")
def test_a_single_start_hex_needs_no_list_and_no_copies_are_no_cards() -> None:
    decks = {"quick_stab": 40, "wild_swing": 0}
    match = Match(GAME, ("Aki", "Ben"), {"start_hexes": {"Aki": "d3"}, "decks": {"Aki": decks}})

    assert match.facts["samurai"]["Aki"]["hex"] == "d3"
    assert match.state.duel.decks[0] == {"quick_stab": 40}


@pytest.mark.rule("SJ-20")
def test_a_header_with_a_bad_card_is_refused_in_both_languages() -> None:
    cards = "card Jab\ntype attack\nrank wood\nspeed 9\nslash 2\n"
    with pytest.raises(Refused) as caught:
        Match(GAME, ("Aki", "Ben"), {"cards": cards})

    assert caught.value.text.startswith("Jab, line 5: 'slash' is not an action: attack, block")
    assert sentence(caught.value.message, "it").startswith("Jab, riga 5: 'slash' non è un'azione: attack")

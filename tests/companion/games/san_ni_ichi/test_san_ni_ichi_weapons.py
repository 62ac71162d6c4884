"""Block, Sai, Shuriken, Yoso Kogeki and Tonfa."""

import pytest

from companion.core.message import Thing
from companion.games.san_ni_ichi import GAME
from companion.games.san_ni_ichi.moves import GiveUpCard

BLOCK = {"move": "block"}


def sai(*swap):
    return {"move": "sai", "swap": list(swap)}


def tonfa(source, discard):
    return {"move": "tonfa", "from": source, "discard": discard}


def shuriken(target):
    return {"move": "shuriken", "target": target}


@pytest.fixture
def table(bout):
    return bout()


@pytest.mark.rule("SNI-29", "SNI-R7", "SNI-R8")
def test_block_keeps_attack_cards_off_a_pile_and_from_starting_one(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="block-0", Ben="water-4", Cho="yoso_kogeki-15")
    (ruling,) = table.do("Aki", "block")
    assert (ruling.rule, ruling.changes) == ("SNI-29", {"blocked": ([], ["Aki"])})

    assert table["blocked"] == ["Aki"]
    assert {"SNI-29", "SNI-R8"} <= set(table.refused("Ben", "play", on="Aki"))
    view = GAME.rules.view(table.match.state, None)
    assert view.barred["Aki"].rule == "SNI-29"
    assert [note.text.facts["player"] for note in view.block] == [Thing("player", "Aki")]
    table.do("Ben", "discard")
    assert "SNI-29" in table.refused("Cho", "play", on="Aki")


@pytest.mark.rule("SNI-29", "SNI-19")
def test_a_play_that_breaks_two_rules_is_refused_for_both(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="block-0", Ben="wood-4", Cho="wood-5")
    table.do("Aki", "block")

    assert {"SNI-29", "SNI-19", "SNI-25"} <= set(table.refused("Ben", "play", on="Aki"))


@pytest.mark.rule("SNI-R7")
def test_cards_of_lower_strength_are_down_before_block_acts(bout):
    table = bout(weapons=["block-3", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"])
    table.reveal(Aki="block-3", Ben="fire-2", Cho="water-4")
    table.do("Ben", "play", on="Aki")
    table.do("Aki", "block")

    assert table["piles.Aki"] == ["fire-2"]
    assert "SNI-29" in table.refused("Cho", "play", on="Aki")


@pytest.mark.rule("SNI-R6")
def test_no_counter_against_a_player_under_block(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="water-4", Ben="fire-5", Cho="block-0")
    table.do("Cho", "block")

    assert {"SNI-29", "SNI-R6", "SNI-21"} <= set(table.refused("Aki", "play", on="Aki", counter="Cho"))
    table.do("Aki", "play", on="Aki", counter="Ben")


@pytest.mark.rule("SNI-30", "SNI-R9")
def test_block_keeps_sai_away(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.reveal(Aki="block-0", Ben="sai-13", Cho="water-1")
    table.do("Aki", "block")
    table.do("Cho", "play", on="Cho")

    assert {"SNI-30", "SNI-R9"} <= set(table.refused("Ben", **sai("Aki", "Ben")))
    assert {"SNI-30", "SNI-R9"} <= set(table.refused("Ben", **sai("Cho", "Aki")))
    table.do("Ben", **sai("Ben", "Cho"))


@pytest.mark.rule("SNI-31", "SNI-43", "SNI-50")
def test_shuriken_and_tonfa_ignore_block(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="block-0", Ben="tonfa-11", Cho="shuriken-22")
    table.do("Aki", "block")

    assert table.do("Ben", **tonfa("Aki", "fire-1"))[0].rule == "SNI-50"
    assert table.do("Cho", **shuriken("Aki"))[0].rule == "SNI-43"
    assert table["damage.Aki"] == 2


@pytest.mark.rule("SNI-32", "SNI-33")
def test_a_blocked_pile_may_become_damage_and_block_is_over_with_the_round(table):
    table.round(Aki=("fire-4", "Aki"), Ben=("fire-5", "Ben"), Cho="fire-3")
    rulings = table.round(Aki=("block-0", BLOCK), Ben="fire-1", Cho="fire-2")

    assert table["damage.Aki"] == 4
    assert table["blocked"] == []
    assert "SNI-33" in [ruling.rule for ruling in rulings]
    table.reveal(Aki="water-5", Ben="wood-1", Cho="water-2")
    table.do("Ben", "play", on="Aki")


@pytest.mark.rule("SNI-33", "SNI-41", "SNI-51")
def test_block_sai_and_tonfa_lie_in_front_of_their_players_until_the_round_is_over(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.reveal(Aki="block-0", Ben="tonfa-11", Cho="sai-13")
    table.do("Aki", "block")
    table.do("Ben", **tonfa("Ben", "fire-2"))
    assert table.match.state.spent == ((0, "block-0"), (1, "tonfa-11"))
    rulings = table.do("Cho", "discard")

    assert [ruling.rule for ruling in rulings if ruling.rule in ("SNI-33", "SNI-51")] == ["SNI-33", "SNI-51"]
    assert {"block-0", "tonfa-11", "sai-13"} <= set(table.match.state.discards)
    assert [ruling.changes for ruling in rulings if ruling.rule == "SNI-33"] == [{"blocked": (["Aki"], [])}]


@pytest.mark.rule("SNI-40", "SNI-41")
def test_sai_swaps_two_existing_piles(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.reveal(Aki="water-1", Ben="wood-2", Cho="sai-13")
    table.do("Aki", "play", on="Aki")
    table.do("Ben", "discard")

    assert {"SNI-40", "SNI-R9"} <= set(table.refused("Cho", **sai("Aki", "Cho")))
    assert "SNI-40" in table.refused("Cho", **sai("Aki", "Aki"))
    assert "TABLE-4" in table.refused("Cho", **sai("Aki", "Nobody"))
    rulings = table.do("Cho", **sai("Ben", "Aki"))
    assert rulings[0].rule == "SNI-40"
    assert rulings[0].changes["piles.Ben"] == (["fire-2"], ["fire-1", "water-1"])
    assert "SNI-41" in [ruling.rule for ruling in rulings]
    assert table["damage"] == {"Aki": 2, "Ben": 0, "Cho": 3}


@pytest.mark.rule("SNI-R9")
def test_sai_with_fewer_than_two_free_piles_is_discarded_without_effect(bout):
    table = bout(weapons_may_be_discarded=False)
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="fire-4", Ben="fire-5", Cho="sai-13")
    table.do("Aki", "discard")
    table.do("Ben", "discard")

    assert GAME.rules.legal_moves(table.match.state, {}, "Cho") == [GiveUpCard()]
    assert table.do("Cho", "discard")[0].rule == "SNI-R9"


@pytest.mark.rule("SNI-42", "SNI-27", "SNI-R11", "SNI-R17")
@pytest.mark.parametrize("target", ["Aki", "Ben", "Cho"])
def test_a_shuriken_goes_into_anybody_s_damage_pile_and_counts_its_red_number(bout, target):
    weapons = [{"card": "shuriken-7", "damage": 4}, "torinoko-1", "sai-13", "tonfa-11", "block-0", "block-0"]
    table = bout(weapons=weapons)
    table.reveal(Aki="shuriken-7", Ben="fire-1", Cho="fire-2")
    table.do("Ben", "discard")
    table.do("Cho", "discard")
    assert table.do("Aki", **shuriken(target))[0].rule == "SNI-42"
    assert (table[f"damage.{target}"], table[f"taken.{target}"]) == (4, 1)

    for name in ("Aki", "Ben", "Cho"):
        table.do(name, "smoke" if name == target else "pass")
    assert table[f"damage.{target}"] == 4


@pytest.mark.rule("SNI-42")
def test_a_shuriken_needs_a_player_for_a_target(table):
    table.reveal(Aki="shuriken-22", Ben="fire-1", Cho="fire-2")
    table.do("Ben", "discard")
    table.do("Cho", "discard")

    assert "TABLE-4" in table.refused("Aki", **shuriken("Nobody"))


@pytest.mark.rule("SNI-44", "SNI-45", "SNI-R14")
@pytest.mark.parametrize(
    ("below", "becomes", "follows"),
    [("fire", "water", "wood"), ("water", "wood", "fire"), ("wood", "fire", "water")],
)
def test_yoso_kogeki_goes_on_any_element_and_becomes_the_next_one(bout, below, becomes, follows):
    table = bout(weapons=["yoso_kogeki-3", "block-0", "block-0", "sai-13", "tonfa-11", "shuriken-22"])
    table.reveal(Aki=f"{below}-1", Ben="yoso_kogeki-3", Cho=f"{follows}-5")
    table.do("Aki", "play", on="Cho")
    rulings = table.do("Ben", "play", on="Cho")

    assert rulings[0].rule == "SNI-45"
    assert rulings[0].message.facts["element"] == Thing("element", becomes)
    assert GAME.rules.view(table.match.state, None).seats[2].beaten_by == follows
    table.do("Cho", "play", on="Cho")
    assert table["taken.Cho"] == 3


@pytest.mark.rule("SNI-45", "SNI-19")
def test_only_the_next_element_follows_a_yoso_kogeki(bout):
    table = bout(weapons=["yoso_kogeki-3", "yoso_kogeki-4", "block-0", "sai-13", "tonfa-11", "shuriken-22"])
    table.reveal(Aki="fire-1", Ben="yoso_kogeki-3", Cho="water-5")
    table.do("Aki", "play", on="Cho")
    table.do("Ben", "play", on="Cho")

    assert {"SNI-19", "SNI-25"} <= set(table.refused("Cho", "play", on="Cho"))


@pytest.mark.rule("SNI-R12", "SNI-44")
def test_yoso_kogeki_starts_no_pile_unless_the_match_allows_it_with_a_declared_element(bout):
    strict, lenient = bout(), bout(yoso_may_start_pile=True)
    for table in (strict, lenient):
        table.reveal(Aki="yoso_kogeki-15", Ben="fire-1", Cho="fire-2")
        table.do("Ben", "discard")
        table.do("Cho", "discard")

    assert {"SNI-44", "SNI-R12"} <= set(strict.refused("Aki", "play", on="Ben"))
    assert "SNI-44" in strict.refused("Aki", "play", on="Ben", element="fire")
    assert strict.do("Aki", "discard")[0].rule == "SNI-24"
    assert "SNI-R12" in lenient.refused("Aki", "play", on="Ben")
    assert {"TABLE-4", "SNI-6", "SNI-45"} <= set(lenient.refused("Aki", "play", on="Ben", element="earth"))
    assert lenient.do("Aki", "play", on="Ben", element="wood")[0].rule == "SNI-R12"
    assert lenient["damage.Ben"] == 2


@pytest.mark.rule("SNI-R12")
def test_a_yoso_kogeki_on_a_pile_names_no_element(bout):
    table = bout(yoso_may_start_pile=True)
    table.reveal(Aki="yoso_kogeki-15", Ben="fire-1", Cho="fire-2")
    table.do("Ben", "play", on="Ben")
    table.do("Cho", "discard")

    assert "TABLE-4" in table.refused("Aki", "play", on="Ben", element="water")


@pytest.mark.rule("SNI-46", "SNI-R13")
def test_yoso_kogeki_may_go_on_ones_own_pile_but_never_counters(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="yoso_kogeki-15", Ben="fire-4", Cho="fire-5")
    table.do("Ben", "discard")
    table.do("Cho", "discard")

    assert {"SNI-46", "SNI-R13"} <= set(table.refused("Aki", "play", on="Aki", counter="Cho"))
    table.do("Aki", "play", on="Aki")
    assert table["taken.Aki"] == 2


@pytest.mark.rule("SNI-R15", "SNI-27", "SNI-56")
def test_yoso_kogeki_counts_its_strength_on_top_and_its_red_number_as_damage(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.round(Aki=("water-2", "Ben"), Ben=("fire-5", "Cho"), Cho=("yoso_kogeki-15", "Aki"))

    assert table["damage"] == {"Aki": 1 + 2, "Ben": 2, "Cho": 0}
    assert table["piles.Cho"] == ["fire-5"]


@pytest.mark.rule("SNI-47", "SNI-R14")
def test_tonfa_may_pick_up_a_yoso_kogeki_which_has_no_element_in_the_hand(bout):
    table = bout(weapons=["yoso_kogeki-3", "block-0", "block-0", "sai-13", "tonfa-11", "shuriken-22"])
    table.reveal(Aki="fire-1", Ben="yoso_kogeki-3", Cho="tonfa-11")
    table.do("Aki", "play", on="Aki")
    table.do("Ben", "play", on="Aki")
    table.do("Cho", **tonfa("Aki", "wood-5"))
    assert table["damage.Aki"] == 1

    table.reveal(Aki="wood-1", Ben="wood-2", Cho="yoso_kogeki-3")
    table.do("Aki", "play", on="Aki")
    table.do("Ben", "discard")
    assert table.do("Cho", "play", on="Aki")[0].message.facts["element"] == Thing("element", "fire")


@pytest.mark.rule("SNI-R14")
def test_a_yoso_kogeki_keeps_its_element_when_the_card_beneath_is_drawn_away(bout):
    table = bout(weapons=["yoso_kogeki-8", "torinoko-1", "block-0", "sai-13", "tonfa-11", "shuriken-22"])
    table.reveal(Aki="fire-1", Ben="yoso_kogeki-8", Cho="wood-5")
    table.do("Aki", "play", on="Aki")
    table.do("Cho", "discard")
    table.do("Ben", "play", on="Aki")
    table.do("Aki", "smoke")
    table.passes()

    assert table["piles.Aki"] == ["yoso_kogeki-8"]
    assert GAME.rules.view(table.match.state, None).seats[0].element == "water"


@pytest.mark.rule("SNI-48")
def test_tonfa_takes_a_top_card_and_a_hand_card_is_discarded(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="water-2", Ben="tonfa-11", Cho="fire-5")
    table.do("Aki", "play", on="Aki")
    table.do("Cho", "discard")
    rulings = table.do("Ben", **tonfa("Aki", "wood-4"))

    assert rulings[0].rule == "SNI-48"
    assert rulings[0].changes == {"piles.Aki": (["fire-1", "water-2"], ["fire-1"])}
    assert table["hands"] == {"Aki": 5, "Ben": 5, "Cho": 5}
    table.select()
    assert "TABLE-1" in table.refused("Cho", "reveal", card="water-2")
    assert "TABLE-1" in table.refused("Ben", "reveal", card="wood-4")
    table.do("Ben", "reveal", card="water-2")


@pytest.mark.rule("SNI-49")
def test_the_card_just_taken_may_be_the_one_discarded(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="water-2", Ben="tonfa-11", Cho="fire-5")
    table.do("Aki", "play", on="Aki")
    table.do("Cho", "discard")

    assert table.do("Ben", **tonfa("Aki", "water-2"))[0].rule == "SNI-49"
    assert "water-2" in table.match.state.discards


@pytest.mark.rule("SNI-48", "SNI-R25")
def test_tonfa_discards_only_what_the_hand_may_hold(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="water-2", Ben="tonfa-11", Cho="fire-5")
    table.do("Aki", "play", on="Aki")
    table.do("Cho", "discard")

    assert "SNI-48" in table.refused("Ben", **tonfa("Aki", "fire-1"))
    for card, rule in (
        ("fire-1", "TABLE-1"),
        ("fire-2", "TABLE-1"),
        ("fire-3", "TABLE-1"),
        ("tonfa-11", "TABLE-1"),
        ("fire-9", "TABLE-1"),
        ("shuriken-21", "TABLE-1"),
        ("torinoko-1", "TABLE-1"),
        ("fire-11", "TABLE-4"),
    ):
        assert rule in table.refused("Ben", **tonfa("Aki", card)), card
    assert "SNI-48" in table.refused("Ben", **tonfa("Ben", "wood-1"))
    assert "TABLE-4" in table.refused("Ben", "tonfa", from_="Aki")


@pytest.mark.rule("SNI-R25")
def test_tonfa_with_no_pile_on_the_table_does_nothing_and_costs_no_card(bout):
    table = bout(weapons_may_be_discarded=False)
    table.reveal(Aki="fire-1", Ben="tonfa-11", Cho="fire-5")
    table.do("Aki", "discard")
    table.do("Cho", "discard")

    assert "SNI-R25" in table.refused("Ben", **tonfa("Aki", "wood-1"))
    assert table.do("Ben", "discard")[0].rule == "SNI-R25"
    assert table["hands.Ben"] == 6


@pytest.mark.rule("SNI-R25")
def test_with_an_empty_hand_tonfa_discards_the_card_it_took(table):
    attack = [f"{element}-{strength}" for element in ("fire", "water", "wood") for strength in (5, 4, 3, 2)]
    weapons = ["block-0", "block-0", "sai-13", "yoso_kogeki-15", "shuriken-22"]
    cards = [*attack, *weapons, "wood-1"]
    for _ in range(6):
        table.round(Aki=cards.pop(), Ben=cards.pop(), Cho=cards.pop())
    table.reveal(Aki="fire-1", Ben="tonfa-11", Cho="water-1")
    table.do("Aki", "play", on="Aki")
    table.do("Cho", "discard")

    assert {"TABLE-2", "SNI-48", "SNI-R25"} <= set(table.refused("Ben", **tonfa("Aki", "water-1")))
    table.do("Ben", **tonfa("Aki", "fire-1"))
    assert table["over"]
    assert table["winners"] == ["Aki", "Ben", "Cho"]


@pytest.mark.rule("SNI-R25")
def test_a_smoke_bomb_may_be_the_card_that_tonfa_discards(bout):
    table = bout(weapons=["torinoko-1", "block-0", "block-0", "sai-13", "tonfa-11", "shuriken-22"])
    table.reveal(Aki="fire-1", Ben="tonfa-11", Cho="fire-5")
    table.do("Aki", "play", on="Aki")
    table.do("Cho", "discard")
    table.do("Ben", **tonfa("Aki", "torinoko-1"))

    assert table["phase"] == "selection"
    assert "TABLE-1" in table.refused("Aki", "smoke")


@pytest.mark.rule("SNI-R10", "SNI-23")
@pytest.mark.parametrize("weapon", ["block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"])
def test_a_weapon_that_can_act_may_be_given_up_unless_the_match_forbids_it(bout, weapon):
    for free in (True, False):
        table = bout(weapons_may_be_discarded=free)
        table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
        table.reveal(Aki=weapon, Ben="water-1", Cho="wood-2")
        while list(table["awaits"]) != ["Aki"]:
            table.do(next(iter(table["awaits"])), "discard")
        if free:
            assert table.do("Aki", "discard")[0].rule == "SNI-R10"
        else:
            assert {"SNI-23", "SNI-R10"} <= set(table.refused("Aki", "discard"))
            assert all(move.kind != "discard" for move in GAME.rules.legal_moves(table.match.state, {}, "Aki"))


@pytest.mark.rule("SNI-14")
def test_a_weapon_is_not_played_as_an_attack_card_nor_as_another_weapon(table):
    table.reveal(Aki="block-0", Ben="fire-1", Cho="fire-5")

    assert "SNI-14" in table.refused("Aki", "play", on="Ben")
    assert "SNI-14" in table.refused("Aki", **shuriken("Ben"))

"""Attack cards on Combat Piles, Counters, and giving a card up."""

import pytest

from companion.games.san_ni_ichi import GAME

ELEMENTS = ("fire", "water", "wood")


@pytest.fixture
def table(bout):
    return bout(deck=[7, 0])


@pytest.mark.rule("SNI-14", "SNI-18", "SNI-R4")
@pytest.mark.parametrize("element", ELEMENTS)
@pytest.mark.parametrize("on", ["Aki", "Ben", "Cho"])
def test_any_attack_card_may_start_a_pile_on_anybody_without_one(table, element, on):
    table.reveal(Aki=f"{element}-1", Ben="fire-2", Cho="fire-3")
    rulings = table.do("Aki", "play", on=on)

    assert table[f"piles.{on}"] == [f"{element}-1"]
    assert rulings[0].rule == ("SNI-20" if on == "Aki" else "SNI-18")
    assert rulings[0].changes == {f"piles.{on}": ([], [f"{element}-1"])}


@pytest.mark.rule("SNI-19", "SNI-25")
@pytest.mark.parametrize("above", ELEMENTS)
@pytest.mark.parametrize("below", ELEMENTS)
def test_only_the_element_that_beats_the_top_card_may_follow(table, above, below):
    table.reveal(Aki=f"{below}-1", Ben=f"{above}-2", Cho="fire-7")
    table.do("Aki", "play", on="Cho")

    if (above, below) in {("fire", "wood"), ("wood", "water"), ("water", "fire")}:
        assert table.do("Ben", "play", on="Cho")[0].rule == "SNI-19"
        assert table["piles.Cho"] == [f"{below}-1", f"{above}-2"]
    else:
        assert {"SNI-19", "SNI-25"} <= set(table.refused("Ben", "play", on="Cho"))


@pytest.mark.rule("SNI-20")
def test_ones_own_pile_may_be_started_and_added_to(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="water-4", Ben="fire-5", Cho="fire-6")

    assert table.do("Aki", "play", on="Aki")[0].rule == "SNI-20"
    assert table["piles.Aki"] == ["fire-1", "water-4"]


@pytest.mark.rule("SNI-21")
def test_a_counter_moves_ones_own_pile_with_the_new_card_to_a_player_who_has_none(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="water-4", Ben="fire-5", Cho="fire-6")
    rulings = table.do("Aki", "play", on="Aki", counter="Cho")

    assert table["piles"] == {"Aki": [], "Ben": [], "Cho": ["fire-1", "water-4"]}
    assert rulings[0].rule == "SNI-21"


@pytest.mark.rule("SNI-21", "SNI-22", "SNI-R5")
def test_a_counter_needs_ones_own_pile_and_a_target_without_one(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.round(Aki="wood-1", Ben="wood-2", Cho="wood-3")
    # Cho and Ben have taken their piles: only Aki has one.
    table.reveal(Aki="water-4", Ben="water-5", Cho="water-6")
    assert table["piles"] == {"Aki": ["fire-1"], "Ben": [], "Cho": []}

    assert {"SNI-21", "SNI-22"} <= set(table.refused("Aki", "play", on="Ben", counter="Cho"))
    assert "SNI-21" in table.refused("Aki", "play", on="Aki", counter="Aki")
    assert "TABLE-4" in table.refused("Aki", "play", on="Aki", counter="Nobody")
    table.do("Aki", "play", on="Aki")
    assert {"SNI-21", "SNI-R5"} <= set(table.refused("Ben", "play", on="Ben", counter="Cho"))
    assert "SNI-22" in table.refused("Ben", "play", on="Aki", counter="Cho")
    table.do("Ben", "play", on="Ben")
    table.do("Cho", "play", on="Cho")


@pytest.mark.rule("SNI-21", "SNI-22")
def test_a_counter_never_swaps_piles(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.reveal(Aki="water-4", Ben="water-5", Cho="water-6")

    assert {"SNI-21", "SNI-22"} <= set(table.refused("Aki", "play", on="Aki", counter="Ben"))


@pytest.mark.rule("SNI-19", "SNI-21")
def test_a_counter_needs_a_card_that_beats_ones_own_pile(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho="fire-3")
    table.reveal(Aki="wood-4", Ben="water-5", Cho="water-6")

    assert "SNI-19" in table.refused("Aki", "play", on="Aki", counter="Cho")


@pytest.mark.rule("SNI-23", "SNI-R26")
def test_a_card_may_be_given_up_though_it_could_be_played_and_hurts_nobody(table):
    table.reveal(Aki="fire-1", Ben="fire-2", Cho="fire-3")

    assert table.do("Aki", "discard")[0].rule == "SNI-23"
    table.do("Ben", "discard")
    table.do("Cho", "discard")
    assert table["damage"] == {"Aki": 0, "Ben": 0, "Cho": 0}
    assert GAME.rules.view(table.match.state, None).discards == ("fire-1", "fire-2", "fire-3")


@pytest.mark.rule("SNI-24")
def test_with_no_legal_play_the_card_is_discarded_and_nothing_else_is_offered(table):
    table.reveal(Aki="fire-1", Ben="fire-2", Cho="fire-3")
    table.do("Aki", "play", on="Aki")
    table.do("Ben", "play", on="Ben")
    table.do("Cho", "play", on="Cho")
    # The highest is gone; two rounds later everybody has water on top but the last one to play.
    table.round(Aki=("water-4", "Aki"), Ben=("water-5", "Ben"), Cho=("water-1", "Cho"))
    table.reveal(Aki="wood-6", Ben="fire-6", Cho="water-2")
    assert table["piles"] == {"Aki": ["fire-1", "water-4"], "Ben": [], "Cho": ["water-1"]}
    table.do("Cho", "play", on="Ben")

    assert [move.kind for move in GAME.rules.legal_moves(table.match.state, {}, "Ben")] == ["discard"]
    view = GAME.rules.view(table.match.state, "Ben")
    assert [may.move for may in view.may] == ["discard"]
    assert {name: note.rule for name, note in view.barred.items()} == {
        "Aki": "SNI-19",
        "Ben": "SNI-19",
        "Cho": "SNI-19",
    }
    for name in ("Aki", "Ben", "Cho"):
        assert {"SNI-19", "SNI-24"} <= set(table.refused("Ben", "play", on=name))
    assert table.do("Ben", "discard")[0].rule == "SNI-24"


@pytest.mark.rule("SNI-14")
def test_an_attack_card_does_nothing_but_attack(table):
    table.reveal(Aki="fire-1", Ben="fire-2", Cho="fire-3")

    assert "SNI-14" in table.refused("Aki", "block")
    assert {"SNI-14", "SNI-40"} <= set(table.refused("Aki", "sai", swap=["Ben", "Cho"]))
    assert "TABLE-4" in table.refused("Aki", "play", on="Nobody")
    assert "TABLE-4" in table.refused("Aki", "play", on="Ben", element="fire")
    assert "TABLE-4" in table.refused("Aki", "play")
    assert "TABLE-4" in table.refused("Aki", "play", on="Ben", loudly=True)


def test_the_view_says_whose_card_is_next_and_where_it_may_go(table):
    table.reveal(Aki="fire-2", Ben="water-1", Cho="wood-3")
    table.do("Ben", "play", on="Cho")
    view = GAME.rules.view(table.match.state, None)

    assert view.order[view.next].player == "Aki"
    assert [turn.played for turn in view.order] == [True, False, False]
    assert [(may.move, may.players) for may in view.may] == [("play", ("Aki", "Ben")), ("discard", ())]
    assert list(view.barred) == ["Cho"]
    cho = view.seats[2]
    assert (cho.pile, cho.element, cho.strength, cho.beaten_by) == (("water-1",), "water", 1, "wood")

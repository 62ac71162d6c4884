"""Selection, the order of play, the Damage Phase, and the end of the match."""

import pytest

from companion.games.san_ni_ichi import GAME


@pytest.mark.rule("SNI-10", "SNI-11", "SNI-12")
def test_a_round_goes_from_selection_through_attack_to_the_next_selection(bout):
    table = bout(deck=[7, 0])
    assert (table["round"], table["phase"]) == (1, "selection")
    assert table["awaits"] == {name: ["select"] for name in ("Aki", "Ben", "Cho")}

    table.do("Cho", "select")
    table.do("Aki", "select")
    assert table["awaits"] == {"Ben": ["select"]}
    assert table["hands.Aki"] == 7
    table.do("Ben", "select")
    assert table["hands"] == {"Aki": 6, "Ben": 6, "Cho": 6}
    assert table["phase"] == "selection"
    assert table["awaits"] == {name: ["reveal"] for name in ("Aki", "Ben", "Cho")}

    table.do("Aki", "reveal", card="fire-3")
    table.do("Ben", "reveal", card="fire-2")
    assert GAME.rules.view(table.match.state, "Cho").order == ()
    table.do("Cho", "reveal", card="fire-1")
    assert table["phase"] == "attack"
    for name in ("Cho", "Ben", "Aki"):
        assert list(table["awaits"]) == [name]
        table.do(name, "discard")
    assert (table["round"], table["phase"]) == (2, "selection")


@pytest.mark.rule("SNI-11", "SNI-12")
def test_nobody_turns_up_early_selects_twice_or_again(bout):
    table = bout(deck=[7, 0])
    assert {"SNI-12", "TABLE-3"} <= set(table.refused("Aki", "reveal", card="fire-1"))
    table.do("Aki", "select")
    assert {"SNI-11", "TABLE-3"} <= set(table.refused("Aki", "select"))
    table.select()
    assert "SNI-11" in table.refused("Ben", "select")
    table.do("Ben", "reveal", card="fire-1")
    assert "SNI-12" in table.refused("Ben", "reveal", card="fire-2")


@pytest.mark.rule("SNI-10")
def test_cards_do_not_act_before_the_attack_phase_and_nothing_is_selected_during_it(bout):
    table = bout(deck=[7, 0])
    assert "SNI-10" in table.refused("Aki", "play", on="Ben")
    table.reveal(Aki="fire-1", Ben="fire-2", Cho="fire-3")
    assert "SNI-10" in table.refused("Aki", "select")


@pytest.mark.rule("SNI-13", "SNI-26")
def test_cards_act_from_the_lowest_strength_to_the_highest_weapons_among_them(bout):
    table = bout(weapons=["sai-2", "shuriken-22", "block-0", "block-0", "tonfa-11", "tonfa-12"])
    table.reveal(Aki="fire-3", Ben="sai-2", Cho="shuriken-22")

    assert {"SNI-13", "SNI-26"} <= set(table.refused("Aki", "play", on="Aki"))
    table.do("Ben", "discard")
    assert "SNI-13" in table.refused("Cho", "shuriken", target="Ben")
    assert "SNI-13" in table.refused("Ben", "discard")
    table.do("Aki", "discard")
    table.do("Cho", "discard")


@pytest.mark.rule("SNI-52")
@pytest.mark.parametrize(
    ("letters", "order"),
    [
        ({}, ["Ben", "Cho", "Aki"]),
        ({"fire": "C", "wood": "A"}, ["Aki", "Cho", "Ben"]),
        ({"fire-5": "z"}, ["Cho", "Aki", "Ben"]),
    ],
)
def test_equal_strengths_act_in_the_order_of_their_letters(bout, letters, order):
    table = bout(deck=[7, 0], letters=letters)
    table.reveal(Aki="wood-5", Ben="fire-5", Cho="water-5")
    seen = GAME.rules.view(table.match.state, None).order

    assert [turn.player for turn in seen] == order
    assert {turn.why.rule for turn in seen} == {"SNI-52"}
    cards = {"Aki": "wood-5", "Ben": "fire-5", "Cho": "water-5"}
    assert [turn.card for turn in seen] == [cards[name] for name in order]
    assert {"SNI-13", "SNI-52"} <= set(table.refused(order[1], "discard"))


@pytest.mark.rule("SNI-R3")
@pytest.mark.parametrize(("dealer", "first"), [("Aki", "Aki"), ("Ben", "Cho"), ("Cho", "Cho")])
def test_a_full_tie_goes_clockwise_from_the_dealer(bout, dealer, first):
    table = bout(dealer=dealer)
    table.reveal(Aki="block-0", Ben="fire-1", Cho="block-0")
    second = "Aki" if first == "Cho" else "Cho"

    assert list(table["awaits"]) == [first]
    assert {"SNI-R3", "SNI-52"} <= set(table.refused(second, "block"))
    assert GAME.rules.view(table.match.state, None).order[0].why.rule == "SNI-R3"


@pytest.mark.rule("SNI-R3", "SNI-52")
def test_a_weapon_ties_with_an_attack_card_by_its_letter(bout):
    weapons = [{"card": "sai-5", "letter": "D"}, "sai-13", "block-0", "block-0", "tonfa-11", "tonfa-12"]
    table = bout(weapons=weapons)
    table.reveal(Aki="sai-5", Ben="wood-5", Cho="fire-5")

    order = GAME.rules.view(table.match.state, None).order
    assert [turn.player for turn in order] == ["Cho", "Ben", "Aki"]
    assert {turn.why.rule for turn in order} == {"SNI-R3"}
    assert {"SNI-13", "SNI-26", "SNI-52", "SNI-R3"} <= set(table.refused("Aki", "discard"))
    assert "SNI-R3" not in table.refused("Ben", "discard")


@pytest.mark.rule("SNI-15", "SNI-16", "SNI-17", "SNI-54")
def test_the_highest_top_card_takes_its_whole_pile_and_the_others_stay(bout):
    table = bout(deck=[7, 0])
    rulings = table.round(Aki=("fire-2", "Aki"), Ben=("water-3", "Aki"), Cho=("wood-1", "Cho"))

    assert [ruling.rule for ruling in rulings][-2:] == ["SNI-15", "SNI-17"]
    assert table["piles"] == {"Aki": [], "Ben": [], "Cho": ["wood-1"]}
    assert table["damage"] == {"Aki": 5, "Ben": 0, "Cho": 0}
    assert table["taken.Aki"] == 2
    table.round(Aki="fire-1", Ben="fire-7", Cho="water-7")
    assert table["damage.Cho"] == 1
    assert table["piles.Cho"] == []


@pytest.mark.rule("SNI-54")
def test_totals_are_kept_back_until_the_end_unless_the_players_ask_for_them(bout):
    for asked in (False, True):
        table = bout(deck=[7, 0], show_totals=asked)
        table.round(Aki=("fire-6", "Aki"), Ben="fire-2", Cho="fire-1")
        view = GAME.rules.view(table.match.state, "Aki")

        assert [seat.taken for seat in view.seats] == [1, 0, 0]
        assert [seat.total for seat in view.seats] == ([6, 0, 0] if asked else [None] * 3)
        assert table["damage.Aki"] == 6


@pytest.mark.rule("SNI-53", "SNI-R28")
def test_everybody_who_ties_for_the_highest_top_card_takes_ones_own_pile(bout):
    table = bout(deck=[7, 0])
    rulings = table.round(Aki=("fire-4", "Aki"), Ben=("water-4", "Ben"), Cho=("wood-3", "Cho"))

    assert table["damage"] == {"Aki": 4, "Ben": 4, "Cho": 0}
    assert [ruling.rule for ruling in rulings].count("SNI-53") == 2


@pytest.mark.rule("SNI-R27")
def test_without_combat_piles_nobody_takes_damage(bout):
    table = bout(deck=[7, 0])
    rulings = table.round(Aki="fire-1", Ben="fire-2", Cho="fire-3")

    assert table["taken"] == {"Aki": 0, "Ben": 0, "Cho": 0}
    assert "SNI-R27" in [ruling.rule for ruling in rulings]


def play_out(table, first=(), last=()):
    """Seven rounds of an all-attack deck: given first and last rounds, everything between is given up."""
    rounds = [*first]
    used = {turn if isinstance(turn, str) else turn[0] for each in (*first, *last) for turn in each.values()}
    free = [card for card in table.match.state.table.values if card not in used]
    while len(rounds) + len(last) < 7:
        rounds.append({name: free.pop() for name in table.match.players})
    for each in (*rounds, *last):
        rulings = table.round(**each)
    return rulings


@pytest.mark.rule("SNI-1", "SNI-17", "SNI-55", "SNI-56", "SNI-57", "SNI-R24")
def test_after_seven_rounds_piles_in_play_are_discarded_and_the_lowest_total_wins(bout):
    table = bout(deck=[7, 0])
    last = {"Aki": ("fire-7", "Aki"), "Ben": ("water-1", "Ben"), "Cho": ("water-6", "Cho")}
    rulings = play_out(table, first=[{"Aki": "wood-1", "Ben": "wood-2", "Cho": ("wood-3", "Cho")}], last=[last])

    assert (table["over"], table["phase"], table["round"]) == (True, "over", 7)
    assert table["piles"] == {"Aki": [], "Ben": [], "Cho": []}
    assert table["damage"] == {"Aki": 7, "Ben": 0, "Cho": 3}
    assert table["winners"] == ["Ben"]
    assert table["awaits"] == {}
    assert [ruling.rule for ruling in rulings][-3:] == ["SNI-55", "SNI-56", "SNI-57"]
    assert [seat.total for seat in GAME.rules.view(table.match.state, None).seats] == [7, 0, 3]
    assert "SNI-17" in table.refused("Aki", "select")


@pytest.mark.rule("SNI-R29")
def test_equal_lowest_totals_share_the_win(bout):
    table = bout(deck=[7, 0])
    play_out(table, last=[{"Aki": "fire-7", "Ben": ("water-1", "Ben"), "Cho": "water-6"}])

    assert table["winners"] == ["Aki", "Cho"]


@pytest.mark.rule("SNI-65", "SNI-R31")
def test_simplified_scoring_counts_cards_weapons_too(bout):
    table = bout(scoring="cards")
    table.round(
        Aki=("fire-4", "Aki"),
        Ben=("water-5", "Aki"),
        Cho=("shuriken-22", {"move": "shuriken", "target": "Ben"}),
    )

    assert table["damage"] == {"Aki": 2, "Ben": 1, "Cho": 0}
    attack_only = bout(deck=[7, 0], scoring="cards")
    rulings = play_out(attack_only, last=[{"Aki": ("fire-7", "Aki"), "Ben": ("water-7", "Ben"), "Cho": "wood-1"}])
    assert attack_only["damage"] == {"Aki": 1, "Ben": 1, "Cho": 0}
    assert attack_only["winners"] == ["Cho"]
    assert "SNI-65" in [ruling.rule for ruling in rulings]


def test_undo_takes_a_match_back_to_exactly_where_it_was(bout):
    table = bout(deck=[7, 0])
    states = [table.match.state]
    table.round(Aki=("fire-4", "Aki"), Ben="fire-1", Cho="fire-2")
    table.match.undo(table.match.moves)

    assert table.match.state == states[0]
    assert table.match.sealed == {}

"""The smoke bomb: the one card that is never selected."""

import pytest

from companion.games.san_ni_ichi import GAME
from companion.games.san_ni_ichi.moves import NoSmokeBomb

ONE = ["torinoko-1", "block-0", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"]
TWO = ["torinoko-1", "torinoko-2", "sai-13", "tonfa-11", "yoso_kogeki-15", "shuriken-22"]
NAMES = ("Aki", "Ben", "Cho")


@pytest.fixture
def table(bout):
    return bout(weapons=ONE)


def to_damage(table, **turns):
    """Play a round up to the question for smoke bombs."""
    table.reveal(**{name: turn[0] for name, turn in turns.items()})
    while table["phase"] == "attack":
        (name,) = table.match.awaits
        on = turns[name][1]
        table.do(name, "play", on=on) if on else table.do(name, "discard")


def give_up_rounds(table, cards, rounds, names=NAMES):
    """Rounds in which everybody gives a card up and nobody uses a bomb."""
    for _ in range(rounds):
        table.round(**{name: cards.pop() for name in names})


def spare(weapons, *kept):
    """The cards of a three-player match that are free to be given up."""
    attack = [f"{element}-{strength}" for strength in range(1, 6) for element in ("fire", "water", "wood")]
    return [card for card in (*attack, *weapons) if not card.startswith("torinoko") and card not in kept]


@pytest.mark.rule("SNI-34")
def test_a_smoke_bomb_is_never_turned_up_as_the_selected_card(table):
    table.select()
    assert "SNI-34" in table.refused("Aki", "reveal", card="torinoko-1")
    assert {"SNI-34", "TABLE-1"} <= set(table.refused("Aki", "reveal", card="torinoko-2"))


@pytest.mark.rule("SNI-35", "SNI-R16")
def test_everybody_with_a_card_is_asked_at_the_start_of_the_damage_phase_all_at_once(table):
    to_damage(table, Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", None))
    assert table["phase"] == "damage"
    assert table["awaits"] == {name: ["smoke", "pass"] for name in NAMES}
    assert GAME.rules.view(table.match.state, None).asked == NAMES

    table.do("Ben", "smoke")
    assert table["hands.Ben"] == 6
    table.do("Aki", "pass")
    assert "SNI-R16" in table.refused("Ben", "smoke")
    assert table["taken"] == {"Aki": 0, "Ben": 0, "Cho": 0}
    table.do("Cho", "pass")
    assert table["taken.Aki"] == 1


@pytest.mark.rule("SNI-35")
def test_smoke_bombs_are_for_the_damage_phase_only(table):
    assert "SNI-35" in table.refused("Aki", "smoke")
    table.reveal(Aki="fire-1", Ben="fire-2", Cho="fire-3")
    assert "SNI-35" in table.refused("Aki", "smoke")
    assert "SNI-35" in table.refused("Ben", "pass")


@pytest.mark.rule("SNI-35")
def test_nobody_is_asked_once_no_bomb_can_be_in_a_hand(bout):
    assert bout(deck=[7, 0]).round(Aki="fire-1", Ben="fire-2", Cho="fire-3")
    table = bout(weapons=ONE)
    to_damage(table, Aki=("fire-1", None), Ben=("fire-2", None), Cho=("fire-3", None))
    table.do("Cho", "smoke")
    table.passes()
    to_damage(table, Aki=("fire-4", "Aki"), Ben=("fire-5", None), Cho=("water-3", None))

    assert (table["phase"], table["round"]) == ("selection", 3)
    assert "TABLE-1" in table.refused("Aki", "smoke")


@pytest.mark.rule("SNI-36", "SNI-37", "SNI-38", "SNI-R19")
def test_its_user_takes_no_damage_draws_the_lowest_card_and_the_next_highest_is_hurt(table):
    table.round(Aki=("fire-1", "Aki"), Ben=("wood-2", "Ben"), Cho="fire-3")
    to_damage(table, Aki=("water-5", "Aki"), Ben=("wood-4", "Cho"), Cho=("wood-1", None))
    table.do("Aki", "smoke")
    table.do("Ben", "pass")
    rulings = table.do("Cho", "pass")

    assert [ruling.rule for ruling in rulings][:3] == ["SNI-36", "SNI-38", "SNI-37"]
    assert table["piles"] == {"Aki": ["water-5"], "Ben": [], "Cho": []}
    assert table["damage"] == {"Aki": 0, "Ben": 2, "Cho": 4}
    assert table["hands"] == {"Aki": 5, "Ben": 5, "Cho": 5}
    table.select()
    assert "TABLE-1" in table.refused("Ben", "reveal", card="fire-1")
    table.do("Aki", "reveal", card="fire-1")


@pytest.mark.rule("SNI-37")
def test_the_next_highest_is_hurt_also_where_the_draw_took_the_highest_card_away(table):
    to_damage(table, Aki=("fire-5", "Aki"), Ben=("wood-3", "Cho"), Cho=("wood-4", None))
    table.do("Aki", "smoke")
    rulings = table.passes()

    assert [ruling.rule for ruling in rulings][:3] == ["SNI-36", "SNI-38", "SNI-37"]
    assert table["damage.Cho"] == 3


@pytest.mark.rule("SNI-R18")
def test_if_only_the_user_has_a_pile_nobody_takes_damage(table):
    to_damage(table, Aki=("fire-1", "Aki"), Ben=("water-2", "Aki"), Cho=("fire-3", None))
    table.do("Aki", "smoke")
    table.do("Ben", "pass")
    rulings = table.do("Cho", "pass")

    assert "SNI-R18" in [ruling.rule for ruling in rulings]
    assert table["taken"] == {"Aki": 0, "Ben": 0, "Cho": 0}
    assert table["piles.Aki"] == ["water-2"]


@pytest.mark.rule("SNI-38", "SNI-R20")
def test_where_the_lowest_is_tied_the_owner_says_which_one_is_drawn(table):
    to_damage(table, Aki=("fire-2", "Aki"), Ben=("water-2", "Aki"), Cho=("wood-3", "Aki"))

    assert {"SNI-38", "SNI-R20"} <= set(table.refused("Aki", "smoke"))
    assert {"SNI-38", "SNI-R20"} <= set(table.refused("Aki", "smoke", draw="wood-3"))
    assert {"SNI-38", "SNI-R20"} <= set(table.refused("Ben", "smoke", draw="fire-2"))
    table.do("Aki", "smoke", draw="water-2")
    table.passes()
    assert table["piles.Aki"] == ["fire-2", "wood-3"]


@pytest.mark.rule("SNI-R20")
def test_an_emptied_pile_is_gone_and_without_a_pile_nothing_is_drawn(table):
    to_damage(table, Aki=("fire-2", "Aki"), Ben=("wood-3", "Cho"), Cho=("wood-4", None))
    table.do("Aki", "smoke", draw="fire-2")
    table.passes()

    assert table["piles.Aki"] == []
    assert table["hands.Aki"] == 6
    assert table["damage.Cho"] == 3
    alone = table.__class__(3, weapons=ONE)
    to_damage(alone, Aki=("fire-2", "Aki"), Ben=("wood-3", None), Cho=("wood-4", None))
    alone.do("Aki", "smoke")
    assert "SNI-R18" in [ruling.rule for ruling in alone.passes()]
    other = table.__class__(3, weapons=ONE)
    to_damage(other, Aki=("fire-2", None), Ben=("wood-3", "Cho"), Cho=("wood-4", None))
    other.do("Aki", "smoke")
    other.passes()
    assert other["hands"] == {"Aki": 5, "Ben": 6, "Cho": 6}


@pytest.mark.rule("SNI-R16")
def test_several_players_may_use_a_bomb_in_the_same_round(bout):
    table = bout(weapons=TWO)
    to_damage(table, Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("fire-3", "Cho"))
    table.do("Cho", "smoke")
    table.do("Ben", "smoke")
    table.do("Aki", "pass")

    assert table["damage"] == {"Aki": 1, "Ben": 0, "Cho": 0}


def test_more_bombs_than_the_deck_holds_are_called(table):
    to_damage(table, Aki=("fire-1", None), Ben=("fire-2", None), Cho=("fire-3", None))
    table.do("Aki", "smoke")

    assert "TABLE-1" in table.refused("Ben", "smoke")
    assert "TABLE-4" in table.refused("Ben", "smoke", card="smoke-1")
    assert "SNI-35" in table.refused("Ben", "smoke", card="sai-13")


@pytest.mark.rule("SNI-39", "SNI-R21")
def test_a_bomb_that_is_the_whole_hand_is_discarded_at_selection_and_its_player_sits_out(table):
    cards = spare(ONE)
    give_up_rounds(table, cards, 6)
    assert table["awaits"] == {name: ["select", "sit_out"] for name in NAMES}
    assert "SNI-39" in table.refused("Aki", "sit_out", cards=[cards[0]])
    assert "TABLE-2" in table.refused("Aki", "sit_out", cards=[])
    table.do("Aki", "sit_out", cards=["torinoko-1"])
    assert "TABLE-1" in table.refused("Ben", "sit_out", cards=["torinoko-1"])
    table.do("Ben", "select")
    assert "SNI-39" in [ruling.rule for ruling in table.do("Cho", "select")]

    assert table["hands"] == {"Aki": 0, "Ben": 0, "Cho": 0}
    assert table["awaits"] == {"Ben": ["reveal"], "Cho": ["reveal"]}
    assert "SNI-R23" in table.refused("Aki", "reveal", card=cards[0])
    table.reveal(Ben=cards.pop(), Cho=cards.pop())
    while not table["over"]:
        table.do(next(iter(table["awaits"])), "discard")


@pytest.mark.rule("SNI-39", "SNI-34")
def test_only_a_hand_of_bombs_alone_sits_out(table):
    assert {"SNI-39", "TABLE-2", "TABLE-3"} <= set(table.refused("Aki", "sit_out", cards=["torinoko-1"]))


@pytest.mark.rule("SNI-R21")
def test_a_lone_bomb_may_be_used_in_the_damage_phase_of_the_round_before(table):
    cards = spare(ONE, "fire-1", "fire-2", "water-5")
    give_up_rounds(table, cards, 5)
    to_damage(table, Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("water-5", None))
    assert table["hands.Aki"] == 1
    table.do("Aki", "smoke")
    table.passes()

    assert table["hands.Aki"] == 1
    table.select()
    assert "TABLE-2" in table.refused("Aki", "reveal", card=cards[-1])
    table.do("Aki", "reveal", card="fire-1")


@pytest.mark.rule("SNI-R21", "SNI-39")
def test_a_lone_bomb_is_of_no_use_where_the_match_says_so(bout):
    table = bout(weapons=ONE, last_smoke_bomb=False)
    to_damage(table, Aki=("fire-1", "Aki"), Ben=("fire-2", "Ben"), Cho=("water-5", None))
    assert "SNI-39" not in table.refused("Aki", "smoke", card="sai-13"), "it is not the last card yet"
    table.passes()
    give_up_rounds(table, spare(ONE, "fire-1", "fire-2", "water-5", "fire-3", "water-3", "wood-3"), 4)
    to_damage(table, Aki=("fire-3", None), Ben=("water-3", None), Cho=("wood-3", None))

    assert {"SNI-39", "SNI-R21"} <= set(table.refused("Aki", "smoke"))
    assert GAME.rules.legal_moves(table.match.state, {}, "Aki") == [NoSmokeBomb()]
    table.passes()
    assert table["round"] == 7


@pytest.mark.rule("SNI-R22")
def test_a_hand_of_two_bombs_sits_out_keeps_them_and_may_use_one(bout):
    table = bout(weapons=TWO)
    cards = spare(TWO, "fire-1", "wood-2", "fire-3", "water-3")
    give_up_rounds(table, cards, 4)
    to_damage(table, Aki=("fire-1", "Aki"), Ben=("wood-2", "Ben"), Cho=("fire-3", None))
    table.passes()
    assert table["piles.Aki"] == ["fire-1"]
    table.select("Aki")
    rulings = table.do("Aki", "sit_out", cards=["torinoko-2", "torinoko-1"])

    assert "SNI-R22" in [ruling.rule for ruling in rulings]
    assert table["hands.Aki"] == 2
    table.reveal(Ben=cards.pop(), Cho=cards.pop())
    while table["phase"] == "attack":
        table.do(next(iter(table["awaits"])), "discard")
    assert list(table["awaits"]) == ["Aki", "Ben", "Cho"]
    assert "TABLE-1" in table.refused("Ben", "smoke")
    table.do("Aki", "smoke")
    table.passes()
    assert table["hands.Aki"] == 2
    assert table["awaits.Aki"] == ["select"]
    table.select()
    assert "SNI-34" in table.refused("Aki", "reveal", card="torinoko-1")
    assert "TABLE-2" in table.refused("Aki", "reveal", card=cards[-1])
    table.do("Aki", "reveal", card="fire-1")


def test_any_two_of_three_bombs_can_be_shown_by_tap(bout):
    three = ["torinoko-1", "torinoko-2", "torinoko-3", "tonfa-11", "yoso_kogeki-15", "shuriken-22"]
    table = bout(weapons=three)
    give_up_rounds(table, spare(three), table["hands.Aki"] - 2)
    parts = table.match.game.table.parts(table.match.state, "Aki")["sit_out"]
    assert (parts.field, parts.least, parts.most) == ("cards", 2, 2)
    assert parts.of == {"torinoko-1": 1, "torinoko-2": 1, "torinoko-3": 1}
    table.do("Aki", "sit_out", cards=["torinoko-1", "torinoko-3"])


@pytest.mark.rule("SNI-R22", "SNI-R24")
def test_two_bombs_that_were_not_used_are_discarded_at_the_last_selection(bout):
    table = bout(weapons=TWO)
    cards = spare(TWO)
    give_up_rounds(table, cards, 5)
    table.select("Aki")
    table.do("Aki", "sit_out", cards=["torinoko-1", "torinoko-2"])
    table.reveal(Ben=cards.pop(), Cho=cards.pop())
    while table["phase"] == "attack":
        table.do(next(iter(table["awaits"])), "discard")
    table.passes()

    assert table["round"] == 7
    assert table["awaits.Aki"] == ["sit_out"]
    assert {"SNI-34", "SNI-R22"} <= set(table.refused("Aki", "select"))
    table.select("Aki")
    table.do("Aki", "sit_out", cards=["torinoko-1", "torinoko-2"])
    assert table["hands"] == {"Aki": 0, "Ben": 0, "Cho": 0}


@pytest.mark.rule("SNI-R23", "SNI-R24")
def test_a_player_with_an_empty_hand_is_skipped_and_still_takes_damage(table):
    """A bomb used without a Combat Pile leaves its player one card short in the last round."""
    cards = spare(ONE, "fire-1", "fire-2", "fire-3", "fire-4", "wood-1")
    to_damage(table, Aki=("fire-1", "Cho"), Ben=("fire-2", "Ben"), Cho=("fire-3", None))
    table.do("Aki", "smoke")
    table.passes()
    assert table["hands"] == {"Aki": 5, "Ben": 6, "Cho": 6}
    give_up_rounds(table, cards, 5)

    assert (table["round"], table["awaits"]) == (7, {"Ben": ["select"], "Cho": ["select"]})
    assert {"SNI-R23", "TABLE-2"} <= set(table.refused("Aki", "select"))
    table.round(Ben=("fire-4", "Aki"), Cho="wood-1")
    assert table["over"]
    assert table["damage"] == {"Aki": 4, "Ben": 2, "Cho": 1}
    assert table["winners"] == ["Cho"]


@pytest.mark.rule("SNI-R24", "SNI-39")
def test_the_match_ends_when_the_last_cards_in_hands_are_bombs(bout):
    """Aki keeps two bombs in round six, draws a card with one, and is left with the other in round eight."""
    table = bout(weapons=TWO)
    cards = spare(TWO, "fire-1", "wood-2", "fire-3")
    give_up_rounds(table, cards, 4)
    table.round(Aki=("fire-1", "Aki"), Ben=("wood-2", "Ben"), Cho="fire-3")
    table.select("Aki")
    table.do("Aki", "sit_out", cards=["torinoko-1", "torinoko-2"])
    table.reveal(Ben=cards.pop(), Cho=cards.pop())
    while table["phase"] == "attack":
        table.do(next(iter(table["awaits"])), "discard")
    table.do("Aki", "smoke", card="torinoko-2")
    table.passes()
    table.round(Aki="fire-1", Ben=cards.pop(), Cho=cards.pop())

    assert (table["round"], table["over"]) == (8, False)
    assert table["awaits"] == {"Aki": ["sit_out"]}
    assert "TABLE-1" in table.refused("Aki", "sit_out", cards=["torinoko-2"])
    rulings = table.do("Aki", "sit_out", cards=["torinoko-1"])
    assert table["over"]
    assert [ruling.rule for ruling in rulings] == ["SNI-39", "SNI-56", "SNI-57"]

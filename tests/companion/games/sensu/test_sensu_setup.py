"""Set-up: the cards, the seats, the options of a match."""

import pytest

from companion.core.rulings import Refused
from companion.games.sensu import GAME
from companion.games.sensu.cards import CARDS, ORIGINS, STICKS, SYMBOLS, TYPES, deck_of
from companion.games.sensu.faces import closed_id
from companion.record.match import Match


def refusal(players, **options):
    with pytest.raises(Refused) as refused:
        Match(GAME, players, options)
    return refused.value.rules


@pytest.mark.rule("SU-1", "SU-2", "SU-3", "SU-9", "SU-R21")
@pytest.mark.parametrize("players", [4, 5])
def test_four_or_five_use_all_ninety_cards_thirty_of_each_type(players):
    deck = deck_of(players, 0)

    assert len(deck) == len(set(deck)) == 90
    for kind in TYPES:
        cards = [CARDS[card] for card in deck if CARDS[card].type == kind]
        assert len(cards) == 30
        assert sorted(card.values[0] for card in cards if not card.wild) == sorted([*range(1, 10)] * 3)
        assert sorted(card.values for card in cards if card.wild) == [(1, 2, 3), (4, 5, 6), (7, 8, 9)]


@pytest.mark.rule("SU-10", "SU-I6", "SU-F10")
@pytest.mark.parametrize("players", [2, 3])
def test_two_or_three_leave_out_the_cards_with_two_winds(players):
    assert len(deck_of(players, wild_winds=0)) == 63
    assert len(deck_of(players, wild_winds=2)) == 54
    assert all(CARDS[card].winds < 2 for card in deck_of(players, 0))


@pytest.mark.rule("SU-4", "SU-I5")
def test_sticks_are_one_to_four_and_a_wild_has_one(story):
    table = story(["Aki", "Ben", "Cho", "Dai"])

    sticks = table.state.terms.sticks
    assert STICKS == (4, 3, 3, 2, 2, 2, 1, 1, 1)
    assert {value: sticks[f"hi_ogi-{value}-0"] for value in range(1, 10)} == dict(enumerate(STICKS, 1))
    assert {sticks[card] for card in table.state.terms.cards if CARDS[card].wild} == {1}
    assert ORIGINS["sticks"] == "inferred"


@pytest.mark.rule("SU-4")
@pytest.mark.parametrize("sticks", [[4] * 8, [4] * 10, [0] * 9, [5, 3, 3, 2, 2, 2, 1, 1, 1], []])
def test_a_table_of_sticks_is_nine_numbers_from_one_to_four(sticks):
    assert "SU-4" in refusal(["Aki", "Ben"], sticks=sticks)


@pytest.mark.rule("SU-5", "SU-8", "SU-14")
def test_the_table_has_five_closed_fan_cards_of_each_type_in_three_open_stacks(story):
    table = story()

    cards = GAME.table.deck(table.state).cards
    zones = {zone.name for zone in GAME.table.layout(table.state).zones}
    assert [cards[closed_id(kind)].copies for kind in TYPES] == [5, 5, 5]
    assert {f"closed_{kind}" for kind in TYPES} <= zones
    assert GAME.rules.view(table.state, None).closed_stacks == dict.fromkeys(TYPES, 5)
    # Summary cards are for the players; the referee has nothing to do with them.
    assert len(cards) == 63 + 3


@pytest.mark.rule("SU-6")
@pytest.mark.parametrize("players", [[], [f"P{n}" for n in range(6)]])
def test_nobody_and_six_cannot_play(players):
    assert refusal(players) == ("SU-6",)


@pytest.mark.rule("SU-11", "SU-12", "SU-13")
@pytest.mark.parametrize(("players", "left"), [(2, 53), (3, 48), (4, 70), (5, 65)])
def test_everyone_is_dealt_five_and_the_rest_is_the_deck(story, players, left):
    names = ["Aki", "Ben", "Cho", "Dai", "Eri"][:players]
    table = story(names)

    assert table["deck"] == left
    assert table["hands"] == dict.fromkeys(names, 5)
    assert table["discards"] == {name: [] for name in names}
    assert table["fans.Aki"] == {kind: {"cards": [], "sticks": 0, "closed": False} for kind in TYPES}
    assert table["chosen"] == dict.fromkeys(names)


@pytest.mark.rule("SU-15", "SU-R25")
def test_the_first_player_is_named_and_turns_go_round_clockwise(story):
    table = story(["Aki", "Ben", "Cho"], first="Cho").lay_out(hands={"Aki": 3, "Ben": 3, "Cho": 3})

    turns = []
    for _ in range(4):
        turns.append(table["turn"])
        table.does(table["turn"], "draw", from_="deck")
    assert turns == ["Cho", "Aki", "Ben", "Cho"]
    assert set(refusal(["Aki", "Ben"], first="Zoe")) >= {"SU-15", "TABLE-4"}
    assert story()["turn"] == "Aki"


@pytest.mark.rule("SU-F9", "SU-52")
def test_power_symbols_are_house_data_that_an_owner_corrects(story):
    assert ORIGINS["symbols"] == "house"
    assert story().state.terms.symbols == SYMBOLS
    assert all(sum(CARDS[c].type == kind for c in SYMBOLS & set(deck_of(2, 0))) >= 3 for kind in TYPES)
    assert story(symbols=["gun_sen-1-0"]).state.terms.symbols == {"gun_sen-1-0"}
    assert story(symbols=[]).state.terms.symbols == frozenset()
    assert set(refusal(["Aki", "Ben"], symbols=["gun_sen-10-0"])) >= {"SU-52", "TABLE-4"}


@pytest.mark.rule("SU-F10", "SU-66")
def test_a_wild_has_no_wind_or_two_and_never_one(story):
    assert "hi_ogi-456-2" in story(["Aki", "Ben", "Cho", "Dai"], wild_winds=2).state.terms.cards
    assert "SU-66" in refusal(["Aki", "Ben"], wild_winds=1)
    assert "TABLE-4" in refusal(["Aki", "Ben"], wild_winds=3)


@pytest.mark.rule("SU-51", "SU-59")
@pytest.mark.parametrize(
    ("options", "rules"),
    [
        ({"variants": ["magic"]}, {"SU-51", "TABLE-4"}),
        ({"variants": ["chosen_fan"]}, {"SU-59"}),
        ({"variants": ["chosen_fan"], "chosen": {"Aki": "hi_ogi"}}, {"SU-59"}),
        ({"variants": ["chosen_fan"], "chosen": {"Aki": "hi_ogi", "Ben": "tessen"}}, {"SU-59", "TABLE-4"}),
        ({"variants": ["chosen_fan"], "chosen": {"Aki": "hi_ogi", "Ben": "hi_ogi", "Zoe": "hi_ogi"}}, {"TABLE-4"}),
        ({"chosen": {"Aki": "hi_ogi", "Ben": "hi_ogi"}}, {"SU-51", "SU-59"}),
        ({"house_rules": True}, {"TABLE-4"}),
        ({"sticks": "many"}, {"TABLE-4"}),
        ({"harmony_may_start_fan": "yes"}, {"TABLE-4"}),
        ({"wisdom": "bottom"}, {"TABLE-4"}),
    ],
)
def test_a_header_that_makes_no_match_is_refused(options, rules):
    assert rules <= set(refusal(["Aki", "Ben"], **options))


@pytest.mark.rule("TABLE-4")
def test_nobody_is_called_deck():
    assert refusal(["Aki", "deck"]) == ("TABLE-4",)

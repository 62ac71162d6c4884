"""Which matches the rules have: decks, weapons, teams and the other options of a header."""

import pytest

from companion.core.rulings import Refused
from companion.games.san_ni_ichi import GAME
from companion.games.san_ni_ichi.cards import DECKS, ELEMENTS, HOUSE_WEAPONS, WEAPONS, parsed
from companion.record.match import Match

NAMES = ("Aki", "Ben", "Cho", "Dai", "Eri", "Fuu", "Gen")


def refusal(players, **options):
    with pytest.raises(Refused) as refused:
        Match(GAME, NAMES[:players], options)
    return refused.value


@pytest.mark.rule("SNI-2", "SNI-3", "SNI-4", "SNI-5", "SNI-6", "SNI-R32")
@pytest.mark.parametrize(("players", "top", "weapons"), [(3, 5, 6), (4, 6, 10), (5, 8, 11), (6, 10, 12)])
def test_the_base_deck_has_the_table_s_strengths_in_three_elements_and_its_weapons(players, top, weapons):
    cards = GAME.table.deck(GAME.rules.setup(NAMES[:players], {})).cards

    expected = {f"{element}-{strength}" for element in ("fire", "water", "wood") for strength in range(1, top + 1)}
    assert {card for card in cards if card.split("-")[0] in ELEMENTS} == expected
    assert sum(card.copies for name, card in cards.items() if name not in expected) == weapons


@pytest.mark.rule("SNI-62", "SNI-63", "SNI-64", "SNI-8", "SNI-9")
@pytest.mark.parametrize(("players", "deck"), [(players, row) for players, rows in DECKS.items() for row in rows])
def test_every_deck_of_the_tables_is_dealt_out_in_hands_of_seven(players, deck):
    match = Match(GAME, NAMES[:players], {"deck": list(deck)})

    assert match.facts["hands"] == dict.fromkeys(NAMES[:players], 7)
    assert sum(card.copies for card in GAME.table.deck(match.state).cards.values()) == 7 * players


@pytest.mark.rule("SNI-62", "SNI-63", "SNI-64")
def test_the_alternate_rows_are_those_of_the_booklet():
    assert DECKS[3][1:] == ((6, 3), (7, 0))
    assert DECKS[4][1:] == ((8, 4), (9, 1))
    assert DECKS[5][1:] == ((9, 8), (10, 5))
    assert DECKS[6][1:] == ()


@pytest.mark.rule("SNI-3", "SNI-R1")
@pytest.mark.parametrize("weapons", [10, 7])
def test_the_booklet_s_misprinted_example_is_refused_with_the_reason(weapons):
    refused = refusal(4, deck=[7, weapons])

    assert {"SNI-3", "SNI-R1"} <= set(refused.rules)
    assert "misprint" in refused.text
    assert "28" in refused.text


@pytest.mark.rule("SNI-2", "SNI-4", "SNI-5", "SNI-9")
@pytest.mark.parametrize(
    ("players", "deck", "rule"),
    [
        (3, [6, 6], "SNI-2"),
        (3, [6, 6], "SNI-62"),
        (3, [4, 9], "SNI-2"),
        (4, [8, 5], "SNI-63"),
        (4, [8, 5], "SNI-3"),
        (5, [10, 4], "SNI-4"),
        (5, [10, 4], "SNI-64"),
        (6, [9, 15], "SNI-5"),
    ],
)
def test_a_deck_that_is_in_no_table_is_refused(players, deck, rule):
    refused = refusal(players, deck=deck)

    assert rule in refused.rules
    assert "SNI-9" in refused.rules


@pytest.mark.rule("SNI-2", "SNI-5")
@pytest.mark.parametrize("players", [1, 2, 7])
def test_fewer_than_three_or_more_than_six_cannot_play(players):
    assert {"SNI-2", "SNI-5"} <= set(refusal(players).rules)


@pytest.mark.rule("SNI-7")
@pytest.mark.parametrize("weapons", [[], ["block-0"] * 5, ["block-0"] * 7])
def test_as_many_weapons_are_laid_out_as_the_deck_needs(weapons):
    assert {"SNI-7", "SNI-2"} <= set(refusal(3, weapons=weapons).rules)
    assert "SNI-62" in refusal(3, deck=[6, 3], weapons=weapons).rules


@pytest.mark.rule("SNI-7")
def test_everybody_sees_the_weapons_that_were_laid_out():
    weapons = [
        "sai-3",
        "sai-3",
        {"card": "tonfa-9", "letter": "d", "damage": 7},
        "block-0",
        "torinoko-1",
        "shuriken-22",
    ]
    shown = GAME.rules.view(GAME.rules.setup(NAMES[:3], {"weapons": weapons}), None).weapons

    assert [weapon.card for weapon in shown] == [
        "sai-3",
        "sai-3",
        "tonfa-9",
        "block-0",
        "torinoko-1",
        "shuriken-22",
    ]
    assert (shown[2].strength, shown[2].letter, shown[2].damage) == (9, "D", 7)


@pytest.mark.rule("SNI-R2")
def test_weapons_that_were_not_laid_out_are_neither_shown_nor_in_the_match():
    state = GAME.rules.setup(NAMES[:3], {})

    assert {weapon.card for weapon in GAME.rules.view(state, None).weapons} == set(HOUSE_WEAPONS[:6])
    assert "shuriken-21" not in GAME.table.deck(state).cards


@pytest.mark.rule("SNI-27", "SNI-28")
@pytest.mark.parametrize(("players", "damage"), [(3, 2), (4, 3), (5, 4), (6, 5)])
def test_the_shuriken_of_strength_22_counts_one_less_than_there_are_players(players, damage):
    state = GAME.rules.setup(NAMES[:players], {})

    assert state.table.values["shuriken-22"].score == damage
    assert GAME.table.deck(state).cards["shuriken-22"].origin == "booklet"


def test_house_weapons_begin_with_one_of_each_kind_and_say_that_they_are_house_data():
    assert {parsed(card)[0] for card in HOUSE_WEAPONS[:6]} == set(WEAPONS)

    deck = GAME.table.deck(GAME.rules.setup(NAMES[:6], {})).cards
    house = {card for card, data in deck.items() if data.origin == "house"}
    assert house == set(HOUSE_WEAPONS) - {"shuriken-22"}


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({"weapons": ["fire-3"] * 6}, "SNI-7"),
        ({"weapons": ["nunchaku-3"] * 6}, "TABLE-4"),
        ({"weapons": ["sai"] * 6}, "TABLE-4"),
        ({"weapons": ["sai-3"] * 5 + [{"card": "sai-3", "letter": "B"}]}, "TABLE-4"),
        ({"weapons": ["sai-3"] * 5 + [{"card": "sai-4", "damage": -1}]}, "TABLE-4"),
        ({"weapons": ["sai-3"] * 5 + [{"card": "sai-4", "letter": "BC"}]}, "SNI-52"),
        ({"weapons": ["sai-3"] * 5 + [{"card": "sai-4", "colour": "red"}]}, "TABLE-4"),
        ({"letters": {"earth": "A"}}, "TABLE-4"),
        ({"letters": {"fire": "1"}}, "SNI-52"),
        ({"dealer": "Nobody"}, "TABLE-4"),
        ({"scoring": "points"}, "TABLE-4"),
        ({"deck": [5]}, "TABLE-4"),
        ({"bombs": True}, "TABLE-4"),
        ({"weapons_may_be_discarded": "no"}, "TABLE-4"),
    ],
)
def test_an_option_that_means_nothing_is_refused(options, rule):
    assert rule in refusal(3, **options).rules


@pytest.mark.rule("SNI-58")
@pytest.mark.parametrize(
    ("players", "teams"),
    [
        (3, [["Aki", "Ben"]]),
        (5, [["Aki", "Ben"], ["Cho", "Dai"]]),
        (4, [["Aki", "Ben"]]),
        (4, [["Aki", "Ben"], ["Cho", "Aki"]]),
        (4, [["Aki", "Ben", "Cho"], ["Dai"]]),
        (4, [["Aki", "Ben"], ["Cho", "Nobody"]]),
        (6, [["Aki", "Cho", "Eri"], ["Ben", "Dai", "Fuu"]]),
    ],
)
def test_teams_are_pairs_of_four_or_six_players(players, teams):
    assert "SNI-58" in refusal(players, teams=teams).rules


@pytest.mark.rule("SNI-58")
def test_six_players_make_three_pairs():
    state = GAME.rules.setup(NAMES[:6], {"teams": [["Fuu", "Aki"], ["Ben", "Dai"], ["Cho", "Eri"]]})

    assert state.table.teams == ((0, 5), (1, 3), (2, 4))

"""What owners correct on their cards, and what sentences call things."""

import pytest

from companion.core.wording import sentence
from companion.games.sensu import GAME
from companion.games.sensu.cards import CARDS, NAMES
from companion.record import corrections
from companion.record.match import Match


def test_every_value_says_where_it_comes_from():
    origins = {value.field: value.origin for row in GAME.printed.rows() for value in row.values}

    assert origins == {"sticks": "inferred", "winds": "house", "symbol": "house"}


def test_corrected_sticks_count_in_the_next_match_and_stand_in_its_header(tmp_path):
    corrections.save(tmp_path, GAME, {"value-7": {"sticks": 2}})

    options = corrections.applied(tmp_path, GAME, 2, {})
    match = Match(GAME, ["Aki", "Ben"], options)

    assert options["sticks"] == [4, 3, 3, 2, 2, 2, 2, 1, 1]
    assert match.state.terms.sticks["gun_sen-7-0"] == 2


def test_a_corrected_symbol_wakes_a_power(tmp_path):
    corrections.save(tmp_path, GAME, {"gun_sen-7-0": {"symbol": True}, "hi_ogi-456": {"symbol": True}})

    options = corrections.applied(tmp_path, GAME, 2, {"variants": ["powers"]})
    symbols = Match(GAME, ["Aki", "Ben"], options).state.terms.symbols

    assert {"gun_sen-7-0", "hi_ogi-456-0", "gun_sen-3-0"} <= symbols
    assert "symbols" not in corrections.applied(tmp_path, GAME, 2, {})


def test_corrected_winds_take_the_wilds_out_of_a_small_deck(tmp_path):
    corrections.save(tmp_path, GAME, {"wilds": {"winds": 2}, "hi_ogi-456": {"symbol": True}})

    options = corrections.applied(tmp_path, GAME, 2, {"variants": ["powers"]})
    match = Match(GAME, ["Aki", "Ben"], options)

    assert match.facts["deck"] == 44
    assert "hi_ogi-456-2" in match.state.terms.symbols


def test_what_the_options_say_stands(tmp_path):
    corrections.save(tmp_path, GAME, {"value-7": {"sticks": 2}})
    own = [3, 3, 3, 2, 2, 2, 1, 1, 1]

    assert corrections.applied(tmp_path, GAME, 2, {"sticks": own})["sticks"] == own


@pytest.mark.parametrize("wrong", [{"wilds": {"winds": 1}}, {"value-1": {"sticks": 5}}, {"value-10": {"sticks": 1}}])
def test_what_no_card_could_have_is_not_taken(tmp_path, wrong):
    with pytest.raises(corrections.WrongValue):
        corrections.save(tmp_path, GAME, wrong)


def test_every_card_place_and_move_has_a_name_in_both_languages():
    options = {"variants": ["chosen_fan"], "chosen": {"Aki": "gun_sen", "Ben": "hi_ogi"}}
    for players, given in ((["Aki", "Ben"], options), (["Aki", "Ben"], {}), (["Aki"], {})):
        state = Match(GAME, players, given).state
        things = [
            *GAME.table.deck(state).cards,
            *(zone.name for zone in GAME.table.layout(state).zones),
            *GAME.rules.prompts,
        ]
        for thing in things:
            for language in ("en", "it"):
                assert GAME.rules.names(state, thing, language), thing
    assert all(GAME.rules.names(None, card, "it") == NAMES[card] for card in CARDS)


def test_a_sentence_calls_cards_and_fans_by_their_names(story):
    table = story()
    cards = ["gun_sen-7-0", "hi_ogi-7-1", "mai_ougi-6-0"]
    said = table.does("Aki", "combine", cards=cards, redeem=["mai_ougi-6-0", "gun_sen-7-0"])

    told = [sentence(ruling.message, "it", table.match.name) for ruling in said]

    assert told[0] == "Aki cala Gun-sen 7, Hi-ōgi 7~, Mai-ougi 6: 20."
    assert not any("_" in sentence for sentence in told)

"""A refusal cites every rule that the play breaks, and no other; a ruling names its rule."""

import pytest

from companion.core.rulings import Refused
from companion.games import game

GUN_SEN = ["gun_sen-6-0", "gun_sen-7-0", "gun_sen-7-1"]
HI_OGI = ["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]
MAI_OUGI = ["mai_ougi-6-0", "mai_ougi-7-0", "mai_ougi-7-1"]


def power(story, cards, laid_out, **options):
    """Aki lays these three cards; the first two carry the symbol, so their power acts before the third is placed."""
    table = story(variants=["powers", *options.pop("variants", ())], symbols=cards[:2], **options).lay_out(**laid_out)
    table.does("Aki", "combine", cards=cards, redeem=cards)
    table.does("Aki", "place", cards=cards)
    return table


@pytest.mark.rule("SU-22", "SU-27")
def test_not_the_most_sticks(story):
    cards = ["gun_sen-7-0", "hi_ogi-7-1", "mai_ougi-6-0"]
    cited = story().refuses("Aki", "combine", cards=cards, redeem=["gun_sen-7-0", "hi_ogi-7-1"])

    assert set(cited) == {"SU-22", "SU-27"}


@pytest.mark.rule("SU-26", "SU-27", "SU-R5")
def test_not_the_fewest_sticks(story):
    cards = ["hi_ogi-2-0", "hi_ogi-3-0", "hi_ogi-9-0", "gun_sen-6-0"]
    cited = story().refuses("Aki", "combine", cards=cards, redeem=["hi_ogi-2-0", "gun_sen-6-0"])

    assert set(cited) == {"SU-26", "SU-27", "SU-R5"}


@pytest.mark.rule("SU-33", "SU-R7")
def test_a_wild_beside_its_number_is_not_a_pair(story):
    cards = ["hi_ogi-3-0", "gun_sen-123-0", "mai_ougi-9-0", "gun_sen-5-0"]
    redeem = ["hi_ogi-3-0", "mai_ougi-9-0"]
    cited = story().refuses("Aki", "combine", cards=cards, wild=3, redeem=redeem)

    assert set(cited) == {"SU-33", "SU-R7", "SU-23", "SU-24", "SU-25", "SU-22"}


@pytest.mark.rule("SU-19", "SU-R1", "SU-28", "SU-38", "SU-R3")
@pytest.mark.parametrize(
    ("move", "fields", "rules"),
    [
        ("discard", {"card": "gun_sen-1-0"}, {"SU-19", "SU-R1", "SU-16"}),
        ("place", {"cards": ["gun_sen-1-0"]}, {"SU-38", "SU-28"}),
        ("pass", {}, {"SU-16", "SU-R3"}),
        ("wisdom", {"from_": "deck"}, {"SU-55", "SU-52", "SU-53", "SU-51"}),
        ("chosen", {"fan": "gun_sen"}, {"SU-63", "SU-59", "SU-60", "SU-51"}),
    ],
)
def test_an_answer_that_nobody_has_asked_for(story, move, fields, rules):
    assert set(story().refuses("Aki", move, **fields)) - {"TABLE-3"} == rules


@pytest.mark.rule("SU-17", "SU-18", "SU-49")
def test_a_draw_where_there_is_nothing(story):
    cited = story().lay_out(deck=0).refuses("Aki", "draw", from_="deck")

    assert set(cited) - {"TABLE-3"} == {"SU-17", "SU-18", "SU-49"}


@pytest.mark.rule("SU-53", "SU-54", "SU-R14")
def test_a_power_comes_before_everything_else(story):
    table = power(story, HI_OGI, {})

    assert set(table.refuses("Aki", "draw", from_="deck")) - {"TABLE-3"} == {"SU-55", "SU-54", "SU-53", "SU-R14"}


@pytest.mark.rule("SU-57", "SU-58", "SU-R17")
def test_courage_takes_what_it_must_and_nothing_else(story):
    fans = {"Ben": ["mai_ougi-1-0", "hi_ogi-1-0"]}
    table = power(story, GUN_SEN, {"fans": fans})

    assert set(table.refuses("Aki", "courage")) == {"SU-57", "SU-54", "SU-R17", "TABLE-4"}
    assert set(table.refuses("Aki", "courage", fans={"Ben": "kite"})) == {"SU-57", "SU-2", "TABLE-4"}


@pytest.mark.rule("SU-58", "SU-R17")
def test_courage_does_not_take_a_symbol(story):
    table = story(variants=["powers"], symbols=[*GUN_SEN[:2], "mai_ougi-1-0"])
    table.lay_out(fans={"Ben": ["mai_ougi-1-0", "hi_ogi-1-0"]})
    table.does("Aki", "combine", cards=GUN_SEN, redeem=GUN_SEN)
    table.does("Aki", "place", cards=GUN_SEN)

    assert set(table.refuses("Aki", "courage", fans={"Ben": "mai_ougi"})) == {"SU-58", "SU-R17"}


@pytest.mark.rule("SU-44", "SU-46", "SU-R16")
def test_harmony_does_not_pass_ten(story):
    laid_out = {
        "fans": {"Aki": ["gun_sen-1-0", "gun_sen-2-0", "gun_sen-4-0"]},
        "discards": {"Ben": ["gun_sen-3-0"], "Aki": ["hi_ogi-1-0"]},
    }
    table = power(story, MAI_OUGI, laid_out)

    assert set(table.refuses("Aki", "harmony", from_="Ben")) == {"SU-46", "SU-44", "SU-56", "SU-R16"}


@pytest.mark.rule("SU-60", "SU-61", "SU-62", "SU-R19")
def test_harmony_does_not_close_another_fan_before_the_chosen_one(story):
    laid_out = {
        "fans": {"Aki": ["gun_sen-1-0", "gun_sen-2-0"]},
        "discards": {"Ben": ["gun_sen-3-0"], "Aki": ["hi_ogi-1-0"]},
    }
    chosen = {"Aki": "hi_ogi", "Ben": "gun_sen"}
    table = power(story, MAI_OUGI, laid_out, variants=["chosen_fan"], chosen=chosen)

    cited = table.refuses("Aki", "harmony", from_="Ben")
    assert set(cited) == {"SU-62", "SU-61", "SU-60", "SU-R19", "SU-56", "SU-R16"}


@pytest.mark.rule("SU-74", "SU-R22")
def test_a_solo_game_that_is_over(story):
    table = story(["Aki"])
    for card in sorted(table.state.terms.cards):
        table.does("Aki", "draw", card=card, to="discards")

    assert set(table.refuses("Aki", "combine", cards=[])) - {"TABLE-3"} == {"SU-74", "SU-R22"}


@pytest.mark.rule("SU-2", "SU-59", "SU-60", "SU-73", "SU-78", "SU-R24")
@pytest.mark.parametrize(
    ("players", "options", "rules"),
    [
        (
            ["Aki", "Ben"],
            {"variants": ["chosen_fan"], "chosen": {"Aki": "kite", "Ben": "hi_ogi"}},
            {"SU-59", "SU-2", "TABLE-4"},
        ),
        (["Aki", "Ben"], {"variants": ["chosen_fan"]}, {"SU-59", "SU-60", "TABLE-4"}),
        (["Aki"], {"variants": ["powers"]}, {"SU-R24", "SU-51", "SU-73", "SU-78", "TABLE-4"}),
    ],
)
def test_a_match_that_cannot_be_set_up(players, options, rules):
    with pytest.raises(Refused) as refusal:
        game("sensu").rules.setup(players, options)

    assert set(refusal.value.rules) == rules


def rules(said):
    return [ruling.rule for ruling in said]


@pytest.mark.rule("SU-17", "SU-19", "SU-20", "SU-21", "SU-22", "SU-23", "SU-26", "SU-29")
@pytest.mark.rule("SU-38", "SU-40", "SU-42", "SU-47")
def test_every_ruling_of_a_turn_names_its_rule(story):
    table = story()
    assert rules(table.does("Aki", "draw", from_="deck")) == ["SU-17", "SU-19"]
    assert rules(table.does("Aki", "discard", card="gun_sen-1-0")) == ["SU-19", "SU-20"]

    cards = ["hi_ogi-7-0", "gun_sen-7-1", "hi_ogi-6-0"]
    said = table.does("Ben", "combine", cards=cards, redeem=["hi_ogi-6-0", "hi_ogi-7-0"])
    assert rules(said) == ["SU-21", "SU-22", "SU-23", "SU-26", "SU-29"]
    said = table.does("Ben", "place", cards=["hi_ogi-6-0", "hi_ogi-7-0"])
    assert rules(said) == ["SU-38", "SU-42", "SU-40", "SU-47"]


@pytest.mark.rule("SU-45", "SU-46", "SU-63", "SU-64")
def test_every_ruling_of_a_closed_chosen_fan_names_its_rule(story):
    table = story(variants=["chosen_fan"], chosen={"Aki": "hi_ogi", "Ben": "gun_sen"})
    table.lay_out(fans={"Aki": ["hi_ogi-1-0", "hi_ogi-2-0", "hi_ogi-9-0"]})
    table.does("Aki", "combine", cards=HI_OGI, redeem=HI_OGI)

    assert rules(table.does("Aki", "place", cards=HI_OGI)) == ["SU-38", "SU-40", "SU-45", "SU-63"]
    said = table.does("Aki", "chosen", fan="gun_sen")
    assert rules(said) == ["SU-64", "SU-46", "SU-46", "SU-46", "SU-46", "SU-47"]


@pytest.mark.rule("SU-70", "SU-74", "SU-77")
def test_every_ruling_of_the_last_solo_draw_names_its_rule(story):
    table = story(["Aki"])
    *others, last = sorted(table.state.terms.cards)
    for card in others:
        assert rules(table.does("Aki", "draw", card=card, to="discards")) == ["SU-70"]

    assert rules(table.does("Aki", "draw", card=last, to="discards")) == ["SU-70", "SU-74", "SU-77"]

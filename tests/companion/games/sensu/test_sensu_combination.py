"""Combinations of twenty: sum, wilds, what is redeemed and what is discarded."""

import pytest

from companion.games.sensu.advice import advise, sticks_missing
from companion.games.sensu.cards import STICKS
from companion.games.sensu.combination import worth

PAIR = ["gun_sen-7-0", "hi_ogi-7-0", "mai_ougi-6-0"]


@pytest.mark.rule("SU-21", "SU-16", "SU-28", "SU-48")
def test_cards_that_make_twenty_are_laid_and_the_hand_is_not_filled_up(story):
    table = story()

    table.does("Aki", "combine", cards=["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-3-0"], redeem=["mai_ougi-3-0"])

    assert table["hands.Aki"] == 2
    assert table["redeemed"] == ["mai_ougi-3-0"]
    assert table["awaits"] == {"Aki": ["place"]}
    assert {"SU-38", "SU-16", "SU-48"} <= set(table.refuses("Aki", "draw", from_="deck"))
    table.does("Aki", "place", cards=["mai_ougi-3-0"])
    assert (table["hands.Aki"], table["turn"]) == (2, "Ben")


@pytest.mark.rule("SU-21")
@pytest.mark.parametrize(
    "cards",
    [
        ["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-2-0"],
        ["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-4-0"],
        ["gun_sen-9-0", "hi_ogi-9-0"],
        [],
    ],
)
def test_any_other_sum_is_refused(story, cards):
    assert "SU-21" in story().refuses("Aki", "combine", cards=cards, redeem=cards[-1:])


@pytest.mark.rule("SU-22", "SU-23", "SU-26", "SU-27", "SU-29", "SU-34")
@pytest.mark.parametrize("seven", ["gun_sen-7-0", "hi_ogi-7-0"])
def test_example_one_seven_seven_six(story, seven):
    table = story()

    table.does("Aki", "combine", cards=PAIR, redeem=["mai_ougi-6-0", seven])

    assert table["redeemed"] == ["mai_ougi-6-0", seven]
    assert table["discards.Aki"] == [card for card in PAIR[:2] if card != seven]


@pytest.mark.rule("SU-22", "SU-24", "SU-26", "SU-27", "SU-35")
def test_example_two_three_of_a_type(story):
    cards = ["hi_ogi-2-0", "hi_ogi-3-0", "hi_ogi-9-0", "gun_sen-6-0"]

    for first in ("hi_ogi-2-0", "hi_ogi-3-0"):
        table = story()
        table.does("Aki", "combine", cards=cards, redeem=[first, "hi_ogi-9-0"])
        assert len(table["discards.Aki"]) == 2
    assert "SU-26" in story().refuses("Aki", "combine", cards=cards, redeem=["hi_ogi-2-0", "gun_sen-6-0"])
    assert "SU-22" in story().refuses("Aki", "combine", cards=cards, redeem=["gun_sen-6-0", "hi_ogi-9-0"])


@pytest.mark.rule("SU-25", "SU-26", "SU-27", "SU-36", "SU-R5")
def test_example_three_both_bonuses(story):
    cards = ["gun_sen-2-0", "hi_ogi-2-0", "gun_sen-7-0", "gun_sen-4-0", "mai_ougi-5-0"]

    for two in cards[:2]:
        for last in cards[3:]:
            for bonus in (["gun_sen-7-0", last], [last, "gun_sen-7-0"]):
                table = story()
                table.does("Aki", "combine", cards=cards, redeem=[two, *bonus])
                assert len(table["discards.Aki"]) == 2
    table = story()
    both_fives = ["gun_sen-2-0", "gun_sen-4-0", "mai_ougi-5-0"]
    assert "SU-26" in table.refuses("Aki", "combine", cards=cards, redeem=both_fives)
    assert {"SU-23", "SU-24", "SU-25"} <= set(table.refuses("Aki", "combine", cards=cards, redeem=cards[1:3]))


@pytest.mark.rule("SU-31", "SU-32", "SU-33", "SU-37", "SU-R7")
def test_example_four_a_wild_counts_for_the_type_and_never_for_a_pair(story):
    cards = ["mai_ougi-3-0", "mai_ougi-123-0", "mai_ougi-9-0", "gun_sen-5-0"]

    for low in ("mai_ougi-9-0", "mai_ougi-123-0"):
        table = story()
        said = table.does("Aki", "combine", cards=cards, wild=3, redeem=["mai_ougi-3-0", low])
        assert "SU-32" in [ruling.rule for ruling in said]
        assert len(table["discards.Aki"]) == 2
    both = ["mai_ougi-3-0", "mai_ougi-9-0", "mai_ougi-123-0"]
    assert "SU-33" in story().refuses("Aki", "combine", cards=cards, wild=3, redeem=both)
    assert "SU-32" in story().refuses("Aki", "combine", cards=cards, wild=3, redeem=["mai_ougi-3-0"])


@pytest.mark.rule("SU-30")
def test_two_wilds_are_one_too_many(story):
    cards = ["gun_sen-9-0", "hi_ogi-789-0", "mai_ougi-123-0"]

    assert "SU-30" in story().refuses("Aki", "combine", cards=cards, wild=9, redeem=["gun_sen-9-0"])


@pytest.mark.rule("SU-31")
def test_a_wild_takes_one_of_its_own_values_and_it_is_said_which(story):
    cards = ["gun_sen-9-0", "hi_ogi-456-0", "mai_ougi-8-0"]

    assert {"SU-31"} <= set(story().refuses("Aki", "combine", cards=cards, wild=3, redeem=["gun_sen-9-0"]))
    assert {"SU-31", "TABLE-4"} <= set(story().refuses("Aki", "combine", cards=cards, redeem=["gun_sen-9-0"]))
    no_wild = {"cards": ["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-3-0"], "redeem": ["mai_ougi-3-0"]}
    assert "SU-31" in story().refuses("Aki", "combine", wild=3, **no_wild)
    fits = ["gun_sen-8-0", "hi_ogi-456-0", "mai_ougi-8-0"]
    for redeem in (["hi_ogi-456-0", "gun_sen-8-0"], ["gun_sen-8-0", "hi_ogi-456-0"]):
        story().does("Aki", "combine", cards=fits, wild=4, redeem=redeem)


@pytest.mark.rule("SU-23", "SU-24", "SU-25", "SU-26", "SU-R4")
def test_bonus_cards_are_compulsory_and_never_more_than_due(story):
    assert {"SU-23", "SU-R4"} <= set(story().refuses("Aki", "combine", cards=PAIR, redeem=["mai_ougi-6-0"]))
    assert {"SU-24", "SU-25"} <= set(story().refuses("Aki", "combine", cards=PAIR, redeem=["mai_ougi-6-0", *PAIR[:2]]))
    plain = ["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-3-0"]
    too_many = story().refuses("Aki", "combine", cards=plain, redeem=["mai_ougi-3-0", "hi_ogi-8-0"])
    assert {"SU-23", "SU-24"} <= set(too_many)
    assert "SU-22" in story().refuses("Aki", "combine", cards=plain, redeem=[])
    assert "SU-22" in story().refuses("Aki", "combine", cards=plain, redeem=["gun_sen-9-0"])


@pytest.mark.rule("SU-R5", "SU-25")
def test_three_cards_with_both_bonuses_are_all_redeemed(story):
    cards = ["gun_sen-7-0", "gun_sen-7-1", "gun_sen-6-0"]
    table = story()

    table.does("Aki", "combine", cards=cards, redeem=["gun_sen-6-0", "gun_sen-7-1", "gun_sen-7-0"])

    assert table["discards.Aki"] == []


@pytest.mark.rule("SU-R6")
def test_two_pairs_or_three_equal_numbers_are_one_bonus(story):
    two_pairs = ["gun_sen-6-0", "hi_ogi-6-0", "mai_ougi-4-0", "gun_sen-4-0"]
    three = ["gun_sen-6-0", "hi_ogi-6-0", "mai_ougi-6-0", "hi_ogi-2-0"]
    five_of_a_type = ["gun_sen-1-0", "gun_sen-2-0", "gun_sen-3-0", "gun_sen-5-0", "gun_sen-9-0"]

    assert worth(tuple(two_pairs), None, STICKS).bonuses == 1
    assert worth(tuple(three), None, STICKS).bonuses == 1
    assert worth(tuple(five_of_a_type), None, STICKS).bonuses == 1
    assert "SU-R6" in story().refuses("Aki", "combine", cards=three, redeem=["hi_ogi-2-0", *three[:2]])


@pytest.mark.rule("SU-29")
def test_the_rest_is_discarded_in_the_order_wanted(story):
    cards = ["hi_ogi-2-0", "hi_ogi-3-0", "hi_ogi-9-0", "gun_sen-6-0"]
    lay = {"cards": cards, "redeem": ["hi_ogi-2-0", "hi_ogi-9-0"]}

    table = story()
    table.does("Aki", "combine", **lay, discard=["gun_sen-6-0", "hi_ogi-3-0"])
    assert table["discards.Aki"] == ["gun_sen-6-0", "hi_ogi-3-0"]

    table = story()
    table.does("Aki", "combine", **lay)
    assert table["discards.Aki"] == ["hi_ogi-3-0", "gun_sen-6-0"]

    for wrong in (["gun_sen-6-0"], ["hi_ogi-2-0", "hi_ogi-3-0"], ["gun_sen-6-0", "gun_sen-6-0"], []):
        assert "SU-29" in story().refuses("Aki", "combine", **lay, discard=wrong)


@pytest.mark.rule("TABLE-1", "TABLE-4")
def test_a_card_named_twice_or_not_laid_is_called(story):
    twice = ["gun_sen-7-0", "gun_sen-7-0", "mai_ougi-6-0"]
    assert "TABLE-1" in story().refuses("Aki", "combine", cards=twice, redeem=["mai_ougi-6-0", "gun_sen-7-0"])
    assert "TABLE-1" in story().refuses("Aki", "combine", cards=PAIR, redeem=["mai_ougi-6-0", "hi_ogi-7-1"])
    assert "TABLE-4" in story().refuses("Aki", "combine", cards=PAIR, redeem=["mai_ougi-6-0", "rubbish"])
    assert "TABLE-4" in story().refuses("Aki", "combine", cards=[*PAIR[:2], "rubbish"], redeem=["rubbish"])
    assert "TABLE-1" in story().refuses("Aki", "combine", cards=PAIR, redeem=["mai_ougi-6-0", "mai_ougi-6-0"])


@pytest.mark.rule("SU-43", "TABLE-1")
def test_a_card_in_a_fan_is_not_in_a_combination(story):
    table = story().lay_out(fans={"Aki": ["gun_sen-7-0"], "Ben": ["hi_ogi-7-0"]})

    for other in (["gun_sen-7-0", "hi_ogi-7-1"], ["gun_sen-7-1", "hi_ogi-7-0"]):
        cards = [*other, "mai_ougi-6-0"]
        assert {"SU-43", "TABLE-1"} <= set(
            table.refuses("Aki", "combine", cards=cards, redeem=["mai_ougi-6-0", other[0]])
        )


@pytest.mark.rule("SU-4", "SU-22")
def test_an_owners_table_of_sticks_changes_what_is_redeemed(story):
    table = story(sticks=[4, 4, 4, 3, 3, 3, 2, 2, 1])
    cards = ["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-3-0"]

    table.does("Aki", "combine", cards=cards, redeem=["mai_ougi-3-0"])
    table.does("Aki", "place", cards=["mai_ougi-3-0"])

    assert table["fans.Aki.mai_ougi.sticks"] == 4


def test_advice_tells_sum_bonuses_choices_and_fits(story):
    table = story().lay_out(fans={"Aki": ["mai_ougi-1-0", "mai_ougi-1-1", "hi_ogi-3-0"]})

    advice = advise(table.state, "Aki", tuple(PAIR))

    assert (advice.total, advice.short) == (20, 0)
    assert [(ruling.rule, ruling.text) for ruling in advice.bonuses] == [
        ("SU-23", "Equal numbers (7) give one bonus card.")
    ]
    assert advice.redeem == (("mai_ougi-6-0", "gun_sen-7-0"), ("mai_ougi-6-0", "hi_ogi-7-0"))
    fits = {fit.card: (fit.fan, fit.sticks, fit.closes) for fit in advice.fits}
    assert fits["mai_ougi-6-0"] == ("mai_ougi", 10, True)
    assert fits["hi_ogi-7-0"] == ("hi_ogi", 4, False)
    assert sticks_missing(table.state, "Aki") == {"gun_sen": 10, "hi_ogi": 7, "mai_ougi": 2}


def test_advice_on_unfinished_cards_says_what_is_missing_and_redeems_nothing(story):
    table = story().lay_out(fans={"Aki": ["mai_ougi-1-0", "mai_ougi-1-1", "mai_ougi-7-0"]})

    assert (advise(table.state, "Aki", ("gun_sen-9-0", "hi_ogi-8-0")).short) == 3
    assert advise(table.state, "Aki", ("gun_sen-9-0", "hi_ogi-8-0")).redeem == ()
    with_wild = advise(table.state, "Aki", ("gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-123-0"))
    assert (with_wild.wild, with_wild.total) == (3, 20)
    stuck = advise(table.state, "Aki", ("mai_ougi-6-0", "gun_sen-7-0", "hi_ogi-7-0")).fits[0]
    assert stuck.obstacle is not None
    assert stuck.obstacle.rule == "SU-46"

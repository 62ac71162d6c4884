"""Building and closing fans, and winning."""

import pytest

from companion.games.sensu import GAME
from companion.games.sensu.advice import sticks_missing

BOTH = {"cards": ["hi_ogi-7-0", "hi_ogi-7-1", "hi_ogi-6-0"], "redeem": ["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]}
"""Three cards of one type with a pair: all are redeemed, 2 + 1 + 1 sticks."""


@pytest.mark.rule("SU-38", "SU-39", "SU-40", "SU-42", "SU-47")
def test_redeemed_cards_start_fans_and_join_the_fan_of_their_type(story):
    table = story().lay_out(fans={"Aki": ["gun_sen-1-0"]})
    cards = ["gun_sen-7-0", "gun_sen-7-1", "mai_ougi-6-0"]
    table.does("Aki", "combine", cards=cards, redeem=["mai_ougi-6-0", "gun_sen-7-0"])

    table.does("Aki", "place", cards=["gun_sen-7-0", "mai_ougi-6-0"])

    assert table["fans.Aki.gun_sen"] == {"cards": ["gun_sen-1-0", "gun_sen-7-0"], "sticks": 5, "closed": False}
    assert table["fans.Aki.mai_ougi"] == {"cards": ["mai_ougi-6-0"], "sticks": 2, "closed": False}
    assert table["fans.Aki.hi_ogi.cards"] == []
    assert set(table["fans.Aki"]) == {"gun_sen", "hi_ogi", "mai_ougi"}
    assert table["turn"] == "Ben"


@pytest.mark.rule("SU-38", "SU-28", "SU-R8", "SU-43")
def test_every_redeemed_card_is_placed_and_nothing_else(story):
    table = story().lay_out(fans={"Aki": ["gun_sen-1-0"]})
    assert {"SU-38", "TABLE-3"} <= set(table.refuses("Aki", "place", cards=["gun_sen-1-0"]))
    table.does("Aki", "combine", **BOTH)

    assert {"SU-38", "SU-R8"} <= set(table.refuses("Aki", "place", cards=["hi_ogi-6-0"]))
    assert "SU-38" in table.refuses("Aki", "place", cards=[])
    assert {"SU-38", "SU-43"} <= set(table.refuses("Aki", "place", cards=[*BOTH["redeem"], "gun_sen-1-0"]))
    assert "TABLE-1" in table.refuses("Aki", "place", cards=[*BOTH["redeem"], "hi_ogi-6-0"])
    assert "TABLE-4" in table.refuses("Aki", "place", cards=[*BOTH["redeem"][:2], "rubbish"])
    assert {"SU-38", "TABLE-3"} <= set(table.refuses("Aki", "combine", **BOTH))


@pytest.mark.rule("SU-44", "SU-45", "SU-R10")
def test_a_fan_of_exactly_ten_is_closed_at_once(story):
    table = story().lay_out(fans={"Aki": ["hi_ogi-1-0", "hi_ogi-4-0"]})
    table.does("Aki", "combine", **BOTH)
    said = table.does("Aki", "place", cards=BOTH["redeem"])

    assert table["fans.Aki.hi_ogi.closed"] is True
    assert table["fans.Aki.hi_ogi.sticks"] == 10
    assert "SU-45" in [ruling.rule for ruling in said]
    assert table["over"] is False
    assert GAME.rules.view(table.state, None).closed_stacks["hi_ogi"] == 4


@pytest.mark.rule("SU-44", "SU-46", "SU-R8", "SU-R10")
def test_the_order_of_placing_decides_what_becomes_unusable(story):
    eight = ["hi_ogi-1-0", "hi_ogi-4-0", "hi_ogi-5-0"]

    table = story().lay_out(fans={"Aki": eight})
    table.does("Aki", "combine", **BOTH)
    table.does("Aki", "place", cards=["hi_ogi-6-0", "hi_ogi-7-1", "hi_ogi-7-0"])
    assert table["fans.Aki.hi_ogi.cards"] == [*eight, "hi_ogi-6-0"]
    assert table["discards.Aki"] == ["hi_ogi-7-1", "hi_ogi-7-0"]

    table = story().lay_out(fans={"Aki": eight})
    table.does("Aki", "combine", **BOTH)
    said = table.does("Aki", "place", cards=["hi_ogi-7-0", "hi_ogi-6-0", "hi_ogi-7-1"])
    assert table["fans.Aki.hi_ogi"] == {"cards": [*eight, "hi_ogi-7-0", "hi_ogi-7-1"], "sticks": 10, "closed": True}
    assert table["discards.Aki"] == ["hi_ogi-6-0"]
    assert "SU-46" in [ruling.rule for ruling in said]


@pytest.mark.rule("SU-46", "SU-44")
def test_a_card_for_a_complete_fan_is_discarded(story):
    full = ["hi_ogi-1-0", "hi_ogi-1-1", "hi_ogi-5-0"]
    table = story().lay_out(fans={"Aki": full}, discards={"Aki": ["gun_sen-9-0"]})
    table.does("Aki", "combine", **BOTH)
    table.does("Aki", "place", cards=BOTH["redeem"])

    assert table["fans.Aki.hi_ogi.cards"] == full
    assert table["discards.Aki"] == ["gun_sen-9-0", *BOTH["redeem"]]


@pytest.mark.rule("SU-7", "SU-50", "SU-R10", "SU-R26")
def test_the_second_complete_fan_wins_in_the_middle_of_placing(story):
    nine = ["gun_sen-1-0", "gun_sen-1-1", "gun_sen-7-0"]
    ten = ["hi_ogi-1-0", "hi_ogi-1-1", "hi_ogi-5-0"]
    table = story().lay_out(fans={"Aki": [*nine, *ten]})
    cards = ["gun_sen-7-1", "mai_ougi-7-0", "mai_ougi-6-0"]
    table.does("Aki", "combine", cards=cards, redeem=["mai_ougi-6-0", "gun_sen-7-1"])
    assert table["winners"] == []

    table.does("Aki", "place", cards=["gun_sen-7-1", "mai_ougi-6-0"])

    assert (table["over"], table["winners"], table["awaits"]) == (True, ["Aki"], {})
    assert table["fans.Aki.mai_ougi.cards"] == []
    assert table["redeemed"] == ["mai_ougi-6-0"]
    assert {"SU-50", "TABLE-3"} <= set(table.refuses("Ben", "draw", from_="deck"))


@pytest.mark.rule("SU-7", "SU-50")
def test_one_complete_fan_is_not_enough(story):
    table = story().lay_out(
        fans={"Aki": ["hi_ogi-1-0", "hi_ogi-4-0"], "Ben": ["hi_ogi-1-1", "hi_ogi-2-1", "hi_ogi-3-1"]}
    )
    table.does("Aki", "combine", **BOTH)
    table.does("Aki", "place", cards=BOTH["redeem"])

    assert table["fans.Aki.hi_ogi.closed"] is table["fans.Ben.hi_ogi.closed"] is True
    assert (table["over"], table["turn"]) == (False, "Ben")


@pytest.mark.rule("SU-41")
def test_sticks_of_a_fan_stay_countable(story):
    table = story().lay_out(fans={"Aki": ["hi_ogi-1-0", "hi_ogi-4-0"]})
    fan = GAME.rules.view(table.state, None).seats[0].fans[1]

    assert [card.sticks for card in fan.cards] == [4, 2]
    assert (fan.sticks, fan.missing) == (6, 4)
    assert sticks_missing(table.state, "Aki")["hi_ogi"] == 4
    assert next(zone for zone in GAME.table.layout(table.state).zones if zone.name == "Aki.hi_ogi").holds == "row"


@pytest.mark.rule("SU-R9", "SU-49")
def test_the_rest_of_a_combination_is_on_the_pile_before_building(story):
    table = story()
    cards = ["hi_ogi-2-0", "hi_ogi-3-0", "hi_ogi-9-0", "gun_sen-6-0"]
    table.does("Aki", "combine", cards=cards, redeem=["hi_ogi-2-0", "hi_ogi-9-0"])

    assert table["discards.Aki"] == ["hi_ogi-3-0", "gun_sen-6-0"]
    assert table["fans.Aki.hi_ogi.cards"] == []


@pytest.mark.rule("SU-49", "SU-R11")
def test_discards_of_a_combination_refill_an_empty_deck(story):
    table = story().lay_out(deck=0)
    assert table["awaits"] == {"Aki": ["combine", "pass"]}

    table.does("Aki", "combine", cards=["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-3-0"], redeem=["mai_ougi-3-0"])

    assert (table["deck"], table["discards.Aki"]) == (2, [])
    table.does("Aki", "place", cards=["mai_ougi-3-0"])
    assert table["awaits"] == {"Ben": ["draw", "combine"]}

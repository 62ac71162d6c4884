"""The powers of the fans, and the chosen fan."""

import pytest

from companion.games.sensu.card_sets import cards_in

POWERS = {"variants": ["powers"]}
SYMBOLS = [
    "hi_ogi-4-0",
    "hi_ogi-6-0",
    "hi_ogi-7-0",
    "mai_ougi-4-0",
    "mai_ougi-6-0",
    "mai_ougi-7-0",
    "gun_sen-4-0",
    "gun_sen-6-0",
    "gun_sen-7-0",
]


def combine(kind):
    """6 + 7 + 7 of one type: redeems all three, the 6 and one 7 carry the symbol."""
    cards = [f"{kind}-6-0", f"{kind}-7-0", f"{kind}-7-1"]
    return {"cards": cards, "redeem": cards}


def woken(story, kind, players=("Aki", "Ben"), order=(0, 1, 2), fans=(), **position):
    """Aki has the first symbol of this type in the fan and lays the second one."""
    options = {"symbols": SYMBOLS, **POWERS, **position.pop("options", {})}
    mine = {"Aki": [f"{kind}-4-0", *fans], **position.pop("others", {})}
    table = story(list(players), **options).lay_out(fans=mine, **position)
    laid = combine(kind)
    table.does("Aki", "combine", **laid)
    table.does("Aki", "place", cards=[laid["cards"][at] for at in order])
    return table


@pytest.mark.rule("SU-52", "SU-53", "SU-55", "SU-R14", "SU-R15")
def test_wisdom_draws_three_cards_one_by_one_before_the_next_card_is_placed(story):
    table = woken(story, "hi_ogi", discards={"Ben": ["gun_sen-1-0", "gun_sen-2-0"]})

    assert table["awaits"] == {"Aki": ["wisdom"]}
    assert table["fans.Aki.hi_ogi.cards"] == ["hi_ogi-4-0", "hi_ogi-6-0"]
    assert table["redeemed"] == ["hi_ogi-7-0", "hi_ogi-7-1"]
    table.does("Aki", "wisdom", from_="Ben")
    assert {"SU-55", "SU-54", "TABLE-3"} <= set(table.refuses("Aki", "draw", from_="deck"))
    table.does("Aki", "wisdom", from_="deck")
    assert table["redeemed"] == ["hi_ogi-7-0", "hi_ogi-7-1"]
    table.does("Aki", "wisdom", from_="Ben")

    assert (table["hands.Aki"], table["deck"], table["discards.Ben"]) == (5, 49, [])
    # The third symbol, laid now, has no effect.
    assert table["fans.Aki.hi_ogi.cards"] == ["hi_ogi-4-0", "hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"]
    assert table["turn"] == "Ben"


@pytest.mark.rule("SU-55", "SU-18", "TABLE-4")
def test_wisdom_draws_only_from_where_there_are_cards(story):
    table = woken(story, "hi_ogi")

    assert {"SU-55", "SU-18"} <= set(table.refuses("Aki", "wisdom", from_="Ben"))
    assert {"SU-55", "TABLE-4"} <= set(table.refuses("Aki", "wisdom", from_="Zoe"))
    assert "TABLE-3" in table.refuses("Ben", "wisdom", from_="deck")


@pytest.mark.rule("SU-55", "SU-R15")
def test_wisdom_takes_any_card_of_a_pile_where_the_match_says_so(story):
    pile = ["gun_sen-2-0", "gun_sen-1-0", "gun_sen-4-0"]
    table = woken(story, "hi_ogi", discards={"Ben": pile}, options={"wisdom": "any"})

    assert {"SU-55", "TABLE-1"} <= set(table.refuses("Aki", "wisdom", from_="Ben", card="gun_sen-9-0"))
    assert {"SU-55", "TABLE-4"} <= set(table.refuses("Aki", "wisdom", from_="deck", card="gun_sen-9-0"))
    table.does("Aki", "wisdom", from_="Ben", card="gun_sen-1-0")
    assert table["discards.Ben"] == ["gun_sen-2-0", "gun_sen-4-0"]
    table.does("Aki", "wisdom", from_="Ben")
    assert table["discards.Ben"] == ["gun_sen-2-0"]


@pytest.mark.rule("SU-R15")
def test_wisdom_takes_only_the_tops_where_nothing_else_is_agreed(story):
    table = woken(story, "hi_ogi", discards={"Ben": ["gun_sen-2-0", "gun_sen-1-0"]})

    assert {"SU-55", "SU-R15"} <= set(table.refuses("Aki", "wisdom", from_="Ben", card="gun_sen-2-0"))
    table.does("Aki", "wisdom", from_="Ben", card="gun_sen-1-0")
    assert table["discards.Ben"] == ["gun_sen-2-0"]


@pytest.mark.rule("SU-54", "SU-R12", "SU-49")
def test_wisdom_ends_when_there_is_nothing_left_to_draw(story):
    table = woken(story, "hi_ogi", deck=2)
    table.does("Aki", "wisdom", from_="deck")
    said = table.does("Aki", "wisdom", from_="deck")

    assert "SU-54" in [ruling.rule for ruling in said]
    assert (table["hands.Aki"], table["deck"], table["turn"]) == (4, 0, "Ben")


@pytest.mark.rule("SU-56", "SU-52", "SU-R16", "SU-42")
def test_harmony_lays_the_top_of_any_pile_and_may_start_a_fan(story):
    table = woken(story, "mai_ougi", discards={"Ben": ["gun_sen-2-0", "gun_sen-1-0"]})
    assert table["awaits"] == {"Aki": ["harmony"]}

    assert {"SU-56", "TABLE-4"} <= set(table.refuses("Aki", "harmony", from_="deck"))
    assert {"SU-56", "SU-18"} <= set(table.refuses("Aki", "harmony", from_="Aki"))
    table.does("Aki", "harmony", from_="Ben")

    assert table["fans.Aki.gun_sen"] == {"cards": ["gun_sen-1-0"], "sticks": 4, "closed": False}
    assert table["discards.Ben"] == ["gun_sen-2-0"]
    assert table["fans.Aki.mai_ougi.sticks"] == 6
    assert table["turn"] == "Ben"


@pytest.mark.rule("SU-R16", "SU-54", "SU-R12")
def test_where_harmony_starts_no_fan_it_needs_one_that_is_there(story):
    strict = {"harmony_may_start_fan": False}
    piles = {"Ben": ["gun_sen-1-0"]}
    assert woken(story, "mai_ougi", discards=piles, options=strict)["turn"] == "Ben"

    piles["Aki"] = ["hi_ogi-9-1"]
    table = woken(story, "mai_ougi", discards=piles, options=strict, fans=["hi_ogi-9-0"])
    assert {"SU-56", "SU-R16"} <= set(table.refuses("Aki", "harmony", from_="Ben"))
    table.does("Aki", "harmony", from_="Aki")
    assert table["fans.Aki.hi_ogi.cards"] == ["hi_ogi-9-0", "hi_ogi-9-1"]


@pytest.mark.rule("SU-56", "SU-44", "SU-46", "SU-R16")
def test_harmony_takes_no_card_that_does_not_fit(story):
    nine = ["gun_sen-1-0", "gun_sen-1-1", "gun_sen-9-0"]
    table = woken(story, "mai_ougi", fans=nine, discards={"Ben": ["gun_sen-5-0"], "Aki": ["gun_sen-9-1"]})

    assert {"SU-44", "SU-56"} <= set(table.refuses("Aki", "harmony", from_="Ben"))
    table.does("Aki", "harmony", from_="Aki")
    assert table["fans.Aki.gun_sen.closed"] is True


@pytest.mark.rule("SU-50", "SU-R16", "SU-R13")
def test_harmony_may_win(story):
    fans = ["gun_sen-1-0", "gun_sen-1-1", "gun_sen-9-0", "hi_ogi-1-0", "hi_ogi-1-1", "hi_ogi-5-0"]
    table = woken(story, "mai_ougi", fans=fans, discards={"Ben": ["gun_sen-8-0"]})

    table.does("Aki", "harmony", from_="Ben")

    assert table["winners"] == ["Aki"]


@pytest.mark.rule("SU-R16", "SU-53")
def test_harmony_may_wake_another_power(story):
    table = woken(story, "mai_ougi", fans=["hi_ogi-4-0"], discards={"Ben": ["hi_ogi-6-0"]})

    table.does("Aki", "harmony", from_="Ben")

    assert table["awaits"] == {"Aki": ["wisdom"]}
    assert table["redeemed"] == ["mai_ougi-7-0", "mai_ougi-7-1"]


@pytest.mark.rule("SU-56", "SU-R9")
def test_harmony_finds_the_rest_of_the_combination_on_the_own_pile(story):
    table = story(symbols=SYMBOLS, **POWERS).lay_out(fans={"Aki": ["mai_ougi-4-0"]})
    cards = ["mai_ougi-6-0", "gun_sen-7-1", "hi_ogi-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=["mai_ougi-6-0", "gun_sen-7-1"])
    table.does("Aki", "place", cards=["mai_ougi-6-0", "gun_sen-7-1"])

    table.does("Aki", "harmony", from_="Aki")

    assert table["fans.Aki.hi_ogi.cards"] == ["hi_ogi-7-1"]


COURAGE = {"Ben": ["hi_ogi-1-0", "hi_ogi-9-0", "mai_ougi-6-0"], "Cho": ["mai_ougi-1-0"]}


@pytest.mark.rule("SU-57", "SU-R17", "SU-R18")
def test_courage_takes_the_last_card_of_a_fan_of_every_opponent(story):
    table = woken(story, "gun_sen", ["Aki", "Ben", "Cho"], others=COURAGE)
    assert table["awaits"] == {"Aki": ["courage"]}

    table.does("Aki", "courage", fans={"Ben": "hi_ogi", "Cho": "mai_ougi"})

    assert table["fans.Ben.hi_ogi"] == {"cards": ["hi_ogi-1-0"], "sticks": 4, "closed": False}
    assert table["fans.Cho.mai_ougi"] == {"cards": [], "sticks": 0, "closed": False}
    assert (table["discards.Ben"], table["discards.Cho"]) == (["hi_ogi-9-0"], ["mai_ougi-1-0"])
    assert table["fans.Aki.gun_sen.sticks"] == 6
    assert table["turn"] == "Ben"


@pytest.mark.rule("SU-57", "SU-58", "SU-54", "SU-R17", "TABLE-4")
def test_courage_names_every_opponent_with_a_card_to_lose_and_no_safe_fan(story):
    table = woken(story, "gun_sen", ["Aki", "Ben", "Cho"], others=COURAGE)

    assert {"SU-57", "SU-54"} <= set(table.refuses("Aki", "courage", fans={"Ben": "hi_ogi"}))
    assert "SU-57" in table.refuses("Aki", "courage")
    assert "SU-58" in table.refuses("Aki", "courage", fans={"Ben": "mai_ougi", "Cho": "mai_ougi"})
    assert "SU-57" in table.refuses("Aki", "courage", fans={"Ben": "gun_sen", "Cho": "mai_ougi"})
    safe = {"Ben": "hi_ogi", "Cho": "mai_ougi"}
    assert "SU-57" in table.refuses("Aki", "courage", fans={**safe, "Aki": "gun_sen"})
    assert {"SU-57", "TABLE-4"} <= set(table.refuses("Aki", "courage", fans={**safe, "Zoe": "gun_sen"}))
    assert {"SU-57", "TABLE-4"} <= set(table.refuses("Aki", "courage", fans={**safe, "Cho": "tessen"}))


@pytest.mark.rule("SU-57", "SU-58", "SU-54", "SU-R12", "SU-R17")
def test_an_opponent_with_only_closed_or_marked_fans_is_spared(story):
    closed = ["hi_ogi-1-0", "hi_ogi-1-1", "hi_ogi-5-0"]
    table = woken(story, "gun_sen", ["Aki", "Ben", "Cho"], others={"Ben": closed, "Cho": ["mai_ougi-6-0"]})
    assert table["turn"] == "Ben"

    table = woken(story, "gun_sen", ["Aki", "Ben", "Cho"], others={"Ben": closed, "Cho": ["hi_ogi-9-0"]})
    assert "SU-57" in table.refuses("Aki", "courage", fans={"Ben": "hi_ogi", "Cho": "hi_ogi"})
    table.does("Aki", "courage", fans={"Cho": "hi_ogi"})
    assert table["fans.Ben.hi_ogi.closed"] is True


@pytest.mark.rule("SU-52", "SU-R13")
def test_a_power_acts_even_when_its_card_closes_the_fan(story):
    table = woken(story, "hi_ogi", fans=["hi_ogi-1-0", "hi_ogi-5-0"])

    assert table["fans.Aki.hi_ogi.closed"] is True
    assert table["awaits"] == {"Aki": ["wisdom"]}


@pytest.mark.rule("SU-50", "SU-R13")
def test_a_card_that_wins_wakes_no_power(story):
    fans = ["hi_ogi-1-0", "hi_ogi-5-0", "gun_sen-1-0", "gun_sen-1-1", "gun_sen-5-0"]
    table = woken(story, "hi_ogi", fans=fans)

    assert (table["over"], table["winners"], table["awaits"]) == (True, ["Aki"], {})


@pytest.mark.rule("SU-51", "SU-52", "SU-53")
def test_without_the_variant_or_a_second_symbol_no_power_acts(story):
    assert woken(story, "hi_ogi", options={"variants": []})["turn"] == "Ben"
    assert woken(story, "hi_ogi", options={"symbols": ["hi_ogi-4-0"]})["turn"] == "Ben"
    table = story()
    for power, rule, fields in (
        ("wisdom", "SU-55", {"from_": "deck"}),
        ("harmony", "SU-56", {"from_": "Ben"}),
        ("courage", "SU-57", {"fans": {}}),
    ):
        assert {rule, "SU-51", "SU-52", "TABLE-3"} <= set(table.refuses("Aki", power, **fields))


def chosen(story, mine="hi_ogi", other="mai_ougi", **position):
    variants = position.pop("variants", ["chosen_fan"])
    options = {"chosen": {"Aki": mine, "Ben": other}, "variants": variants, "symbols": SYMBOLS}
    return story(**options).lay_out(**position)


@pytest.mark.rule("SU-59", "SU-60", "SU-63", "SU-64", "SU-65", "SU-R20")
def test_closing_the_chosen_fan_asks_at_once_for_a_new_one_of_another_type(story):
    table = chosen(story, fans={"Aki": ["hi_ogi-1-0", "hi_ogi-2-0", "hi_ogi-8-0"]})
    assert table["chosen"] == {"Aki": "hi_ogi", "Ben": "mai_ougi"}
    table.does("Aki", "combine", **combine("hi_ogi"))
    assert {"SU-63", "TABLE-3"} <= set(table.refuses("Aki", "chosen", fan="gun_sen"))
    table.does("Aki", "place", cards=["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"])

    assert table["fans.Aki.hi_ogi.closed"] is True
    assert table["awaits"] == {"Aki": ["chosen"]}
    assert table["redeemed"] == ["hi_ogi-7-0", "hi_ogi-7-1"]
    assert {"SU-63", "TABLE-3"} <= set(table.refuses("Aki", "draw", from_="deck"))
    assert "SU-64" in table.refuses("Aki", "chosen", fan="hi_ogi")
    assert "TABLE-4" in table.refuses("Aki", "chosen", fan="tessen")
    # Ben's own face-up card is Mai-ougi too: there are five of each.
    table.does("Aki", "chosen", fan="mai_ougi")

    assert table["chosen"] == {"Aki": "mai_ougi", "Ben": "mai_ougi"}
    assert table["discards.Aki"] == ["hi_ogi-7-0", "hi_ogi-7-1"]
    assert table["turn"] == "Ben"


@pytest.mark.rule("SU-61", "SU-62", "SU-60", "SU-R19")
def test_another_fan_may_grow_to_nine_and_not_be_closed_first(story):
    table = chosen(story, "gun_sen", fans={"Aki": ["hi_ogi-1-0", "hi_ogi-2-0"]})
    table.does("Aki", "combine", **combine("hi_ogi"))
    said = table.does("Aki", "place", cards=["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"])

    assert table["fans.Aki.hi_ogi"]["sticks"] == 9
    assert table["fans.Aki.hi_ogi.closed"] is False
    assert table["discards.Aki"] == ["hi_ogi-7-0", "hi_ogi-7-1"]
    assert "SU-62" in [ruling.rule for ruling in said]


@pytest.mark.rule("SU-60", "SU-61", "SU-50")
def test_the_second_chosen_fan_binds_in_the_same_way(story):
    fans = ["hi_ogi-1-0", "hi_ogi-1-1", "hi_ogi-8-0", "mai_ougi-1-0", "mai_ougi-1-1", "gun_sen-1-0", "gun_sen-1-1"]
    table = chosen(story, fans={"Aki": fans})
    lay = {"cards": ["hi_ogi-9-0", "hi_ogi-9-1", "hi_ogi-2-0"], "redeem": ["hi_ogi-2-0", "hi_ogi-9-0", "hi_ogi-9-1"]}
    table.does("Aki", "combine", **lay)
    table.does("Aki", "place", cards=["hi_ogi-9-0", "hi_ogi-9-1", "hi_ogi-2-0"])
    table.does("Aki", "chosen", fan="mai_ougi")
    for _ in range(3):
        table.does("Ben", "draw", from_="deck")
        table.does("Ben", "discard", card=sorted(cards_in(table.state.unseen[0]))[0])
        table.does("Aki", "draw", from_="deck")
    table.does("Ben", "draw", from_="deck")
    table.does("Ben", "discard", card=sorted(cards_in(table.state.unseen[0]))[0])

    cards = ["gun_sen-6-0", "mai_ougi-6-0", "gun_sen-8-1"]
    table.does("Aki", "combine", cards=cards, redeem=["gun_sen-6-0", "gun_sen-8-1"])
    table.does("Aki", "place", cards=["gun_sen-6-0", "gun_sen-8-1"])
    assert table["fans.Aki.gun_sen.sticks"] == 9
    assert table["over"] is False


@pytest.mark.rule("SU-61", "SU-R16", "SU-R19")
def test_harmony_may_not_close_a_fan_before_the_chosen_one(story):
    table = chosen(
        story,
        "hi_ogi",
        variants=["powers", "chosen_fan"],
        fans={"Aki": ["mai_ougi-4-0", "gun_sen-1-0", "gun_sen-1-1", "gun_sen-9-0"]},
        discards={"Ben": ["gun_sen-8-0"], "Aki": ["hi_ogi-8-0"]},
    )
    table.does("Aki", "combine", **combine("mai_ougi"))
    table.does("Aki", "place", cards=["mai_ougi-6-0", "mai_ougi-7-0", "mai_ougi-7-1"])

    assert "SU-61" in table.refuses("Aki", "harmony", from_="Ben")
    table.does("Aki", "harmony", from_="Aki")
    assert table["fans.Aki.gun_sen.sticks"] == 9


@pytest.mark.rule("SU-51", "SU-63", "SU-R13", "SU-R14")
def test_both_variants_ask_for_the_chosen_fan_before_the_power(story):
    table = chosen(
        story,
        "hi_ogi",
        variants=["powers", "chosen_fan"],
        fans={"Aki": ["hi_ogi-4-0", "hi_ogi-1-0", "hi_ogi-5-0"]},
    )
    table.does("Aki", "combine", **combine("hi_ogi"))
    table.does("Aki", "place", cards=["hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1"])

    assert table["awaits"] == {"Aki": ["chosen"]}
    table.does("Aki", "chosen", fan="gun_sen")
    for _ in range(3):
        assert table["awaits"] == {"Aki": ["wisdom"]}
        table.does("Aki", "wisdom", from_="deck")
    assert table["discards.Aki"] == ["hi_ogi-7-0", "hi_ogi-7-1"]
    assert table["turn"] == "Ben"


@pytest.mark.rule("SU-59", "SU-51")
def test_without_the_variant_there_is_no_chosen_fan(story):
    table = story()
    assert table["chosen.Aki"] is None
    assert {"SU-63", "SU-51", "TABLE-3"} <= set(table.refuses("Aki", "chosen", fan="hi_ogi"))

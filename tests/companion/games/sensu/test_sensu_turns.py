"""Drawing and discarding, the deck and the piles, and what the referee knows of the hands."""

import pytest

from companion.games.sensu.state import replace


@pytest.mark.rule("SU-16", "SU-17", "SU-19", "SU-20", "SU-R1")
def test_a_draw_over_five_asks_for_one_discard_and_then_the_turn_passes(story):
    table = story()

    table.does("Aki", "draw", from_="deck")
    assert (table["hands.Aki"], table["deck"], table["turn"]) == (6, 52, "Aki")
    assert table["awaits"] == {"Aki": ["discard"]}
    assert "SU-19" in table.refuses("Aki", "draw", from_="deck")
    assert "SU-19" in table.refuses("Aki", "combine", cards=["gun_sen-9-0"], redeem=["gun_sen-9-0"])

    table.does("Aki", "discard", card="gun_sen-9-0")
    assert (table["hands.Aki"], table["discards.Aki"], table["turn"]) == (5, ["gun_sen-9-0"], "Ben")


@pytest.mark.rule("SU-19", "SU-20", "SU-R1")
def test_with_fewer_than_five_nothing_is_discarded(story):
    table = story().lay_out(hands={"Aki": 4})

    table.does("Aki", "draw", from_="deck")

    assert (table["hands.Aki"], table["turn"]) == (5, "Ben")
    assert {"SU-16", "TABLE-3"} <= set(table.refuses("Aki", "draw", from_="deck"))
    assert {"SU-19", "TABLE-3"} <= set(table.refuses("Ben", "discard", card="gun_sen-9-0"))


@pytest.mark.rule("SU-18", "SU-R2")
def test_any_pile_may_be_drawn_from_and_the_same_card_discarded_again(story):
    table = story(["Aki", "Ben", "Cho"]).lay_out(discards={"Aki": ["gun_sen-1-0"], "Cho": ["hi_ogi-2-0", "hi_ogi-3-0"]})

    table.does("Aki", "draw", from_="Cho")
    assert (table["discards.Cho"], table["hands.Aki"]) == (["hi_ogi-2-0"], 6)
    table.does("Aki", "discard", card="hi_ogi-3-0")
    assert table["discards.Aki"] == ["gun_sen-1-0", "hi_ogi-3-0"]

    table.does("Ben", "draw", from_="Aki")
    table.does("Ben", "discard", card="mai_ougi-1-0")
    table.does("Cho", "draw", from_="Cho")
    assert table["discards"] == {"Aki": ["gun_sen-1-0"], "Ben": ["mai_ougi-1-0"], "Cho": []}


@pytest.mark.rule("SU-18", "TABLE-4", "SU-16")
def test_an_empty_pile_and_an_unknown_one_cannot_be_drawn_from(story):
    table = story()

    assert "SU-18" in table.refuses("Aki", "draw", from_="Ben")
    assert "TABLE-4" in table.refuses("Aki", "draw", from_="Zoe")
    assert "TABLE-4" in table.refuses("Aki", "draw")
    assert "TABLE-4" in table.refuses("Aki", "draw", from_="deck", card="gun_sen-1-0")
    assert "TABLE-4" in table.refuses("Aki", "draw", from_="deck", to="column1")
    assert "TABLE-4" in table.refuses("Aki", "draw", pile="deck")
    assert "TABLE-4" in table.refuses("Aki", "dance")
    assert "TABLE-4" in table.refuses("Zoe", "draw", from_="deck")


@pytest.mark.rule("SU-49", "SU-R11")
def test_an_empty_deck_is_made_anew_before_the_discard_of_that_turn(story):
    table = story().lay_out(discards={"Aki": ["gun_sen-1-0", "gun_sen-2-0"], "Ben": ["hi_ogi-1-0"]}, deck=1)

    said = table.does("Aki", "draw", from_="deck")

    assert "SU-49" in [ruling.rule for ruling in said]
    assert (table["deck"], table["discards"]) == (3, {"Aki": [], "Ben": []})
    table.does("Aki", "discard", card="gun_sen-3-0")
    assert table["discards.Aki"] == ["gun_sen-3-0"]


@pytest.mark.rule("SU-49", "SU-R11")
def test_a_deck_without_discards_waits_for_the_first_one(story):
    table = story().lay_out(deck=1)

    table.does("Aki", "draw", from_="deck")
    assert table["deck"] == 0
    table.does("Aki", "discard", card="gun_sen-1-0")

    assert (table["deck"], table["discards.Aki"]) == (1, [])


@pytest.mark.rule("SU-16", "SU-18", "SU-R3")
def test_only_with_nothing_to_draw_may_a_turn_be_passed(story):
    table = story()
    assert {"SU-16", "SU-R3", "TABLE-3"} <= set(table.refuses("Aki", "pass"))

    table = story().lay_out(hands={"Aki": 2}, deck=0)
    assert table["awaits"] == {"Aki": ["combine", "pass"]}
    assert {"SU-18", "SU-17"} <= set(table.refuses("Aki", "draw", from_="deck"))
    table.does("Aki", "pass")
    assert table["turn"] == "Ben"


@pytest.mark.rule("TABLE-1")
def test_a_card_that_is_seen_elsewhere_cannot_be_discarded(story):
    table = story().lay_out(fans={"Ben": ["gun_sen-1-0"]}, discards={"Ben": ["hi_ogi-1-0", "hi_ogi-2-0"]})
    table.does("Aki", "draw", from_="Ben")
    table.does("Aki", "discard", card="mai_ougi-1-0")
    table.does("Ben", "draw", from_="deck")

    for card in ("gun_sen-1-0", "hi_ogi-1-0", "mai_ougi-1-0", "hi_ogi-2-0"):
        assert {"TABLE-1", "SU-19"} <= set(table.refuses("Ben", "discard", card=card)), card


@pytest.mark.rule("TABLE-1", "SU-21")
def test_a_card_taken_from_a_pile_is_known_to_be_in_that_hand_until_it_leaves(story):
    table = story().lay_out(discards={"Ben": ["hi_ogi-9-0"]}, hands={"Aki": 4, "Ben": 4})
    table.does("Aki", "draw", from_="Ben")
    lay = {"cards": ["hi_ogi-9-0", "gun_sen-9-0", "mai_ougi-2-0"], "redeem": ["mai_ougi-2-0", "gun_sen-9-0"]}

    assert "TABLE-1" in table.refuses("Ben", "combine", **lay)
    table.does("Ben", "draw", from_="deck")
    table.does("Aki", "combine", **lay)
    assert table["discards.Aki"] == ["hi_ogi-9-0"]


@pytest.mark.rule("TABLE-1", "TABLE-2")
def test_known_cards_leave_less_room_for_unseen_ones(story):
    table = story().lay_out(discards={"Ben": ["hi_ogi-9-0"], "Aki": ["hi_ogi-8-0"]}, hands={"Aki": 1, "Ben": 3})
    table.does("Aki", "draw", from_="Ben")
    table.does("Ben", "draw", from_="deck")
    table.does("Aki", "draw", from_="Aki")
    table.does("Ben", "draw", from_="deck")

    # Two of the three cards are known: only one may be a card that nobody has seen.
    two_unseen = ["hi_ogi-9-0", "gun_sen-9-0", "mai_ougi-2-0"]
    assert "TABLE-1" in table.refuses("Aki", "combine", cards=two_unseen, redeem=["mai_ougi-2-0", "gun_sen-9-0"])
    one_unseen = ["hi_ogi-9-0", "hi_ogi-8-0", "mai_ougi-3-0"]
    table.does("Aki", "combine", cards=one_unseen, redeem=["mai_ougi-3-0"])


@pytest.mark.rule("TABLE-1", "SU-49")
def test_a_card_shuffled_back_can_only_be_held_by_someone_who_has_drawn_since(story):
    table = story().lay_out(discards={"Aki": ["gun_sen-1-0"], "Ben": ["hi_ogi-1-0", "hi_ogi-2-0"]}, deck=1)
    table.does("Aki", "draw", from_="deck")

    assert "TABLE-1" in table.refuses("Aki", "discard", card="hi_ogi-1-0")
    table.does("Aki", "discard", card="gun_sen-2-0")
    table.does("Ben", "draw", from_="deck")
    table.does("Ben", "discard", card="hi_ogi-1-0")
    # Ben drew one card of the new deck, and it has been seen: he cannot hold a second one.
    table.does("Aki", "draw", from_="Aki")
    table.does("Aki", "discard", card="gun_sen-2-0")
    table.does("Ben", "draw", from_="Aki")
    assert "TABLE-1" in table.refuses("Ben", "discard", card="hi_ogi-2-0")


@pytest.mark.rule("SU-10", "TABLE-1", "TABLE-4", "SU-3")
def test_a_card_of_another_deck_is_called(story):
    table = story()
    table.does("Aki", "draw", from_="deck")

    assert {"SU-10", "TABLE-1"} <= set(table.refuses("Aki", "discard", card="gun_sen-7-2"))
    assert {"SU-3", "TABLE-4"} <= set(table.refuses("Aki", "discard", card="gun_sen-10-0"))
    assert "TABLE-4" in table.refuses("Aki", "discard", card="hi_ogi-456-2")
    assert "TABLE-4" in table.refuses("Aki", "discard", card="hi_ogi-456-1")

    table = story(["Aki", "Ben", "Cho", "Dai"])
    table.does("Aki", "draw", from_="deck")
    table.does("Aki", "discard", card="gun_sen-7-2")

    table = story(wild_winds=2)
    table.does("Aki", "draw", from_="deck")
    assert {"SU-10", "TABLE-1"} <= set(table.refuses("Aki", "discard", card="hi_ogi-456-2"))


@pytest.mark.rule("TABLE-2")
def test_nobody_lays_more_cards_than_the_hand_holds(story):
    table = story().lay_out(hands={"Aki": 2})
    cards = ["gun_sen-9-0", "hi_ogi-8-0", "mai_ougi-3-0"]

    assert "TABLE-2" in table.refuses("Aki", "combine", cards=cards, redeem=["mai_ougi-3-0"])
    six = ["gun_sen-1-0", "gun_sen-2-0", "gun_sen-3-0", "hi_ogi-4-0", "hi_ogi-4-1", "hi_ogi-6-0"]
    assert "TABLE-2" in story().refuses("Aki", "combine", cards=six, redeem=["gun_sen-1-0", "hi_ogi-6-0", "hi_ogi-4-0"])


@pytest.mark.rule("TABLE-3")
def test_undo_takes_back_draw_and_discard_exactly(story):
    table = story()
    before = table.state
    table.does("Aki", "draw", from_="deck")
    table.does("Aki", "discard", card="gun_sen-9-0")
    table.match.undo(2)

    assert table.state == before
    assert "TABLE-3" in table.refuses("Ben", "draw", from_="deck")


def test_the_clock_changes_nothing(story):
    table = story()
    before = table.state

    assert table.match.clock(60.0) == ()
    assert table.state == before == replace(before)

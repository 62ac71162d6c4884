"""The solo game: columns, score, levels, and the solver."""

import random
from functools import cache
from itertools import permutations

import pytest

from companion.core.wording import translate
from companion.games.sensu import GAME
from companion.games.sensu.advice import on_the_table
from companion.games.sensu.card_sets import cards_in
from companion.games.sensu.cards import deck_of
from companion.games.sensu.combination import lays
from companion.games.sensu.moves import DrawFanCard, PlaceRedeemed
from companion.games.sensu.solo import PLACES, level, playable, score
from companion.games.sensu.solver import best
from companion.record.match import Match


def alone(story, **position):
    return story(["Aki"]).lay_out(**position)


@pytest.mark.rule("SU-66", "SU-67", "SU-78", "SU-I6")
def test_the_solo_deck_is_the_27_cards_with_one_wind(story):
    table = story(["Aki"])

    assert sorted(deck_of(1, 0)) == sorted(
        f"{t}-{v}-1" for t in ("gun_sen", "hi_ogi", "mai_ougi") for v in range(1, 10)
    )
    assert (table["deck"], table["hands.Aki"], table["columns"]) == (27, 0, [[], [], [], []])
    assert (table["score"], table["level"], table["turn"]) == (0, "gutted", "Aki")
    assert {"SU-66", "TABLE-1"} <= set(table.refuses("Aki", "draw", card="gun_sen-1-0", to="column1"))
    assert {"SU-66", "TABLE-1"} <= set(table.refuses("Aki", "draw", card="gun_sen-123-0", to="column1"))


@pytest.mark.rule("SU-69", "SU-70", "SU-67")
def test_a_drawn_card_goes_on_the_discards_or_at_the_end_of_a_column(story):
    table = story(["Aki"])
    for card, to in (("gun_sen-1-1", "column2"), ("gun_sen-2-1", "column2"), ("gun_sen-3-1", "discards")):
        table.does("Aki", "draw", card=card, to=to)

    assert table["columns"] == [[], ["gun_sen-1-1", "gun_sen-2-1"], [], []]
    assert (table["discards.Aki"], table["deck"]) == (["gun_sen-3-1"], 24)
    assert {"SU-70", "SU-67", "TABLE-4"} <= set(table.refuses("Aki", "draw", card="gun_sen-4-1", to="column5"))
    assert {"SU-70", "TABLE-4"} <= set(table.refuses("Aki", "draw", card="gun_sen-4-1"))
    assert {"SU-70", "SU-69", "SU-78"} <= set(table.refuses("Aki", "draw", from_="Aki"))
    assert "TABLE-4" in table.refuses("Aki", "draw", to="column1")
    for seen in ("gun_sen-1-1", "gun_sen-3-1"):
        assert "TABLE-1" in table.refuses("Aki", "draw", card=seen, to="column1")


COLUMNS = [["gun_sen-1-1", "gun_sen-9-1"], ["hi_ogi-2-1", "hi_ogi-8-1"], ["mai_ougi-3-1"], ["gun_sen-5-1"]]


@pytest.mark.rule("SU-71", "SU-73", "SU-29", "SU-R24")
def test_a_combination_takes_the_ends_of_columns_and_the_top_of_the_discards(story):
    table = alone(story, columns=COLUMNS, discards={"Aki": ["hi_ogi-9-1", "mai_ougi-6-1"]})
    table.does("Aki", "combine", cards=["gun_sen-9-1", "gun_sen-5-1", "mai_ougi-6-1"], redeem=["gun_sen-5-1"])

    assert table["columns"] == [["gun_sen-1-1"], ["hi_ogi-2-1", "hi_ogi-8-1"], ["mai_ougi-3-1"], []]
    assert table["discards.Aki"] == ["hi_ogi-9-1", "gun_sen-9-1", "mai_ougi-6-1"]
    table.does("Aki", "place", cards=["gun_sen-5-1"])
    assert (table["score"], table["turn"], table["awaits"]) == (2, "Aki", {"Aki": ["draw", "combine"]})


@pytest.mark.rule("SU-71", "SU-72", "TABLE-1")
def test_covered_cards_and_two_of_a_column_cannot_be_combined(story):
    table = alone(
        story, columns=COLUMNS, discards={"Aki": ["hi_ogi-7-1", "mai_ougi-6-1"]}, fans={"Aki": ["gun_sen-7-1"]}
    )

    def refuses(*cards, redeem):
        return set(table.refuses("Aki", "combine", cards=cards, redeem=[redeem]))

    covered = refuses("hi_ogi-7-1", "hi_ogi-8-1", "gun_sen-5-1", redeem="gun_sen-5-1")
    assert "SU-71" in covered
    same_column = refuses("hi_ogi-2-1", "hi_ogi-8-1", "gun_sen-5-1", "mai_ougi-5-1", redeem="hi_ogi-2-1")
    assert {"SU-72", "SU-71", "TABLE-1"} <= same_column
    in_deck = refuses("gun_sen-9-1", "hi_ogi-8-1", "hi_ogi-3-1", redeem="hi_ogi-3-1")
    assert {"SU-71", "TABLE-1"} <= in_deck
    in_fan = refuses("gun_sen-7-1", "hi_ogi-8-1", "gun_sen-5-1", redeem="gun_sen-5-1")
    assert {"SU-71", "TABLE-1", "SU-43"} <= in_fan
    assert "SU-71" in refuses("gun_sen-9-1", "hi_ogi-8-1", redeem="gun_sen-9-1")
    assert {"SU-66", "TABLE-1"} <= refuses("gun_sen-9-0", "hi_ogi-8-1", "mai_ougi-3-1", redeem="mai_ougi-3-1")
    assert refuses("gun_sen-9-1", "hi_ogi-8-1", "gun_sen-5-1", redeem="gun_sen-5-1") == {"SU-21"}


THREE_TENS = [f"{t}-{v}-1" for t in ("gun_sen", "hi_ogi", "mai_ougi") for v in (1, 2, 3)]


@pytest.mark.rule("SU-74", "SU-75", "SU-76", "SU-68", "SU-R23")
def test_closing_the_third_fan_ends_the_game_and_counts_the_deck(story):
    fans = [card for card in THREE_TENS if card != "mai_ougi-3-1"]
    table = alone(story, columns=[["gun_sen-9-1"], ["hi_ogi-8-1"], ["mai_ougi-3-1"], []], fans={"Aki": fans})
    assert (table["score"], table["level"]) == (27, "apprentice")
    table.does("Aki", "combine", cards=["gun_sen-9-1", "hi_ogi-8-1", "mai_ougi-3-1"], redeem=["mai_ougi-3-1"])
    said = table.does("Aki", "place", cards=["mai_ougi-3-1"])

    # In the deck: 4, 5, 6 (two sticks each) and 7 to 9 of three types, less the 9 and the 8 that were drawn.
    assert table["score"] == 30 + 3 * 9 - 2
    assert (table["over"], table["winners"], table["level"]) == (True, ["Aki"], "grandmaster")
    assert "SU-76" in [ruling.rule for ruling in said]
    assert {"SU-74", "TABLE-3"} <= set(table.refuses("Aki", "draw", card="gun_sen-4-1", to="column1"))


@pytest.mark.rule("SU-74", "SU-75", "SU-R22", "SU-R23")
def test_the_last_card_of_the_deck_ends_the_game_and_nothing_left_counts(story):
    table = story(["Aki"])
    cards = sorted(table.state.terms.cards)
    for card in cards[:-1]:
        table.does("Aki", "draw", card=card, to="column1")
        assert table["over"] is False
    said = table.does("Aki", "draw", card=cards[-1], to="column2")

    assert (table["over"], table["winners"], table["deck"]) == (True, ["Aki"], 0)
    assert (table["score"], table["level"]) == (0, "gutted")
    assert "SU-77" in [ruling.rule for ruling in said]
    assert {"SU-74", "TABLE-3"} <= set(table.refuses("Aki", "combine", cards=["gun_sen-1-1"]))


@pytest.mark.rule("SU-77")
def test_levels_follow_the_score_in_both_languages():
    steps = {0: "gutted", 20: "beginner", 25: "apprentice", 30: "samurai", 35: "master", 40: "grandmaster"}
    for points in range(120):
        assert level(points) == steps[max(step for step in steps if step <= points)]
    english = ("Gutted", "Beginner", "Apprentice", "Samurai", "Master", "Grandmaster")
    italian = ("Sventurato", "Principiante", "Apprendista", "Samurai", "Maestro", "Gran Maestro")
    assert tuple(translate(name, "it") for name in english) == italian


@pytest.mark.rule("SU-78", "SU-R24", "SU-51")
@pytest.mark.parametrize(
    "options", [{"variants": ["powers"]}, {"variants": ["chosen_fan"], "chosen": {"Aki": "hi_ogi"}}]
)
def test_the_variants_are_not_for_one(story, options):
    with pytest.raises(Exception, match="without the variants") as refusal:
        story(["Aki"], **options)
    assert {"SU-R24", "SU-51", "SU-78"} <= set(refusal.value.rules)


@pytest.mark.rule("SU-46", "SU-R24")
def test_unusable_cards_go_to_the_one_discard_area(story):
    full = ["mai_ougi-1-1", "mai_ougi-2-1", "mai_ougi-4-1"]
    table = alone(story, columns=[["gun_sen-9-1"], ["hi_ogi-8-1"], ["mai_ougi-3-1"], []], fans={"Aki": full})
    table.does("Aki", "combine", cards=["gun_sen-9-1", "hi_ogi-8-1", "mai_ougi-3-1"], redeem=["mai_ougi-3-1"])
    table.does("Aki", "place", cards=["mai_ougi-3-1"])

    assert table["discards.Aki"] == ["gun_sen-9-1", "hi_ogi-8-1", "mai_ougi-3-1"]
    assert table["score"] == 9


@pytest.mark.rule("SU-71")
def test_every_combination_on_the_table_is_shown_on_request(story):
    table = alone(story, columns=COLUMNS, discards={"Aki": ["mai_ougi-6-1"]})

    found = on_the_table(table.state)

    assert {frozenset(advice.cards) for advice in found} == {
        frozenset(("gun_sen-9-1", "hi_ogi-8-1", "mai_ougi-3-1")),
        frozenset(("gun_sen-9-1", "gun_sen-5-1", "mai_ougi-6-1")),
    }
    assert all(advice.total == 20 and advice.redeem for advice in found)


def far_along(seed):
    """A solo game at random, with the drawn cards spread and some combinations played."""
    chance = random.Random(seed)
    match = Match(GAME, ["Aki"])
    deck = sorted(cards_in(match.state.unseen[0]))
    chance.shuffle(deck)
    for _ in range(chance.randint(8, 24)):
        ready = lays(playable(match.state), match.state.terms.table)
        if ready and chance.random() < 0.3:
            match.move("Aki", chance.choice(ready))
            match.move("Aki", PlaceRedeemed(match.state.redeemed))
        else:
            match.move("Aki", DrawFanCard(card=deck.pop(), to=chance.choice(PLACES)))
    return match


def reachable(state):
    """The highest score to be had without drawing, by the rules alone: every move, every choice."""

    @cache
    def most(state_key):
        state = states[state_key]
        found = score(state)
        if state.phase == "over":
            return found
        for combine in lays(playable(state), state.terms.table, orders=True):
            laid, _ = GAME.rules.apply(state, {"Aki": combine})
            for order in permutations(laid.redeemed):
                after, _ = GAME.rules.apply(laid, {"Aki": PlaceRedeemed(order)})
                key = (after.columns, after.seats)
                states[key] = after
                found = max(found, most(key))
        return found

    states = {(state.columns, state.seats): state}
    return most((state.columns, state.seats))


@pytest.mark.rule("SU-68", "SU-71")
def test_the_solver_reaches_what_an_exhaustive_search_by_the_rules_reaches():
    solved = 0
    for seed in range(120):
        match = far_along(seed)
        if match.over or len(lays(playable(match.state), match.state.terms.table, orders=True)) > 100:
            continue
        plan = best(match.state)
        if plan is None:
            assert not on_the_table(match.state)
            continue
        solved += 1
        # Laying a combination never costs sticks, so having to play one does not matter.
        assert plan.score == reachable(match.state), seed
        for combine, place in plan.steps:
            match.move("Aki", combine)
            match.move("Aki", place)
        assert match.facts["score"] == plan.score
    assert solved >= 30


def test_the_solver_sees_that_a_discarded_card_can_be_used_again(story):
    table = alone(story, columns=COLUMNS, discards={"Aki": ["mai_ougi-6-1"]})

    plan = best(table.state)

    # 9 + 5 + 6 redeems the 5; with the 9 on top of the discards 8 + 3 + 9 follows at once.
    assert plan is not None
    assert [set(combine.redeem) for combine, _ in plan.steps] == [{"gun_sen-5-1"}, {"mai_ougi-3-1"}]
    assert plan.steps[0][0].discard[-1] == "gun_sen-9-1"
    assert plan.score == 5


def test_the_solver_answers_only_where_a_combination_can_be_played(story):
    assert best(story(["Aki"]).state) is None
    assert best(story().state) is None
    table = alone(story, columns=COLUMNS)
    table.does("Aki", "combine", cards=["gun_sen-9-1", "hi_ogi-8-1", "mai_ougi-3-1"], redeem=["mai_ougi-3-1"])
    assert best(table.state) is None

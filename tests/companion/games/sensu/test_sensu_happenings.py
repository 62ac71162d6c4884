"""What rulings tell the page as data, and that what they name in sentences is marked as a thing."""

import random
from typing import get_args

import pytest

from companion.core.message import Message
from companion.games.sensu.happenings import (
    BuiltFan,
    ClosedFan,
    DiscardedCards,
    DrewFanCard,
    LaidCombination,
    LostFanCard,
    RedeemedCards,
    ReshuffledDiscards,
)

TRIO = ("hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1")


def happened(said):
    return [ruling.happened for ruling in said if ruling.happened]


def test_a_combination_is_laid_redeemed_and_discarded(story):
    cards = ("gun_sen-7-0", "hi_ogi-7-1", "mai_ougi-6-0")
    said = story().does("Aki", "combine", cards=list(cards), redeem=["mai_ougi-6-0", "gun_sen-7-0"])

    assert happened(said) == [
        LaidCombination("Aki", cards),
        RedeemedCards("Aki", ("mai_ougi-6-0",)),
        RedeemedCards("Aki", ("gun_sen-7-0",)),
        DiscardedCards("Aki", ("hi_ogi-7-1",)),
    ]


def test_a_fan_is_built_card_by_card_and_closed(story):
    table = story().lay_out(fans={"Aki": ["hi_ogi-1-0", "hi_ogi-4-0"]})
    table.does("Aki", "combine", cards=list(TRIO), redeem=list(TRIO))

    assert happened(table.does("Aki", "place", cards=list(TRIO))) == [
        BuiltFan("Aki", "hi_ogi", "hi_ogi-6-0", 8),
        BuiltFan("Aki", "hi_ogi", "hi_ogi-7-0", 9),
        BuiltFan("Aki", "hi_ogi", "hi_ogi-7-1", 10),
        ClosedFan("Aki", "hi_ogi"),
    ]


def test_a_card_from_the_deck_is_not_named_and_one_from_a_pile_is(story):
    table = story().lay_out(discards={"Ben": ["gun_sen-9-0"]}, hands={"Aki": 3, "Ben": 3})

    assert happened(table.does("Aki", "draw", from_="deck")) == [DrewFanCard("Aki", "deck")]
    assert happened(table.does("Ben", "draw", from_="Ben")) == [DrewFanCard("Ben", "Ben", "gun_sen-9-0")]


def test_the_last_card_of_the_deck_brings_the_discards_back(story):
    table = story().lay_out(discards={"Ben": ["gun_sen-9-0", "gun_sen-8-0"]}, deck=1)

    assert happened(table.does("Aki", "draw", from_="deck")) == [DrewFanCard("Aki", "deck"), ReshuffledDiscards(2)]


def test_courage_tells_who_lost_which_card(story):
    symbols = ["gun_sen-6-0", "gun_sen-7-0"]
    table = story(variants=["powers"], symbols=symbols).lay_out(fans={"Ben": ["mai_ougi-1-0", "mai_ougi-9-0"]})
    cards = ["gun_sen-6-0", "gun_sen-7-0", "gun_sen-7-1"]
    table.does("Aki", "combine", cards=cards, redeem=cards)
    table.does("Aki", "place", cards=cards)

    assert happened(table.does("Aki", "courage", fans={"Ben": "mai_ougi"}))[:2] == [
        LostFanCard("Ben", "mai_ougi", "mai_ougi-9-0"),
        DiscardedCards("Ben", ("mai_ougi-9-0",)),
    ]


def test_a_solo_draw_tells_where_the_card_was_laid(story):
    said = story(["Aki"]).does("Aki", "draw", card="gun_sen-9-1", to="column2")

    assert happened(said) == [DrewFanCard("Aki", "deck", "gun_sen-9-1", "column2")]


def facts(message):
    for fact in message.facts.values():
        for each in fact if isinstance(fact, tuple) else (fact,):
            yield each
            if isinstance(each, Message):
                yield from facts(each)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_rulings_carry_only_known_happenings_and_no_bare_names(story, players):
    names = ["Aki", "Ben", "Cho"][:players]
    options = {"variants": ["powers", "chosen_fan"], "chosen": dict.fromkeys(names, "gun_sen")} if players > 1 else {}
    table, chance = story(names, **options), random.Random(players)
    rules = table.match.game.rules
    for _ in range(200):
        if table.match.over:
            break
        (player,) = table.match.awaits
        move = chance.choice(rules.legal_moves(table.state, {}, player))
        for ruling in table.match.move(player, move):
            assert not [fact for fact in facts(ruling.message) if isinstance(fact, str)], ruling
            assert ruling.happened is None or isinstance(ruling.happened, get_args(rules.happenings))

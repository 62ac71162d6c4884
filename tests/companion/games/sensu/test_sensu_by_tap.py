"""Whatever combination a hand can hold, it can be put together on the page."""

from collections.abc import Iterator
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.layout import SeenCard, Sight
from companion.games.sensu import GAME
from companion.games.sensu.card_sets import cards_in
from companion.games.sensu.combination import lays
from companion.games.sensu.moves import Combine
from companion.games.sensu.solo import playable
from companion.games.sensu.state import SensuState, asked
from companion.record.match import Match
from companion.referee.offers import offer
from tests.companion.games.sensu.test_sensu_properties import headers, moves_at_random


def hidden_hand(state: SensuState, chance: Random) -> tuple[str, ...]:
    """A hand that the player whose turn it is may hold, as far as the table shows."""
    if state.terms.solo:
        return playable(state)
    seat = state.seat
    drawn = [chance.sample(cards_in(pool), count) for count, pool in zip(seat.unknown, state.unseen, strict=True)]
    return (*cards_in(seat.known), *(card for some in drawn for card in some))


def combinations(match: Match, chance: Random) -> Iterator[Combine]:
    """Every combination of such a hand, with every way to redeem from it and every order of the discards."""
    state = match.state
    yield from lays(hidden_hand(state, chance), state.terms.table, orders=True)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(headers(), st.randoms(use_true_random=False))
def test_every_combination_that_the_rules_accept_can_be_put_together(header, chance):
    match = Match(GAME, *header)
    for _ in moves_at_random(match, chance, 40):
        if match.over or asked(match.state) != "action":
            continue
        state, player = match.state, match.state.player
        offered = offer(match, player)
        assert "combine" not in {move.kind for move in offered.moves}
        for move in combinations(match, chance):
            GAME.rules.check(state, {}, player, move)
            parts = offered.parts["combine"]
            assert parts.field == "cards"
            assert parts.least <= len(move.cards) <= parts.most
            assert all(parts.of[card] == 1 for card in move.cards)
            laid = {f"{player}.combination": tuple(SeenCard(card, True) for card in move.cards)}
            told = GAME.table.advice(state, Sight(laid)).laid
            assert (told.wild, told.short) == (move.wild, 0)
            assert any(way[0] == move.redeem[0] and set(way) == set(move.redeem) for way in told.redeem)


def test_nobody_else_learns_what_a_hand_may_hold():
    match = Match(GAME, ["Aki", "Ben"], {})
    assert offer(match, "Ben").parts == {}
    assert set(offer(match, "Aki").parts) == {"combine"}


def test_a_card_that_lies_open_elsewhere_is_not_offered():
    match = Match(GAME, ["Aki", "Ben"], {})
    cards = ("hi_ogi-6-0", "hi_ogi-7-0", "hi_ogi-7-1")
    match.move("Aki", Combine(cards, cards))
    match.move("Aki", GAME.rules.legal_moves(match.state, {}, "Aki")[0])
    offered = offer(match, "Ben").parts["combine"].of
    assert not set(cards) & set(offered)
    assert len(offered) == len(match.state.terms.cards) - len(cards)

"""What may be done: for a referee who does not see the hands, and for whoever holds one."""

from collections.abc import Sequence
from functools import cache
from itertools import permutations, product

from companion.games.kit.game import Parts, Sealed
from companion.games.sensu.card_sets import cards_in
from companion.games.sensu.cards import CARDS, TYPES
from companion.games.sensu.combination import SMALLEST, lays, sampler
from companion.games.sensu.hands import may_hold, possible
from companion.games.sensu.moves import (
    Chosen,
    Combine,
    Courage,
    DiscardFanCard,
    DrawFanCard,
    Harmony,
    PassTurn,
    PlaceRedeemed,
    SensuMoves,
    Wisdom,
)
from companion.games.sensu.piles import DECK
from companion.games.sensu.powers import harmonies, losers
from companion.games.sensu.solo import PLACES, playable
from companion.games.sensu.state import SensuState, asked, fan_of

DISCARDS = {card: DiscardFanCard(card) for card in CARDS}


def legal_moves(state: SensuState, sealed: Sealed, player: str) -> Sequence[SensuMoves]:
    """For a referee who does not see the hand: every move but `combine`, of which a fair sample stands for all."""
    if state.phase == "over" or player != state.player:
        return ()
    phase = asked(state)
    if phase == "action":
        return _actions(state)
    if phase == "discard":
        return list(map(DISCARDS.__getitem__, cards_in(possible(state, state.seat))))
    return _answers(state, phase)


def choices(state: SensuState, sealed: Sealed, player: str) -> Sequence[SensuMoves]:
    """What is said by button or tap: where a card comes from, and how a power is used. The rest is laid."""
    if state.phase == "over" or player != state.player:
        return ()
    phase = asked(state)
    if phase == "action":
        return () if state.terms.solo else draws(state)
    return () if phase in ("discard", "place") else _answers(state, phase)


def parts(state: SensuState, player: str) -> dict[str, Parts]:
    """A combination is put together of cards that this hand may hold; in the solo game, of those that are free."""
    if player != state.player or asked(state) != "action":
        return {}
    cards = playable(state) if state.terms.solo else cards_in(possible(state, state.seat))
    most = len(cards) if state.terms.solo else state.seat.hand
    return {"combine": Parts("cards", dict.fromkeys(cards, 1), SMALLEST, most)} if most >= SMALLEST else {}


def legal_moves_with(state: SensuState, hand: Sequence[str]) -> Sequence[SensuMoves]:
    """For whoever holds this hand and has the turn: exactly what may be done (the order of discards left open)."""
    phase = asked(state)
    if phase == "action":
        return [*draws(state), *lays(tuple(hand), state.terms.table)]
    if phase == "discard":
        return [DISCARDS[card] for card in hand]
    return _answers(state, phase)


def _answers(state: SensuState, phase: str) -> Sequence[SensuMoves]:
    match phase:
        case "place":
            return [PlaceRedeemed(order) for order in permutations(state.redeemed)]
        case "wisdom":
            return [Wisdom(source) for source in _sources(state)] + _under_the_tops(state)
        case "harmony":
            return [Harmony(player) for player in harmonies(state)]
        case "courage":
            must = losers(state)
            return [Courage(dict(zip(must, kinds, strict=True))) for kinds in product(*must.values())]
        case "chosen":
            return [Chosen(kind) for kind in TYPES if not fan_of(state.seat, kind).closed]
    return ()


def _under_the_tops(state: SensuState) -> list[Wisdom]:
    """The other cards of the piles, where Wisdom may take them (SU-R15)."""
    if not state.terms.wisdom_takes_any:
        return []
    return [Wisdom(seat.player, card) for seat in state.seats for card in seat.discards[:-1]]


def _sources(state: SensuState) -> list[str]:
    piles = [seat.player for seat in state.seats if seat.discards]
    return [DECK, *piles] if state.deck else piles


def draws(state: SensuState) -> Sequence[SensuMoves]:
    """The draws of a turn, or the pass where there is none. In the solo game the drawn card is part of the move, so
    every card that may be in the deck is tried."""
    if state.terms.solo:
        return [DrawFanCard(card=card, to=place) for card in cards_in(state.unseen[0]) for place in PLACES]
    return _draws_from(*_sources(state))


@cache
def _draws_from(*sources: str) -> tuple[SensuMoves, ...]:
    return tuple(map(DrawFanCard, sources)) or (PassTurn(),)


def _actions(state: SensuState) -> Sequence[SensuMoves]:
    terms = state.terms
    return [*draws(state), *(lays(playable(state), terms.table) if terms.solo else _sample(state))]


TRIED, ENOUGH = 12, 6
"""So many combinations of the sample are tried at each step, until so many moves are found."""


def _sample(state: SensuState) -> Sequence[Combine]:
    """Every combination of a hand that is known; otherwise some that it may hold. Where in the sample the search
    starts depends on what has been seen, so that different steps try different combinations."""
    seat, table = state.seat, state.terms.table
    free = sum(seat.unknown)
    hand = seat.known.bit_count() + free
    if hand < SMALLEST:
        return ()
    if not free:
        return lays(cards_in(seat.known), table)
    maybe = possible(state, seat)
    every = sampler(state.terms.cards, table)
    start = (7919 * maybe.bit_count() + 104729 * state.deck) % (len(every) - TRIED)
    found: list[Combine] = []
    impossible, not_known = ~maybe, ~seat.known
    for cards, ways in every[start : start + TRIED]:
        if cards & impossible or (cards & not_known).bit_count() > free:
            continue
        if may_hold(state, seat, cards):
            found += ways
            if len(found) >= ENOUGH:
                break
    return found

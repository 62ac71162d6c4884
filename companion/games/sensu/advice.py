"""Help without playing for anyone: what a laid combination is, what it redeems, and what fits where."""

import msgspec

from companion.core.layout import Sight
from companion.core.rulings import Ruling
from companion.games.sensu.cards import CARDS, FULL, TARGET, TYPES
from companion.games.sensu.combination import combinations_of, reasons, wild_in, wild_value, worth
from companion.games.sensu.fans import missing, obstacle, why_not
from companion.games.sensu.solo import playable
from companion.games.sensu.solver import best
from companion.games.sensu.state import FanSeat, SensuState, fan_of

Cards = tuple[str, ...]


class FanFit(msgspec.Struct, frozen=True):
    """What a card would do in the fan of its type now."""

    card: str
    fan: str
    sticks: int
    """Of the fan with this card in it."""
    closes: bool
    obstacle: Ruling | None
    """Why it cannot be used, if it cannot."""


class CombinationAdvice(msgspec.Struct, frozen=True):
    """About some cards laid together."""

    cards: tuple[str, ...]
    wild: int | None
    """The value that a wild among them takes."""
    total: int
    short: int
    """What is missing to 20; negative when it is too much."""
    bonuses: tuple[Ruling, ...]
    redeem: tuple[tuple[str, ...], ...]
    """Every way to redeem, most sticks first; none unless the cards make 20."""
    fits: tuple[FanFit, ...]
    """For every card that may be redeemed."""
    redeem_rule: str = "SU-22"
    """By this rule the card with the most sticks is redeemed."""
    bonus_rule: str = "SU-26"
    """By this rule the bonus cards are those with the fewest sticks."""


class BestCombination(msgspec.Struct, frozen=True):
    """The combination to play now, for the highest score that can be reached without another draw."""

    cards: Cards
    redeem: Cards
    score: int


class SensuAdvice(msgspec.Struct, frozen=True):
    """Help with the cards that the player whose turn it is lays; everybody sees it."""

    player: str
    laid: CombinationAdvice | None
    """The combination that is being laid."""
    fits: tuple[FanFit, ...]
    """Redeemed cards, while they wait to be placed."""
    missing: dict[str, int]
    """Sticks that each fan of this player still needs."""
    on_table: tuple[CombinationAdvice, ...] = ()
    """Solo: every combination that could be played now, for whoever asks to see them."""
    best: BestCombination | None = None
    """Solo: the one of them from which the highest score can be reached."""


def advice(state: SensuState, sight: Sight) -> SensuAdvice | None:
    """Help with the cards in front of the player whose turn it is."""
    player, seat = state.player, state.seat
    laid = _laid(state, sight) if state.phase == "action" else ()
    fits = tuple(fit(state, seat, card) for card in state.redeemed)
    on_table = on_the_table(state) if state.terms.solo and state.phase == "action" and not laid else ()
    if not (laid or fits or on_table):
        return None
    told = advise(state, player, laid) if laid else None
    return SensuAdvice(player, told, fits, sticks_missing(state, player), on_table, _best(state) if on_table else None)


def _best(state: SensuState) -> BestCombination | None:
    plan = best(state)
    if plan is None:
        return None
    combine, _ = plan.steps[0]
    return BestCombination(combine.cards, combine.redeem, plan.score)


def _laid(state: SensuState, sight: Sight) -> Cards:
    """The cards of a combination that is being laid, as far as they can be seen."""
    places = (f"{state.player}.redeemed", f"{state.player}.combination")
    seen = (card.card for place in places for card in sight.zones.get(place, ()))
    return tuple(dict.fromkeys(card for card in seen if card in state.terms.cards))


def advise(state: SensuState, player: str, cards: tuple[str, ...], wild: int | None = None) -> CombinationAdvice:
    """About cards that this player lays. Without a given value, a wild takes the one that makes 20, or its lowest."""
    joker = wild_in(cards)
    if wild is None and joker is not None:
        wild = wild_value(cards) or CARDS[joker].values[0]
    found = worth(cards, wild, state.terms.table)
    wilds = sum(CARDS[card].wild for card in cards)
    ways = found.redemptions if found.total == TARGET and wilds <= 1 else ()
    seat = state.seats[state.terms.seat[player]]
    fits = tuple(fit(state, seat, card) for card in cards if any(card in way for way in ways))
    return CombinationAdvice(cards, wild, found.total, TARGET - found.total, reasons(cards, found), ways, fits)


def fit(state: SensuState, seat: FanSeat, card: str) -> FanFit:
    kind = CARDS[card].type
    stop = obstacle(state.terms, seat, card)
    after = fan_of(seat, kind).sticks + state.terms.sticks[card]
    if stop is None:
        return FanFit(card, kind, after, after == FULL, None)
    return FanFit(card, kind, after, False, Ruling(stop.rules[0], why_not(stop, card, seat.player)))


def sticks_missing(state: SensuState, player: str) -> dict[str, int]:
    """How many sticks each fan of this player still needs."""
    seat = state.seats[state.terms.seat[player]]
    return {kind: missing(fan_of(seat, kind)) for kind in TYPES}


def on_the_table(state: SensuState) -> tuple[CombinationAdvice, ...]:
    """Solo: every combination that could be played now."""
    player = state.terms.players[0]
    return tuple(advise(state, player, cards, wild) for cards, wild in combinations_of(playable(state)))

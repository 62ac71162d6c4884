"""The draw deck and the discard piles."""

from functools import lru_cache

from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import Ruling
from companion.games.kit.faults import Faults
from companion.games.kit.seats import with_seat
from companion.games.sensu.card_sets import BIT, card_set
from companion.games.sensu.happenings import DiscardedCards, DrewFanCard, ReshuffledDiscards
from companion.games.sensu.names import CARD, all_cards
from companion.games.sensu.state import Changes, SensuState, replace, set_seat

DECK = "deck"
_NO_TOPS: frozenset[str] = frozenset()


def onto_pile(
    state: SensuState,
    at: int,
    cards: tuple[str, ...],
    said: list[Ruling],
    rule: str,
) -> SensuState:
    """Face up onto the player's own pile, the last one on top."""
    if not cards:
        return state
    seat = state.seats[at]
    discards = seat.discards + cards
    said.append(
        Ruling(
            rule,
            message(
                "On the discard pile of {player}: {cards}.",
                player=Thing("player", seat.player),
                cards=all_cards(cards),
            ),
            {f"discards.{seat.player}": (seat.discards, discards)},
            DiscardedCards(seat.player, cards),
        )
    )
    return refill(set_seat(state, at, replace(seat, discards=discards)), said)


def refill(state: SensuState, said: list[Ruling]) -> SensuState:
    """A deck that has run out is made anew of all discard piles, as soon as there are any. Not in the solo game."""
    if state.deck or state.terms.solo or not any(seat.discards for seat in state.seats):
        return state
    pool = card_set(card for seat in state.seats for card in seat.discards)
    count = pool.bit_count()
    said.append(
        Ruling(
            "SU-49",
            plural(
                "The deck has run out: the one discard, {count} card, is the new deck.",
                "The deck has run out: all discards, {count} cards, are shuffled into a new one.",
                count,
            ),
            {
                "deck": (0, count),
                **{f"discards.{seat.player}": (seat.discards, ()) for seat in state.seats if seat.discards},
            },
            ReshuffledDiscards(count),
        )
    )
    seats = tuple(replace(seat, discards=(), unknown=(*seat.unknown, 0)) for seat in state.seats)
    tops = frozenset(seat.discards[-1] for seat in state.seats if seat.discards)
    return replace(state, seats=seats, deck=count, unseen=(*state.unseen, pool), old_tops=tops)


def may_draw_from(state: SensuState, source: str) -> bool:
    if source == DECK:
        return state.deck > 0
    at = state.terms.seat.get(source)
    return at is not None and bool(state.seats[at].discards)


def report_bad_source(state: SensuState, source: str, faults: Faults, *rules: str) -> None:
    """Say what is wrong with drawing from there."""
    terms = state.terms
    if source == DECK:
        if not state.deck:
            told = message("The deck is empty, and there are no discards to make a new one.")
            faults.add((*rules, "SU-17", "SU-49"), told)
    elif source not in terms.seat:
        told = message("There is no player called {name} whose pile could be drawn from.", name=source)
        faults.add((*rules, "TABLE-4"), told)
    elif not state.seats[terms.seat[source]].discards:
        faults.add((*rules, "SU-18"), message("The discard pile of {owner} is empty.", owner=Thing("player", source)))


def take(
    state: SensuState, source: str, said: list[Ruling], rule: str | None = None, wanted: str | None = None
) -> SensuState:
    """The player whose turn it is takes the top card from there, or the one that is wanted, into the hand."""
    seat = state.seat
    player, held = seat.player, seat.hand
    changes: Changes = {f"hands.{player}": (held, held + 1)}
    if source == DECK:
        unknown = (*seat.unknown[:-1], seat.unknown[-1] + 1)
        changes["deck"] = (state.deck, state.deck - 1)
        told, happened = _drawn(player)
        said.append(Ruling(rule or "SU-17", told, changes, happened))
        # Whoever draws from a new deck must have gathered the piles to make it, so none of them lies there any more.
        seats = with_seat(state.seats, state.turn, replace(seat, unknown=unknown))
        return refill(replace(state, seats=seats, deck=state.deck - 1, old_tops=_NO_TOPS), said)
    seats, at = state.seats, state.terms.seat[source]
    pile = seats[at].discards
    card = wanted or pile[-1]
    rest = pile[:-1] if card == pile[-1] else tuple(each for each in pile if each != card)
    changes[f"discards.{source}"] = (pile, rest)
    told, happened = _taken(player, card, source)
    said.append(Ruling(rule or "SU-18", told, changes, happened))
    seats = with_seat(seats, at, replace(seats[at], discards=rest))
    seats = with_seat(seats, state.turn, replace(seats[state.turn], known=seat.known | BIT[card]))
    return replace(state, seats=seats)


@lru_cache(maxsize=64)
def _drawn(player: str) -> tuple[Message, DrewFanCard]:
    return message("{player} draws from the deck.", player=Thing("player", player)), DrewFanCard(player, DECK)


@lru_cache(maxsize=1024)
def _taken(player: str, card: str, owner: str) -> tuple[Message, DrewFanCard]:
    happened = DrewFanCard(player, owner, card)
    taker = Thing("player", player)
    if owner == player:
        own = message("{player} takes {card} back from their own discard pile.", player=taker, card=CARD[card])
        return own, happened
    told = message(
        "{player} takes {card} from the discard pile of {owner}.",
        player=taker,
        card=CARD[card],
        owner=Thing("player", owner),
    )
    return told, happened


def off_pile(state: SensuState, source: str) -> tuple[SensuState, str]:
    """The top card of that player's pile, and the state without it."""
    at = state.terms.seat[source]
    seat = state.seats[at]
    return set_seat(state, at, replace(seat, discards=seat.discards[:-1])), seat.discards[-1]

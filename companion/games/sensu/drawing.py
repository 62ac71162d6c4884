"""The first action of a turn: draw a card, and discard one where the hand has six."""

from functools import lru_cache

from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import Ruling
from companion.games.kit.faults import Faults
from companion.games.kit.seats import with_seat
from companion.games.sensu.card_sets import BIT, NO_CARD
from companion.games.sensu.cards import HAND
from companion.games.sensu.hands import may_hold, out_of_hand, report_not_in_hand, report_unknown_cards
from companion.games.sensu.happenings import DiscardedCards
from companion.games.sensu.moves import DiscardFanCard, DrawFanCard
from companion.games.sensu.names import CARD
from companion.games.sensu.order import pass_on
from companion.games.sensu.piles import may_draw_from, refill, report_bad_source, take
from companion.games.sensu.state import SensuState, replace


def check_draw(state: SensuState, move: DrawFanCard) -> None:
    if move.from_ is not None and move.card is None and move.to is None and may_draw_from(state, move.from_):
        return
    faults = Faults()
    if move.from_ is None:
        faults.add(("SU-16", "TABLE-4"), message("The move does not say where the card is drawn from."))
    else:
        report_bad_source(state, move.from_, faults)
    if move.card is not None or move.to is not None:
        faults.add("TABLE-4", message("A drawn card goes into the hand: it is not named and has no other place."))
    faults.refuse()


def draw(state: SensuState, move: DrawFanCard, said: list[Ruling]) -> SensuState:
    assert move.from_ is not None
    held = state.seat.hand + 1
    if held <= HAND:
        return pass_on(take(state, move.from_, said), said, "SU-20")
    state = replace(take(state, move.from_, said), phase="discard")
    said.append(Ruling("SU-19", _must_discard(state.player, held)))
    return state


@lru_cache(maxsize=64)
def _must_discard(player: str, held: int) -> Message:
    return plural(
        "{player} holds {count} card and must discard one.",
        "{player} holds {count} cards and must discard one.",
        held,
        player=Thing("player", player),
    )


def check_discard(state: SensuState, move: DiscardFanCard) -> None:
    if may_hold(state, state.seat, BIT.get(move.card, NO_CARD)):
        return
    faults = Faults()
    if report_unknown_cards(state, (move.card,), faults):
        report_not_in_hand(state, state.seat, (move.card,), faults, "SU-19")
    faults.refuse()


def discard(state: SensuState, move: DiscardFanCard, said: list[Ruling]) -> SensuState:
    player, cards, before = state.player, (move.card,), state.seat
    pile, held = before.discards + cards, before.hand
    seat, unseen = out_of_hand(state, cards)
    changes = {f"hands.{player}": (held, held - 1), f"discards.{player}": (before.discards, pile)}
    told, happened = _discarded(player, move.card)
    said.append(Ruling("SU-19", told, changes, happened))
    seats = with_seat(state.seats, state.turn, replace(seat, discards=pile))
    return pass_on(refill(replace(state, seats=seats, unseen=unseen), said), said, "SU-20")


@lru_cache(maxsize=1024)
def _discarded(player: str, card: str) -> tuple[Message, DiscardedCards]:
    told = message("{player} discards {card}.", player=Thing("player", player), card=CARD[card])
    return told, DiscardedCards(player, (card,))

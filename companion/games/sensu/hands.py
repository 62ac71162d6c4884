"""What may be in a hand, and how the referee knows."""

from companion.core.message import Thing, message, plural
from companion.games.kit.faults import Faults
from companion.games.sensu.card_sets import BIT, CardSet, card_set
from companion.games.sensu.cards import CARDS
from companion.games.sensu.names import CARD
from companion.games.sensu.state import FanSeat, SensuState, replace


def possible(state: SensuState, seat: FanSeat) -> CardSet:
    """Every card that this hand may hold."""
    cards = seat.known
    for count, unseen in zip(seat.unknown, state.unseen, strict=True):
        if count:
            cards |= unseen
    return cards


def may_hold(state: SensuState, seat: FanSeat, cards: CardSet) -> bool:
    """Whether this hand may hold all these cards at once."""
    rest = cards & ~seat.known
    if not rest:
        return True
    for count, unseen in zip(seat.unknown, state.unseen, strict=True):
        if (rest & unseen).bit_count() > count:
            return False
        rest &= ~unseen
    return not rest


def report_not_in_hand(state: SensuState, seat: FanSeat, cards: tuple[str, ...], faults: Faults, *rules: str) -> None:
    """Name each card that cannot be in this hand, and where it is instead. `rules` say that it should be there."""
    room = list(seat.unknown)
    if may_hold(state, seat, card_set(cards)):
        return
    for card in cards:
        if BIT[card] & seat.known:
            continue
        for shuffle, unseen in enumerate(state.unseen):
            if BIT[card] & unseen:
                room[shuffle] -= 1
                if room[shuffle] < 0:
                    _report_no_room(seat, card, shuffle, faults, *rules)
                break
        else:
            report_elsewhere(state, card, faults, *rules)


def _report_no_room(seat: FanSeat, card: str, shuffle: int, faults: Faults, *rules: str) -> None:
    if not seat.unknown[shuffle] and shuffle:
        told = message(
            "{card} was shuffled back into the deck, and {player} has not drawn it since.",
            card=CARD[card],
            player=Thing("player", seat.player),
        )
        faults.add((*rules, "TABLE-1"), told)
    else:
        told = message(
            "{player} cannot hold {card}: the hand has too few cards that nobody has seen.",
            card=CARD[card],
            player=Thing("player", seat.player),
        )
        faults.add((*rules, "TABLE-1", "TABLE-2"), told)


def report_elsewhere(state: SensuState, name: str, faults: Faults, *rules: str) -> None:
    """Say where a card that was seen is."""
    card = CARD[name]
    for seat in state.seats:
        player = Thing("player", seat.player)
        if any(name in fan.cards for fan in seat.fans):
            told = message("{card} cannot be there: it is in a fan of {player}.", card=card, player=player)
            faults.add((*rules, "TABLE-1", "SU-43"), told)
        elif name in seat.discards:
            told = message("{card} cannot be there: it is in the discard pile of {player}.", card=card, player=player)
            faults.add((*rules, "TABLE-1"), told)
        elif BIT[name] & seat.known:
            told = message("{card} cannot be there: {player} took it into the hand.", card=card, player=player)
            faults.add((*rules, "TABLE-1"), told)
    if name in state.redeemed:
        told = message(
            "{card} cannot be there: it was redeemed and lies in front of {player}.",
            card=card,
            player=Thing("player", state.player),
        )
        faults.add((*rules, "TABLE-1"), told)


def report_unknown_cards(state: SensuState, cards: tuple[str, ...], faults: Faults) -> bool:
    """Name each card that this match does not have, or that is named twice. True: all are cards of this match."""
    different = set(cards)
    sound = different <= state.terms.cards
    if not sound:
        for card in dict.fromkeys(cards):
            if card not in state.terms.cards:
                _report_unknown_card(state, card, faults)
    if len(different) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        faults.add("TABLE-1", message("{card} is named twice, but there is only one.", card=Thing("card", twice)))
        sound = False
    return sound


def _report_unknown_card(state: SensuState, card: str, faults: Faults) -> None:
    terms = state.terms
    if card not in CARDS:
        faults.add(("SU-3", "TABLE-4"), message("There is no card called {name}.", name=card))
    elif CARDS[card].wild and CARDS[card].winds != terms.wild_winds:
        too_windy = len(terms.players) <= 3 and CARDS[card].winds == 2
        rule = ("SU-66",) if terms.solo else ("SU-10",) if too_windy else ()
        told = plural(
            "There is no card called {card}: the wilds of this match have {count} wind.",
            "There is no card called {card}: the wilds of this match have {count} winds.",
            terms.wild_winds,
            card=CARD[card],
        )
        faults.add(("SU-3", *rule, "TABLE-4", "TABLE-1"), told)
    elif terms.solo:
        told = message("{card} is not in this match: the solo deck is the 27 cards with one wind.", card=CARD[card])
        faults.add(("SU-66", "TABLE-1"), told)
    else:
        told = message(
            "{card} is not in this match: two or three players leave out every card with two winds.",
            card=CARD[card],
        )
        faults.add(("SU-10", "TABLE-1"), told)


def out_of_hand(state: SensuState, cards: tuple[str, ...]) -> tuple[FanSeat, tuple[CardSet, ...]]:
    """The seat whose turn it is, and what is unseen, once these cards have left the hand."""
    seat, gone = state.seat, card_set(cards)
    known, rest = seat.known & ~gone, gone & ~seat.known
    if not rest:
        return replace(seat, known=known), state.unseen
    unknown = [count - (rest & pool).bit_count() for count, pool in zip(seat.unknown, state.unseen, strict=True)]
    unseen = tuple([pool & ~rest for pool in state.unseen])
    return replace(seat, known=known, unknown=tuple(unknown)), unseen

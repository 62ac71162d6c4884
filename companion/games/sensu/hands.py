"""What may be in a hand, and how the referee knows."""

from companion.games.sensu.cards import CARDS
from companion.games.sensu.faults import Faults
from companion.games.sensu.packs import BIT, Pack, pack
from companion.games.sensu.state import Seat, State, replace


def possible(state: State, seat: Seat) -> Pack:
    """Every card that this hand may hold."""
    cards = seat.known
    for count, unseen in zip(seat.unknown, state.unseen, strict=True):
        if count:
            cards |= unseen
    return cards


def may_hold(state: State, seat: Seat, cards: Pack) -> bool:
    """Whether this hand may hold all these cards at once."""
    rest = cards & ~seat.known
    if not rest:
        return True
    for count, unseen in zip(seat.unknown, state.unseen, strict=True):
        if (rest & unseen).bit_count() > count:
            return False
        rest &= ~unseen
    return not rest


def call_absent(state: State, seat: Seat, cards: tuple[str, ...], faults: Faults, *rules: str) -> None:
    """Name each card that cannot be in this hand, and where it is instead. `rules` say that it should be there."""
    room = list(seat.unknown)
    if may_hold(state, seat, pack(cards)):
        return
    for card in cards:
        if BIT[card] & seat.known:
            continue
        for shuffle, unseen in enumerate(state.unseen):
            if BIT[card] & unseen:
                room[shuffle] -= 1
                if room[shuffle] < 0:
                    _call_unheld(state, seat, card, shuffle, faults, *rules)
                break
        else:
            call_elsewhere(state, card, faults, *rules)


def _call_unheld(state: State, seat: Seat, card: str, shuffle: int, faults: Faults, *rules: str) -> None:
    if not seat.unknown[shuffle] and shuffle:
        faults.add(
            (*rules, "TABLE-1"),
            "{card} was shuffled back into the deck, and {player} has not drawn it since.",
            card=card,
            player=seat.player,
        )
    else:
        faults.add(
            (*rules, "TABLE-1", "TABLE-2"),
            "{player} cannot hold {card}: the hand has too few cards that nobody has seen.",
            card=card,
            player=seat.player,
        )


def call_elsewhere(state: State, card: str, faults: Faults, *rules: str) -> None:
    """Say where a card that was seen is."""
    for seat in state.seats:
        if any(card in fan.cards for fan in seat.fans):
            say = "{card} cannot be there: it is in a fan of {player}."
            faults.add((*rules, "TABLE-1", "SU-43"), say, card=card, player=seat.player)
        elif card in seat.discards:
            say = "{card} cannot be there: it is in the discard pile of {player}."
            faults.add((*rules, "TABLE-1"), say, card=card, player=seat.player)
        elif BIT[card] & seat.known:
            say = "{card} cannot be there: {player} took it into the hand."
            faults.add((*rules, "TABLE-1"), say, card=card, player=seat.player)
    if card in state.redeemed:
        say = "{card} cannot be there: it lies redeemed before {player}."
        faults.add((*rules, "TABLE-1"), say, card=card, player=state.player)


def call_strangers(state: State, cards: tuple[str, ...], faults: Faults) -> bool:
    """Name each card that this match does not have, or that is named twice. True: all are cards of this match."""
    terms = state.terms
    sound = True
    for card in dict.fromkeys(cards):
        if card in terms.cards:
            continue
        sound = False
        if card not in CARDS:
            faults.add(("SU-3", "TABLE-4"), "There is no card called {card}.", card=card)
        elif CARDS[card].wild and CARDS[card].winds != terms.wild_winds:
            say = "There is no card called {card}: the wilds of this match have {winds} winds."
            too_windy = len(terms.players) <= 3 and CARDS[card].winds == 2
            rule = ("SU-66",) if terms.solo else ("SU-10",) if too_windy else ()
            faults.add(("SU-3", *rule, "TABLE-4", "TABLE-1"), say, card=card, winds=terms.wild_winds)
        elif terms.solo:
            say = "{card} is not in this match: the solo deck is the 27 cards with one wind."
            faults.add(("SU-66", "TABLE-1"), say, card=card)
        else:
            say = "{card} is not in this match: two or three players leave out every card with two winds."
            faults.add(("SU-10", "TABLE-1"), say, card=card)
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        faults.add("TABLE-1", "{card} is named twice, and there is only one.", card=twice)
        sound = False
    return sound


def out_of_hand(state: State, cards: tuple[str, ...]) -> tuple[Seat, tuple[Pack, ...]]:
    """The seat of the player at turn, and what is unseen, once these cards have left the hand."""
    seat, gone = state.seat, pack(cards)
    known, rest = seat.known & ~gone, gone & ~seat.known
    if not rest:
        return replace(seat, known=known), state.unseen
    unknown = [count - (rest & pool).bit_count() for count, pool in zip(seat.unknown, state.unseen, strict=True)]
    unseen = tuple([pool & ~rest for pool in state.unseen])
    return replace(seat, known=known, unknown=tuple(unknown)), unseen

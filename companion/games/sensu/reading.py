"""What a changed table means: a move is read by asking which move would make the table look as it does.

The deck is a stack of backs, so a draw from it shows only by the discard that follows a hand of six; with a
smaller hand the player says so by button or tap.
"""

from itertools import permutations

from companion.game import Sealed
from companion.games.sensu.cards import CARDS, HAND, TARGET, TYPES
from companion.games.sensu.combination import wild_in, wild_value, worth
from companion.games.sensu.faces import closed_id
from companion.games.sensu.hands import possible
from companion.games.sensu.moves import Chosen, Combine, Discard, Draw, Moves, Place
from companion.games.sensu.piles import DECK
from companion.games.sensu.state import Fan, Seat, State, asked, fan_of
from companion.games.sensu.turn import apply, options
from companion.table import SeenCard, Sight

Cards = tuple[str, ...]


def read(state: State, sealed: Sealed, player: str, sight: Sight) -> Moves | None:
    if player != state.player or state.phase == "over":
        return None
    phase = asked(state)
    if phase == "action":
        return _read_combination(state, sight) or _read_draw(state, sight)
    if phase == "discard":
        return _read_discard(state, sight)
    if phase == "chosen":
        return _read_chosen(state, sight)
    if phase == "place":
        answers = [Place(order) for order in permutations(state.redeemed)]
        return next((move for move in answers if _would_show(state, move, sight)), None)
    if shows(state, sight):
        return None
    return next((move for move in options(state, sealed, player) if _would_show(state, move, sight)), None)


def _read_combination(state: State, sight: Sight) -> Combine | None:
    """The redeemed cards have been moved to their own place; the rest lie where they were laid, in discard order."""
    laid = _named(sight.zones.get(f"{state.player}.combination"))
    redeemed = _named(sight.zones.get(f"{state.player}.redeemed"))
    if laid is None or not redeemed or any(card not in CARDS for card in (*laid, *redeemed)):
        return None
    cards = (*redeemed, *laid)
    wild = wild_value(cards)
    if wild is None and (joker := wild_in(cards)) is not None:
        wild = CARDS[joker].values[0]
    found = worth(cards, wild, state.terms.table)
    # Less than twenty, or less redeemed than is due, is not finished; anything else is a play to be judged.
    if found.total < TARGET or (found.total == TARGET and len(redeemed) <= found.bonuses):
        return None
    return Combine(cards, redeemed, wild, laid)


def _read_draw(state: State, sight: Sight) -> Draw | None:
    if state.terms.solo:
        return _read_open_draw(state, sight)
    # The own pile last: after a draw from another one it may have grown already.
    own = state.seat
    for seat in (*(seat for seat in state.seats if seat is not own), own):
        if seat.discards and _top_of(sight, seat) == _last(seat.discards[:-1]):
            return Draw(seat.player)
    top = _top_of(sight, own)
    if own.hand == HAND and isinstance(top, str) and top != _last(own.discards) and top in possible(state, own):
        return Draw(DECK)
    return None


def _read_open_draw(state: State, sight: Sight) -> Draw | None:
    for at, column in enumerate(state.columns, 1):
        seen = _named(sight.zones.get(f"{state.player}.column{at}"))
        if seen and seen[:-1] == column and seen[-1] in CARDS:
            return Draw(card=seen[-1], to=f"column{at}")
    top = _top_of(sight, state.seat)
    return Draw(card=top, to="discards") if isinstance(top, str) and top in state.unseen[0] else None


def _read_discard(state: State, sight: Sight) -> Discard | None:
    top, seat = _top_of(sight, state.seat), state.seat
    if not isinstance(top, str) or top == _last(seat.discards):
        return None
    # A pile that still waits to be shuffled into the new deck is no discard.
    waiting = not seat.discards and len(state.unseen) > 1 and top in state.unseen[-1] and not seat.unknown[-1]
    return None if waiting else Discard(top)


def _read_chosen(state: State, sight: Sight) -> Chosen | None:
    seen = _named(sight.zones.get(f"{state.player}.chosen"))
    return next((Chosen(kind) for kind in TYPES if seen and closed_id(kind) == seen[-1]), None)


def _would_show(state: State, move: Moves, sight: Sight) -> bool:
    return shows(apply(state, {state.player: move})[0], sight)


def shows(state: State, sight: Sight) -> bool:
    """Whether fans, piles and redeemed cards lie as this state has them; a covered place speaks neither way."""
    return all(_shows_seat(state, seat, sight) for seat in state.seats)


def _shows_seat(state: State, seat: Seat, sight: Sight) -> bool:
    for kind in TYPES:
        seen = sight.zones.get(f"{seat.player}.{kind}")
        if seen is not None and not _shows_fan(fan_of(seat, kind), closed_id(kind), _named(seen)):
            return False
    redeemed = state.redeemed if seat.player == state.player else ()
    seen = sight.zones.get(f"{seat.player}.redeemed")
    if seen is not None and _named(seen) != redeemed:
        return False
    top = _top_of(sight, seat)
    return top is COVERED or top == _last(seat.discards)


def _shows_fan(fan: Fan, cover: str, seen: Cards | None) -> bool:
    return seen == fan.cards or bool(fan.closed and seen and seen[-1] == cover)


def _named(seen: tuple[SeenCard, ...] | None) -> Cards | None:
    """The cards lying there, bottom to top; None where one of them, or the place, cannot be seen for sure."""
    if seen is None:
        return None
    cards = tuple(card.card for card in seen if card.face_up and card.card is not None)
    return cards if len(cards) == len(seen) else None


COVERED = object()


def _top_of(sight: Sight, seat: Seat) -> object:
    """The top of a discard pile as it is seen: a card, None for an empty place, COVERED where nobody can tell."""
    seen = sight.zones.get(f"{seat.player}.discards")
    if seen is None or (seen and (not seen[-1].face_up or seen[-1].card is None)):
        return COVERED
    return seen[-1].card if seen else None


def _last(cards: Cards) -> str | None:
    return cards[-1] if cards else None

"""The draw deck and the discard piles."""

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.sensu.faults import Faults
from companion.games.sensu.packs import BIT, pack
from companion.games.sensu.state import Changes, State, replace, reseat

DECK = "deck"


def onto_pile(
    state: State,
    at: int,
    cards: tuple[str, ...],
    said: list[Ruling],
    rule: str,
) -> State:
    """Open onto the player's own pile, the last one on top."""
    if not cards:
        return state
    seat = state.seats[at]
    discards = seat.discards + cards
    facts = {"player": seat.player, "cards": cards}
    say = "On the discard pile of {player}: {cards}."
    said.append(Ruling(rule, message(say, **facts), {f"discards.{seat.player}": (seat.discards, discards)}))
    return refill(reseat(state, at, replace(seat, discards=discards)), said)


def refill(state: State, said: list[Ruling]) -> State:
    """A deck that has run out is made anew of all discard piles, the moment there are any. Not in the solo game."""
    if state.deck or state.terms.solo or not any(seat.discards for seat in state.seats):
        return state
    pool = pack(card for seat in state.seats for card in seat.discards)
    changes = {f"discards.{seat.player}": (seat.discards, ()) for seat in state.seats if seat.discards}
    facts = {"count": pool.bit_count()}
    say = "The deck has run out: all discards, {count} cards, are shuffled into a new one."
    said.append(Ruling("SU-49", message(say, **facts), {"deck": (0, pool.bit_count()), **changes}))
    seats = tuple(replace(seat, discards=(), unknown=(*seat.unknown, 0)) for seat in state.seats)
    tops = frozenset(seat.discards[-1] for seat in state.seats if seat.discards)
    return replace(state, seats=seats, deck=pool.bit_count(), unseen=(*state.unseen, pool), old_tops=tops)


def call_source(state: State, source: str, faults: Faults, *rules: str) -> None:
    """Name what is wrong with drawing from there."""
    terms = state.terms
    if source == DECK:
        if not state.deck:
            faults.add((*rules, "SU-17", "SU-49"), "The deck is empty, and there are no discards to make a new one.")
    elif source not in terms.seat:
        say = "There is no player called {source} whose pile could be drawn from."
        faults.add((*rules, "TABLE-4"), say, source=source)
    elif not state.seats[terms.seat[source]].discards:
        faults.add((*rules, "SU-18"), "The discard pile of {source} is empty.", source=source)


def take(state: State, source: str, said: list[Ruling], rule: str | None = None) -> State:
    """The player whose turn it is takes the top card from there into the hand."""
    seat = state.seat
    held = seat.hand
    changes: Changes = {f"hands.{seat.player}": (held, held + 1)}
    if source == DECK:
        unknown = (*seat.unknown[:-1], seat.unknown[-1] + 1)
        facts = {"player": seat.player}
        changes["deck"] = (state.deck, state.deck - 1)
        said.append(Ruling(rule or "SU-17", message("{player} draws from the deck.", **facts), changes))
        # Who draws from a new deck has made it: nothing of it lies on a pile any more.
        after = reseat(state, state.turn, replace(seat, unknown=unknown))
        return refill(replace(after, deck=state.deck - 1, old_tops=frozenset()), said)
    seats, at = list(state.seats), state.terms.seat[source]
    pile = seats[at].discards
    card, rest = pile[-1], pile[:-1]
    facts = {"player": seat.player, "card": card, "source": source}
    changes[f"discards.{source}"] = (pile, rest)
    said.append(
        Ruling(rule or "SU-18", message("{player} takes {card} from the discard pile of {source}.", **facts), changes)
    )
    seats[at] = replace(seats[at], discards=rest)
    seats[state.turn] = replace(seats[state.turn], known=seat.known | BIT[card])
    return replace(state, seats=tuple(seats))


def off_pile(state: State, source: str) -> tuple[State, str]:
    """The top card of that player's pile, and the state without it."""
    at = state.terms.seat[source]
    seat = state.seats[at]
    return reseat(state, at, replace(seat, discards=seat.discards[:-1])), seat.discards[-1]

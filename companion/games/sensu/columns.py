"""Moves of the solo game that the base game has not: an open draw, cards from columns."""

from typing import Any

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.sensu.fans import end_solo
from companion.games.sensu.faults import Faults
from companion.games.sensu.hands import call_elsewhere, call_strangers
from companion.games.sensu.moves import Draw
from companion.games.sensu.packs import BIT
from companion.games.sensu.piles import DECK
from companion.games.sensu.solo import PLACES, playable
from companion.games.sensu.state import State, replace, reseat


def check_draw_open(state: State, move: Draw) -> None:
    faults = Faults()
    if move.from_ not in (None, DECK):
        say = "Alone, a card is always drawn from the deck and laid open: it has a name and a place."
        faults.add(("SU-70", "SU-69", "SU-78", "TABLE-4"), say)
    if move.card is None:
        faults.add(("SU-70", "TABLE-4"), "It is not said which card was drawn.")
    elif call_strangers(state, (move.card,), faults) and not BIT[move.card] & state.unseen[0]:
        _call_drawn(state, move.card, faults)
    if move.to not in PLACES:
        say = "A drawn card goes to the discards or to one of four columns, not to {place}."
        faults.add(("SU-70", "SU-67", "TABLE-4"), say, place=move.to)
    faults.refuse()


def _call_drawn(state: State, card: str, faults: Faults) -> None:
    if any(card in column for column in state.columns):
        faults.add("TABLE-1", "{card} cannot be there: it lies in a column.", card=card)
    call_elsewhere(state, card, faults)


def draw_open(state: State, move: Draw, said: list[Ruling]) -> State:
    card, place, seat = move.card, move.to, state.seats[0]
    assert card is not None
    assert place is not None
    changes: dict[str, Any] = {"deck": (state.deck, state.deck - 1)}
    if place == "discards":
        after = (*seat.discards, card)
        changes[f"discards.{seat.player}"] = (seat.discards, after)
        laid = reseat(state, 0, replace(seat, discards=after))
        say = "{player} draws {card} and lays it on the discards."
    else:
        at = PLACES.index(place) - 1
        before = state.columns[at]
        changes[f"columns.{at}"] = (before, (*before, card))
        laid = replace(state, columns=(*state.columns[:at], (*before, card), *state.columns[at + 1 :]))
        say = "{player} draws {card} and lays it at the end of column {column}."
    column = place.removeprefix("column")
    said.append(Ruling("SU-70", message(say, player=seat.player, card=card, column=column), changes))
    laid = replace(laid, deck=state.deck - 1, unseen=(state.unseen[0] & ~BIT[card],))
    if not laid.deck:
        return end_solo(laid, "The deck has run out: the game ends.", said)
    return laid


def call_covered(state: State, cards: tuple[str, ...], faults: Faults) -> None:
    """Name each card that is not free to be combined."""
    free = playable(state)
    if not 3 <= len(cards) <= 5:
        faults.add("SU-71", "A combination has three, four or five cards, not {count}.", count=len(cards))
    if any(sum(card in column for card in cards) > 1 for column in state.columns):
        faults.add("SU-72", "Only one card may come from each column.")
    for card in cards:
        if card in free:
            continue
        if any(card in column for column in state.columns):
            faults.add("SU-71", "{card} is not the last card of its column.", card=card)
        elif card in state.seats[0].discards:
            faults.add("SU-71", "{card} is not the top of the discards.", card=card)
        elif BIT[card] & state.unseen[0]:
            faults.add(("SU-71", "TABLE-1"), "{card} has not been drawn yet.", card=card)
        else:
            call_elsewhere(state, card, faults, "SU-71")


def leave_columns(state: State, cards: tuple[str, ...]) -> tuple[State, dict[str, Any]]:
    """Take the cards of a combination from where they lie free."""
    changes: dict[str, Any] = {}
    columns = list(state.columns)
    for at, column in enumerate(columns):
        if column and column[-1] in cards:
            columns[at] = column[:-1]
            changes[f"columns.{at}"] = (column, column[:-1])
    seat = state.seats[0]
    if seat.discards and seat.discards[-1] in cards:
        changes[f"discards.{seat.player}"] = (seat.discards, seat.discards[:-1])
        seat = replace(seat, discards=seat.discards[:-1])
    return reseat(replace(state, columns=tuple(columns)), 0, seat), changes

"""Moves that only the solo game has: a card drawn face up, and combinations from columns."""

from companion.core.message import Message, Thing, message
from companion.core.rulings import Ruling
from companion.games.kit.faults import Faults
from companion.games.sensu.card_sets import BIT
from companion.games.sensu.fans import end_solo
from companion.games.sensu.hands import report_elsewhere, report_unknown_cards
from companion.games.sensu.happenings import DrewFanCard
from companion.games.sensu.moves import DrawFanCard
from companion.games.sensu.names import CARD
from companion.games.sensu.piles import DECK
from companion.games.sensu.solo import PLACES, playable
from companion.games.sensu.state import Changes, SensuState, replace, set_seat


def check_draw_open(state: SensuState, move: DrawFanCard) -> None:
    faults = Faults()
    if move.from_ not in (None, DECK):
        told = message("In the solo game every card is drawn from the deck and laid face up, with a name and a place.")
        faults.add(("SU-70", "SU-69", "SU-78", "TABLE-4"), told)
    if move.card is None:
        faults.add(("SU-70", "TABLE-4"), message("The move does not say which card was drawn."))
    elif report_unknown_cards(state, (move.card,), faults) and not BIT[move.card] & state.unseen[0]:
        _report_drawn(state, move.card, faults)
    if move.to is None:
        faults.add(("SU-70", "SU-67", "TABLE-4"), message("The move does not say where the drawn card is laid."))
    elif move.to not in PLACES:
        told = message("A drawn card goes to the discards or to one of four columns, not to {name}.", name=move.to)
        faults.add(("SU-70", "SU-67", "TABLE-4"), told)
    faults.refuse()


def _report_drawn(state: SensuState, card: str, faults: Faults) -> None:
    if any(card in column for column in state.columns):
        faults.add("TABLE-1", message("{card} cannot be there: it lies in a column.", card=CARD[card]))
    report_elsewhere(state, card, faults)


def draw_open(state: SensuState, move: DrawFanCard, said: list[Ruling]) -> SensuState:
    card, place, seat = move.card, move.to, state.seats[0]
    assert card is not None
    assert place is not None
    changes: Changes = {"deck": (state.deck, state.deck - 1)}
    at = PLACES.index(place) - 1
    if at < 0:
        after = (*seat.discards, card)
        changes[f"discards.{seat.player}"] = (seat.discards, after)
        laid = set_seat(state, 0, replace(seat, discards=after))
    else:
        before = state.columns[at]
        changes[f"columns.{at}"] = (before, (*before, card))
        laid = replace(state, columns=(*state.columns[:at], (*before, card), *state.columns[at + 1 :]))
    said.append(Ruling("SU-70", _drawn(seat.player, card, at), changes, DrewFanCard(seat.player, DECK, card, place)))
    laid = replace(laid, deck=state.deck - 1, unseen=(state.unseen[0] & ~BIT[card],))
    return laid if laid.deck else end_solo(laid, message("The deck has run out: the game ends."), said)


def _drawn(name: str, drawn: str, column: int) -> Message:
    """`column` is its index; a negative one stands for the discards."""
    player, card = Thing("player", name), CARD[drawn]
    if column < 0:
        return message("{player} draws {card} and lays it on the discards.", player=player, card=card)
    return message(
        "{player} draws {card} and lays it at the end of column {column}.",
        player=player,
        card=card,
        column=column + 1,
    )


def report_not_free(state: SensuState, cards: tuple[str, ...], faults: Faults) -> None:
    """Name each card that cannot be combined from where it lies."""
    free = playable(state)
    if not 3 <= len(cards) <= 5:
        faults.add("SU-71", message("A combination has three, four or five cards, not {number}.", number=len(cards)))
    if any(sum(card in column for card in cards) > 1 for column in state.columns):
        faults.add("SU-72", message("Only one card may come from each column."))
    for name in cards:
        card = CARD[name]
        if name in free:
            continue
        if any(name in column for column in state.columns):
            faults.add("SU-71", message("{card} is not the last card of its column.", card=card))
        elif name in state.seats[0].discards:
            faults.add("SU-71", message("{card} is not the top of the discards.", card=card))
        elif BIT[name] & state.unseen[0]:
            faults.add(("SU-71", "TABLE-1"), message("{card} has not been drawn yet.", card=card))
        else:
            report_elsewhere(state, name, faults, "SU-71")


def leave_columns(state: SensuState, cards: tuple[str, ...]) -> tuple[SensuState, Changes]:
    """Take the cards of a combination from where they lie."""
    changes: Changes = {}
    columns = list(state.columns)
    for at, column in enumerate(columns):
        if column and column[-1] in cards:
            columns[at] = column[:-1]
            changes[f"columns.{at}"] = (column, column[:-1])
    seat = state.seats[0]
    if seat.discards and seat.discards[-1] in cards:
        changes[f"discards.{seat.player}"] = (seat.discards, seat.discards[:-1])
        seat = replace(seat, discards=seat.discards[:-1])
    return set_seat(replace(state, columns=tuple(columns)), 0, seat), changes

"""The Selection Phase: everybody lays a card face down, then all cards are turned up together."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.message import Thing, message, plural, things
from companion.core.rulings import Refused, Ruling
from companion.games.san_ni_ichi.cards import TORINOKO, parsed
from companion.games.san_ni_ichi.ending import end_match
from companion.games.san_ni_ichi.hands import (
    bombs_for,
    bombs_left,
    check_bombs,
    check_held,
    check_in_match,
    selectable_unseen,
    shown_selectable,
    unnamed_places,
    without,
)
from companion.games.san_ni_ichi.moves import SelectFaceDown, SitOut
from companion.games.san_ni_ichi.state import BOMB, SanNiIchiState


def kinds(state: SanNiIchiState, seat: int) -> tuple[str, ...]:
    """What a player with cards may do in the Selection Phase, as everybody can work out."""
    if state.hands[seat] > bombs_left(state) or shown_selectable(state, seat):
        return ("select",)
    can_select = unnamed_places(state, seat) > 0 and selectable_unseen(state) > 0
    can_sit_out = state.hands[seat] <= bombs_for(state, seat)
    return (*(("select",) if can_select else ()), *(("sit_out",) if can_sit_out else ()))


def may_select(state: SanNiIchiState, sealed: Mapping[str, Any], seat: int) -> bool:
    """Whether there can be a card to select: sometimes the counts show that a hand holds only bombs."""
    if state.hands[seat] > bombs_left(state) or shown_selectable(state, seat):
        return True
    seats = state.table.seats
    claimed = sum(
        isinstance(move, SelectFaceDown) and not shown_selectable(state, seats[name]) for name, move in sealed.items()
    )
    return unnamed_places(state, seat) > 0 and claimed < selectable_unseen(state)


def check_select(state: SanNiIchiState, sealed: Mapping[str, Any], seat: int) -> None:
    if not may_select(state, sealed, seat):
        told = message(
            "{player} can hold nothing but smoke bombs, and a smoke bomb is never selected.",
            player=state.table.things[seat],
        )
        raise Refused(("SNI-34", "SNI-39", "SNI-R22"), told)


def check_sit_out(state: SanNiIchiState, sealed: Mapping[str, Any], seat: int, move: SitOut) -> None:
    table, player = state.table, state.table.things[seat]
    cards = shown_bombs(state, move)
    for card in cards:
        check_in_match(table, card)
        if table.values[card].kind != TORINOKO:
            told = message(
                "{player} holds {card}, which can be selected: only a hand with nothing but bombs sits out.",
                player=player,
                card=Thing("card", card),
            )
            raise Refused(("SNI-39", "SNI-R22", "SNI-11"), told)
    if move.cards is None and (
        len(cards) != state.hands[seat] or any(isinstance(held, SitOut) for held in sealed.values())
    ):
        raise Refused(("TABLE-4", "SNI-39"), message("{player} sits out: say with which smoke bombs.", player=player))
    if len(cards) != state.hands[seat]:
        told = message(
            "{player} shows {bombs} and holds {cards}: only a hand with nothing but bombs sits out.",
            player=player,
            bombs=plural("{count} smoke bomb", "{count} smoke bombs", len(cards)),
            cards=plural("{count} card", "{count} cards", state.hands[seat]),
        )
        raise Refused(("SNI-39", "TABLE-2", "SNI-R22"), told)
    others = {table.seats[name]: shown_bombs(state, held) for name, held in sealed.items() if isinstance(held, SitOut)}
    check_bombs(
        state,
        seat,
        cards,
        shown=tuple(card for shown in others.values() for card in shown),
        others=sum(len(shown) - state.known[other].count(BOMB) for other, shown in others.items()),
    )


def shown_bombs(state: SanNiIchiState, move: SitOut) -> tuple[str, ...]:
    """The bombs that a player who sits out shows; where the move does not name them, all that are left."""
    if move.cards is None:
        return tuple(card for card in state.table.bombs for _ in range(state.unseen[card]))
    return (move.cards,) if isinstance(move.cards, str) else move.cards


def resolve_selection(state: SanNiIchiState, moves: Mapping[str, Any]) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    """Every card is down: hands are one card shorter, and players with only bombs sit out."""
    table = state.table
    names = table.players
    hands = list(state.hands)
    selected = tuple(seat for seat, name in enumerate(names) if isinstance(moves.get(name), SelectFaceDown))
    changes = {}
    for seat in selected:
        hands[seat] -= 1
        changes[f"hands.{names[seat]}"] = (hands[seat] + 1, hands[seat])
    rulings: list[Ruling] = []
    if selected:
        told = message(
            "A card lies face down and crosswise: {players}.",
            players=tuple(table.things[seat] for seat in selected),
        )
        rulings.append(Ruling("SNI-11", told, changes))
    state = replace(state, hands=tuple(hands), selected=selected)
    sitting = {
        seat: shown_bombs(state, moves[name]) for seat, name in enumerate(names) if isinstance(moves.get(name), SitOut)
    }
    if sitting:
        state = _sit_out(state, sitting, rulings)
    if selected:
        return state, tuple(rulings)
    state, more = end_match(state)
    return state, (*rulings, *more)


def _sit_out(state: SanNiIchiState, sitting: Mapping[int, tuple[str, ...]], rulings: list[Ruling]) -> SanNiIchiState:
    """Several bombs are kept until the last Selection; a single bomb, or any at the end, is discarded."""
    table = state.table
    hands, known, discards = list(state.hands), list(state.known), list(state.discards)
    unseen = dict(state.unseen)
    last = all(seat in sitting or not hand for seat, hand in enumerate(hands))
    for seat, bombs in sitting.items():
        player, shown = table.things[seat], things("card", bombs)
        if len(bombs) > 1 and not last:
            known[seat] = (BOMB,) * len(bombs)
            told = message(
                "{player} holds only smoke bombs ({cards}), keeps them and sits out.", player=player, cards=shown
            )
            rulings.append(Ruling("SNI-R22", told))
            continue
        for card in bombs:
            unseen[card] -= 1
        discards += bombs
        known[seat] = ()
        told = message(
            "{player} has nothing left but {cards}: discarded, and nothing is selected.", player=player, cards=shown
        )
        rulings.append(Ruling("SNI-39", told, {f"hands.{player.id}": (hands[seat], 0)}))
        hands[seat] = 0
    return replace(state, hands=tuple(hands), known=tuple(known), unseen=unseen, discards=tuple(discards))


def check_reveal(state: SanNiIchiState, sealed: Mapping[str, Any], seat: int, card: str) -> None:
    """The card is one that may have come from this hand, and not a bomb."""
    table = state.table
    known = table.values.get(card)
    name = known.kind if known else (parsed(card) or ("",))[0]
    if name == TORINOKO:
        left_out = () if known else ("TABLE-1", "SNI-7")
        told = message(
            "{card} is never selected: {player} turns up another card.",
            card=Thing("card", card),
            player=table.things[seat],
        )
        raise Refused(("SNI-34", *left_out), told)
    check_in_match(table, card)
    if card in state.known[seat]:
        return
    new = newly_shown(state, sealed)
    check_held(state, seat, card, new.count(card))
    if needed_by_others(state, sealed, seat, len(new)):
        told = message(
            "{card} cannot come from {player}'s hand: it would leave somebody else a smoke bomb to turn up.",
            card=Thing("card", card),
            player=table.things[seat],
        )
        raise Refused(("TABLE-1", "SNI-34"), told)


def needed_by_others(state: SanNiIchiState, sealed: Mapping[str, Any], seat: int, new: int) -> bool:
    """Whether the others who still have to turn up a card that has never been open need all of them."""
    if not bombs_left(state):
        return False
    left = selectable_unseen(state) - new
    if left >= len(state.selected):
        return False
    names = state.table.players
    others = [other for other in state.selected if other != seat and names[other] not in sealed]
    return sum(not shown_selectable(state, other) for other in others) >= left


def newly_shown(state: SanNiIchiState, sealed: Mapping[str, Any]) -> list[str]:
    """Cards that others turn up now and that have never been open before."""
    seats = state.table.seats
    return [held.card for other, held in sealed.items() if held.card not in state.known[seats[other]]]


def resolve_reveal(state: SanNiIchiState, moves: Mapping[str, Any]) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    """All cards are up: the Attack Phase begins in order of Strength."""
    table = state.table
    known, unseen = list(state.known), dict(state.unseen)
    turned_up = []
    for seat in state.selected:
        card = moves[table.players[seat]].card
        turned_up.append((seat, card))
        if card in known[seat]:
            known[seat] = without(known[seat], card)
        else:
            unseen[card] -= 1
    order = sorted(turned_up, key=lambda turn: table.precedence(*turn))
    told = {
        turn: message("{player} {card}", player=table.things[turn[0]], card=Thing("card", turn[1]))
        for turn in turned_up
    }
    rulings = (
        Ruling(
            "SNI-12",
            message("Turned up together: {cards}.", cards=tuple(told.values())),
            {"phase": ("selection", "attack")},
        ),
        Ruling(
            "SNI-13",
            message("Order of play, lowest Strength first: {cards}.", cards=tuple([told[turn] for turn in order])),
        ),
    )
    state = replace(state, phase="attack", selected=(), known=tuple(known), unseen=unseen, order=tuple(order), turn=0)
    return state, rulings

"""The Selection Phase: everybody lays a card face down, then all are turned up together."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.message import message
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
from companion.games.san_ni_ichi.moves import Reveal, Select, SitOut
from companion.games.san_ni_ichi.state import BOMB, State

SELECT = Select()


def kinds(state: State, seat: int) -> tuple[str, ...]:
    """What a player with cards may do at Selection, as everybody can work out."""
    if state.hands[seat] > bombs_left(state) or shown_selectable(state, seat):
        return ("select",)
    can_select = unnamed_places(state, seat) > 0 and selectable_unseen(state) > 0
    can_sit_out = state.hands[seat] <= bombs_for(state, seat)
    return (*(("select",) if can_select else ()), *(("sit_out",) if can_sit_out else ()))


def may_select(state: State, sealed: Mapping[str, Any], seat: int) -> bool:
    """Whether there can be a card to select: sometimes the counts show a hand of bombs alone."""
    if state.hands[seat] > bombs_left(state) or shown_selectable(state, seat):
        return True
    seats = state.table.seats
    claimed = sum(
        isinstance(move, Select) and not shown_selectable(state, seats[name]) for name, move in sealed.items()
    )
    return unnamed_places(state, seat) > 0 and claimed < selectable_unseen(state)


def check_select(state: State, sealed: Mapping[str, Any], seat: int) -> None:
    if not may_select(state, sealed, seat):
        raise Refused(
            ("SNI-34", "SNI-39", "SNI-R22"),
            message(
                "{player} can hold nothing but smoke bombs, and a smoke bomb is never selected.",
                player=state.table.players[seat],
            ),
        )


def check_sit_out(state: State, sealed: Mapping[str, Any], seat: int, move: SitOut) -> None:
    table, player = state.table, state.table.players[seat]
    cards = shown_bombs(state, move)
    for card in cards:
        check_in_match(table, card)
        if table.values[card].kind != TORINOKO:
            raise Refused(
                ("SNI-39", "SNI-R22", "SNI-11"),
                message(
                    "{player} holds {card}, which can be selected: only a hand of bombs alone sits out.",
                    player=player,
                    card=card,
                ),
            )
    if move.cards is None and (
        len(cards) != state.hands[seat] or any(isinstance(held, SitOut) for held in sealed.values())
    ):
        raise Refused(("TABLE-4", "SNI-39"), message("{player} sits out: say with which smoke bombs.", player=player))
    if len(cards) != state.hands[seat]:
        raise Refused(
            ("SNI-39", "TABLE-2", "SNI-R22"),
            message(
                "{player} shows {shown} smoke bombs and holds {hand} cards: only a hand of bombs alone sits out.",
                player=player,
                shown=len(cards),
                hand=state.hands[seat],
            ),
        )
    others = {table.seats[name]: shown_bombs(state, held) for name, held in sealed.items() if isinstance(held, SitOut)}
    check_bombs(
        state,
        seat,
        cards,
        shown=tuple(card for shown in others.values() for card in shown),
        others=sum(len(shown) - state.known[other].count(BOMB) for other, shown in others.items()),
    )


def shown_bombs(state: State, move: SitOut) -> tuple[str, ...]:
    """The bombs that a player shows who sits out; unsaid, they are all that are left."""
    if move.cards is None:
        return tuple(card for card in state.table.bombs for _ in range(state.unseen[card]))
    return (move.cards,) if isinstance(move.cards, str) else move.cards


def sit_outs(state: State, sealed: Mapping[str, Any], seat: int) -> list[SitOut]:
    """The ways this player could sit out: the whole hand is bombs, by whatever names are free."""
    taken = [card for held in sealed.values() if isinstance(held, SitOut) for card in shown_bombs(state, held)]
    free = [card for card in state.table.bombs for _ in range(state.unseen[card] - taken.count(card))]
    hand = state.hands[seat]
    found = dict.fromkeys(SitOut(tuple(free[start : start + hand])) for start in range(len(free) - hand + 1))
    return [move for move in found if _allows(state, sealed, seat, move)]


def _allows(state: State, sealed: Mapping[str, Any], seat: int, move: SitOut) -> bool:
    try:
        check_sit_out(state, sealed, seat, move)
    except Refused:
        return False
    return True


def resolve_selection(state: State, moves: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
    """Every card is down: hands are one shorter, and who held only bombs sits out."""
    names = state.table.players
    hands = list(state.hands)
    selected = tuple(seat for seat, name in enumerate(names) if isinstance(moves.get(name), Select))
    changes = {}
    for seat in selected:
        hands[seat] -= 1
        changes[f"hands.{names[seat]}"] = (hands[seat] + 1, hands[seat])
    rulings = []
    if selected:
        down = ", ".join([names[seat] for seat in selected])
        rulings.append(
            Ruling("SNI-11", message("A card lies face down and crosswise: {players}.", players=down), changes)
        )
    sitting = {
        seat: shown_bombs(state, moves[name]) for seat, name in enumerate(names) if isinstance(moves.get(name), SitOut)
    }
    if not sitting:
        return replace(state, hands=tuple(hands), selected=selected), tuple(rulings)

    last = all(seat in sitting or not hand for seat, hand in enumerate(hands))
    known, discards = list(state.known), list(state.discards)
    unseen = dict(state.unseen)
    for seat, bombs in sitting.items():
        facts = {"player": names[seat], "cards": bombs}
        if len(bombs) > 1 and not last:
            known[seat] = (BOMB,) * len(bombs)
            rulings.append(
                Ruling(
                    "SNI-R22", message("{player} holds only smoke bombs ({cards}), keeps them and sits out.", **facts)
                )
            )
            continue
        for card in bombs:
            unseen[card] -= 1
        discards += bombs
        known[seat] = ()
        gone = {f"hands.{names[seat]}": (hands[seat], 0)}
        hands[seat] = 0
        rulings.append(
            Ruling(
                "SNI-39",
                message("{player} has nothing left but {cards}: discarded, and nothing is selected.", **facts),
                gone,
            )
        )
    state = replace(
        state,
        hands=tuple(hands),
        selected=selected,
        known=tuple(known),
        unseen=unseen,
        discards=tuple(discards),
    )
    if selected:
        return state, tuple(rulings)
    state, more = end_match(state)
    return state, (*rulings, *more)


def check_reveal(state: State, sealed: Mapping[str, Any], seat: int, card: str) -> None:
    """The card is one that may have come from this hand, and no bomb."""
    table = state.table
    player = table.players[seat]
    known = table.values.get(card)
    name = known.kind if known else (parsed(card) or ("",))[0]
    if name == TORINOKO:
        left_out = () if known else ("TABLE-1", "SNI-7")
        raise Refused(
            ("SNI-34", *left_out),
            message("{card} is never selected: {player} turns up another card.", card=card, player=player),
        )
    check_in_match(table, card)
    if card in state.known[seat]:
        return
    fresh = _fresh(state, sealed)
    check_held(state, seat, card, fresh.count(card))
    if _all_needed_by_others(state, sealed, seat, len(fresh)):
        raise Refused(
            ("TABLE-1", "SNI-34"),
            message(
                "{card} cannot come from {player}'s hand: it would leave somebody else a smoke bomb to turn up.",
                card=card,
                player=player,
            ),
        )


def _all_needed_by_others(state: State, sealed: Mapping[str, Any], seat: int, fresh: int) -> bool:
    """Whether the others who still have to turn up a card that never lay open need all there are."""
    if not bombs_left(state):
        return False
    left = selectable_unseen(state) - fresh
    if left >= len(state.selected):
        return False
    names = state.table.players
    others = [other for other in state.selected if other != seat and names[other] not in sealed]
    return sum(not shown_selectable(state, other) for other in others) >= left


def _fresh(state: State, sealed: Mapping[str, Any]) -> list[str]:
    """Cards that others turn up now and that never lay open before."""
    seats = state.table.seats
    return [held.card for other, held in sealed.items() if held.card not in state.known[seats[other]]]


def reveals(state: State, sealed: Mapping[str, Any], seat: int) -> list[Reveal]:
    """Every card that may lie face down in front of this player."""
    known = [Reveal(card) for card in dict.fromkeys(state.known[seat]) if card != BOMB]
    if not unnamed_places(state, seat):
        return known
    fresh = _fresh(state, sealed)
    if _all_needed_by_others(state, sealed, seat, len(fresh)):
        return known
    unseen = state.unseen
    taken = {card for card in fresh if unseen[card] <= fresh.count(card)}.union(state.known[seat])
    return known + [move for card, move in state.table.reveals.items() if unseen[card] and card not in taken]


def resolve_reveal(state: State, moves: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
    """All cards are up: the Attack Phase begins in order of Strength."""
    table = state.table
    known, unseen = list(state.known), dict(state.unseen)
    order = []
    for seat in state.selected:
        card = moves[table.players[seat]].card
        order.append((seat, card))
        if card in known[seat]:
            known[seat] = without(known[seat], card)
        else:
            unseen[card] -= 1
    shown = _listed(state, order)
    order.sort(key=lambda turn: table.precedence(*turn))
    rulings = (
        Ruling("SNI-12", message("Turned up together: {cards}.", cards=shown), {"phase": ("selection", "attack")}),
        Ruling("SNI-13", message("Order of play, lowest Strength first: {cards}.", cards=_listed(state, order))),
    )
    state = replace(state, phase="attack", selected=(), known=tuple(known), unseen=unseen, order=tuple(order), turn=0)
    return state, rulings


def _listed(state: State, order: list[tuple[int, str]]) -> list[str]:
    """Each player's card; `companion.games.san_ni_ichi.names` knows such a pair."""
    names = state.table.players
    return [f"{names[seat]} {card}" for seat, card in order]

"""The Attack Phase: what each revealed card may do, and why not.

An obstacle is a rule that stands in a play's way. All of them are looked for, so that a refusal names every
rule that is broken, the first one in words.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.san_ni_ichi.cards import (
    ATTACK,
    BEATEN_BY,
    BEATS,
    BLOCK,
    ELEMENTS,
    SAI,
    SHURIKEN,
    TONFA,
    TORINOKO,
    YOSO,
    Value,
)
from companion.games.san_ni_ichi.hands import check_bombs, check_held, check_in_match, unnamed_places
from companion.games.san_ni_ichi.moves import Block, Discard, Play, Sai, Shuriken, Tonfa
from companion.games.san_ni_ichi.state import BOMB, State

DISCARD = Discard()
KINDS = {
    ATTACK: ("play", "discard"),
    YOSO: ("play", "discard"),
    BLOCK: ("block", "discard"),
    SAI: ("sai", "discard"),
    SHURIKEN: ("shuriken", "discard"),
    TONFA: ("tonfa", "discard"),
}
"""What may be done with a card when it comes up."""


class Obstacle(NamedTuple):
    rules: tuple[str, ...]
    say: str


BLOCKED = Obstacle(("SNI-29", "SNI-R8"), "No attack card may join {on}'s Combat Pile this round: {on} is under Block.")
NOT_BEATEN = Obstacle(
    ("SNI-19", "SNI-25"),
    "{card} does not beat {top_card} ({element}) on top of {on}'s Combat Pile: only {beating_element} does.",
)
YOSO_NEEDS_PILE = Obstacle(
    ("SNI-44", "SNI-R12"), "{card} takes its element from the card beneath, and {on} has no Combat Pile."
)
COUNTER_OTHER = Obstacle(
    ("SNI-22", "SNI-21"), "A Counter moves the own Combat Pile and no other: {card} was played on {on}."
)
COUNTER_STARTED = Obstacle(
    ("SNI-21", "SNI-R5"),
    "{player} had no Combat Pile to add to: a pile that was just started is not moved by a Counter.",
)
COUNTER_TAKEN = Obstacle(
    ("SNI-21", "SNI-22"), "{target} already has a Combat Pile: a Counter goes to a player who has none."
)
COUNTER_SELF = Obstacle(("SNI-21",), "A Counter moves the Combat Pile away, to another player.")
COUNTER_BLOCKED = Obstacle(
    ("SNI-29", "SNI-R6", "SNI-21"),
    "No attack card may join {target}'s Combat Pile this round: {target} is under Block.",
)
COUNTER_YOSO = Obstacle(("SNI-46", "SNI-R13"), "{card} may not be used for a Counter.")
SWAP_SELF = Obstacle(("SNI-40", "TABLE-4"), "Sai swaps the Combat Piles of two different players.")
NO_LEGAL_PLAY = Obstacle(("SNI-24",), "{card} has no legal play now and must be discarded.")
SWAP_NO_PILE = Obstacle(("SNI-40", "SNI-R9"), "{on} has no Combat Pile to swap.")
SWAP_BLOCKED = Obstacle(("SNI-30", "SNI-R9"), "Sai may not be used on {on} this round: {on} is under Block.")


def refuse(obstacles: Iterable[Obstacle], **facts: Any) -> Refused:
    found = list(obstacles)
    return Refused(tuple(dict.fromkeys(rule for each in found for rule in each.rules)), message(found[0].say, **facts))


def current(state: State) -> tuple[int, Value]:
    """Whose card is next, and the card."""
    seat, card = state.order[state.turn]
    return seat, state.table.values[card]


def bars(state: State, value: Value, on: int) -> tuple[Obstacle, ...]:
    """What keeps this card off that player's Combat Pile; empty: it may be played there."""
    pile = state.piles[on]
    if pile:
        bar = NOT_BEATEN if value.element and BEATS[value.element] != pile[-1].element else None
    else:
        bar = None if value.element or state.table.options.yoso_may_start_pile else YOSO_NEEDS_PILE
    if on in state.blocked:
        return (BLOCKED, bar) if bar else (BLOCKED,)
    return (bar,) if bar else ()


def counter_bars(state: State, seat: int, value: Value, on: int, target: int) -> tuple[Obstacle, ...]:
    """What keeps a player from moving the pile to `target` after adding this card."""
    found = []
    if not value.element:
        found.append(COUNTER_YOSO)
    if on != seat:
        found.append(COUNTER_OTHER)
    elif not state.piles[seat]:
        found.append(COUNTER_STARTED)
    if target == seat:
        found.append(COUNTER_SELF)
    elif state.piles[target]:
        found.append(COUNTER_TAKEN)
    if target in state.blocked:
        found.append(COUNTER_BLOCKED)
    return tuple(found)


def swap_bars(state: State, seat: int) -> tuple[Obstacle, ...]:
    """What keeps Sai from this player's Combat Pile."""
    bar = () if state.piles[seat] else (SWAP_NO_PILE,)
    return (SWAP_BLOCKED, *bar) if seat in state.blocked else bar


def could_act(state: State) -> bool:
    """Whether the card that is next could do anything."""
    _, value = current(state)
    seats = range(len(state.hands))
    if value.kind == SAI:
        return sum(not swap_bars(state, seat) for seat in seats) >= 2
    if value.kind == TONFA:
        return any(state.piles)
    if value.kind in (ATTACK, YOSO):
        return any(not bars(state, value, seat) for seat in seats)
    return True


def check_play(state: State, seat: int, move: Play) -> None:
    table = state.table
    _, value = current(state)
    on = table.seat(move.on)
    target = None if move.counter is None else table.seat(move.counter)
    found = bars(state, value, on)
    if target is not None:
        found += counter_bars(state, seat, value, on, target)
    if found:
        found += () if could_act(state) else (NO_LEGAL_PLAY,)
        top = state.piles[on][-1] if state.piles[on] else None
        raise refuse(
            found,
            player=table.players[seat],
            card=value.card,
            on=move.on,
            target=move.counter,
            top_card=top.card if top else "",
            element=top.element if top else "",
            beating_element=BEATEN_BY[top.element] if top else "",
        )
    _check_element(value, bool(state.piles[on]), move)


def _check_element(value: Value, pile: bool, move: Play) -> None:
    rules = ("TABLE-4", "SNI-R12", "SNI-45", "SNI-6")
    if value.kind == YOSO and not pile:
        if move.element not in ELEMENTS:
            raise Refused(
                rules,
                message("{card} starts a Combat Pile and needs an element: fire, water or wood.", card=value.card),
            )
    elif move.element is not None:
        raise Refused(
            rules,
            message("Only a Yoso Kogeki that starts a Combat Pile names an element, not {card}.", card=value.card),
        )


def may_discard(state: State) -> bool:
    """An attack card always; a weapon that could act only where the players allow it."""
    return current(state)[1].kind == ATTACK or state.table.options.weapons_may_be_discarded or not could_act(state)


def check_discard(state: State) -> None:
    if not may_discard(state):
        raise Refused(
            ("SNI-23", "SNI-R10"),
            message(
                "{card} can act, and in this match a weapon that can act may not be given up.",
                card=current(state)[1].card,
            ),
        )


def check_mate(state: State, seat: int, name: str | None, card: str) -> int:
    """The seat that a Block or a smoke bomb protects: the own one, or the team-mate's."""
    if name is None:
        return seat
    mate = state.table.seat(name)
    if mate not in (seat, state.table.mates[seat]):
        rules = ("SNI-60",) if state.table.options.teams else ("SNI-60", "SNI-58")
        raise Refused(
            rules,
            message(
                "{player} may play {card} for a team-mate only, and {mate} is none.",
                player=state.table.players[seat],
                card=card,
                mate=name,
            ),
        )
    return mate


def check_sai(state: State, move: Sai) -> None:
    seats = tuple(state.table.seat(name) for name in move.swap)
    if len(seats) != 2 or seats[0] == seats[1]:
        raise refuse((SWAP_SELF,))
    one, other = seats
    for seat in (one, other):
        found = swap_bars(state, seat)
        if found:
            raise refuse((*found, *swap_bars(state, one + other - seat)), on=state.table.players[seat])


def check_tonfa(state: State, seat: int, move: Tonfa) -> None:
    table = state.table
    source = table.seat(move.source)
    if not state.piles[source]:
        raise Refused(("SNI-48", "SNI-R25"), message("{source} has no Combat Pile to draw from.", source=move.source))
    drawn = state.piles[source][-1].card
    if move.discard == drawn or (move.discard is None and not state.hands[seat]):
        return
    if move.discard is None:
        rules = ("TABLE-4", "SNI-48")
        raise Refused(rules, message("Tonfa: say which card {player} discards.", player=table.players[seat]))
    check_in_match(table, move.discard)
    player = table.players[seat]
    if not state.hands[seat]:
        raise Refused(
            ("TABLE-2", "SNI-48", "SNI-R25"),
            message(
                "{player}'s hand is empty: the card drawn, {drawn_card}, is the one to discard.",
                player=player,
                drawn_card=drawn,
            ),
        )
    try:
        if table.values[move.discard].kind == TORINOKO:
            check_bombs(state, seat, (move.discard,))
        else:
            check_held(state, seat, move.discard)
    except Refused as refusal:
        raise refusal.citing("SNI-48") from None


def options(state: State, seat: int) -> list[Any]:
    """Every way to play the card that is next."""
    table = state.table
    names = table.players
    _, value = current(state)
    seats = range(len(names))
    found: list[Any] = []
    match value.kind:
        case "attack":
            found = [Play(names[on]) for on in seats if not bars(state, value, on)]
            if state.piles[seat] and not bars(state, value, seat):
                own = names[seat]
                found += [Play(own, names[to]) for to in seats if not counter_bars(state, seat, value, seat, to)]
        case "yoso_kogeki":
            for on in seats:
                if not bars(state, value, on):
                    elements = (None,) if state.piles[on] else ELEMENTS
                    found += [Play(names[on], None, element) for element in elements]
        case "block":
            mate = table.mates[seat]
            found = [Block()] if mate is None else [Block(), Block(names[mate])]
        case "shuriken":
            found = [Shuriken(name) for name in names]
        case "sai":
            free = [each for each in seats if not swap_bars(state, each)]
            found = [Sai((names[one], names[other])) for one in free for other in free if one < other]
        case "tonfa":
            found = [
                Tonfa(names[source], card)
                for source in seats
                if state.piles[source]
                for card in (state.piles[source][-1].card, *_discardable(state, seat))
            ]
    if value.kind == ATTACK or table.options.weapons_may_be_discarded or not found:
        found.append(DISCARD)
    return found


def _discardable(state: State, seat: int) -> list[str]:
    """Every card that may be in this hand when a Tonfa comes up."""
    fitting = [card for card in dict.fromkeys(state.known[seat]) if card != BOMB]
    if unnamed_places(state, seat):
        values = state.table.values
        fitting += [
            card
            for card, copies in state.unseen.items()
            if copies and values[card].kind != TORINOKO and card not in fitting
        ]
    for card in state.table.bombs:
        try:
            check_bombs(state, seat, (card,))
        except Refused:
            continue
        fitting.append(card)
    return fitting

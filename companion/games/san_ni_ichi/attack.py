"""The Attack Phase: what each revealed card may do, and what stands in its way.

All obstacles to a play are looked for, so that a refusal cites every rule that the play would break; the first one
gives the sentence.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from companion.core.message import Message, Thing, message
from companion.core.rulings import Refused
from companion.games.kit.faults import Faults
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
from companion.games.san_ni_ichi.hands import check_bombs, check_held, check_in_match
from companion.games.san_ni_ichi.moves import PlayOnPile, UseSai, UseTonfa
from companion.games.san_ni_ichi.state import SanNiIchiState

KINDS = {
    ATTACK: ("play", "discard"),
    YOSO: ("play", "discard"),
    BLOCK: ("block", "discard"),
    SAI: ("sai", "discard"),
    SHURIKEN: ("shuriken", "discard"),
    TONFA: ("tonfa", "discard"),
}
"""What may be done with a card when it is its turn."""


class Attempt(NamedTuple):
    """A play that somebody tries or asks about: what a sentence about an obstacle is filled with."""

    state: SanNiIchiState
    seat: int
    value: Value
    on: int
    target: int = 0
    """Who would receive the pile of a Counter."""

    def player(self, seat: int) -> Thing:
        return self.state.table.things[seat]

    @property
    def card(self) -> Thing:
        return Thing("card", self.value.card)


class PlayObstacle(NamedTuple):
    """Something that stands in a play's way: the rules, and the sentence. Legal moves only ask whether there is one,
    so the sentence is made when it is needed."""

    rules: tuple[str, ...]
    sentence: Callable[[Attempt], Message]


def _not_beaten(tried: Attempt) -> Message:
    top = tried.state.piles[tried.on][-1]
    return message(
        "{card} does not beat {top_card} ({element}) on top of {on}'s Combat Pile: only {beating_element} does.",
        card=tried.card,
        top_card=Thing("card", top.card),
        element=Thing("element", top.element),
        beating_element=Thing("element", BEATEN_BY[top.element]),
        on=tried.player(tried.on),
    )


BLOCKED = PlayObstacle(
    ("SNI-29", "SNI-R8"),
    lambda tried: message(
        "No attack card may join {on}'s Combat Pile this round: {on} is under Block.", on=tried.player(tried.on)
    ),
)
NOT_BEATEN = PlayObstacle(("SNI-19", "SNI-25"), _not_beaten)
YOSO_NEEDS_PILE = PlayObstacle(
    ("SNI-44", "SNI-R12"),
    lambda tried: message(
        "{card} takes its element from the card beneath, and {on} has no Combat Pile.",
        card=tried.card,
        on=tried.player(tried.on),
    ),
)
COUNTER_OTHER = PlayObstacle(
    ("SNI-22", "SNI-21"),
    lambda tried: message(
        "A Counter moves only the player's own Combat Pile: {card} was played on {on}.",
        card=tried.card,
        on=tried.player(tried.on),
    ),
)
COUNTER_STARTED = PlayObstacle(
    ("SNI-21", "SNI-R5"),
    lambda tried: message(
        "{player} had no Combat Pile to add to: a pile that was just started is not moved by a Counter.",
        player=tried.player(tried.seat),
    ),
)
COUNTER_TAKEN = PlayObstacle(
    ("SNI-21", "SNI-22"),
    lambda tried: message(
        "{target} already has a Combat Pile: a Counter goes to a player who has none.",
        target=tried.player(tried.target),
    ),
)
COUNTER_SELF = PlayObstacle(
    ("SNI-21",), lambda tried: message("A Counter moves the Combat Pile away, to another player.")
)
COUNTER_BLOCKED = PlayObstacle(
    ("SNI-29", "SNI-R6", "SNI-21"),
    lambda tried: message(
        "No attack card may join {target}'s Combat Pile this round: {target} is under Block.",
        target=tried.player(tried.target),
    ),
)
COUNTER_YOSO = PlayObstacle(
    ("SNI-46", "SNI-R13"), lambda tried: message("{card} may not be used for a Counter.", card=tried.card)
)
NO_LEGAL_PLAY = PlayObstacle(
    ("SNI-24",), lambda tried: message("{card} has no legal play now and must be discarded.", card=tried.card)
)
SWAP_NO_PILE = PlayObstacle(
    ("SNI-40", "SNI-R9"), lambda tried: message("{on} has no Combat Pile to swap.", on=tried.player(tried.on))
)
SWAP_BLOCKED = PlayObstacle(
    ("SNI-30", "SNI-R9"),
    lambda tried: message("Sai may not be used on {on} this round: {on} is under Block.", on=tried.player(tried.on)),
)


def play_obstacles(state: SanNiIchiState, value: Value, on: int) -> tuple[PlayObstacle, ...]:
    """What keeps this card off that player's Combat Pile; empty: it may be played there."""
    pile = state.piles[on]
    if pile:
        found = NOT_BEATEN if value.element and BEATS[value.element] != pile[-1].element else None
    else:
        found = None if value.element or state.table.options.yoso_may_start_pile else YOSO_NEEDS_PILE
    if on in state.blocked:
        return (BLOCKED, found) if found else (BLOCKED,)
    return (found,) if found else ()


def counter_obstacles(state: SanNiIchiState, seat: int, value: Value, on: int, target: int) -> tuple[PlayObstacle, ...]:
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


def swap_obstacles(state: SanNiIchiState, seat: int) -> tuple[PlayObstacle, ...]:
    """What keeps Sai from this player's Combat Pile."""
    found = () if state.piles[seat] else (SWAP_NO_PILE,)
    return (SWAP_BLOCKED, *found) if seat in state.blocked else found


def could_act(state: SanNiIchiState) -> bool:
    """Whether the card that is next could do anything."""
    _, value = state.next_card()
    seats = range(len(state.hands))
    if value.kind == SAI:
        return sum(not swap_obstacles(state, seat) for seat in seats) >= 2
    if value.kind == TONFA:
        return any(state.piles)
    if value.kind in (ATTACK, YOSO):
        return any(not play_obstacles(state, value, seat) for seat in seats)
    return True


def may_discard(state: SanNiIchiState) -> bool:
    """An attack card always; a weapon that could act only where the players allow it (SNI-R10)."""
    _, value = state.next_card()
    return value.kind == ATTACK or state.table.options.weapons_may_be_discarded or not could_act(state)


def _refuse(obstacles: Iterable[PlayObstacle], tried: Attempt) -> None:
    faults = Faults()
    for each in obstacles:
        faults.add(each.rules, each.sentence(tried))
    faults.refuse()


def check_play(state: SanNiIchiState, seat: int, move: PlayOnPile) -> None:
    table = state.table
    _, value = state.next_card()
    on = table.seat(move.on)
    target = None if move.counter is None else table.seat(move.counter)
    found = play_obstacles(state, value, on)
    if target is not None:
        found += counter_obstacles(state, seat, value, on, target)
    if found:
        found += () if could_act(state) else (NO_LEGAL_PLAY,)
        _refuse(found, Attempt(state, seat, value, on, target or 0))
    _check_element(value, bool(state.piles[on]), move)


def _check_element(value: Value, pile: bool, move: PlayOnPile) -> None:
    rules = ("TABLE-4", "SNI-R12", "SNI-45", "SNI-6")
    card = Thing("card", value.card)
    if value.kind == YOSO and not pile:
        if move.element not in ELEMENTS:
            told = message("{card} starts a Combat Pile and needs an element: fire, water or wood.", card=card)
            raise Refused(rules, told)
    elif move.element is not None:
        told = message("Only a Yoso Kogeki that starts a Combat Pile names an element, not {card}.", card=card)
        raise Refused(rules, told)


def check_discard(state: SanNiIchiState) -> None:
    if not may_discard(state):
        _, value = state.next_card()
        told = message(
            "{card} can act, and in this match a weapon that can act may not be given up.",
            card=Thing("card", value.card),
        )
        raise Refused(("SNI-23", "SNI-R10"), told)


def check_mate(state: SanNiIchiState, seat: int, name: str | None, card: str) -> int:
    """The seat that a Block or a smoke bomb protects: its player's, or the team-mate's."""
    if name is None:
        return seat
    mate = state.table.seat(name)
    if mate not in (seat, state.table.mates[seat]):
        rules = ("SNI-60",) if state.table.options.teams else ("SNI-60", "SNI-58")
        told = message(
            "{player} may play {card} only for a team-mate, and {mate} is not one.",
            player=state.table.things[seat],
            card=Thing("card", card),
            mate=state.table.things[mate],
        )
        raise Refused(rules, told)
    return mate


def check_sai(state: SanNiIchiState, seat: int, move: UseSai) -> None:
    seats = tuple(state.table.seat(name) for name in move.swap)
    if len(seats) != 2 or seats[0] == seats[1]:
        raise Refused(("SNI-40", "TABLE-4"), message("Sai swaps the Combat Piles of two different players."))
    _, value = state.next_card()
    faults = Faults()
    for on in seats:
        for each in swap_obstacles(state, on):
            faults.add(each.rules, each.sentence(Attempt(state, seat, value, on)))
    faults.refuse()


def check_tonfa(state: SanNiIchiState, seat: int, move: UseTonfa) -> None:
    table = state.table
    source = table.seat(move.source)
    if not state.piles[source]:
        told = message("{source} has no Combat Pile to draw from.", source=table.things[source])
        raise Refused(("SNI-48", "SNI-R25"), told)
    drawn = state.piles[source][-1].card
    if move.discard == drawn or (move.discard is None and not state.hands[seat]):
        return
    player = table.things[seat]
    if move.discard is None:
        raise Refused(("TABLE-4", "SNI-48"), message("Tonfa: say which card {player} discards.", player=player))
    check_in_match(table, move.discard)
    if not state.hands[seat]:
        told = message(
            "{player}'s hand is empty: the card drawn, {drawn_card}, is the one to discard.",
            player=player,
            drawn_card=Thing("card", drawn),
        )
        raise Refused(("TABLE-2", "SNI-48", "SNI-R25"), told)
    try:
        if table.values[move.discard].kind == TORINOKO:
            check_bombs(state, seat, (move.discard,))
        else:
            check_held(state, seat, move.discard)
    except Refused as refusal:
        raise refusal.citing("SNI-48") from None

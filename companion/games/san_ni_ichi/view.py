"""What a viewer may know, built field by field.

All players and the spectators see the same open table. Kept back: what is in a Damage Pile, what it counts
until the match is over (or the players asked to see it), and what the referee remembers of hands.
"""

from typing import Any

import msgspec

from companion.games.san_ni_ichi import attack
from companion.games.san_ni_ichi.cards import ATTACK, BEATEN_BY, BLOCK, SAI, SHURIKEN, TONFA, YOSO
from companion.games.san_ni_ichi.state import State


class Note(msgspec.Struct, frozen=True):
    """A sentence with its rule."""

    rule: str
    say: str
    facts: dict[str, Any] = {}


class Seat(msgspec.Struct, frozen=True):
    name: str
    hand: int
    selected: bool
    """A card lies face down."""
    card: str | None
    """This round's card, once it is turned up."""
    played: bool
    pile: tuple[str, ...]
    """Bottom to top."""
    strength: int | None
    """Of the top card."""
    element: str | None
    """Of the top card; what a Yoso Kogeki stands for."""
    beaten_by: str | None
    """The element that may follow."""
    blocked: bool
    taken: int
    total: int | None
    """Kept back until the match is over."""
    mate: str | None


class Turn(msgspec.Struct, frozen=True):
    """A card in the order of play."""

    player: str
    card: str
    strength: int
    letter: str
    played: bool
    why: Note
    """Why it stands here in the order."""


class May(msgspec.Struct, frozen=True):
    """Something that the next card may do, and to whom."""

    move: str
    players: tuple[str, ...] = ()


class Weapon(msgspec.Struct, frozen=True):
    card: str
    strength: int
    letter: str
    damage: int
    origin: str


class View(msgspec.Struct, frozen=True):
    you: str | None
    round: int
    phase: str
    over: bool
    winners: tuple[str, ...]
    scoring: str
    seats: tuple[Seat, ...]
    order: tuple[Turn, ...]
    next: int | None
    """Index into `order`."""
    may: tuple[May, ...]
    """What may be done with the next card."""
    barred: dict[str, Note]
    """Where the next card may not go, and why."""
    block: tuple[Note, ...]
    """What Block forbids now."""
    asked: tuple[str, ...]
    """Who is asked for a smoke bomb: everybody who has a card."""
    weapons: tuple[Weapon, ...]
    discards: tuple[str, ...]


def view(state: State, viewer: str | None) -> View:
    table = state.table
    names = table.players
    turn = state.turn if state.phase == "attack" else None
    may, barred = _next(state) if turn is not None else ((), {})
    return View(
        you=viewer if viewer in table.seats else None,
        round=state.round,
        phase=state.phase,
        over=state.phase == "over",
        winners=tuple(names[seat] for seat in state.winners),
        scoring=table.options.scoring,
        seats=tuple(_seat(state, seat) for seat in range(len(names))),
        order=tuple(_turn(state, at) for at in range(len(state.order))),
        next=turn,
        may=may,
        barred=barred,
        block=tuple(_block(names[seat]) for seat in state.blocked),
        asked=tuple(name for name, hand in zip(names, state.hands, strict=True) if hand)
        if state.phase == "damage"
        else (),
        weapons=tuple(_weapon(state, card) for card in table.display),
        discards=state.discards,
    )


def _seat(state: State, seat: int) -> Seat:
    table = state.table
    pile = state.piles[seat]
    mine = next(((at, card) for at, (who, card) in enumerate(state.order) if who == seat), None)
    top = pile[-1] if pile else None
    mate = table.mates[seat]
    return Seat(
        name=table.players[seat],
        hand=state.hands[seat],
        selected=seat in state.selected,
        card=mine[1] if mine else None,
        played=mine is not None and mine[0] < state.turn,
        pile=tuple(laid.card for laid in pile),
        strength=table.values[top.card].strength if top else None,
        element=top.element if top else None,
        beaten_by=BEATEN_BY[top.element] if top else None,
        blocked=seat in state.blocked,
        taken=len(state.damage[seat]),
        total=table.total(state.damage[seat]) if state.phase == "over" or table.options.show_totals else None,
        mate=None if mate is None else table.players[mate],
    )


def _turn(state: State, at: int) -> Turn:
    table = state.table
    seat, card = state.order[at]
    value = table.values[card]
    facts = {"player": table.players[seat], "card": card, "strength": value.strength, "letter": value.letter}
    why = Note("SNI-13", "{player}: {card}, Strength {strength}.", facts)
    others = [table.values[other] for place, (_, other) in enumerate(state.order) if place != at]
    if any((other.strength, other.letter) == (value.strength, value.letter) for other in others):
        why = Note(
            "SNI-R3",
            "{player}: {card}, Strength {strength}, letter {letter}, clockwise from the dealer.",
            facts,
        )
    elif any(other.strength == value.strength for other in others):
        why = Note("SNI-52", "{player}: {card}, Strength {strength}, letter {letter}.", facts)
    return Turn(table.players[seat], card, value.strength, value.letter, at < state.turn, why)


def _next(state: State) -> tuple[tuple[May, ...], dict[str, Note]]:
    """What may be done with the card that is next, and what stands in its way elsewhere."""
    names = state.table.players
    seat, value = attack.current(state)
    seats = range(len(names))
    barred: dict[str, Note] = {}
    may: list[May] = []
    if value.kind in (ATTACK, YOSO):
        for on in seats:
            for obstacle in attack.bars(state, value, on)[:1]:
                top = state.piles[on][-1] if state.piles[on] else None
                facts = {"card": value.card, "on": names[on], "top_card": top.card if top else ""}
                facts |= {"element": top.element, "beating_element": BEATEN_BY[top.element]} if top else {}
                barred[names[on]] = Note(obstacle.rules[0], obstacle.say, facts)
        open_to = tuple(name for name in names if name not in barred)
        if open_to:
            may.append(May("play", open_to))
        if names[seat] in open_to and state.piles[seat]:
            targets = tuple(names[to] for to in seats if not attack.counter_bars(state, seat, value, seat, to))
            if targets:
                may.append(May("counter", targets))
    elif value.kind == SAI:
        for on in seats:
            for obstacle in attack.swap_bars(state, on)[:1]:
                barred[names[on]] = Note(obstacle.rules[0], obstacle.say, {"on": names[on]})
        if attack.could_act(state):
            may.append(May("sai", tuple(name for name in names if name not in barred)))
    elif value.kind == TONFA:
        if any(state.piles):
            may.append(May("tonfa", tuple(names[on] for on in seats if state.piles[on])))
    elif value.kind == SHURIKEN:
        may.append(May("shuriken", names))
    elif value.kind == BLOCK:
        mate = state.table.mates[seat]
        may.append(May("block", (names[seat],) if mate is None else (names[seat], names[mate])))
    if attack.may_discard(state):
        may.append(May("discard"))
    return tuple(may), barred


def _block(player: str) -> Note:
    say = "{player} is under Block: no attack card and no Sai on this Combat Pile; Shuriken and Tonfa may."
    return Note("SNI-29", say, {"player": player})


def _weapon(state: State, card: str) -> Weapon:
    value = state.table.values[card]
    return Weapon(card, value.strength, value.letter, value.score, value.origin)

"""The round from one move to the next: who is awaited, what is allowed, what follows."""

from collections.abc import Mapping
from typing import Any

from companion.core.rulings import Ruling
from companion.games.kit.game import Awaits, Sealed
from companion.games.san_ni_ichi import attack, damage, effects, selection
from companion.games.san_ni_ichi.moves import Play, Reveal, Sai, Select, Shuriken, SitOut, Smoke, Tonfa
from companion.games.san_ni_ichi.state import State

SMOKE_OR_PASS = ("smoke", "pass")
REVEAL = ("reveal",)


def awaits(state: State, sealed: Sealed) -> Awaits:
    """Public: it rests on what lies open and on the counts, never on who holds what."""
    names = state.table.players
    if state.phase == "attack":
        seat, value = attack.current(state)
        return {names[seat]: attack.KINDS[value.kind]}
    if state.phase == "selection":
        if state.selected:
            return {names[seat]: REVEAL for seat in state.selected if names[seat] not in sealed}
        return {
            name: selection.kinds(state, seat)
            for seat, name in enumerate(names)
            if state.hands[seat] and name not in sealed
        }
    if state.phase == "damage":
        return {name: SMOKE_OR_PASS for seat, name in enumerate(names) if state.hands[seat] and name not in sealed}
    return {}


def check(state: State, sealed: Sealed, player: str, move: Any) -> None:
    """Raise Refused if this awaited kind of move may not be made in this way."""
    seat = state.table.seats[player]
    match move:
        case Select():
            selection.check_select(state, sealed, seat)
        case SitOut():
            selection.check_sit_out(state, sealed, seat, move)
        case Reveal():
            selection.check_reveal(state, sealed, seat, move.card)
        case Play():
            attack.check_play(state, seat, move)
        case Sai():
            attack.check_sai(state, move)
        case Tonfa():
            attack.check_tonfa(state, seat, move)
        case Shuriken():
            state.table.seat(move.target)
        case Smoke():
            damage.check_smoke(state, sealed, seat, move)
        case _ if move.kind == "discard":
            attack.check_discard(state)
        case _ if move.kind == "block":
            attack.check_mate(state, seat, move.mate, attack.current(state)[1].card)


def apply(state: State, moves: Mapping[str, Any]) -> tuple[State, tuple[Ruling, ...]]:
    """One card of the order of play, or everybody's sealed moves at once."""
    if state.phase == "damage":
        return damage.resolve_damage(state, moves)
    if state.phase == "selection":
        if state.selected:
            return selection.resolve_reveal(state, moves)
        return selection.resolve_selection(state, moves)
    ((player, move),) = moves.items()
    state, ruling = effects.apply(state, state.table.seats[player], move)
    if state.turn < len(state.order):
        return state, (ruling,)
    state, more = damage.begin_damage(state)
    return state, (ruling, *more)


def options(state: State, sealed: Sealed, player: str) -> list[Any]:
    """Every move that `check` takes from this player now."""
    seat = state.table.seats[player]
    if state.phase == "attack":
        return attack.options(state, seat) if attack.current(state)[0] == seat else []
    if player in sealed or state.phase == "over":
        return []
    if state.selected:
        return [*selection.reveals(state, sealed, seat)] if seat in state.selected else []
    if not state.hands[seat]:
        return []
    if state.phase == "damage":
        return damage.options(state, sealed, seat)
    kinds = selection.kinds(state, seat)
    found: list[Any] = []
    if "select" in kinds and selection.may_select(state, sealed, seat):
        found.append(selection.SELECT)
    if "sit_out" in kinds:
        found += selection.sit_outs(state, sealed, seat)
    return found


def tick(state: State, sealed: Sealed, seconds: float) -> tuple[State, tuple[Ruling, ...]]:
    """No rule of this game asks for the time."""
    return state, ()

"""The round from one move to the next: what is allowed, and what follows."""

from collections.abc import Mapping
from typing import Any

from companion.core.rulings import Ruling
from companion.games.kit.game import Sealed
from companion.games.san_ni_ichi import attack, damage, effects, moves, selection
from companion.games.san_ni_ichi.state import SanNiIchiState


def check(state: SanNiIchiState, sealed: Sealed, player: str, move: Any) -> None:
    """Raise Refused if this awaited kind of move may not be made in this way."""
    seat = state.table.seats[player]
    match move:
        case moves.SelectFaceDown():
            selection.check_select(state, sealed, seat)
        case moves.SitOut():
            selection.check_sit_out(state, sealed, seat, move)
        case moves.TurnUpSelected():
            selection.check_reveal(state, sealed, seat, move.card)
        case moves.PlayOnPile():
            attack.check_play(state, seat, move)
        case moves.GiveUpCard():
            attack.check_discard(state)
        case moves.UseBlock():
            attack.check_mate(state, seat, move.mate, state.next_card()[1].card)
        case moves.UseSai():
            attack.check_sai(state, seat, move)
        case moves.UseShuriken():
            state.table.seat(move.target)
        case moves.UseTonfa():
            attack.check_tonfa(state, seat, move)
        case moves.UseSmokeBomb():
            damage.check_smoke(state, sealed, seat, move)


def apply(state: SanNiIchiState, made: Mapping[str, Any]) -> tuple[SanNiIchiState, tuple[Ruling, ...]]:
    """One card of the order of play, or everybody's sealed moves at once."""
    if state.phase == "damage":
        return damage.resolve_damage(state, made)
    if state.phase == "selection":
        if state.selected:
            return selection.resolve_reveal(state, made)
        return selection.resolve_selection(state, made)
    ((player, move),) = made.items()
    state, ruling = effects.apply(state, state.table.seats[player], move)
    if state.turn < len(state.order):
        return state, (ruling,)
    state, more = damage.begin_damage(state)
    return state, (ruling, *more)

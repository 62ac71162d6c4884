"""What everybody can see on the table: pawns, weapons, blocks and action cards."""

from companion.core.message import Message, Thing, message
from companion.games.kit.game import Sealed
from companion.games.kit.lying import covered, nothing, shown
from companion.games.sen_so.state import Ninja, SenSoState


def lies(state: SenSoState, sealed: Sealed) -> dict[str, Message]:
    told: dict[str, Message] = {}
    for ninja in state.ninjas:
        told[f"pawn.{ninja.name}"] = _pawn(state, ninja)
        told[f"{ninja.name}.weapon"] = _weapon(ninja)
        told[f"{ninja.name}.block"] = _block(state, ninja)
        told |= _actions(state, ninja, turned_up=ninja.acted or ninja.name in sealed)
    return told


def _pawn(state: SenSoState, ninja: Ninja) -> Message:
    player, cell = ninja.thing, Thing("place", state.board.name(ninja.cell))
    if ninja.out:
        return message("the pawn of {player}: off the board", player=player)
    return message("the pawn of {player}: on {cell}", player=player, cell=cell)


def _weapon(ninja: Ninja) -> Message:
    place = f"{ninja.name}.weapon"
    if ninja.weapon is not None:
        return shown(place, ninja.weapon)
    return covered(place) if "weapon" in ninja.down else nothing(place)


def _block(state: SenSoState, ninja: Ninja) -> Message:
    place = f"{ninja.name}.block"
    if ninja.second is not None:
        return shown(place, ninja.second)
    if ninja.block >= 0:
        side = Thing("direction", ninja.block_name or "")
        return message("{place}: the block, face up, {direction}", place=Thing("place", place), direction=side)
    return covered(place) if state.phase != "setup" or "block" in ninja.down else nothing(place)


def _actions(state: SenSoState, ninja: Ninja, *, turned_up: bool) -> dict[str, Message]:
    first, second = f"{ninja.name}.action1", f"{ninja.name}.action2"
    if state.phase == "setup":
        return {place: covered(place) if place[-7:] in ninja.down else nothing(place) for place in (first, second)}
    laying = state.phase == "select"  # the second action has become the first
    up = message("{place}: the card of this set, face up", place=Thing("place", first))
    return {
        first: up if turned_up and not laying else covered(first),
        second: nothing(second) if laying and "action2" not in ninja.down else covered(second),
    }

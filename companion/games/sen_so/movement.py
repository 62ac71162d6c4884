"""The Move phase: who may leap or fly, who goes where, and who bounces (SEN-24 to SEN-26, SEN-32 to SEN-38)."""

from collections.abc import Mapping

import msgspec

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.sen_so.geometry import OFF
from companion.games.sen_so.moves import Reveal
from companion.games.sen_so.state import WEAPONS, Ninja, State

MOVEMENTS = ("move", "leap", "flying_attack")
NEEDS_MOMENTUM = {"leap": "SEN-34", "flying_attack": "SEN-49"}
BANS = {
    "SEN-38": "{player} collided in the last set, so the {card} does nothing.",
    "SEN-50": "{player} made a Flying Attack in the last set, so the {card} does nothing.",
}


def why_not(state: State, ninja: Ninja, card: str) -> tuple[str, str] | None:
    """The rule that a Leap or Flying Attack breaks now, and in words; None where it is allowed or no such card."""
    if card not in NEEDS_MOMENTUM:
        return None
    # R6: the weapon counts that is active after the Pre-Actions.
    helped = any(WEAPONS[weapon].helps == card for weapon in ninja.held)
    if ninja.ban and not (helped and state.options.weapon_waives_bans):
        return ninja.ban, BANS[ninja.ban]
    if ninja.momentum or helped:
        return None
    return NEEDS_MOMENTUM[card], "{player}'s last action was no movement and no weapon helps: the {card} does nothing."


def go(state: State, reveals: Mapping[int, Reveal]) -> tuple[State, dict[int, Reveal], tuple[Ruling, ...]]:
    """Move everybody who moves. Gives back the actions that count: an invalid one is none at all (SEN-26, R7)."""
    rulings: list[Ruling] = []
    valid: dict[int, Reveal] = {}
    for index, move in reveals.items():
        reason = why_not(state, state.ninjas[index], move.card)
        if reason:
            facts = {"player": state.ninjas[index].name, "card": move.card}
            rulings += [
                Ruling(reason[0], message(reason[1], **facts)),
                Ruling("SEN-26", message("An invalid move is no action.")),
            ]
        else:
            valid[index] = move
    paths = {index: _path(state, index, move) for index, move in valid.items() if move.card in MOVEMENTS}
    places, collided = _settle(state, paths)
    ninjas = list(state.ninjas)
    for index, move in reveals.items():
        ninja = ninjas[index]
        moved = index in paths
        hit = index in collided
        ninjas[index] = msgspec.structs.replace(
            ninja,
            cell=places.get(index, ninja.cell),
            momentum=moved and not hit and move.card != "flying_attack",
            ban="SEN-38" if hit else "SEN-50" if moved and move.card == "flying_attack" else "",
            acted=True,
        )
        if moved:
            rulings += _told(state, index, move, places[index], collided.get(index))
    return msgspec.structs.replace(state, ninjas=tuple(ninjas)), valid, tuple(rulings)


def _path(state: State, index: int, move: Reveal) -> list[int]:
    """Start, the space gone over (Leap), landing; OFF beyond the wall."""
    ninja, step = state.ninjas[index], state.board.step
    direction = (move.turn + ninja.facing) % 8
    path = [ninja.cell, step[ninja.cell][direction]]
    if move.card == "leap":
        path.append(OFF if path[1] == OFF else step[path[1]][direction])
    return path


def _settle(state: State, paths: Mapping[int, list[int]]) -> tuple[dict[int, int], dict[int, str]]:
    """Where everybody ends, and who collided with what (`wall` or `player`).

    R11: in passes, every mover who stands where somebody else is goes back one stage until no space holds two. Who is
    back at the start is never displaced, and a stander has not moved at all (R8).
    """
    if not paths:
        return {}, {}
    stage = {index: len(path) - 1 for index, path in paths.items()}
    collided: dict[int, str] = {}
    for index, path in paths.items():
        while path[stage[index]] == OFF:
            stage[index] -= 1
            collided[index] = "wall"
    while True:
        places = {index: ninja.cell for index, ninja in enumerate(state.ninjas) if not ninja.out}
        places.update({index: path[stage[index]] for index, path in paths.items()})
        crowd: dict[int, int] = {}
        for cell in places.values():
            crowd[cell] = crowd.get(cell, 0) + 1
        bounced = [index for index in paths if stage[index] and crowd[places[index]] > 1]
        if not bounced:
            return places, collided
        for index in bounced:
            stage[index] -= 1
            collided.setdefault(index, "player")


def _told(state: State, index: int, move: Reveal, place: int, collision: str | None) -> list[Ruling]:
    ninja, board = state.ninjas[index], state.board
    facts = {"player": ninja.name, "card": move.card, "place": board.name(place)}
    before = board.name(ninja.cell)
    changes = {f"players.{ninja.name}.cell": (before, facts["place"])} if place != ninja.cell else {}
    if collision is None:
        rule = {"move": "SEN-32", "leap": "SEN-33", "flying_attack": "SEN-47"}[move.card]
        return [Ruling(rule, message("{player} moves to {place} ({card}).", **facts), changes)]
    rule = "SEN-37" if move.card == "leap" and place != ninja.cell else "SEN-36"
    if collision == "wall":
        said = Ruling("SEN-35", message("{player} runs into the wall.", **facts))
    else:
        said = Ruling("SEN-35", message("{player} collides with another player.", **facts))
    back = Ruling(rule, message("{player} bounces back to {place}; no Leap or Flying Attack next.", **facts), changes)
    return [said, back]

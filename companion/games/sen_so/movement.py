"""The Move phase: who may leap or fly, who goes where, and who bounces back (SEN-24 to SEN-26, SEN-32 to SEN-38)."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from companion.core.message import Message, Thing, message
from companion.core.rulings import Ruling
from companion.games.sen_so.cards import MOVEMENTS, WEAPONS
from companion.games.sen_so.geometry import OFF
from companion.games.sen_so.happenings import NinjaCollided, NinjaMoved
from companion.games.sen_so.moves import RevealAction
from companion.games.sen_so.state import Ban, Ninja, SenSoState

NEEDS_MOMENTUM = {"leap": "SEN-34", "flying_attack": "SEN-49"}
ARRIVALS = {"move": "SEN-32", "leap": "SEN-33", "flying_attack": "SEN-47"}
RanInto = Literal["wall", "player"]


def broken_rule(state: SenSoState, ninja: Ninja, card: str) -> str | None:
    """The rule that a Leap or Flying Attack breaks now; None where it is allowed, or where this is another card."""
    if card not in NEEDS_MOMENTUM:
        return None
    # The weapon that counts is the one that is active after the Pre-Actions (SEN-R6).
    helped = any(WEAPONS[weapon].helps == card for weapon in ninja.held)
    if ninja.ban and not (helped and state.options.weapon_waives_bans):  # SEN-R4, SEN-R5
        return ninja.ban
    return None if ninja.momentum or helped else NEEDS_MOMENTUM[card]


def _why_invalid(rule: str, ninja: Ninja, card: str) -> Message:
    player, named = ninja.thing, Thing("card", card)
    if rule == "SEN-38":
        return message("{player} collided in the last set, so the {card} does nothing.", player=player, card=named)
    if rule == "SEN-50":
        return message(
            "{player} made a Flying Attack in the last set, so the {card} does nothing.", player=player, card=named
        )
    return message(
        "{player}'s last action was not a movement and no weapon helps: the {card} does nothing.",
        player=player,
        card=named,
    )


def move_all(
    state: SenSoState, reveals: Mapping[int, RevealAction]
) -> tuple[SenSoState, dict[int, RevealAction], tuple[Ruling, ...]]:
    """Move everybody who moves. Also gives the actions that count: an invalid move is none (SEN-26, SEN-R7)."""
    rulings: list[Ruling] = []
    valid: dict[int, RevealAction] = {}
    for index, move in reveals.items():
        rule = broken_rule(state, state.ninjas[index], move.card)
        if rule is None:
            valid[index] = move
        else:
            rulings.append(Ruling(rule, _why_invalid(rule, state.ninjas[index], move.card)))
            rulings.append(Ruling("SEN-26", message("An invalid move counts as no action.")))
    paths = {index: _path(state, index, move) for index, move in valid.items() if move.card in MOVEMENTS}
    places, collided = _settle(state, paths)
    ninjas = list(state.ninjas)
    for index, move in reveals.items():
        ninja, moved, bounced = ninjas[index], index in paths, index in collided
        ninjas[index] = msgspec.structs.replace(
            ninja,
            cell=places.get(index, ninja.cell),
            momentum=moved and not bounced and move.card != "flying_attack",  # SEN-R3
            ban=_next_ban(moved, bounced, move.card),
            acted=True,
        )
        if moved:
            rulings += _told(state, index, move, places[index], collided.get(index))
    return msgspec.structs.replace(state, ninjas=tuple(ninjas)), valid, tuple(rulings)


def _next_ban(moved: bool, bounced: bool, card: str) -> Ban:
    if bounced:
        return "SEN-38"
    return "SEN-50" if moved and card == "flying_attack" else ""


def _path(state: SenSoState, index: int, move: RevealAction) -> list[int]:
    """The start, the space leapt over (for a Leap), and the landing; OFF beyond the wall."""
    ninja, step = state.ninjas[index], state.board.step
    direction = (move.turn + ninja.facing) % 8
    path = [ninja.cell, step[ninja.cell][direction]]
    if move.card == "leap":
        path.append(OFF if path[1] == OFF else step[path[1]][direction])
    return path


def _settle(state: SenSoState, paths: Mapping[int, list[int]]) -> tuple[dict[int, int], dict[int, RanInto]]:
    """Where everybody ends, and what those who collided ran into.

    In passes, every mover who is on a space with somebody else goes back one stage, until no space holds two
    (SEN-R11). A player who is back at the start is never displaced, and one who did not move stays (SEN-R8).
    """
    if not paths:
        return {}, {}
    stage = {index: len(path) - 1 for index, path in paths.items()}
    collided: dict[int, RanInto] = {}
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


def _told(state: SenSoState, index: int, move: RevealAction, place: int, obstacle: RanInto | None) -> list[Ruling]:
    """The rulings about one player's movement."""
    ninja = state.ninjas[index]
    start, cell = state.board.name(ninja.cell), state.board.name(place)
    player, where = ninja.thing, Thing("place", cell)
    changes: dict[str, tuple[object, object]] = {}
    moved = None
    if place != ninja.cell:
        changes = {f"players.{ninja.name}.cell": (start, cell)}
        moved = NinjaMoved(ninja.name, start, cell)
    if obstacle is None:
        said = message("{player} moves to {place} ({card}).", player=player, place=where, card=Thing("card", move.card))
        return [Ruling(ARRIVALS[move.card], said, changes, moved)]
    if obstacle == "wall":
        collision = message("{player} runs into the wall.", player=player)
    else:
        collision = message("{player} collides with another player.", player=player)
    said = message("{player} bounces back to {place}; no Leap or Flying Attack next.", player=player, place=where)
    rule = "SEN-37" if move.card == "leap" and place != ninja.cell else "SEN-36"
    return [
        Ruling("SEN-35", collision, happened=NinjaCollided(ninja.name, cell)),
        Ruling(rule, said, changes, moved),
    ]

"""The course of a set: whether a move may be made, and what follows from it (SEN-17 to SEN-31)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.message import Message, Thing, message, things
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Sealed
from companion.games.sen_so import attack, movement, placement, scoring
from companion.games.sen_so import moves as m
from companion.games.sen_so.cards import REVEALED, SHURIKEN, WEAPONS
from companion.games.sen_so.ending import Rulings, end_set, finish, leave
from companion.games.sen_so.geometry import NAMES, NUMBER, OFF
from companion.games.sen_so.happenings import AttackAimed
from companion.games.sen_so.state import HIDDEN, NO_BLOCK, Ninja, SenSoState

TOGETHER = frozenset({"show", "reveal", "aim", "glance", "guard"})


def check(state: SenSoState, sealed: Sealed, player: str, move: m.Moves) -> None:
    index = state.index(player)
    ninja = state.ninjas[index]
    match move:  # the most frequent first
        case m.Set():
            placement.check_set(state, index, move)
        case m.RevealAction():
            _check_reveal(ninja, move)
        case m.AimAt():
            _check_aim(state, index, move)
        case m.ShowBlock():
            _check_guard(state, index, move)
        case m.ChangeWeapon():
            placement.check_change(state, ninja, move.weapon, ninja.second, "SEN-20")
        case m.SecondWeapon():
            placement.check_change(state, ninja, move.weapon, ninja.weapon, "SEN-A5")
        case m.RotateBlock():
            _check_rotation(ninja, move)
        case m.Arm():
            placement.check_arm(ninja, move)
        case m.Show():
            placement.check_weapon(ninja, move.weapon, "SEN-13")


def _check_reveal(ninja: Ninja, move: m.RevealAction) -> None:
    card = Thing("card", move.card)
    if move.card == "block":
        told = message("A block is not revealed as an action: it changes the block in the Pre-Actions.")
        raise Refused(("SEN-19", "SEN-17", "TABLE-4"), told)
    if move.card in WEAPONS and move.card != SHURIKEN:
        told = message("A weapon is not revealed as an action: it changes the weapon in the Pre-Actions.")
        raise Refused(("SEN-20", "SEN-17", "TABLE-4"), told)
    if move.card not in REVEALED:
        raise Refused(("TABLE-4", "SEN-1"), message("There is no action card called {card}.", card=card))
    if move.direction not in NUMBER:
        raise Refused(("SEN-7", "TABLE-4"), message("A {card} card points in one of eight directions.", card=card))
    if move.card == SHURIKEN and not ninja.shuriken:
        raise _no_shuriken(ninja)


def _no_shuriken(ninja: Ninja) -> Refused:
    player = ninja.thing
    if SHURIKEN in (ninja.loadout or ()):
        told = message("{player} has thrown every Shuriken; they are out of the game.", player=player)
        return Refused(("SEN-46", "TABLE-1", "TABLE-2"), told)
    told = message("{player} did not choose a Shuriken for this match.", player=player)
    return Refused(("SEN-12", "TABLE-1", "TABLE-2"), told)


def _check_aim(state: SenSoState, index: int, move: m.AimAt) -> None:
    cell = state.board.cell(move.cell)
    choices = next(each.choices for each in state.attacks if each.by == index)
    if cell in choices:
        return
    rules = ("SEN-40", "SEN-39", "SEN-27") + (("TABLE-4",) if cell == OFF else ())
    if state.ninjas[index].weapon == "nunchaku":
        rules += ("SEN-41",)
    told = message(
        "{player} cannot attack {cell}; the pattern reaches {choices}.",
        player=state.ninjas[index].thing,
        cell=Thing("place", move.cell),
        choices=things("place", map(state.board.name, choices)),
    )
    raise Refused(rules, told)


def _check_guard(state: SenSoState, index: int, move: m.ShowBlock) -> None:
    if move.direction is None:
        return
    ninja, side = state.ninjas[index], NUMBER[move.direction]
    player, shown = ninja.thing, Thing("direction", move.direction)
    sides = attack.sides_hit(state, index)
    if side not in sides:
        told = message(
            "No blow came from {side}, so a block on that side stays hidden; {player} is hit from {sides}.",
            side=shown,
            player=player,
            sides=things("direction", (NAMES[each] for each in sorted(sides))),
        )
        raise Refused(("SEN-55", "SEN-53", "SEN-14"), told)
    if side in ninja.unguarded:
        told = message(
            "{player} was hit from {side} before and did not show this block; it has not changed since.",
            side=shown,
            player=player,
        )
        raise Refused(("SEN-55", "SEN-14"), told)


def _check_rotation(ninja: Ninja, move: m.RotateBlock) -> None:
    if (NUMBER[move.direction] - ninja.block) % 8 not in (1, 7):
        told = message(
            "A block is turned by one angle, not from {from_side} to {side}.",
            from_side=Thing("direction", NAMES[ninja.block]),
            side=Thing("direction", move.direction),
        )
        raise Refused("SEN-A4", told)


def apply(state: SenSoState, moves: Mapping[str, m.Moves]) -> tuple[SenSoState, Rulings]:
    player, move = next(iter(moves.items()))
    index = state.index(player)
    match move:  # the most frequent first
        case m.Set():
            return _placed(placement.put_down(state, index, move))
        case m.RevealAction():
            return _reveal(state, moves)  # type: ignore[arg-type]  # sealed moves are all of one kind, here and below
        case m.AimAt():
            return _aim(state, moves)  # type: ignore[arg-type]
        case m.ShowBlock():
            return _guard(state, moves)  # type: ignore[arg-type]
        case m.ChangeBlock():
            return _change_block(state, index)
        case m.ChangeWeapon():
            return _change_weapon(state, index, move)
        case m.SecondWeapon():
            return _second_weapon(state, index, move)
        case m.RotateBlock():
            return _rotate_block(state, index, move)
        case m.AsGlance():
            return _glance(state, moves)  # type: ignore[arg-type]
        case m.Arm():
            return placement.arm(state, index, move)
        case m.Show():
            return _shown(state, moves)  # type: ignore[arg-type]
        case m.Concede():
            return drop_out(state, index, message("{player} concedes.", player=state.ninjas[index].thing))


def _placed(state: SenSoState) -> tuple[SenSoState, Rulings]:
    """The next set begins when the last card is placed; the first one also waits for the start weapons."""
    if state.phase == "setup":
        begins = placement.set_up(state)
    else:
        begins = all(state.ninjas[index].down for index in state.present)
    return _start_set(state, ()) if begins else (state, ())


def _shown(state: SenSoState, moves: Mapping[str, m.Show]) -> tuple[SenSoState, Rulings]:
    """The start weapons are face up; the first set begins if the rest of the set-up lies there already."""
    state, said = placement.show(state, moves)
    return _start_set(state, said) if placement.set_up(state) else (state, said)


def _start_set(state: SenSoState, rulings: Rulings) -> tuple[SenSoState, Rulings]:
    ninjas = tuple(
        msgspec.structs.replace(ninja, acted=False, rotated=False, down=frozenset()) for ninja in state.ninjas
    )
    return msgspec.structs.replace(state, ninjas=ninjas, phase="pre_actions", changed_weapon=False), rulings


# --- Pre-Actions ------------------------------------------------------------------------------------------------------


def _change_block(state: SenSoState, index: int) -> tuple[SenSoState, Rulings]:
    ninja = state.ninjas[index]
    told = message("{player} changes the block; the new one is hidden.", player=ninja.thing)
    said = Ruling("SEN-19", told, {f"players.{ninja.name}.block": (ninja.block_name, "hidden")})
    return _changed(_after_change(state, index, block=HIDDEN, second=None, unguarded=frozenset()), said)


def _change_weapon(state: SenSoState, index: int, move: m.ChangeWeapon) -> tuple[SenSoState, Rulings]:
    ninja, weapon = state.ninjas[index], Thing("weapon", move.weapon)
    told = message("{player} changes the weapon to {weapon}.", player=ninja.thing, weapon=weapon)
    said = Ruling("SEN-20", told, {f"players.{ninja.name}.weapon": (ninja.weapon, move.weapon)})
    state = _after_change(state, index, weapon=move.weapon)
    return _changed(msgspec.structs.replace(state, changed_weapon=True), said)


def _second_weapon(state: SenSoState, index: int, move: m.SecondWeapon) -> tuple[SenSoState, Rulings]:
    ninja = state.ninjas[index]
    told = message(
        "{player} takes the {weapon} as a second weapon, in the place of the block.",
        player=ninja.thing,
        weapon=Thing("weapon", move.weapon),
    )
    place = f"players.{ninja.name}"
    changes = {f"{place}.second": (ninja.second, move.weapon), f"{place}.block": (ninja.block_name, None)}
    state = _after_change(state, index, block=NO_BLOCK, second=move.weapon, unguarded=frozenset())
    return _changed(msgspec.structs.replace(state, changed_weapon=True), Ruling("SEN-A5", told, changes))


def _rotate_block(state: SenSoState, index: int, move: m.RotateBlock) -> tuple[SenSoState, Rulings]:
    ninja, side = state.ninjas[index], Thing("direction", move.direction)
    told = message("{player} turns the block to {side}.", player=ninja.thing, side=side)
    said = Ruling("SEN-A4", told, {f"players.{ninja.name}.block": (ninja.block_name, move.direction)})
    return state.with_ninja(index, block=NUMBER[move.direction], rotated=True), (said,)


def _after_change(state: SenSoState, index: int, **changes: Any) -> SenSoState:
    """A change is an action without movement: it uses up what the last action allowed or forbade."""
    return state.with_ninja(index, acted=True, momentum=False, ban="", **changes)


def _changed(state: SenSoState, *rulings: Ruling) -> tuple[SenSoState, Rulings]:
    """If nobody is left to reveal, the set ends without movement or attack."""
    if all(state.ninjas[index].acted for index in state.present):
        return end_set(state, rulings)
    return state, rulings


# --- Reveal, Move, Attack, Scoring ------------------------------------------------------------------------------------


def _reveal(state: SenSoState, moves: Mapping[str, m.RevealAction]) -> tuple[SenSoState, Rulings]:
    reveals = {index: moves[ninja.name] for index, ninja in enumerate(state.ninjas) if ninja.name in moves}
    state, valid, rulings = movement.move_all(state, reveals)
    return _ask(msgspec.structs.replace(state, attacks=attack.attacks_of(state, valid)), rulings)


def _aim(state: SenSoState, moves: Mapping[str, m.AimAt]) -> tuple[SenSoState, Rulings]:
    cells = {state.index(name): state.board.cell(move.cell) for name, move in moves.items()}
    attacks = tuple(
        msgspec.structs.replace(each, target=cells[each.by]) if each.by in cells else each for each in state.attacks
    )
    said = tuple(_aimed(state, name, move.cell) for name, move in moves.items())
    return _ask(msgspec.structs.replace(state, attacks=attacks), said)


def _aimed(state: SenSoState, player: str, cell: str) -> Ruling:
    start = state.board.name(state.ninjas[state.index(player)].cell)
    said = message("{player} attacks {cell}.", player=Thing("player", player), cell=Thing("place", cell))
    return Ruling("SEN-40", said, happened=AttackAimed(player, start, cell))


def _glance(state: SenSoState, moves: Mapping[str, m.AsGlance]) -> tuple[SenSoState, Rulings]:
    chosen = {state.index(name): move.result for name, move in moves.items()}
    attacks = tuple(msgspec.structs.replace(each, glance=chosen.get(each.by, each.glance)) for each in state.attacks)
    return _ask(msgspec.structs.replace(state, attacks=attacks), ())


def _guard(state: SenSoState, moves: Mapping[str, m.ShowBlock]) -> tuple[SenSoState, Rulings]:
    rulings: list[Ruling] = []
    for name, move in moves.items():
        index = state.index(name)
        if move.direction is None:
            state = state.with_ninja(index, unguarded=state.ninjas[index].unguarded | attack.sides_hit(state, index))
        else:
            state = state.with_ninja(index, block=NUMBER[move.direction])
            told = message(
                "{player} shows the block towards {side}; it stays face up until it is changed (see SEN-57).",
                player=Thing("player", name),
                side=Thing("direction", move.direction),
            )
            rulings.append(Ruling("SEN-55", told, {f"players.{name}.block": ("hidden", move.direction)}))
    return _score(state, tuple(rulings))


def _ask(state: SenSoState, rulings: Rulings) -> tuple[SenSoState, Rulings]:
    """Ask for what is still missing before the Scoring: locations, then glances, then blocks."""
    if players := attack.to_aim(state):
        return msgspec.structs.replace(state, phase="attack", asked=players), rulings
    if players := attack.to_glance(state):
        return msgspec.structs.replace(state, phase="glance", asked=players), rulings
    if players := attack.to_guard(state):
        return msgspec.structs.replace(state, phase="guard", asked=players), rulings
    return _score(state, rulings)


def _score(state: SenSoState, rulings: Rulings) -> tuple[SenSoState, Rulings]:
    state, said = scoring.score(state)
    return end_set(state, rulings + said)


# --- Knock Out --------------------------------------------------------------------------------------------------------


def drop_out(state: SenSoState, index: int, told: Message) -> tuple[SenSoState, Rulings]:
    """A player leaves a Knock Out in the middle of a set (SEN-A1)."""
    state, left = leave(state, index, told)
    said = (left,)
    if len(state.present) <= 1:
        return finish(state, said, "SEN-A1")
    attacks = tuple(each for each in state.attacks if each.by != index)
    state = msgspec.structs.replace(state, attacks=attacks)
    match state.phase:
        case "pre_actions":
            return _changed(state, left)
        case "attack" | "glance" | "guard":
            return _ask(state, said)
        case "setup" if placement.set_up(state):
            return _start_set(state, said)
        case "select" if all(state.ninjas[each].down for each in state.present):
            return _start_set(state, said)
    return state, said

"""The course of a set: whether a move may be made, and what follows from it (SEN-17 to SEN-31)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.message import Message, Thing, message, things
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Sealed
from companion.games.sen_so import attack, movement, placement, scoring
from companion.games.sen_so.cards import REVEALED, SHURIKEN, WEAPONS
from companion.games.sen_so.ending import Rulings, end_set, finish, leave
from companion.games.sen_so.geometry import NAMES, NUMBER, OFF
from companion.games.sen_so.happenings import AttackAimed
from companion.games.sen_so.moves import (
    AimAt,
    Arm,
    AsGlance,
    ChangeBlock,
    Changes,
    ChangeWeapon,
    Concede,
    Moves,
    RevealAction,
    RotateBlock,
    SecondWeapon,
    Set,
    Show,
    ShowBlock,
)
from companion.games.sen_so.state import HIDDEN, NO_BLOCK, Ninja, SenSoState

TOGETHER = frozenset({"show", "reveal", "aim", "glance", "guard"})


def check(state: SenSoState, sealed: Sealed, player: str, move: Moves) -> None:
    index = state.index(player)
    ninja = state.ninjas[index]
    match move:  # the most frequent first
        case Set():
            placement.check_set(state, index, move)
        case RevealAction():
            _check_reveal(ninja, move)
        case AimAt():
            _check_aim(state, index, move)
        case ShowBlock():
            _check_guard(state, index, move)
        case ChangeWeapon():
            placement.check_change(state, ninja, move.weapon, ninja.second, "SEN-20")
        case SecondWeapon():
            placement.check_change(state, ninja, move.weapon, ninja.weapon, "SEN-A5")
        case RotateBlock():
            _check_rotation(ninja, move)
        case Arm():
            placement.check_arm(ninja, move)
        case Show():
            placement.check_weapon(ninja, move.weapon, "SEN-13")


def _check_reveal(ninja: Ninja, move: RevealAction) -> None:
    card = Thing("card", move.card)
    if move.card == "block":
        raise Refused(
            ("SEN-19", "SEN-17", "TABLE-4"),
            message("A block is not revealed as an action: it changes the block in the Pre-Actions."),
        )
    if move.card in WEAPONS and move.card != SHURIKEN:
        raise Refused(
            ("SEN-20", "SEN-17", "TABLE-4"),
            message("A weapon is not revealed as an action: it changes the weapon in the Pre-Actions."),
        )
    if move.card not in REVEALED:
        raise Refused(("TABLE-4", "SEN-1"), message("There is no action card called {card}.", card=card))
    if move.direction not in NUMBER:
        raise Refused(("SEN-7", "TABLE-4"), message("A {card} card points in one of eight directions.", card=card))
    if move.card == SHURIKEN and not ninja.shuriken:
        raise _no_shuriken(ninja)


def _no_shuriken(ninja: Ninja) -> Refused:
    player = Thing("player", ninja.name)
    if SHURIKEN in (ninja.loadout or ()):
        return Refused(
            ("SEN-46", "TABLE-1", "TABLE-2"),
            message("{player} has thrown every Shuriken; they are out of the game.", player=player),
        )
    return Refused(
        ("SEN-12", "TABLE-1", "TABLE-2"),
        message("{player} did not choose a Shuriken for this match.", player=player),
    )


def _check_aim(state: SenSoState, index: int, move: AimAt) -> None:
    cell = state.board.cell(move.cell)
    choices = next(each.choices for each in state.attacks if each.by == index)
    if cell in choices:
        return
    rules = ("SEN-40", "SEN-39", "SEN-27") + (("TABLE-4",) if cell == OFF else ())
    if state.ninjas[index].weapon == "nunchaku":
        rules += ("SEN-41",)
    raise Refused(
        rules,
        message(
            "{player} cannot attack {cell}; the pattern reaches {choices}.",
            player=Thing("player", state.ninjas[index].name),
            cell=Thing("place", move.cell),
            choices=things("place", map(state.board.name, choices)),
        ),
    )


def _check_guard(state: SenSoState, index: int, move: ShowBlock) -> None:
    if move.direction is None:
        return
    ninja, side = state.ninjas[index], NUMBER[move.direction]
    player, shown = Thing("player", ninja.name), Thing("direction", move.direction)
    sides = attack.sides_hit(state, index)
    if side not in sides:
        raise Refused(
            ("SEN-55", "SEN-53", "SEN-14"),
            message(
                "No blow came from {side}, so a block on that side stays hidden; {player} is hit from {sides}.",
                side=shown,
                player=player,
                sides=things("direction", (NAMES[each] for each in sorted(sides))),
            ),
        )
    if side in ninja.unguarded:
        raise Refused(
            ("SEN-55", "SEN-14"),
            message(
                "{player} was hit from {side} before and did not show this block; it has not changed since.",
                side=shown,
                player=player,
            ),
        )


def _check_rotation(ninja: Ninja, move: RotateBlock) -> None:
    if (NUMBER[move.direction] - ninja.block) % 8 not in (1, 7):
        raise Refused(
            "SEN-A4",
            message(
                "A block is turned by one angle, not from {from_side} to {side}.",
                from_side=Thing("direction", NAMES[ninja.block]),
                side=Thing("direction", move.direction),
            ),
        )


def apply(state: SenSoState, moves: Mapping[str, Moves]) -> tuple[SenSoState, Rulings]:
    player, move = next(iter(moves.items()))
    index = state.index(player)
    match move:  # the most frequent first
        case Set():
            return _placed(placement.put_down(state, index, move))
        case RevealAction():
            return _reveal(state, moves)  # type: ignore[arg-type]  # sealed moves are all of one kind, here and below
        case AimAt():
            return _aim(state, moves)  # type: ignore[arg-type]
        case ShowBlock():
            return _guard(state, moves)  # type: ignore[arg-type]
        case ChangeBlock() | ChangeWeapon() | SecondWeapon() | RotateBlock():
            return _pre_action(state, index, move)
        case AsGlance():
            return _glance(state, moves)  # type: ignore[arg-type]
        case Arm():
            return placement.arm(state, index, move)
        case Show():
            return _shown(state, moves)  # type: ignore[arg-type]
        case Concede():
            return _concede(state, index)


def _placed(state: SenSoState) -> tuple[SenSoState, Rulings]:
    """The next set begins when the last card is placed; the first one also waits for the start weapons."""
    if state.phase == "setup":
        begins = placement.set_up(state)
    else:
        begins = all(state.ninjas[index].down for index in state.present)
    return _start_set(state, ()) if begins else (state, ())


def _shown(state: SenSoState, moves: Mapping[str, Show]) -> tuple[SenSoState, Rulings]:
    """The start weapons are face up; the first set begins if the rest of the set-up lies there already."""
    state, said = placement.show(state, moves)
    return _start_set(state, said) if placement.set_up(state) else (state, said)


def _start_set(state: SenSoState, rulings: Rulings) -> tuple[SenSoState, Rulings]:
    ninjas = tuple(
        msgspec.structs.replace(ninja, acted=False, rotated=False, down=frozenset()) for ninja in state.ninjas
    )
    return msgspec.structs.replace(state, ninjas=ninjas, phase="pre_actions", changed_weapon=False), rulings


# --- Pre-Actions ------------------------------------------------------------------------------------------------------


def _pre_action(state: SenSoState, index: int, move: Changes | RotateBlock) -> tuple[SenSoState, Rulings]:
    match move:
        case ChangeBlock():
            return _change_block(state, index)
        case ChangeWeapon():
            return _change_weapon(state, index, move)
        case SecondWeapon():
            return _second_weapon(state, index, move)
        case RotateBlock():
            return _rotate_block(state, index, move)


def _change_block(state: SenSoState, index: int) -> tuple[SenSoState, Rulings]:
    ninja = state.ninjas[index]
    said = Ruling(
        "SEN-19",
        message("{player} changes the block; the new one is hidden.", player=Thing("player", ninja.name)),
        {f"players.{ninja.name}.block": (ninja.block_name, "hidden")},
    )
    return _changed(_after_change(state, index, block=HIDDEN, second=None, unguarded=frozenset()), said)


def _change_weapon(state: SenSoState, index: int, move: ChangeWeapon) -> tuple[SenSoState, Rulings]:
    ninja = state.ninjas[index]
    said = Ruling(
        "SEN-20",
        message(
            "{player} changes the weapon to {weapon}.",
            player=Thing("player", ninja.name),
            weapon=Thing("weapon", move.weapon),
        ),
        {f"players.{ninja.name}.weapon": (ninja.weapon, move.weapon)},
    )
    state = _after_change(state, index, weapon=move.weapon)
    return _changed(msgspec.structs.replace(state, changed_weapon=True), said)


def _second_weapon(state: SenSoState, index: int, move: SecondWeapon) -> tuple[SenSoState, Rulings]:
    ninja = state.ninjas[index]
    said = Ruling(
        "SEN-A5",
        message(
            "{player} takes the {weapon} as a second weapon, in the place of the block.",
            player=Thing("player", ninja.name),
            weapon=Thing("weapon", move.weapon),
        ),
        {
            f"players.{ninja.name}.second": (ninja.second, move.weapon),
            f"players.{ninja.name}.block": (ninja.block_name, None),
        },
    )
    state = _after_change(state, index, block=NO_BLOCK, second=move.weapon, unguarded=frozenset())
    return _changed(msgspec.structs.replace(state, changed_weapon=True), said)


def _rotate_block(state: SenSoState, index: int, move: RotateBlock) -> tuple[SenSoState, Rulings]:
    ninja = state.ninjas[index]
    said = Ruling(
        "SEN-A4",
        message(
            "{player} turns the block to {side}.",
            player=Thing("player", ninja.name),
            side=Thing("direction", move.direction),
        ),
        {f"players.{ninja.name}.block": (ninja.block_name, move.direction)},
    )
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


def _reveal(state: SenSoState, moves: Mapping[str, RevealAction]) -> tuple[SenSoState, Rulings]:
    reveals = {index: moves[ninja.name] for index, ninja in enumerate(state.ninjas) if ninja.name in moves}
    state, valid, rulings = movement.move_all(state, reveals)
    return _ask(msgspec.structs.replace(state, attacks=attack.attacks_of(state, valid)), rulings)


def _aim(state: SenSoState, moves: Mapping[str, AimAt]) -> tuple[SenSoState, Rulings]:
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


def _glance(state: SenSoState, moves: Mapping[str, AsGlance]) -> tuple[SenSoState, Rulings]:
    chosen = {state.index(name): move.result for name, move in moves.items()}
    attacks = tuple(msgspec.structs.replace(each, glance=chosen.get(each.by, each.glance)) for each in state.attacks)
    return _ask(msgspec.structs.replace(state, attacks=attacks), ())


def _guard(state: SenSoState, moves: Mapping[str, ShowBlock]) -> tuple[SenSoState, Rulings]:
    rulings: list[Ruling] = []
    for name, move in moves.items():
        index = state.index(name)
        if move.direction is None:
            state = state.with_ninja(index, unguarded=state.ninjas[index].unguarded | attack.sides_hit(state, index))
        else:
            state = state.with_ninja(index, block=NUMBER[move.direction])
            rulings.append(
                Ruling(
                    "SEN-55",
                    message(
                        "{player} shows the block towards {side}; it stays face up until it is changed (see SEN-57).",
                        player=Thing("player", name),
                        side=Thing("direction", move.direction),
                    ),
                    {f"players.{name}.block": ("hidden", move.direction)},
                )
            )
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


def _concede(state: SenSoState, index: int) -> tuple[SenSoState, Rulings]:
    """Out at once; the others go on without this player (SEN-A1)."""
    return drop_out(state, index, message("{player} concedes.", player=Thing("player", state.ninjas[index].name)))


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

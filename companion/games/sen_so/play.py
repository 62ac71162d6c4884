"""The course of a set: whether a move may be made, and what follows from it (SEN-17 to SEN-31)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.message import message
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import Sealed
from companion.games.sen_so import attack, movement, setup
from companion.games.sen_so.ending import Rulings, block_name, end_set, finish, leave
from companion.games.sen_so.geometry import NAMES, NUMBER, OFF
from companion.games.sen_so.moves import (
    Aim,
    Arm,
    AsGlance,
    ChangeBlock,
    ChangeWeapon,
    Concede,
    Guard,
    Moves,
    Reveal,
    RotateBlock,
    SecondWeapon,
    Set,
    Show,
)
from companion.games.sen_so.order import all_set, to_aim, to_glance
from companion.games.sen_so.state import HIDDEN, NO_BLOCK, SHURIKEN, WEAPONS, State

TOGETHER = frozenset({"show", "reveal", "aim", "glance", "guard"})
CARDS = ("move", "leap", "flying_attack", "attack", SHURIKEN)


def check(state: State, sealed: Sealed, player: str, move: Moves) -> None:
    index = state.index(player)
    ninja = state.ninjas[index]
    match move:  # the frequent ones first
        case Set():
            setup.check_set(state, index, move)
        case Reveal():
            _check_reveal(state, index, move)
        case Aim():
            _check_aim(state, index, move)
        case Guard():
            _check_guard(state, index, move)
        case ChangeWeapon():
            setup.check_change(state, ninja, move.weapon, ninja.second, "SEN-20")
        case SecondWeapon():
            setup.check_change(state, ninja, move.weapon, ninja.weapon, "SEN-A5")
        case RotateBlock():
            if (NUMBER[move.direction] - ninja.block) % 8 not in (1, 7):
                raise Refused(
                    "SEN-A4",
                    message(
                        "A block is turned by one angle, not from {from_side} to {side}.",
                        from_side=NAMES[ninja.block],
                        side=move.direction,
                    ),
                )
        case Arm():
            setup.check_arm(ninja, move)
        case Show():
            setup.check_show(ninja, move)


def _check_reveal(state: State, index: int, move: Reveal) -> None:
    ninja = state.ninjas[index]
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
    if move.card not in CARDS:
        raise Refused(("TABLE-4", "SEN-1"), message("There is no action card called {card}.", card=move.card))
    if move.direction not in NUMBER:
        raise Refused(("SEN-7", "TABLE-4"), message("A {card} card lies in one of eight directions.", card=move.card))
    if move.card == SHURIKEN and not ninja.shuriken:
        owned = (ninja.loadout or ()).count(SHURIKEN)
        if owned:
            raise Refused(
                ("SEN-46", "TABLE-1", "TABLE-2"),
                message("{player} has thrown every Shuriken; they are out of the game.", player=ninja.name),
            )
        rules = ("SEN-12", "TABLE-1", "TABLE-2")
        raise Refused(rules, message("{player} did not choose a Shuriken for this match.", player=ninja.name))


def _check_aim(state: State, index: int, move: Aim) -> None:
    cell = state.board.cell(move.cell)
    choices = next(each.choices for each in state.attacks if each.by == index)
    if cell not in choices:
        rules = ("SEN-40", "SEN-39", "SEN-27") + (("TABLE-4",) if cell == OFF else ())
        if state.ninjas[index].weapon == "nunchaku":
            rules += ("SEN-41",)
        raise Refused(
            rules,
            message(
                "{player} cannot attack {cell}; the pattern reaches {choices}.",
                player=state.ninjas[index].name,
                cell=move.cell,
                choices=[state.board.name(each) for each in choices],
            ),
        )


def _check_guard(state: State, index: int, move: Guard) -> None:
    if move.direction is None:
        return
    ninja, side = state.ninjas[index], NUMBER[move.direction]
    sides = attack.sides_hit(state, index)
    if side not in sides:
        raise Refused(
            ("SEN-55", "SEN-53", "SEN-14"),
            message(
                "No blow came from {side}, so a block on that side stays hidden; {player} is hit from {sides}.",
                side=move.direction,
                player=ninja.name,
                sides=[NAMES[each] for each in sorted(sides)],
            ),
        )
    if side in ninja.unguarded:
        raise Refused(
            ("SEN-55", "SEN-14"),
            message(
                "{player} was hit from {side} before and did not show this block; it has not changed since.",
                side=move.direction,
                player=ninja.name,
            ),
        )


def apply(state: State, moves: Mapping[str, Moves]) -> tuple[State, Rulings]:
    player, move = next(iter(moves.items()))
    index = state.index(player)
    ninja = state.ninjas[index]
    match move:  # the frequent ones first
        case Set():
            return _laid(setup.put_down(state, index, move))
        case Reveal():
            return _reveal(state, moves)  # type: ignore[arg-type]
        case Aim():
            return _aimed(state, moves)  # type: ignore[arg-type]
        case Guard():
            return _guarded(state, moves)  # type: ignore[arg-type]
        case ChangeBlock():
            said = Ruling(
                "SEN-19",
                message("{player} changes the block; it lies hidden.", player=player),
                {f"players.{player}.block": (block_name(ninja.block), "hidden")},
            )
            return _acted(_passed(state, index, block=HIDDEN, second=None, unguarded=frozenset()), (said,))
        case ChangeWeapon():
            said = Ruling(
                "SEN-20",
                message("{player} changes the weapon to {weapon}.", player=player, weapon=move.weapon),
                {f"players.{player}.weapon": (ninja.weapon, move.weapon)},
            )
            state = msgspec.structs.replace(_passed(state, index, weapon=move.weapon), changed_weapon=True)
            return _acted(state, (said,))
        case SecondWeapon():
            said = Ruling(
                "SEN-A5",
                message(
                    "{player} takes the {weapon} as a second weapon, in the place of the block.",
                    player=player,
                    weapon=move.weapon,
                ),
                {
                    f"players.{player}.second": (ninja.second, move.weapon),
                    f"players.{player}.block": (block_name(ninja.block), None),
                },
            )
            state = _passed(state, index, block=NO_BLOCK, second=move.weapon, unguarded=frozenset())
            return _acted(msgspec.structs.replace(state, changed_weapon=True), (said,))
        case RotateBlock():
            side = NUMBER[move.direction]
            said = Ruling(
                "SEN-A4",
                message("{player} turns the block to {side}.", player=player, side=move.direction),
                {f"players.{player}.block": (NAMES[ninja.block], move.direction)},
            )
            return state.with_ninja(index, block=side, rotated=True), (said,)
        case AsGlance():
            chosen = {state.index(name): each.result for name, each in moves.items() if isinstance(each, AsGlance)}
            attacks = tuple(
                msgspec.structs.replace(each, glance=chosen.get(each.by, each.glance)) for each in state.attacks
            )
            return _ask(msgspec.structs.replace(state, attacks=attacks), ())
        case Arm():
            state, rulings = setup.arm(state, index, move)
            return state, rulings
        case Show():
            state, rulings = setup.show(state, moves)  # type: ignore[arg-type]
            return _start_set(state, rulings)
        case Concede():
            return _conceded(state, index)


def _passed(state: State, index: int, **changes: Any) -> State:
    """An action that is no movement: what the last one allowed or forbade is used up."""
    return state.with_ninja(index, acted=True, momentum=False, ban="", **changes)


def _laid(state: State) -> tuple[State, Rulings]:
    if state.phase == "setup":
        if all_set(state) and not any(ninja.weapons for ninja in state.ninjas):
            return _start_set(state, ())
        return state, ()
    if all(state.ninjas[index].down for index in state.present):
        return _start_set(state, ())
    return state, ()


def _start_set(state: State, rulings: Rulings) -> tuple[State, Rulings]:
    ninjas = tuple(
        msgspec.structs.replace(ninja, acted=False, rotated=False, down=frozenset()) for ninja in state.ninjas
    )
    return msgspec.structs.replace(state, ninjas=ninjas, phase="pre_actions", changed_weapon=False), rulings


def _acted(state: State, rulings: Rulings) -> tuple[State, Rulings]:
    """After a change: when nobody is left to reveal, the set runs on without movement or attack."""
    if all(state.ninjas[index].acted for index in state.present):
        return end_set(state, rulings)
    return state, rulings


def _reveal(state: State, moves: Mapping[str, Reveal]) -> tuple[State, Rulings]:
    reveals = {index: moves[ninja.name] for index, ninja in enumerate(state.ninjas) if ninja.name in moves}
    state, valid, rulings = movement.go(state, reveals)
    return _ask(msgspec.structs.replace(state, attacks=attack.attacks_of(state, valid)), rulings)


def _aimed(state: State, moves: Mapping[str, Aim]) -> tuple[State, Rulings]:
    cells = {state.index(name): state.board.cell(move.cell) for name, move in moves.items()}
    attacks = tuple(
        msgspec.structs.replace(each, target=cells[each.by]) if each.by in cells else each for each in state.attacks
    )
    said = tuple(
        Ruling("SEN-40", message("{player} attacks {cell}.", player=name, cell=move.cell))
        for name, move in moves.items()
    )
    return _ask(msgspec.structs.replace(state, attacks=attacks), said)


def _ask(state: State, rulings: Rulings) -> tuple[State, Rulings]:
    """What has somebody to say before the Scoring: a location, a glance, a block?"""
    for phase, asked in (("attack", to_aim), ("glance", to_glance), ("guard", attack.to_guard)):
        players = asked(state)
        if players:
            return msgspec.structs.replace(state, phase=phase, asked=players), rulings
    return _score(state, rulings)


def _guarded(state: State, moves: Mapping[str, Guard]) -> tuple[State, Rulings]:
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
                        "{player} shows the block towards {side}; it stays open until it is changed, as advised (SEN-57).",
                        player=name,
                        side=move.direction,
                    ),
                    {f"players.{name}.block": ("hidden", move.direction)},
                )
            )
    return _score(state, tuple(rulings))


def _score(state: State, rulings: Rulings) -> tuple[State, Rulings]:
    state, said = attack.score(state)
    return end_set(state, rulings + said)


def _conceded(state: State, index: int) -> tuple[State, Rulings]:
    """Out at once; what the others have going on goes on without this player."""
    state, conceded = leave(state, index, "{player} concedes.")
    said = (conceded,)
    if len(state.present) <= 1:
        return finish(state, said, "SEN-A1")
    attacks = tuple(each for each in state.attacks if each.by != index)
    state = msgspec.structs.replace(state, attacks=attacks)
    match state.phase:
        case "pre_actions":
            return _acted(state, said)
        case "attack" | "glance" | "guard":
            return _ask(state, said)
        case "setup" if all_set(state) and not any(state.ninjas[each].weapons for each in state.present):
            return _start_set(state, said)
        case "select" if all(state.ninjas[each].down for each in state.present):
            return _start_set(state, said)
    return state, said

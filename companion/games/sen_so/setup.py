"""Before the first action: the match itself, the loadouts, and the first cards on the play sheets (SEN-1 to SEN-16)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.message import message
from companion.core.rulings import Refused, Ruling
from companion.games.kit.game import decode_options
from companion.games.sen_so.geometry import OFF, Board
from companion.games.sen_so.geometry import board as board_of
from companion.games.sen_so.moves import Arm, Set, Show
from companion.games.sen_so.state import (
    BOTH_HANDS,
    INVENTORY,
    SHURIKEN,
    SLOTS,
    WEAPONS,
    End,
    Ninja,
    Options,
    Slot,
    State,
)

SEATS = {2: (0, 4), 3: (0, 2, 4), 4: (0, 2, 4, 6)}
"""Where each seat looks: N, E, S, W clockwise; two players sit face to face (SEN-3)."""
LARGEST_BOARD = 26
SLOT_RULES: dict[Slot, str] = {"weapon": "SEN-13", "block": "SEN-14", "action1": "SEN-15", "action2": "SEN-16"}
SECOND_ACTION: tuple[Slot, ...] = ("action2",)
LATE_RULES: dict[Slot, tuple[str, ...]] = {"weapon": ("SEN-20",), "block": ("SEN-19", "SEN-52")}
"""After the set-up these places change by an action only."""


def setup(players: Sequence[str], raw: Mapping[str, Any]) -> State:
    if len(players) not in SEATS:
        raise Refused(
            ("SEN-5", "SEN-3"),
            message("Sen So is for 2 to 4 players, one on each side; here are {count}.", count=len(players)),
        )
    options = _checked(decode_options(raw, Options), players)
    board = board_of(*options.board)
    ninjas = tuple(
        Ninja(name, facing, _start(options, board, name, facing), endurance=options.knock_out)
        for name, facing in zip(players, SEATS[len(players)], strict=True)
    )
    cells = [ninja.cell for ninja in ninjas]
    if len(set(cells)) < len(cells):
        raise Refused(("SEN-3", "TABLE-1"), message("Two players cannot start in the same space."))
    return State(options, ninjas)


def _checked(options: Options, players: Sequence[str]) -> Options:
    columns, rows = options.board
    if not (1 <= columns <= LARGEST_BOARD and 1 <= rows <= LARGEST_BOARD):
        raise Refused(
            "TABLE-4",
            message("A board has 1 to 26 columns and rows, not {columns} by {rows}.", columns=columns, rows=rows),
        )
    for name in options.starts:
        if name not in players:
            raise Refused("TABLE-4", message("There is no player called {player} in this match.", player=name))
    for weapon in options.patterns:
        if weapon not in WEAPONS:
            raise Refused("TABLE-4", message("There is no weapon called {weapon}.", weapon=weapon))
        if weapon == SHURIKEN:
            raise Refused(("SEN-43", "TABLE-4"), message("A Shuriken flies straight; it has no pattern."))
        if (0, 0) in options.patterns[weapon]:
            raise Refused(("SEN-39", "TABLE-4"), message("The own space is never a location of a pattern."))
    for weapon, hands in options.hands.items():
        if weapon not in WEAPONS or not 0 <= hands <= BOTH_HANDS:
            say = "No weapon called {weapon} takes {count} hands: a weapon takes 0, 1 or 2."
            raise Refused(("SEN-A5", "TABLE-4"), message(say, weapon=weapon, count=hands))
    if options.knock_out is not None and options.knock_out < 1:
        raise Refused(("SEN-A1", "TABLE-4"), message("The endurance of a Knock Out must be 1 or more."))
    if options.advanced_knock_out and options.knock_out is None:
        raise Refused("SEN-A2", message("Advanced Knock Out needs an endurance (`knock_out`)."))
    return msgspec.structs.replace(options, end=_end(options))


def _end(options: Options) -> End:
    end = options.end
    if end is None:
        return End(time=1800.0)
    limits = [limit for limit in (end.time, end.actions, end.points) if limit is not None]
    if len(limits) != 1 or limits[0] <= 0:
        raise Refused(
            ("SEN-71", "SEN-72", "SEN-73", "TABLE-4"),
            message("A match ends by time, by actions or by points: exactly one, above zero."),
        )
    return end


def _start(options: Options, board: Board, name: str, facing: int) -> int:
    if name in options.starts:
        cell = board.cell(options.starts[name])
        if cell == OFF:
            raise Refused(
                ("TABLE-4", "SEN-3"),
                message(
                    "{player} cannot start in {cell}: it is not on the board.", player=name, cell=options.starts[name]
                ),
            )
        return cell
    middle_column, middle_row = board.columns // 2, board.rows // 2
    return {
        0: board.at(middle_column, 0),
        2: board.at(0, middle_row),
        4: board.at(middle_column, board.rows - 1),
        6: board.at(board.columns - 1, middle_row),
    }[facing]


def check_arm(ninja: Ninja, move: Arm) -> None:
    for weapon in move.weapons:
        if weapon not in WEAPONS:
            raise Refused("TABLE-4", message("There is no weapon called {weapon}.", weapon=weapon))
    for weapon in set(move.weapons):
        if move.weapons.count(weapon) > WEAPONS[weapon].copies:
            raise Refused(
                ("TABLE-1", "SEN-10", *(("SEN-82",) if weapon == SHURIKEN else ())),
                message(
                    "{player} has {copies} of {weapon}, not {asked}.",
                    player=ninja.name,
                    weapon=weapon,
                    copies=WEAPONS[weapon].copies,
                    asked=move.weapons.count(weapon),
                ),
            )
    spaces = sum(WEAPONS[weapon].spaces for weapon in move.weapons)
    if spaces > INVENTORY:
        raise Refused(
            "SEN-10",
            message(
                "{player}'s weapons take {spaces} inventory spaces; there are {limit}.",
                player=ninja.name,
                spaces=spaces,
                limit=INVENTORY,
            ),
        )


def arm(state: State, index: int, move: Arm) -> tuple[State, tuple[Ruling, ...]]:
    # Which weapons they are is nobody else's business yet, so the ruling, which all may read, does not tell.
    said = Ruling("SEN-10", message("{player} has chosen the weapons of this match.", player=state.ninjas[index].name))
    weapons = tuple(weapon for weapon in move.weapons if weapon != SHURIKEN)
    return state.with_ninja(index, loadout=move.weapons, weapons=weapons), (said,)


def missing(state: State, index: int) -> tuple[Slot, ...]:
    """The places on this player's sheet that still wait for a card, in the order of the set-up (SEN-9)."""
    ninja = state.ninjas[index]
    if state.phase == "select":
        return () if ninja.down else SECOND_ACTION
    return tuple(slot for slot in (SLOTS if ninja.weapons else SLOTS[1:]) if slot not in ninja.down)


def check_set(state: State, index: int, move: Set) -> None:
    ninja, open_slots = state.ninjas[index], missing(state, index)
    if move.slots == open_slots:
        return
    if not move.slots or len(set(move.slots)) < len(move.slots):
        raise Refused(("SEN-6", "TABLE-1", "TABLE-4"), message("Every place that is set is named once."))
    for slot in move.slots:
        if slot == "weapon" and not ninja.weapons:
            rules = ("SEN-13", "SEN-2", "SEN-12", "TABLE-2", "TABLE-3")
            raise Refused(rules, message("{player} has no weapon to start with.", player=ninja.name))
        if state.phase == "select" and slot != "action2":
            late = ("SEN-30", "SEN-29", *LATE_RULES.get(slot, ()), "TABLE-3")
            raise Refused(late, message("Now only the second action is placed, not {slot}.", slot=slot))
        if slot not in open_slots:
            raise Refused(
                ("SEN-6", "TABLE-1", "TABLE-3"),
                message("A card of {player} lies in {slot} already.", player=ninja.name, slot=slot),
            )
    if set(move.slots) != set(open_slots[: len(move.slots)]):
        first = next(slot for slot in open_slots if slot not in move.slots)
        raise Refused(
            ("SEN-9", SLOT_RULES[first], "TABLE-3"),
            message(
                "{player} sets up in order: weapon, block, first action, second action; {slot} comes first.",
                player=ninja.name,
                slot=first,
            ),
        )


def put_down(state: State, index: int, move: Set) -> State:
    return state.with_ninja(index, down=state.ninjas[index].down | set(move.slots))


def check_show(ninja: Ninja, move: Show) -> None:
    check_weapon(ninja, move.weapon, "SEN-13")


def check_weapon(ninja: Ninja, weapon: str, rule: str) -> None:
    """A weapon that is about to be held: a known one, not a Shuriken, and chosen for this match."""
    if weapon not in WEAPONS:
        raise Refused("TABLE-4", message("There is no weapon called {weapon}.", weapon=weapon))
    if weapon == SHURIKEN:
        raise Refused(
            ("SEN-2", "SEN-21", rule),
            message("A Shuriken is played as an attack; it cannot be the active weapon.", player=ninja.name),
        )
    if weapon not in ninja.weapons:
        raise Refused(
            ("SEN-12", rule, "TABLE-1"),
            message("{player} did not choose the weapon {weapon} for this match.", player=ninja.name, weapon=weapon),
        )


def check_change(state: State, ninja: Ninja, weapon: str, other: str | None, rule: str) -> None:
    """A weapon that is taken up beside the one in the other hand, if there is one there (SEN-20, SEN-A5)."""
    check_weapon(ninja, weapon, rule)
    if weapon in ninja.held:
        say = "{player} has the {weapon} in play already."
        raise Refused(("TABLE-1", rule), message(say, player=ninja.name, weapon=weapon))
    if not state.manageable(weapon, other):
        say = "{player} has two hands: {weapons} take more."
        raise Refused("SEN-A5", message(say, player=ninja.name, weapons=[other, weapon]))


def show(state: State, moves: Mapping[str, Show]) -> tuple[State, tuple[Ruling, ...]]:
    """All start weapons are turned up together (SEN-13)."""
    rulings = []
    for name, move in moves.items():
        index = state.index(name)
        state = state.with_ninja(index, weapon=move.weapon, shown=True)
        rulings.append(
            Ruling(
                "SEN-13",
                message("{player} starts with the weapon {weapon}.", player=name, weapon=move.weapon),
                {f"players.{name}.weapon": (None, move.weapon)},
            )
        )
    return state, tuple(rulings)

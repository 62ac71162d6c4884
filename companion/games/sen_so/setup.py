"""The match before the first move: its options, its seats and its start spaces (SEN-3 to SEN-5)."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from companion.core.message import Thing, message, plural
from companion.core.rulings import Refused
from companion.games.kit.game import decode_options
from companion.games.sen_so.cards import BOTH_HANDS, SHURIKEN, WEAPONS
from companion.games.sen_so.geometry import OFF, SquareGrid, grid
from companion.games.sen_so.state import End, Ninja, SenSoOptions, SenSoState

SEATS = {2: (0, 4), 3: (0, 2, 4), 4: (0, 2, 4, 6)}
"""Where each seat looks: N, E, S, W clockwise; two players sit face to face (SEN-3)."""
LARGEST_BOARD = 26


def setup(players: Sequence[str], raw: Mapping[str, Any]) -> SenSoState:
    if len(players) not in SEATS:
        told = plural(
            "Sen So is for 2 to 4 players, one on each side; here is {count}.",
            "Sen So is for 2 to 4 players, one on each side; here are {count}.",
            len(players),
        )
        raise Refused(("SEN-5", "SEN-3"), told, "players")
    options = decode_options(raw, SenSoOptions)
    _check_board(options, players)
    _check_weapons(options)
    _check_knock_out(options)
    options = msgspec.structs.replace(options, end=_end(options))
    board = grid(*options.board)
    ninjas = tuple(
        Ninja(name, facing, _start(options, board, name, facing), endurance=options.knock_out)
        for name, facing in zip(players, SEATS[len(players)], strict=True)
    )
    cells = [ninja.cell for ninja in ninjas]
    if len(set(cells)) < len(cells):
        told = message("Two players cannot start in the same space.")
        raise Refused(("SEN-3", "TABLE-1"), told, "starts" if options.starts else "board")
    return SenSoState(options, ninjas)


def _check_board(options: SenSoOptions, players: Sequence[str]) -> None:
    columns, rows = options.board
    if not (1 <= columns <= LARGEST_BOARD and 1 <= rows <= LARGEST_BOARD):
        told = message("A board has 1 to 26 columns and rows, not {columns} by {rows}.", columns=columns, rows=rows)
        raise Refused("TABLE-4", told, "board")
    for name in options.starts:
        if name not in players:
            told = message("There is no player called {player} in this match.", player=Thing("player", name))
            raise Refused("TABLE-4", told, "starts")


def _check_weapons(options: SenSoOptions) -> None:
    for weapon, pattern in options.patterns.items():
        if weapon not in WEAPONS:
            raise unknown_weapon(weapon, "patterns")
        if weapon == SHURIKEN:
            raise Refused(("SEN-43", "TABLE-4"), message("A Shuriken flies straight; it has no pattern."), "patterns")
        if (0, 0) in pattern:
            told = message("A pattern never includes the space where the attacker stands.")
            raise Refused(("SEN-39", "TABLE-4"), told, "patterns")
    for weapon, hands in options.hands.items():
        if weapon not in WEAPONS or not 0 <= hands <= BOTH_HANDS:
            told = plural(
                "No weapon called {weapon} takes {count} hand: a weapon takes 0, 1 or 2.",
                "No weapon called {weapon} takes {count} hands: a weapon takes 0, 1 or 2.",
                hands,
                weapon=Thing("weapon", weapon),
            )
            raise Refused(("SEN-A5", "TABLE-4"), told, "hands")


def unknown_weapon(weapon: str, field: str = "") -> Refused:
    return Refused("TABLE-4", message("There is no weapon called {weapon}.", weapon=Thing("weapon", weapon)), field)


def _check_knock_out(options: SenSoOptions) -> None:
    if options.knock_out is not None and options.knock_out < 1:
        raise Refused(("SEN-A1", "TABLE-4"), message("The endurance of a Knock Out must be 1 or more."), "knock_out")
    if options.advanced_knock_out and options.knock_out is None:
        raise Refused("SEN-A2", message("Advanced Knock Out needs an endurance."), "knock_out")


def _end(options: SenSoOptions) -> End:
    end = options.end or SenSoOptions().end or End()
    limits = [limit for limit in (end.time, end.actions, end.points) if limit is not None]
    if len(limits) != 1 or limits[0] <= 0:
        told = message("A match ends by time, by actions or by points: exactly one of them, above zero.")
        raise Refused(("SEN-71", "SEN-72", "SEN-73", "TABLE-4"), told, "end")
    return end


def _start(options: SenSoOptions, board: SquareGrid, name: str, facing: int) -> int:
    """The start space of a seat: the one in the options, or the middle of its side."""
    if name in options.starts:
        cell = board.cell(options.starts[name])
        if cell == OFF:
            told = message(
                "{player} cannot start in {cell}: it is not on the board.",
                player=Thing("player", name),
                cell=Thing("place", options.starts[name]),
            )
            raise Refused(("TABLE-4", "SEN-3"), told, "starts")
        return cell
    middle_column, middle_row = board.columns // 2, board.rows // 2
    return {
        0: board.at(middle_column, 0),
        2: board.at(0, middle_row),
        4: board.at(middle_column, board.rows - 1),
        6: board.at(board.columns - 1, middle_row),
    }[facing]

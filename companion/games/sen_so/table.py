"""Sen So on the table: where the play sheets lie, and what cards on them mean."""

from collections.abc import Mapping

from companion.core.drawing import Shape, Text, rectangle
from companion.core.layout import Layout, SeenCard, SeenPiece, Sight, Zone
from companion.games.kit.game import Sealed
from companion.games.sen_so import order, setup
from companion.games.sen_so.cards import ACROSS, HOLDER, holder
from companion.games.sen_so.geometry import NAMES, STEPS, Direction
from companion.games.sen_so.moves import ChangeBlock, ChangeWeapon, Guard, Moves, Reveal, SecondWeapon, Set, Show
from companion.games.sen_so.state import SLOTS, WEAPONS, Slot, State

SIDE = 640.0
"""The table is a square, so that a play sheet fits on every side."""
BOARD = 324.0
FIRST_TAG = 10


def layout(state: State) -> Layout:
    zones: list[Zone] = []
    mat: list[Shape] = [*_board_lines(state)]
    for ninja in state.ninjas:
        ahead, right = STEPS[ninja.facing], STEPS[(ninja.facing + 2) % 8]
        for place, slot in enumerate(SLOTS):
            along, back = (place - 1.5) * (HOLDER + 10), BOARD / 2 + 16 + HOLDER / 2
            x = SIDE / 2 + right[0] * along - ahead[0] * back
            y = SIDE / 2 + right[1] * along - ahead[1] * back
            zones.append(Zone(zone(ninja.name, slot), x, y, HOLDER, HOLDER, -45.0 * ninja.facing % 360, 8))
            mat.append(rectangle(HOLDER + 4, HOLDER + 4, stroke="#5b6b5b", line=0.8, at=(x, y)))
            label = (x - ahead[0] * (HOLDER / 2 + 6), y - ahead[1] * (HOLDER / 2 + 6))
            mat.append(Text(label, slot.upper(), 4.0, "#5b6b5b", -45.0 * ninja.facing % 360))
    tags = {FIRST_TAG + index: f"pawn.{ninja.name}" for index, ninja in enumerate(state.ninjas)}
    return Layout(
        SIDE, SIDE, tuple(zones), (ACROSS, ACROSS), tuple(mat), tags, min(20.0, _cell_size(state) * 0.6), holder()
    )


def zone(player: str, slot: str) -> str:
    return f"{player}.{slot}"


def _cell_size(state: State) -> float:
    return BOARD / max(state.options.board)


def cell_centre(state: State, cell: int) -> tuple[float, float]:
    size = _cell_size(state)
    row, column = divmod(cell, state.board.columns)
    left, near = SIDE / 2 - size * state.board.columns / 2, SIDE / 2 - size * state.board.rows / 2
    return left + size * (column + 0.5), near + size * (row + 0.5)


def cell_at(state: State, piece: SeenPiece) -> str:
    """The name of the cell a piece stands in; empty where it stands beside the board."""
    size = _cell_size(state)
    left, near = SIDE / 2 - size * state.board.columns / 2, SIDE / 2 - size * state.board.rows / 2
    cell = state.board.at(int((piece.x - left) // size), int((piece.y - near) // size))
    return state.board.name(cell) if cell >= 0 else ""


def _board_lines(state: State) -> list[Shape]:
    size = _cell_size(state)
    shapes: list[Shape] = []
    for cell in state.board.cells:
        dark = (cell % state.board.columns + cell // state.board.columns) % 2
        ground = "#d9cdb0" if dark else "#e8dec6"
        shapes.append(rectangle(size, size, fill=ground, stroke="#8c7b52", line=0.5, at=cell_centre(state, cell)))
    return shapes


def misplaced(state: State, sight: Sight) -> dict[str, tuple[str, str]]:
    """Players whose pawn stands elsewhere than the rules have it: name -> (where it stands, where it belongs)."""
    wrong = {}
    for ninja in state.ninjas:
        piece = sight.pieces.get(f"pawn.{ninja.name}")
        if piece is None or ninja.out:
            continue
        stands, belongs = cell_at(state, piece), state.board.name(ninja.cell)
        if stands != belongs:
            wrong[ninja.name] = (stands or "?", belongs)
    return wrong


def read(state: State, sealed: Sealed, player: str, sight: Sight) -> Moves | None:
    """What lies on this player's sheet, as an answer to what is awaited from them."""
    kinds = order.wanted(state, sealed, state.index(player))
    seen = {slot: sight.zones.get(zone(player, slot)) for slot in SLOTS}
    if "set" in kinds:
        return _placed(state, player, seen)
    if "show" in kinds:
        weapon = _named(seen["weapon"])
        return Show(weapon) if weapon else None
    if "reveal" in kinds:
        return _action(state, player, seen)
    if "guard" in kinds and _named(seen["block"]) == "block":
        return Guard(_direction(seen["block"]))
    return None


Cards = tuple[SeenCard, ...] | None
"""What lies in one place: nothing is an empty tuple, and None is not known (a hand covers it)."""


def _face_down(cards: Cards) -> bool:
    return cards is not None and len(cards) > 0 and not cards[-1].face_up


def _named(cards: Cards) -> str | None:
    """The card that lies there face up, if it is known."""
    return cards[-1].card if cards and cards[-1].face_up else None


def _direction(cards: Cards) -> Direction:
    assert cards
    return NAMES[round(-cards[-1].rotation / 45) % 8]


def _placed(state: State, player: str, seen: Mapping[Slot, Cards]) -> Set | None:
    """Every card that is due lies face down, and after a set the second action has moved up (SEN-29)."""
    due = setup.missing(state, state.index(player))
    down = [*due, "action1"] if state.phase == "select" else due
    return Set(due) if all(_face_down(seen[slot]) for slot in down) else None


def _action(state: State, player: str, seen: Mapping[Slot, Cards]) -> Moves | None:
    """The first action was turned up, or has gone to the block's or the weapon's place."""
    if seen["action1"] is None:
        return None
    if seen["action1"]:
        card = _named(seen["action1"])
        return Reveal(card, _direction(seen["action1"])) if card else None
    ninja = state.ninjas[state.index(player)]
    active, weapon, beside = ninja.weapon, _named(seen["weapon"]), _named(seen["block"])
    if beside in WEAPONS and beside != ninja.second:
        return SecondWeapon(beside)
    if weapon is not None and weapon != active:
        return ChangeWeapon(weapon)
    weapon_stays = weapon == active and (weapon is not None or seen["weapon"] == ())
    return ChangeBlock() if weapon_stays and _face_down(seen["block"]) else None

"""Sen So on the table: the board in the middle, a play sheet with four places on every side."""

from companion.core.drawing import Shape, Text, rectangle
from companion.core.layout import Layout, SeenPiece, Zone
from companion.games.kit.seat_layout import SeatPlace
from companion.games.sen_so.faces import ACROSS, HOLDER, holder
from companion.games.sen_so.state import SLOTS, SenSoState

SIDE = 640.0
"""The table is a square, so that a play sheet fits on every side."""
BOARD = 324.0
FIRST_TAG = 10
INK = "#5b6b5b"


def layout(state: SenSoState) -> Layout:
    zones: list[Zone] = []
    mat: list[Shape] = [*_board_squares(state)]
    behind = -(BOARD / 2 + 16 + HOLDER / 2)
    for ninja in state.ninjas:
        centre = SeatPlace(ninja.name, SIDE / 2, SIDE / 2, -45.0 * ninja.facing % 360)
        for number, slot in enumerate(SLOTS):
            right = (number - 1.5) * (HOLDER + 10)
            place = centre.zone(slot, right, behind, HOLDER, HOLDER, rotations=8)
            label = centre.at(right, behind - HOLDER / 2 - 6)
            zones.append(place)
            mat.append(rectangle(HOLDER + 4, HOLDER + 4, stroke=INK, line=0.8, at=(place.x, place.y)))
            mat.append(Text(label, slot.upper(), 4.0, INK, centre.turn))
    tags = {FIRST_TAG + index: f"pawn.{ninja.name}" for index, ninja in enumerate(state.ninjas)}
    return Layout(
        SIDE, SIDE, tuple(zones), (ACROSS, ACROSS), tuple(mat), tags, min(20.0, _cell_size(state) * 0.6), holder()
    )


def zone(player: str, slot: str) -> str:
    return f"{player}.{slot}"


def _cell_size(state: SenSoState) -> float:
    return BOARD / max(state.options.board)


def _corner(state: SenSoState) -> tuple[float, float]:
    """The near left corner of the board."""
    size = _cell_size(state)
    return SIDE / 2 - size * state.board.columns / 2, SIDE / 2 - size * state.board.rows / 2


def cell_centre(state: SenSoState, cell: int) -> tuple[float, float]:
    size, (left, near) = _cell_size(state), _corner(state)
    row, column = divmod(cell, state.board.columns)
    return left + size * (column + 0.5), near + size * (row + 0.5)


def cell_at(state: SenSoState, piece: SeenPiece) -> str:
    """The name of the space a piece stands on; empty where it stands beside the board."""
    size, (left, near) = _cell_size(state), _corner(state)
    cell = state.board.at(int((piece.x - left) // size), int((piece.y - near) // size))
    return state.board.name(cell) if cell >= 0 else ""


def _board_squares(state: SenSoState) -> list[Shape]:
    size = _cell_size(state)
    shapes: list[Shape] = []
    for cell in state.board.cells:
        dark = (cell % state.board.columns + cell // state.board.columns) % 2
        ground = "#d9cdb0" if dark else "#e8dec6"
        shapes.append(rectangle(size, size, fill=ground, stroke="#8c7b52", line=0.5, at=cell_centre(state, cell)))
    return shapes

"""The grid, its eight directions, and how an attack pattern turns on it.

A cell is a number (column + columns * row) inside the rules and a name (`e1`) outside. A direction is an eighth turn
clockwise from north, 0 to 7; on a card it is relative to its player's alignment (SEN-4).
"""

from functools import cache
from typing import Literal

Direction = Literal["F", "FR", "R", "BR", "B", "BL", "L", "FL"]
NAMES: tuple[Direction, ...] = ("F", "FR", "R", "BR", "B", "BL", "L", "FL")
"""Directions as cards have them: 0 is straight ahead of the player."""
STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
NUMBER: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
OFF = -1
"""Off the board: the wall."""

Offset = tuple[int, int]
"""(right, forward)"""


class SquareGrid:
    """A board of a given size, with everything about it worked out once."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = range(columns * rows)
        self.step = tuple(tuple(self._shifted(cell, step) for step in STEPS) for cell in self.cells)
        """`step[cell][direction]`: the next cell that way, or OFF."""
        self.around = tuple(frozenset(near) - {OFF} for near in self.step)
        self._names = tuple(f"{chr(ord('a') + cell % columns)}{cell // columns + 1}" for cell in self.cells)

    def _shifted(self, cell: int, offset: Offset) -> int:
        row, column = divmod(cell, self.columns)
        return self.at(column + offset[0], row + offset[1])

    def at(self, column: int, row: int) -> int:
        inside = 0 <= column < self.columns and 0 <= row < self.rows
        return column + row * self.columns if inside else OFF

    def name(self, cell: int) -> str:
        return self._names[cell]

    def cell(self, name: str) -> int:
        """The cell of that name, or OFF."""
        if len(name) < 2 or not name[1:].isdecimal() or not name[1:].isascii():
            return OFF
        return self.at(ord(name[0]) - ord("a"), int(name[1:]) - 1)

    @cache  # noqa: B019 -- boards are few and live as long as the process
    def locations(self, pattern: tuple[Offset, ...], direction: int, cell: int) -> tuple[int, ...]:
        """The cells a pattern reaches from a cell when its arrow points that way (SEN-39)."""
        reached = (self._shifted(cell, turned(offset, direction)) for offset in pattern)
        return tuple(dict.fromkeys(at for at in reached if at != OFF))

    @cache  # noqa: B019
    def ray(self, cell: int, direction: int) -> tuple[int, ...]:
        """The cells in a straight line up to the wall."""
        cells = []
        while (cell := self.step[cell][direction]) != OFF:
            cells.append(cell)
        return tuple(cells)

    @cache  # noqa: B019
    def bearing(self, here: int, there: int) -> int | None:
        """The direction from one cell to another if they are in line, else None."""
        for direction in range(8):
            if there in self.ray(here, direction):
                return direction
        return None


@cache
def grid(columns: int, rows: int) -> SquareGrid:
    return SquareGrid(columns, rows)


@cache
def turned(offset: Offset, eighths: int) -> Offset:
    """An offset after so many eighth turns clockwise: at ring r it goes r cells round that ring for each."""
    ring = max(abs(offset[0]), abs(offset[1]))
    if not ring:
        return offset
    return _ring(ring)[(_ring(ring).index(offset) + ring * eighths) % (8 * ring)]


@cache
def _ring(radius: int) -> tuple[Offset, ...]:
    """The cells at that distance, clockwise from straight ahead."""
    side = range(-radius, radius)
    top = [(right, radius) for right in side]
    east = [(radius, -down) for down in side]
    bottom = [(-left, -radius) for left in side]
    west = [(-radius, up) for up in side]
    around = top + east + bottom + west
    return tuple(around[radius:] + around[:radius])

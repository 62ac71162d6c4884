"""Hexes: their names, the six facings, and turning a pattern with the samurai that strikes it.

A hex is a pair of doubled coordinates: x is the column, y counts half hexes upward, and x + y is even. So the six
neighbours are six constant steps, and a picture in text, whose rows are half a hex apart, needs no conversion.
Columns a, c, e, … stand half a hex lower than b, d, f, …; `c4` is the fourth hex from the near side in column c.
"""

from functools import cache

import msgspec

Hex = tuple[int, int]

FACINGS = ("N", "NE", "SE", "S", "SW", "NW")
"""Clockwise; a facing is an index into this."""
_BY_NAME = {name: facing for facing, name in enumerate(FACINGS)}
WAYS = ("F", "FR", "BR", "B", "BL", "FL")
"""The same six seen from the samurai: front, front right, and so on clockwise."""
STEPS: tuple[Hex, ...] = ((0, 2), (1, 1), (1, -1), (0, -2), (-1, -1), (-1, 1))


@cache
def turned(offset: Hex, sixths: int) -> Hex:
    """The offset turned clockwise by so many sixths of a circle."""
    x, y = offset
    for _ in range(sixths % 6):
        x, y = (x + y) // 2, (y - 3 * x) // 2
    return x, y


def plus(a: Hex, b: Hex) -> Hex:
    return a[0] + b[0], a[1] + b[1]


def minus(a: Hex, b: Hex) -> Hex:
    return a[0] - b[0], a[1] - b[1]


def distance(a: Hex, b: Hex) -> int:
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return dx + max(0, (dy - dx) // 2)


def bearing(offset: Hex) -> int:
    """The facing nearest to the direction of this offset; exactly between two, the clockwise one."""

    def along(facing: int) -> int:
        x, y = STEPS[facing]
        return 3 * x * offset[0] + y * offset[1]

    best = max(along(facing) for facing in range(6))
    found = [facing for facing in range(6) if along(facing) == best]
    return found[0] if len(found) == 1 else found[1] if found != [0, 5] else 0


def facing_of(name: str) -> int | None:
    """`ne` or `NE` as a facing."""
    known = _BY_NAME.get(name)
    return _BY_NAME.get(name.strip().upper()) if known is None else known


class Arena(msgspec.Struct, frozen=True):
    """The hexes of the two tiles."""

    columns: int
    rows: int
    names: dict[str, Hex]
    hexes: dict[Hex, str]

    def hex_of(self, name: str) -> Hex | None:
        return self.names.get(name.strip().lower())

    def side(self, facing: str) -> tuple[Hex, ...]:
        """The four middle hexes of the side where a player sits who looks this way (N, E, S or W) over the arena."""
        if facing in "NS":
            row = 0 if facing == "N" else self.rows - 1
            line = [(column, 2 * row + column % 2) for column in range(self.columns)]
        else:
            column = 0 if facing == "E" else self.columns - 1
            line = [(column, 2 * row + column % 2) for row in range(self.rows)]
        spare = max(0, len(line) - 4)
        # A side of odd length has no middle four: opposite sides leave out opposite ends, so that both are as near.
        first = spare // 2 if facing in "NE" else (spare + 1) // 2
        return tuple(line[first : first + 4])


@cache
def arena(columns: int, rows: int) -> Arena:
    names = {
        f"{chr(97 + column)}{row + 1}": (column, 2 * row + column % 2)
        for column in range(columns)
        for row in range(rows)
    }
    return Arena(columns, rows, names, {place: name for name, place in names.items()})

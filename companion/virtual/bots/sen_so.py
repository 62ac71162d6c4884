"""A Sen So bot. It closes in, strikes where somebody stands, and changes a block that everybody has seen."""

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.games.sen_so.cards import BARE_HANDS, WEAPONS
from companion.games.sen_so.geometry import NAMES, NUMBER, OFF, Offset, SquareGrid, grid

LOADOUTS = (
    ("katana", "kau_sin_ke", "shuriken", "shuriken"),
    ("nunchaku", "nagamaki", "shuriken", "shuriken"),
    ("bo_staff", "nagamaki", "kau_sin_ke"),
    ("katana", "bo_staff", "shuriken"),
    ("nunchaku", "bo_staff", "kau_sin_ke"),
)

View = dict[str, Any]
Plan = tuple[str, str]
"""A card and its direction, which means nothing for a weapon."""


class SenSoMind:
    """What a player makes of the view: where they stand, where the others stand, and the board."""

    def __init__(self, view: View, name: str, random: Random) -> None:
        self.random = random
        self.board: SquareGrid = grid(*view["board"])
        seats = {seat["name"]: seat for seat in view["seats"] if seat["cell"]}
        self.me = seats[name]
        self.cell = self.board.cell(self.me["cell"])
        self.others = {seat: self.board.cell(each["cell"]) for seat, each in seats.items() if seat != name}

    def absolute(self, direction: str) -> int:
        return (NUMBER[direction] + int(self.me["facing"])) % 8

    def pattern(self, weapon: str | None) -> tuple[Offset, ...]:
        drawn = BARE_HANDS if weapon is None else WEAPONS[weapon].pattern
        return tuple((right, forward) for forward, right in drawn)

    def after(self, plan: Plan) -> int:
        """Where I stand once this card is played."""
        card, direction = plan
        if card not in ("move", "leap", "flying_attack"):
            return self.cell
        ray = self.board.ray(self.cell, self.absolute(direction))
        steps = 2 if card == "leap" else 1
        return ray[min(steps, len(ray)) - 1] if ray else self.cell

    def worth(self, cells: tuple[int, ...]) -> float:
        """What the best location of an attack would bring if nobody moved; a near miss is worth a little."""
        best = 0.0
        for cell in cells:
            if cell in self.others.values():
                best = max(best, 5.0)
            else:
                best = max(best, float(sum(other in self.board.around[cell] for other in self.others.values())))
        return best

    def distance(self, cell: int) -> int:
        row, column = divmod(cell, self.board.columns)
        return min(
            max(abs(row - other // self.board.columns), abs(column - other % self.board.columns))
            for other in self.others.values()
        )


def arm(random: Random) -> tuple[str, ...]:
    return random.choice(LOADOUTS)


def block_side(mind: SenSoMind) -> str:
    """Guard the side where the nearest opponent stands, or one beside it."""
    nearest = min(mind.others.values(), key=lambda cell: abs(cell - mind.cell), default=mind.cell)
    bearing = mind.board.bearing(mind.cell, nearest)
    ahead = mind.random.choice((0, 0, 1, 7)) if bearing is None else bearing - int(mind.me["facing"])
    return NAMES[(ahead + mind.random.choice((0, 0, 0, 1, -1))) % 8]


def plan(
    mind: SenSoMind, before: Plan, weapon: str | None, shuriken: int, spare: tuple[str, ...], restless: bool
) -> Plan:
    """Choose the card to play after the one in the first place. A restless player would rather dodge or block."""
    mind.cell = mind.after(before)
    if not mind.others:
        return "move", "F"
    options: list[tuple[float, Plan]] = []
    for direction in NAMES:
        options += _directed(mind, before[0], weapon, shuriken, direction, restless)
    if mind.me["block"] != "hidden" or restless or mind.random.random() < 0.06:
        options.append((2.4 + 3.4 * restless, ("block", block_side(mind))))
    if spare and mind.random.random() < 0.12:
        options.append((2.6, (mind.random.choice(spare), "F")))
    return max(options, key=lambda option: option[0] + mind.random.random() * 1.6)[1]


def _directed(
    mind: SenSoMind, before: str, weapon: str | None, shuriken: int, direction: str, restless: bool
) -> Iterator[tuple[float, Plan]]:
    """The cards that can be played in this direction, with what they seem worth."""
    arrow, moved = mind.absolute(direction), before in ("move", "leap")
    ray = mind.board.ray(mind.cell, arrow)
    yield mind.worth(mind.board.locations(mind.pattern(weapon), arrow, mind.cell)) * 1.2, ("attack", direction)
    yield _approach(mind, arrow, 1) + 3.2 * restless, ("move", direction)
    if moved or weapon == "bo_staff":
        yield _approach(mind, arrow, 2), ("leap", direction)
    if (moved or weapon == "nagamaki") and before != "flying_attack":
        yield mind.worth(ray[1:2]) + 0.4 if len(ray) > 1 else 0.0, ("flying_attack", direction)
    if shuriken:
        yield 3.6 if any(cell in mind.others.values() for cell in ray) else 0.0, ("shuriken", direction)


def _approach(mind: SenSoMind, arrow: int, steps: int) -> float:
    """Closing in is worth something down to a distance of two spaces; walls and occupied spaces are worth nothing."""
    ray = mind.board.ray(mind.cell, arrow)
    if len(ray) < steps or ray[steps - 1] == OFF or ray[steps - 1] in mind.others.values():
        return 0.0
    gained = mind.distance(mind.cell) - mind.distance(ray[steps - 1])
    return 1.0 + 0.8 * gained if mind.distance(mind.cell) > 2 else 1.4 - abs(gained) * 0.3


def aim(mind: SenSoMind, cells: list[str]) -> str:
    """The location that brings most now."""
    scored = [(mind.worth((mind.board.cell(cell),)) + mind.random.random() * 0.5, cell) for cell in cells]
    return max(scored)[1]

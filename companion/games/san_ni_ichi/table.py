"""The table: for each seat a place for the selected card, a Combat Pile and a Damage Pile.

The seats sit along the two long sides, clockwise seen from above; between them lie the weapons on display and
the discards. A selected card lies crosswise, turned a quarter, in the middle one of its owner's three places.
"""

from functools import cache

from companion.core.drawing import Shape, Text, rectangle
from companion.core.layout import Layout, Zone
from companion.games.san_ni_ichi.faces import CARD
from companion.games.san_ni_ichi.state import State

SEAT_WIDTH, SEAT_DEPTH, MIDDLE, MARGIN = 330.0, 140.0, 130.0, 30.0
NEAR = {3: 1, 4: 2, 5: 2, 6: 3}
"""How many sit on the near side; the others sit across."""
PLACES = {"damage": (-115.0, 74.0, 100.0), "selected": (0.0, 112.0, 100.0), "combat": (115.0, 86.0, 112.0)}
"""In the owner's own view: how far right of the seat's middle, width, height."""


def layout(state: State) -> Layout:
    return _layout(state.table.players)


@cache
def _layout(players: tuple[str, ...]) -> Layout:
    near = NEAR[len(players)]
    far = len(players) - near
    width = max(near, far, 2) * SEAT_WIDTH + 2 * MARGIN
    height = 2 * SEAT_DEPTH + MIDDLE + 2 * MARGIN
    zones: list[Zone] = []
    for seat, name in enumerate(players):
        # Clockwise from above: along the near side from right to left, then back along the far side.
        on_near = seat < near
        place, number = (near - 1 - seat, near) if on_near else (seat - near, far)
        x = width / 2 + (place - (number - 1) / 2) * SEAT_WIDTH
        y = MARGIN + SEAT_DEPTH / 2 if on_near else height - MARGIN - SEAT_DEPTH / 2
        zones += _seat(name, x, y, on_near)
    row = 500.0
    zones.append(Zone("weapons", width / 2 - 60, height / 2, row, 100.0, rotations=2, holds="row"))
    zones.append(Zone("discard", width / 2 - 60 + row / 2 + 60, height / 2, 86.0, 112.0, holds="pile"))
    return Layout(width, height, tuple(zones), CARD, tuple(shape for zone in zones for shape in _frame(zone)))


def _seat(name: str, x: float, y: float, near: bool) -> list[Zone]:
    side = 1 if near else -1
    return [
        Zone(f"{name}.{what}", x + side * right, y, width, height, 0.0 if near else 180.0, holds="pile")
        for what, (right, width, height) in PLACES.items()
    ]


def _frame(zone: Zone) -> list[Shape]:
    at = (zone.x, zone.y)
    edge = zone.y + (-1 if zone.turn == 0 else 1) * (zone.height / 2 + 6)
    label = Text((zone.x, edge), zone.name.rpartition(".")[2].upper(), 5, "#6b6f76", zone.turn)
    return [rectangle(zone.width, zone.height, stroke="#9aa0a8", line=0.8, at=at), label]

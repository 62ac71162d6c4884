"""The table: for each seat a place for the selected card, a Combat Pile and a Damage Pile.

The players sit along the two long sides, clockwise seen from above; the weapons on display and the discards lie
between them. A selected card lies crosswise, turned by 90 degrees, in the middle one of its owner's three places.
"""

from functools import cache

from companion.core.drawing import Shape
from companion.core.layout import Layout, Zone
from companion.games.kit.seat_layout import SeatPlace, frame
from companion.games.san_ni_ichi.faces import CARD
from companion.games.san_ni_ichi.state import SanNiIchiState

SEAT_WIDTH, SEAT_DEPTH, MIDDLE, MARGIN = 330.0, 140.0, 130.0, 30.0
NEAR = {3: 1, 4: 2, 5: 2, 6: 3}
"""How many sit on the near side; the others sit across."""
PLACES = {"damage": (-115.0, 74.0, 100.0), "selected": (0.0, 112.0, 100.0), "combat": (115.0, 86.0, 112.0)}
"""As the owner sees them: how far right of the middle of the seat, width, height."""
DISPLAY = 500.0
"""Width of the row of weapons."""
OUTLINE, LABEL = "#9aa0a8", "#6b6f76"


def layout(state: SanNiIchiState) -> Layout:
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
        here = SeatPlace(name, x, y, 0.0 if on_near else 180.0)
        zones += [here.zone(what, right, 0.0, wide, high, holds="pile") for what, (right, wide, high) in PLACES.items()]
    zones.append(Zone("weapons", width / 2 - 60, height / 2, DISPLAY, 100.0, rotations=2, holds="row"))
    zones.append(Zone("discard", width / 2 + DISPLAY / 2, height / 2, 86.0, 112.0, holds="pile"))
    return Layout(width, height, tuple(zones), CARD, tuple(shape for zone in zones for shape in _frame(zone)))


def _frame(zone: Zone) -> tuple[Shape, Shape]:
    """Its outline, and its name in a darker ink below it."""
    outline, _ = frame(zone, "", OUTLINE)
    _, label = frame(zone, zone.name.rpartition(".")[2].upper(), LABEL, size=5, below=6)
    return outline, label

"""Sensu on the table: where everything lies.

Each seat has a block: fans at the own edge, then the laid combination, the redeemed cards and the discard pile
towards the middle, where the deck is.
"""

from collections.abc import Iterator
from math import cos, radians, sin

from companion.core.drawing import Shape, Text, rectangle
from companion.core.layout import Layout, Zone
from companion.games.sensu.cards import TITLES, TYPES
from companion.games.sensu.faces import HEIGHT, WIDTH
from companion.games.sensu.piles import DECK
from companion.games.sensu.solo import COLUMNS
from companion.games.sensu.state import State

GAP = 8.0
SLOT = WIDTH + 5
ROW = HEIGHT + 4
FAN = 170.0
"""Room for ten cards of one stick, a good centimetre apart."""
BLOCK = 3 * FAN + 2 * GAP
DEEP = 2 * ROW + GAP
MARGIN = 52.0
"""Free at the sides for the markers in the corners."""
MIDDLE = 216.0
TALL = 2 * (DEEP + GAP) + MIDDLE
INK = "#8fa595"


def layout(state: State) -> Layout:
    players, terms = state.terms.players, state.terms
    across = 2 if len(players) > 2 else 1
    wide = across * BLOCK + (across - 1) * GAP + 2 * MARGIN
    zones: list[Zone] = []
    for seat, (x, y, turn) in zip(players, _blocks(len(players), wide), strict=True):
        zones += _block(seat, x, y, turn, terms.chosen_fan)
    centre = (wide / 2, TALL / 2)
    zones += _solo_middle(players[0], *centre) if terms.solo else _middle(terms.chosen_fan, *centre)
    if len(players) == 5:
        wide += DEEP + GAP
    return Layout(wide, TALL, tuple(zones), (WIDTH, HEIGHT), tuple(_mat(zones, players)))


def _blocks(players: int, wide: float) -> list[tuple[float, float, float]]:
    """Where each seat's block has its own edge's middle, clockwise seen from above, and which way it is turned."""
    left, right = MARGIN + BLOCK / 2, wide - MARGIN - BLOCK / 2
    near, far = GAP, TALL - GAP
    if players <= 2:
        return [(wide / 2, near, 0.0), (wide / 2, far, 180.0)][:players]
    if players == 3:
        return [(wide / 2, near, 0.0), (left, far, 180.0), (right, far, 180.0)]
    corners = [(right, near, 0.0), (left, near, 0.0), (left, far, 180.0), (right, far, 180.0)]
    return [*corners, (wide + DEEP, TALL / 2, 90.0)][:players]


def _block(player: str, x: float, y: float, turn: float, chosen: bool) -> Iterator[Zone]:
    def zone(name: str, across: float, up: float, width: float, holds: str) -> Zone:
        c, s = cos(radians(turn)), sin(radians(turn))
        place = (x + across * c - up * s, y + across * s + up * c)
        return Zone(f"{player}.{name}", round(place[0], 3), round(place[1], 3), width, ROW, turn, 2, holds)

    fans, hand = ROW / 2, ROW + GAP + ROW / 2
    for at, kind in enumerate(TYPES):
        yield zone(kind, (at - 1) * (FAN + GAP), fans, FAN, "row")
    left = -BLOCK / 2
    for name, width, holds in (
        ("combination", 180.0, "row"),
        ("redeemed", 124.0, "row"),
        ("discards", SLOT, "pile"),
        *((("chosen", SLOT, "one"),) if chosen else ()),
    ):
        yield zone(name, left + width / 2, hand, width, holds)
        left += width + GAP


def _middle(chosen: bool, x: float, y: float) -> Iterator[Zone]:
    names = [DECK, *(("closed", "closed_discards") if chosen else (f"closed_{kind}" for kind in TYPES))]
    for at, name in enumerate(names):
        yield Zone(name, x + (at - (len(names) - 1) / 2) * (SLOT + GAP), y, SLOT, ROW, 0.0, 2, "pile")


def _solo_middle(player: str, x: float, y: float) -> Iterator[Zone]:
    """Columns grow towards the player, each card over the one before."""
    deep = TALL - DEEP - 3 * GAP
    for at in range(COLUMNS):
        place = x + (at - 2.5) * (SLOT + GAP)
        yield Zone(f"{player}.column{at + 1}", place, DEEP + 2 * GAP + deep / 2, SLOT, deep, 0.0, 2, "row")
    yield Zone(DECK, x + 1.5 * (SLOT + GAP), y, SLOT, ROW, 0.0, 2, "pile")
    for at, kind in enumerate(TYPES):
        place = y + (at - 1) * (ROW + GAP) + ROW / 2
        yield Zone(f"closed_{kind}", x + 2.5 * (SLOT + GAP), place, SLOT, ROW, 0.0, 2, "pile")


def _mat(zones: list[Zone], players: tuple[str, ...]) -> Iterator[Shape]:
    for zone in zones:
        crosswise = zone.turn % 180 == 90
        width, height = (zone.height, zone.width) if crosswise else (zone.width, zone.height)
        yield rectangle(width, height, stroke=INK, line=0.8, at=(zone.x, zone.y))
        name = zone.name
        for player in players:
            name = name.removeprefix(f"{player}.")
        label = TITLES.get(name, name.replace("_", " ")).upper().replace("Ō", "O")
        yield Text((zone.x, zone.y), label, 4.0, INK, zone.turn)

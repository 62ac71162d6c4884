"""Sensu on the table: where everything lies.

Each seat has its fans at the player's edge of the table; behind them, towards the middle, the combination that is being
laid, the redeemed cards and the discard pile. The deck is in the middle.
"""

from collections.abc import Iterator

from companion.core.drawing import Shape
from companion.core.layout import Layout, Zone
from companion.games.kit.seat_layout import SeatPlace, frame
from companion.games.sensu.cards import TITLES, TYPES
from companion.games.sensu.faces import HEIGHT, WIDTH
from companion.games.sensu.piles import DECK
from companion.games.sensu.solo import COLUMNS
from companion.games.sensu.state import SensuState

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


def layout(state: SensuState) -> Layout:
    players, terms = state.terms.players, state.terms
    across = 2 if len(players) > 2 else 1
    wide = across * BLOCK + (across - 1) * GAP + 2 * MARGIN
    zones: list[Zone] = []
    for player, (x, y, turn) in zip(players, _places(len(players), wide), strict=True):
        zones += _block(SeatPlace(player, x, y, turn), terms.chosen_fan)
    centre = (wide / 2, TALL / 2)
    zones += _solo_middle(players[0], *centre) if terms.solo else _middle(terms.chosen_fan, *centre)
    if len(players) == 5:
        wide += DEEP + GAP
    return Layout(wide, TALL, tuple(zones), (WIDTH, HEIGHT), tuple(_mat(zones, players)))


def _places(players: int, wide: float) -> list[tuple[float, float, float]]:
    """The middle of each player's edge, clockwise seen from above, and which way the player looks."""
    left, right = MARGIN + BLOCK / 2, wide - MARGIN - BLOCK / 2
    near, far = GAP, TALL - GAP
    if players <= 2:
        return [(wide / 2, near, 0.0), (wide / 2, far, 180.0)][:players]
    if players == 3:
        return [(wide / 2, near, 0.0), (left, far, 180.0), (right, far, 180.0)]
    corners = [(right, near, 0.0), (left, near, 0.0), (left, far, 180.0), (right, far, 180.0)]
    return [*corners, (wide + DEEP, TALL / 2, 90.0)][:players]


def _block(place: SeatPlace, chosen: bool) -> Iterator[Zone]:
    yield from place.row([(kind, FAN, "row") for kind in TYPES], ahead=ROW / 2, height=ROW, gap=GAP)
    behind = [("combination", 180.0, "row"), ("redeemed", 124.0, "row"), ("discards", SLOT, "pile")]
    if chosen:
        behind.append(("chosen", SLOT, "one"))
    yield from place.row(behind, ahead=ROW + GAP + ROW / 2, height=ROW, gap=GAP, left=-BLOCK / 2)


def _middle(chosen: bool, x: float, y: float) -> Iterator[Zone]:
    names = [DECK, *(("closed", "closed_discards") if chosen else (f"closed_{kind}" for kind in TYPES))]
    for at, name in enumerate(names):
        yield Zone(name, x + (at - (len(names) - 1) / 2) * (SLOT + GAP), y, SLOT, ROW, 0.0, 2, "pile")


def _solo_middle(player: str, x: float, y: float) -> Iterator[Zone]:
    """Columns grow towards the player, each card lying over the one before."""
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
        name = zone.name
        for player in players:
            name = name.removeprefix(f"{player}.")
        yield from frame(zone, TITLES.get(name, name.replace("_", " ")).upper().replace("Ō", "O"), INK)

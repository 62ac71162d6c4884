"""Senjutsu on the table: two hex tiles in the middle, and a strip of places at each seat.

Miniatures and kamae rings carry tags, by which the camera knows where they stand and which way they face.
"""

from collections.abc import Iterator
from math import cos, radians, sin, sqrt

from companion.core.drawing import Shape, Text
from companion.core.layout import Layout, SeenPiece, Zone
from companion.games.kit.seat_layout import SeatPlace, frame
from companion.games.senjutsu.faces import HEIGHT, WIDTH, hexagon
from companion.games.senjutsu.hexes import Hex
from companion.games.senjutsu.kamae_board import ROOM, KamaeBoard, ring
from companion.games.senjutsu.setup import LOOKS
from companion.games.senjutsu.state import Duel, DuelState

FIRST_TAG, FIRST_RING = 10, 20
GAP = 14.0
DEEP = HEIGHT + 8
STRIP = (
    ("deck", WIDTH + 6, "pile"),
    ("discards", WIDTH + 6, "pile"),
    ("card", WIDTH + 6, "pile"),
    ("wounds", 2.5 * WIDTH, "row"),
)
"""From the owner's left to right. Instants are laid over the card of the round: the top card counts (SJ-42)."""
LONG = sum(width for _, width, _ in STRIP) + GAP * (len(STRIP) - 1)
TURNS = {"N": 0.0, "E": 270.0, "S": 180.0, "W": 90.0}
"""The rotation of a card that is upright for a player who looks this way over the arena."""
CORNER = 48.0
"""Left free at both ends of a strip, for the markers in the corners of the table."""
ACROSS, ALONG = 270.0, 250.0
"""Room for the two tiles."""
INK = "#6d5b3a"


def piece(player: str) -> str:
    return f"samurai.{player}"


class ArenaOnTable:
    """Where the hexes of an arena lie on the table."""

    def __init__(self, duel: Duel) -> None:
        self.arena = duel.arena
        self.turns = [TURNS[look] for look in LOOKS[len(duel.players)]]
        columns, rows = duel.arena.columns, duel.arena.rows
        sides = "EW" if len(duel.players) > 2 else ""
        self.width = LONG + 2 * (DEEP + 2 * GAP if sides else CORNER)
        self.height = LONG + 2 * CORNER if sides else ALONG + 2 * (DEEP + 2 * GAP)
        tall = min(36.0, ALONG / (rows + 0.5), ACROSS / (1.5 * columns + 0.5) * sqrt(3))
        self.side = tall / sqrt(3)
        self.tall = tall
        self.left = self.width / 2 - 0.75 * self.side * (columns - 1)
        self.near = self.height / 2 - tall * (rows - 0.5) / 2

    def centre(self, place: Hex) -> tuple[float, float]:
        return self.left + 1.5 * self.side * place[0], self.near + self.tall * place[1] / 2

    def hex_at(self, seen: SeenPiece) -> str | None:
        """The hex that a piece stands in; None outside the arena."""
        near = min(self.arena.hexes, key=lambda place: self._apart(place, seen))
        return self.arena.hexes[near] if self._apart(near, seen) <= self.side**2 else None

    def _apart(self, place: Hex, seen: SeenPiece) -> float:
        x, y = self.centre(place)
        return (x - seen.x) ** 2 + (y - seen.y) ** 2

    def kamae_board(self, seat: int) -> KamaeBoard:
        """At the player's right, beside the tiles; the boards of four seats are in the four corners."""
        turn = self.turns[seat]
        c, s = cos(radians(turn)), sin(radians(turn))
        right = (1 if c + s > 0 else -1) * (ACROSS + ROOM + 4) / 2
        up = (1 if s - c > 0 else -1) * (ALONG - ROOM) / 2
        return KamaeBoard((self.width / 2 + right, self.height / 2 + up), turn)


def facing_at(seen: SeenPiece) -> int:
    """The facing nearest to how a piece is turned: 0 degrees is N, and degrees run counter-clockwise."""
    return round(-seen.rotation / 60) % 6


def layout(state: DuelState) -> Layout:
    duel, ground = state.duel, ArenaOnTable(state.duel)
    zones: list[Zone] = []
    for player, turn in zip(duel.players, ground.turns, strict=True):
        zones += _strip(player, turn, ground)
    tags = {FIRST_TAG + seat: piece(player) for seat, player in enumerate(duel.players)}
    tags |= {FIRST_RING + seat: ring(player) for seat, player in enumerate(duel.players)}
    trees = [shape for seat, tree in enumerate(duel.trees) for shape in ground.kamae_board(seat).shapes(tree)]
    frames = [shape for zone in zones for shape in frame(zone, zone.name.rpartition(".")[2], INK, size=5.0)]
    mat = (*_tiles(duel, ground), *frames, *trees)
    tag = round(min(20.0, ground.tall * 0.55), 1)
    return Layout(ground.width, ground.height, tuple(zones), (WIDTH, HEIGHT), mat, tags, tag)


def _strip(player: str, turn: float, ground: ArenaOnTable) -> Iterator[Zone]:
    """The places of one player, along that side of the table."""
    sideways = turn in (90.0, 270.0)
    back = (ground.width if sideways else ground.height) / 2 - GAP - DEEP / 2
    seat = SeatPlace(player, ground.width / 2, ground.height / 2, turn)
    yield from seat.row(STRIP, ahead=-back, height=DEEP, gap=GAP)


def _tiles(duel: Duel, ground: ArenaOnTable) -> Iterator[Shape]:
    """Two tiles of half the columns each, in two tones; terrain is dark."""
    for place, name in duel.arena.hexes.items():
        first = place[0] < (duel.arena.columns + 1) // 2
        tone = "#6b6f63" if place in duel.terrain else "#e3d7ba" if first else "#d3cfc0"
        at = ground.centre(place)
        yield hexagon((round(at[0], 3), round(at[1], 3)), ground.side, tone, INK, 0.6)
        yield Text((round(at[0], 3), round(at[1] - 0.38 * ground.tall, 3)), name, 2.6, INK)

"""What really lies on the table: cards in zones, pieces, and hands in the way."""

from math import cos, radians, sin
from random import Random

import msgspec

from companion.core.layout import Layout, SeenPiece, Zone

SLIP = 2.0
"""Millimetres by which people miss the middle of a place."""
SKEW = 2.0
"""Degrees."""
PULL = 0.5
"""The share of its neighbour's offset that a card on a pile takes over from the one below."""
PILE_SHOWN = 4
"""How many cards of a pile are drawn; those further down are hidden."""
ROW_STEP = 0.42
"""How far each card of a row is shifted against the one below, in card widths."""


class Placed(msgspec.Struct, frozen=True):
    """A card that somebody has put down, as sloppily as people do."""

    card: str
    face_up: bool
    rotation: float
    """Degrees counter-clockwise against the zone's upright."""
    slip: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Offset from the exact place: x, y, degrees."""


class CardOnTable(msgspec.Struct, frozen=True):
    """A card with its place on the table, to be drawn."""

    card: str
    face_up: bool
    x: float
    y: float
    turn: float
    zone_turn: float


class PhysicalTable:
    def __init__(self, layout: Layout, random: Random) -> None:
        self.layout = layout
        self.zones = {zone.name: zone for zone in layout.zones}
        self.cards: dict[str, list[Placed]] = {name: [] for name in self.zones}
        self.pieces: dict[str, SeenPiece] = {}
        self.touched: set[tuple[float, float]] = set()
        """Places with a hand over them since the last picture."""
        self._random = random

    def lay(self, zone: str, card: str, *, face_up: bool, rotation: float = 0.0) -> None:
        jitter = self._random.uniform
        x, y, turn = jitter(-SLIP, SLIP), jitter(-SLIP, SLIP), jitter(-SKEW, SKEW)
        below = self.top(zone) if self.zones[zone].holds == "pile" else None
        if below:
            x, y, turn = (own + PULL * under for own, under in zip((x, y, turn), below.slip, strict=True))
        self.cards[zone].append(Placed(card, face_up, rotation, (x, y, turn)))
        self._touch(zone)

    def take(self, zone: str, card: str | None = None) -> Placed:
        """The top card of a place, or one drawn out of a pile by its name."""
        self._touch(zone)
        lying = self.cards[zone]
        at = -1 if card is None else next(at for at, placed in enumerate(lying) if placed.card == card)
        return lying.pop(at)

    def turn_up(self, zone: str) -> Placed:
        """Turn the top card of a place over."""
        placed = self.take(zone)
        self.lay(zone, placed.card, face_up=True, rotation=placed.rotation)
        return placed

    def slide(self, start: str, goal: str) -> None:
        """Push the top card of one place onto another as it lies."""
        placed = self.take(start)
        self.lay(goal, placed.card, face_up=placed.face_up, rotation=placed.rotation)

    def push(self, zone: str, right: float, up: float) -> None:
        """Move the top card of a place by some millimetres, as its owner sees it."""
        placed = self.take(zone)
        x, y, turn = placed.slip
        self.cards[zone].append(msgspec.structs.replace(placed, slip=(x + right, y + up, turn)))

    def turn_down(self, zone: str) -> None:
        """Turn the top card of a place face down."""
        placed = self.take(zone)
        self.lay(zone, placed.card, face_up=False, rotation=placed.rotation)

    def lift(self, zone: str) -> list[Placed]:
        """Take everything that lies in a place, bottom to top."""
        self._touch(zone)
        lifted, self.cards[zone] = self.cards[zone], []
        return lifted

    def put_down(self, zone: str, pile: list[Placed], *, face_up: bool = True) -> None:
        """Put a lifted pile down on what lies there, as it was or turned over as a whole."""
        for placed in pile if face_up else reversed(pile):
            self.lay(zone, placed.card, face_up=face_up, rotation=placed.rotation)

    def top(self, zone: str) -> Placed | None:
        return self.cards[zone][-1] if self.cards[zone] else None

    def stand(self, piece: str, x: float, y: float, rotation: float = 0.0) -> None:
        self.pieces[piece] = SeenPiece(x, y, rotation)
        self.touched.add((x, y))

    def _touch(self, zone: str) -> None:
        self.touched.add((self.zones[zone].x, self.zones[zone].y))

    def things(self) -> list[CardOnTable]:
        """Every card, bottom to top."""
        found = []
        for name, cards in self.cards.items():
            zone = self.zones[name]
            # Of a high pile only the top can be seen.
            seen = cards[-PILE_SHOWN:] if zone.holds == "pile" else cards
            for place, card in enumerate(seen):
                right, up = _in_row(zone, self.layout.card, place, len(cards)) if zone.holds == "row" else (0.0, 0.0)
                x, y = _in_zone(zone, right + card.slip[0], up + card.slip[1])
                turn = zone.turn + card.rotation + card.slip[2]
                found.append(CardOnTable(card.card, card.face_up, x, y, turn, zone.turn))
        return found


def _in_row(zone: Zone, card: tuple[float, float], place: int, count: int) -> tuple[float, float]:
    """Cards of a row lie over each other from its start, closer together when it gets full: from the left of their
    owner, or where there is more room that way, as a column towards him."""
    right, up = zone.width - card[0], zone.height - card[1]
    room = max(right, up)
    step = min(ROW_STEP * card[0], room / (count - 1)) if count > 1 else 0.0
    along = place * step - room / 2
    return (along, 0.0) if right >= up else (0.0, -along)


def _in_zone(zone: Zone, right: float, up: float) -> tuple[float, float]:
    turn = radians(zone.turn)
    return zone.x + right * cos(turn) - up * sin(turn), zone.y + right * sin(turn) + up * cos(turn)

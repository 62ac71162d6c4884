"""Senjutsu on the table: two hex tiles in the middle, a strip of places at each seat, and what is seen there.

Miniatures and kamae rings carry tags: where they stand and face is read from them. The referee is told a whole move
only: a miniature that stands short of what its line allows may still be on its way, and is asked for on the tablet.
"""

from collections.abc import Iterator
from math import cos, radians, sin, sqrt
from typing import Any

import msgspec

from companion.core.drawing import Shape, Text, rectangle
from companion.core.layout import Layout, SeenCard, SeenPiece, Sight, Zone
from companion.games.kit.game import Sealed
from companion.games.senjutsu import ability as a
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.cards import HEIGHT, WIDTH, hexagon
from companion.games.senjutsu.checks import kinds_of
from companion.games.senjutsu.choices import options
from companion.games.senjutsu.hexes import FACINGS, STEPS, Hex, distance, plus
from companion.games.senjutsu.kamae_board import ROOM, KamaeBoard, ring
from companion.games.senjutsu.movement import turns
from companion.games.senjutsu.setup import LOOKS
from companion.games.senjutsu.state import Duel, State

FIRST_TAG, FIRST_RING = 10, 20
GAP = 14.0
DEEP = HEIGHT + 8
STRIP = (
    ("deck", WIDTH + 6, "pile"),
    ("discards", WIDTH + 6, "pile"),
    ("card", WIDTH + 6, "pile"),
    ("wounds", 2.5 * WIDTH, "row"),
)
"""From the owner's left to right. An instant is laid over the card of the round, so the top card tells (SJ-42)."""
LONG = sum(width for _, width, _ in STRIP) + GAP * (len(STRIP) - 1)
TURNS = {"N": 0.0, "E": 270.0, "S": 180.0, "W": 90.0}
"""How a card lies that is upright for somebody who looks this way over the arena."""
CORNER = 48.0
"""Free at both ends of a strip, for the markers in the table's corners."""
ACROSS, ALONG = 270.0, 250.0
"""Room for the two tiles."""
INK = "#6d5b3a"


def piece(player: str) -> str:
    return f"samurai.{player}"


class Ground:
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
        """The hex that a piece stands in; None beside the arena."""
        near = min(self.arena.hexes, key=lambda place: self._apart(place, seen))
        return self.arena.hexes[near] if self._apart(near, seen) <= self.side**2 else None

    def _apart(self, place: Hex, seen: SeenPiece) -> float:
        x, y = self.centre(place)
        return (x - seen.x) ** 2 + (y - seen.y) ** 2

    def kamae_board(self, seat: int) -> KamaeBoard:
        """At its player's right hand, beside the tiles: the four seats have the four corners there."""
        turn = self.turns[seat]
        c, s = cos(radians(turn)), sin(radians(turn))
        right = (1 if c + s > 0 else -1) * (ACROSS + ROOM + 4) / 2
        up = (1 if s - c > 0 else -1) * (ALONG - ROOM) / 2
        return KamaeBoard((self.width / 2 + right, self.height / 2 + up), turn)


def facing_at(seen: SeenPiece) -> int:
    """The facing nearest to how a piece is turned: 0 degrees is N, and degrees run the other way round."""
    return round(-seen.rotation / 60) % 6


def layout(state: State) -> Layout:
    duel, ground = state.duel, Ground(state.duel)
    zones: list[Zone] = []
    for player, turn in zip(duel.players, ground.turns, strict=True):
        zones += _strip(player, turn, ground)
    tags = {FIRST_TAG + seat: piece(player) for seat, player in enumerate(duel.players)}
    tags |= {FIRST_RING + seat: ring(player) for seat, player in enumerate(duel.players)}
    trees = [shape for seat, tree in enumerate(duel.trees) for shape in ground.kamae_board(seat).shapes(tree)]
    mat = (*_tiles(duel, ground), *_frames(zones), *trees)
    tag = round(min(20.0, ground.tall * 0.55), 1)
    return Layout(ground.width, ground.height, tuple(zones), (WIDTH, HEIGHT), mat, tags, tag)


def _strip(player: str, turn: float, ground: Ground) -> Iterator[Zone]:
    sideways = turn in (90.0, 270.0)
    back = (ground.width if sideways else ground.height) / 2 - GAP - DEEP / 2
    c, s = cos(radians(turn)), sin(radians(turn))
    left = -LONG / 2
    for name, width, holds in STRIP:
        across = left + width / 2
        x, y = ground.width / 2 + across * c + back * s, ground.height / 2 + across * s - back * c
        yield Zone(f"{player}.{name}", round(x, 3), round(y, 3), width, DEEP, turn, 2, holds)
        left += width + GAP


def _tiles(duel: Duel, ground: Ground) -> Iterator[Shape]:
    """Two tiles of half the columns each, told apart by their tone; terrain is dark."""
    for place, name in duel.arena.hexes.items():
        first = place[0] < (duel.arena.columns + 1) // 2
        tone = "#6b6f63" if place in duel.terrain else "#e3d7ba" if first else "#d3cfc0"
        at = ground.centre(place)
        yield hexagon((round(at[0], 3), round(at[1], 3)), ground.side, tone, INK, 0.6)
        yield Text((round(at[0], 3), round(at[1] - 0.38 * ground.tall, 3)), name, 2.6, INK)


def _frames(zones: list[Zone]) -> Iterator[Shape]:
    for zone in zones:
        wide, high = (zone.width, zone.height) if zone.turn in (0.0, 180.0) else (zone.height, zone.width)
        yield rectangle(wide, high, stroke=INK, line=0.8, at=(zone.x, zone.y))
        yield Text((zone.x, zone.y), zone.name.rpartition(".")[2], 5.0, INK, zone.turn)


def misplaced(state: State, sight: Sight) -> dict[str, tuple[str, str]]:
    """Players whose miniature, or else whose ring, is elsewhere than the rules have it: name -> (as seen, as ruled)."""
    rings = {player: (f"kamae {lies}", f"kamae {belongs}") for player, (lies, belongs) in _rings(state, sight).items()}
    return rings | _strays(state, sight)


def _rings(state: State, sight: Sight) -> dict[str, tuple[str, str]]:
    ground, wrong = Ground(state.duel), {}
    for seat, (player, samurai) in enumerate(zip(state.duel.players, state.samurai, strict=True)):
        seen = sight.pieces.get(ring(player))
        lies = ground.kamae_board(seat).kamae_at(seen) if seen else samurai.kamae
        if lies != samurai.kamae and not samurai.defeated:
            wrong[player] = lies or "?", samurai.kamae
    return wrong


def _strays(state: State, sight: Sight) -> dict[str, tuple[str, str]]:
    ground, wrong = Ground(state.duel), {}
    for player, samurai in zip(state.duel.players, state.samurai, strict=True):
        seen = sight.pieces.get(piece(player))
        if seen is None or samurai.defeated:
            continue
        stands = f"{ground.hex_at(seen) or '?'} {FACINGS[facing_at(seen)]}"
        belongs = f"{state.duel.arena.hexes[samurai.hex]} {FACINGS[samurai.facing]}"
        if stands != belongs:
            wrong[player] = (stands, belongs)
    return wrong


class Advice(msgspec.Struct, frozen=True):
    """What lies or stands otherwise than the rules have it, for people to put right."""

    strays: dict[str, tuple[str, str]]
    """Player -> (where the miniature stands, where it belongs), `d3 N` each."""
    wounds: dict[str, tuple[int, int]]
    """Player -> (wound cards laid out, wound cards taken)."""
    rings: dict[str, tuple[str, str]]
    """Player -> (where the kamae ring lies, where it belongs)."""


def advice(state: State, sight: Sight) -> Advice | None:
    strays, rings, wounds = _strays(state, sight), _rings(state, sight), dict[str, tuple[int, int]]()
    for player, samurai in zip(state.duel.players, state.samurai, strict=True):
        laid = sight.zones.get(f"{player}.wounds")
        if laid is not None and len(laid) != len(samurai.row) and not samurai.defeated:
            wounds[player] = len(laid), len(samurai.row)
    return Advice(strays, wounds, rings) if strays or wounds or rings else None


def read(state: State, sealed: Sealed, player: str, sight: Sight) -> Any:
    """What lies or stands there, as this player's answer; None where it says nothing yet."""
    for kind in kinds_of(state, sealed, player):
        if kind in READ:
            return READ[kind](state, player, sight)
    return None


def _top(sight: Sight, player: str, zone: str) -> SeenCard | None:
    cards = sight.zones.get(f"{player}.{zone}")
    return cards[-1] if cards else None


def _select(state: State, player: str, sight: Sight) -> Any:
    card = _top(sight, player, "card")
    return m.Select() if card and not card.face_up else None


def _reveal(state: State, player: str, sight: Sight) -> Any:
    card = _top(sight, player, "card")
    return m.Reveal(card.card) if card and card.face_up and card.card else None


def _instant(state: State, player: str, sight: Sight) -> Any:
    """Something else on top than what was there before; a second copy of the same instant is said by tap."""
    card, samurai = _top(sight, player, "card"), state.samurai[state.duel.seat[player]]
    if card is None or not card.face_up or not card.card:
        return None
    return m.Instant(card.card) if card.card != (samurai.card, *samurai.laid)[-1] else None


def _step(state: State, player: str, sight: Sight) -> Any:
    """A miniature that has gone as far as its line allows, by a way that touches nothing."""
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Step)
    return _stepped(state, player, sight, state.ask.line.hexes)


def _stepped(state: State, player: str, sight: Sight, least: int) -> Any:
    """The step that leads where the miniature stands, if that is at least so many hexes away."""
    seen, samurai = sight.pieces.get(piece(player)), state.samurai[state.duel.seat[player]]
    stands = Ground(state.duel).hex_at(seen) if seen else None
    if stands is None or distance(state.duel.arena.names[stands], samurai.hex) < least:
        return None
    steps = (move for move in options(state, {}, player) if isinstance(move, m.Step))
    return next((move for move in steps if _ends(state, samurai.hex, move) == stands), None)


def _ends(state: State, here: Hex, move: m.Step) -> str | None:
    """Where a path ends; None if it runs into anything."""
    others = {other.hex for other in state.samurai if not other.defeated}
    for name in move.path:
        here = plus(here, STEPS[FACINGS.index(name)])
        if here in others or here in state.duel.terrain or here not in state.duel.arena.hexes:
            return None
    return state.duel.arena.hexes[here]


def _rotate(state: State, player: str, sight: Sight) -> Any:
    """A miniature that has turned as far as its line allows."""
    return _turned(state, player, sight, whole=True)


def _turned(state: State, player: str, sight: Sight, *, whole: bool) -> Any:
    assert state.ask is not None
    line, samurai = state.ask.line, state.samurai[state.duel.seat[player]]
    assert isinstance(line, a.Rotate)
    seen = sight.pieces.get(piece(player))
    if seen is None:
        return None
    facing = facing_at(seen)
    allowed = turns(samurai.facing, line.sixths, line.side, line.may and not whole)
    return m.Rotate(FACINGS[facing]) if facing in allowed and facing != samurai.facing else None


def _kamae(state: State, player: str, sight: Sight) -> Any:
    """The ring lies on another place than the own kamae."""
    seat, seen = state.duel.seat[player], sight.pieces.get(ring(player))
    lies = Ground(state.duel).kamae_board(seat).kamae_at(seen) if seen else None
    return m.Kamae(lies) if lies and lies != state.samurai[seat].kamae else None


def _discard(state: State, player: str, sight: Sight) -> Any:
    """One card forced out of the hand lies face up on the discards, and is not the last that was seen there.

    What goes there face down may come late: only another face counts.
    """
    assert state.ask is not None
    assert isinstance(state.ask.line, a.Drop)
    card, pile = _top(sight, player, "discards"), state.samurai[state.duel.seat[player]].pile
    if state.ask.line.cards != 1 or card is None or not card.face_up or not card.card:
        return None
    last = next((shown for shown in reversed(pile) if shown), None)
    return m.Discard([card.card]) if card.card != last else None


def ready(state: State, sealed: Sealed, player: str, sight: Sight) -> Any:
    """A miniature that has gone less far than it may has done so now; else what may be left out is left out."""
    kinds = kinds_of(state, sealed, player)
    if "pass" not in kinds:
        return None
    return (READY[kinds[0]](state, player, sight) if kinds[0] in READY else None) or m.Pass()


READ = {
    "select": _select,
    "reveal": _reveal,
    "instant": _instant,
    "step": _step,
    "rotate": _rotate,
    "kamae": _kamae,
    "discard": _discard,
}
READY = {
    "step": lambda state, player, sight: _stepped(state, player, sight, 1),
    "rotate": lambda state, player, sight: _turned(state, player, sight, whole=False),
}
"""What a press of ready makes of a miniature that has not gone all the way."""

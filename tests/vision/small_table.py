"""A small table for the vision tests: octagonal cards in holders, a pawn, a few near-identical faces."""

import math

import numpy as np

from companion.core.drawing import Circle, Face, Polygon, Text, rectangle
from companion.core.layout import Layout, SeenPiece, Zone
from vision.calibration.projection import TableProjection
from vision.simulation.scene import Lighting, Lying, SceneRenderer


def octagon(radius: float) -> tuple[tuple[float, float], ...]:
    steps = [math.pi / 8 + k * math.pi / 4 for k in range(8)]
    return tuple((radius * math.cos(a), radius * math.sin(a)) for a in steps)


CUT = octagon(32.0)
WORDS = ("ATTACK", "MOVE", "LEAP", "BLOCK", "FLY", "KATANA")


def face(word: str, number: int) -> Face:
    shapes = (
        Polygon(CUT, fill="#eeeedd", stroke="#333333", width=1.0),
        Polygon(((0, 25), (8, 13), (-8, 13)), fill="#bb2222"),
        Text((0, 0), word, 7),
        Text((0, -16), str(number), 8),
    )
    return Face(60, 60, shapes, CUT)


FACES = {f"{word.lower()}{number}": face(word, number) for word in WORDS for number in range(4)}
BACK_FACE = Face(60, 60, (Polygon(CUT, fill="#223366"), Circle((0, 0), 15, stroke="#ffffff", width=2)), CUT)
HOLDER = Face(
    72, 72, (Polygon(octagon(38.4), fill="#222222"), rectangle(8, 9, fill="#ddbb33", at=(0, -31))), octagon(38.4)
)
ZONES = tuple(Zone(f"slot.{k}", 110 + 90 * k, 90, 64, 64, turn=90.0 * k, rotations=8) for k in range(4))
TABLE = Layout(
    480,
    360,
    ZONES,
    (60, 60),
    mat=(
        *(rectangle(66, 66, stroke="#ffffff", at=(z.x, z.y)) for z in ZONES),
        rectangle(200, 160, fill="#ddccaa", at=(240, 240)),
    ),
    tags={10: "pawn.Aki"},
    holder=HOLDER,
)
PAWN = {10: SeenPiece(240, 240, 30)}


def studio(**light: float) -> SceneRenderer:
    return SceneRenderer(TABLE, TableProjection.overhead(TABLE.width, TABLE.height, 1.6, tilt=8.0), Lighting(**light))  # type: ignore[arg-type]


def sloppy(zone: Zone, face: Face, eighths: int, rng: np.random.Generator) -> Lying:
    """A card as a player lays it: a few millimetres and degrees off."""
    dx, dy, da = rng.uniform(-3.5, 3.5, 3)
    return Lying(face, zone.x + dx, zone.y + dy, zone.turn + 45 * eighths + da, holder_turn=zone.turn)

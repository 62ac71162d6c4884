"""Decks for measuring: drawn cards that are as hard to read as real ones, and photographs of them.

Playing cards differ in a digit and a few pips; flower cards are all picture. They are photographed freely: at any size,
rotation and tilt, blurred, noisy, in coloured and uneven light, with reflections, in a sleeve, on cloths of any colour.
"""

import math
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.drawing import Circle, Face, Polygon, Shape, Text, rectangle
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.simulation.paint import colour, paint

SUITS = {"s": "#111111", "h": "#c8102e", "c": "#111111", "d": "#c8102e"}
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_FANS = {"b": ("#27548a", "#b9d3ea"), "p": ("#b0366f", "#f0c6d9"), "g": ("#2f7a4f", "#c5e4cf")}
_DRESS = ("#d9a520", "#7b3f98", "#2a6fb0", "#e8e2d0", "#8c1c13", "#2f4b26", "#141414")


def playing_cards() -> dict[str, Face]:
    """52 cards, 58 x 89 mm: index in two corners, pips in columns, a frame and stripes for the courts."""
    return {f"{rank}{suit}": _playing_card(rank, suit) for suit in SUITS for rank in RANKS}


def flower_cards(count: int = 48) -> dict[str, Face]:
    """All picture, 33 x 54 mm: hills, suns, leaves and blossoms. Four cards of a month share their plants."""
    return {f"{1 + k // 4:02d}-{1 + k % 4}": _flower_card(k // 4, k % 4) for k in range(count)}


def fan_cards() -> dict[str, Face]:
    """81 near-identical cards, 59 x 92 mm: nine numbers 6 mm high on three colours of one fan, with no, one or two
    dots. What tells two of them apart is less than a hundredth of their area."""
    return {
        f"{ink}{number}{'abc'[dots]}": _fan_card(ink, number, dots)
        for ink in _FANS
        for number in range(1, 10)
        for dots in range(3)
    }


def striped_back() -> Face:
    lines = tuple(rectangle(50, 1.2, fill="#ffffff", at=(0, y)) for y in range(-38, 39, 4))
    return Face(58, 89, (rectangle(58, 89, fill="#ffffff"), rectangle(52, 83, fill="#27408b"), *lines))


def pip(suit: str, x: float, y: float, size: float, up: float = 1.0) -> tuple[Shape, ...]:
    ink, s = SUITS[suit], size
    if suit == "d":
        return (Polygon(((x, y + s), (x + 0.75 * s, y), (x, y - s), (x - 0.75 * s, y)), fill=ink),)
    lobes = (
        Circle((x - 0.45 * s, y + 0.25 * s * up), 0.5 * s, fill=ink),
        Circle((x + 0.45 * s, y + 0.25 * s * up), 0.5 * s, fill=ink),
    )
    if suit == "h":
        point = Polygon(((x - 0.92 * s, y + 0.1 * s * up), (x + 0.92 * s, y + 0.1 * s * up), (x, y - s * up)), fill=ink)
        return (*lobes, point)
    foot = Polygon(((x, y), (x + 0.35 * s, y - s * up), (x - 0.35 * s, y - s * up)), fill=ink)
    if suit == "c":
        return (
            Circle((x, y + 0.5 * s * up), 0.45 * s, fill=ink),
            Circle((x - 0.5 * s, y - 0.15 * s * up), 0.45 * s, fill=ink),
            Circle((x + 0.5 * s, y - 0.15 * s * up), 0.45 * s, fill=ink),
            foot,
        )
    lobes = (
        Circle((x - 0.42 * s, y - 0.2 * s * up), 0.48 * s, fill=ink),
        Circle((x + 0.42 * s, y - 0.2 * s * up), 0.48 * s, fill=ink),
    )
    return (
        *lobes,
        Polygon(((x - 0.88 * s, y - 0.05 * s * up), (x + 0.88 * s, y - 0.05 * s * up), (x, y + s * up)), fill=ink),
        foot,
    )


def _playing_card(rank: str, suit: str) -> Face:
    ink = SUITS[suit]
    shapes: list[Shape] = [rectangle(58, 89, fill="#fdfdf8")]
    for up in (1.0, -1.0):
        turn = 0.0 if up > 0 else 180.0
        shapes.append(Text((-24.5 * up, 37.5 * up), rank, 6, ink, turn))
        shapes += pip(suit, -24.5 * up, 28.5 * up, 2.6, up)
    if rank in "JQK":
        # As on printed cards, no two court cards are dressed alike.
        dress, sash = _DRESS["JQK".index(rank)], _DRESS[3 + "shcd".index(suit)]
        shapes.append(rectangle(38, 70, fill="#f6ecd2", stroke="#333333", line=0.6))
        for up in (1.0, -1.0):
            shapes.append(Polygon(((-14, 0), (14, 0), (8, 16 * up), (-8, 16 * up)), fill=dress))
            shapes.append(Polygon(((-12, 3 * up), (-7, 3 * up), (9, 13 * up), (4, 13 * up)), fill=sash))
            shapes.append(Circle((0, 22 * up), 6, fill="#f0c8a0", stroke="#333333"))
            shapes.append(
                Polygon(((-6, 27 * up), (6, 27 * up), (4, 33 * up), (0, 29 * up), (-4, 33 * up)), fill="#d9a520")
            )
            shapes += pip(suit, -13 * up, 28 * up, 3.5, up)
    else:
        for x, y in _pips(1 if rank == "A" else int(rank)):
            shapes += pip(suit, x, y, 9.0 if rank == "A" else 4.6, 1.0 if y >= 0 else -1.0)
    return Face(58, 89, tuple(shapes))


def _pips(count: int) -> list[tuple[float, float]]:
    side = {1: [], 2: [], 3: [], 4: [28, -28], 5: [28, -28], 6: [28, 0, -28], 7: [28, 0, -28], 8: [28, 0, -28]}
    rows = side.get(count, [28.0, 9.0, -9.0, -28.0])
    places = [(x, float(y)) for x in (-11.0, 11.0) for y in rows]
    middle = {1: [0], 2: [28, -28], 3: [28, 0, -28], 5: [0], 7: [14], 8: [14, -14], 9: [0], 10: [18, -18]}
    return places + [(0.0, float(y)) for y in middle.get(count, [])]


def _flower_card(month: int, number: int) -> Face:
    rng = np.random.default_rng(1000 + month)
    own = np.random.default_rng(5000 + 10 * month + number)
    inks = ["#d7263d", "#1b998b", "#2e294e", "#f46036", "#e2c044", "#5b8c5a", "#8f2d56", "#33658a"]
    sky = ["#f4efe0", "#e8e4d0", "#d8e2dc", "#f7d9c4"][month % 4]
    shapes: list[Shape] = [rectangle(33, 54, fill="#202020"), rectangle(30, 51, fill=sky)]
    leaf, bloom = (inks[int(k)] for k in rng.choice(len(inks), 2, replace=False))
    for _ in range(5):
        x, y, size = float(rng.uniform(-11, 11)), float(rng.uniform(-20, 20)), float(rng.uniform(3, 7))
        lean = float(rng.uniform(0, math.pi))
        tip = (x + 2 * size * math.cos(lean), y + 2 * size * math.sin(lean))
        aside = (-0.5 * size * math.sin(lean), 0.5 * size * math.cos(lean))
        shapes.append(
            Polygon(
                (
                    (x, y),
                    ((x + tip[0]) / 2 + aside[0], (y + tip[1]) / 2 + aside[1]),
                    tip,
                    ((x + tip[0]) / 2 - aside[0], (y + tip[1]) / 2 - aside[1]),
                ),
                fill=leaf,
            )
        )
    for _ in range(2 + number):
        shapes.append(
            Circle(
                (float(own.uniform(-11, 11)), float(own.uniform(-20, 20))),
                float(own.uniform(2, 4.5)),
                fill=bloom,
                stroke="#202020",
            )
        )
    if number == 3:
        shapes.append(rectangle(8, 26, fill="#c1121f", at=(float(own.uniform(-8, 8)), float(own.uniform(-8, 8)))))
    return Face(33, 54, tuple(shapes))


def _fan_card(ink: str, number: int, dots: int) -> Face:
    dark, light = _FANS[ink]
    shapes: list[Shape] = [rectangle(59, 92, fill="#f7f3e8"), rectangle(53, 86, fill=light)]
    for k in range(9):
        start, end = (math.radians(20 + 140 / 9 * (k + edge)) for edge in (0.0, 0.9))
        shapes.append(
            Polygon(
                (
                    (0, -25),
                    (34 * math.cos(start), 34 * math.sin(start) - 25),
                    (34 * math.cos(end), 34 * math.sin(end) - 25),
                ),
                fill=dark if k % 2 else "#f1dfb8",
            )
        )
    shapes += [
        Text((-22.5, 38.0), str(number), 6.0, "#222222"),
        Text((22.5, -38.0), str(number), 6.0, "#222222", 180.0),
    ]
    shapes += [Circle((-22.5, 28.0 - 5 * k), 1.6, fill="#222222") for k in range(dots)]
    shapes += [Circle((22.5, 5 * k - 28.0), 1.6, fill="#222222") for k in range(dots)]
    return Face(59, 92, tuple(shapes))


class Snap(NamedTuple):
    """How a photograph is taken. With the defaults it is a scan."""

    ppmm: float = 3.0
    tilt: float = 0.0
    turn: float = 0.0
    blur: float = 0.0
    noise: float = 0.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    slope: float = 0.0
    glare: float = 0.0
    sleeve: bool = False
    cloth: str = "#35523f"


def some_snap(rng: np.random.Generator, hard: float = 1.0) -> Snap:
    """A photograph as people take them, harder with `hard`."""
    cloths = ("#35523f", "#222222", "#d8d4c8", "#7a4a2a", "#8a1c2c", "#3c4f76")
    return Snap(
        ppmm=float(rng.uniform(2.0, 5.0) / hard**0.5),
        tilt=float(rng.uniform(0, 22) * hard),
        turn=float(rng.uniform(0, 360)),
        blur=float(rng.uniform(0, 0.9) * hard),
        noise=float(rng.uniform(1, 6) * hard),
        cast=tuple(float(v) for v in 1 + rng.uniform(-0.2, 0.2, 3) * hard),  # type: ignore[arg-type]
        slope=float(rng.uniform(0, 0.35) * hard),
        glare=float(rng.choice([0.0, 0.0, 0.5 * hard])),
        sleeve=bool(rng.random() < 0.3),
        cloth=str(rng.choice(cloths)),
    )


def photograph(
    face: Face, snap: Snap, rng: np.random.Generator
) -> tuple[Image, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """A free photograph of one card on a cloth, and the card's corners in it (its own top left first)."""
    painted = paint(face, 6.0).image
    reach = math.hypot(face.width, face.height) * 0.62
    side = round(2 * reach * snap.ppmm)
    tilt, way = math.radians(snap.tilt), float(rng.uniform(0, 2 * math.pi))
    own = (
        np.array(
            [
                (-face.width, face.height),
                (face.width, face.height),
                (face.width, -face.height),
                (-face.width, -face.height),
            ]
        )
        / 2
    )
    spin = math.radians(snap.turn)
    flat = own @ np.array([[math.cos(spin), math.sin(spin)], [-math.sin(spin), math.cos(spin)]])
    across = np.array([math.cos(way), math.sin(way)])
    depth = flat @ across
    far = 1 + depth * math.sin(tilt) / (5 * reach)
    tipped = (flat + np.outer(depth * (math.cos(tilt) - 1), across)) / far[:, None]
    corners = side / 2 + tipped * (snap.ppmm, -snap.ppmm)
    table = np.full((side, side, 3), colour(snap.cloth), np.uint8)
    weave = rng.normal(0, 4, (side // 2 + 1, side // 2 + 1, 1)).astype(np.float32)
    picture = table + cv2.resize(weave, (side, side))[..., None]
    if snap.sleeve:
        rim = side / 2 + (corners - side / 2) * 1.05
        cv2.fillConvexPoly(
            picture, np.rint(rim).astype(np.int32), tuple(0.6 * v + 70 for v in colour(snap.cloth)), cv2.LINE_AA
        )
    rows, cols = painted.shape[:2]
    corner = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(corner, corners.astype(np.float32))
    soft = cv2.GaussianBlur(painted, (0, 0), max(0.3, 0.45 * 6 / snap.ppmm))
    cover = cv2.warpPerspective(np.full((rows, cols), 1.0, np.float32), warp, (side, side))[..., None]
    ink = cv2.warpPerspective(soft, warp, (side, side), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    picture = picture * (1 - cover) + ink * cover
    y, x = np.mgrid[-1 : 1 : side * 1j, -1 : 1 : side * 1j]
    light = 1 + snap.slope * (x * math.cos(way + 1) + y * math.sin(way + 1))
    picture = picture * light[..., None] * np.array(snap.cast)
    if snap.glare:
        at = rng.uniform(-0.4, 0.4, 2)
        shine = np.exp(-(((x - at[0]) / 0.35) ** 2 + ((y - at[1]) / 0.2) ** 2))
        picture = picture + (255 - picture) * (snap.glare * shine)[..., None]
    if snap.blur:
        picture = cv2.GaussianBlur(picture, (0, 0), snap.blur)
    picture = picture + rng.normal(0, snap.noise, picture.shape) if snap.noise else picture
    return np.clip(picture, 0, 255).astype(np.uint8), corners


def scanned(deck: str, faces: dict[str, Face]) -> Gallery:
    """The deck as its owner scans it, one template each."""
    return Gallery.from_faces(deck, faces)

"""Free photographs of drawn cards, and what is found in them: no markers, any camera, cards as people lay them.

Every kind makes cards hard to find in another way: a cloth of the card's own colour, cards that touch, fans and heaps,
sleeves, reflections, a tilted camera, a phone's twelve million pixels.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.drawing import Face
from vision.bench.decks import flower_cards, playing_cards, scanned
from vision.bench.pool import on_all_cores
from vision.calibration.projection import corners, rigid_transform, transform
from vision.detection.card_outlines import overlap
from vision.pictures import Array, Image
from vision.recognition.photo import read_photo
from vision.recognition.recogniser import CardReading, Recogniser
from vision.simulation.paint import colour, paint

FINE = 8.0  # pixels per millimetre of painted cards
ROUND = 3.0  # millimetres: radius of a card's corners
SEEN = 0.25
"""The part of a card that must be uncovered for it to count as one that could be found."""

Floats = NDArray[np.float32]


class PhotographedCard(NamedTuple):
    """A card on a table: millimetres from the centre of the picture, y up, degrees counter-clockwise."""

    card: str
    x: float
    y: float
    turn: float = 0.0


@dataclass(frozen=True)
class Shot:
    """How a photograph is taken."""

    size: tuple[int, int] = (1280, 960)
    ppmm: float = 4.0
    tilt: float = 10.0
    cloth: str = "felt"
    blur: float = 0.6
    noise: float = 3.0
    glare: float = 0.0
    slope: float = 0.15
    sleeves: bool = False
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)


@dataclass
class PhotoTally:
    """A count over photographs: cards that could be found, named rightly, left unsure, missed, and wrong claims."""

    cards: int = 0
    right: int = 0
    unsure: int = 0
    missed: int = 0
    wrong: list[str] = field(default_factory=list)
    ghosts: int = 0
    """Unsure readings where no card lies."""


def shoot(
    faces: dict[str, Face], laid: list[PhotographedCard], shot: Shot, rng: np.random.Generator
) -> tuple[Image, list[Array]]:
    """The photograph, and every card's corners in it (its own top left first), bottom to top."""
    plane = _camera(shot, rng)
    picture = _cloth(shot, plane, rng)
    places = []
    for one in laid:
        face = faces[one.card]
        there = transform(plane, rigid_transform(corners(face.width, face.height), one.x, one.y, one.turn))
        if shot.sleeves:
            _sleeve(picture, face, one, plane, shot)
        _lay(picture, face, there, shot)
        places.append(there)
    return _exposed(picture, shot, rng), places


def _camera(shot: Shot, rng: np.random.Generator) -> Array:
    """The homography from table millimetres to pixels, of a camera tilted towards any side."""
    wide, high = shot.size
    focus, way = 1.1 * max(shot.size), float(rng.uniform(0, 2 * math.pi))
    reach, tilt = focus / shot.ppmm, math.radians(shot.tilt)
    axis = np.array([math.cos(way), math.sin(way), 0]) * tilt
    turn = np.asarray(cv2.Rodrigues(axis)[0]) @ np.diag([1.0, -1.0, -1.0])
    matrix = np.array([[focus, 0, wide / 2], [0, focus, high / 2], [0, 0, 1]])
    return np.asarray(matrix @ np.column_stack([turn[:, 0], turn[:, 1], [0, 0, reach]]), float)


def _cloth(shot: Shot, plane: Array, rng: np.random.Generator) -> Floats:
    wide, high = shot.size
    small = (wide // 4 + 1, high // 4 + 1)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (small[1], small[0])).astype(np.float32), (0, 0), 1.0)
    full = cv2.resize(grain, (wide, high))[..., None]
    match shot.cloth:
        case "wood" | "dark wood":
            lines = cv2.GaussianBlur(rng.normal(0, 1, (small[1], small[0])).astype(np.float32), (0, 0), 18, sigmaY=0.8)
            grown = cv2.resize(lines, (wide, high))[..., None] / float(lines.std())
            tone = np.array(colour("#d9b98c" if shot.cloth == "wood" else "#4a2f1d"), np.float32)
            picture = tone * (1 + 0.07 * grown)
        case "checks":
            y, x = np.mgrid[0:high, 0:wide]
            squares = ((x // 90 + y // 90) % 2)[..., None]
            picture = np.where(squares, np.array(colour("#b23b3b")), np.array(colour("#ece6da"))) + 8.0 * full
        case tone:
            tones = {"felt": "#35523f", "black": "#1d1d1f", "paper": "#ebe8e1", "blue": "#3c4f76"}
            picture = np.array(colour(tones[tone]), np.float32) + 12.0 * full
    return np.asarray(picture, np.float32)


def _rounded(face: Face, fine: float) -> Image:
    wide, high = round(face.width * fine), round(face.height * fine)
    mask = np.zeros((high, wide), np.uint8)
    r = round(ROUND * fine)
    cv2.rectangle(mask, (r, 0), (wide - r - 1, high - 1), 255, cv2.FILLED)
    cv2.rectangle(mask, (0, r), (wide - 1, high - r - 1), 255, cv2.FILLED)
    for x in (r, wide - r - 1):
        for y in (r, high - r - 1):
            cv2.circle(mask, (x, y), r, 255, cv2.FILLED, cv2.LINE_AA)
    return mask


def _lay(picture: Floats, face: Face, there: Array, shot: Shot) -> None:
    """A card and the thin shadow beside it."""
    image = paint(face, FINE).image
    mask = _rounded(face, FINE)
    mask = np.asarray(cv2.resize(mask, (image.shape[1], image.shape[0])), np.uint8)
    margin = round(3 * shot.ppmm)
    low = np.maximum(np.floor(there.min(0)).astype(int) - margin, 0)
    high = np.minimum(np.ceil(there.max(0)).astype(int) + margin, shot.size)
    box = (int(high[0] - low[0]), int(high[1] - low[1]))
    if min(box) < 1:
        return
    rows, cols = image.shape[:2]
    own = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(own, (there - low).astype(np.float32))
    soft = max(0.3, 0.45 * FINE / shot.ppmm)
    ink, cover = (cv2.warpPerspective(cv2.GaussianBlur(part, (0, 0), soft), warp, box) for part in (image, mask))
    share = cover.astype(np.float32)[..., None] / np.float32(255)
    fall = np.array([[1, 0, 0.1 * shot.ppmm], [0, 1, 0.2 * shot.ppmm]])
    shade = cv2.GaussianBlur(cv2.warpAffine(cover, fall, box), (0, 0), 0.6 * shot.ppmm)[..., None] / np.float32(255)
    part = picture[low[1] : high[1], low[0] : high[0]]
    part *= 1 - 0.5 * shade * (1 - share)
    part[:] = part * (1 - share) + ink * share


def _sleeve(picture: Floats, face: Face, one: PhotographedCard, plane: Array, shot: Shot) -> None:
    """A clear sleeve: a little larger, brighter than the cloth, with a bright rim."""
    rim = transform(plane, rigid_transform(corners(face.width + 6, face.height + 6), one.x, one.y, one.turn))
    layer = np.zeros(picture.shape[:2], np.float32)
    cv2.fillConvexPoly(layer, np.rint(rim).astype(np.int32), 0.22, cv2.LINE_AA)
    cv2.polylines(layer, [np.rint(rim).astype(np.int32)], True, 0.5, max(1, round(0.3 * shot.ppmm)), cv2.LINE_AA)
    picture += (255 - picture) * layer[..., None]


def _exposed(picture: Floats, shot: Shot, rng: np.random.Generator) -> Image:
    """Light, reflections, lens, sensor, and JPEG compression as in phones."""
    wide, high = shot.size
    y, x = np.mgrid[-1 : 1 : high * 1j, -1 : 1 : wide * 1j].astype(np.float32)
    way = float(rng.uniform(0, 2 * math.pi))
    light = (1 + shot.slope * (x * math.cos(way) + y * math.sin(way)))[..., None]
    picture = picture * light * np.array(shot.cast, np.float32)
    if shot.glare:
        at = rng.uniform(-0.3, 0.3, 2)
        shine = np.exp(-(((x - at[0]) / 0.3) ** 2 + ((y - at[1]) / 0.15) ** 2))[..., None]
        picture = picture + (255 - picture) * shot.glare * shine
    if shot.blur:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), shot.blur), np.float32)
    picture = picture + rng.normal(0, shot.noise, picture.shape).astype(np.float32)
    data = cv2.imencode(".jpg", np.clip(picture, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


# --- how cards lie ---------------------------------------------------------------------------------------------------

Spread = Callable[[list[str], Face, np.random.Generator], list[PhotographedCard]]


def single(names: list[str], face: Face, rng: np.random.Generator) -> list[PhotographedCard]:
    dx, dy = rng.uniform(-0.15, 0.15, 2) * face.height
    return [PhotographedCard(names[0], float(dx), float(dy), float(rng.uniform(0, 360)))]


def spread(names: list[str], face: Face, rng: np.random.Generator) -> list[PhotographedCard]:
    """Three rows of four, apart."""
    return _grid(names, face, rng, 1.22, 8.0)


def touching(names: list[str], face: Face, rng: np.random.Generator) -> list[PhotographedCard]:
    """Two rows of four, edge to edge."""
    return _grid(names[:8], face, rng, 1.0, 0.0)


def _grid(names: list[str], face: Face, rng: np.random.Generator, step: float, slop: float) -> list[PhotographedCard]:
    rows = -(-len(names[:12]) // 4)
    return [
        PhotographedCard(
            name,
            (k % 4 - 1.5) * face.width * step,
            ((rows - 1) / 2 - k // 4) * face.height * step,
            float(180 * rng.integers(2) + rng.uniform(-slop, slop)),
        )
        for k, name in enumerate(names[:12])
    ]


def fan(names: list[str], face: Face, rng: np.random.Generator) -> list[PhotographedCard]:
    """Seven cards held as in a hand: each turned a little further about a point below."""
    radius, first = 1.6 * face.height, float(rng.uniform(0, 360))
    angles = [first + 11.0 * (3 - k) for k in range(7)]
    laid = []
    for name, angle in zip(names, angles, strict=False):
        x, y = (
            rigid_transform([(0.0, radius)], 0.0, 0.0, angle)[0] - rigid_transform([(0.0, radius)], 0.0, 0.0, first)[0]
        )
        laid.append(PhotographedCard(name, float(x), float(y), angle))
    return laid


def row(names: list[str], face: Face, rng: np.random.Generator) -> list[PhotographedCard]:
    """Six cards in a row, a third of each to be seen."""
    return [
        PhotographedCard(name, (k - 2.5) * 0.36 * face.width, float(rng.uniform(-2, 2)), float(rng.uniform(-2, 2)))
        for k, name in enumerate(names[:6])
    ]


def heap(names: list[str], face: Face, rng: np.random.Generator) -> list[PhotographedCard]:
    """Six cards thrown on each other."""
    return [
        PhotographedCard(name, float(x), float(y), float(turn))
        for name, x, y, turn in zip(
            names[:6], *rng.uniform(-0.6, 0.6, (2, 6)) * face.height, rng.uniform(0, 360, 6), strict=True
        )
    ]


PHONE = Shot((4000, 3000), ppmm=16.0, noise=4.0, blur=1.5)
KINDS: dict[str, tuple[Spread, Shot]] = {
    "one card, felt": (single, Shot(ppmm=6.0)),
    "one card, checks": (single, Shot(ppmm=6.0, cloth="checks", glare=0.7)),
    "one card, light wood": (single, Shot(ppmm=6.0, cloth="wood", cast=(0.75, 0.95, 1.1))),
    "one card, white paper": (single, Shot(ppmm=6.0, cloth="paper")),
    "one card, black, shine": (single, Shot(ppmm=6.0, cloth="black", glare=0.9)),
    "phone, 12 MP": (single, PHONE),
    "table of twelve": (spread, Shot((960, 720), ppmm=2.3)),
    "twelve on white paper": (spread, Shot((960, 720), ppmm=2.3, cloth="paper")),
    "twelve, phone": (spread, Shot((4000, 3000), ppmm=9.0, noise=4.0, blur=1.5, cloth="dark wood")),
    "aslant": (spread, Shot(ppmm=3.0, tilt=38.0, cloth="blue")),
    "sleeves": (spread, Shot(ppmm=3.0, sleeves=True)),
    "touching": (touching, Shot(ppmm=3.4)),
    "row": (row, Shot(ppmm=5.0, cloth="wood")),
    "fan": (fan, Shot(ppmm=3.6)),
    "heap": (heap, Shot(ppmm=4.0, cloth="blue")),
}


def count(
    found: PhotoTally,
    laid: list[PhotographedCard],
    places: list[Array],
    readings: list[CardReading],
    size: tuple[int, int],
) -> PhotoTally:
    """Compare what was read with what lies there; cards that leave the picture do not count."""
    seen = [_uncovered(places, k, size) for k in range(len(places))]
    left = dict(enumerate(zip(laid, places, strict=True)))
    found.cards += sum(share > SEEN for share in seen)
    for reading in sorted(readings, key=lambda reading: -reading.confidence):
        near = max(left, key=lambda k: _same(left[k][1], reading.corners), default=None)
        if near is None or _same(left[near][1], reading.corners) < 0.6:
            if reading.card is None:
                found.ghosts += 1
            else:
                found.wrong.append(f"{reading.card} where no card lies")
            continue
        one, _ = left.pop(near)
        if reading.card is None:
            found.unsure += seen[near] > SEEN
        elif reading.card == one.card:
            found.right += seen[near] > SEEN
        else:
            found.wrong.append(f"{reading.card} for {one.card}")
    found.missed += sum(seen[k] > SEEN for k in left)
    return found


def _same(a: Array, b: Array) -> float:
    """Shared area over the area of the larger quad: 1 for the same place and size."""
    sizes = [cv2.contourArea(quad.astype(np.float32)) for quad in (a, b)]
    return overlap(a, b) * min(sizes) / max(sizes)


def _uncovered(places: list[Array], which: int, within: tuple[int, int]) -> float:
    if (places[which] < 0).any() or (places[which] > within).any():
        return 0.0
    low = np.floor(places[which].min(0))
    size = np.ceil(np.ptp(places[which], axis=0)).astype(int) + 1
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(places[which] - low).astype(np.int32), 1)
    whole = int(mask.sum())
    for other in places[which + 1 :]:
        cv2.fillConvexPoly(mask, np.rint(other - low).astype(np.int32), 0)
    return int(mask.sum()) / max(whole, 1)


TITLE = "Free photographs of drawn cards, without markers: what is found and named"
PHOTOGRAPHS = 3
DECKS = {"playing": playing_cards, "flower": flower_cards}


def run(every: int = 1) -> Iterator[str]:
    """A line for every deck and kind."""
    tasks = [(deck, kind) for deck in DECKS for kind in KINDS]
    for (deck, kind), found in zip(tasks, on_all_cores(partial(_photographs, every=every), tasks), strict=True):
        yield (
            f"{deck:8} {kind:24} {found.cards:4} cards: {found.right:4} right {found.unsure:3} unsure"
            f" {found.missed:3} missed {len(found.wrong):3} wrong {found.ghosts:3} ghosts"
        )


def _photographs(task: tuple[str, str], every: int = 1, seed: int = 1) -> PhotoTally:
    """Some photographs of one kind, read and counted."""
    deck, kind = task
    recogniser, faces = _deck(deck)
    lay, shot = KINDS[kind]
    face = next(iter(faces.values()))
    nearer = replace(shot, ppmm=shot.ppmm * 89 / face.height)
    rng, found = np.random.default_rng(seed), PhotoTally()
    for _ in range(max(1, PHOTOGRAPHS // every)):
        laid = lay([str(name) for name in rng.permutation(list(faces))], face, rng)
        image, places = shoot(faces, laid, nearer, rng)
        count(found, laid, places, read_photo(recogniser, image), shot.size)
    return found


@cache
def _deck(name: str) -> tuple[Recogniser, dict[str, Face]]:
    faces = DECKS[name]()
    return Recogniser(scanned(name, faces)), faces

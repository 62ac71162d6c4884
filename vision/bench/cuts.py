"""Cards cut out of photographs carelessly, on any background, in any light.

The cards are drawn, because no photographs of other decks may be shipped. What is done to them is what real sets show:
corners that are off by a few per cent, table around the card or a slice of the card lost, a border that the reference
does not have, colour casts, reflections, a sideways card.
"""

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.drawing import Face
from vision.bench.decks import Snap, flower_cards, photograph, playing_cards, some_snap
from vision.bench.score import Queries, table
from vision.pictures import Array, Image
from vision.recognition.gallery import Gallery
from vision.simulation.paint import paint

TITLE = "Drawn cards in careless cuts: one reference each, two queries a card; 30 % left out twice"
ROUNDS, SPLITS = 2, 2
ART = 0.05  # of a flower card's width: the border that its reference lacks


class Care(NamedTuple):
    """How carefully cards are cut out, in card widths; ranges of uniform distributions."""

    jitter: tuple[float, float] = (0.02, 0.06)
    margin: tuple[float, float] = (-0.05, 0.10)
    across: tuple[int, int] = (150, 400)
    """Width of the cut in pixels."""


NEAT = Care((0.0, 0.015), (-0.02, 0.03), (300, 301))


def cut_out(image: Image, corners: Array, care: Care, rng: np.random.Generator) -> Image:
    """The card as a person would cut it out, more or less exactly."""
    width, height = (float(np.linalg.norm(corners[k] - corners[k + 1])) for k in (0, 1))
    middle = corners.mean(0)
    quad = middle + (corners - middle) * (1 + 2 * rng.uniform(*care.margin))
    quad = quad + rng.normal(0, rng.uniform(*care.jitter) * width, (4, 2))
    across = int(rng.integers(*care.across))
    down = round(across * height / width)
    to = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), to)
    soft = cv2.GaussianBlur(image, (0, 0), max(0.3, 0.45 * width / across))
    return np.asarray(cv2.warpPerspective(soft, warp, (across, down), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def queries(faces: dict[str, Face], care: Care, rng: np.random.Generator) -> Queries:
    """Photographs as people take them, cut out, in any rotation."""
    found = []
    for card in [card for _ in range(ROUNDS) for card in faces]:
        image, corners = photograph(faces[card], some_snap(rng), rng)
        found.append((card, np.rot90(cut_out(image, corners, care, rng), int(rng.integers(4))).copy()))
    return found


def scans(faces: dict[str, Face], across: int, border: float = 0.0) -> Gallery:
    """Scanned references of this width; without their border where only the art was scanned."""
    pictures = []
    for card, face in faces.items():
        image = paint(face, 6.0).image
        rim = round(border * image.shape[1])
        art = image[rim : image.shape[0] - rim, rim : image.shape[1] - rim]
        small = (across, round(across * art.shape[0] / art.shape[1]))
        pictures.append((card, np.asarray(cv2.resize(art, small, interpolation=cv2.INTER_AREA), np.uint8)))
    return Gallery.from_pictures("scans", pictures)


def snapshots(faces: dict[str, Face], rng: np.random.Generator) -> Gallery:
    """References that are photographs, cut out with some care."""
    pictures = []
    for card, face in faces.items():
        snap: Snap = some_snap(rng, 0.5)
        pictures.append((card, cut_out(*photograph(face, snap, rng), NEAT, rng)))
    return Gallery.from_pictures("snapshots", pictures)


def run(every: int = 1) -> Iterator[str]:
    rng = np.random.default_rng(7)
    playing, flowers = playing_cards(), flower_cards()
    sloppy = queries(playing, Care(), rng)[::every]
    yield "playing cards, scanned references"
    yield from table(scans(playing, 250), sloppy, SPLITS)
    yield "playing cards, photographed references"
    yield from table(snapshots(playing, rng), sloppy, SPLITS)
    yield "flower cards, references 100 pixels wide and without the border that the queries have"
    bordered = queries(flowers, Care((0.005, 0.03), (-0.03, 0.05), (100, 260)), rng)[::every]
    yield from table(scans(flowers, 100, ART), bordered, SPLITS)

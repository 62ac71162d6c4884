"""Measured on whole photographs of pinochle cards: desks, carpets and clutter, one card in each, some of them covered.

The deck is enrolled as an owner would, from one photograph of each card. The other methods get the outlines that ours
finds, cut out; each answers for the outline it is surest of.
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vision.bench.peers import METHODS, Method, Ours
from vision.detection.card_finder import rectify
from vision.detection.card_outlines import find_quads
from vision.enrolment.from_folder import enrol_folder
from vision.pictures import Array, Image, load
from vision.recognition.gallery import Gallery
from vision.recognition.photo import read_photo
from vision.recognition.recogniser import Recogniser

TITLE = "Pinochle, whole photographs: 24 cards, one photographed reference each; 30 % of the cards left out twice"
FOLDER = Path(__file__).parents[3] / "shared" / "photos" / "pinochle"
LEFT_OUT, SPLITS = 0.3, 2
OUTLINES = 6  # that the other methods are asked about in each photograph
OUTCOMES = ("right", "wrong", "doubt", "lost")
HEAD = (
    f"{'method':22}"
    + "".join(f"{of:>14}" + "".join(f"{what:>7}" for what in OUTCOMES) for of in ("uncovered:", "covered:"))
    + "   unknown taken   CPU ms a photograph"
)


class Photograph(NamedTuple):
    image: Image
    card: str
    box: tuple[float, float, float, float]
    covered: bool


class Found(NamedTuple):
    """A card that a method finds; None where it is not sure."""

    card: str | None
    corners: Array


Reader = Callable[[Image], list[Found]]


def photographs(names: Container[str] | None = None) -> list[Photograph]:
    """These photographs, or all."""
    labels = json.loads((FOLDER / "labels.json").read_text())["photos"]
    return [
        Photograph(load(FOLDER / "photos" / name), one["card"], tuple(one["box"]), one["covered"])
        for name, (one,) in labels.items()
        if names is None or name in names
    ]


def reader(method: type[Method], gallery: Gallery) -> Reader:
    """A method that reads whole photographs."""
    if method is Ours:
        recogniser = Recogniser(gallery)
        return lambda image: [Found(one.card, one.corners) for one in read_photo(recogniser, image)]
    named = method(gallery)
    width, height = gallery.size

    def read(image: Image) -> list[Found]:
        found = []
        for quad in find_quads(image, height / width)[:OUTLINES]:
            sides = np.linalg.norm(np.roll(quad.corners, -1, 0) - quad.corners, axis=1)
            upright = quad.corners if sides[0] + sides[2] < sides[1] + sides[3] else np.roll(quad.corners, -1, 0)
            answer = named.read(rectify(image, upright, gallery.size))
            found.append(Found(answer.card if answer.sure else None, quad.corners))
        return found

    return read


def outcome(found: list[Found], photograph: Photograph) -> str:
    here = [one for one in found if _shared(one.corners, photograph.box) > 0.4]
    names = {one.card for one in here if one.card is not None}
    if names - {photograph.card}:
        return "wrong"
    return "right" if names else "doubt" if here else "lost"


def _shared(corners: Array, box: tuple[float, float, float, float]) -> float:
    """Intersection over union of a card's bounding box with a labelled one; where the card is covered the label holds
    what is visible of it, so the smaller of the two counts."""
    (left, top), (right, bottom) = corners.min(0), corners.max(0)
    wide, high = min(right, box[2]) - max(left, box[0]), min(bottom, box[3]) - max(top, box[1])
    smaller = min((right - left) * (bottom - top), (box[2] - box[0]) * (box[3] - box[1]))
    return float(max(wide, 0) * max(high, 0) / max(smaller, 1.0))


def run(every: int = 1) -> Iterator[str]:
    if not FOLDER.is_dir():
        yield "the photographs are not on this machine: not measured"
        return
    photos, gallery = photographs()[::every], enrol_folder("pinochle", FOLDER / "gallery").gallery
    yield HEAD
    for method in METHODS:
        read = reader(method, gallery)
        read(photos[0].image)  # what is made once is not counted
        start = time.process_time()
        counts = {covered: Counter[str]() for covered in (False, True)}
        for photograph in photos:
            counts[photograph.covered][outcome(read(photograph.image), photograph)] += 1
        spent = 1000 * (time.process_time() - start) / len(photos)
        parts = "".join(f"{'':14}{_shares(counts[covered])}" for covered in (False, True))
        yield f"{method.name:22}{parts} {_strangers(method, gallery, photos):13.1f} % {spent:16.0f}"


def _shares(count: Counter[str]) -> str:
    return "".join(f"{100 * count[what] / max(1, count.total()):6.1f}%" for what in OUTCOMES)


def _strangers(method: type[Method], gallery: Gallery, photos: list[Photograph]) -> float:
    """Per cent of the uncovered cards that were never enrolled and are named all the same."""
    taken = []
    for split in range(SPLITS):
        cards = np.random.default_rng(split).permutation(np.array(gallery.cards))
        gone = set(cards[: round(LEFT_OUT * len(cards))].tolist())
        read = reader(method, gallery.without(gone))
        strangers = [one for one in photos if one.card in gone and not one.covered]
        taken += [outcome(read(one.image), one) == "wrong" for one in strangers]
    return 100 * float(np.mean(taken)) if taken else 0.0

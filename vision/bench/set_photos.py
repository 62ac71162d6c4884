"""Measured on real photographs of SET cards: one reference each, other days, other light, another camera."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.bench.score import table
from vision.pictures import Image, load
from vision.recognition.gallery import Gallery
from vision.recognition.photo import read_photo
from vision.recognition.recogniser import Recogniser

TITLE = "SET photographs: 81 cards, one reference each, 405 queries; 30 % of the cards left out three times"
FOLDER = Path(__file__).parents[3] / "shared" / "photos" / "set"


class Photos(NamedTuple):
    gallery: list[tuple[str, Image]]
    queries: list[tuple[str, Image]]
    tables: list[tuple[Image, list[str]]]

    def enrolled(self) -> Gallery:
        return Gallery.from_pictures("set", self.gallery)


def photos(folder: Path) -> Photos:
    gallery = [(path.stem, load(path)) for path in sorted((folder / "gallery").glob("*.jpg"))]
    queries = [(path.parent.name, load(path)) for path in sorted((folder / "queries").glob("*/*.jpg"))]
    tables = [
        (
            load(path),
            [
                line.strip().replace(" ", "-")
                for line in path.with_suffix(".txt").read_text().splitlines()
                if line.strip()
            ],
        )
        for path in sorted((folder / "webcam").glob("*.png"))
    ]
    return Photos(gallery, queries, tables)


def tables(found: Photos) -> tuple[int, int, int]:
    """The webcam tables: how many cards lie there, are named rightly, and are named wrongly. The gallery is mirrored,
    as these photographs are."""
    recogniser = Recogniser(
        Gallery.from_pictures(
            "set", [(card, np.asarray(cv2.flip(image, 1), np.uint8)) for card, image in found.gallery]
        )
    )
    lying = right = wrong = 0
    for image, cards in found.tables:
        readings = read_photo(recogniser, image)
        lying += len(cards)
        for place, reading in enumerate(readings):
            right += place < len(cards) and len(readings) == len(cards) and reading.card == cards[place]
            wrong += reading.card is not None and (place >= len(cards) or reading.card != cards[place])
    return lying, right, wrong


def run(every: int = 1) -> Iterator[str]:
    if not FOLDER.is_dir():
        yield "the photographs are not on this machine: not measured"
        return
    found = photos(FOLDER)
    yield from table(found.enrolled(), found.queries[::every])
    lying, right, wrong = tables(found)
    yield f"webcam tables: {right} of {lying} cards found and named, {wrong} wrong"

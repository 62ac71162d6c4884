"""Measured on real photographs of SET cards: one reference each, other days, other light, another camera."""

import time
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.bench.peers import WAYS, Way
from vision.gallery import Gallery
from vision.paint import Image
from vision.photo import load, read_photo
from vision.recognise import Recogniser

LEFT_OUT = 0.3


class Score(NamedTuple):
    """Shares of all queries, in per cent."""

    name: str
    forced: float
    wrong: float
    unsure: float
    unknown: float
    """Of cards that are not in the gallery, how many were named all the same."""
    ms: float


class Photos(NamedTuple):
    gallery: list[tuple[str, Image]]
    queries: list[tuple[str, Image]]
    tables: list[tuple[Image, list[str]]]


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


def measure(way: type[Way], found: Photos, every: int = 1, splits: int = 3) -> Score:
    """One way on all queries, then with cards left out of the gallery, another third each time."""
    gallery = Gallery.from_pictures("set", found.gallery)
    reader = way(gallery)
    queries = found.queries[::every]
    start = time.perf_counter()
    answers = [(card, reader.read(crop)) for card, crop in queries]
    spent = time.perf_counter() - start
    right = np.array([answer.card == card for card, answer in answers])
    sure = np.array([answer.sure for _, answer in answers])
    strangers = [sure for split in range(splits) for sure in _strangers(way, gallery, queries, split)]
    return Score(
        way.name,
        100 * float(right.mean()),
        100 * float((sure & ~right).mean()),
        100 * float((~sure).mean()),
        100 * float(np.mean(strangers)),
        1000 * spent / len(answers),
    )


def _strangers(way: type[Way], gallery: Gallery, queries: list[tuple[str, Image]], seed: int) -> list[bool]:
    cards = np.random.default_rng(seed).permutation(np.array(gallery.cards))
    gone = set(cards[: round(LEFT_OUT * len(cards))].tolist())
    reader = way(gallery.without(gone))
    return [reader.read(crop).sure for card, crop in queries if card in gone]


def tables(found: Photos) -> tuple[int, int, int]:
    """The webcam tables: cards that lie there, of them named rightly, and named wrongly. The gallery is mirrored, as
    these photographs are."""
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


def table(found: Photos, every: int = 1, splits: int = 3) -> str:
    lines = ["way                    forced right   wrong  unsure  unknown taken   ms/card"]
    for way in WAYS:
        score = measure(way, found, every, splits)
        lines.append(
            f"{score.name:22} {score.forced:10.2f} % {score.wrong:5.2f} % {score.unsure:5.2f} %"
            f" {score.unknown:10.2f} % {score.ms:10.1f}"
        )
    lying, right, wrong = tables(found)
    lines.append(f"webcam tables: {right} of {lying} cards found and named, {wrong} wrong")
    return "\n".join(lines)

"""Does confidence mean what it says? Readings by their confidence, and how many of them are right, on several decks.

Nothing was tuned on the fan deck or on the seed of these photographs. A card that was never enrolled and is named
counts as wrong; how many of them are named is told for each deck.
"""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from vision.bench import cuts, set_photos
from vision.bench.decks import fan_cards, flower_cards, playing_cards
from vision.bench.pool import on_all_cores
from vision.bench.score import LEFT_OUT, Queries
from vision.recognition.gallery import Gallery
from vision.recognition.photo import read_crop
from vision.recognition.recogniser import Recogniser

TITLE = (
    "Reliability: of the readings at a confidence, how many are right; and of cards never enrolled, how many are named"
)
EDGES = (0.0, 0.05, 0.5, 0.8, 0.95, 0.99, 1.0)
DECKS = ("set", "playing", "playing, photographed", "flower", "fans")
SEED = 2026


class ConfidentReading(NamedTuple):
    confidence: float
    right: bool
    enrolled: bool


def run(every: int = 1) -> Iterator[str]:
    decks = [deck for deck in DECKS if deck != "set" or set_photos.FOLDER.is_dir()]
    read = dict(zip(decks, on_all_cores(partial(readings, every=every), decks), strict=True))
    yield f"{'confidence':14}" + "".join(f"{deck:>24}" for deck in (*decks, "all"))
    groups = [*read.values(), [one for some in read.values() for one in some]]
    for low, high in pairwise(EDGES):
        cells = []
        for group in groups:
            inside = [one for one in group if low <= one.confidence < high or one.confidence == high == 1.0]
            right = sum(one.right for one in inside)
            cells.append(f"{f'{right} of {len(inside)} right':>24}")
        yield f"{low:4.2f} to {high:4.2f}  " + "".join(cells)
    named = [[one.confidence >= 0.5 for one in group if not one.enrolled] for group in groups]
    yield f"{'unknown named':14}" + "".join(f"{f'{sum(some)} of {len(some)}':>24}" for some in named)


def readings(deck: str, every: int = 1) -> list[ConfidentReading]:
    """Every query against the whole deck, and those of cards that are left out against the rest of it."""
    gallery, queries = _material(deck)
    cards = np.random.default_rng(SEED).permutation(np.array(gallery.cards))
    gone = set(cards[: round(LEFT_OUT * len(cards))].tolist())
    whole, rest = Recogniser(gallery), Recogniser(gallery.without(gone))
    found = []
    for card, image in queries[::every]:
        one = read_crop(whole, image)
        found.append(ConfidentReading(one.confidence, one.best == card, True))
        if card in gone:
            found.append(ConfidentReading(read_crop(rest, image).confidence, False, False))
    return found


def _material(deck: str) -> tuple[Gallery, Queries]:
    rng = np.random.default_rng(SEED)
    if deck == "set":
        photos = set_photos.photos(set_photos.FOLDER)
        return photos.enrolled(), photos.queries
    if deck == "flower":
        faces = flower_cards()
        return cuts.scans(faces, 100, cuts.ART), cuts.queries(faces, cuts.Care((0.005, 0.03), (-0.03, 0.05)), rng)
    if deck == "fans":
        faces = fan_cards()
        return cuts.scans(faces, 250), cuts.queries(faces, cuts.Care((0.005, 0.02), (-0.02, 0.03)), rng)
    faces = playing_cards()
    gallery = cuts.snapshots(faces, rng) if "photographed" in deck else cuts.scans(faces, 250)
    return gallery, cuts.queries(faces, cuts.Care(), rng)

"""How methods are scored: forced to answer, free to abstain, and asked about cards that they never saw."""

import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from vision.bench.peers import METHODS, Method
from vision.pictures import Image
from vision.recognition.gallery import Gallery

LEFT_OUT = 0.3
HEAD = "method                 forced right    wrong   unsure  unknown taken   CPU ms a card"

Queries = list[tuple[str, Image]]


class Score(NamedTuple):
    """Parts of all queries, in per cent."""

    name: str
    forced: float
    wrong: float
    unsure: float
    unknown: float
    """Of cards that are not in the gallery, how many were named."""
    ms: float

    def __str__(self) -> str:
        return (
            f"{self.name:22} {self.forced:10.2f} % {self.wrong:6.2f} % {self.unsure:6.2f} %"
            f" {self.unknown:11.2f} % {self.ms:12.1f}"
        )


def measure(method: type[Method], gallery: Gallery, queries: Queries, splits: int = 3) -> Score:
    """One method on all queries, then with some cards left out of the gallery, others each time."""
    reader = method(gallery)
    start = time.process_time()
    answers = [(card, reader.read(crop)) for card, crop in queries]
    spent = time.process_time() - start
    right = np.array([answer.card == card for card, answer in answers])
    sure = np.array([answer.sure for _, answer in answers])
    strangers = [sure for split in range(splits) for sure in _strangers(method, gallery, queries, split)]
    return Score(
        method.name,
        100 * float(right.mean()),
        100 * float((sure & ~right).mean()),
        100 * float((~sure).mean()),
        100 * float(np.mean(strangers)),
        1000 * spent / len(answers),
    )


def table(gallery: Gallery, queries: Queries, splits: int = 3) -> Iterator[str]:
    """Every method on the same pictures, a line each."""
    yield HEAD
    for method in METHODS:
        yield str(measure(method, gallery, queries, splits))


def _strangers(method: type[Method], gallery: Gallery, queries: Queries, seed: int) -> list[bool]:
    cards = np.random.default_rng(seed).permutation(np.array(gallery.cards))
    gone = set(cards[: round(LEFT_OUT * len(cards))].tolist())
    reader = method(gallery.without(gone))
    return [reader.read(crop).sure for card, crop in queries if card in gone]

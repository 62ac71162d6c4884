"""Other projects' methods of naming a card, reimplemented from their descriptions, to be measured beside ours.

Each method gives its best guess and whether it is sure of it, by the rule that its own project uses (for ORB, by a rule
that was fixed before anything was measured).
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.recognition.photo import read_crop
from vision.recognition.recogniser import Recogniser

Bits = NDArray[np.bool_]


class Answer(NamedTuple):
    card: str
    sure: bool


class Method(Protocol):
    name: str

    def __init__(self, gallery: Gallery) -> None: ...

    def read(self, crop: Image) -> Answer: ...


class Ours:
    name = "Shinpan"

    def __init__(self, gallery: Gallery) -> None:
        self._recogniser = Recogniser(gallery)

    def read(self, crop: Image) -> Answer:
        reading = read_crop(self._recogniser, crop)
        return Answer(reading.best, reading.card is not None)


class StatisticalHash:
    """Contrast-limited equalisation of L, a 1024-bit perceptual hash in four rotations; sure when the best distance
    stands out from all distances by four standard deviations."""

    name = "CLAHE + pHash 1024"

    def __init__(self, gallery: Gallery) -> None:
        self._names = [template.card for template in gallery.templates]
        self._hashes = np.stack([_hash(_equalised(template.image), 32) for template in gallery.templates])

    def read(self, crop: Image) -> Answer:
        distances = np.min(
            [_hamming_distances(_hash(turned, 32), self._hashes) for turned in _rotations(_equalised(crop))], axis=0
        )
        best = int(distances.argmin())
        return Answer(self._names[best], bool((distances.mean() - distances[best]) / max(distances.std(), 1e-6) > 4))


class MarginHash:
    """A 256-bit perceptual hash; sure when it is near and the second card is clearly farther."""

    name = "pHash with margin"

    def __init__(self, gallery: Gallery) -> None:
        self._names = np.array([template.card for template in gallery.templates])
        self._hashes = np.stack([_hash(template.image, 16) for template in gallery.templates])

    def read(self, crop: Image) -> Answer:
        distances = np.min([_hamming_distances(_hash(turned, 16), self._hashes) for turned in _rotations(crop)], axis=0)
        best = int(distances.argmin())
        others = distances[self._names != self._names[best]]
        return Answer(str(self._names[best]), bool(distances[best] < 90 and others.min() - distances[best] > 12))


class Features:
    """ORB, one-to-one matches, a similarity found by RANSAC; sure from ten inliers and half as many again as the
    second card."""

    name = "ORB + RANSAC"

    def __init__(self, gallery: Gallery) -> None:
        self._orb = cv2.ORB_create(500, fastThreshold=5)  # type: ignore[attr-defined]
        self._matcher = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True)
        self._names = [template.card for template in gallery.templates]
        self._looks = [self._describe(template.image) for template in gallery.templates]

    def read(self, crop: Image) -> Answer:
        seen = self._describe(crop)
        votes: dict[str, int] = {}
        for name, template in zip(self._names, self._looks, strict=True):
            votes[name] = max(votes.get(name, 0), self._inliers(seen, template))
        first, *rest = sorted(votes, key=lambda name: -votes[name])
        second = votes[rest[0]] if rest else 0
        return Answer(first, votes[first] >= 10 and votes[first] >= 1.5 * second)

    def _describe(self, image: Image) -> tuple[Sequence[cv2.KeyPoint], NDArray[np.uint8] | None]:
        grey = cv2.cvtColor(cv2.resize(image, (180, round(180 * image.shape[0] / image.shape[1]))), cv2.COLOR_BGR2GRAY)
        points, words = self._orb.detectAndCompute(grey, None)
        return points, words

    def _inliers(
        self,
        seen: tuple[Sequence[cv2.KeyPoint], NDArray[np.uint8] | None],
        template: tuple[Sequence[cv2.KeyPoint], NDArray[np.uint8] | None],
    ) -> int:
        if seen[1] is None or template[1] is None:
            return 0
        pairs = self._matcher.match(seen[1], template[1])
        if len(pairs) < 4:
            return 0
        here = np.array([seen[0][pair.queryIdx].pt for pair in pairs], np.float32)
        there = np.array([template[0][pair.trainIdx].pt for pair in pairs], np.float32)
        found, fits = cv2.estimateAffinePartial2D(here, there, method=cv2.RANSAC, ransacReprojThreshold=5.0)
        if found is None:
            return 0
        size = float(np.hypot(found[0, 0], found[1, 0]))
        return int(fits.sum()) if 0.6 < size < 1.6 else 0


METHODS: tuple[type[Method], ...] = (Ours, StatisticalHash, MarginHash, Features)


def _equalised(image: Image) -> Image:
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    lab[..., 0] = cv2.createCLAHE(2.0, (8, 8)).apply(np.ascontiguousarray(lab[..., 0]))
    return np.asarray(cv2.cvtColor(lab, cv2.COLOR_LAB2BGR), np.uint8)


def _hash(image: Image, size: int) -> Bits:
    grey = cv2.cvtColor(cv2.resize(image, (4 * size, 4 * size), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    low = cv2.dct(grey.astype(np.float32))[:size, :size].ravel()
    return np.asarray(low > np.median(low))


def _hamming_distances(one: Bits, more_than_noise: Bits) -> NDArray[np.int64]:
    return np.asarray((one != more_than_noise).sum(-1), np.int64)


def _rotations(image: Image) -> list[Image]:
    return [np.ascontiguousarray(np.rot90(image, k)) for k in range(4)]

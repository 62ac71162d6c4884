"""Cards in a free photograph that others cover in part, read from what is to be seen of them.

A whole card that was named tells how this light paints the deck. Each further outline is seen from above on its own,
without what known cards cover of it, and read as the strips of a row are.
"""

from functools import lru_cache

import cv2
import numpy as np

from vision.calibration.projection import corners, rigid_transform, transform
from vision.detection.background import Area
from vision.recognition.gallery import BACK
from vision.recognition.partial_matching import EXPECTED, IDENTITY, NEAT, ROUGH, SHARP, PartialMatcher, PhotometricModel
from vision.recognition.recogniser import CardReading, Recogniser
from vision.recognition.template_grid import Floats, PlanarPose, TemplateGrid
from vision.simulation.paint import Array, Image

WIDTH = 60.0  # millimetres that any card is taken to be wide
MARGIN, GUARD = 5.0, 1.2  # millimetres around a card that are looked at, and beside a covering card that are not
LEAST = 0.15  # of a card must be free for it to be read at all
PROMISING = 0.25  # of what a perfect look would explain at first sight
CANDIDATES = 6
SURE = 0.9  # a part that lies nobody knows exactly where must say more than a whole card
FOUND_AGAIN = 0.7  # how well its print must be seen
TELLING, PRINT = 50, 150  # cell values, as in a row: here cards lie less exactly where they are thought to
_STEPS = (-3.0, 0.0, 3.0)


class OccludedCardReader:
    """Reads outlines of one photograph."""

    def __init__(self, recogniser: Recogniser, image: Image) -> None:
        self.image = image
        width, height = recogniser.gallery.size
        self.card = (WIDTH, WIDTH * height / width)
        self.rough, self.neat = _decks(recogniser, self.card)
        self.lights: list[tuple[Array, PhotometricModel]] = []  # where it was learned, and how it is there
        self._area = Area(0, 0, 0, self.card[0] + 2 * MARGIN, self.card[1] + 2 * MARGIN)
        self._spots = [PlanarPose(x, y, turn) for x in _STEPS for y in _STEPS for turn in (-2.0, 0.0, 2.0)]

    def learn(self, known: CardReading, covers: list[Array]) -> None:
        """How the light of this photograph paints a card that is known; its neighbours are read by it."""
        strips, _ = self._seen(known.corners, covers)
        self.lights.append((known.corners.mean(0), strips.light(known.best, 0, PlanarPose(0.0, 0.0, 0.0))))

    def read(self, quad: Array, covers: list[Array]) -> CardReading | None:
        """The card with this outline (clockwise, from either end of it), below these; None if it is no card."""
        strips, homography = self._seen(quad, covers)
        worth = strips.search(self._spots, self.rough.cols)
        free = float(strips.free.mean())
        if free < LEAST or worth.max() < PROMISING * free * len(self.rough.points) * EXPECTED[1] ** 2:
            return None
        templates = np.argsort(-worth.max(0))[:CANDIDATES]
        found = strips.level([strips.fit(int(k), self._spots[int(worth[:, k].argmax())]) for k in templates])
        best = strips.least_turned(found[0])
        name = self.neat.names[best.template]
        others = [one for one in found if self.neat.names[one.template] != name]
        shown = strips.printed(best) > PRINT and strips.found_again(best) > FOUND_AGAIN
        sure = strips.confidence(best, others, TELLING) if shown else 0.0
        if len(best.glimpse.cells) < LEAST * len(self.neat.points) or best.worth <= 0:
            return None
        names = dict.fromkeys(self.neat.names[one.template] for one in found)
        own = rigid_transform(corners(*self.card), 0, 0, self.neat.turns[best.template])
        there = transform(homography, rigid_transform(own, *best.glimpse.spot))
        across = there[1] - there[0] + there[2] - there[3]
        return CardReading(
            name if sure >= SURE else None,
            float(np.degrees(np.arctan2(-across[1], across[0])) % 360),
            sure,
            tuple(guess for guess in names if guess != BACK),
            float(np.clip(1 - best.off / EXPECTED[1] ** 2, 0, 1)),
            name,
            there,
        )

    def _seen(self, quad: Array, covers: list[Array]) -> tuple[PartialMatcher, Array]:
        """An outline seen from above without what covers it, and what takes its millimetres to the photograph."""
        sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
        sideways = (sides[0] + sides[2] > sides[1] + sides[3]) != (self.card[0] > self.card[1])
        start = np.roll(quad, -1, 0) if sideways else quad
        own = np.array(corners(*self.card), np.float32)
        homography = np.asarray(cv2.getPerspectiveTransform(own, start.astype(np.float32)), float)
        to_pixels = self._area.to_pixels(SHARP)
        picture = _from_above(self.image, homography @ np.linalg.inv(to_pixels), self._area)
        strips = PartialMatcher(picture, to_pixels, self.rough, self.neat, self._light(quad))
        for cover in covers:
            there = transform(np.linalg.inv(homography), cover)
            middle = there.mean(0)
            out = there - middle
            grown = middle + out * (1 + GUARD / np.linalg.norm(out, axis=1, keepdims=True))
            strips.cover(np.rint(transform(to_pixels, grown)).astype(np.int32))
        return strips, homography

    def _light(self, quad: Array) -> PhotometricModel:
        """That of the nearest card by which it was learned."""
        far = [float(np.linalg.norm(quad.mean(0) - place)) for place, _ in self.lights]
        return self.lights[int(np.argmin(far))][1] if far else IDENTITY


@lru_cache(1)
def _decks(recogniser: Recogniser, card: tuple[float, float]) -> tuple[TemplateGrid, TemplateGrid]:
    """Made once for all photographs of a folder."""
    rough, neat = (TemplateGrid(recogniser.gallery, card, (0, 180), pitch) for pitch in (ROUGH, NEAT))
    return rough, neat


def _from_above(image: Image, warp: Array, area: Area) -> Floats:
    """The part of the photograph that `warp` (pixels of the new picture to its own) asks for, averaged, not skipped."""
    size = (round(area.width * SHARP), round(area.height * SHARP))
    frame = transform(warp, [(0, 0), (size[0], 0), size, (0, size[1])])
    low = np.clip(np.floor(frame.min(0)) - 4, 0, None).astype(int)
    high = np.maximum(np.ceil(frame.max(0)).astype(int) + 4, 0)
    part = image[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return np.zeros((size[1], size[0], 3), np.float32)
    ratio = float(np.linalg.norm(frame[1] - frame[0])) / size[0]
    if ratio > 1.2:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * ratio), np.uint8)
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ warp
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(part, moved, size, flags=flags), np.float32)

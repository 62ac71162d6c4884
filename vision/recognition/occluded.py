"""Cards in a free photograph that other cards cover in part, read from what is visible of them.

A whole card that was named shows how the light of this photograph changes the deck. Each further outline is seen from
above on its own, without what known cards cover of it, and read like a card of an overlapping row.
"""

from functools import lru_cache

import cv2
import numpy as np

from vision.calibration.projection import corners, rigid_transform, transform
from vision.detection.background import TableArea
from vision.pictures import Array, Floats, Image
from vision.recognition.confidence import sigmoid
from vision.recognition.gallery import BACK
from vision.recognition.partial_matching import (
    CELL_ERROR,
    COARSE,
    FINE,
    SCALE,
    UNCHANGED,
    PartialMatcher,
    PhotometricModel,
)
from vision.recognition.recogniser import CardReading, Recogniser
from vision.recognition.template_grid import PlanarPose, TemplateGrid

WIDTH = 60.0  # millimetres that any card is taken to be wide
MARGIN, GUARD = 5.0, 1.2  # millimetres around a card that are looked at, and beside a covering card that are not
LEAST = 0.15  # of a card must be visible for it to be read at all
PROMISING = 0.25  # of the evidence of a perfect template, at the first search
CANDIDATES = 6
SURE = 0.9  # a part whose place is not known exactly must say more than a whole card
CORRELATED = 0.7  # correlation of its print
SIBLINGS, NEUTRAL = 8, 0.0  # rivals that are asked; the windows in which they differ must speak for the best
TELLING, PRINT = 50, 150  # cell values: more than in a row, because cards lie less exactly where they are thought to
_STEPS = (-3.0, 0.0, 3.0)


class OccludedCardReader:
    """Reads outlines of one photograph."""

    def __init__(self, recogniser: Recogniser, image: Image) -> None:
        self.image = image
        width, height = recogniser.gallery.size
        self.card = (WIDTH, WIDTH * height / width)
        self.coarse, self.fine = _template_grids(recogniser, self.card)
        self.lights: list[tuple[Array, PhotometricModel]] = []
        """Where in the photograph each was measured, and what it is there."""
        self._area = TableArea(0, 0, 0, self.card[0] + 2 * MARGIN, self.card[1] + 2 * MARGIN)
        self._poses = [PlanarPose(x, y, angle) for x in _STEPS for y in _STEPS for angle in (-2.0, 0.0, 2.0)]

    def learn(self, known: CardReading, covers: list[Array]) -> None:
        """Measure the light on a card that is known; its neighbours are read with it."""
        matcher, _ = self._matcher(known.corners, covers)
        light = matcher.fit_light(known.best, 0, PlanarPose(0.0, 0.0, 0.0))
        self.lights.append((known.corners.mean(0), light))

    def read(self, quad: Array, covers: list[Array]) -> CardReading | None:
        """The card with this outline (clockwise, from either end of it), below these; None if it is no card."""
        matcher, homography = self._matcher(quad, covers)
        evidence = matcher.search(self._poses, self.coarse.cols)
        visible = float(matcher.visible.mean())
        if visible < LEAST or evidence.max() < PROMISING * visible * len(self.coarse.points) * CELL_ERROR[1] ** 2:
            return None
        templates = np.argsort(-evidence.max(0))[:CANDIDATES]
        starts = [(int(k), self._poses[int(evidence[:, k].argmax())]) for k in templates]
        found = matcher.rank([matcher.align(*start) for start in starts])
        best = matcher.prefer_upright(found[0])
        name = self.fine.names[best.template]
        others = [one for one in found if self.fine.names[one.template] != name]
        printed = matcher.print_energy(best) > PRINT and matcher.print_correlation(best) > CORRELATED
        sure = matcher.confidence(best, others, TELLING) if printed else 0.0
        if sure >= SURE:
            scores = [matcher.discriminative_score(best, one) for one in others[:SIBLINGS]]
            sure *= sigmoid(min(scores, default=1.0), NEUTRAL, 20)
        if len(best.visible.cells) < LEAST * len(self.fine.points) or best.evidence <= 0:
            return None
        names = dict.fromkeys(self.fine.names[one.template] for one in found)
        own = rigid_transform(corners(*self.card), 0, 0, self.fine.turns[best.template])
        outline = transform(homography, rigid_transform(own, *best.visible.pose))
        across = outline[1] - outline[0] + outline[2] - outline[3]
        return CardReading(
            name if sure >= SURE else None,
            float(np.degrees(np.arctan2(-across[1], across[0])) % 360),
            sure,
            tuple(guess for guess in names if guess != BACK),
            float(np.clip(1 - best.error / CELL_ERROR[1] ** 2, 0, 1)),
            name,
            outline,
        )

    def _matcher(self, quad: Array, covers: list[Array]) -> tuple[PartialMatcher, Array]:
        """An outline seen from above without what covers it, and the homography from its millimetres to the
        photograph."""
        sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
        sideways = (sides[0] + sides[2] > sides[1] + sides[3]) != (self.card[0] > self.card[1])
        start = np.roll(quad, -1, 0) if sideways else quad
        own = np.array(corners(*self.card), np.float32)
        homography = np.asarray(cv2.getPerspectiveTransform(own, start.astype(np.float32)), float)
        to_pixels = self._area.to_pixels(SCALE)
        picture = _rectified(self.image, homography @ np.linalg.inv(to_pixels), self._area)
        matcher = PartialMatcher(picture, to_pixels, self.coarse, self.fine, self._nearest_light(quad))
        for cover in covers:
            there = transform(np.linalg.inv(homography), cover)
            middle = there.mean(0)
            out = there - middle
            grown = middle + out * (1 + GUARD / np.linalg.norm(out, axis=1, keepdims=True))
            matcher.cover(np.rint(transform(to_pixels, grown)).astype(np.int32))
        return matcher, homography

    def _nearest_light(self, quad: Array) -> PhotometricModel:
        """The light on the nearest card on which it was measured."""
        far = [float(np.linalg.norm(quad.mean(0) - place)) for place, _ in self.lights]
        return self.lights[int(np.argmin(far))][1] if far else UNCHANGED


@lru_cache(1)
def _template_grids(recogniser: Recogniser, card: tuple[float, float]) -> tuple[TemplateGrid, TemplateGrid]:
    """Made once for all photographs that one recogniser reads."""
    coarse, fine = (TemplateGrid(recogniser.gallery, card, (0, 180), pitch) for pitch in (COARSE, FINE))
    return coarse, fine


def _rectified(image: Image, warp: Array, area: TableArea) -> Floats:
    """The part of the photograph that `warp` (pixels of the new picture to its own) asks for, smoothed where it
    shrinks."""
    size = (round(area.width * SCALE), round(area.height * SCALE))
    outline = transform(warp, [(0, 0), (size[0], 0), size, (0, size[1])])
    low = np.clip(np.floor(outline.min(0)) - 4, 0, None).astype(int)
    high = np.maximum(np.ceil(outline.max(0)).astype(int) + 4, 0)
    part = image[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return np.zeros((size[1], size[0], 3), np.float32)
    ratio = float(np.linalg.norm(outline[1] - outline[0])) / size[0]
    if ratio > 1.2:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * ratio), np.uint8)
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ warp
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(part, moved, size, flags=flags), np.float32)

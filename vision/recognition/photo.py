"""Reading a photograph: a cut-out card, or a picture with any number of cards somewhere in it."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from vision.calibration.calibrate import exposure_fault
from vision.calibration.projection import corners, transform
from vision.detection.card_outlines import Quad, find_quads, overlap
from vision.detection.feature_voting import Place
from vision.pictures import Array, BadPicture, Image
from vision.recognition.gallery import BACK
from vision.recognition.occluded import OccludedCardReader
from vision.recognition.recogniser import CardReading, Recogniser, SearchRange

NEAR = SearchRange(0.05, 4.0)
ASLANT = 0.32  # logarithm by which perspective may change the shape of an outline
MAX_QUADS = 80  # outlines that are read at first, best first
FAR = SearchRange(0.05, 4.0, steps=2, scales=(0.9, 1.0, 1.11))  # for sloppy cuts, sleeves, missed borders
CARD_OUTLINE = 0.7  # quality of an outline that is a card even if it cannot be named
SAME_PLACE = 0.3  # overlap from which two outlines cannot both be whole cards
SIZE_TOLERANCE = 0.12  # logarithm by which cards of one deck may seem to differ in size
TOUCHING = 0.02  # overlap from which one of two cards may cover the other
EXPLAINED = 0.85  # overlap with a known card from which a place is that card
MANY = 30  # features that agree on a card as surely as a good outline shows one


def read_crop(recogniser: Recogniser, image: Image) -> CardReading:
    """The one card that this picture was cut to. If the cut left some table around it, the card's own outline is tried
    as well."""
    high, wide = image.shape[:2]
    whole = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) - 0.5
    best = read_quad(recogniser, image, whole, NEAR)
    if best.card is None:
        others = [read_quad(recogniser, image, whole, FAR)]
        for quad in find_quads(image, recogniser.aspect)[:4]:
            if cv2.contourArea(quad.corners.astype(np.float32)) > 0.2 * wide * high:
                others.append(read_quad(recogniser, image, quad.corners, NEAR))
        best = _better(best, others)
    return best


def read_photo(recogniser: Recogniser, image: Image) -> list[CardReading]:
    """Every card in the picture, row by row from the top left, as a person would name them."""
    fault = exposure_fault(image)
    if fault is not None:
        raise BadPicture(fault)
    places = recogniser.features.places(image)
    outlines = [Quad(min(CARD_OUTLINE, place.votes / MANY), place.corners) for place in places]
    outlines += find_quads(image, recogniser.aspect, ASLANT)[:MAX_QUADS]
    named, unsure = _whole_cards(recogniser, image, outlines)
    covered, doubted = read_covered(recogniser, image, places, named)
    named += covered
    kept = list(named)
    for reading, quad in unsure:
        if quad.quality >= CARD_OUTLINE and _as_large(reading, named) and _stands_alone(reading, kept):
            others = [other.corners for other in outlines if other is not quad and _same_outline(other, quad)]
            kept.append(_second_look(recogniser, image, reading, quad, others[:2]))
    for reading in doubted:
        if _stands_alone(reading, kept):
            kept.append(reading)
    return _in_rows(kept)


def _whole_cards(
    recogniser: Recogniser, image: Image, outlines: list[Quad]
) -> tuple[list[CardReading], list[tuple[CardReading, Quad]]]:
    """The cards that are named as whole ones, and what is found at the other outlines, the likeliest first. What lies
    on a named card is its print."""
    named: list[CardReading] = []
    unsure = []
    for quad in sorted(outlines, key=lambda quad: -quad.quality):
        if any(overlap(quad.corners, known.corners) > SAME_PLACE for known in named):
            continue
        reading = read_quad(recogniser, image, quad.corners, NEAR)
        if reading.card is None:
            unsure.append((reading, quad))
        elif _stands_alone(reading, named):
            named.append(reading)
    return named, sorted(unsure, key=lambda pair: -_rank_value(*pair))


def read_covered(
    recogniser: Recogniser, image: Image, places: Sequence[Place], named: list[CardReading]
) -> tuple[list[CardReading], list[CardReading]]:
    """Cards under known ones, found by their print and read from what is visible: the named, and those that only the
    reader of parts would name. Each card that is found tells more about what covers what, so the search goes on while
    it finds any."""
    reader = OccludedCardReader(recogniser, image)
    lying: list[CardReading] = []
    doubted: list[CardReading] = []
    fresh = list(named)
    tried: set[tuple[int, int]] = set()
    while fresh:
        for known in fresh:
            reader.learn(known, [other.corners for other in lying if _touch(known.corners, other)])
            lying.append(known)
        fresh = []
        for number, place in enumerate(places):
            near = min(lying, key=lambda known: float(np.linalg.norm(known.corners.mean(0) - place.corners.mean(0))))
            there = place.beside(near.corners, recogniser.gallery.size[1] / recogniser.gallery.size[0])
            covers = [known.corners for known in (*lying, *fresh) if _touch(there, known)]
            explained = any(overlap(there, known) > EXPLAINED for known in covers)
            if (number, len(covers)) in tried or explained:
                continue
            tried.add((number, len(covers)))
            one = reader.read(there, covers)
            if one is None or one.card is None or not _of_one_size(one, lying):
                continue
            if not covers:
                one = _confirmed(recogniser, image, one)
            (doubted if one.card is None else fresh).append(one)
    return lying[len(named) :], doubted


def _confirmed(recogniser: Recogniser, image: Image, part: CardReading) -> CardReading:
    """What the reader of whole cards says about a card that nothing covers. The reader of parts only found it: it knows
    less about siblings, so its name counts for no more than a guess."""
    whole = read_quad(recogniser, image, part.corners, NEAR)
    guesses = tuple(dict.fromkeys((*whole.guesses[:1], part.best, *whole.guesses)))
    return whole if whole.card is not None else replace(whole, guesses=tuple(g for g in guesses if g != BACK))


def _touch(corners: Array, known: CardReading) -> bool:
    return overlap(corners, known.corners) > TOUCHING


def _stands_alone(reading: CardReading, others: list[CardReading]) -> bool:
    return all(overlap(reading.corners, other.corners) < SAME_PLACE for other in others)


def read_quad(recogniser: Recogniser, image: Image, quad: Array, slack: SearchRange) -> CardReading:
    """The card with these corners (clockwise in the picture), whichever of them is its own top left."""
    width, height = recogniser.gallery.size
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    lying = (sides[0] + sides[2]) > (sides[1] + sides[3])
    start = np.roll(quad, -1, 0) if lying != (width > height) else quad
    own = np.array(corners(width, height), np.float32)
    homography = np.asarray(cv2.getPerspectiveTransform(own, start.astype(np.float32)), float)
    square = 0.85 < (sides[0] + sides[2]) / (sides[1] + sides[3]) < 1.18 or 0.85 < width / height < 1.18
    if square:
        aside = np.asarray(cv2.getPerspectiveTransform(own, np.roll(start, 1, 0).astype(np.float32)), float)
        either = (recogniser.read(image, p, (0.0, 180.0), slack, unknown_cards=True) for p in (homography, aside))
        return max(either, key=lambda reading: (reading.confidence, reading.score))
    return recogniser.read(image, homography, (0.0, 180.0), slack, unknown_cards=True)


def _rank_value(reading: CardReading, quad: Quad) -> float:
    """Named cards rank first; among the others the better outline."""
    return (2.0 + reading.confidence if reading.card else 0.0) + reading.score + 0.5 * quad.quality


def _second_look(
    recogniser: Recogniser, image: Image, reading: CardReading, quad: Quad, others: list[Array]
) -> CardReading:
    """An unsure card read again: from the corners that were fitted, with a wider search around its outline, and from
    other outlines that were found at its place."""
    if reading.card is not None:
        return reading
    again = read_quad(recogniser, image, reading.corners, NEAR)
    if again.best == reading.best and again.score > reading.score:
        reading = again
    if reading.card is not None:
        return reading
    more = [read_quad(recogniser, image, other, NEAR) for other in others]
    return _better(reading, [read_quad(recogniser, image, quad.corners, FAR), *more])


def _same_outline(a: Quad, b: Quad) -> bool:
    sizes = [cv2.contourArea(quad.corners.astype(np.float32)) for quad in (a, b)]
    return overlap(a.corners, b.corners) > 0.9 and 0.8 < sizes[0] / max(sizes[1], 1.0) < 1.25


def _better(reading: CardReading, others: list[CardReading]) -> CardReading:
    """A second reading counts when it fits clearly better. Taking the surest one instead would mean to ask about an
    unknown card again and again until it is taken for a known one."""
    best = max(others, key=lambda other: other.score)
    return best if best.score > reading.score + 0.05 else reading


def _as_large(reading: CardReading, named: list[CardReading]) -> bool:
    """Whether it is about as large as the known cards. A logo or a phone on the table is no card."""
    known = [cv2.contourArea(other.corners.astype(np.float32)) for other in named]
    if not known:
        return True
    size = cv2.contourArea(reading.corners.astype(np.float32))
    return bool(0.4 < size / np.median(known) < 2.5)


def _of_one_size(reading: CardReading, lying: list[CardReading]) -> bool:
    """Cards of a deck have one size: whether this one is as large as the nearest known one would be at its place."""
    if not lying:
        return True
    middle = reading.corners.mean(0)
    near = min(lying, key=lambda other: float(np.linalg.norm(other.corners.mean(0) - middle)))
    own = near.corners.astype(np.float32)
    width, height = (float(np.linalg.norm(own[k] - own[1])) for k in (0, 2))
    upright = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    there = transform(np.asarray(cv2.getPerspectiveTransform(own, upright), float), reading.corners)
    sides = np.linalg.norm(np.roll(there, -1, 0) - there, axis=1)
    return bool(np.abs(np.log(sides / (width, height, width, height))).max() < SIZE_TOLERANCE)


def _in_rows(readings: list[CardReading]) -> list[CardReading]:
    """Top row first, left to right."""
    left = sorted(readings, key=lambda reading: float(reading.corners[:, 1].mean()))
    ordered: list[CardReading] = []
    while left:
        first = left[0]
        line = float(first.corners[:, 1].mean()) + 0.5 * float(np.ptp(first.corners[:, 1]))
        row = [reading for reading in left if reading.corners[:, 1].mean() < line]
        ordered += sorted(row, key=lambda reading: float(reading.corners[:, 0].mean()))
        left = [reading for reading in left if reading.corners[:, 1].mean() >= line]
    return ordered

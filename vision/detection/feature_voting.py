"""Finding cards by what is printed on them, where no outline is to be made out: a white card on white paper, a printed
mat, a card under a book.

Local features of the photograph (SIFT) are matched with those of the deck. Each match says where the whole card would
lie, how large and which way round; places on which many of them agree are proposed. Cards of a deck share digits, pips
and frames, so a place needs no name: it is the reader of cards that names what lies there.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.projection import transform
from vision.detection.card_outlines import overlap
from vision.pictures import Array, Floats, Image, resized

WORKING_SIZE = 1000  # pixels of the longer side of the picture in which features are found
TEMPLATE_WIDTH = 160  # pixels across a template
MAX_OF_TEMPLATE, MAX_OF_DECK, MAX_OF_PICTURE = 150, 9000, 1600  # features that are kept, the strongest
CONTRAST = 0.03  # of a feature: weaker ones are noise and grain
NEIGHBOURS, LEAST_SIMILAR = 5, 0.85  # matches of each feature of the picture, and how similar they must be
SIZES = (35.0, 800.0)  # pixels that a card may be wide in the reduced picture
BIN = (0.25, 0.22, 0.35)  # of the votes: card widths, logarithm of the size, radians
NEAR = (0.16, 0.2, 0.97)  # votes that agree: card widths apart, logarithm of the size, cosine of the angle between them
MAX_PEAKS, MAX_PLACES = 100, 40
CANDIDATES = 6  # templates that a place names
LEAST_VOTES = 5  # features of the picture that must agree
SAME_PLACE = 0.8  # overlap of two proposals of one card
INLIER = 0.04  # card widths that a feature may lie off its place on the card


class Place(NamedTuple):
    """Where a card may lie: so many features agree on it."""

    votes: int
    corners: Array
    """In picture pixels: the card's own top-left, top-right, bottom-right, bottom-left."""
    templates: tuple[int, ...]
    """Whose features they are, those with the most first."""
    own: Array
    """Where these features are on the card, in card widths from its centre, y down,"""
    seen: Array
    """and in the picture."""

    def beside(self, known: Array, aspect: float) -> Array:
        """The corners, if this card lies on the same table as a known one and is as large: a rotation and a shift in
        the plane of that one (Kabsch). A few features in one corner of a card cannot tell more than that."""
        own = _own_corners(aspect)
        plane = np.asarray(cv2.getPerspectiveTransform(own.astype(np.float32), known.astype(np.float32)), float)
        there = transform(np.linalg.inv(plane), self.seen)
        middle, meant = self.own.mean(0), there.mean(0)
        u, _, v = np.linalg.svd((self.own - middle).T @ (there - meant))
        turn = u @ np.diag([1.0, np.sign(np.linalg.det(u @ v))]) @ v
        return transform(plane, (own - middle) @ turn + meant)


class _Features(NamedTuple):
    descriptors: Floats
    places: Array
    """x, y and size in pixels, and the angle in radians."""


class FeatureIndex:
    """The features of a deck."""

    def __init__(self, templates: Sequence[Image]) -> None:
        most = max(4, min(MAX_OF_TEMPLATE, MAX_OF_DECK // max(1, len(templates))))
        self.aspect = templates[0].shape[0] / templates[0].shape[1]
        height = round(TEMPLATE_WIDTH * self.aspect)
        found = [_features(resized(image, TEMPLATE_WIDTH, height), most) for image in templates]
        self._descriptors = np.concatenate([one.descriptors for one in found])
        self._on_card = np.concatenate([one.places for one in found])
        self._on_card[:, :3] /= TEMPLATE_WIDTH
        self._on_card[:, :2] -= (0.5, self.aspect / 2)
        self._template = np.repeat(np.arange(len(found)), [len(one.places) for one in found])

    def places(self, image: Image) -> list[Place]:
        """Where cards of this deck may lie in the picture, those with the most votes first."""
        scale = min(1.0, WORKING_SIZE / max(image.shape[:2]))
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
        seen = _features(np.asarray(small, np.uint8), MAX_OF_PICTURE)
        votes = self._votes(seen)
        found: list[Place] = []
        for near in _peaks(votes):
            place = self._place(seen, votes, near)
            if place is not None and all(overlap(place.corners, other.corners) < SAME_PLACE for other in found):
                found.append(place)
        found.sort(key=lambda place: -place.votes)
        return [
            one._replace(corners=(one.corners + 0.5) / scale - 0.5, seen=(one.seen + 0.5) / scale - 0.5)
            for one in found[:MAX_PLACES]
        ]

    def _votes(self, seen: _Features) -> "_Votes":
        """The card that each match speaks for."""
        if not len(seen.places) or len(self._on_card) <= NEIGHBOURS:
            return _Votes(*np.zeros((2, 0), np.intp), *np.zeros((5, 0)))
        similar = seen.descriptors @ self._descriptors.T
        match = np.argpartition(-similar, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
        feature, of_deck = np.repeat(np.arange(len(match)), NEIGHBOURS), match.ravel()
        weight = similar[feature, of_deck] - LEAST_SIMILAR
        size = seen.places[feature, 2] / self._on_card[of_deck, 2]
        good = (weight > 0) & (size > SIZES[0]) & (size < SIZES[1])
        feature, of_deck, weight, size = feature[good], of_deck[good], weight[good], size[good]
        angle = seen.places[feature, 3] - self._on_card[of_deck, 3]
        cos, sin = size * np.cos(angle), size * np.sin(angle)
        own_x, own_y = self._on_card[of_deck, 0], self._on_card[of_deck, 1]
        x = seen.places[feature, 0] - (cos * own_x - sin * own_y)
        y = seen.places[feature, 1] - (sin * own_x + cos * own_y)
        return _Votes(feature, of_deck, weight, x, y, np.log(size), angle)

    def _place(self, seen: _Features, votes: "_Votes", near: NDArray[np.bool_]) -> Place | None:
        """The card on which these votes agree: an affine map of its plane that most of them fit (RANSAC)."""
        feature, of_deck = votes.feature[near], votes.of_deck[near]
        if len(set(feature.tolist())) < LEAST_VOTES:
            return None
        width = float(np.exp(np.average(votes.size[near], weights=votes.weight[near])))
        own, there = self._on_card[of_deck, :2] * width, seen.places[feature, :2]
        fit, inliers = cv2.estimateAffine2D(own, there, ransacReprojThreshold=INLIER * width, maxIters=200)
        if fit is None:
            return None
        fits = inliers[:, 0] > 0
        agreeing = len(set(feature[fits].tolist()))
        stretch = np.linalg.svd(fit[:, :2], compute_uv=False)
        if agreeing < LEAST_VOTES or np.linalg.det(fit[:, :2]) <= 0 or not 0.5 < stretch[1] <= stretch[0] < 1.6:
            return None
        corners = _own_corners(self.aspect) * width @ fit[:, :2].T + fit[:, 2]
        by_template = np.bincount(self._template[of_deck[fits]])
        best = [int(k) for k in np.argsort(-by_template)[:CANDIDATES] if by_template[k] > 2]
        return Place(agreeing, corners, tuple(best), own[fits] / width, there[fits])


class _Votes(NamedTuple):
    """For each match: the feature of the picture, that of the deck, its weight, and the card that it speaks for."""

    feature: NDArray[np.intp]
    of_deck: NDArray[np.intp]
    weight: Array
    x: Array
    y: Array
    size: Array
    """The logarithm of its width in pixels."""
    angle: Array


def _own_corners(aspect: float) -> Array:
    """A card's corners in card widths from its centre, y down."""
    return np.array([(-1, -aspect), (1, -aspect), (1, aspect), (-1, aspect)]) / 2


def _peaks(votes: _Votes) -> list[NDArray[np.bool_]]:
    """The votes that agree with each other, for the fullest bins first."""
    if not len(votes.x):
        return []
    size = np.round(votes.size / BIN[1])
    step = BIN[0] * np.exp(size * BIN[1])
    turn = np.round(votes.angle / BIN[2]) % round(2 * np.pi / BIN[2])
    bins = np.stack([np.round(votes.x / step), np.round(votes.y / step), size, turn], 1).astype(np.int64)
    _, which = np.unique(bins, axis=0, return_inverse=True)
    which = which.reshape(-1)
    weight = np.bincount(which, votes.weight)
    found = []
    for peak in np.argsort(-weight)[:MAX_PEAKS]:
        near = which == peak
        for _ in range(2):  # mean shift
            share = votes.weight[near]
            x, y, size_here = (float(np.average(part[near], weights=share)) for part in (votes.x, votes.y, votes.size))
            angle = np.arctan2(share @ np.sin(votes.angle[near]), share @ np.cos(votes.angle[near]))
            apart = np.hypot(votes.x - x, votes.y - y) / np.exp(size_here)
            near = (
                (apart < NEAR[0]) & (np.abs(votes.size - size_here) < NEAR[1]) & (np.cos(votes.angle - angle) > NEAR[2])
            )
            if not near.any():
                break
        found.append(near)
    return [near for near in found if near.any()]


def _features(image: Image, most: int) -> _Features:
    """The strongest features of a picture (RootSIFT)."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    points, found = cv2.SIFT_create(nfeatures=most, contrastThreshold=CONTRAST).detectAndCompute(grey, None)  # type: ignore[attr-defined]
    if found is None:
        return _Features(np.zeros((0, 128), np.float32), np.zeros((0, 4)))
    share = found / np.maximum(found.sum(1, keepdims=True), 1e-6)
    places = np.array([(*point.pt, point.size, np.radians(point.angle)) for point in points])
    return _Features(np.sqrt(share).astype(np.float32), places)

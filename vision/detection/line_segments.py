"""Cards that touch or cover each other: outlines assembled from line segments and the corners where they meet.

Where cards lie on cards there is no closed contour, but a visible card nearly always shows a corner, and often a whole
side. A whole side gives its size and place; a corner does the same once a card nearby is known.
"""

from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.projection import corners as own_corners
from vision.calibration.projection import transform
from vision.detection.card_outlines import Quad, shape_error
from vision.pictures import Array, Image

WORKING_SIZE = 1200  # pixels of the longer side of the picture in which segments are detected
MIN_LENGTH = 14.0  # pixels: shorter segments are print, not edges of cards
CORNER_GAP = 9.0  # pixels between the ends of two segments that meet in a rounded corner
EDGE_DISTANCE = 2.6  # pixels from a segment within which a point counts as lying on it
MAX_BEND, MAX_SKEW = 4.0, 25.0  # degrees that a side may bend, and that a corner may be off a right angle
MAX_COVERED, MIN_SUPPORT = (
    0.8,
    0.7,
)  # part of a quad that may be covered, and part of its free sides that must lie on segments
MAX_QUADS = 160  # that are passed on
# A gingham cloth has thousands of edges and corners, and all pairs of them would fill any memory. A card's own edges
# are among the longest, so those are kept.
MAX_SEGMENTS, MAX_LINES, MAX_CORNERS, MAX_PAIRS = 6000, 1500, 2000, 6000
SLICE = 4096  # quads looked up at once: OpenCV's remap takes no more than 32,767 rows

_SAMPLES = np.linspace(0.08, 0.92, 36)


class Corner(NamedTuple):
    """Where two segments meet: the point and both directions away from it, the second clockwise of the first."""

    at: Array
    first: Array
    second: Array


class LineSegments:
    """The line segments of one picture, and the cards that they may outline."""

    def __init__(self, image: Image) -> None:
        self.scale = min(1.0, WORKING_SIZE / max(image.shape[:2]))
        how = cv2.INTER_AREA
        small = cv2.resize(image, None, fx=self.scale, fy=self.scale, interpolation=how) if self.scale < 1 else image
        lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
        found = [_detect_segments(np.ascontiguousarray(lab[..., k], np.uint8)) for k in range(3)]
        self.lines = _longest(_merge_collinear(_longest(np.concatenate(found), MAX_SEGMENTS)), MAX_LINES)
        drawn = np.full(small.shape[:2], 255, np.uint8)
        for a, b in np.rint(self.lines).astype(int):
            cv2.line(drawn, tuple(map(int, a)), tuple(map(int, b)), 0)
        self._distance_map = np.asarray(cv2.distanceTransform(drawn, cv2.DIST_L2, 3), np.float32)
        self._covered = np.zeros(small.shape[:2], np.float32)

    def edge_support(self, quads: Array) -> Array:
        """Which part of each side of these quads (n x 4 x 2, in the reduced picture) lies on segments: n x 4."""
        return np.asarray(
            (_look_up(self._distance_map, _points_along_sides(quads), 99) < EDGE_DISTANCE)
            .reshape(len(quads), 4, -1)
            .mean(2),
            float,
        )

    def mark_covered(self, known: Array) -> None:
        """Mark a known card (its corners in the picture) as covering what is below it."""
        cv2.fillConvexPoly(self._covered, np.rint((known + 0.5) * self.scale - 0.5).astype(np.int32), 1.0)

    def is_visible(self, quad: Array) -> bool:
        """Whether enough of this quad is visible beside the known cards, and its sides lie on segments there."""
        small = (quad[None] + 0.5) * self.scale - 0.5
        if _look_up(self._covered, _points_inside(small), 0).mean() > MAX_COVERED:
            return False
        around = _points_along_sides(small)
        free = _look_up(self._covered, around, 0) < 0.5
        drawn = _look_up(self._distance_map, around, 99) < EDGE_DISTANCE
        return bool(free.mean() > 0.15 and drawn[free].mean() > MIN_SUPPORT)

    @cached_property
    def corners(self) -> list[Corner]:
        """Every point where two segments meet at about a right angle."""
        if len(self.lines) < 2:
            return []
        a, b = self.lines[:, 0], self.lines[:, 1]
        along = b - a
        length = np.linalg.norm(along, axis=1)
        unit = along / length[:, None]
        cross = unit[:, None, 0] * unit[None, :, 1] - unit[:, None, 1] * unit[None, :, 0]
        pairs = np.argwhere(np.triu(np.abs(cross) > np.cos(np.radians(MAX_SKEW)), 1))
        i, j = pairs.T
        t = _cross(a[j] - a[i], unit[j]) / cross[i, j]  # pixels along the first segment to where they meet
        s = _cross(a[j] - a[i], unit[i]) / cross[i, j]
        meet = (t > -CORNER_GAP) & (t < length[i] + CORNER_GAP) & (s > -CORNER_GAP) & (s < length[j] + CORNER_GAP)
        i, j, t, s = i[meet], j[meet], t[meet], s[meet]
        if len(i) > MAX_CORNERS:
            longest = np.argsort(-np.minimum(length[i], length[j]), kind="stable")[:MAX_CORNERS]
            i, j, t, s = i[longest], j[longest], t[longest], s[longest]
        found = []
        for one, other, before, passed in zip(i, j, t, s, strict=True):
            for u, room in ((unit[one], length[one] - before), (-unit[one], before)):
                for v, space in ((unit[other], length[other] - passed), (-unit[other], passed)):
                    if room > MIN_LENGTH and space > MIN_LENGTH:
                        clockwise = _cross(u, v) > 0
                        found.append(Corner(a[one] + before * unit[one], *((u, v) if clockwise else (v, u))))
        return _unique_corners(found)[:MAX_CORNERS]

    def quads(self, aspect: float) -> list[Quad]:
        """Quads of which a whole side is visible, best supported first."""
        if len(self.corners) < 2:
            return []
        at = np.array([corner.at for corner in self.corners])
        first = np.array([corner.first for corner in self.corners])
        second = np.array([corner.second for corner in self.corners])
        # From a corner along its first direction to one whose second direction points back.
        apart = at[None] - at[:, None]
        far = np.linalg.norm(apart, axis=2)
        straight = np.cos(np.radians(MAX_BEND))
        ahead = (apart * first[:, None]).sum(2) > straight * far
        back = -(apart * second[None]).sum(2) > straight * far
        quads_near = second @ first.T > np.cos(np.radians(15.0))
        pairs = np.argwhere(ahead & back & quads_near & (far > 2 * MIN_LENGTH))
        if not len(pairs):
            return []
        p, q = self._best_drawn(at, pairs).T
        shaped = []
        for ratio in (aspect, 1 / aspect):
            for grow in (0.84, 0.92, 1.0, 1.09, 1.19):  # perspective: the farther side looks shorter
                reach = (far[p, q] * ratio * grow)[:, None]
                shaped.append(np.stack([at[p], at[q], at[q] + first[q] * reach, at[p] + second[p] * reach], 1))
        return self._ranked(np.concatenate(shaped), aspect)

    def _best_drawn(self, at: Array, pairs: NDArray[np.intp]) -> NDArray[np.intp]:
        """Pairs of corners that may be the ends of a visible side; if there are too many, those with an edge between
        them."""
        if len(pairs) <= MAX_PAIRS:
            return pairs
        first, last = at[pairs[:, 0]], at[pairs[:, 1]]
        between = first[:, None] * (1 - _SAMPLES[:, None]) + last[:, None] * _SAMPLES[:, None]
        drawn = (_look_up(self._distance_map, between, 99) < EDGE_DISTANCE).mean(1)
        return np.asarray(pairs[np.argsort(-drawn, kind="stable")[:MAX_PAIRS]])

    def quads_near(self, known: Array, size: tuple[float, float]) -> list[Quad]:
        """Quads of which a corner is visible, as large as a known card nearby (given by its own corners)."""
        if not self.corners:
            return []
        width, height = size
        own = np.array(own_corners(width, height), np.float32)
        plane = np.asarray(cv2.getPerspectiveTransform(own, (known * self.scale).astype(np.float32)), float)
        back = np.linalg.inv(plane)
        middle, reach = (known * self.scale).mean(0), 2.2 * float(np.ptp(known * self.scale, axis=0).max())
        shaped = []
        for corner in self.corners:
            if np.abs(corner.at - middle).max() > reach:
                continue
            at, ahead, aside = transform(back, [corner.at, corner.at + 8 * corner.first, corner.at + 8 * corner.second])
            u, v = (d / max(float(np.linalg.norm(d)), 1e-9) for d in (ahead - at, aside - at))
            if abs(u @ v) > 0.2:
                continue
            for a, b in ((width, height), (height, width)):
                shaped.append(transform(plane, [at, at + a * u, at + a * u + b * v, at + b * v]))
        return self._ranked(np.array(shaped), max(size) / min(size)) if shaped else []

    def _ranked(self, shaped: Array, aspect: float) -> list[Quad]:
        """The best supported quads, without duplicates."""
        high, wide = self._distance_map.shape
        rim = np.array([wide, high])
        shaped = shaped[((shaped > -6) & (shaped < rim + 6)).all((1, 2))]
        if not len(shaped):
            return []
        drawn = self.edge_support(shaped)
        value = drawn.mean(1) + 0.3 * drawn.min(1)
        shaped, drawn, value = shaped[value > 0.5], drawn[value > 0.5], value[value > 0.5]
        kept: list[Quad] = []
        taken: list[Array] = []
        for k in np.argsort(-value)[: 12 * MAX_QUADS]:
            quad = shaped[k]
            size = float(np.linalg.norm(quad[2] - quad[0]))
            middle = quad.mean(0)
            if any(_same_quad(quad, middle, other, 0.035 * size) for other in taken):
                continue
            error = shape_error(quad, aspect)
            if error > 0.35:
                continue
            taken.append(quad)
            quality = float(drawn[k].mean()) - error if drawn[k].min() > 0.7 else min(0.4, float(drawn[k].mean()))
            kept.append(Quad(quality, (quad + 0.5) / self.scale - 0.5))
            if len(kept) == MAX_QUADS:
                break
        return kept


def _points_along_sides(quads: Array) -> Array:
    """Points along the sides of quads: n x points x 2."""
    ends = np.roll(quads, -1, 1)
    points = quads[:, :, None] * (1 - _SAMPLES[:, None]) + ends[:, :, None] * _SAMPLES[:, None]
    return points.reshape(len(quads), -1, 2)


def _points_inside(quads: Array) -> Array:
    """Points all over quads: n x points x 2."""
    steps = np.linspace(0.04, 0.96, 16)
    u, v = (axis.reshape(-1, 1) for axis in np.meshgrid(steps, steps))
    weights = np.concatenate([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v], 1)
    return np.asarray(np.einsum("pk,nkc->npc", weights, quads))


def _look_up(picture: NDArray[np.float32], points: Array, beyond: float) -> NDArray[np.float32]:
    across, down = (points[..., k].astype(np.float32) for k in (0, 1))
    taken = [
        cv2.remap(
            picture,
            across[start : start + SLICE],
            down[start : start + SLICE],
            cv2.INTER_NEAREST,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=beyond,
        )
        for start in range(0, len(points), SLICE)
    ]
    return np.concatenate([np.asarray(part, np.float32) for part in taken])


def _detect_segments(plane: Image) -> Array:
    """The segments of one channel (LSD): n x 2 x 2."""
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(plane)[0]
    if found is None:
        return np.zeros((0, 2, 2))
    lines = found.reshape(-1, 2, 2).astype(np.float64)
    return np.asarray(lines[np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) > 0.7 * MIN_LENGTH])


def _longest(lines: Array, most: int) -> Array:
    if len(lines) <= most:
        return lines
    length = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    return np.asarray(lines[np.sort(np.argsort(-length, kind="stable")[:most])])


def _merge_collinear(lines: Array) -> Array:
    """Collinear segments merged: a faint edge between two white cards is detected in pieces."""
    left = lines[np.argsort(-np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1))]
    merged = []
    while len(left):
        a, b = left[0]
        left = left[1:]
        while len(left):
            length = float(np.linalg.norm(b - a))
            unit = (b - a) / length
            along = (left - a) @ unit
            off = np.abs(_cross(left - a, unit[None, None]))
            gap = np.maximum(along.min(1) - length, -along.max(1))
            same = (off.max(1) < 1.5 + 0.01 * np.abs(gap)) & (gap < 20 + 0.4 * length)
            if not same.any():
                break
            low, high = min(0.0, float(along[same].min())), max(length, float(along[same].max()))
            left = left[~same]
            a, b = a + low * unit, a + high * unit
        merged.append((a, b))
    joined = np.array(merged).reshape(-1, 2, 2)
    return np.asarray(joined[np.linalg.norm(joined[:, 1] - joined[:, 0], axis=1) > MIN_LENGTH])


def _unique_corners(found: list[Corner]) -> list[Corner]:
    """Corners without duplicates of about the same point and direction."""
    seen: dict[tuple[int, ...], Corner] = {}
    for corner in found:
        angle = np.degrees(np.arctan2(corner.first[1], corner.first[0]))
        seen.setdefault((*(int(v) for v in corner.at // 3), int(angle // 3)), corner)
    return list(seen.values())


def _same_quad(quad: Array, middle: Array, other: Array, near: float) -> bool:
    if np.abs(other.mean(0) - middle).max() > near:
        return False
    far: NDArray[np.float64] = np.linalg.norm(quad[:, None] - other[None], axis=2).min(1)
    return bool(far.max() < near)


def _cross(a: Array, b: Array) -> Array:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])

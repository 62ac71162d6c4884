"""Finding the outlines of cards in a free photograph: no markers, any size, any rotation, any background.

No single threshold separates every card from every table. The picture is therefore binarised in several ways (Otsu's
threshold in several channels, distance from the background's colour, Canny edges), and every contour that could be a
card is kept once. Straight lines are fitted to the middle of each side, so rounded corners and thumbs at a corner do
not matter.
"""

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Array, Image

WORKING_SIZE = 1000  # pixels of the longer side of the picture in which outlines are searched
SMALLEST, LARGEST = 0.002, 0.97  # of the picture's area
ENOUGH_POINTS = 240  # of a contour, to fit its sides to
MAX_OUTLINES = 1500  # of a brick wall or a printed cloth; the best are kept


class Quad(NamedTuple):
    """Four corners in picture pixels, clockwise from the one nearest the top left, and the quality of the outline."""

    quality: float
    corners: Array


def find_quads(image: Image, aspect: float, tolerance: float = 0.25) -> list[Quad]:
    """Quadrilaterals with a card's aspect ratio (longer side over shorter), within the tolerance (a logarithm), best
    first, without duplicates."""
    scale = min(1.0, WORKING_SIZE / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else image
    small = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.8), np.uint8)
    area = small.shape[0] * small.shape[1]
    found: list[Quad] = []
    for mask, inside in _binarisations(small):
        outlines, family = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        for number, outline in enumerate(outlines):
            if len(outline) < 40 or not SMALLEST < cv2.contourArea(outline) / area < LARGEST:
                continue
            hole = family[0, number, 3] >= 0  # the contour of a hole runs around it, not inside
            some = outline.reshape(-1, 2)[:: max(1, len(outline) // ENOUGH_POINTS)]
            quad = _fit_quad(some.astype(np.float64), -inside if hole else inside)
            if quad is not None and shape_error(quad.corners, aspect) < tolerance:
                found.append(Quad(quad.quality - shape_error(quad.corners, aspect), (quad.corners + 0.5) / scale - 0.5))
    return _without_duplicates(sorted(found, key=lambda quad: -quad.quality)[:MAX_OUTLINES])


def shape_error(corners: Array, aspect: float) -> float:
    """How far the aspect ratio is from a card's, as a logarithm; 9 for what no perspective makes of a card."""
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    if sides.min() < 4:
        return 9.0
    a, b = sides[[0, 2]].mean(), sides[[1, 3]].mean()
    skew = max(sides[0] / sides[2], sides[2] / sides[0], sides[1] / sides[3], sides[3] / sides[1])
    lean = max(abs(_cosine(corners, k)) for k in range(4))
    if skew > 1.6 or lean > 0.5:
        return 9.0
    return float(abs(np.log(max(a, b) / min(a, b)) - abs(np.log(aspect))))


def overlap(a: Array, b: Array) -> float:
    """Overlap coefficient: the shared area of two quadrilaterals over the area of the smaller."""
    shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
    smaller = min(cv2.contourArea(a.astype(np.float32)), cv2.contourArea(b.astype(np.float32)))
    return float(shared / max(smaller, 1.0))


def _binarisations(small: Image) -> Iterator[tuple[NDArray[np.uint8], float]]:
    """The picture in black and white, in every way that may separate cards from the table, and by how many pixels a
    contour lies inside the true outline."""
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB)
    hsv = cv2.cvtColor(small, cv2.COLOR_BGR2HSV)
    rim = max(4, min(small.shape[:2]) // 40)
    border = np.concatenate([part.reshape(-1, 3) for part in (lab[:rim], lab[-rim:], lab[:, :rim], lab[:, -rim:])])
    background = np.median(border, axis=0)
    distance = np.clip(np.linalg.norm(lab.astype(np.float32) - background, axis=2), 0, 255).astype(np.uint8)
    planes = [cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), distance, hsv[..., 1], small[..., 0], small[..., 2], lab[..., 2]]
    for plane in planes:
        _, split = cv2.threshold(plane, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        yield np.asarray(split, np.uint8), 0.5
        yield np.asarray(cv2.bitwise_not(split), np.uint8), 0.5
    grey = planes[0]
    for low, high in ((20, 60), (50, 130)):
        edges = cv2.Canny(grey, low, high)
        for channel in (distance, lab[..., 1], lab[..., 2]):
            edges = cv2.bitwise_or(edges, cv2.Canny(channel, low, high))
        for size in (3, 5):
            # The area that edges enclose is smaller than the card by half the thickness of the edges.
            enclosed = cv2.bitwise_not(cv2.dilate(edges, np.ones((size, size), np.uint8)))
            yield np.asarray(enclosed, np.uint8), size // 2 + 0.5


def _fit_quad(outline: Array, inside: float) -> Quad | None:
    """The four straight sides of a contour, if it has them."""
    hull = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2)
    around = cv2.arcLength(hull, True)
    rough = None
    for share in (0.02, 0.035, 0.05, 0.08):
        shape = cv2.approxPolyDP(hull, share * around, True).reshape(-1, 2)
        if len(shape) == 4:
            rough = shape.astype(np.float64)
            break
        if len(shape) < 4:
            break
    if rough is None:
        rough = cv2.boxPoints(cv2.minAreaRect(hull)).astype(np.float64)
    if not 0.75 < cv2.contourArea(hull) / max(cv2.contourArea(rough.astype(np.float32)), 1.0) < 1.3:
        return None  # nothing with four sides
    corners = _fit_sides(outline, hull.astype(np.float64), rough)
    if corners is None:
        return None
    whole = float(cv2.contourArea(corners.astype(np.float32)))
    if whole < 1 or not cv2.isContourConvex(corners.astype(np.float32)):
        return None
    fill = float(cv2.contourArea(hull)) / whole
    distance = np.min([_distance_to_segment(outline, corners[k], corners[(k + 1) % 4]) for k in range(4)], axis=0)
    straight = float((distance < max(1.5, 0.012 * np.sqrt(whole))).mean())
    if not 0.9 < fill < 1.06 or straight < 0.75:
        return None
    return Quad(straight, _clockwise_from_top_left(_offset_sides(corners, inside)))


def _fit_sides(outline: Array, hull: Array, rough: Array) -> Array | None:
    """Lines fitted to the middle parts of the four sides (Huber), and their intersections."""
    lines = []
    for k in range(4):
        a, b = rough[k], rough[(k + 1) % 4]
        length = np.linalg.norm(b - a)
        if length < 8:
            return None
        along = (outline - a) @ (b - a) / length**2
        near = (along > 0.15) & (along < 0.85) & (_distance_to_segment(outline, a, b) < 0.06 * length + 2)
        points = outline[near] if near.sum() > 5 else np.array([a, b])
        vx, vy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((np.array([x, y], float), np.array([vx, vy], float)))
    corners = []
    for k in range(4):
        (p, u), (r, v) = lines[k - 1], lines[k]
        cross = u[0] * v[1] - u[1] * v[0]
        if abs(cross) < 0.3:
            return None
        t = ((r - p)[0] * v[1] - (r - p)[1] * v[0]) / cross
        corners.append(p + t * u)
    return np.array(corners)


def _offset_sides(corners: Array, by: float) -> Array:
    """All four sides moved outwards by so many pixels."""
    middle = corners.mean(0)
    along = np.roll(corners, -1, 0) - corners
    out = np.stack([along[:, 1], -along[:, 0]], 1) / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
    out *= np.sign(((corners - middle) * out).sum(1, keepdims=True))
    before = np.roll(out, 1, 0)
    return np.asarray(corners + by * (out + before) / np.maximum(1 + (out * before).sum(1, keepdims=True), 0.3), float)


def _distance_to_segment(points: Array, a: Array, b: Array) -> Array:
    """Distances of points to the segment from a to b."""
    length = max(float(np.linalg.norm(b - a)), 1e-6)
    along = np.clip((points - a) @ (b - a) / length**2, 0, 1)
    return np.asarray(np.linalg.norm(points - (a + along[:, None] * (b - a)), axis=1), float)


def _cosine(corners: Array, k: int) -> float:
    a, b = corners[k - 1] - corners[k], corners[(k + 1) % 4] - corners[k]
    return float(a @ b / max(np.linalg.norm(a) * np.linalg.norm(b), 1e-9))


def _clockwise_from_top_left(corners: Array) -> Array:
    middle = corners.mean(0)
    order = np.argsort(np.arctan2(*(corners - middle).T[::-1]))
    turned = corners[order]  # clockwise on the screen, y down
    return np.roll(turned, -int((turned.sum(1)).argmin()), axis=0)


def _without_duplicates(quads: list[Quad]) -> list[Quad]:
    """Non-maximum suppression: of outlines of the same place and size the best one. A printed frame inside a card
    differs in size, so both stay."""
    kept: list[Quad] = []
    for quad in quads:
        size = cv2.contourArea(quad.corners.astype(np.float32))
        for other in kept:
            ratio = size / cv2.contourArea(other.corners.astype(np.float32))
            if 0.88 < ratio < 1.14 and overlap(quad.corners, other.corners) > 0.9:
                break
        else:
            kept.append(quad)
    return kept

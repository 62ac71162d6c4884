"""How the table lies in the picture: millimetres to pixels and back.

The table is flat, so the mapping is a homography. A wide lens bends straight lines; where its distortion is known, it
is removed first. The calibration finds a projection in a photograph, the virtual table makes one up.
"""

from collections.abc import Callable, Sequence
from typing import Any

import cv2
import msgspec
import numpy as np

from vision.pictures import Array

# OpenCV 5 has one function for both; that of OpenCV 4 takes no criteria.
_undistort_points: Callable[..., Any] = getattr(cv2, "undistortPointsIter", cv2.undistortPoints)


class Lens(msgspec.Struct, frozen=True):
    """OpenCV's camera matrix and its five or eight distortion coefficients."""

    matrix: tuple[tuple[float, float, float], ...]
    distortion: tuple[float, ...] = msgspec.field(name="bend")
    measured: bool = False
    """With the lens sheet; else it is estimated from the corner markers."""

    def undistort(self, points: Array) -> Array:
        matrix = np.array(self.matrix)
        stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 80, 1e-6)  # a wide lens needs more than five rounds
        flat = _undistort_points(
            points.reshape(-1, 1, 2).astype(float),
            matrix,
            np.array(self.distortion),
            R=np.eye(3),
            P=matrix,
            criteria=stop,
        )
        return np.asarray(flat.reshape(-1, 2), float)

    def distort(self, points: Array) -> Array:
        matrix = np.array(self.matrix)
        rays = np.column_stack([points, np.ones(len(points))]) @ np.linalg.inv(matrix).T
        bent, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), matrix, np.array(self.distortion))
        return np.asarray(bent.reshape(-1, 2), float)


class TableProjection(msgspec.Struct, frozen=True):
    """Where every millimetre of the table lies in a picture of this size."""

    size: tuple[int, int]
    """Width and height of the picture."""
    homography: tuple[tuple[float, float, float], ...]
    """Table millimetres to undistorted pixels."""
    lens: Lens | None = None

    def pixels(self, places: Any) -> Array:
        """Table millimetres -> picture pixels, n x 2."""
        flat = transform(np.array(self.homography), places)
        return self.lens.distort(flat) if self.lens else flat

    def millimetres(self, pixels: Any) -> Array:
        """Picture pixels -> table millimetres, n x 2."""
        points = np.asarray(pixels, float).reshape(-1, 2)
        flat = self.lens.undistort(points) if self.lens else points
        return transform(np.linalg.inv(np.array(self.homography)), flat)

    def homography_at(self, x: float, y: float, turn: float, width: float, height: float) -> Array:
        """The homography from an object's own millimetres (from its centre, y up) to pixels, for an object of this size
        that lies at `x`, `y`, rotated by `turn`. The distortion is followed at its corners, which is exact enough for a
        card."""
        own = np.array([(-width, -height), (width, -height), (width, height), (-width, height)]) / 2
        there = self.pixels(rigid_transform(own, x, y, turn))
        return np.asarray(cv2.getPerspectiveTransform(own.astype(np.float32), there.astype(np.float32)), float)

    def scale(self, x: float, y: float) -> float:
        """Pixels per millimetre around this place."""
        a, b, c = self.pixels([(x, y), (x + 10, y), (x, y + 10)])
        return float((np.linalg.norm(b - a) + np.linalg.norm(c - a)) / 20)

    @classmethod
    def overhead(
        cls,
        width: float,
        height: float,
        ppmm: float = 1.6,
        tilt: float = 6.0,
        swing: float = 0.0,
        distortion: float = 0.0,
    ) -> "TableProjection":
        """A camera hung over the middle of a table, tilted towards seat 1 and rotated by `swing` degrees, so that the
        table just fills its picture. `distortion` is the first radial coefficient (-0.05: a mild barrel)."""
        size = (16 * round(width * ppmm * 1.06 / 16), 16 * round(height * ppmm * 1.06 / 16))
        distance = 1.4 * max(width, height)  # millimetres from the camera to the table
        focal_length = ppmm * distance
        tilt_angle, rotation = np.radians(180 + tilt), np.radians(swing)
        about_x = np.array(
            [[1, 0, 0], [0, np.cos(tilt_angle), -np.sin(tilt_angle)], [0, np.sin(tilt_angle), np.cos(tilt_angle)]]
        )
        about_z = np.array(
            [[np.cos(rotation), -np.sin(rotation), 0], [np.sin(rotation), np.cos(rotation), 0], [0, 0, 1]]
        )
        turn = about_x @ about_z
        shift = turn @ np.array([-width / 2, -height / 2, 0]) + np.array([0, 0, distance])
        matrix = np.array([[focal_length, 0, size[0] / 2], [0, focal_length, size[1] / 2], [0, 0, 1]])
        flat = np.column_stack([turn[:, 0], turn[:, 1], shift])
        edge = rigid_transform(corners(width - 10, height - 10), width / 2, height / 2, 0.0)
        seen = transform(matrix @ flat, edge)
        if (seen < 0).any() or (seen > size).any():
            # Tilted so far that an edge leaves the picture: zoom out and shift until it is back.
            zoom = float(min(np.array(size) / np.ptp(seen, axis=0))) * 0.97
            moved = np.array(size) / 2 - zoom * (seen.min(0) + seen.max(0)) / 2
            matrix = np.array([[zoom, 0, moved[0]], [0, zoom, moved[1]], [0, 0, 1]]) @ matrix
        plane = matrix @ flat
        lens = Lens(as_rows(matrix), (distortion, 0.0, 0.0, 0.0, 0.0)) if distortion else None
        return cls(size, as_rows(plane / plane[2, 2]), lens)


def transform(homography: Array, points: Any) -> Array:
    """Points mapped by a homography."""
    places = np.asarray(points, float).reshape(-1, 2)
    mapped = np.column_stack([places, np.ones(len(places))]) @ homography.T
    return np.asarray(mapped[:, :2] / mapped[:, 2:], float)


def rigid_transform(points: Any, x: float, y: float, turn: float) -> Array:
    """An object's own points, rotated counter-clockwise by `turn` degrees and moved to `x`, `y`."""
    angle = np.radians(turn)
    rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(np.asarray(points, float).reshape(-1, 2) @ rotation + (x, y), float)


def as_rows(matrix: Array) -> tuple[tuple[float, float, float], ...]:
    a, b, c = ([float(v) for v in row] for row in matrix)
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])


def corners(width: float, height: float) -> Sequence[tuple[float, float]]:
    """An object's own corners: top-left, top-right, bottom-right, bottom-left."""
    return ((-width / 2, height / 2), (width / 2, height / 2), (width / 2, -height / 2), (-width / 2, -height / 2))

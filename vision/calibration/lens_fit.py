"""The lens and the table together: which camera would see the markers where they are seen?

Least squares over the homography, how large the markers were printed, and how the lens bends: two coefficients of
OpenCV's rational model, which follows wide lenses better than polynomials do; three, and where it lies, with a sheet of
many points on the table.
"""

from collections.abc import Callable
from typing import NamedTuple

import cv2
import numpy as np

from vision.calibration.projection import Lens, TableProjection, as_rows, rigid_transform, transform
from vision.pictures import Array

STEPS = 60
UNLIKELY = 0.02  # pixels of misfit that a coefficient of 1 costs: markers tell little about the second one


class TableFit(NamedTuple):
    """The projection that fits best, the size of the markers (1 is as they should be), and the misfit in pixels."""

    projection: TableProjection
    marker_size: float
    misfit: float


def fit_table(
    middles: Array,
    corners: Array,
    seen: Array,
    size: tuple[int, int],
    bends: int,
    sheet: tuple[Array, Array] | None = None,
) -> TableFit:
    """`middles` of the markers and their `corners` as printed, in millimetres, one row for each corner that is seen.
    `bends`: coefficients of the lens that are looked for, 0 to 3. `sheet`: points of a sheet that lies anywhere on the
    table, in its own millimetres, and where they are seen."""
    start, _ = cv2.findHomography(corners, seen)
    lies = np.zeros(0) if sheet is None else _lies_at(*sheet, np.asarray(start, float))
    first = np.concatenate([(start / start[2, 2]).ravel()[:8], [1.0], np.zeros(bends), lies])
    unit = np.concatenate([np.abs(first[:8]) + 1e-6, [0.1], np.full(bends, 0.1), [10.0, 10.0, 5.0][: len(lies)]])
    last = 9 + bends

    def misfits(values: Array) -> Array:
        projection = _projection(values[:last] * unit[:last], size)
        own = middles + (corners - middles) * values[8] * unit[8]
        parts = [(projection.pixels(own) - seen).ravel()]
        if sheet is not None:
            x, y, turn = values[last:] * unit[last:]
            parts.append((projection.pixels(rigid_transform(sheet[0], x, y, turn)) - sheet[1]).ravel())
        return np.concatenate([*parts, UNLIKELY * values[9:last]])

    found = _least_squares(misfits, first / unit)
    rest = misfits(found)[: seen.size].reshape(-1, 2)
    fitted = _projection((found * unit)[:last], size)
    return TableFit(fitted, float(found[8] * unit[8]), float(np.sqrt((rest**2).sum(1).mean())))


def _lies_at(own: Array, seen: Array, homography: Array) -> Array:
    """Roughly where a sheet lies, and how it is turned, by a homography that knows nothing of the lens."""
    there = transform(np.asarray(np.linalg.inv(homography), float), seen)
    middle, base = there.mean(0), own.mean(0)
    a, b = own - base, there - middle
    turn = np.arctan2((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum(), (a * b).sum())
    x, y = middle - rigid_transform(base, 0.0, 0.0, float(np.degrees(turn)))[0]
    return np.array([x, y, np.degrees(turn)])


def _projection(values: Array, size: tuple[int, int]) -> TableProjection:
    wide, high = size
    lens = None
    if len(values) > 9:
        matrix = np.array([[wide, 0, wide / 2 - 0.5], [0, wide, high / 2 - 0.5], [0, 0, 1.0]])
        first, second, third = (float(value) for value in [*values[9:], 0.0, 0.0][:3])
        lens = Lens(as_rows(matrix), (0.0, 0.0, 0.0, 0.0, 0.0, first, second, third))
    return TableProjection(size, as_rows(np.append(values[:8], 1.0).reshape(3, 3)), lens)


def _least_squares(misfits: Callable[[Array], Array], values: Array) -> Array:
    """Levenberg and Marquardt's method, with differences for derivatives."""
    damping, rest = 1e-3, misfits(values)
    for _ in range(STEPS):
        slopes = np.stack([(misfits(values + step) - rest) / 1e-6 for step in 1e-6 * np.eye(len(values))], 1)
        square, down = slopes.T @ slopes, slopes.T @ rest
        while damping < 1e8:
            tried = values - np.linalg.solve(square + damping * np.diag(np.diag(square) + 1e-9), down)
            left = misfits(tried)
            if np.isfinite(left).all() and (left**2).sum() < (rest**2).sum():
                break
            damping *= 4
        else:
            return values
        done = (rest**2).sum() - (left**2).sum() < 1e-10
        values, rest, damping = tried, left, damping / 5
        if done:
            break
    return values

"""The lens sheet: a printed board of squares and markers (ChArUco) that lies anywhere on the table for one measurement.

Four markers in the corners say little about the middle of a wide lens. The sheet's inner corners lie in the same plane
and fill that gap: lens, table and where the sheet lies are found together, in one picture. The lens is then known, and
the table is measured again without the sheet.
"""

from functools import cache
from typing import NamedTuple

import cv2
import msgspec
import numpy as np

from vision.calibration.calibrate import CORNERS, estimate_distortion, find_markers, fit_markers
from vision.calibration.projection import Lens, TableProjection
from vision.pictures import Array, Image

SQUARES = (7, 10)
SQUARE, MARK = 26.0, 19.0
"""Millimetres: sides of its squares, and of the markers in the white ones. It fits A4 and letter paper."""
FIRST = 100
"""The number of its first marker: corners and pieces of the table have those below 50."""
ENOUGH = 16
"""Inner corners that have to be seen."""
STILL_FITS = 1.0
"""Pixels by which the corner markers may miss where a lens that was measured before puts them."""


class SheetSeen(NamedTuple):
    """Inner corners of the sheet: on the sheet, in millimetres from its middle with y up, and in the picture."""

    own: Array
    seen: Array


@cache
def board() -> cv2.aruco.CharucoBoard:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250)
    numbers = np.arange(FIRST, FIRST + SQUARES[0] * SQUARES[1] // 2)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE, MARK, dictionary, numbers)


@cache
def _detector() -> cv2.aruco.CharucoDetector:
    found = cv2.aruco.CharucoDetector(board())
    parameters = found.getDetectorParameters()
    parameters.minMarkerPerimeterRate = 0.01
    found.setDetectorParameters(parameters)
    return found


def find_sheet(frame: Image) -> SheetSeen | None:
    """The sheet, if it lies in the picture."""
    corners, numbers, _, _ = _detector().detectBoard(frame)
    if numbers is None or len(numbers) < ENOUGH:
        return None
    inner = np.asarray(board().getChessboardCorners(), float)[numbers.ravel(), :2]
    middle = np.array(SQUARES) * SQUARE / 2
    return SheetSeen((inner - middle) * (1, -1), np.asarray(corners, float).reshape(-1, 2))


def find_lens(frame: Image, width: float, height: float, known: TableProjection | None = None) -> Lens | None:
    """How the lens bends: by the lens sheet if it lies there; as it was measured with the sheet before, as long as the
    markers still fit that; else as well as the corner markers tell."""
    sheet = find_sheet(frame)
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    size = (frame.shape[1], frame.shape[0])
    if sheet is not None and len(seen) == len(CORNERS):
        lens = fit_markers(seen, size, width, height, 3, (sheet.own, sheet.seen)).projection.lens
        return None if lens is None else msgspec.structs.replace(lens, measured=True)
    if known is not None and known.lens is not None and known.lens.measured and known.size == size:
        flat = {number: known.lens.undistort(quad) for number, quad in seen.items()}
        if len(flat) < 3 or fit_markers(flat, size, width, height, 0).misfit < STILL_FITS:
            return known.lens
    return estimate_distortion(frame, width, height)

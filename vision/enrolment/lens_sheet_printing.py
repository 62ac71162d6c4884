"""The lens sheet as PDF, true to the millimetre."""

from pathlib import Path

import cv2
import numpy as np
from fpdf import FPDF

from vision.calibration.lens_sheet import MARK, SQUARE, SQUARES, board
from vision.enrolment.printing import PAPERS, Sheet

TOP = 13.0
"""Millimetres above the board, for the ruler."""
CELLS = 6
"""Of a marker, its black rim included."""
OVERLAP = 0.02
"""Millimetres by which black parts overlap, so that no viewer shows a line between them."""


def print_lens_sheet(path: Path, paper: str = "A4") -> None:
    """Black squares, and markers in the white ones, as OpenCV lays out its board."""
    width, height = PAPERS[paper]
    pdf = FPDF(unit="mm", format=(width, height))
    pdf.set_auto_page_break(False)
    pdf.add_page()
    Sheet(pdf).ruler((width / 2 - 50, 5.0))
    left = (width - SQUARES[0] * SQUARE) / 2
    pdf.set_fill_color(0, 0, 0)

    def black(x: float, y: float, side: float) -> None:
        pdf.rect(left + x, TOP + y, side + OVERLAP, side + OVERLAP, style="F")

    made = board()
    with_marker = {}
    for number, corners in zip(np.ravel(made.getIds()), made.getObjPoints(), strict=True):
        x, y = np.asarray(corners, float)[:, :2].min(0)
        with_marker[int(x // SQUARE), int(y // SQUARE)] = int(number), x, y
    for column in range(SQUARES[0]):
        for row in range(SQUARES[1]):
            if (column, row) not in with_marker:
                black(column * SQUARE, row * SQUARE, SQUARE)
                continue
            number, x, y = with_marker[column, row]
            cells = np.asarray(cv2.aruco.generateImageMarker(made.getDictionary(), number, CELLS))
            for down, across in np.argwhere(cells < 128):
                black(x + across * MARK / CELLS, y + down * MARK / CELLS, MARK / CELLS)
    pdf.output(str(path))

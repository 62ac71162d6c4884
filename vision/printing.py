"""The paper painter: marker sheets, play mats and proxy decks as PDF, true to the millimetre.

Whoever prints must print at 100 %: every sheet carries a ruler of 100 mm to check it by.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from fpdf import FPDF

from companion.drawing import Circle, Face, Point, Polygon, Shape, Text
from companion.table import Layout
from vision.calibrate import CORNERS, MARKER, marker_places
from vision.scene import marker

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "letter": (215.9, 279.4)}
RIM = 10.0
GAP = 4.0


class Sheet:
    """A page being painted on, y up from a chosen origin as drawings have it."""

    def __init__(self, pdf: FPDF) -> None:
        self.pdf = pdf

    def shapes(self, shapes: Iterable[Shape], at: Point, turn: float = 0.0) -> None:
        """Shapes around their own origin, which lies at `at` (from the page's top left)."""
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

        def there(point: Point) -> Point:
            return at[0] + cos * point[0] - sin * point[1], at[1] - sin * point[0] - cos * point[1]

        for shape in shapes:
            match shape:
                case Polygon(points, fill, stroke, width):
                    self._ink(fill, stroke, width)
                    self.pdf.polygon([there(point) for point in points], style=_style(fill, stroke))
                case Circle(centre, radius, fill, stroke, width):
                    self._ink(fill, stroke, width)
                    x, y = there(centre)
                    self.pdf.circle(x, y, radius, style=_style(fill, stroke))
                case Text():
                    self._text(shape, there(shape.at), shape.turn + turn)

    def face(self, face: Face, at: Point) -> None:
        """A card with its middle at `at`, and the line to cut it along."""
        self.shapes(face.shapes, at)
        cut = face.outline or _rim(face)
        self.shapes((Polygon(tuple(cut), stroke="#999999", width=0.1),), at)

    def marker(self, number: int, at: Point, size: float) -> None:
        """An ArUco marker as black squares, so that it is sharp at any size."""
        cells = marker(number, 6) > 127
        side = size / 6
        self.pdf.set_fill_color(0, 0, 0)
        for row, col in np.argwhere(~cells):
            self.pdf.rect(
                at[0] - size / 2 + col * side, at[1] - size / 2 + row * side, side + 0.02, side + 0.02, style="F"
            )

    def words(self, text: str, at: Point, size: float = 3.0) -> None:
        self.shapes((Text((0, 0), text, size),), at)

    def ruler(self, at: Point) -> None:
        self.pdf.set_draw_color(0, 0, 0)
        self.pdf.set_line_width(0.2)
        self.pdf.line(at[0], at[1], at[0] + 100, at[1])
        for x in range(0, 101, 10):
            self.pdf.line(at[0] + x, at[1] - (2 if x % 50 else 3), at[0] + x, at[1])
        self.words("100 mm: print at 100 %", (at[0] + 50, at[1] + 3.5), 2.0)

    def _ink(self, fill: str, stroke: str, width: float) -> None:
        if fill:
            self.pdf.set_fill_color(*_rgb(fill))
        if stroke:
            self.pdf.set_draw_color(*_rgb(stroke))
            self.pdf.set_line_width(width)

    def _text(self, text: Text, at: Point, turn: float) -> None:
        capital = 0.718  # of Helvetica's size
        self.pdf.set_font("Helvetica", size=text.size / capital * 72 / 25.4)
        self.pdf.set_text_color(*_rgb(text.colour))
        width = self.pdf.get_string_width(text.text)
        with self.pdf.rotation(turn, at[0], at[1]):
            self.pdf.text(at[0] - width / 2, at[1] + text.size / 2, text.text)


def print_markers(path: Path, tags: Mapping[int, str], tag_size: float, paper: str = "A4") -> None:
    """The four corner markers and a marker for every piece, to cut out along their white rims."""
    pdf = _document()
    width, _ = PAPERS[paper]
    page = _page(pdf, paper)
    page.ruler((width / 2 - 50, RIM + 4))
    entries = [(number, MARKER, f"{number} {CORNERS[number]}") for number in CORNERS]
    entries += [(number, tag_size, f"{number} {_ascii(name)}") for number, name in sorted(tags.items())]
    x, y = RIM, RIM + 16.0
    for number, size, label in entries:
        cell = size * 4 / 3 + 12
        if x + cell > width - RIM:
            x, y = RIM, y + cell
        if y + cell > PAPERS[paper][1] - RIM:
            page, x, y = _page(pdf, paper), RIM, RIM
        middle = (x + cell / 2, y + size * 2 / 3)
        rim = size * 4 / 3
        page.shapes((Polygon(_box(rim, rim), stroke="#999999", width=0.1),), middle)
        page.marker(number, middle, size)
        page.words(label, (middle[0], y + size * 4 / 3 + 4), 2.4)
        x += cell
    pdf.output(str(path))


def print_mat(path: Path, layout: Layout) -> None:
    """The whole play mat on one page of its own size, markers in its corners: for a print shop or a plotter."""
    pdf = _document()
    pdf.add_page(format=(layout.width, layout.height))
    page = Sheet(pdf)
    page.shapes(layout.mat, (0.0, layout.height))
    for number, (x, y) in marker_places(layout.width, layout.height).items():
        at = (x, layout.height - y)
        page.shapes((Polygon(_box(MARKER * 4 / 3, MARKER * 4 / 3), fill="#ffffff"),), at)
        page.marker(number, at, MARKER)
    pdf.output(str(path))


def print_deck(path: Path, faces: Iterable[tuple[Face, int]], back: Face | None, paper: str = "A4") -> int:
    """Proxy cards, each so often, to be cut out; backs follow, one for every card. Returns how many cards."""
    pdf = _document()
    cards = [face for face, copies in faces for _ in range(copies)]
    for side in (cards, [back] * len(cards) if back is not None else []):
        _impose(pdf, side, paper)
    pdf.output(str(path))
    return len(cards)


def _impose(pdf: FPDF, faces: list[Face], paper: str) -> None:
    if not faces:
        return
    width, height = PAPERS[paper]
    wide, high = max(face.width for face in faces) + GAP, max(face.height for face in faces) + GAP
    across, down = int((width - 2 * RIM) // wide), int((height - 2 * RIM - 8) // high)
    for start in range(0, len(faces), across * down):
        page = _page(pdf, paper)
        page.ruler((width / 2 - 50, RIM))
        for k, face in enumerate(faces[start : start + across * down]):
            page.face(face, (RIM + (k % across + 0.5) * wide, RIM + 8 + (k // across + 0.5) * high))


def _document() -> FPDF:
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    return pdf


def _page(pdf: FPDF, paper: str) -> Sheet:
    pdf.add_page(format=PAPERS[paper])
    return Sheet(pdf)


def _rim(face: Face) -> tuple[Point, ...]:
    return _box(face.width, face.height)


def _box(width: float, height: float) -> tuple[Point, ...]:
    x, y = width / 2, height / 2
    return ((-x, -y), (x, -y), (x, y), (-x, y))


def _rgb(text: str) -> tuple[int, int, int]:
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def _style(fill: str, stroke: str) -> str:
    return ("D" if stroke else "") + ("F" if fill else "") or "D"


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()

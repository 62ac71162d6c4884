"""Marker sheets, play mats and proxy decks as PDF, true to the millimetre.

They must be printed at 100 %: every sheet has a ruler of 100 mm to check that.
"""

import math
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
from fpdf import FPDF

from companion.core.drawing import Circle, Face, Point, Polygon, Shape, Text
from companion.core.layout import Layout
from vision.calibration.calibrate import CORNERS, MARKER, marker_places
from vision.simulation.scene import marker

PAPERS = {"A4": (210.0, 297.0), "A3": (297.0, 420.0), "letter": (215.9, 279.4)}
RIM = 6.0  # millimetres: the margin that printers leave white
HEAD = 8.0  # millimetres for the ruler
GAP = 2.0  # millimetres between two cards


MARKER_WORDS = (
    "Cut along the grey lines. 0 to 3 go into the table's corners, upright for seat 1; the others onto pieces."
)


class Sheet:
    """A page that shapes are painted on."""

    def __init__(self, pdf: FPDF) -> None:
        self.pdf = pdf

    def shapes(self, shapes: Iterable[Shape], at: Point, turn: float = 0.0) -> None:
        """Paint shapes with their origin at `at` (from the page's top left), y up."""
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
        """A card with its centre at `at`, and the line to cut it along."""
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

    def frame(self, left: float, top: float, width: float, height: float) -> None:
        """A dashed line to cut along."""
        self.pdf.set_draw_color(120, 120, 120)
        self.pdf.set_line_width(0.1)
        with self.pdf.local_context(dash_pattern={"dash": 2, "gap": 2, "phase": 0}):
            self.pdf.rect(left, top, width, height)

    def _ink(self, fill: str, stroke: str, width: float) -> None:
        if fill:
            self.pdf.set_fill_color(*_rgb(fill))
        if stroke:
            self.pdf.set_draw_color(*_rgb(stroke))
            self.pdf.set_line_width(width)

    def _text(self, text: Text, at: Point, turn: float) -> None:
        capital = 0.718  # height of a capital letter, relative to Helvetica's font size
        self.pdf.set_font("Helvetica", size=text.size / capital * 72 / 25.4)
        self.pdf.set_text_color(*_rgb(text.colour))
        width = self.pdf.get_string_width(text.text)
        with self.pdf.rotation(turn, at[0], at[1]):
            self.pdf.text(at[0] - width / 2, at[1] + text.size / 2, text.text)


def print_markers(path: Path, tags: Mapping[int, str], tag_size: float, paper: str = "A4") -> None:
    """The four corner markers and a marker for every piece, to cut out along their white rims."""
    pdf = _document()
    width, _ = PAPERS[paper]
    entries = [(number, MARKER, f"{number} {CORNERS[number]}") for number in CORNERS]
    entries += [
        (number, tag_size, f"{number} {_ascii(name).replace('.', ' ')}") for number, name in sorted(tags.items())
    ]
    pages: list[Sheet] = []
    for (number, size, label), (sheet, at) in zip(entries, marker_spots([e[1] for e in entries], paper), strict=True):
        if sheet == len(pages):
            pages.append(_page(pdf, paper))
            pages[-1].ruler((width / 2 - 50, RIM + 4))
            pages[-1].words(MARKER_WORDS, (width / 2, RIM + 14), 2.4)
        rim = size * 4 / 3
        pages[sheet].shapes((Polygon(_box(rim, rim), stroke="#999999", width=0.1),), at)
        pages[sheet].marker(number, at, size)
        # Inside the cutting line, so that a marker that is cut out still shows its number and which side is down.
        pages[sheet].shapes((Text((0, 0), label, min(1.6, size / 14), "#8a8a8a"),), (at[0], at[1] + rim / 2 - 1.6))
    pdf.output(str(path))


def marker_spots(sizes: Iterable[float], paper: str) -> list[tuple[int, Point]]:
    """Where markers of these sizes go: the number of the sheet and the marker's centre, row by row."""
    width, height = PAPERS[paper]
    top = RIM + 20.0
    sheet, x, y, tallest = 0, RIM, top, 0.0
    spots = []
    for size in sizes:
        wide, high = size * 4 / 3 + 12, size * 4 / 3 + 10
        if x + wide > width - RIM:
            x, y, tallest = RIM, y + tallest, 0.0
        if y + high > height - RIM:
            sheet, x, y, tallest = sheet + 1, RIM, top, 0.0
        spots.append((sheet, (x + wide / 2, y + size * 2 / 3)))
        x, tallest = x + wide, max(tallest, high)
    return spots


def print_mat(path: Path, layout: Layout, paper: str | None = None) -> int:
    """The play mat with markers in its corners: on one page of its own size, for a print shop or a plotter, or on
    several sheets of `paper`, to be cut along the dashed lines and laid edge to edge. Returns the number of pages."""
    pdf = _document()
    if paper is None:
        pdf.add_page(format=(layout.width, layout.height))
        _mat(Sheet(pdf), layout, (0.0, layout.height))
        pdf.output(str(path))
        return 1
    width, height = PAPERS[paper]
    wide, high = width - 2 * RIM, height - 2 * RIM - HEAD
    across, down = math.ceil(layout.width / wide), math.ceil(layout.height / high)
    # Centred on the sheets, so that no cut goes through a corner marker.
    left, top = (across * wide - layout.width) / 2, (down * high - layout.height) / 2
    for row in range(down):
        for col in range(across):
            page = _page(pdf, paper)
            with pdf.rect_clip(RIM, RIM + HEAD, wide, high):
                _mat(page, layout, (RIM + left - col * wide, RIM + HEAD + top + layout.height - row * high))
            page.frame(RIM, RIM + HEAD, wide, high)
            page.words(f"row {row + 1} of {down}, sheet {col + 1} of {across}", (RIM + 24, RIM + 3), 2.4)
            page.ruler((width - RIM - 104, RIM + 2))
    pdf.output(str(path))
    return across * down


def _mat(page: Sheet, layout: Layout, origin: Point) -> None:
    page.shapes(layout.mat, origin)
    for number, (x, y) in marker_places(layout.width, layout.height).items():
        at = (origin[0] + x, origin[1] - y)
        page.shapes((Polygon(_box(MARKER * 4 / 3, MARKER * 4 / 3), fill="#ffffff"),), at)
        page.marker(number, at, MARKER)


def print_deck(path: Path, faces: Iterable[tuple[Face, int]], back: Face | None, paper: str = "A4") -> int:
    """Proxy cards to cut out, each with its number of copies. Every sheet of faces is followed by its backs, mirrored,
    so that they match in duplex printing (flipped on the long edge). Returns the number of cards."""
    pdf = _document()
    cards = [face for face, copies in faces for _ in range(copies)]
    if cards:
        spots = card_spots(max(face.width for face in cards), max(face.height for face in cards), paper)
        for start in range(0, len(cards), len(spots)):
            part = cards[start : start + len(spots)]
            _impose(pdf, part, spots, paper)
            if back is not None:
                width = PAPERS[paper][0]
                _impose(pdf, [back] * len(part), [(width - x, y) for x, y in spots], paper)
    pdf.output(str(path))
    return len(cards)


def card_spots(wide: float, high: float, paper: str) -> list[Point]:
    """The centres of as many cards of this size as fit on a sheet, row by row."""
    width, height = PAPERS[paper]
    room = (width - 2 * RIM + GAP, height - 2 * RIM - HEAD + GAP)
    across, down = (max(1, int(space // (side + GAP))) for space, side in zip(room, (wide, high), strict=True))
    left = (width - across * (wide + GAP) + GAP) / 2
    return [
        (left + col * (wide + GAP) + wide / 2, RIM + HEAD + row * (high + GAP) + high / 2)
        for row in range(down)
        for col in range(across)
    ]


def _impose(pdf: FPDF, faces: list[Face], spots: list[Point], paper: str) -> None:
    page = _page(pdf, paper)
    page.ruler((PAPERS[paper][0] / 2 - 50, RIM + 2))
    for face, at in zip(faces, spots, strict=False):
        page.face(face, at)


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

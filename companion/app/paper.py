"""Pages of text and tables as PDF: what score sheets and summaries are set with.

The fonts that every PDF reader has know Western European letters only. Where DejaVu is installed, as on Raspberry Pi
OS, it is used instead, so that Hi-ōgi and most names are written as they are; else the plain letter stands for it.
"""

import logging
import unicodedata
from collections.abc import Sequence
from math import hypot
from pathlib import Path

import segno
from fpdf import FPDF

from companion.core.message import Message
from companion.core.wording import Names, sentence
from companion.games.kit.topics import Branches
from vision.enrolment.printing import PAPERS

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of every glyph that it leaves out
FONTS = Path("/usr/share/fonts/truetype/dejavu")
INK, SOFT, LINE, ROW = (33, 28, 22), (95, 85, 71), (150, 138, 116), (246, 241, 230)
TINTS = {"gateway": (241, 236, 224), "aggression": (227, 170, 162), "balance": (181, 208, 170)}
OTHER = (236, 223, 158)
MARGIN = 12.0
"""Millimetres; printers leave less white than that."""


class PaperPage:
    """A document, and where the pen is on its page. Everything is in millimetres from the top left."""

    def __init__(self, paper: str, language: str, names: Names, fonts: Path = FONTS) -> None:
        self.pdf = FPDF(unit="mm")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.width, self.height = PAPERS[paper]
        self._language, self._names = language, names
        self._unicode = all((fonts / name).is_file() for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
        self._family = "Helvetica"
        if self._unicode:
            self._family = "sheet"
            self.pdf.add_font(self._family, "", fonts / "DejaVuSans.ttf")
            self.pdf.add_font(self._family, "B", fonts / "DejaVuSans-Bold.ttf")

    def turn(self) -> None:
        """Begin a page."""
        self.pdf.add_page(format=(self.width, self.height))

    def told(self, said: Message | str) -> str:
        """In the language of this paper, with the letters that its font has."""
        text = said if isinstance(said, str) else sentence(said, self._language, self._names)
        if self._unicode:
            return text
        plain = text.replace("–", "-").replace("−", "-").replace("’", "'").replace("…", "...")
        return "".join(sign if ord(sign) < 256 else _plain_letter(sign) for sign in plain)

    def text(
        self, said: Message | str, x: float, y: float, size: float = 9.0, *, bold: bool = False, soft: bool = False
    ) -> None:
        """One line; `y` is its base line, `size` in points."""
        self._pen(size, bold, soft)
        self.pdf.text(x, y, self.told(said))

    def fitted(self, said: Message | str, x: float, y: float, width: float, size: float = 9.0) -> None:
        """One line, as small as it has to be to fit."""
        told = self.told(said)
        self._pen(size, False, False)
        while size > 4.0 and self.pdf.get_string_width(told) > width:
            size -= 0.5
            self._pen(size, False, False)
        self.pdf.text(x, y, told)

    def fits(self, said: Message | str, width: float, size: float) -> bool:
        """Whether it goes on one line of that width."""
        self._pen(size, False, False)
        return bool(self.pdf.get_string_width(self.told(said)) <= width)

    def block(self, said: Message | str, x: float, y: float, width: float, size: float = 7.0) -> float:
        """Lines within a width; where the next one would begin."""
        self._pen(size, False, False)
        self.pdf.set_xy(x, y)
        self.pdf.multi_cell(width, size * 0.43, self.told(said), align="L", new_x="LEFT", new_y="NEXT")
        return float(self.pdf.get_y())

    def lines(self, text: str, width: float, size: float) -> int:
        """How many lines that would take."""
        self._pen(size, False, False)
        broken = self.pdf.multi_cell(width, size * 0.43, text, dry_run=True, output="LINES")
        assert isinstance(broken, list)
        return len(broken)

    def box(self, x: float, y: float, width: float, height: float, *, fill: bool = False, line: float = 0.2) -> None:
        self.pdf.set_draw_color(*LINE)
        self.pdf.set_fill_color(*ROW)
        self.pdf.set_line_width(line)
        self.pdf.rect(x, y, width, height, style="DF" if fill else "D")

    def line(self, x: float, y: float, width: float) -> None:
        self.pdf.set_draw_color(*LINE)
        self.pdf.set_line_width(0.3)
        self.pdf.line(x, y, x + width, y)

    def code(self, text: str, x: float, y: float, side: float) -> None:
        """A QR code as black squares, sharp at any size."""
        rows = [list(row) for row in segno.make(text, micro=False, error="m").matrix]
        cell = side / len(rows)
        self.pdf.set_fill_color(0, 0, 0)
        for down, row in enumerate(rows):
            for across, dark in enumerate(row):
                if dark:
                    self.pdf.rect(x + across * cell, y + down * cell, cell + 0.01, cell + 0.01, style="F")

    def branches(self, drawing: Branches, x: float, y: float, side: float) -> None:
        """Places with a name, and arrows from one to the other."""
        radius = side * 0.15
        spots = [(x + side * node.at[0], y + side * node.at[1]) for node in drawing.nodes]
        self.pdf.set_draw_color(*SOFT)
        for start, end in drawing.arrows:
            (ax, ay), (bx, by) = spots[start], spots[end]
            far = hypot(bx - ax, by - ay)
            dx, dy = (bx - ax) / far, (by - ay) / far
            # Beside the middle, so that there and back are two arrows.
            ax, ay, bx, by = ax - 1.2 * dy, ay + 1.2 * dx, bx - 1.2 * dy, by + 1.2 * dx
            tip = bx - radius * dx, by - radius * dy
            self.pdf.set_line_width(0.5)
            self.pdf.line(ax + radius * dx, ay + radius * dy, *tip)
            self.pdf.set_fill_color(*SOFT)
            wings = [(tip[0] - 3 * dx + s * 1.5 * dy, tip[1] - 3 * dy - s * 1.5 * dx) for s in (1, -1)]
            self.pdf.polygon([tip, *wings], style="F")
        for node, (cx, cy) in zip(drawing.nodes, spots, strict=True):
            self.pdf.set_fill_color(*TINTS.get(node.kind, OTHER))
            self.pdf.set_line_width(0.4)
            self.pdf.circle(cx, cy, radius, style="DF")
            self._pen(7.5, True, False)
            told = self.told(node.title)
            self.pdf.text(cx - self.pdf.get_string_width(told) / 2, cy + 1, told)

    def save(self, path: Path) -> int:
        """The number of pages."""
        self.pdf.output(str(path))
        return int(self.pdf.page_no())

    def _pen(self, size: float, bold: bool, soft: bool) -> None:
        self.pdf.set_font(self._family, "B" if bold else "", size)
        self.pdf.set_text_color(*(SOFT if soft else INK))


def widths(total: float, shares: Sequence[float]) -> list[float]:
    """A width shared out."""
    return [total * share / sum(shares) for share in shares]


def _plain_letter(sign: str) -> str:
    """o for ō; a question mark where there is none."""
    parts = unicodedata.normalize("NFKD", sign).encode("latin-1", "ignore").decode("latin-1")
    return parts or "?"

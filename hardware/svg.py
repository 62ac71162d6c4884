"""The few strokes that our drawings need, as SVG in millimetres."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

INK = "#222222"
CUT = "#ff0000"


def number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def path(points: Sequence[Point], colour: str = INK, width: float = 0.5) -> str:
    return (
        f'<polyline points="{_points(points)}" fill="none" stroke="{colour}" '
        f'stroke-width="{number(width)}" stroke-linejoin="round"/>'
    )


def shape(points: Sequence[Point], fill: str = "none", stroke: str = INK, width: float = 0.3) -> str:
    return f'<polygon points="{_points(points)}" fill="{fill}" stroke="{stroke}" stroke-width="{number(width)}"/>'


def box(
    x: float, y: float, width: float, height: float, fill: str = "none", stroke: str = INK, line: float = 0.3
) -> str:
    return shape([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], fill, stroke, line)


def ring(x: float, y: float, radius: float, fill: str = "none", stroke: str = INK, width: float = 0.3) -> str:
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="{number(width)}"/>'
    )


def text(x: float, y: float, words: str, size: float = 3.0, anchor: str = "start", colour: str = INK) -> str:
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="sans-serif" font-size="{number(size)}" '
        f'text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'
    )


def sheet(width: float, height: float, title: str, *parts: str) -> str:
    """A whole picture, at its true size when printed."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}mm" height="{number(height)}mm" '
            f'viewBox="0 0 {number(width)} {number(height)}" role="img" aria-label={quoteattr(title)}>',
            f"<title>{escape(title)}</title>",
            box(0, 0, width, height, fill="#ffffff", stroke="none"),
            *parts,
            "</svg>\n",
        ]
    )

"""Where a camera has to hang: heights and angles for every mat, computed, for `docs/mounting-the-camera.md`.

python -m companion.upkeep.mounting     writes the table and the drawing of that page anew
"""

import math
from pathlib import Path

import msgspec

from companion.games import game, names
from companion.record.match import Match

MARGIN = 30.0
"""Millimetres around the mat that should be in the picture, so that a nudge loses no marker."""
COARSE = 1.2
"""Pixels to the millimetre below which small print cannot be read; `vision.calibration.aiming_report` warns there."""
GOOD = 1.3
"""The same with something to spare: where a camera may hang at most."""
BEGIN, END = "<!-- computed -->\n", "<!-- end -->\n"


class Optics(msgspec.Struct, frozen=True):
    """A camera by what its maker says of it."""

    name: str
    wide: float
    """Degrees that it sees along the longer side of its picture."""
    high: float
    pixels: int
    """Along the longer side: Shinpan asks every camera for 1920 × 1080."""


CAMERAS = (
    Optics("Camera Module 3", 66.0, 41.0, 1920),
    Optics("Camera Module 3 Wide", 102.0, 67.0, 1920),
    Optics("webcam, 78° diagonal, 1080p", 70.4, 43.3, 1920),
)


class Mounting(msgspec.Struct, frozen=True):
    lowest: float
    """Millimetres above the mat from which the whole mat is seen."""
    highest: float
    """From which small print can still be read well."""
    scale: float
    """Pixels to the millimetre at the lowest height."""
    tilt: float
    """Degrees by which it may lean from straight down at the lowest height plus a fifth."""


def mounting(width: float, height: float, optics: Optics) -> Mounting:
    """For a camera above the middle of a mat, the longer side of its picture along the longer side of the mat."""
    long, short = max(width, height) + 2 * MARGIN, min(width, height) + 2 * MARGIN
    wide, high = math.tan(math.radians(optics.wide / 2)), math.tan(math.radians(optics.high / 2))
    lowest = max(long / 2 / wide, short / 2 / high)

    def scale(at: float) -> float:
        return optics.pixels / (2 * at * wide)

    highest = optics.pixels / (2 * GOOD * wide)
    return Mounting(lowest, highest, scale(lowest), _tilt(1.2 * lowest, long, short, optics))


def _tilt(at: float, long: float, short: float, optics: Optics) -> float:
    """The largest lean along the shorter side at which the whole mat stays in the picture and readable. The camera is
    moved sideways so that it still points at the middle."""
    wide, high = math.tan(math.radians(optics.wide / 2)), math.tan(math.radians(optics.high / 2))
    focal = optics.pixels / 2 / wide
    best = 0.0
    for step in range(0, 81):
        lean = math.radians(step / 2)
        far = []
        for x, y in ((x, y) for x in (-long / 2, long / 2) for y in (-short / 2, short / 2)):
            depth = at / math.cos(lean) + y * math.sin(lean)
            far.append((abs(x) / depth / wide <= 1 and abs(y) * math.cos(lean) / depth / high <= 1, focal / depth))
        if not all(seen and scale >= COARSE for seen, scale in far):
            break
        best = step / 2
    return best


def mats() -> list[tuple[str, float, float]]:
    """The mats of all games: title with players, width, height in millimetres."""
    found: list[tuple[str, float, float]] = []
    for name in names():
        chosen = game(name)
        if name == "high_card":
            continue  # the example for authors
        sizes: dict[tuple[float, float], list[int]] = {}
        for players in chosen.seats:
            layout = chosen.table.layout(Match(chosen, [f"{number}" for number in range(players)]).state)
            sizes.setdefault((layout.width, layout.height), []).append(players)
        for (width, height), counts in sizes.items():
            seats = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]}–{counts[-1]}"
            found.append((f"{chosen.title}, {seats}", width, height))
    return found


def table() -> str:
    """The table of the page, in centimetres."""
    lines = ["| mat | size | camera | hang it at | pixels/mm | may lean |", "|---|---|---|---|---|---|"]
    for title, width, height in mats():
        for optics in CAMERAS:
            found = mounting(width, height, optics)
            if math.ceil(found.lowest / 10) <= int(found.highest / 10):
                where = f"{math.ceil(found.lowest / 10)} to {int(found.highest / 10)} cm"
            else:
                where = f"{math.ceil(found.lowest / 10)} cm, coarse"
            size = f"{width / 10:g} × {height / 10:g} cm"
            lean = f"{found.tilt:.0f}°" if found.tilt >= 1 else "not at all"
            lines.append(f"| {title} | {size} | {optics.name} | {where} | {found.scale:.1f} | {lean} |")
    return "\n".join(lines) + "\n"


def drawing() -> str:
    """A camera over the mat of Sen So, from the side and to scale."""
    title, width, _ = next(each for each in mats() if each[0].startswith("Sen So"))
    found = mounting(width, width, CAMERAS[0])
    scale, ground, middle = 0.32, 400.0, 300.0
    half, up = width / 2 * scale, found.lowest * scale
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 450" font-family="sans-serif" font-size="14">',
        '<rect width="600" height="450" fill="#f4eee0"/>',
        f'<path d="M{middle} {ground - up:.1f} L{middle - half - MARGIN * scale:.1f} {ground} '
        f'L{middle + half + MARGIN * scale:.1f} {ground} Z" fill="#ffd44d55" stroke="#b08a00"/>',
        f'<rect x="{middle - half:.1f}" y="{ground - 4}" width="{2 * half:.1f}" height="8" fill="#35523f"/>',
        f'<rect x="60" y="{ground + 4}" width="480" height="14" fill="#8a6a44"/>',
        f'<rect x="{middle - 16}" y="{ground - up - 14:.1f}" width="32" height="16" rx="3" fill="#222"/>',
        f'<path d="M90 {ground + 4} V{ground - up - 6:.1f} H{middle - 16}" fill="none" stroke="#555" '
        'stroke-width="6"/>',
        f'<path d="M470 {ground - up:.1f} V{ground}" stroke="#c41230" stroke-width="2"/>',
        f'<text x="480" y="{ground - up / 2:.1f}" fill="#c41230">{math.ceil(found.lowest / 10)} cm</text>',
        f'<text x="{middle}" y="{ground + 38}" text-anchor="middle">{title}: {width / 10:g} cm</text>',
        f'<text x="{middle}" y="28" text-anchor="middle">{CAMERAS[0].name}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def written(page: str) -> str:
    """The page with a fresh table in it."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}{table()}{END}{after}"


if __name__ == "__main__":
    docs = Path(__file__).parents[2] / "docs"
    file = docs / "mounting-the-camera.md"
    file.write_text(written(file.read_text("utf-8")), "utf-8")
    (docs / "pictures" / "mounting.svg").write_text(drawing(), "utf-8")

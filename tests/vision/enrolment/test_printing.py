"""What is printed: PDFs of the right size, and drawings that paper and pixels agree on."""

import re
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from companion.core.drawing import Circle, Face, Point, Polygon, Shape, Text, rectangle
from tests.vision.small_table import BACK_FACE, FACES, TABLE
from vision.calibration.calibrate import MARKER
from vision.enrolment.printing import PAPERS, RIM, Sheet, card_spots, marker_spots, print_deck, print_markers, print_mat
from vision.simulation.paint import paint, paint_mat

POINTS = 72 / 25.4


def boxes(path: Path) -> list[tuple[float, float]]:
    """The pages of a PDF, in millimetres."""
    found = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", path.read_bytes())
    return [(float(wide) / POINTS, float(high) / POINTS) for wide, high in found]


def test_the_mat_is_one_page_of_its_true_size(tmp_path: Path) -> None:
    print_mat(tmp_path / "mat.pdf", TABLE)

    assert boxes(tmp_path / "mat.pdf")[-1] == pytest.approx((TABLE.width, TABLE.height), abs=0.1)


def test_every_card_is_printed_as_often_as_the_deck_has_it_with_a_back_for_each(tmp_path: Path) -> None:
    count = print_deck(tmp_path / "deck.pdf", [(face, 2) for face in FACES.values()], BACK_FACE)

    assert count == 2 * len(FACES)
    # 60 mm cards: three by four on a sheet of A4, fronts and backs; the document says its own size once more
    assert len(boxes(tmp_path / "deck.pdf")) in (2 * 4, 2 * 4 + 1)


@pytest.mark.parametrize("size", [(60, 60), (63, 88), (59, 92), (33, 54), (120, 180)])
@pytest.mark.parametrize("paper", PAPERS)
def test_cards_lie_apart_within_their_sheet_and_backs_meet_faces(size: tuple[float, float], paper: str) -> None:
    spots = card_spots(*size, paper)
    wide, high = PAPERS[paper]
    for x, y in spots:
        assert x - size[0] / 2 >= RIM - 1e-6
        assert x + size[0] / 2 <= wide - RIM + 1e-6
        assert y - size[1] / 2 >= RIM
        assert y + size[1] / 2 <= high - RIM + 1e-6
    for (x, y), (u, v) in combinations(spots, 2):
        assert abs(x - u) > size[0] or abs(y - v) > size[1]
    assert {(round(wide - x, 6), round(y, 6)) for x, y in spots} == {(round(x, 6), round(y, 6)) for x, y in spots}


def test_markers_of_all_sizes_lie_apart_within_their_sheets() -> None:
    sizes = [30.0] * 4 + [20.0, 12.0] * 25
    spots = marker_spots(sizes, "A4")
    for ((page, (x, y)), a), ((sheet, (u, v)), b) in combinations(zip(spots, sizes, strict=True), 2):
        apart = (a + b) / 2 * 4 / 3
        assert page != sheet or abs(x - u) >= apart or abs(y - v) >= apart + 6  # and room for the words below
    for (_, (x, y)), size in zip(spots, sizes, strict=True):
        assert size * 2 / 3 < x < 210 - size * 2 / 3
        assert y + size * 2 / 3 + 6 < 297


def test_who_has_cut_a_marker_out_still_reads_its_number_and_which_side_is_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[Shape, Point]] = []
    paints = Sheet.shapes

    def noted(sheet: Sheet, shapes: Iterable[Shape], at: Point, turn: float = 0.0) -> None:
        drawn.extend((shape, at) for shape in shapes)
        paints(sheet, shapes, at, turn)

    monkeypatch.setattr(Sheet, "shapes", noted)
    print_markers(tmp_path / "markers.pdf", TABLE.tags, TABLE.tag_size)
    labels = {shape.text: (shape, at) for shape, at in drawn if isinstance(shape, Text)}

    for label, size in {"0 near left": MARKER, "3 far left": MARKER, "10 pawn Aki": TABLE.tag_size}.items():
        text, (x, y) = labels[label]
        cut = [(shape, at) for shape, at in drawn if isinstance(shape, Polygon) and at[0] == x and at[1] < y]
        _, middle = max(cut, key=lambda found: found[1][1])
        assert middle[1] + size / 2 < y - text.size / 2
        assert y + text.size / 2 < middle[1] + size * 2 / 3


def test_a_mat_is_cut_into_sheets_that_cover_it(tmp_path: Path) -> None:
    pages = print_mat(tmp_path / "mat.pdf", TABLE, "A4")

    assert pages == 3 * 2  # 480 x 360 mm on 198 x 277 mm each
    assert all(box == pytest.approx(PAPERS["A4"], abs=0.1) for box in boxes(tmp_path / "mat.pdf")[1:])


def test_a_painted_face_has_its_colours_where_they_were_drawn() -> None:
    face = Face(
        60, 80, (rectangle(60, 80, fill="#ffffff"), Circle((15, 20), 8, fill="#ff0000"), Text((0, -20), "H", 10))
    )
    image = paint(face, 2.0).image

    assert image.shape == (160, 120, 3)
    assert image[40, 90].tolist() == [0, 0, 255]  # to the right and up; blue, green, red
    assert image[120, 20].tolist() == [255, 255, 255]
    ink = np.argwhere(image[100:140].max(2) < 128)
    assert np.ptp(ink[:, 0]) == pytest.approx(20, abs=4)  # a capital letter of 10 mm
    assert ink[:, 1].mean() == pytest.approx(59.5, abs=1.5)


def test_cut_corners_let_the_table_through() -> None:
    painted = paint(BACK_FACE, 2.0)

    assert painted.mask[0, 0] == 0
    assert painted.mask[60, 60] == 255


def test_a_mat_is_painted_from_its_near_left_corner() -> None:
    image = paint_mat(100, 50, (rectangle(10, 10, fill="#0000ff", at=(10, 10)),), 2.0)

    assert image[80, 20].tolist() == [255, 0, 0]
    assert image[20, 20].tolist() != [255, 0, 0]

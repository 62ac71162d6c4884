"""The lens sheet and hidden markers: what a table can be measured by, to the millimetre."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.bench.vision.harsh_table import HarshCamera, Room, Thing, photographed
from tests.vision.small_table import TABLE
from vision.calibration.accuracy import how_well
from vision.calibration.aiming_report import aim
from vision.calibration.calibrate import CalibrationFailed, calibrate, find_projection
from vision.calibration.lens_sheet import SQUARE, SQUARES, board, find_lens, find_sheet
from vision.calibration.projection import TableProjection
from vision.pictures import Image

WIDE = Room(ground="stone", size=(1280, 960), field=120.0, bend=0.45)


def sheet(x: float, y: float, turn: float) -> Thing:
    drawn = board().generateImage((SQUARES[0] * 100, SQUARES[1] * 100), marginSize=0)
    size = (SQUARES[0] * SQUARE, SQUARES[1] * SQUARE)
    return photographed(cv2.cvtColor(drawn, cv2.COLOR_GRAY2BGR), size, x, y, turn)


def error(camera: HarshCamera, projection: TableProjection) -> float:
    """Millimetres at the places of the cards, at most."""
    places = np.array([(zone.x, zone.y) for zone in TABLE.zones])
    return float(np.linalg.norm(projection.millimetres(camera.pixels(places)) - places, axis=1).max())


@pytest.fixture(scope="module")
def wide() -> HarshCamera:
    return HarshCamera(TABLE, WIDE)


@pytest.fixture(scope="module")
def with_sheet(wide: HarshCamera) -> Image:
    return wide.frame([sheet(TABLE.width / 2 + 8, TABLE.height / 2 - 5, 85.0)])


def test_a_lens_of_120_degrees_is_measured_by_its_sheet(wide: HarshCamera, with_sheet: Image) -> None:
    lens = find_lens(with_sheet, TABLE.width, TABLE.height)
    assert lens is not None
    assert lens.measured

    empty = wide.frame([])
    found = calibrate(empty, TABLE, lens)
    assert error(wide, found.projection) < 0.5
    assert "known to 0." in str(how_well(empty, TABLE, found)[0])


def test_the_lens_is_remembered_when_the_sheet_is_gone(wide: HarshCamera, with_sheet: Image) -> None:
    lens = find_lens(with_sheet, TABLE.width, TABLE.height)
    empty = wide.frame([])
    known = calibrate(empty, TABLE, lens).projection
    assert find_lens(empty, TABLE.width, TABLE.height, known) == lens


def test_a_lens_that_does_not_fit_any_more_is_not_used(with_sheet: Image) -> None:
    """The phone was zoomed, or another camera has the same size."""
    lens = find_lens(with_sheet, TABLE.width, TABLE.height)
    other = HarshCamera(TABLE, replace(WIDE, field=65.0, bend=0.0)).frame([])
    known = TableProjection((1280, 960), ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0)), lens)
    found = find_lens(other, TABLE.width, TABLE.height, known)
    assert found is None or not found.measured


def test_whoever_aims_is_told_what_to_do_with_the_sheet(with_sheet: Image) -> None:
    seen = aim(with_sheet, TABLE, None)
    assert seen.sheet
    assert seen.fits
    assert "take it away" in str(seen.words[-1])


def test_a_table_without_the_sheet_has_none(wide: HarshCamera) -> None:
    assert find_sheet(wide.frame([])) is None


@pytest.mark.parametrize("hidden", [0, 2])
def test_three_markers_measure_a_table_to_a_millimetre(hidden: int) -> None:
    seen = tuple(number for number in range(4) if number != hidden)
    camera = HarshCamera(TABLE, Room(ground="red cloth", size=(832, 608), tilt=20.0, markers=seen))
    frame = camera.frame([])
    assert error(camera, find_projection(frame, TABLE.width, TABLE.height)) < 1.0
    assert f"Marker {hidden} " in str(aim(frame, TABLE, None).words[0])
    assert aim(frame, TABLE, None).fits


def test_three_markers_under_a_lens_that_bends_and_is_not_known_are_not_enough() -> None:
    camera = HarshCamera(TABLE, replace(WIDE, markers=(0, 1, 3)))
    with pytest.raises(CalibrationFailed, match="Marker 2"):
        find_projection(camera.frame([]), TABLE.width, TABLE.height)


def test_two_markers_are_not_enough() -> None:
    camera = HarshCamera(TABLE, Room(size=(832, 608), markers=(0, 1)))
    with pytest.raises(CalibrationFailed, match="Markers 2"):
        find_projection(camera.frame([]), TABLE.width, TABLE.height)

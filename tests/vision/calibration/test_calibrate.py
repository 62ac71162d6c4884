"""Calibration: millimetres out of four markers, and words when it does not work."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.cli.vision import calibrate as command
from companion.core.layout import Layout
from companion.games import game
from tests.vision.small_table import TABLE, studio
from vision.calibration.calibrate import (
    MARKER,
    Calibration,
    CalibrationFailed,
    calibrate,
    camera_drift,
    estimate_distortion,
    find_markers,
    marker_layout_fault,
    marker_places,
    piece_at,
)
from vision.calibration.projection import Lens, TableProjection, corners, rigid_transform
from vision.pictures import Image
from vision.simulation.scene import Scene, SceneRenderer


@pytest.fixture(scope="module")
def frame() -> Image:
    return studio().frame(Scene(), np.random.default_rng(3))


def test_places_on_the_table_are_found_to_half_a_millimetre(frame: Image) -> None:
    projection = calibrate(frame, TABLE).projection
    truth = studio().projection
    places = [(20.0, 20.0), (240.0, 180.0), (460.0, 340.0), (100.0, 300.0)]

    assert np.abs(projection.millimetres(truth.pixels(places)) - places).max() < 0.5


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda frame: frame * 0, "black"),
        (lambda frame: frame // 6, "too dark"),
        (lambda frame: np.maximum(frame, 240), "washed out"),
        (lambda frame: frame * 0 + 128, "one colour"),
        (lambda frame: frame[:, :120].copy(), "Markers 1 .near right. and 2 .far right. are hidden"),
        (lambda frame: frame[100:-100, 100:-100].copy(), "None of the four"),
    ],
)
def test_what_is_wrong_is_said_in_words(frame: Image, spoil, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(CalibrationFailed, match=words):
        calibrate(spoil(frame).astype(np.uint8), TABLE)


@pytest.mark.parametrize("blur", [2.1, 3.0])
def test_markers_are_found_by_a_camera_that_is_a_little_out_of_focus(blur: float) -> None:
    sharp = studio().frame(Scene(), np.random.default_rng(3))
    soft = np.asarray(cv2.GaussianBlur(sharp, (0, 0), blur), np.uint8)

    assert set(find_markers(soft)) >= {0, 1, 2, 3}


def test_hidden_markers_are_named(frame: Image) -> None:
    covered = frame.copy()
    x, y = studio().projection.pixels([(25.0, 335.0)])[0].astype(int)
    covered[y - 30 : y + 30, x - 30 : x + 30] = (90, 120, 150)

    x, y = studio().projection.pixels([(25.0, 25.0)])[0].astype(int)
    covered[y - 30 : y + 30, x - 30 : x + 30] = (90, 120, 150)
    with pytest.raises(CalibrationFailed, match=r"Markers 0 .near left. and 3 .far left. are hidden"):
        calibrate(covered, TABLE)


def astray(frame: Image, number: int, by: tuple[int, int]) -> Image:
    """The same picture with a marker laid elsewhere, so many pixels aside."""
    x, y = find_markers(frame)[number].mean(0).astype(int)
    picture, sheet = frame.copy(), frame[y - 30 : y + 30, x - 30 : x + 30].copy()
    picture[y - 30 : y + 30, x - 30 : x + 30] = (63, 82, 53)
    picture[y + by[1] - 30 : y + by[1] + 30, x + by[0] - 30 : x + by[0] + 30] = sheet
    return picture


@pytest.mark.parametrize(("number", "by"), [(1, (-110, 0)), (2, (-60, 60)), (3, (65, 65))])
def test_a_marker_that_lies_astray_is_named(frame: Image, number: int, by: tuple[int, int]) -> None:
    """Four middles fit any table: a marker a hand's breadth off once shifted every place on it, and nobody was told."""
    with pytest.raises(CalibrationFailed, match=f"check marker {number}"):
        calibrate(astray(frame, number, by), TABLE)


def test_the_mat_of_another_game_is_not_measured_as_this_one(frame: Image) -> None:
    for width, height in ((360, 480), (720, 540)):
        with pytest.raises(CalibrationFailed, match="the mat of another game"):
            calibrate(frame, Layout(width, height, (), TABLE.card))


def test_a_mirrored_picture_is_told(frame: Image) -> None:
    with pytest.raises(CalibrationFailed, match="mirrored"):
        calibrate(frame[:, ::-1].copy(), TABLE)


@settings(max_examples=25, deadline=None)
@given(
    tilt=st.floats(0, 30),
    swing=st.floats(-180, 180),
    distortion=st.sampled_from([0.0, -0.05, -0.12]),
    turns=st.lists(st.floats(-6, 6), min_size=4, max_size=4),
    aside=st.lists(st.floats(-4, 4), min_size=8, max_size=8),
)
@example(tilt=0.0, swing=0.0, distortion=0.0, turns=[0.0] * 4, aside=[3.0, 0.0, 3.0, 0.0, 4.0, 0.0, 4.0, -4.0])
def test_markers_laid_by_hand_are_measured(
    tilt: float, swing: float, distortion: float, turns: list[float], aside: list[float]
) -> None:
    projection = TableProjection.overhead(TABLE.width, TABLE.height, 1.6, tilt, swing, distortion)
    places = marker_places(TABLE.width, TABLE.height)
    seen = {
        number: projection.pixels(
            rigid_transform(corners(MARKER, MARKER), x + aside[number], y + aside[number + 4], turns[number])
        )
        for number, (x, y) in places.items()
    }

    assert marker_layout_fault(seen, projection.size, TABLE.width, TABLE.height, None) is None


def test_a_bumped_camera_is_noticed(frame: Image) -> None:
    found = calibrate(frame, TABLE)

    assert camera_drift(frame, found) == pytest.approx(0, abs=0.6)
    assert camera_drift(np.roll(frame, 9, axis=1), found) == pytest.approx(9, abs=1)
    assert camera_drift(frame * 0, found) is None


def test_a_bent_lens_is_found_and_taken_out() -> None:
    truth = TableProjection.overhead(TABLE.width, TABLE.height, 1.6, tilt=8.0, distortion=-0.25)
    frame = SceneRenderer(TABLE, truth).frame(Scene(), np.random.default_rng(1))
    lens = estimate_distortion(frame, TABLE.width, TABLE.height)
    places = [(240.0, 180.0), (240.0, 20.0), (60.0, 180.0)]
    straight = calibrate(frame, TABLE, lens).projection.millimetres(truth.pixels(places))
    plain = calibrate(frame, TABLE).projection.millimetres(truth.pixels(places))

    assert lens is not None
    assert np.abs(straight - places).max() < np.abs(plain - places).max() / 2


def test_a_plain_lens_is_left_alone(frame: Image) -> None:
    assert estimate_distortion(frame, TABLE.width, TABLE.height) is None


def test_a_saved_calibration_comes_back(frame: Image, tmp_path: Path) -> None:
    found = calibrate(frame, TABLE)
    found.save(tmp_path / "calibration.json")
    again = Calibration.load(tmp_path / "calibration.json")
    empty = again.empty_table()

    assert again == found
    assert empty is not None
    assert np.array_equal(empty, frame)


def test_a_bad_calibration_file_is_told_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    with pytest.raises(CalibrationFailed, match="run `shinpan calibrate` first"):
        Calibration.load(path)
    path.write_text("{}")
    with pytest.raises(CalibrationFailed, match="is not a calibration"):
        Calibration.load(path)


def test_a_marker_tells_place_and_turn(frame: Image) -> None:
    projection = calibrate(frame, TABLE).projection
    piece = piece_at(find_markers(frame)[2], projection)

    assert (piece.x, piece.y) == pytest.approx((455, 335), abs=0.5)
    assert piece.rotation % 360 == pytest.approx(0, abs=1) or piece.rotation == pytest.approx(360, abs=1)


@settings(max_examples=40, deadline=None)
@given(
    st.floats(300, 1500), st.floats(300, 1500), st.floats(0, 25), st.floats(-20, 20), st.floats(-0.1, 0.05),
    st.floats(0.05, 0.95), st.floats(0.05, 0.95),
)  # fmt: skip
def test_millimetres_and_pixels_are_each_others_inverse(
    width: float, height: float, tilt: float, swing: float, distortion: float, x: float, y: float
) -> None:
    projection = TableProjection.overhead(width, height, 1.6, tilt, swing, distortion)
    place = (x * width, y * height)

    assert projection.millimetres(projection.pixels([place]))[0] == pytest.approx(place, abs=0.05)


def test_a_lens_bends_and_straightens() -> None:
    lens = Lens(((900.0, 0.0, 500.0), (0.0, 900.0, 400.0), (0.0, 0.0, 1.0)), (-0.1, 0.0, 0.0, 0.0, 0.0))
    points = np.array([(20.0, 30.0), (900.0, 700.0)])

    assert lens.undistort(lens.distort(points)) == pytest.approx(points, abs=0.01)
    assert np.abs(lens.distort(points) - points).max() > 5


@pytest.mark.parametrize("tilt", [0.0, 20.0, 40.0])
def test_a_camera_that_is_tipped_far_still_holds_the_whole_table(tilt: float) -> None:
    projection = TableProjection.overhead(TABLE.width, TABLE.height, 1.6, tilt)
    there = projection.pixels(
        [(5, 5), (TABLE.width - 5, 5), (TABLE.width - 5, TABLE.height - 5), (5, TABLE.height - 5)]
    )

    assert (there >= 0).all()
    assert (there <= projection.size).all()


# The command


@pytest.fixture(scope="module")
def sen_so() -> SceneRenderer:
    chosen = game("sen_so")
    layout = chosen.table.layout(chosen.rules.setup(["Aki", "Ben"], {}))
    return SceneRenderer(layout, TableProjection.overhead(layout.width, layout.height))


def test_a_folder_of_pictures_is_measured_on_the_first_good_one(tmp_path: Path, sen_so: SceneRenderer) -> None:
    good = sen_so.frame(Scene(), np.random.default_rng(1))
    for name, picture in (("1", good // 8), ("2", good[:, :600]), ("3", good), ("4", good * 0)):
        cv2.imwrite(str(tmp_path / f"{name}.png"), picture)
    done = CliRunner().invoke(command, ["--camera", f"images:{tmp_path}", "--data", str(tmp_path)])

    assert done.exit_code == 0, done.output
    assert "too dark" in done.stderr
    assert "Markers 1 (near right) and 2 (far right) are hidden" in done.stderr
    assert Calibration.load(tmp_path / "calibration.json").width == sen_so.layout.width


def test_a_folder_without_a_good_picture_says_at_once_what_the_last_one_lacked(
    tmp_path: Path, sen_so: SceneRenderer
) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), sen_so.frame(Scene(), np.random.default_rng(1)) // 8)
    done = CliRunner().invoke(command, ["sen_so", "--camera", f"images:{tmp_path}", "--data", str(tmp_path)])

    assert isinstance(done.exception, CalibrationFailed)
    assert "too dark" in str(done.exception)


def test_a_calibration_that_was_written_before_the_names_changed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "calibration.json"
    path.write_text(
        '{"width":480.0,"height":360.0,"view":{"size":[816,608],"homography":[[1.6,0,0],[0,-1.6,608],[0,0,1]],'
        '"lens":{"matrix":[[816,0,408],[0,816,304],[0,0,1]],"bend":[-0.05,0,0,0,0]}},"empty":"","version":1}'
    )

    found = Calibration.load(path)

    assert found.projection.size == (816, 608)
    assert found.projection.lens is not None
    assert found.projection.lens.distortion[0] == -0.05
    found.save(path)
    assert '"view":{"size":[816,608]' in path.read_text()
    assert Calibration.load(path) == found

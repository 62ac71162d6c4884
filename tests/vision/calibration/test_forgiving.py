"""Calibration with cameras and sheets that are not what they should be, in harsh rooms."""

import numpy as np
import pytest
from msgspec import structs

from tests.bench.vision.harsh_table import HarshCamera, Room
from tests.vision.small_table import TABLE
from vision.calibration.accuracy import how_well
from vision.calibration.calibrate import Calibration, calibrate, estimate_distortion, nothing_to_see
from vision.pictures import Image

SIZE = (960, 720)
ROOMS = {
    "soft focus": Room(size=SIZE, blur=2.6),
    "a tilt of 45 degrees": Room(size=SIZE, tilt=45.0),
    "a wide lens": Room(size=SIZE, field=100.0, bend=0.6),
    "small markers": Room(size=SIZE, marker_size=0.97),
    "large markers": Room(size=SIZE, marker_size=1.04),
    "shine on glossy paper": Room(size=SIZE, shine=0.5, glossy_markers=True),
    "the noise of a dim room": Room(size=SIZE, stops=-4.0, follows=0.8),
}


def measured(room: Room) -> tuple[HarshCamera, Image, Calibration]:
    camera = HarshCamera(TABLE, room)
    frame = camera.frame([])
    return camera, frame, calibrate(frame, TABLE, estimate_distortion(frame, TABLE.width, TABLE.height))


@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
def test_places_are_known_to_a_millimetre_in_spite_of(room: Room) -> None:
    camera, _, found = measured(room)
    places = np.array([(zone.x, zone.y) for zone in TABLE.zones])

    assert np.abs(found.projection.millimetres(camera.pixels(places)) - places).max() < 1.0


def test_a_black_table_in_good_light_is_not_too_dark() -> None:
    """Hardly anything in the picture is bright but the paper of the markers."""
    wide = structs.replace(TABLE, width=900.0, height=600.0, mat=())
    camera = HarshCamera(wide, Room(ground="black"))
    frame = camera.frame([])
    assert np.percentile(frame, 98) < 55

    found = calibrate(frame, wide).projection.millimetres(camera.pixels([(450.0, 300.0)]))
    assert np.abs(found - (450.0, 300.0)).max() < 1.0
    assert nothing_to_see(frame) is None


def test_the_error_and_the_size_of_the_markers_are_told() -> None:
    _, frame, found = measured(ROOMS["small markers"])
    error, size = (str(words) for words in how_well(frame, TABLE, found))

    assert error == "The places of the cards are known to 0.1 mm."
    assert size == "The markers are printed at 97 %: that is taken into account."

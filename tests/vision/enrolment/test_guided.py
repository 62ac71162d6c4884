"""Finding a card that is laid down to be enrolled, and what is said about it."""

import cv2
import numpy as np
import pytest

from tests.vision.small_table import FACES, TABLE, studio
from vision.calibration.aiming_report import aim
from vision.calibration.calibrate import calibrate, warp_to_projection
from vision.calibration.projection import TableProjection, corners, rigid_transform
from vision.detection.card_finder import NOTHING, SEVERAL, CardFinder, quality_fault, table_occupied
from vision.enrolment.guided import Guide
from vision.recognition.gallery import BadGallery, Gallery
from vision.simulation.paint import paint
from vision.simulation.scene import Hand, Lying, Scene

RNG = np.random.default_rng(3)
ROOM = studio()
CALIBRATION = calibrate(ROOM.frame(Scene(), RNG), TABLE)


@pytest.mark.parametrize(("x", "y", "turn"), [(60.0, 200.0, 0.0), (420.0, 180.0, 9.0), (60.0, 300.0, -15.0)])
def test_a_card_is_found_to_a_pixel_and_taken_to_stand_upright(x, y, turn):
    frame = ROOM.frame(Scene((Lying(FACES["katana1"], x, y, turn),)), RNG)

    found = CardFinder(TABLE.card, CALIBRATION).find(frame)

    true = ROOM.projection.pixels(rigid_transform(corners(*TABLE.card), x, y, turn))
    assert found.corners is not None
    assert np.abs(found.corners - true).max() < 2.5


def test_an_empty_table_two_cards_and_a_hand_are_no_card():
    finder = CardFinder(TABLE.card, CALIBRATION)
    two = (Lying(FACES["katana1"], 60, 200), Lying(FACES["move2"], 420, 200))

    assert finder.find(ROOM.frame(Scene(), RNG)).trouble == NOTHING
    assert finder.find(ROOM.frame(Scene(two), RNG)).trouble == SEVERAL
    reaching = Scene((), hands=(Hand(240, 180, 240, -60),))
    assert finder.find(ROOM.frame(reaching, RNG)).corners is None


def test_a_hand_a_pile_and_cards_side_by_side_are_something_that_lies_there():
    """Whatever was much larger than a card was once no card, and so the table counted as clear."""
    beside = (Lying(FACES["katana1"], 60, 230), Lying(FACES["move2"], 121, 230), Lying(FACES["leap2"], 90, 290, 20))

    assert not table_occupied(ROOM.frame(Scene(), RNG), CALIBRATION, TABLE.card)
    assert table_occupied(ROOM.frame(Scene(beside), RNG), CALIBRATION, TABLE.card)
    assert table_occupied(ROOM.frame(Scene((), hands=(Hand(240, 180, 240, -60),)), RNG), CALIBRATION, TABLE.card)


def test_small_dark_plain_and_blurred_pictures_are_poor():
    crisp = paint(FACES["attack1"], 4.0).image

    assert quality_fault(crisp, None) is None
    assert "too small" in str(quality_fault(crisp[:50, :50], None))
    assert "too dark" in str(quality_fault((crisp * 0.15).astype(np.uint8), None))
    assert "one colour" in str(quality_fault(np.full_like(crisp, 128), None))
    assert "blurred" in str(quality_fault(cv2.GaussianBlur(crisp, (0, 0), 9), 0.5))


def test_twins_are_told_and_siblings_are_not():
    guide = Guide("deck", ["a", "b", "c"], TABLE.card, 8, None)
    for card, face in (("a", "move1"), ("b", "move1"), ("c", "katana1")):
        guide.add(card, paint(FACES[face], 4.0).image)

    assert guide.twins() == [("a", "b")]
    guide.drop("b", 0, guide.revision)
    assert guide.twins() == []


def test_a_full_disk_is_one_sentence_and_nothing_counts_as_enrolled(tmp_path, monkeypatch):
    guide = Guide("deck", ["a"], TABLE.card, 8, tmp_path / "deck.gallery")
    picture = paint(FACES["move1"], 4.0).image

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadGallery, match="cannot be written: No space left on device"):
        guide.add("a", picture)

    assert guide.missing == ["a", "back"]
    assert list(tmp_path.iterdir()) == []


def test_looks_that_another_command_has_enrolled_meanwhile_are_not_lost(tmp_path):
    path = tmp_path / "deck.gallery"
    guide = Guide("deck", ["a", "b", "c"], TABLE.card, 8, path)
    guide.add("a", paint(FACES["move1"], 4.0).image)
    other = Guide("deck", ["a", "b", "c"], TABLE.card, 8, path)
    other.add("b", paint(FACES["leap1"], 4.0).image)

    guide.add("c", paint(FACES["katana1"], 4.0).image)

    assert Gallery.load(path).cards == ("a", "b", "c")
    with pytest.raises(BadGallery, match="changed meanwhile"):
        other.drop("b", 0, other.revision)


def test_a_file_that_cannot_be_read_is_set_aside_and_not_written_over(tmp_path):
    path = tmp_path / "deck.gallery"
    path.write_bytes(b"torn")
    guide = Guide("deck", ["a"], TABLE.card, 8, path)

    guide.add("a", paint(FACES["move1"], 4.0).image)

    assert path.with_name("deck.gallery.old").read_bytes() == b"torn"
    assert (Gallery.load(path).cards, guide.known().trouble) == (("a",), None)


def test_the_empty_table_is_carried_over_to_where_a_bumped_camera_looks():
    before, now = ROOM.projection, TableProjection.overhead(TABLE.width, TABLE.height, 1.6, tilt=11.0, swing=3.0)
    empty = ROOM.frame(Scene(), RNG)

    moved = warp_to_projection(empty, before, now)

    places = [(240.0, 240.0), (110.0, 90.0), (300.0, 300.0)]
    for (x, y), (a, b) in zip(before.pixels(places).astype(int), now.pixels(places).astype(int), strict=True):
        assert (
            np.abs(
                empty[y - 3 : y + 4, x - 3 : x + 4].mean((0, 1)) - moved[b - 3 : b + 4, a - 3 : a + 4].mean((0, 1))
            ).max()
            < 12
        )


def test_zones_are_drawn_where_they_lie():
    shown = aim(ROOM.frame(Scene(), RNG), TABLE, None)

    zone = TABLE.zones[1]
    true = ROOM.projection.pixels(rigid_transform(corners(zone.width, zone.height), zone.x, zone.y, zone.turn))
    assert shown.fits
    assert np.abs(np.array(shown.zones[zone.name]) - true).max() < 2


@pytest.mark.parametrize("turn", [0.0, 7.0, -11.0])
def test_without_a_measurement_a_card_on_a_plain_cloth_is_found_by_its_outline(turn):
    cloth = np.clip(RNG.normal((60, 90, 50), 3, (600, 800, 3)), 0, 255).astype(np.uint8)
    card = np.full((260, 180, 3), 235, np.uint8)
    cv2.circle(card, (90, 70), 40, (40, 40, 200), cv2.FILLED)
    place = cv2.getRotationMatrix2D((90, 130), turn, 1.0)
    place[:, 2] += (310, 170)
    cv2.warpAffine(card, place, (800, 600), cloth, borderMode=cv2.BORDER_TRANSPARENT)

    found = CardFinder((63.0, 91.0), None).find(cloth)

    true = np.array([(0, 0), (180, 0), (180, 260), (0, 260)]) @ place[:, :2].T + place[:, 2]
    assert found.corners is not None
    assert np.abs(found.corners - true).max() < 3

"""A phone as a camera: the newest picture only, one phone at a time, and nothing that is no picture."""

import cv2
import numpy as np
import pytest

from companion.core.events import OK
from companion.core.phone_camera import MOST_BYTES, PhoneInUse
from vision.camera.phone import GIVEN_UP, SILENCE, PhoneCamera
from vision.camera.sources import open_camera
from vision.pictures import BadPicture


def jpeg(grey: int, size: tuple[int, int] = (48, 64)) -> bytes:
    return cv2.imencode(".jpg", np.full((*size, 3), grey, np.uint8))[1].tobytes()


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def phone(clock: Clock) -> PhoneCamera:
    made = PhoneCamera(clock)
    made.begin("a")
    return made


def test_only_the_newest_picture_waits_and_is_given_once(phone: PhoneCamera) -> None:
    for grey in (10, 20, 200):
        phone.give("a", jpeg(grey), 0.1)

    frame = phone.read()
    assert frame is not None
    assert abs(int(frame[0, 0, 0]) - 200) < 3
    assert phone.read() is None


def test_a_phone_that_falls_asleep_is_told_and_is_well_again_when_it_wakes(phone: PhoneCamera, clock: Clock) -> None:
    phone.give("a", jpeg(90), 0.1)
    assert phone.condition == OK

    clock.now += SILENCE + 0.1
    assert "sends no picture" in str(phone.condition.message)

    phone.give("a", jpeg(90), 0.1)
    assert phone.condition == OK


def test_before_any_phone_has_come_it_says_what_to_do() -> None:
    assert "open the page /camera" in str(PhoneCamera().condition.message)


def test_a_second_phone_has_to_ask_and_the_first_one_is_told(phone: PhoneCamera) -> None:
    phone.give("a", jpeg(90), 0.1)
    with pytest.raises(PhoneInUse):
        phone.begin("b")
    phone.begin("b", instead=True)

    with pytest.raises(PhoneInUse):
        phone.give("a", jpeg(90), 0.1)
    with pytest.raises(PhoneInUse):
        phone.begin("a")  # before the other has sent anything: two phones once took the camera from each other for ever
    phone.give("b", jpeg(90), 0.1)
    assert phone.condition == OK


def test_a_phone_that_was_put_away_need_not_be_asked(phone: PhoneCamera, clock: Clock) -> None:
    phone.give("a", jpeg(90), 0.1)
    clock.now += GIVEN_UP + 1
    phone.begin("b")
    assert phone.phone == "b"


@pytest.mark.parametrize(
    "picture",
    [b"", b"hello", b"\xff" * 5000, b"\x89PNG\r\n\x1a\n" + b"\0" * 100, jpeg(9, (16, 16)), b"\xff\xd8" + b"\xff" * 100],
)
def test_what_is_no_picture_is_refused(phone: PhoneCamera, picture: bytes) -> None:
    with pytest.raises(BadPicture):
        phone.give("a", picture, 0.0)
    assert phone.read() is None


def test_a_picture_that_announces_more_pixels_than_memory_is_never_decoded(phone: PhoneCamera) -> None:
    huge = bytearray(jpeg(9))
    at = huge.index(b"\xff\xc0")
    huge[at + 5 : at + 9] = b"\xff\xff\xff\xff"
    for picture in (bytes(huge), jpeg(9) + b"\0" * MOST_BYTES):
        with pytest.raises(BadPicture):
            phone.give("a", picture, 0.0)


def test_a_picture_that_breaks_off_is_told_and_the_next_one_is_fine(phone: PhoneCamera) -> None:
    phone.give("a", jpeg(90)[:200], 0.0)
    if phone.read() is None:
        assert "cannot be read" in str(phone.condition.message)
    phone.give("a", jpeg(90), 0.0)
    assert phone.read() is not None
    assert phone.condition == OK


def test_pictures_a_second_are_counted(phone: PhoneCamera, clock: Clock) -> None:
    for _ in range(9):
        phone.give("a", jpeg(90), 0.12)
        clock.now += 0.125
    assert phone.rate == pytest.approx(8.0)
    assert phone.late == 0.12


def test_commands_without_a_table_say_where_a_phone_can_be_the_camera() -> None:
    with pytest.raises(Exception, match="shinpan serve --camera phone"):
        open_camera("phone")

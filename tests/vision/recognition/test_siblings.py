"""Cards that differ in a digit or a dot: the part in which they differ decides, or the answer is a doubt."""

from functools import cache

import cv2
import numpy as np
import pytest

from vision.bench.decks import fan_cards, scanned
from vision.enrolment.look_alikes import look_alikes, resolution_warnings
from vision.pictures import Image
from vision.recognition.photo import read_crop
from vision.recognition.recogniser import Recogniser
from vision.recognition.sampling_grid import pose
from vision.simulation.paint import paint


@cache
def recogniser() -> Recogniser:
    faces = fan_cards()
    return Recogniser(scanned("fans", {card: face for card, face in faces.items() if card[0] == "b"}))


def seen(card: str, across: int, blur: float = 0.7, noise: float = 4.0) -> Image:
    """A card as a camera shows it so many pixels wide, in warm light that falls from one side."""
    image = paint(fan_cards()[card], 6.0).image
    small = cv2.resize(image, (across, round(across * image.shape[0] / image.shape[1])), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), blur).astype(np.float32)
    light = np.linspace(0.6, 1.0, across, dtype=np.float32)[None, :, None] * np.array([0.7, 0.9, 1.0], np.float32)
    grain = np.random.default_rng(across).normal(0, noise, soft.shape)
    return np.clip(soft * light + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("card", ["b8a", "b6a", "b1b", "b1c"])
def test_what_differs_in_a_digit_or_a_dot_is_named(card: str) -> None:
    assert read_crop(recogniser(), seen(card, 110)).card == card


def test_where_the_part_is_too_soft_to_be_seen_the_answer_is_a_doubt_that_names_both() -> None:
    reading = read_crop(recogniser(), seen("b6a", 45, blur=1.2, noise=8.0))

    assert reading.card is None
    assert {"b6a", "b8a"} <= set(reading.guesses)


def test_the_closer_look_speaks_for_the_right_one_of_two() -> None:
    reader = recogniser()
    names = list(reader.names)
    six, eight = names.index("b6a"), names.index("b8a")
    image = seen("b8a", 110)
    high, wide = image.shape[:2]
    onto = np.array([[wide, 0, wide / 2 - 0.5], [0, -wide, high / 2 - 0.5], [0, 0, 1.0]])
    here = reader.detail.seen(image, onto, 1.0, pose(0.0))

    verdict = reader.sibling_verdict(here, six, eight)

    assert verdict.share < 0.3
    assert verdict.strength < -2


def test_enrolment_knows_who_could_be_taken_for_whom_and_where_they_differ() -> None:
    pairs = {(pair.one, pair.other): pair for pair in look_alikes(recogniser())}

    pair = pairs["b6a", "b8a"]

    assert str(pair.where) in ("at the top left", "at the bottom right")
    assert pair.width is not None


def test_a_camera_that_is_too_far_away_is_told_how_much_closer_to_come() -> None:
    words = [str(word) for word in resolution_warnings(recogniser(), 30)]

    assert "It is about 30 wide: the camera must come" in words[0]
    assert "more pairs of cards" in words[-1]
    assert resolution_warnings(recogniser(), 300) == []

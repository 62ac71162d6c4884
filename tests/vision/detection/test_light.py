"""A change of light, told from a change of things."""

import numpy as np

from vision.detection.light import Relight
from vision.pictures import Image


def table(cards: list[tuple[int, int]], light: float = 1.0) -> Image:
    """Dark red cloth with bright cards on it."""
    picture = np.empty((270, 480, 3), np.float64)
    picture[:] = (3, 4, 44)
    for x, y in cards:
        picture[y : y + 45, x : x + 60] = (180, 170, 160)
        picture[y + 10 : y + 30, x + 10 : x + 50] = (60, 140, 30)
    noise = np.random.default_rng(1).normal(0, 1, picture.shape)
    return np.clip(picture * light + noise, 0, 255).astype(np.uint8)


BEFORE = [(30, 30), (100, 30), (170, 30), (240, 30), (30, 200), (100, 200)]
AFTER = [(380, 30), (310, 30), (310, 200), (380, 200), (240, 200), (170, 200)]


def test_cards_that_were_laid_elsewhere_on_dark_cloth_are_no_change_of_light() -> None:
    """Hardly anything but the cards is bright enough to tell; once half of the table was taken for an arm."""
    before, after = table(BEFORE), table(AFTER)
    relit = Relight.between(before, after).applied(before)
    assert np.abs(relit - before).max() < 3


def test_a_lamp_that_is_switched_off_is_one() -> None:
    before, after = table(BEFORE), table(BEFORE, 0.5)
    relit = Relight.between(before, after).applied(before)
    assert np.abs(relit - after).mean() < 3

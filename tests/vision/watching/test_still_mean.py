"""The mean of frames between which nothing has moved."""

import numpy as np

from vision.watching.still_mean import MOST, StillMean

RNG = np.random.default_rng(1)
SCENE = np.full((40, 60, 3), 120.0)


def grainy() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.clip(SCENE + RNG.normal(0, 20, SCENE.shape), 0, 255).astype(np.uint8)


def test_the_mean_of_many_frames_has_a_fraction_of_their_noise() -> None:
    mean = StillMean()
    for _ in range(3 * MOST):
        mean.add(grainy())

    assert np.std(grainy() - SCENE) > 18
    assert np.std(mean.of(grainy()) - SCENE) < 22 / MOST**0.5


def test_without_frames_to_average_a_frame_is_itself() -> None:
    mean, frame = StillMean(), grainy()

    assert mean.of(frame) is frame
    mean.add(frame)
    assert mean.of(frame) is frame


def test_after_a_move_or_with_pictures_of_another_size_it_begins_anew() -> None:
    mean, dark = StillMean(), np.zeros((40, 60, 3), np.uint8)
    for _ in range(4):
        mean.add(grainy())
    mean.forget()
    for _ in range(2):
        mean.add(dark)
    assert not mean.of(dark).any()

    small = np.full((20, 30, 3), 9, np.uint8)
    for _ in range(2):
        mean.add(small)
    assert (mean.of(small) == 9).all()

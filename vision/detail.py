"""The closest look: how much of what a card shows, place by place, its look does not explain.

Likeness is one number for a whole card, and a wrong pip or a wrong digit hardly moves it. Here every place is
compared with its own surroundings, after a nudge of its own: what a sloppy cut, a bent card or a lamp changes is
explained by nudges and by light, a pip that should not be there is not.
"""

import cv2
import numpy as np

from vision.grid import COLOUR, Floats, Grid

_WINDOW = 13  # cells across a place: about a fifth of a card, a digit or a pip
_NUDGES = [(down, along) for down in (-1, 0, 1) for along in (-1, 0, 1)]
_SOFTER = (1.0, 2.0)  # cells: the picture may be less sharp than the look
_EVEN = np.array([1, 1 / COLOUR, 1 / COLOUR], np.float32)  # in detail, brightness weighs as much as colour
_GRAIN = 20  # per cent of the places, the calmest, that show how noisy a picture is


def unexplained(grid: Grid, seen: Floats, known: Floats) -> float:
    """The share of what is drawn that a look (`known`) leaves unexplained, 0 to 1. Both as `Grid.seen` has them."""
    here, there = _laid_out(grid, seen), _laid_out(grid, known)
    there = there * _gains(here, there)
    softer = [there, *(np.asarray(cv2.GaussianBlur(there, (0, 0), soft), np.float32) for soft in _SOFTER)]
    there = min(softer, key=lambda look: float(_unlike(here, look).sum()))
    left = np.min([_unlike(here, np.roll(there, nudge, (0, 1))) for nudge in _NUDGES], axis=0)
    drawn = np.maximum(_unlike(here, np.zeros_like(here)), _unlike(there, np.zeros_like(here)))
    grain = np.percentile(left, _GRAIN)
    return float(np.maximum(left - grain, 0).sum() / max(float((drawn - grain).sum()), 1e-6))


def _laid_out(grid: Grid, cells: Floats) -> Floats:
    """Cells back in their places, as a picture; nothing where a round card has none."""
    picture = np.zeros((grid.shape[0] * grid.shape[1], 3), np.float32)
    picture[grid.inside] = cells.reshape(3, -1).T * _EVEN
    return picture.reshape(*grid.shape, 3)


def _gains(here: Floats, there: Floats) -> Floats:
    """How strong this camera makes brightness and the two colours of the look. Cameras differ most in how strong they
    make a colour: purple that one sees as grey is bright in the next."""
    gains = (here * there).sum((0, 1)) / np.maximum((there**2).sum((0, 1)), 1e-6)
    gains = np.clip(gains, 0.15, 8.0)
    gains[1:] = np.clip(gains[1:], 0.2 * gains[0], 6.0 * gains[0])
    return np.asarray(gains, np.float32)


def _unlike(here: Floats, there: Floats) -> Floats:
    """How much two pictures differ around every place, their mean difference there aside."""
    off = here - there
    window = (_WINDOW, _WINDOW)
    square = cv2.boxFilter((off**2).sum(2), -1, window, borderType=cv2.BORDER_REFLECT)
    mean = cv2.boxFilter(off, -1, window, borderType=cv2.BORDER_REFLECT)
    return np.asarray(square - (mean**2).sum(2), np.float32)

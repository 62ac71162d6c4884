"""The closest look: how much of what a card shows, place by place, its look does not explain.

Likeness is one number for a whole card, and a wrong pip or a wrong digit hardly moves it. Here every place is
compared with its own surroundings, after a nudge of its own: what a sloppy cut, a bent card or a lamp changes is
explained by nudges and by light, a pip that should not be there is not.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.grid import COLOUR, Floats, Grid

_WINDOW = 13  # cells across a place: about a fifth of a card, a digit or a pip
_NUDGES = [(down, along) for down in (-1, 0, 1) for along in (-1, 0, 1)]
_NO_NUDGE = [(0, 0)]
_SOFTER = (1.0, 2.0)  # cells: the picture may be less sharp than the look
_EVEN = np.array([1, 1 / COLOUR, 1 / COLOUR], np.float32)  # in detail, brightness weighs as much as colour
_GRAIN = 20  # per cent of the places, the calmest, that show how noisy a picture is
_CONTRAST = (0.15, 1.6)  # bounds of how strong a place may be beside the rest: shine leaves a pip pale, not gone
_WELL, _CLEAR = 0.12, 0.8  # a worst place so well explained, and a leaning so clear, that no nudge is needed
_FAINT = 0.3  # of what a place shows on average: with less drawn than that, dust and grain speak too loudly
_TELLING = 0.15  # of how far two looks differ at the most: places where they differ less say nothing about them


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


def worst_place(grid: Grid, seen: Floats, known: Floats) -> float:
    """How little of the place that it explains worst a look (`known`) explains, 0 to 1.

    Every place has a contrast of its own. A pip that shine has made pale weighs next to nothing in the sum over a whole
    card, and yet no look without that pip can be right."""
    here, there = _laid_out(grid, seen), _laid_out(grid, known)
    there = there * _gains(here, there)
    here = _raised(here)
    softer = [there, *(np.asarray(cv2.GaussianBlur(there, (0, 0), soft), np.float32) for soft in _SOFTER)]
    there = min((_raised(look) for look in softer), key=lambda look: float(((here - look) ** 2).sum()))
    drawn = _energy(here, here)
    worst = 1.0
    for nudges in (_NO_NUDGE, _NUDGES):
        left = _left(here, there, drawn, nudges)
        worst = float((left / (drawn + _FAINT * drawn.mean() + 2 * np.percentile(left, _GRAIN) + 1e-9)).max())
        if worst < _WELL:
            break
    return worst


def leaning(grid: Grid, seen: Floats, known: Floats, rival: Floats) -> float:
    """What the places say in which two looks differ: 1 for the first, -1 for the rival, 0 for neither."""
    here, *looks = (_laid_out(grid, cells) for cells in (seen, known, rival))
    first, second = (_raised(look * _gains(here, look)) for look in looks)
    here = _raised(here)
    drawn, apart = _energy(here, here), _energy(first - second, first - second)
    leans = 0.0
    for nudges in (_NO_NUDGE, _NUDGES):
        left, other = (_left(here, look, drawn, nudges) for look in (first, second))
        grain = np.percentile(np.minimum(left, other), _GRAIN)
        weight = np.maximum(apart - 2 * grain, 0)
        weight = np.where(weight > _TELLING * weight.max(), weight, 0)
        says = (other - left) / (left + other + 2 * grain + 1e-9)
        leans = float((weight * says).sum() / max(float(weight.sum()), 1e-9))
        if leans > _CLEAR:
            break
    return leans


def _left(here: Floats, there: Floats, drawn: Floats, nudges: Sequence[tuple[int, int]]) -> Floats:
    """What is left of each place (`drawn`: all of it) without the look, nudged and as strong as fits best there."""
    found = []
    for nudge in nudges:
        moved = np.roll(there, nudge, (0, 1))
        square, both = _energy(moved, moved), _energy(here, moved)
        gain = np.clip(both / np.maximum(square, 1e-9), *_CONTRAST)
        found.append(drawn - 2 * gain * both + gain**2 * square)
    return np.asarray(np.min(found, axis=0), np.float32)


def _raised(picture: Floats) -> Floats:
    """A picture without what is the same all around a place."""
    return picture - _mean(picture)


def _energy(one: Floats, other: Floats) -> Floats:
    """What two pictures have in common around every place; of one with itself, all of it."""
    return _mean(np.einsum("ijk,ijk->ij", one, other))


def _mean(picture: Floats) -> Floats:
    return np.asarray(cv2.boxFilter(picture, -1, (_WINDOW, _WINDOW), borderType=cv2.BORDER_REFLECT), np.float32)


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
    mean = _mean(off)
    return np.asarray(_energy(off, off) - np.einsum("ijk,ijk->ij", mean, mean), np.float32)

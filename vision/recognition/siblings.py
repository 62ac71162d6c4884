"""Two cards that differ in a digit or a dot: the part in which they differ decides, at the best resolution there is.

Over a whole card that part is less than a hundredth of the area and drowns in noise. Here both templates are made as
soft as the picture is, light and contrast are fitted around the part, and what is seen is placed on the line from one
template to the other (a matched filter). What is left over elsewhere tells how sure that is.
"""

from typing import NamedTuple

import cv2
import numpy as np

from vision.pictures import Floats

BLURS = (0.0, 0.8, 1.6, 2.6, 4.0)  # cells: how soft the picture may be
TELLING = 0.15  # of the largest difference: cells that differ less are ignored
AROUND = 15  # cells beside the part that show the light and the contrast there
CORRELATED = 3.0  # neighbouring cells of a picture are not independent: so many times the noise counts
SEEN = 0.15  # of the difference must lie where the card is visible
GAINS = (0.3, 3.0)


class Verdict(NamedTuple):
    """For which of two templates the part speaks in which they differ."""

    share: float
    """1: it looks like the first; 0: like the second."""
    strength: float
    """How many standard deviations of the noise lie between it and the middle of the two; below 0 for the second."""


UNDECIDED = Verdict(0.5, 0.0)


def compare(here: Floats, first: Floats, second: Floats, visible: Floats | None = None) -> Verdict:
    """What is seen against two templates, all as `SamplingGrid.as_image`; `visible` is 0 where the card is covered."""
    shown = np.ones(here.shape[:2], np.float32) if visible is None else visible
    difference = np.asarray(cv2.GaussianBlur(first - second, (0, 0), BLURS[1]), np.float32)
    energy = (difference**2).sum(2)
    part = (energy > TELLING * energy.max()).astype(np.float32)
    if (energy * part * shown).sum() < SEEN * (energy * part).sum():
        return UNDECIDED
    around = cv2.dilate(part, np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8)) * shown
    best: tuple[float, Verdict] = (np.inf, UNDECIDED)
    for blur in BLURS:
        one, other = (
            np.asarray(cv2.GaussianBlur(each, (0, 0), blur), np.float32) if blur else each for each in (first, second)
        )
        mean = np.asarray((one + other) / 2, np.float32)
        lit = _in_this_light(here, mean, around)
        apart = one - other
        weight = (part * shown)[..., None]
        due = float((apart**2 * weight).sum())
        share = 0.5 + float(((lit - mean) * apart * weight).sum()) / max(due, 1e-9)
        left = lit - mean - (share - 0.5) * apart
        noise = float(np.sqrt((left**2 * around[..., None]).sum() / max(3 * float(around.sum()), 1.0)))
        if noise >= best[0]:
            break
        best = noise, Verdict(share, float(np.sqrt(due)) * (share - 0.5) / (CORRELATED * noise + 1e-9))
    return best[1]


def _in_this_light(here: Floats, template: Floats, around: Floats) -> Floats:
    """What is seen with the contrast and the level that the template has there, by channel (least squares)."""
    weight = around / max(float(around.sum()), 1.0)
    level, own = (np.einsum("ij,ijk->k", weight, each) for each in (here, template))
    varies = np.einsum("ij,ijk->k", weight, (template - own) ** 2)
    both = np.einsum("ij,ijk->k", weight, (template - own) * (here - level))
    gain = np.clip(both / np.maximum(varies, 1e-6), *GAINS)
    return np.asarray((here - level) / gain + own, np.float32)

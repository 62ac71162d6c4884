"""Comparing a card with a template window by window: how much of what the card shows does the template not explain?

The similarity of two whole cards is one number, and a wrong pip or digit hardly changes it. Here every window is
compared on its own, after a small shift of its own and with a contrast of its own. A sloppy cut, a bent card or a lamp
is explained by shifts and contrast; a pip that should not be there is not.
"""

from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np

from vision.pictures import Floats
from vision.recognition.sampling_grid import COLOUR

_WINDOW = 13  # cells across a window: about a fifth of a card, the size of a digit or a pip
_SHIFTS = [(down, along) for down in (-1, 0, 1) for along in (-1, 0, 1)]
_NO_SHIFT = [(0, 0)]
_BLURS = (0.0, 1.0, 2.0)  # cells: the picture may be less sharp than the template
FINE_BLURS = (0.0, 1.0, 2.0, 3.5)
"""The same where cells are finer than most pictures."""
FINE_WINDOW = 9
"""Cells across a window there: about the size of a small pip."""
_CHANNEL_WEIGHTS = np.array([[1, 1 / COLOUR, 1 / COLOUR]], np.float32) ** 2  # here brightness counts as much as colour
_CALMEST = 20  # per cent of the windows, by which the noise of a picture is estimated
_CONTRAST = (0.15, 1.6)  # bounds of a window's contrast against the whole card: glare makes a pip pale, not absent
_WELL, _CLEAR = 0.12, 0.8  # a worst window so well explained, or a score so clear, that no shifts need to be tried
_FAINT = 0.3  # of the mean energy of all windows: in emptier ones dust and noise would decide
_TELLING = 0.15  # of the largest difference of two templates: windows that differ less are ignored


def blurred_variants(here: Floats, template: Floats, blurs: Sequence[float] = _BLURS) -> list[Floats]:
    """A template with the contrast of this picture (`here`), less and less sharp. Both as `SamplingGrid.as_image`."""
    template = template * _channel_gains(here, template)
    return [np.asarray(cv2.GaussianBlur(template, (0, 0), blur), np.float32) if blur else template for blur in blurs]


def unexplained_share(here: Floats, variants: Sequence[Floats], window: int = _WINDOW) -> float:
    """The share of the print, 0 to 1, that a template, as sharp as fits best (`blurred_variants`), leaves
    unexplained."""
    template = min(variants, key=lambda variant: float(_difference(here, variant, window).sum()))
    residual = np.min([_difference(here, shifted, window) for shifted in _shifted(template, _SHIFTS)], axis=0)
    nothing = np.zeros_like(here)
    drawn = np.maximum(_difference(here, nothing, window), _difference(template, nothing, window))
    noise = _noise_floor(residual)
    return float(np.maximum(residual - noise, 0).sum() / max(float((drawn - noise).sum()), 1e-6))


def worst_window(here: Floats, variants: Sequence[Floats]) -> float:
    """The unexplained share, 0 to 1, of the window that a template (`blurred_variants`) explains worst.

    A pip that glare has made pale counts for next to nothing in the sum over a whole card, and yet no template without
    that pip can be right."""
    here = _without_mean(here)
    template = min(
        (_without_mean(variant) for variant in variants),
        key=lambda variant: float(_product(here - variant, here - variant).sum()),
    )
    drawn = _window_product(here, here)
    worst = 1.0
    for shifts in (_NO_SHIFT, _SHIFTS):
        residual = _residual(here, template, drawn, shifts)
        worst = float((residual / (drawn + _FAINT * drawn.mean() + 2 * _noise_floor(residual) + 1e-9)).max())
        if worst < _WELL:
            break
    return worst


def better_explained_by_others(here: Floats, template: Floats, others: Iterable[Floats]) -> float:
    """How much better than a template others explain some of its windows: 0 no better, 1 far better.

    Cards of a deck share digits, pips and flowers. A card that was never enrolled is recognised as unknown by windows
    that other cards have and its most similar sibling has not. Two other cards must agree, on a twentieth of the print:
    where a template has a reflection, any one other card may fit that window better."""
    contrast = _without_mean(here)
    drawn = _window_product(contrast, contrast)
    residual, *rest = (
        min((_residual(contrast, _without_mean(v), drawn, _NO_SHIFT) for v in blurred_variants(here, each)), key=np.sum)
        for each in (template, *others)
    )
    if len(rest) < 2:
        return 0.0
    least = np.minimum(residual, np.partition(rest, 1, axis=0)[1])
    better = (residual - least) / (residual + least + 2 * _noise_floor(residual) + 1e-9)
    return float(np.percentile(better[drawn > _FAINT * drawn.mean()], 95))


def discriminative_score(here: Floats, template: Floats, rival: Floats) -> float:
    """What the windows say in which two templates differ: 1 for the first, -1 for the rival, 0 for neither."""
    first, second = (_without_mean(each * _channel_gains(here, each)) for each in (template, rival))
    here = _without_mean(here)
    drawn, difference = _window_product(here, here), _window_product(first - second, first - second)
    score = 0.0
    for shifts in (_NO_SHIFT, _SHIFTS):
        own, other = (_residual(here, each, drawn, shifts) for each in (first, second))
        noise = _noise_floor(np.minimum(own, other))
        weight = np.maximum(difference - 2 * noise, 0)
        weight = np.where(weight > _TELLING * weight.max(), weight, 0)
        votes = (other - own) / (own + other + 2 * noise + 1e-9)
        score = float((weight * votes).sum() / max(float(weight.sum()), 1e-9))
        if score > _CLEAR:
            break
    return score


def _residual(here: Floats, template: Floats, drawn: Floats, shifts: Sequence[tuple[int, int]]) -> Floats:
    """The energy that is left of each window (`drawn`: all of it) without the template, shifted and scaled as fits best
    there."""
    found = []
    for shifted in _shifted(template, shifts):
        square, both = _window_product(shifted, shifted), _window_product(here, shifted)
        gain = np.clip(both / np.maximum(square, 1e-9), *_CONTRAST)
        found.append(drawn - 2 * gain * both + gain**2 * square)
    return np.asarray(np.min(found, axis=0), np.float32)


def _shifted(picture: Floats, shifts: Sequence[tuple[int, int]]) -> Iterator[Floats]:
    """A picture shifted in each of these ways; what leaves it on one side comes in on the other."""
    high, wide = picture.shape[:2]
    around = np.asarray(cv2.copyMakeBorder(picture, 1, 1, 1, 1, cv2.BORDER_WRAP), np.float32)
    for down, along in shifts:
        yield around[1 - down : 1 - down + high, 1 - along : 1 - along + wide]


def _without_mean(picture: Floats) -> Floats:
    """A picture without the mean of the window around every cell."""
    return picture - _window_mean(picture)


def _window_product(one: Floats, other: Floats) -> Floats:
    """The inner product of two pictures in the window around every cell; of a picture with itself, its energy."""
    return _window_mean(_product(one, other))


def _product(one: Floats, other: Floats) -> Floats:
    """The weighted inner product of two pictures at every cell."""
    return np.asarray(cv2.transform(one * other, _CHANNEL_WEIGHTS), np.float32)


def _window_mean(picture: Floats, window: int = _WINDOW) -> Floats:
    return np.asarray(cv2.boxFilter(picture, -1, (window, window), borderType=cv2.BORDER_REFLECT), np.float32)


def _noise_floor(residual: Floats) -> float:
    """How noisy a picture is: the residual of its calmest windows."""
    rank = residual.size * _CALMEST // 100
    return float(np.partition(residual.ravel(), rank)[rank])


def _channel_gains(here: Floats, template: Floats) -> Floats:
    """How much stronger brightness and the two colours are here than in the template. Cameras differ most in
    saturation: a purple that is grey in one is bright in the next."""
    both, square = (np.array(cv2.sumElems(template * other)[:3]) for other in (here, template))
    gains = np.clip(both / np.maximum(square, 1e-6 / _CHANNEL_WEIGHTS[0]), 0.15, 8.0)
    gains[1:] = np.clip(gains[1:], 0.2 * gains[0], 6.0 * gains[0])
    return np.asarray(gains, np.float32)


def _difference(here: Floats, template: Floats, window: int) -> Floats:
    """The variance of the difference of two pictures in the window around every cell."""
    off = here - template
    mean = _window_mean(off, window)
    return _window_mean(_product(off, off), window) - _product(mean, mean)

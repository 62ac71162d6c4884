"""The closest look: how much of what a card shows, place by place, its look does not explain.

Likeness is one number for a whole card, and a wrong pip or a wrong digit hardly moves it. Here every place is
compared with its own surroundings, after a nudge of its own: what a sloppy cut, a bent card or a lamp changes is
explained by nudges and by light, a pip that should not be there is not.
"""

from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np

from vision.recognition.sampling_grid import COLOUR, Floats

_WINDOW = 13  # cells across a place: about a fifth of a card, a digit or a pip
_NUDGES = [(down, along) for down in (-1, 0, 1) for along in (-1, 0, 1)]
_NO_NUDGE = [(0, 0)]
_SOFTER = (0.0, 1.0, 2.0)  # cells: the picture may be less sharp than the look
_EVEN = np.array([[1, 1 / COLOUR, 1 / COLOUR]], np.float32) ** 2  # in detail, brightness weighs as much as colour
_GRAIN = 20  # per cent of the places, the calmest, that show how noisy a picture is
_CONTRAST = (0.15, 1.6)  # bounds of how strong a place may be beside the rest: shine leaves a pip pale, not gone
_WELL, _CLEAR = 0.12, 0.8  # a worst place so well explained, and a leaning so clear, that no nudge is needed
_FAINT = 0.3  # of what a place shows on average: with less drawn than that, dust and grain speak too loudly
_TELLING = 0.15  # of how far two looks differ at the most: places where they differ less say nothing about them


def blurred_variants(here: Floats, there: Floats) -> list[Floats]:
    """A look (`there`) as strong as this picture (`here`) has it, and less and less sharp. Both as `Grid.picture` has
    them."""
    there = there * _gains(here, there)
    return [np.asarray(cv2.GaussianBlur(there, (0, 0), soft), np.float32) if soft else there for soft in _SOFTER]


def unexplained_share(here: Floats, templates: Sequence[Floats]) -> float:
    """The share of what is drawn that a look, as sharp as fits best (`softer`), leaves unexplained, 0 to 1."""
    there = min(templates, key=lambda template: float(_unlike(here, template).sum()))
    left = np.min([_unlike(here, moved) for moved in _moved(there, _NUDGES)], axis=0)
    nothing = np.zeros_like(here)
    drawn = np.maximum(_unlike(here, nothing), _unlike(there, nothing))
    grain = _grain(left)
    return float(np.maximum(left - grain, 0).sum() / max(float((drawn - grain).sum()), 1e-6))


def worst_window(here: Floats, templates: Sequence[Floats]) -> float:
    """How little of the place that it explains worst a look (`softer`) explains, 0 to 1.

    Every place has a contrast of its own. A pip that shine has made pale weighs next to nothing in the sum over a whole
    card, and yet no look without that pip can be right."""
    here = _raised(here)
    there = min(
        (_raised(template) for template in templates),
        key=lambda template: float(_dot(here - template, here - template).sum()),
    )
    drawn = _energy(here, here)
    worst = 1.0
    for nudges in (_NO_NUDGE, _NUDGES):
        left = _left(here, there, drawn, nudges)
        worst = float((left / (drawn + _FAINT * drawn.mean() + 2 * _grain(left) + 1e-9)).max())
        if worst < _WELL:
            break
    return worst


def better_explained_by_others(here: Floats, known: Floats, others: Iterable[Floats]) -> float:
    """How much better than a look (`known`) other ones explain some of its places: 0 no better, 1 far.

    Cards of a deck share digits, pips and flowers. A card that was never enrolled is given away by places that other
    cards have and its nearest sibling has not. Two of them must agree, on a twentieth of what is drawn: where a look
    shines, others fit that single place better."""
    raised = _raised(here)
    drawn = _energy(raised, raised)
    left, *rest = (
        min(
            (_left(raised, _raised(template), drawn, _NO_NUDGE) for template in blurred_variants(here, each)),
            key=np.sum,
        )
        for each in (known, *others)
    )
    if len(rest) < 2:
        return 0.0
    least = np.minimum(left, np.partition(rest, 1, axis=0)[1])
    says = (left - least) / (left + least + 2 * _grain(left) + 1e-9)
    return float(np.percentile(says[drawn > _FAINT * drawn.mean()], 95))


def discriminative_score(here: Floats, known: Floats, rival: Floats) -> float:
    """What the places say in which two looks differ: 1 for the first, -1 for the rival, 0 for neither."""
    first, second = (_raised(template * _gains(here, template)) for template in (known, rival))
    here = _raised(here)
    drawn, apart = _energy(here, here), _energy(first - second, first - second)
    leans = 0.0
    for nudges in (_NO_NUDGE, _NUDGES):
        left, other = (_left(here, template, drawn, nudges) for template in (first, second))
        grain = _grain(np.minimum(left, other))
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
    for moved in _moved(there, nudges):
        square, both = _energy(moved, moved), _energy(here, moved)
        gain = np.clip(both / np.maximum(square, 1e-9), *_CONTRAST)
        found.append(drawn - 2 * gain * both + gain**2 * square)
    return np.asarray(np.min(found, axis=0), np.float32)


def _moved(picture: Floats, nudges: Sequence[tuple[int, int]]) -> Iterator[Floats]:
    """A picture nudged in each of these ways; what leaves it on one side comes in on the other."""
    high, wide = picture.shape[:2]
    around = np.asarray(cv2.copyMakeBorder(picture, 1, 1, 1, 1, cv2.BORDER_WRAP), np.float32)
    for down, along in nudges:
        yield around[1 - down : 1 - down + high, 1 - along : 1 - along + wide]


def _raised(picture: Floats) -> Floats:
    """A picture without what is the same all around a place."""
    return picture - _mean(picture)


def _energy(one: Floats, other: Floats) -> Floats:
    """What two pictures have in common around every place; of one with itself, all of it."""
    return _mean(_dot(one, other))


def _dot(one: Floats, other: Floats) -> Floats:
    """What two pictures have in common at every cell."""
    return np.asarray(cv2.transform(one * other, _EVEN), np.float32)


def _mean(picture: Floats) -> Floats:
    return np.asarray(cv2.boxFilter(picture, -1, (_WINDOW, _WINDOW), borderType=cv2.BORDER_REFLECT), np.float32)


def _grain(left: Floats) -> float:
    """How noisy a picture is: what is left of the calmest of its places."""
    rank = left.size * _GRAIN // 100
    return float(np.partition(left.ravel(), rank)[rank])


def _gains(here: Floats, there: Floats) -> Floats:
    """How strong this camera makes brightness and the two colours of the look. Cameras differ most in how strong they
    make a colour: purple that one sees as grey is bright in the next."""
    both, square = (np.array(cv2.sumElems(there * other)[:3]) for other in (here, there))
    gains = np.clip(both / np.maximum(square, 1e-6 / _EVEN[0]), 0.15, 8.0)
    gains[1:] = np.clip(gains[1:], 0.2 * gains[0], 6.0 * gains[0])
    return np.asarray(gains, np.float32)


def _unlike(here: Floats, there: Floats) -> Floats:
    """How much two pictures differ around every place, their mean difference there aside."""
    off = here - there
    mean = _mean(off)
    return _energy(off, off) - _dot(mean, mean)

"""Telling a change of light from a change of things, in two pictures of the same place.

Light multiplies what a surface sends back. A lamp does so by factors that change slowly over the table; a shadow by a
factor that may change within centimetres, but it keeps the colours and the fine pattern of what it falls on. A thing
brings its own colour, its own pattern, or at least its edge.
"""

from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Floats, Image

DARK = 6.0  # grey levels that are added before logarithms are taken: below them there is only noise
DEGREE = 3  # of the surface that lamps make of the logarithm of light
POINTS = 3000  # pixels by which that surface is measured
QUIET = 0.6  # part of the picture that certainly shows nothing new
DEVIATIONS = 7.0  # times the mean difference there: more than noise makes
SMOOTHED = 0.45  # of the noise that remain when neighbours are averaged
LOUD = 2.5  # times the least difference that counts: louder noise is smoothed away first,
SMOOTHINGS = ((3, 0.45), (7, 0.22), (13, 0.13))  # over so many pixels, which leaves this part of it
ALIKE = (5.0, 0.06)  # grey levels, and part of the brightness, by which two pixels may differ and look the same
CLEARLY = 0.05  # part of the picture
WHITE = 250  # grey levels: brighter pixels may be burnt out
LEVELS = 8  # of brightness, for each of which the noise is measured: that of dark pixels is larger
NOISIER = 2.5  # times the noise of the whole picture, at most, at any level
FLAT = 0.006  # logarithm of brightness: less of a pattern is none
OTHER_PATTERN = 0.5  # part of the pattern that may differ where only the light has changed
OTHER_COLOUR = 0.10  # logarithm by which the channels may differ from each other in a shadow
SHARP, GRAIN = 0.12, 2.0  # parts of the change nearby, and of the noise, by which a pixel on the rim of a shadow may
# differ from its neighbours
UNEVEN = 0.35  # logarithm by which the light of a pixel may differ from that around it
SHADE = (-1.6, 0.18)  # logarithm of the light in a shadow, and where a little falls besides

WHOLE = np.full((1, 3), 1 / 3, np.float32)

Mask = NDArray[np.bool_]


class Relight(NamedTuple):
    """How the light has changed: for each channel a smooth surface over the picture, the logarithm of a factor."""

    surface: Floats

    @classmethod
    def between(cls, known: Image, now: Image) -> "Relight":
        """By the surface that fits most of the pixels, whatever lies on the rest."""
        high, wide = known.shape[:2]
        step = max(1, int(np.sqrt(high * wide / POINTS)))
        y, x = np.mgrid[step // 2 : high : step, step // 2 : wide : step]
        before, after = (picture[y, x].reshape(-1, 3).astype(np.float32) for picture in (known, now))
        usable = (before.min(1) > DARK) & (np.maximum(before, after).max(1) < WHITE)
        terms = _terms(x.ravel() / wide, y.ravel() / high)
        same = cls(np.zeros((terms.shape[1], 3), np.float32))
        if usable.sum() < 5 * terms.shape[1]:
            return same
        fitted = cls(_robust_fit(terms[usable], np.log((after[usable] + DARK) / (before[usable] + DARK))))
        # On dark cloth in the dusk hardly anything but the cards is bright enough to be fitted, and those have changed.
        unchanged, explained = (each._explains(terms, before, after) for each in (same, fitted))
        return same if unchanged > explained + CLEARLY else fitted

    def _explains(self, terms: Floats, before: Floats, after: Floats) -> float:
        """The part of these pixels that look as they should if nothing but the light has changed."""
        relit = np.clip((before + DARK) * np.exp(terms @ self.surface) - DARK, 0, 255)
        return float((np.abs(relit - after).max(1) < ALIKE[0] + ALIKE[1] * after.max(1)).mean())

    def factors(self, x: Any, y: Any) -> Floats:
        """At places of the picture, which is 1 wide and 1 high."""
        return np.asarray(np.exp(_terms(x, y) @ self.surface), np.float32)

    def applied(self, known: Image) -> Floats:
        """The known picture in the light of now."""
        grid = np.mgrid[0:17, 0:17] / 16
        return brighter(known, self.factors(grid[1], grid[0]))


def brighter(picture: Any, factors: Floats) -> Floats:
    """A picture in another light, which is given on a coarse grid over it."""
    all_of_them = cv2.resize(factors, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip((picture + np.float32(DARK)) * all_of_them - np.float32(DARK), 0, 255), np.float32)


def _terms(x: Any, y: Any) -> Floats:
    x, y = 2 * x - 1, 2 * y - 1
    terms = [x**i * y**j for i in range(DEGREE + 1) for j in range(DEGREE + 1 - i)]
    return np.stack(terms, -1).astype(np.float32)


def _robust_fit(terms: Floats, values: Floats) -> Floats:
    """The surface through most of these values, by reweighted least squares from their median."""
    fit = np.zeros((terms.shape[1], values.shape[1]), np.float32)
    fit[0] = np.median(values, axis=0)
    ridge = 1e-3 * len(terms) * np.eye(terms.shape[1], dtype=np.float32)
    for spread in (0.6, 0.4, 0.25, 0.15, 0.15):
        off = np.abs(values - terms @ fit).max(1)
        weight = 1 / (1 + (off / spread) ** 2) ** 2
        weighted = terms * weight[:, None]
        fit = np.linalg.solve(weighted.T @ terms + ridge * weight.mean(), weighted.T @ values)
    return np.asarray(fit, np.float32)


def difference(now: Any, known: Any, *, smooth: bool = False) -> Floats:
    """How much two pictures differ at every pixel, in the channel that differs most. Smoothed over the pixels around,
    which hides thin lines, noise of a dim room differs less."""
    if not smooth:
        blue, green, red = cv2.split(cv2.absdiff(now, known))
        return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)
    signed = cv2.blur(cv2.subtract(now, known, dtype=cv2.CV_16S if now.dtype == np.uint8 else cv2.CV_32F), (3, 3))
    return difference(signed, np.zeros_like(signed))


def noise_limits(differences: Floats, now: Image) -> Floats:
    """For each of 256 grey levels, how large a difference noise can make; measured on the part of the picture that
    differs least, where nothing is new."""
    step = max(1, int(np.sqrt(differences.size / 12000)))
    some, level = differences[::step, ::step].ravel(), now[::step, ::step, 1].ravel() // (256 // LEVELS)
    # Where most of what is so dark or bright is a new thing, its difference is no noise.
    most = NOISIER * _least_mean(some)
    at, height = [], []
    for n in range(LEVELS):
        here = some[level == n]
        if len(here) > 60:
            at.append((n + 0.5) * 256 / LEVELS)
            height.append(min(most, _least_mean(here)))
    return np.asarray(DEVIATIONS * np.interp(np.arange(256), at, height), np.float32)


def _least_mean(values: Floats) -> float:
    """The mean of the smaller values: finer than a quantile, which of grey levels is a whole number."""
    few = max(1, int(QUIET * len(values)))
    return float(np.partition(values, few - 1)[:few].mean())


def quietened(now: Image, known: Any, limits: Floats, least: float) -> tuple[Image, Any, Floats]:
    """Both pictures smoothed until noise does not hide what differs by some times the least that counts, and the noise
    that is left; as they are where it is not that loud."""
    loud = float(limits.max())
    if loud <= LOUD * least:
        return now, known, limits
    side, left = next((each for each in SMOOTHINGS if each[1] * loud <= LOUD * least), SMOOTHINGS[-1])
    smooth, other = (np.asarray(cv2.blur(picture, (side, side)), picture.dtype) for picture in (now, known))
    return smooth, other, np.asarray(left * limits, np.float32)


def drowned(limits: Floats, least: float) -> bool:
    """Whether there is so much noise that what differs cannot be seen however it is smoothed."""
    return SMOOTHINGS[-1][1] * float(limits.max()) > LOUD * least


def beyond(now: Image, known: Any, limits: Floats, least: float) -> Mask:
    """Where two pictures in the same light differ by more than noise and at least so many grey levels."""
    now, known, limits = quietened(now, known, limits, least)
    seen = now if known.dtype == np.uint8 else now.astype(np.float32)
    level = np.ascontiguousarray(now[..., 1])
    mask = difference(seen, known) > cv2.LUT(level, np.maximum(limits, least))
    if limits.max() > least:
        mask |= difference(seen, known, smooth=True) > cv2.LUT(level, np.maximum(SMOOTHED * limits, least))
    return np.asarray(mask)


def new_things(now: Image, known: Floats, limits: Floats, least: float, *, half: bool = False) -> Mask:
    """Where this picture shows other things than the known one, which is in the same light by and large.

    `half`: a picture so large that light is told from things at half its size, and so sharp that the edge of a thing
    does not look like the rim of a shadow."""
    now, known, limits = quietened(now, known, limits, least)
    mask = beyond(now, known, limits, least)
    if not mask.any():
        return mask
    seen = now.astype(np.float32)
    ratio = np.asarray(cv2.log((cv2.transform(seen, WHOLE) + DARK) / (cv2.transform(known, WHOLE) + DARK)), np.float32)
    if not half:
        shaded, same_pattern = _compared(seen, known, limits, 2)
        return np.asarray(mask & (_uneven(ratio) | ~(shaded & same_pattern)))
    size = (now.shape[1] // 2, now.shape[0] // 2)
    one, other = (
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32) for picture in (now, known)
    )
    shaded, same_pattern = (
        cv2.resize(each.astype(np.uint8), now.shape[1::-1], interpolation=cv2.INTER_NEAREST) > 0
        for each in _compared(one, other, (limits / 2).astype(np.float32), 1)
    )
    # An arm is blurred while it moves: where its colours show, what is soft beside them belongs to it.
    beside = cv2.dilate((mask & ~shaded).astype(np.uint8), np.ones((7, 7), np.uint8)) > 0
    rim = _soft(ratio, _relative_noise(seen, limits)) & ~beside
    return np.asarray(mask & (_uneven(ratio) | ~(shaded & (same_pattern | rim))))


def _uneven(ratio: Floats) -> Mask:
    """Where one pixel has become much brighter or darker than those around it: no light does that."""
    return np.asarray(cv2.absdiff(ratio, cv2.blur(ratio, (9, 9))) > UNEVEN)


def _soft(ratio: Floats, noise: Floats) -> Mask:
    """Where brightness changes from pixel to pixel by little of what it changes nearby: across the rim of a shadow, but
    not across the edge of a thing."""
    wide = np.ones((9, 9), np.uint8)
    nearby = cv2.dilate(ratio, wide) - cv2.erode(ratio, wide)
    step = cv2.absdiff(ratio, cv2.blur(ratio, (3, 3)))
    sharp = (step > SHARP * nearby + GRAIN * noise).astype(np.uint8)
    return np.asarray(cv2.dilate(sharp, np.ones((5, 5), np.uint8)) == 0)


def _relative_noise(picture: Floats, limits: Floats) -> Floats:
    """The deviation of each pixel's noise, as a logarithm of brightness."""
    green = picture[..., 1]
    return np.asarray(cv2.LUT(green.astype(np.uint8), limits) / (DEVIATIONS * (green + DARK)), np.float32)


def _compared(now: Floats, known: Floats, limits: Floats, fine: int) -> tuple[Mask, Mask]:
    """Where a shadow may lie, because colours are as they were, and where the pattern is as it was; it is fine if it
    changes within so many pixels."""
    log_now, log_known = (cv2.log(cv2.blur(picture, (3, 3)) + np.float32(DARK)) for picture in (now, known))
    side = 4 * fine - 1
    blue, green, red = cv2.split(cv2.blur(log_now - log_known, (side, side)))
    shade = (blue + green + red) / 3
    coloured = cv2.max(cv2.max(cv2.absdiff(blue, shade), cv2.absdiff(green, shade)), cv2.absdiff(red, shade))
    pattern_now, pattern_known = (_pattern(cv2.transform(log, WHOLE), fine) for log in (log_now, log_known))
    other = cv2.sqrBoxFilter(pattern_now - pattern_known, -1, (side, side))
    both = cv2.sqrBoxFilter(pattern_now, -1, (side, side)) + cv2.sqrBoxFilter(pattern_known, -1, (side, side))
    noise = _relative_noise(now, limits)
    same_pattern = other < OTHER_PATTERN * (both + FLAT**2) + (0.6 * noise) ** 2
    same_colour = coloured < OTHER_COLOUR + 0.3 * noise
    return np.asarray(same_colour & (shade > SHADE[0]) & (shade < SHADE[1])), np.asarray(same_pattern)


def _pattern(log: Any, fine: int) -> Floats:
    """The fine pattern of a picture, without the slow change that light makes."""
    return np.asarray(log - cv2.GaussianBlur(log, (0, 0), float(fine)), np.float32)

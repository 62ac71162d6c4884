"""Naming a card: which one is it, how is it turned, and how sure is that.

Two passes. The card is sampled on a coarse grid in every pose it may have and compared with all looks at once; the
few best are then fitted closely on a fine grid, where a digit or a dot counts, and judged on both.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from vision.calibration.projection import corners, transform
from vision.recognition.gallery import BACK, Gallery
from vision.recognition.local_matching import (
    better_explained_by_others,
    blurred_variants,
    discriminative_score,
    unexplained_share,
    worst_window,
)
from vision.recognition.sampling_grid import (
    Alignment,
    CoarseGrid,
    Floats,
    Pose,
    Poses,
    SamplingGrid,
    cut,
    low_pass,
    pose,
)
from vision.simulation.paint import Array, Image

COARSE, FINE = 22, 64  # cells across a card
NEAREST, NEARLY = 150, 0.3  # looks that the coarse grid proposes to the fine one: so many, so much less alike at most
START, KEEP = 4, 6  # candidates that are looked at closely, before and after the fine grid was asked
PREPARED = 128  # looks that are read in quiet moments: of more than that nothing would be kept (`Grid.pulls`)
RIVALS = 3  # that are fitted to see whether a case is plain
HOPELESS = 0.3  # likeness of the best of the first few below which this is no card of the deck
PLAIN = (0.8, 0.5)  # likeness, and lead as a share of how far two looks are apart, that leave no question open

LUCK = 0.002  # likeness that blur, noise and careless cuts can give to the wrong one of two cards
TWOFOLD = 0.9  # likeness to itself from which a card counts as the same when turned by half
FOREGROUND = 0.17  # how strange a picture of a known card may be as a whole
UNEXPLAINED = (0.12, 0.155)  # bounds of how much of its detail may stay unexplained,
SIBLING = 0.46  # and as a share of what would stay unexplained of its nearest sibling
WORST = 0.42  # how much of any one place may
ELSEWHERE = 0.2  # by how much other cards may explain some of its places better
OTHERS = 24  # cards that are asked for that, the most alike ones
# What the places say that part two cards: nothing, clearly the one, clearly the other. Then the whole card may lie a
# little, by so much of what the two are apart.
EVEN, CLEARLY, OTHER = -0.05, 0.7, -0.3
LIES = 0.3


class SearchRange(NamedTuple):
    """How far a card may lie from where it is expected, in card widths and degrees."""

    shift: float = 0.05
    angle: float = 4.0
    reach: int = 1
    """So many steps of `shift` each way."""
    scales: tuple[float, ...] = (1.0,)
    """Sizes to try."""


NEAR_PLACE = SearchRange()


@dataclass(frozen=True)
class CardReading:
    """One card as read. `card` is None when it is not sure; `BACK` when it lies face down."""

    card: str | None
    rotation: float
    """Counter-clockwise against the enrolled picture."""
    confidence: float
    guesses: tuple[str, ...]
    score: float
    """Likeness of the best guess, 1 is the same picture."""
    best: str
    """The best guess, backs included."""
    corners: Array
    """In picture pixels: the card's own top-left, top-right, bottom-right, bottom-left."""


class Recogniser:
    """Reads cards against one gallery."""

    def __init__(self, gallery: Gallery) -> None:
        self.gallery = gallery
        self.names = np.array([template.card for template in gallery.templates])
        self._limits: dict[int, float] = {}
        self._apart: dict[tuple[int, int], float] = {}
        self.coarse, self.fine = CoarseGrid(gallery, COARSE), SamplingGrid(gallery, FINE)
        self._every = range(len(self.names))
        self._unprepared = iter(gallery.templates[:PREPARED])

    @property
    def aspect(self) -> float:
        """The longer side over the shorter."""
        return max(self.gallery.size) / min(self.gallery.size)

    def read(
        self,
        image: Image,
        homography: Array,
        turns: Sequence[float] = (0.0, 180.0),
        slack: SearchRange = NEAR_PLACE,
        *,
        strangers: bool = False,
    ) -> CardReading:
        """The card that `plane` (its own units to pixels) expects in the picture, lying at one of these turns. Where
        there may be `strangers`, cards that were never enrolled, a longer look refuses those much like a known one."""
        patch = cut(image, homography, self.gallery.size[0], self._reach(slack))
        rough, detailed = low_pass(patch, COARSE), low_pass(patch, FINE)
        ranked = sorted(self._search(rough, detailed, _poses(tuple(turns), slack)), key=_score)
        rival = next((other for other in ranked if self.names[other.template] != self.names[ranked[0].template]), None)
        leans = self._discriminative_score(detailed, ranked[0], rival) if rival else 1.0
        if rival and leans < OTHER:
            ranked.remove(rival)
            ranked.insert(0, rival)
            rival, leans = ranked[1], -leans
        best = self._least_turned(rough, detailed, ranked[0])
        name = str(self.names[best.template])
        sure = self._confidence(best, rival, leans) * sigmoid(1 - self._doubt(rough, detailed, best), 0.0, 5)
        if strangers and sure >= 0.5:
            sure *= sigmoid(ELSEWHERE - self._elsewhere(rough, detailed, best), 0.0, 40)
        guesses = dict.fromkeys(str(self.names[other.template]) for other in ranked)
        there = self._corners(homography, best.pose)
        across = there[1] - there[0] + there[2] - there[3]
        return CardReading(
            name if sure >= 0.5 else None,
            float(np.degrees(np.arctan2(-across[1], across[0])) % 360),
            sure,
            tuple(guess for guess in guesses if guess != BACK),
            best.score,
            name,
            there,
        )

    def prepare(self) -> None:
        """In a quiet moment: read the next look of the gallery itself, so that what that takes is at hand when such a
        card is turned up. One at a time, for a hand may come any moment; in the end there is nothing left to do."""
        template = next(self._unprepared, None)
        if template is not None:
            height, width = template.image.shape[:2]
            across = width / self.gallery.size[0]
            homography = np.array([[across, 0, width / 2 - 0.5], [0, -across, height / 2 - 0.5], [0, 0, 1.0]])
            self.read(template.image, homography, (0.0,))

    def _reach(self, slack: SearchRange) -> float:
        diagonal = float(np.hypot(1, self.gallery.size[1] / self.gallery.size[0]))
        return diagonal / 2 * max(slack.scales) + slack.reach * slack.shift + 0.05

    def _search(self, rough: Floats, detailed: Floats, poses: Poses) -> list[Alignment]:
        """Fit the looks that are most alike on the coarse grid; then ask the fine grid, at the places so found, which
        looks deserve a fit of their own: near-identical cards share a place, and only fine detail parts them."""
        similarity = self.coarse.similarity(rough, poses, self._every)
        alike = similarity.max(0)
        order = [int(template) for template in np.argsort(-alike)[:NEAREST]]
        nearest = [template for template in order if alike[template] > alike[order[0]] - NEARLY]
        found: dict[int, Alignment] = {}
        for template in nearest[:START]:
            near = self.coarse.align(rough, [(template, start) for start in _starts(similarity[:, template], poses)])
            found[template] = min(self._judge(rough, detailed, [(template, fit.pose) for fit in near]), key=_score)
            if len(found) == 1 and (plain := self._plain(rough, detailed, found[template], nearest)):
                return plain
        if max(fit.score for fit in found.values()) < HOPELESS:
            return list(found.values())
        for _ in range(2):
            places = [fit.pose for fit in sorted(found.values(), key=_score)[:3]]
            close = self._at(rough, detailed, places, nearest)
            best = [(nearest[k], places[close[:, k].argmax()]) for k in np.argsort(-close.max(0))[:KEEP]]
            fits = self._judge(rough, detailed, [start for start in best if start[0] not in found])
            found |= {fit.template: fit for fit in fits}
        return self._level(rough, detailed, found)

    def _at(self, rough: Floats, detailed: Floats, places: Sequence[Pose], templates: Sequence[int]) -> Floats:
        """The likeness of these looks at these places: half what the whole card says, half the detail."""
        return np.asarray(
            (self.coarse.similarity(rough, places, templates) + self.fine.similarity(detailed, places, templates)) / 2,
            np.float32,
        )

    def _plain(self, rough: Floats, detailed: Floats, first: Alignment, nearest: Sequence[int]) -> list[Alignment]:
        """The first candidate and its nearest rivals, if the case is plain: every rival, fitted from this one's place,
        is as much less alike as the gallery lets expect, so that looking further would tell nothing new. Empty if it
        is not."""
        here = self._at(rough, detailed, [first.pose], nearest)[0]
        name = self.names[first.template]
        rivals = [nearest[k] for k in np.argsort(-here) if self.names[nearest[k]] != name][:RIVALS]
        fits = self._judge(rough, detailed, [(rival, first.pose) for rival in rivals])
        leads = [(first.score - fit.score) / self.apart(first.template, fit.template) for fit in fits]
        return [first, *fits] if first.score > PLAIN[0] and min(leads, default=1.0) > PLAIN[1] else []

    def _least_turned(self, rough: Floats, detailed: Floats, best: Alignment) -> Alignment:
        """A card that looks the same when turned by half is not turned, unless the picture clearly says so."""
        twofold = self.coarse.half_turn_similarity(best.template)
        if best.pose[0, 0] >= 0 or twofold < TWOFOLD:
            return best
        (other,) = self._judge(rough, detailed, [(best.template, best.pose @ pose(180.0))])
        clear = best.score - other.score > 0.4 * (1 - twofold)
        return best if clear else Alignment(best.score, best.template, other.pose)

    def _level(self, rough: Floats, detailed: Floats, found: dict[int, Alignment]) -> list[Alignment]:
        """Every candidate at every place that was found for any: luck in fitting must not decide between twins."""
        templates, places = list(found), [fit.pose for fit in found.values()]
        similarity = self._at(rough, detailed, places, templates)
        where = similarity.argmax(0)
        return [
            Alignment(float(similarity[w, k]), template, places[w])
            for k, (template, w) in enumerate(zip(templates, where, strict=True))
        ]

    def _judge(self, rough: Floats, detailed: Floats, starts: Sequence[tuple[int, Pose]]) -> list[Alignment]:
        """The best place for each of these looks from where it starts, and its likeness there."""
        fits = self.fine.align(detailed, starts)
        if not fits:
            return []
        whole = self.coarse.similarity(rough, [fit.pose for fit in fits], [fit.template for fit in fits]).diagonal()
        return [fit._replace(score=(fit.score + float(like)) / 2) for fit, like in zip(fits, whole, strict=True)]

    def apart(self, template: int, other: int) -> float:
        """How different two looks of the gallery are, laid over each other as well as it goes, on the scale of
        `Fit.score`: looks may be cut as carelessly as what is read."""
        if (template, other) not in self._apart:
            (fit,) = self._judge(self.coarse.patch(template), self.fine.patch(template), [(other, pose(0.0))])
            self._apart[template, other] = max(1e-3, 1 - fit.score)
        return self._apart[template, other]

    def _limit(self, template: int) -> float:
        """How much of a picture of this card may stay unexplained: well less than of its nearest sibling, so that an
        unknown card is not taken for its neighbour."""
        if template not in self._limits:
            alike = np.where(self.names == self.names[template], -np.inf, self.coarse.all @ self.coarse.all[template])
            near = [int(k) for k in np.argsort(-alike)[:4] if np.isfinite(alike[k])]
            there, others = self._picture(template), [self._picture(other) for other in near]
            left = [unexplained_share(here, blurred_variants(here, there)) for here in others]
            self._limits[template] = float(np.clip(SIBLING * min(left, default=1.0), *UNEXPLAINED))
        return self._limits[template]

    def _picture(self, template: int) -> Floats:
        vector, strength = self.fine.known(template)
        return self.fine.picture(vector * np.float32(strength))

    def _confidence(self, best: Alignment, rival: Alignment | None, leans: float) -> float:
        """Like enough to be known at all, and clearly liker than the rival: measured by how far apart those two are
        in the gallery, for cards that differ in a digit differ little in likeness. A lead that is much larger than
        they differ comes from something else, as shine on the rival's look, and proves nothing. What the places say
        in which the two differ may then still prove it, and must never speak against it."""
        likely = sigmoid(best.score, 0.45, 30)
        if rival is None:
            return likely
        apart = self.apart(best.template, rival.template)
        lead = (best.score - rival.score) / apart
        leads = sigmoid(min(lead, 2 - lead), 0.08 + LUCK / apart, 40)
        shown = sigmoid(leans, CLEARLY, 20) if lead > -LIES else 0.0
        return likely * max(leads, shown) * sigmoid(leans, EVEN, 20)

    def _discriminative_score(self, detailed: Floats, best: Alignment, rival: Alignment) -> float:
        """Which of the two the places speak for where they differ: likeness is one number for a whole card, and a pip
        in the shine of a lamp hardly moves it."""
        onto = np.linalg.inv(rival.pose) @ best.pose
        other = self.fine.seen(self.fine.patch(rival.template), [onto / onto[2, 2]])
        here = self.fine.picture(self.fine.seen(detailed, [best.pose]))
        return discriminative_score(here, self._picture(best.template), self.fine.picture(other))

    def _doubt(self, rough: Floats, detailed: Floats, best: Alignment) -> float:
        """How far this picture is from what is allowed for a known card, as a whole and in detail; 1 is the limit."""
        foreground_mask = self.coarse.unexplained_globally(rough, best.template, best.pose)
        here = self.fine.picture(self.fine.seen(detailed, [best.pose]))
        templates = blurred_variants(here, self._picture(best.template))
        left, worst = unexplained_share(here, templates), worst_window(here, templates)
        return max(
            foreground_mask / FOREGROUND,
            left / self._limit(best.template) + 0.35 * foreground_mask / FOREGROUND,
            worst / WORST,
        )

    def _elsewhere(self, rough: Floats, detailed: Floats, best: Alignment) -> float:
        """How much better other cards explain some places of this one."""
        alike = self.coarse.similarity(rough, [best.pose], self._every)[0]
        name = self.names[best.template]
        others = [int(template) for template in np.argsort(-alike) if self.names[template] != name][:OTHERS]
        here = self.fine.picture(self.fine.seen(detailed, [best.pose]))
        return better_explained_by_others(here, self._picture(best.template), map(self._picture, others))

    def _corners(self, homography: Array, place: Pose) -> Array:
        width, height = self.gallery.size
        own = np.array(corners(width, height)) / width
        return transform(homography, transform(place.astype(float), own) * width)


@lru_cache(64)  # zones with the same turns are read again and again
def _poses(turns: tuple[float, ...], slack: SearchRange) -> Poses:
    steps = (-slack.angle, 0.0, slack.angle) if slack.angle else (0.0,)
    shifts = [k * slack.shift for k in range(-slack.reach, slack.reach + 1)]
    spots = [(x, y, grow) for x in shifts for y in shifts for grow in slack.scales]
    return np.stack([pose(turn + a, *spot) for turn in turns for a in steps for spot in spots])


def _starts(similarity: Floats, poses: Poses) -> list[Pose]:
    """Where to start fitting: the pose that is most alike, and the best of those turned the other way if it is almost
    as good. Of a card that looks much the same upside down, only the close fit knows which way it lies."""
    best = int(similarity.argmax())
    turned = poses[:, :2, 0] @ poses[best, :2, 0] < -0.5
    if not turned.any():
        return [poses[best]]
    other = int(np.where(turned, similarity, -1.0).argmax())
    return [poses[best], poses[other]] if similarity[other] > similarity[best] - 0.1 else [poses[best]]


def _score(fit: Alignment) -> float:
    return -fit.score


def sigmoid(value: float, half: float, steep: float) -> float:
    return float(1 / (1 + np.exp(-(value - half) * steep)))

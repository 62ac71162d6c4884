"""Naming a card: which one it is, how it is rotated, and how sure that is.

Coarse to fine. The card is sampled on a coarse grid in every pose it may have and compared with all templates at once.
The best few are then aligned on a fine grid, where a digit or a dot counts, and scored on both grids.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from cachetools import LRUCache

from vision.calibration.projection import corners, transform
from vision.detection.feature_voting import FeatureIndex
from vision.pictures import Array, Floats, Image
from vision.recognition.confidence import sigmoid
from vision.recognition.gallery import BACK, Gallery
from vision.recognition.local_matching import (
    FINE_BLURS,
    FINE_WINDOW,
    better_explained_by_others,
    blurred_variants,
    discriminative_score,
    unexplained_share,
    worst_window,
)
from vision.recognition.sampling_grid import (
    Alignment,
    CoarseGrid,
    DetailGrid,
    Pose,
    Poses,
    SamplingGrid,
    low_pass,
    pose,
    rectified_patch,
)
from vision.recognition.siblings import Verdict, compare

COARSE, FINE, DETAIL = 22, 64, 144  # cells across a card
SHORTLIST, SHORTLIST_MARGIN = 150, 0.3  # templates that the coarse grid proposes: how many, how much below the best
FIRST_CANDIDATES, CANDIDATES = 4, 6  # templates that are aligned, before and after the fine grid was asked
PREPARED = 128  # templates that are read in quiet moments: more would not stay in the cache of pseudo-inverses
RIVALS = 3  # that are aligned to see whether a case is clear
NO_CARD = 0.3  # similarity of the best first candidate below which this is no card of the deck
CLEAR_SCORE, CLEAR_LEAD = 0.8, 0.5  # of a clear case: similarity, and lead as a share of the templates' distance

LUCK = 0.002  # similarity that blur, noise and careless cuts can add to the wrong one of two cards
SYMMETRIC = 0.9  # similarity to itself turned by 180 degrees from which a card counts as symmetric
SIBLING, DETAIL_SIBLING = 0.46, 0.6  # of what a template leaves unexplained of its nearest sibling: as much may stay
# unexplained of the card itself, on the fine grid and on the detail grid
LEAST, DETAIL_LEAST, COARSE_PICTURE = 0.12, 0.075, 0.35  # but never less than this is allowed, on the fine grid, on
# the detail grid, and there in a picture that is coarser than the grid
SPACED, NEAR, FAR = 24, 0.16, 0.25  # templates by which it is measured how far apart the cards of a deck are; and the
# share that stays unexplained of siblings in decks whose cards are near each other (SET) and far apart (court cards)
BY_OTHERS = 0.2  # limit of how much better other cards may explain some windows
OTHERS = 24  # most similar cards that are asked for that
# The discriminative score: no preference, clearly for the best, clearly for the rival.
NEUTRAL, FOR_BEST, FOR_RIVAL = -0.05, 0.7, -0.3
LAID_OVER = 64  # pairs of siblings that are kept
SMALL_PART = 0.02  # distance of two templates that differ in a digit or a dot; how much the part in which they differ
SHARE, STRENGTH, BEYOND = 0.65, 2.4, 2.6  # must look like the one, and how far beyond the noise
MISLEADING = 0.3  # part of two templates' distance by which the similarity may be wrong when that score is clear


class Limits(NamedTuple):
    """How much of a card may stay unexplained in a deck."""

    whole: float
    """On the coarse grid."""
    most: float
    """On the fine grid, whatever the siblings say,"""
    with_whole: float
    """together with this part of the first."""
    worst: float
    """In the worst window,"""
    shine: float
    """and in the worst window where the detail grid clearly speaks for the card: it is a reflection or a shadow."""
    detail: float
    """On the detail grid, at most."""


NEAR_DECK = Limits(0.17, 0.155, 0.35, 0.42, 0.42, 0.3)
FAR_DECK = Limits(0.27, 0.4, 0.0, 0.5, 0.85, 0.6)
CLEAR_DETAIL, DETAIL_SLACK = 0.6, 1.3  # parts of the limit: below the first the detail grid clearly speaks for a card,
# above the second against it


class SearchRange(NamedTuple):
    """How far a card may lie from where it is expected, in card widths and degrees."""

    shift: float = 0.05
    angle: float = 4.0
    steps: int = 1
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
    """Similarity of the best guess, 1 is the same picture."""
    best: str
    """The best guess, backs included."""
    corners: Array
    """In picture pixels: the card's own top-left, top-right, bottom-right, bottom-left."""


class _Patches(NamedTuple):
    """The part of the picture around a card, low-pass filtered for each grid."""

    coarse: Floats
    fine: Floats


class Recogniser:
    """Reads cards against one gallery."""

    def __init__(self, gallery: Gallery) -> None:
        self.gallery = gallery
        self.names = np.array([template.card for template in gallery.templates])
        self._limits: dict[int, float] = {}
        self._detail_limits: dict[int, float] = {}
        self._laid_over: LRUCache[tuple[int, int], Floats] = LRUCache(LAID_OVER)
        self._distances: dict[tuple[int, int], float] = {}
        self.coarse, self.fine = CoarseGrid(gallery, COARSE), SamplingGrid(gallery, FINE)
        self.detail = DetailGrid(gallery, DETAIL)
        self._every = range(len(self.names))
        self._unprepared = iter(gallery.templates[:PREPARED])

    @property
    def aspect(self) -> float:
        """The longer side over the shorter."""
        return max(self.gallery.size) / min(self.gallery.size)

    @cached_property
    def features(self) -> FeatureIndex:
        """The local features of the deck, by which its cards are found where they have no outline."""
        return FeatureIndex([template.image for template in self.gallery.templates])

    def read(
        self,
        image: Image,
        homography: Array,
        angles: Sequence[float] = (0.0, 180.0),
        search: SearchRange = NEAR_PLACE,
        *,
        unknown_cards: bool = False,
    ) -> CardReading:
        """The card that the homography (its own units to pixels) expects in the picture, rotated by one of these
        angles. Where there may be cards that were never enrolled (`unknown_cards`), a further test rejects those that
        resemble a known one; it takes time."""
        patch = rectified_patch(image, homography, self.gallery.size[0], self._patch_radius(search))
        patches = _Patches(low_pass(patch, COARSE), low_pass(patch, FINE))
        ranked = sorted(self._search(patches, _poses(tuple(angles), search)), key=_by_score)
        rival = next((other for other in ranked if self.names[other.template] != self.names[ranked[0].template]), None)
        preference = self._discriminative_score(patches, ranked[0], rival) if rival else 1.0
        if rival and preference < FOR_RIVAL:
            ranked.remove(rival)
            ranked.insert(0, rival)
            rival, preference = ranked[1], -preference
        siblings = self._near(ranked)
        if siblings:
            ranked, confidence = self._among_siblings(image, homography, patches, ranked, siblings)
        else:
            confidence = self._confidence(ranked[0], rival, preference)
        best, detail = self._prefer_upright(patches, ranked[0]), 1.0
        if unknown_cards and confidence >= 0.5:
            detail = self._detail_residual(image, homography, best)
            confidence *= sigmoid(DETAIL_SLACK - detail, 0.0, 10)
        confidence *= sigmoid(1 - self._residual(patches, best, clear=detail < CLEAR_DETAIL), 0.0, 5)
        if unknown_cards and confidence >= 0.5:
            confidence *= sigmoid(BY_OTHERS - self._explained_by_others(patches, best), 0.0, 40)
        return self._reading(best, ranked, confidence, homography)

    def prepare(self) -> None:
        """In a quiet moment: read the next template of the gallery itself, so that everything which that takes is in
        the caches when such a card is turned up. One at a time, because a hand may come at any moment."""
        template = next(self._unprepared, None)
        if template is not None:
            height, width = template.image.shape[:2]
            across = width / self.gallery.size[0]
            homography = np.array([[across, 0, width / 2 - 0.5], [0, -across, height / 2 - 0.5], [0, 0, 1.0]])
            self.read(template.image, homography, (0.0,))

    def template_distance(self, template: int, other: int) -> float:
        """How different two templates of the gallery are when one is aligned with the other, on the scale of
        `Alignment.score`. They are aligned because templates may be cut as carelessly as what is read."""
        if (template, other) not in self._distances:
            patches = _Patches(self.coarse.patch(template), self.fine.patch(template))
            (fit,) = self._align(patches, [(other, pose(0.0))])
            self._distances[template, other] = max(1e-3, 1 - fit.score)
        return self._distances[template, other]

    def _reading(
        self, best: Alignment, ranked: Sequence[Alignment], confidence: float, homography: Array
    ) -> CardReading:
        name = str(self.names[best.template])
        guesses = dict.fromkeys(str(self.names[other.template]) for other in ranked)
        outline = self._corners(homography, best.pose)
        across = outline[1] - outline[0] + outline[2] - outline[3]
        return CardReading(
            name if confidence >= 0.5 else None,
            float(np.degrees(np.arctan2(-across[1], across[0])) % 360),
            confidence,
            tuple(guess for guess in guesses if guess != BACK),
            best.score,
            name,
            outline,
        )

    def _patch_radius(self, search: SearchRange) -> float:
        diagonal = float(np.hypot(1, self.gallery.size[1] / self.gallery.size[0]))
        return diagonal / 2 * max(search.scales) + search.steps * search.shift + 0.05

    # --- candidates -----------------------------------------------------------------------------------------------

    def _search(self, patches: _Patches, poses: Poses) -> list[Alignment]:
        """Align the templates that are most similar on the coarse grid. Then ask the fine grid, at the poses found so
        far, which other templates deserve to be aligned: near-identical cards share a pose, and only fine detail tells
        them apart."""
        similarity = self.coarse.similarity(patches.coarse, poses, self._every)
        nearest = _shortlist(similarity.max(0))
        found: dict[int, Alignment] = {}
        for template in nearest[:FIRST_CANDIDATES]:
            starts = _starts(similarity[:, template], poses)
            near = self.coarse.align(patches.coarse, [(template, start) for start in starts])
            found[template] = min(self._align(patches, [(template, fit.pose) for fit in near]), key=_by_score)
            if len(found) == 1 and (clear := self._clear_case(patches, found[template], nearest)):
                return clear
        if max(fit.score for fit in found.values()) < NO_CARD:
            return list(found.values())
        for _ in range(2):
            places = [fit.pose for fit in sorted(found.values(), key=_by_score)[:3]]
            close = self._similarity_at(patches, places, nearest)
            best = [(nearest[k], places[close[:, k].argmax()]) for k in np.argsort(-close.max(0))[:CANDIDATES]]
            fits = self._align(patches, [start for start in best if start[0] not in found])
            found |= {fit.template: fit for fit in fits}
        return self._rescore_jointly(patches, found)

    def _clear_case(self, patches: _Patches, first: Alignment, nearest: Sequence[int]) -> list[Alignment]:
        """The first candidate and its nearest rivals, if the case is clear: every rival, aligned from the same pose, is
        behind by about as much as the two templates differ, so a longer search would tell nothing new. Otherwise
        empty."""
        here = self._similarity_at(patches, [first.pose], nearest)[0]
        name = self.names[first.template]
        rivals = [nearest[k] for k in np.argsort(-here) if self.names[nearest[k]] != name][:RIVALS]
        fits = self._align(patches, [(rival, first.pose) for rival in rivals])
        leads = [(first.score - fit.score) / self.template_distance(first.template, fit.template) for fit in fits]
        return [first, *fits] if first.score > CLEAR_SCORE and min(leads, default=1.0) > CLEAR_LEAD else []

    def _rescore_jointly(self, patches: _Patches, found: dict[int, Alignment]) -> list[Alignment]:
        """Every candidate at every pose that was found for any of them, so that a lucky alignment does not decide
        between near-identical cards."""
        templates, places = list(found), [fit.pose for fit in found.values()]
        similarity = self._similarity_at(patches, places, templates)
        where = similarity.argmax(0)
        return [
            Alignment(float(similarity[at, k]), template, places[at])
            for k, (template, at) in enumerate(zip(templates, where, strict=True))
        ]

    def _prefer_upright(self, patches: _Patches, best: Alignment) -> Alignment:
        """A symmetric card counts as upright unless the picture clearly shows that it is turned by 180 degrees."""
        symmetry = self.coarse.half_turn_similarity(best.template)
        if best.pose[0, 0] >= 0 or symmetry < SYMMETRIC:
            return best
        (other,) = self._align(patches, [(best.template, best.pose @ pose(180.0))])
        clear = best.score - other.score > 0.4 * (1 - symmetry)
        return best if clear else Alignment(best.score, best.template, other.pose)

    def _similarity_at(self, patches: _Patches, places: Sequence[Pose], templates: Sequence[int]) -> Floats:
        """The mean of both grids' similarity, places x templates."""
        whole = self.coarse.similarity(patches.coarse, places, templates)
        detail = self.fine.similarity(patches.fine, places, templates)
        return np.asarray((whole + detail) / 2, np.float32)

    def _align(self, patches: _Patches, starts: Sequence[tuple[int, Pose]]) -> list[Alignment]:
        """Each of these templates aligned on the fine grid from where it starts, scored on both grids."""
        fits = self.fine.align(patches.fine, starts)
        if not fits:
            return []
        places, templates = [fit.pose for fit in fits], [fit.template for fit in fits]
        whole = self.coarse.similarity(patches.coarse, places, templates).diagonal()
        return [fit._replace(score=(fit.score + float(score)) / 2) for fit, score in zip(fits, whole, strict=True)]

    # --- siblings -------------------------------------------------------------------------------------------------

    def _near(self, ranked: Sequence[Alignment]) -> list[Alignment]:
        """The candidates that differ from the best one in a small part only."""
        first = ranked[0]
        others = [fit for fit in ranked[1:] if self.names[fit.template] != self.names[first.template]]
        near = [fit for fit in others if self.template_distance(first.template, fit.template) < SMALL_PART]
        return near[:CANDIDATES]

    def _among_siblings(
        self,
        image: Image,
        homography: Array,
        patches: _Patches,
        ranked: list[Alignment],
        siblings: list[Alignment],
    ) -> tuple[list[Alignment], float]:
        """The part in which they differ decides, at the best resolution there is: the candidates, the one it speaks for
        first, and how sure that is. The others must be behind as any other card must."""
        best = ranked[0]
        here = self.detail.seen(image, homography, self.gallery.size[0], best.pose)
        verdicts = {}
        for _ in range(2):
            verdicts = {fit.template: self.sibling_verdict(here, best.template, fit.template) for fit in siblings}
            worst = min(siblings, key=lambda fit: verdicts[fit.template].share)
            if verdicts[worst.template].share >= 0.5:
                break
            siblings = [best if fit is worst else fit for fit in siblings]
            best = worst
        ranked = [best, *(fit for fit in ranked if fit is not best)]
        sure = min(map(surely, verdicts.values()))
        name = self.names[best.template]
        far = next((fit for fit in ranked if fit.template not in verdicts and self.names[fit.template] != name), None)
        preference = self._discriminative_score(patches, best, far) if far else 1.0
        return ranked, sure * self._confidence(best, far, preference)

    def sibling_verdict(self, here: Floats, template: int, other: int, visible: Floats | None = None) -> Verdict:
        """For which of two templates speaks what is visible of a card (`here`, on the detail grid)."""
        return compare(here, self.detail.patch(template), self._beside(template, other), visible)

    def _beside(self, template: int, other: int) -> Floats:
        """Another template on the detail grid, laid over this one: both may have been cut carelessly."""
        key = (template, other)
        if key not in self._laid_over:
            patches = _Patches(self.coarse.patch(template), self.fine.patch(template))
            (fit,) = self._align(patches, [(other, pose(0.0))])
            onto = np.linalg.inv(fit.pose)
            self._laid_over[key] = self.detail.of_template(other, np.asarray(onto / onto[2, 2], np.float32))
        return self._laid_over[key]

    # --- confidence -----------------------------------------------------------------------------------------------

    def _confidence(self, best: Alignment, rival: Alignment | None, preference: float) -> float:
        """Similar enough to be known at all, and clearly more similar than the rival.

        The lead is measured by the distance of the two templates, because cards that differ in one digit differ little
        in similarity. A lead much larger than that distance has another cause, such as glare on the rival's template,
        and proves nothing. The discriminative score can then still prove it, and must never speak against it."""
        known = sigmoid(best.score, 0.45, 30)
        if rival is None:
            return known
        distance = self.template_distance(best.template, rival.template)
        lead = (best.score - rival.score) / distance
        leads = sigmoid(min(lead, 2 - lead), 0.08 + LUCK / distance, 40)
        shown = sigmoid(preference, FOR_BEST, 20) if lead > -MISLEADING else 0.0
        return known * max(leads, shown) * sigmoid(preference, NEUTRAL, 20)

    def _discriminative_score(self, patches: _Patches, best: Alignment, rival: Alignment) -> float:
        """Which of the two the windows speak for in which they differ. The similarity is one number for the whole card,
        and a pip in a lamp's reflection hardly changes it."""
        onto = np.linalg.inv(rival.pose) @ best.pose
        other = self.fine.features(self.fine.patch(rival.template), [onto / onto[2, 2]])
        return discriminative_score(
            self._seen_image(patches, best), self._template_image(best.template), self.fine.as_image(other)
        )

    def _residual(self, patches: _Patches, best: Alignment, *, clear: bool) -> float:
        """How far this picture is from what is allowed for a known card, as a whole and in detail; 1 is the limit.
        `clear`: the detail grid speaks for the card."""
        limits = self._limits_of_deck
        whole = self.coarse.unexplained_share(patches.coarse, best.template, best.pose) / limits.whole
        here = self._seen_image(patches, best)
        variants = blurred_variants(here, self._template_image(best.template))
        detail = unexplained_share(here, variants) / self._residual_limit(best.template)
        worst = worst_window(here, variants) / (limits.shine if clear else limits.worst)
        return max(whole, detail + limits.with_whole * whole, worst)

    def _residual_limit(self, template: int) -> float:
        """How much of a picture of this card may stay unexplained: much less than of its nearest sibling, so that an
        unknown card is not taken for its neighbour."""
        if template not in self._limits:
            share = SIBLING * self._sibling_share(template)
            self._limits[template] = float(np.clip(share, LEAST, self._limits_of_deck.most))
        return self._limits[template]

    def _sibling_share(self, template: int) -> float:
        """What this template leaves unexplained of its nearest sibling; 1 if it has none."""
        own, siblings = self._template_image(template), map(self._template_image, self._siblings(template)[:4])
        return min((unexplained_share(other, blurred_variants(other, own)) for other in siblings), default=1.0)

    def _siblings(self, template: int) -> list[int]:
        """The templates of other cards, the most similar first."""
        similarity = self.coarse.all @ self.coarse.all[template]
        return [int(k) for k in np.argsort(-similarity) if self.names[k] != self.names[template]]

    @cached_property
    def _limits_of_deck(self) -> Limits:
        """They follow from how far apart the cards of the deck are, its nearest fifth. One card's own siblings are not
        enough: the sibling that it is taken for may be the one that was never enrolled."""
        some = range(0, len(self.names), max(1, len(self.names) // SPACED))
        apart = float(np.percentile([self._sibling_share(template) for template in some], 20))
        far = float(np.clip((apart - NEAR) / (FAR - NEAR), 0, 1))
        return Limits(*(near + far * (wide - near) for near, wide in zip(NEAR_DECK, FAR_DECK, strict=True)))

    def _detail_residual(self, image: Image, homography: Array, best: Alignment) -> float:
        """The same at the best resolution there is, where stripes and the shape of a small pip are seen."""
        here = self.detail.seen(image, homography, self.gallery.size[0], best.pose)
        outline = self._corners(homography, best.pose)
        limit = self._detail_limit(best.template)
        if np.linalg.norm(outline[1] - outline[0]) < DETAIL:  # pixels: the picture has no such detail
            limit = max(limit, COARSE_PICTURE)
        return self._fine_share(here, best.template) / limit

    def _detail_limit(self, template: int) -> float:
        if template not in self._detail_limits:
            near = self._siblings(template)[:2]
            share = min((self._fine_share(self.detail.patch(other), template) for other in near), default=1.0)
            self._detail_limits[template] = float(
                np.clip(DETAIL_SIBLING * share, DETAIL_LEAST, self._limits_of_deck.detail)
            )
        return self._detail_limits[template]

    def _fine_share(self, here: Floats, template: int) -> float:
        return unexplained_share(here, blurred_variants(here, self.detail.patch(template), FINE_BLURS), FINE_WINDOW)

    def _explained_by_others(self, patches: _Patches, best: Alignment) -> float:
        """How much better other cards explain some windows of this one."""
        similarity = self.coarse.similarity(patches.coarse, [best.pose], self._every)[0]
        name = self.names[best.template]
        others = [int(template) for template in np.argsort(-similarity) if self.names[template] != name][:OTHERS]
        here = self._seen_image(patches, best)
        return better_explained_by_others(here, self._template_image(best.template), map(self._template_image, others))

    def _seen_image(self, patches: _Patches, fit: Alignment) -> Floats:
        return self.fine.as_image(self.fine.features(patches.fine, [fit.pose]))

    def _template_image(self, template: int) -> Floats:
        vector, norm = self.fine.vector(template)
        return self.fine.as_image(vector * np.float32(norm))

    def _corners(self, homography: Array, place: Pose) -> Array:
        width, height = self.gallery.size
        own = np.array(corners(width, height)) / width
        return transform(homography, transform(place.astype(float), own) * width)


@lru_cache(64)  # zones with the same angles are read again and again
def _poses(angles: tuple[float, ...], search: SearchRange) -> Poses:
    steps = (-search.angle, 0.0, search.angle) if search.angle else (0.0,)
    shifts = [k * search.shift for k in range(-search.steps, search.steps + 1)]
    places = [(x, y, scale) for x in shifts for y in shifts for scale in search.scales]
    return np.stack([pose(angle + step, *place) for angle in angles for step in steps for place in places])


def _shortlist(similarity: Floats) -> list[int]:
    """The most similar templates, best first."""
    order = [int(template) for template in np.argsort(-similarity)[:SHORTLIST]]
    return [template for template in order if similarity[template] > similarity[order[0]] - SHORTLIST_MARGIN]


def _starts(similarity: Floats, poses: Poses) -> list[Pose]:
    """Where to start the alignment: the most similar pose, and the best of those turned the other way if it is almost
    as good. Of a card that looks much the same upside down, only the close alignment knows which way it lies."""
    best = int(similarity.argmax())
    opposite = poses[:, :2, 0] @ poses[best, :2, 0] < -0.5
    if not opposite.any():
        return [poses[best]]
    other = int(np.where(opposite, similarity, -1.0).argmax())
    return [poses[best], poses[other]] if similarity[other] > similarity[best] - 0.1 else [poses[best]]


def surely(verdict: Verdict) -> float:
    """The confidence that it is the first of two cards."""
    # Far beyond the first template is no card: shine, or a part that is hardly visible.
    return sigmoid(min(verdict.share, BEYOND - verdict.share), SHARE, 15) * sigmoid(verdict.strength, STRENGTH, 1.5)


def _by_score(fit: Alignment) -> float:
    return -fit.score

"""Cards sampled on a grid: illumination-normalised feature vectors, their similarity, and their alignment.

A card is compared with a template at the cells of a grid. What is compared is not the colour of a pixel but its share
of the light that falls there: a smooth polynomial surface is fitted to every channel and divided out, so the colour,
the strength and the uneven fall of a lamp disappear. Brightness varies for more reasons (shadow, glare, exposure) than
colour does. The channels are therefore split into brightness and two opponent colours, and colour weighs more.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import cv2
import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from vision.calibration.projection import transform
from vision.pictures import Array, Floats, Image
from vision.recognition.gallery import Gallery, Template

Value = TypeVar("Value")

PATCH = 96
"""Pixels across a card in the patch that the grids sample."""
EDGE = 0.04  # of a card's width: cells nearer to its edge are not compared (rounded corners, sleeves, sloppy cuts)
COLOUR = 3.0  # weight of the two colour channels against brightness
OPPONENT_COLOURS = (
    np.array([[1, 1, 1], [COLOUR, 0, -COLOUR], [-COLOUR, 2 * COLOUR, -COLOUR]], np.float32)
    / np.array([[3], [2], [6]], np.float32) ** 0.5
)
_CONVERGED = 1e-4  # gain in similarity below which the alignment stops
_CONTRAST_SPREAD = 2 * 1.5**2  # twice the variance of the logarithm of contrast: haze, exposure, blur
_LIGHT_DEGREE = 4  # of the polynomial surface that stands for the light
_TYPICAL = 400  # templates that are enough to show what the cards of a deck have in common
_TEMPLATE_ERROR = np.array([0.06, 0.06, 0.06], np.float32)  # of brightness and the two (weighted) colours
_PATCHES, _PSEUDO_INVERSES, _VECTORS = 64, 128, 256  # how many of each are cached
# Generators of the eight ways in which a flat card can be off: rotation, two shifts, scale; stretch and shear; two
# perspective terms. The last four are damped, because they can distort one card into another.
_GENERATORS = np.array(
    [
        [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
        [[0, 0, 1], [0, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 1], [0, 0, 0]],
        [[1, 0, 0], [0, 1, 0], [0, 0, 0]],
        [[1, 0, 0], [0, -1, 0], [0, 0, 0]],
        [[0, 1, 0], [1, 0, 0], [0, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [1, 0, 0]],
        [[0, 0, 0], [0, 0, 0], [0, 1, 0]],
    ],
    np.float32,
)
_STEP = np.array([0.017, 0.012, 0.012, 0.015, 0.015, 0.015, 0.02, 0.02], np.float32)  # of the numerical derivatives
_MAX_STEP = 4 * _STEP
_DAMPING = np.array([1e-3, 1e-3, 1e-3, 1e-3, 0.2, 0.2, 0.3, 0.3], np.float32)


Pose = NDArray[np.float32]
"""Where a card really lies against its expected place: a 3 x 3 homography, in card widths from its centre, y up."""
Poses = NDArray[np.float32]
"""Many of them: n x 3 x 3."""


def pose(angle: float, x: float = 0.0, y: float = 0.0, scale: float = 1.0) -> Pose:
    """A card rotated by so many degrees, shifted by so many card widths, and scaled."""
    cos, sin = scale * np.cos(np.radians(angle)), scale * np.sin(np.radians(angle))
    return np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]], np.float32)


class Alignment(NamedTuple):
    """A template in its best pose over the picture."""

    score: float
    template: int
    pose: Pose


class SamplingGrid:
    """A grid with so many cells across a card, and the templates of a gallery sampled on it when they are needed."""

    def __init__(self, gallery: Gallery, cells: int) -> None:
        self.cells = cells
        self.points, self._cell_numbers = _points(gallery, cells)
        x, y = self.points.T
        surface = np.stack([x**i * y**j for i in range(_LIGHT_DEGREE + 1) for j in range(_LIGHT_DEGREE + 1 - i)], 1)
        self._light_basis = np.ascontiguousarray(np.linalg.qr(surface)[0].T.astype(np.float32))
        self._templates = gallery.templates
        # Caches without a reference back to the grid: with `functools.lru_cache` or `cachetools.cachedmethod` on a
        # method, a gallery that nobody uses any more would stay in memory until the garbage collector runs.
        self._patches: LRUCache[int, Floats] = LRUCache(_PATCHES)
        self._pseudo_inverses: LRUCache[int, tuple[Floats, Floats]] = LRUCache(_PSEUDO_INVERSES)
        self._vectors: LRUCache[int, tuple[Floats, float]] = LRUCache(_VECTORS)
        self._half_turns: LRUCache[int, float] = LRUCache(max(1, len(gallery.templates)))

    def patch(self, template: int) -> Floats:
        """A template as a patch, as if it had been cut out of a picture."""
        return _cached(self._patches, template, self._compute_patch)

    def vector(self, template: int) -> tuple[Floats, float]:
        """The unit feature vector of a template, and its norm before that: how much contrast it has."""
        return _cached(self._vectors, template, self._compute_vector)

    def half_turn_similarity(self, template: int) -> float:
        """How similar this template is to itself turned by 180 degrees."""
        return _cached(self._half_turns, template, self._compute_half_turn_similarity)

    def pseudo_inverse(self, template: int) -> tuple[Floats, Floats]:
        """The damped pseudo-inverse of the template's Jacobian (8 parameters x features), which takes a feature vector
        to how far it is off in each parameter; and its product with the template's own vector."""
        return _cached(self._pseudo_inverses, template, self._compute_pseudo_inverse)

    def _compute_patch(self, template: int) -> Floats:
        return low_pass(template_patch(self._templates[template].image), self.cells)

    def _compute_vector(self, template: int) -> tuple[Floats, float]:
        vectors, norms = self.unit_vectors(self.features(self.patch(template), [pose(0.0)]))
        return vectors[0], float(norms[0])

    def _compute_half_turn_similarity(self, template: int) -> float:
        return float(self.similarity(self.patch(template), [pose(180.0)], [template])[0, 0])

    def _compute_pseudo_inverse(self, template: int) -> tuple[Floats, Floats]:
        steps = _GENERATORS * _STEP[:, None, None]
        moved = self.features(self.patch(template), [*(np.eye(3) + steps), *(np.eye(3) - steps)])
        seen, _ = self.unit_vectors(moved)
        jacobian = (seen[:8] - seen[8:]) / (2 * _STEP[:, None])
        normal = jacobian @ jacobian.T
        normal += np.diag(_DAMPING * np.diag(normal) + np.float32(1e-9))
        inverse = np.linalg.solve(normal, jacobian)
        return inverse, inverse @ self.vector(template)[0]

    def dot_products(self, vectors: Floats, templates: Sequence[int]) -> Floats:
        """Each vector with each of these templates. They are large, so they are not copied into one matrix first."""
        return np.stack([vectors @ self.vector(template)[0] for template in templates], 1)

    def norms(self, templates: Sequence[int]) -> Floats:
        return np.array([self.vector(template)[1] for template in templates], np.float32)

    def without_illumination(self, samples: Floats) -> Floats:
        """Samples (n x cells x 3) as feature vectors: each channel relative to the smooth surface that is fitted to it,
        then in opponent colours."""
        # Channel by channel in memory: everything that follows is several times faster that way.
        values = np.ascontiguousarray(samples.transpose(0, 2, 1)).reshape(-1, samples.shape[1])
        light = (self._light_basis @ values.T).T @ self._light_basis
        floor = np.maximum(0.3 * values.mean(1, keepdims=True), 6.0)
        share = (values - light) / np.maximum(light, floor)
        mixed = OPPONENT_COLOURS @ share.reshape(len(samples), 3, -1)
        return np.asarray(mixed.reshape(len(samples), -1), np.float32)

    def unit_vectors(self, vectors: Floats) -> tuple[Floats, Floats]:
        """Vectors of length one, and their lengths before. The least length keeps the noise of a blank card small."""
        norms = np.linalg.norm(vectors, axis=1)
        norms = np.maximum(norms, 0.03 * np.sqrt(vectors.shape[1])).astype(np.float32)
        return vectors / norms[:, None], norms

    def features(self, patch: Floats, poses: Sequence[Pose] | Poses) -> Floats:
        """What a patch shows at these poses: poses x features."""
        return self.without_illumination(sample(patch, self.points, poses))

    def as_image(self, features: Floats) -> Floats:
        """A feature vector as an image: rows x columns x 3, with 0 where a round card has no cell."""
        cells = np.zeros((len(self.points) + 1, 3), np.float32)
        cells[:-1] = features.reshape(3, -1).T
        return np.take(cells, self._cell_numbers, axis=0)

    def similarity(self, patch: Floats, poses: Sequence[Pose] | Poses, templates: Sequence[int]) -> Floats:
        """The normalised cross-correlation of the patch with these templates, poses x templates; 1 is the same.

        A picture with much less or much more contrast than the template counts as less similar: striped ink looks
        like pale solid ink otherwise."""
        vectors, norms = self.unit_vectors(self.features(patch, poses))
        return self.dot_products(vectors, templates) * _contrast_penalty(norms[:, None] / self.norms(templates))

    def align(self, patch: Floats, starts: Sequence[tuple[int, Pose]], rounds: int = 6) -> list[Alignment]:
        """Move each of these templates from its start to the pose that fits best: Gauss-Newton image alignment with
        the Jacobian of the template (inverse compositional Lucas-Kanade).

        All are moved together, because sampling many poses at once costs half as much as one after the other."""
        found = [Alignment(0.0, template, start) for template, start in starts]
        best, poses = [-1.0] * len(found), [start for _, start in starts]
        active = list(range(len(found)))
        for _ in range(rounds):
            if not active:
                break
            vectors, norms = self.unit_vectors(self.features(patch, [poses[k] for k in active]))
            for k, seen, norm in zip(tuple(active), vectors, norms, strict=True):
                template = found[k].template
                wanted, contrast = self.vector(template)
                product = float(seen @ wanted)
                gain = product - best[k]
                if gain > 0:
                    best[k] = product
                    found[k] = Alignment(product * float(_contrast_penalty(norm / contrast)), template, poses[k])
                if gain <= _CONVERGED:
                    active.remove(k)
                    continue
                poses[k] = self._moved(poses[k], template, seen, product)
        return found

    def _moved(self, start: Pose, template: int, seen: Floats, product: float) -> Pose:
        """One Gauss-Newton step."""
        inverse, at_rest = self.pseudo_inverse(template)
        off = np.clip((inverse @ seen - product * at_rest) / max(product, 0.3), -_MAX_STEP, _MAX_STEP)
        moved = start @ np.linalg.inv(np.eye(3) + (off @ _GENERATORS.reshape(8, 9)).reshape(3, 3))
        return np.asarray(moved / moved[2, 2], np.float32)


class CoarseGrid(SamplingGrid):
    """A grid so coarse that the vectors of all templates stay in memory and are compared at once. It also knows which
    cells hardly differ from card to card."""

    def __init__(self, gallery: Gallery, cells: int) -> None:
        super().__init__(gallery, cells)
        features = np.concatenate(
            [self.without_illumination(_coarse_samples(each, self.points, cells)) for each in gallery.templates]
        )
        self.all, self._norms = self.unit_vectors(features)
        some = features[:: max(1, len(features) // _TYPICAL)]
        self._median = np.median(some, axis=0).reshape(3, -1)
        variance = some.reshape(len(some), 3, -1).var(0).sum(0)
        self._shared = variance <= np.percentile(variance, 20)

    def vector(self, template: int) -> tuple[Floats, float]:
        return self.all[template], float(self._norms[template])

    def dot_products(self, vectors: Floats, templates: Sequence[int]) -> Floats:
        return vectors @ self.all[_rows(templates)].T

    def norms(self, templates: Sequence[int]) -> Floats:
        return self._norms[_rows(templates)]

    def unexplained_share(self, patch: Floats, template: int, at: Pose) -> float:
        """How much of what is seen this template does not explain, 0 to 1, beyond the noise of the picture.

        The cells that hardly differ from card to card show how noisy this picture is, and that much is tolerated at the
        others. Otherwise a grainy picture of a known card and a clean one of an unknown sibling would score alike."""
        shared, drawn = self._shared, ~self._shared
        seen = self.features(patch, [at])[0].reshape(3, -1)
        known = (self.all[template] * self._norms[template]).reshape(3, -1)
        noise = np.sqrt(((seen - self._median)[:, shared] ** 2).mean(1))
        weight = (1 / np.sqrt(noise**2 + _TEMPLATE_ERROR**2))[:, None]
        seen, known, noise = seen * weight, known * weight, noise * weight[:, 0]
        # Cameras differ most in the saturation of colours; the hue has to be right.
        gains = np.clip((seen * known).sum(1) / np.maximum((known**2).sum(1), 1e-6), 0.2, 6.0)
        gains[1:] = np.clip(gains[1:], 0.3 * gains[0], 4.0 * gains[0])
        residual = seen - gains[:, None] * known
        tolerated = drawn.sum() * (noise**2).sum()
        total = (seen[:, drawn] ** 2).sum() - tolerated
        return float(np.clip(((residual[:, drawn] ** 2).sum() - tolerated) / max(total, 1e-6), 0, 1))


class DetailGrid(SamplingGrid):
    """A grid so fine that stripes and the shapes of small pips are seen, sampled straight from a picture."""

    def seen(self, image: Image, homography: Array, unit: float, at: Pose) -> Floats:
        """A card in a picture as an image of features (`as_image`); the homography takes the card's own units, `unit`
        of them to its width, to pixels."""
        onto = homography @ np.diag([unit, unit, 1.0]) @ at
        places = transform(onto, self.points)
        low = np.clip(np.floor(places.min(0)) - 6, 0, None).astype(int)
        high = np.maximum(np.ceil(places.max(0)).astype(int) + 6, low + 1)
        part = image[low[1] : high[1], low[0] : high[0]].astype(np.float32)
        if not part.size:
            return self.as_image(np.zeros(3 * len(self.points), np.float32))
        ends = transform(onto, [(-0.5, 0.0), (0.5, 0.0)])
        ratio = float(np.linalg.norm(ends[1] - ends[0])) / self.cells
        if ratio > 0.8:
            part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.4 * ratio), np.float32)
        across, down = (places - low).astype(np.float32).T[:, None]
        taken = cv2.remap(part, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return self.as_image(self.without_illumination(np.asarray(taken, np.float32).reshape(1, -1, 3)))

    def _compute_patch(self, template: int) -> Floats:
        """Here a patch is the template's own image of features."""
        return self.of_template(template, pose(0.0))

    def of_template(self, template: int, at: Pose) -> Floats:
        """A template, moved, as an image of features."""
        image = self._templates[template].image
        height, width = image.shape[:2]
        whole = np.array([[width, 0, width / 2 - 0.5], [0, -width, height / 2 - 0.5], [0, 0, 1.0]])
        return self.seen(image, whole, 1.0, at)


def _cached(cache: LRUCache[int, Value], template: int, compute: Callable[[int], Value]) -> Value:
    found = cache.get(template)
    if found is None:
        found = cache[template] = compute(template)
    return found


def _contrast_penalty(ratio: Floats) -> Floats:
    """The factor for a picture with so many times the contrast of the template."""
    return np.asarray(np.exp(-(np.log(ratio) ** 2) / _CONTRAST_SPREAD), np.float32)


def _rows(templates: Sequence[int]) -> Sequence[int] | slice:
    """A range of templates as a slice, which numpy does not copy."""
    return slice(templates.start, templates.stop, templates.step) if isinstance(templates, range) else templates


def _points(gallery: Gallery, cells: int) -> tuple[Floats, NDArray[np.intp]]:
    """The centres of the cells that are compared, in card widths from the card's centre; and an image of the cells'
    numbers, with the number after the last where a round card has no cell."""
    aspect = gallery.size[1] / gallery.size[0]
    count = round(cells * aspect)
    across = (np.arange(cells) + 0.5) / cells - 0.5
    up = aspect / 2 - (np.arange(count) + 0.5) / count * aspect
    grid = np.stack(np.meshgrid(across, up), -1)
    inside = (np.abs(grid[..., 0]) < 0.5 - EDGE) & (np.abs(grid[..., 1]) < aspect / 2 - EDGE)
    if gallery.disc:
        inside = np.hypot(grid[..., 0], grid[..., 1]) < gallery.disc - EDGE
    rows, cols = (np.flatnonzero(inside.any(side)) for side in (1, 0))
    numbers = np.where(inside, np.cumsum(inside).reshape(inside.shape) - 1, inside.sum())
    box = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    return grid[inside].astype(np.float32), np.ascontiguousarray(numbers[box])


def _coarse_samples(template: Template, points: Floats, cells: int) -> Floats:
    """A template at the cells of a coarse grid, straight from its picture at half size."""
    image = template.half
    height, width = image.shape[:2]
    soft = cv2.GaussianBlur(image.astype(np.float32), (0, 0), float(np.hypot(0.4 / cells, 0.45 / PATCH)) * width)
    across = points[None, :, 0] * width + width / 2 - 0.5
    down = height / 2 - 0.5 - points[None, :, 1] * width
    taken = cv2.remap(soft, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.float32).reshape(1, -1, 3)


def sample(patch: Floats, points: Floats, poses: Sequence[Pose] | Poses) -> Floats:
    """A low-pass filtered patch at these points of the card, for every pose: poses x points x 3."""
    table = np.asarray(poses, np.float32)
    middle = (patch.shape[0] - 1) / 2
    onto = np.array([[PATCH, 0, middle], [0, -PATCH, middle], [0, 0, 1]], np.float32) @ table
    places = onto[:, :, :2] @ points.T + onto[:, :, 2:]
    places[:, :2] /= places[:, 2:]
    taken = cv2.remap(patch, places[:, 0], places[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.float32).reshape(len(poses), -1, 3)


def low_pass(patch: Floats, cells: int) -> Floats:
    """A patch without detail finer than the cells of a grid, to avoid aliasing."""
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.4 * PATCH / cells), np.float32)


def template_patch(image: Image) -> Floats:
    """An enrolled picture as if it had been cut from a photograph."""
    height, width = image.shape[:2]
    homography = np.array([[width, 0, width / 2 - 0.5], [0, -width, height / 2 - 0.5], [0, 0, 1.0]])
    return rectified_patch(image, homography, 1.0, float(np.hypot(1, height / width)) / 2)


def rectified_patch(image: Image, homography: Array, unit: float, radius: float) -> Floats:
    """A square patch around a card's centre, `radius` card widths each way, `PATCH` pixels to a width. The homography
    takes the card's own units, `unit` of them to its width, to pixels of the image."""
    side = 2 * int(np.ceil(radius * PATCH)) + 1
    middle = (side - 1) / 2
    to_own = np.array([[1 / PATCH, 0, -middle / PATCH], [0, -1 / PATCH, middle / PATCH], [0, 0, 1]])
    warp = homography @ np.diag([unit, unit, 1.0]) @ to_own
    outline = transform(warp, [(0, 0), (side, 0), (side, side), (0, side)])
    ratio = float(np.linalg.norm(outline[1] - outline[0]) / side)
    low = np.clip(np.floor(outline.min(0)) - 4, 0, None).astype(int)
    high = np.ceil(outline.max(0)).astype(int) + 4
    part = image[low[1] : max(0, high[1]), low[0] : max(0, high[0])]
    if not part.size:
        return np.zeros((side, side, 3), np.float32)
    if ratio > 1.2:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * ratio), np.uint8)
    warp = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ warp
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(part, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return patch.astype(np.float32)

"""Cards on a grid: the cells that are compared, and how alike two cards are at them.

What is compared is not the pixel but its share of the light that falls there: a smooth surface is fitted to every
channel, of looks and of photographs alike, and divided out, so that a lamp's colour, its strength and its uneven
fall are gone. Brightness varies more for bad reasons (shadow, shine, exposure) than colour does, so the channels
are taken apart into brightness and two colour differences, and colour weighs more.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.calibration.projection import transform
from vision.recognition.gallery import Gallery, Template
from vision.recognition.lru_cache import Kept
from vision.simulation.paint import Array, Image

Floats = NDArray[np.float32]
PATCH = 96
"""Pixels across a card in the patch that the grids sample."""
EDGE = 0.04  # of a card's width: rounded corners, sleeves and sloppy cuts live here
COLOUR = 3.0  # weight of the two colour channels against brightness
_OPPONENT_COLOURS = (
    np.array([[1, 1, 1], [COLOUR, 0, -COLOUR], [-COLOUR, 2 * COLOUR, -COLOUR]], np.float32)
    / np.array([[3], [2], [6]], np.float32) ** 0.5
)
_ENOUGH = 1e-4  # likeness: who climbs by no more has arrived
_PALE = 2 * 1.5**2  # spread of a picture's strength, squared and doubled: haze, exposure, blur
_SMOOTH = 4  # degree of the surface that stands for the light
_TYPICAL = 400  # looks that show well enough what the cards of a deck share
_DOUBT = np.array([0.06, 0.06, 0.06], np.float32)  # error of a look itself: brightness, two (weighted) colours
_PATCHES, _PULLS, _VECTORS = 64, 128, 256  # looks that are kept ready: as patches, to be fitted, as cells
# The eight ways a flat card can be off: turn, shift, size; stretch and skew; nearer on one side. The last four are
# held back, for they can bend one card into another.
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
_STEP = np.array([0.017, 0.012, 0.012, 0.015, 0.015, 0.015, 0.02, 0.02], np.float32)
_MAX_STEP = 4 * _STEP
_DAMPING = np.array([1e-3, 1e-3, 1e-3, 1e-3, 0.2, 0.2, 0.3, 0.3], np.float32)


Pose = NDArray[np.float32]
"""Where a card really lies against its expected place: 3 x 3, in card widths from its centre, y up."""
Poses = NDArray[np.float32]
"""Many of them: n x 3 x 3."""


def pose(turn: float, x: float = 0.0, y: float = 0.0, grow: float = 1.0) -> Pose:
    """A card turned so far, shifted so many card widths, and sized."""
    cos, sin = grow * np.cos(np.radians(turn)), grow * np.sin(np.radians(turn))
    return np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]], np.float32)


class Alignment(NamedTuple):
    """A look laid over the picture as well as it goes."""

    score: float
    template: int
    pose: Pose


class SamplingGrid:
    """The cells of one fineness, and the looks of a gallery at them, made when they are asked for."""

    def __init__(self, gallery: Gallery, cells: int) -> None:
        self.cells = cells
        self.points, self._lattice = _points(gallery, cells)
        x, y = self.points.T
        surface = np.stack([x**i * y**j for i in range(_SMOOTH + 1) for j in range(_SMOOTH + 1 - i)], 1)
        self._smooth = np.ascontiguousarray(np.linalg.qr(surface)[0].T.astype(np.float32))
        self._gallery = gallery.templates
        self._patches: Kept[Floats] = Kept(_PATCHES)
        self._ready: Kept[tuple[Floats, Floats]] = Kept(_PULLS)
        self._vectors: Kept[tuple[Floats, float]] = Kept(_VECTORS)
        self._twofold: Kept[float] = Kept(len(gallery.templates))

    def patch(self, template: int) -> Floats:
        """A look as a patch, as if it had been cut out of a picture."""
        return self._patches.of(template, self._patch)

    def known(self, template: int) -> tuple[Floats, float]:
        """The cells of a look, and how strong it is."""
        return self._vectors.of(template, self._known)

    def pseudo_inverse(self, template: int) -> tuple[Floats, Floats]:
        """What takes cells that are seen to how far they are off in each of the eight ways, least squares; and what it
        makes of the look itself."""
        return self._ready.of(template, self._pseudo_inverse)

    def half_turn_similarity(self, template: int) -> float:
        """How alike this look is to itself turned by half."""
        return self._twofold.of(template, self._half_turn_similarity)

    def products(self, vectors: Floats, which: Sequence[int]) -> Floats:
        """Each vector with each of these looks; looks are large, so they are not copied together first."""
        return np.stack([vectors @ self.known(template)[0] for template in which], 1)

    def strengths(self, which: Sequence[int]) -> Floats:
        return np.array([self.known(template)[1] for template in which], np.float32)

    def _patch(self, template: int) -> Floats:
        return low_pass(template_patch(self._gallery[template].image), self.cells)

    def _known(self, template: int) -> tuple[Floats, float]:
        vectors, strength = self.normal(self.seen(self.patch(template), [pose(0.0)]))
        return vectors[0], float(strength[0])

    def flat(self, samples: Floats) -> Floats:
        """Samples (n x cells x 3) without the light of the room: each channel as a share of its own smooth surface."""
        # Channel by channel in memory: all that follows is several times faster so.
        values = np.ascontiguousarray(samples.transpose(0, 2, 1)).reshape(-1, samples.shape[1])
        light = (self._smooth @ values.T).T @ self._smooth
        floor = np.maximum(0.3 * values.mean(1, keepdims=True), 6.0)
        share = (values - light) / np.maximum(light, floor)
        return np.asarray(
            (_OPPONENT_COLOURS @ share.reshape(len(samples), 3, -1)).reshape(len(samples), -1), np.float32
        )

    def normal(self, vectors: Floats) -> tuple[Floats, Floats]:
        """Unit vectors, and how strong the picture was. A blank card must not blow its noise up to a picture."""
        lengths = np.linalg.norm(vectors, axis=1)
        lengths = np.maximum(lengths, 0.03 * np.sqrt(vectors.shape[1])).astype(np.float32)
        return vectors / lengths[:, None], lengths

    def seen(self, patch: Floats, poses: Sequence[Pose] | Poses) -> Floats:
        """What a patch shows at these poses."""
        return self.flat(sample(patch, self.points, poses))

    def picture(self, cells: Floats) -> Floats:
        """What is seen of a card, its cells back in their places: rows x columns x 3, 0 where a round card has none."""
        own = np.zeros((len(self.points) + 1, 3), np.float32)
        own[:-1] = cells.reshape(3, -1).T
        return np.take(own, self._lattice, axis=0)

    def similarity(self, patch: Floats, poses: Sequence[Pose] | Poses, which: Sequence[int]) -> Floats:
        """How alike the patch is to these looks, poses x looks, 1 is the same. A picture that is far paler or far
        stronger than the look is less alike: a striped shape is a pale solid one."""
        vectors, strength = self.normal(self.seen(patch, poses))
        return self.products(vectors, which) * _contrast_penalty(strength[:, None] / self.strengths(which))

    def _half_turn_similarity(self, template: int) -> float:
        return float(self.similarity(self.patch(template), [pose(180.0)], [template])[0, 0])

    def align(self, patch: Floats, starts: Sequence[tuple[int, Pose]], rounds: int = 6) -> list[Alignment]:
        """Move from each of these looks' poses to the one that fits it best (Gauss and Newton's way, from the look's
        side). All of them go together: sampling many places at once costs half as much as one by one."""
        found = [Alignment(0.0, template, place) for template, place in starts]
        tops, places = [-1.0] * len(found), [place for _, place in starts]
        climbing = list(range(len(found)))
        for _ in range(rounds):
            if not climbing:
                break
            vectors, strengths = self.normal(self.seen(patch, [places[k] for k in climbing]))
            for k, seen, strength in zip(tuple(climbing), vectors, strengths, strict=True):
                template = found[k].template
                wanted, own = self.known(template)
                product = float(seen @ wanted)
                rise = product - tops[k]
                if rise > 0:
                    tops[k] = product
                    found[k] = Alignment(product * float(_contrast_penalty(strength / own)), template, places[k])
                if rise <= _ENOUGH:
                    climbing.remove(k)
                    continue
                pseudo_inverse, rest = self.pseudo_inverse(template)
                off = np.clip((pseudo_inverse @ seen - product * rest) / max(product, 0.3), -_MAX_STEP, _MAX_STEP)
                place = places[k] @ np.linalg.inv(np.eye(3) + (off @ _GENERATORS.reshape(8, 9)).reshape(3, 3))
                places[k] = (place / place[2, 2]).astype(np.float32)
        return found

    def _pseudo_inverse(self, template: int) -> tuple[Floats, Floats]:
        ways = _GENERATORS * _STEP[:, None, None]
        seen, _ = self.normal(self.seen(self.patch(template), [*(np.eye(3) + ways), *(np.eye(3) - ways)]))
        slopes = (seen[:8] - seen[8:]) / (2 * _STEP[:, None])
        square = slopes @ slopes.T
        square += np.diag(_DAMPING * np.diag(square) + np.float32(1e-9))
        pseudo_inverse = np.linalg.solve(square, slopes)
        return pseudo_inverse, pseudo_inverse @ self.known(template)[0]


class CoarseGrid(SamplingGrid):
    """A grid so coarse that all looks at it are kept, to be compared at once, and that shows what they share."""

    def __init__(self, gallery: Gallery, cells: int) -> None:
        super().__init__(gallery, cells)
        flat = np.concatenate([self.flat(_rough(template, self.points, cells)) for template in gallery.templates])
        self.all, self.strength = self.normal(flat)
        some = flat[:: max(1, len(flat) // _TYPICAL)]
        self._middle = np.median(some, axis=0).reshape(3, -1)
        spread = some.reshape(len(some), 3, -1).var(0).sum(0)
        self._calm = spread <= np.percentile(spread, 20)

    def products(self, vectors: Floats, which: Sequence[int]) -> Floats:
        return vectors @ self.all[_rows(which)].T

    def strengths(self, which: Sequence[int]) -> Floats:
        return self.strength[_rows(which)]

    def _known(self, template: int) -> tuple[Floats, float]:
        return self.all[template], float(self.strength[template])

    def unexplained_globally(self, patch: Floats, template: int, place: Pose) -> float:
        """How much of what is seen this look does not explain, 0 to 1, beyond the noise of the picture.

        The cells that hardly differ from card to card show how noisy this photograph is; so much is forgiven at the
        others. Without it a grainy picture of a known card and a clean one of an unknown sibling look the same."""
        calm, drawn = self._calm, ~self._calm
        seen = self.seen(patch, [place])[0].reshape(3, -1)
        known = (self.all[template] * self.strength[template]).reshape(3, -1)
        noise = np.sqrt(((seen - self._middle)[:, calm] ** 2).mean(1))
        weight = (1 / np.sqrt(noise**2 + _DOUBT**2))[:, None]
        seen, known, noise = seen * weight, known * weight, noise * weight[:, 0]
        # Cameras differ most in how strong they make a colour; its kind must be right.
        gains = np.clip((seen * known).sum(1) / np.maximum((known**2).sum(1), 1e-6), 0.2, 6.0)
        gains[1:] = np.clip(gains[1:], 0.3 * gains[0], 4.0 * gains[0])
        left = seen - gains[:, None] * known
        forgiven = drawn.sum() * (noise**2).sum()
        total = (seen[:, drawn] ** 2).sum() - forgiven
        return float(np.clip(((left[:, drawn] ** 2).sum() - forgiven) / max(total, 1e-6), 0, 1))


def _contrast_penalty(strengths: Floats) -> Floats:
    """What is left of the likeness of a picture so much stronger or paler than the look."""
    return np.asarray(np.exp(-(np.log(strengths) ** 2) / _PALE), np.float32)


def _rows(which: Sequence[int]) -> Sequence[int] | slice:
    """A range of looks is cut out of the table without a copy."""
    return slice(which.start, which.stop, which.step) if isinstance(which, range) else which


def _points(gallery: Gallery, cells: int) -> tuple[Floats, NDArray[np.intp]]:
    """The middles of the cells that are compared, in card widths from the centre; and the rows and columns in which
    they lie, as a picture of their numbers. Where a round card has none there is the number after the last."""
    aspect = gallery.size[1] / gallery.size[0]
    count = round(cells * aspect)
    across = (np.arange(cells) + 0.5) / cells - 0.5
    up = aspect / 2 - (np.arange(count) + 0.5) / count * aspect
    grid = np.stack(np.meshgrid(across, up), -1)
    inside = (np.abs(grid[..., 0]) < 0.5 - EDGE) & (np.abs(grid[..., 1]) < aspect / 2 - EDGE)
    if gallery.disc:
        inside = np.hypot(grid[..., 0], grid[..., 1]) < gallery.disc - EDGE
    rows, cols = (np.flatnonzero(inside.any(side)) for side in (1, 0))
    lattice = np.where(inside, np.cumsum(inside).reshape(inside.shape) - 1, inside.sum())
    box = np.s_[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    return grid[inside].astype(np.float32), np.ascontiguousarray(lattice[box])


def _rough(template: Template, points: Floats, cells: int) -> Floats:
    """What a look shows at the cells of a coarse grid, straight from its picture at half size."""
    image = template.half
    height, width = image.shape[:2]
    soft = cv2.GaussianBlur(image.astype(np.float32), (0, 0), float(np.hypot(0.4 / cells, 0.45 / PATCH)) * width)
    across = points[None, :, 0] * width + width / 2 - 0.5
    down = height / 2 - 0.5 - points[None, :, 1] * width
    taken = cv2.remap(soft, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.float32).reshape(1, -1, 3)


def sample(patch: Floats, points: Floats, poses: Sequence[Pose] | Poses) -> Floats:
    """A prepared patch at these points of the card, for every pose: poses x points x 3."""
    table = np.asarray(poses, np.float32)
    middle = (patch.shape[0] - 1) / 2
    onto = np.array([[PATCH, 0, middle], [0, -PATCH, middle], [0, 0, 1]], np.float32) @ table
    places = onto[:, :, :2] @ points.T + onto[:, :, 2:]
    places[:, :2] /= places[:, 2:]
    taken = cv2.remap(patch, places[:, 0], places[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.float32).reshape(len(poses), -1, 3)


def low_pass(patch: Floats, cells: int) -> Floats:
    """A patch made ready for a grid: no detail finer than its cells."""
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.4 * PATCH / cells), np.float32)


def template_patch(image: Image) -> Floats:
    """A look as if it had been cut from a photograph."""
    height, width = image.shape[:2]
    homography = np.array([[width, 0, width / 2 - 0.5], [0, -width, height / 2 - 0.5], [0, 0, 1.0]])
    return cut(image, homography, 1.0, float(np.hypot(1, height / width)) / 2)


def cut(image: Image, homography: Array, unit: float, reach: float) -> Floats:
    """A square patch around a card's centre, `reach` card widths each way, `PATCH` pixels to a width. `plane` takes
    the card's own units, `unit` of them to its width, to pixels."""
    side = 2 * int(np.ceil(reach * PATCH)) + 1
    middle = (side - 1) / 2
    to_own = np.array([[1 / PATCH, 0, -middle / PATCH], [0, -1 / PATCH, middle / PATCH], [0, 0, 1]])
    warp = homography @ np.diag([unit, unit, 1.0]) @ to_own
    frame = transform(warp, [(0, 0), (side, 0), (side, side), (0, side)])
    ratio = float(np.linalg.norm(frame[1] - frame[0]) / side)
    low = np.clip(np.floor(frame.min(0)) - 4, 0, None).astype(int)
    high = np.ceil(frame.max(0)).astype(int) + 4
    part = image[low[1] : max(0, high[1]), low[0] : max(0, high[0])]
    if not part.size:
        return np.zeros((side, side, 3), np.float32)
    if ratio > 1.2:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * ratio), np.uint8)
    warp = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ warp
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(part, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return patch.astype(np.float32)

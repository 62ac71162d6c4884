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

from vision.gallery import Gallery
from vision.paint import Array, Image
from vision.view import transform

Floats = NDArray[np.float32]
Mask = NDArray[np.bool_]
PATCH = 96
"""Pixels across a card in the patch that the grids sample."""
EDGE = 0.04  # of a card's width: rounded corners, sleeves and sloppy cuts live here
_COLOUR = 3.0  # weight of the two colour channels against brightness
_MIX = (
    np.array([[1, 1, 1], [_COLOUR, 0, -_COLOUR], [-_COLOUR, 2 * _COLOUR, -_COLOUR]], np.float32)
    / np.array([[3], [2], [6]], np.float32) ** 0.5
)
_PALE = 2 * 1.5**2  # spread of a picture's strength, squared and doubled: haze, exposure, blur
ALL = slice(None)
_NUDGE = np.array([1.0, 0.012, 0.012, 0.015], np.float32)  # degrees, card widths, card widths, share of the size
_LEAP = np.array([4.0, 0.05, 0.05, 0.06])


class Pose(NamedTuple):
    """A card against its expected place: turned so far, shifted (in card widths), and sized."""

    turn: float
    x: float = 0.0
    y: float = 0.0
    grow: float = 1.0


class Fit(NamedTuple):
    """A look laid over the picture as well as it goes."""

    score: float
    look: int
    pose: Pose


class Grid:
    """The cells of one fineness and all looks of a gallery at them."""

    def __init__(self, cells: int, points: Floats, raw: Floats, patches: list[Floats]) -> None:
        self.cells, self.points, self.raw, self._patches = cells, points, raw, patches
        x, y = points[:, 0], points[:, 1]
        surface = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], 1)
        self._smooth = np.linalg.qr(surface)[0].astype(np.float32)
        self.looks, self.strength = self.normal(self.flat(raw))
        self._slopes: dict[int, Floats] = {}

    @classmethod
    def of(cls, gallery: Gallery, cells: int) -> "Grid":
        aspect = gallery.size[1] / gallery.size[0]
        count = round(cells * aspect)
        across = (np.arange(cells) + 0.5) / cells - 0.5
        up = aspect / 2 - (np.arange(count) + 0.5) / count * aspect
        grid = np.stack(np.meshgrid(across, up), -1)
        inside = (np.abs(grid[..., 0]) < 0.5 - EDGE) & (np.abs(grid[..., 1]) < aspect / 2 - EDGE)
        if gallery.disc:
            inside = np.hypot(grid[..., 0], grid[..., 1]) < min(1.0, aspect) / 2 - EDGE / 2
        points = grid[inside].astype(np.float32)
        patches = [softened(cut_look(look.image), cells) for look in gallery.looks]
        raw = np.concatenate([sample(patch, points, [Pose(0.0)]) for patch in patches])
        return cls(cells, points, raw, patches)

    def only(self, cells: Mask) -> "Grid":
        """The same looks at some of the cells, where the others are hidden."""
        return Grid(self.cells, self.points[cells], self.raw[:, cells], self._patches)

    def flat(self, samples: Floats) -> Floats:
        """Samples (n x cells x 3) without the light of the room: each channel as a share of its own smooth surface."""
        values = samples.transpose(0, 2, 1).reshape(-1, samples.shape[1])
        light = (values @ self._smooth) @ self._smooth.T
        floor = np.maximum(0.3 * values.mean(1, keepdims=True), 6.0)
        share = ((values - light) / np.maximum(light, floor)).reshape(len(samples), 3, -1)
        return np.asarray(np.einsum("kc,ncp->nkp", _MIX, share).reshape(len(samples), -1), np.float32)

    def normal(self, vectors: Floats) -> tuple[Floats, Floats]:
        """Unit vectors, and how strong the picture was. A blank card must not blow its noise up to a picture."""
        lengths = np.linalg.norm(vectors, axis=1)
        lengths = np.maximum(lengths, 0.03 * np.sqrt(vectors.shape[1])).astype(np.float32)
        return vectors / lengths[:, None], lengths

    def seen(self, patch: Floats, poses: Sequence[Pose]) -> Floats:
        """What a patch shows at these poses."""
        return self.flat(sample(patch, self.points, poses))

    def likeness(self, patch: Floats, poses: Sequence[Pose], looks: Sequence[int] | slice = ALL) -> Floats:
        """How alike the patch is to these looks, poses x looks, 1 is the same. A picture that is far paler or far
        stronger than the look is less alike: a striped shape is a pale solid one."""
        vectors, strength = self.normal(self.seen(patch, poses))
        gain = np.log(strength[:, None] / self.strength[looks])
        return np.asarray(vectors @ self.looks[looks].T * np.exp(-(gain**2) / _PALE), np.float32)

    def climb(self, patch: Floats, look: int, pose: Pose, rounds: int = 6) -> Fit:
        """Move from this pose to the one that fits the look best (Gauss and Newton's way, from the look's side)."""
        wanted, slopes = self.looks[look], self._slope(look)
        square = slopes.T @ slopes
        square += 1e-3 * np.diag(np.diag(square)) + 1e-9 * np.eye(4, dtype=np.float32)
        best = Fit(-1.0, look, pose)
        for _ in range(rounds):
            seen = self.normal(self.seen(patch, [pose]))[0][0]
            score = float(seen @ wanted)
            if score <= best.score + 1e-4:
                return max(best, Fit(score, look, pose))
            best = Fit(score, look, pose)
            pull = np.linalg.solve(square, slopes.T @ (seen - score * wanted)) / max(score, 0.3)
            turn, x, y, grow = np.clip(pull, -_LEAP, _LEAP)
            angle, grown = np.radians(pose.turn - turn), pose.grow / (1 + grow)
            across, up = np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y
            pose = Pose(pose.turn - turn, pose.x - grown * across, pose.y - grown * up, grown)
        return best

    def _slope(self, look: int) -> Floats:
        """How this look changes when it is turned, shifted and sized a little."""
        if look not in self._slopes:
            nudges = [sign * nudge for nudge in np.diag(_NUDGE) for sign in (1, -1)]
            poses = [Pose(*np.add(nudge, (0, 0, 0, 1))) for nudge in nudges]
            seen, _ = self.normal(self.seen(self._patches[look], poses))
            self._slopes[look] = (seen[0::2] - seen[1::2]).T / (2 * _NUDGE)
        return self._slopes[look]


def sample(patch: Floats, points: Floats, poses: Sequence[Pose]) -> Floats:
    """A prepared patch at these points of the card, for every pose: poses x points x 3."""
    table = np.array(poses, np.float32)
    angle = np.radians(table[:, 0])
    cos, sin = (table[:, 3] * np.cos(angle))[:, None], (table[:, 3] * np.sin(angle))[:, None]
    x, y = points[:, 0], points[:, 1]
    middle = (patch.shape[0] - 1) / 2
    across = (cos * x - sin * y + table[:, 1:2]) * PATCH + middle
    down = middle - (sin * x + cos * y + table[:, 2:3]) * PATCH
    taken = cv2.remap(patch, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(taken, np.float32).reshape(len(poses), -1, 3)


def softened(patch: Floats, cells: int) -> Floats:
    """A patch made ready for a grid: no detail finer than its cells."""
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), 0.4 * PATCH / cells), np.float32)


def cut_look(image: Image) -> Floats:
    """A look as if it had been cut from a photograph."""
    height, width = image.shape[:2]
    plane = np.array([[width, 0, width / 2 - 0.5], [0, -width, height / 2 - 0.5], [0, 0, 1.0]])
    return cut(image, plane, 1.0, float(np.hypot(1, height / width)) / 2)


def cut(image: Image, plane: Array, unit: float, reach: float) -> Floats:
    """A square patch around a card's centre, `reach` card widths each way, `PATCH` pixels to a width. `plane` takes
    the card's own units, `unit` of them to its width, to pixels."""
    side = 2 * int(np.ceil(reach * PATCH)) + 1
    middle = (side - 1) / 2
    to_own = np.array([[1 / PATCH, 0, -middle / PATCH], [0, -1 / PATCH, middle / PATCH], [0, 0, 1]])
    warp = plane @ np.diag([unit, unit, 1.0]) @ to_own
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

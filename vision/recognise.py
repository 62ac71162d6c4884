"""Naming a card: which one is it, how is it turned, and how sure is that.

Two passes over one idea. The card is sampled on a coarse grid in every pose it may have and compared with all looks
at once; the few best are then fitted closely on a fine grid, where a digit or a dot counts. Colours are taken
relative to the card's own, channel by channel, so that the light of the room falls out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gallery import BACK, Gallery
from vision.paint import Array, Image
from vision.view import corners, transform

Floats = NDArray[np.float32]
COARSE, FINE, PATCH = 24, 64, 96  # cells across a card; the patch is what both grids sample from
START, KEEP = 4, 6  # candidates that are looked at closely, before and after the fine grid was asked


_NUDGE = (1.0, 0.012, 0.012, 0.015)  # degrees, card widths, card widths, share of the size
_LEAP = np.array([4.0, 0.05, 0.05, 0.06])


class Slack(NamedTuple):
    """How far a card may lie from where it is expected, in card widths and degrees."""

    shift: float = 0.05
    angle: float = 4.0


@dataclass(frozen=True)
class Reading:
    """One card as read. `card` is None when it is not sure; `BACK` when it lies face down."""

    card: str | None
    rotation: float
    """Counter-clockwise against the enrolled picture."""
    confidence: float
    guesses: tuple[str, ...]
    score: float
    """Likeness of the best guess, 1 is the same picture."""
    corners: Array
    """In picture pixels: the card's own top-left, top-right, bottom-right, bottom-left."""


EASY = Slack()


class Pose(NamedTuple):
    """A card against its expected place: turned so far, then shifted (card widths), then sized."""

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
    """The places on a card that are compared, and the looks of a gallery at them."""

    def __init__(self, gallery: Gallery, cells: int) -> None:
        aspect = gallery.size[1] / gallery.size[0]
        rows = round(cells * aspect)
        across = (np.arange(cells) + 0.5) / cells - 0.5
        down = aspect / 2 - (np.arange(rows) + 0.5) / rows * aspect
        grid = np.stack(np.meshgrid(across, down), -1)
        edge = 0.04  # rounded corners, sleeves and sloppy cuts live here
        inside = (np.abs(grid[..., 0]) < 0.5 - edge) & (np.abs(grid[..., 1]) < aspect / 2 - edge)
        if gallery.disc:
            inside = np.hypot(grid[..., 0], grid[..., 1]) < min(1.0, aspect) / 2 - edge / 2
        self.points = grid[inside].astype(np.float32)
        self.soft = 0.4 * PATCH / cells if cells < PATCH / 2 else 0.0
        self._sources = [look.image for look in gallery.looks]
        self._pulls: dict[int, Floats] = {}
        upright = [Pose(0.0)]
        self.looks = np.concatenate([normal(self.sample(self._patch(image), upright)) for image in self._sources])

    def _patch(self, image: Image) -> Floats:
        """A look as if it had been cut from a photograph."""
        height, width = image.shape[:2]
        plane = np.array([[width, 0, width / 2], [0, -width, height / 2], [0, 0, 1.0]])
        return self.softened(cut(image, plane, 1.0, float(np.hypot(1, height / width)) / 2))

    def softened(self, patch: Floats) -> Floats:
        """The patch without the detail that this grid is too coarse for."""
        return np.asarray(cv2.GaussianBlur(patch, (0, 0), self.soft), np.float32) if self.soft else patch

    def pull(self, look: int) -> Floats:
        """What takes a difference from this look to the pose that explains it best (Gauss and Newton's step)."""
        if look not in self._pulls:
            nudges = [sign * nudge for nudge in np.diag(_NUDGE) for sign in (1, -1)]
            tries = [Pose(*np.add(nudge, (0, 0, 0, 1))) for nudge in nudges]
            seen = normal(self.sample(self._patch(self._sources[look]), tries))
            slopes = (seen[0::2] - seen[1::2]).T / (2 * np.array(_NUDGE, np.float32))
            self._pulls[look] = np.linalg.pinv(slopes, rcond=1e-3).astype(np.float32)
        return self._pulls[look]

    def sample(self, patch: Floats, poses: Sequence[Pose]) -> Floats:
        """The patch at these places for every pose: poses x cells x 3."""
        table = np.array(poses, np.float32)
        angle = np.radians(table[:, 0])
        cos, sin = (table[:, 3] * np.cos(angle))[:, None], (table[:, 3] * np.sin(angle))[:, None]
        x, y = self.points[:, 0], self.points[:, 1]
        across = cos * x - sin * y + table[:, 1:2]
        down = -(sin * x + cos * y + table[:, 2:3])
        middle = (patch.shape[0] - 1) / 2
        taken = cv2.remap(
            patch, across * PATCH + middle, down * PATCH + middle, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(taken, np.float32).reshape(len(poses), -1, 3)

    def climb(self, patch: Floats, look: int, pose: Pose, rounds: int = 6) -> Fit:
        """Move from this pose to the one that fits the look best."""
        wanted, pull = self.looks[look], self.pull(look)
        best = Fit(-1.0, look, pose)
        for _ in range(rounds):
            seen = normal(self.sample(patch, [pose]))[0]
            score = float(seen @ wanted)
            if score <= best.score + 1e-4:
                best = max(best, Fit(score, look, pose))
                break
            best = Fit(score, look, pose)
            turn, x, y, grow = np.clip(pull @ (seen - score * wanted), -_LEAP, _LEAP)
            angle, grown = np.radians(pose.turn - turn), pose.grow / (1 + grow)
            across, up = np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y
            pose = Pose(pose.turn - turn, pose.x - grown * across, pose.y - grown * up, grown)
        return best


class Recogniser:
    """Reads cards against one gallery."""

    def __init__(self, gallery: Gallery) -> None:
        self.gallery = gallery
        self.names = np.array([look.card for look in gallery.looks])
        self.coarse, self.fine = Grid(gallery, COARSE), Grid(gallery, FINE)

    def read(self, image: Image, plane: Array, turns: Sequence[float] = (0.0, 180.0), slack: Slack = EASY) -> Reading:
        """The card that `plane` (its own units to pixels) expects in the picture, lying at one of these turns."""
        reach = float(np.hypot(1, self.gallery.size[1] / self.gallery.size[0])) / 2 + slack.shift + 0.05
        patch = cut(image, plane, self.gallery.size[0], reach)
        soft = self.coarse.softened(patch)
        steps = (-slack.angle, 0.0, slack.angle) if slack.angle else (0.0,)
        shifts = (-slack.shift, 0.0, slack.shift) if slack.shift else (0.0,)
        poses = [Pose(turn + a, x, y) for turn in turns for a in steps for x in shifts for y in shifts]
        likeness = normal(self.coarse.sample(soft, poses)) @ self.coarse.looks.T
        found = self._search(patch, soft, likeness, poses)
        ranked = sorted(found.values(), reverse=True)
        best = ranked[0]
        rival = next((other for other in ranked if self.names[other.look] != self.names[best.look]), None)
        sure = self._confidence(best, rival)
        name = str(self.names[best.look])
        guesses = dict.fromkeys(str(self.names[other.look]) for other in ranked)
        return Reading(
            name if sure >= 0.5 else None,
            self._rotation(plane, best.pose),
            sure,
            tuple(guess for guess in guesses if guess != BACK),
            best.score,
            self._corners(plane, best.pose),
        )

    def _search(self, patch: Floats, soft: Floats, likeness: Floats, poses: list[Pose]) -> dict[int, "Fit"]:
        """Fit the looks that are most alike on the coarse grid; then ask the fine grid, at the places so found, which
        looks deserve a fit of their own: near-identical cards share a place, and only fine detail parts them."""
        best_pose = likeness.argmax(0)
        found: dict[int, Fit] = {}
        for look in np.argsort(-likeness.max(0))[:START]:
            near = self.coarse.climb(soft, int(look), poses[best_pose[look]])
            found[int(look)] = self.fine.climb(patch, int(look), near.pose)
        for _ in range(2):
            places = list({fit.pose: None for fit in sorted(found.values(), reverse=True)[:3]})
            close = normal(self.fine.sample(patch, places)) @ self.fine.looks.T
            for look in np.argsort(-close.max(0))[:KEEP]:
                if int(look) not in found:
                    found[int(look)] = self.fine.climb(patch, int(look), places[close[:, look].argmax()])
        return found

    def _confidence(self, best: Fit, rival: Fit | None) -> float:
        """Like enough to be known at all, and clearly liker than the rival: measured by how far apart those two are
        in the gallery, for cards that differ in a digit differ little in likeness."""
        likely = _rise(best.score, 0.6, 20)
        if rival is None:
            return likely
        apart = 1 - float(self.fine.looks[best.look] @ self.fine.looks[rival.look])
        return likely * _rise((best.score - rival.score) / max(apart, 1e-3), 0.35, 15)

    def _rotation(self, plane: Array, pose: Pose) -> float:
        """Against the picture's own upright: where does the card's top point?"""
        top_left, top_right, *_ = self._corners(plane, pose)
        return float(np.degrees(np.arctan2(-(top_right - top_left)[1], (top_right - top_left)[0])) % 360)

    def _corners(self, plane: Array, pose: Pose) -> Array:
        width, height = self.gallery.size
        angle = np.radians(pose.turn)
        own = np.array(corners(width, height)) * pose.grow
        spun = own @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return transform(plane, spun + np.array([pose.x, pose.y]) * width)

    @cached_property
    def turns(self) -> tuple[float, ...]:
        """Every way a cut-out card may be turned."""
        return (0.0, 90.0, 180.0, 270.0)


def normal(samples: Floats) -> Floats:
    """Samples relative to the card's own colour in each channel, as one unit vector each."""
    means = samples.mean(1, keepdims=True)
    relative = samples / np.maximum(means, 8.0) - means / np.maximum(means, 8.0)
    flat = relative.reshape(len(samples), -1)
    lengths = np.linalg.norm(flat, axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(lengths, 1e-3), np.float32)


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
    part = image[low[1] : high[1], low[0] : high[0]]
    if not part.size:
        return np.zeros((side, side, 3), np.float32)
    if ratio > 1.2:
        part = np.asarray(cv2.GaussianBlur(part, (0, 0), 0.45 * ratio), np.uint8)
    warp = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1]]) @ warp
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    patch = cv2.warpPerspective(part, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return patch.astype(np.float32)


def _rise(value: float, half: float, steep: float) -> float:
    return float(1 / (1 + np.exp(-(value - half) * steep)))

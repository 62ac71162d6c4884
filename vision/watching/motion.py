"""The thumbnail in which a table is watched: what has changed there, and whether a hand or the light did it."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Zone
from vision.calibration.projection import TableProjection, corners, rigid_transform
from vision.detection.background import SHRINK
from vision.pictures import Array, Image

NOISE_PIXELS = 12  # pixels of a thumbnail that noise may change
AROUND = 6.0  # millimetres around a zone that belong to it

Thumbnail = Image
Mask = NDArray[np.bool_]
Box = tuple[NDArray[np.int64], NDArray[np.int64]]
"""The least and the largest column and row."""


class ZoneMask(NamedTuple):
    """The pixels of a zone in the thumbnail."""

    zone: Zone
    box: tuple[slice, slice]
    inside: Mask

    @classmethod
    def of(cls, zone: Zone, projection: TableProjection) -> "ZoneMask":
        around = corners(zone.width + 2 * AROUND, zone.height + 2 * AROUND)
        outline = projection.pixels(rigid_transform(around, zone.x, zone.y, zone.turn)) / SHRINK
        wide, high = (side // SHRINK for side in projection.size)
        low, top = bounds(outline, (high, wide))
        inside = np.zeros((top[1] - low[1], top[0] - low[0]), np.uint8)
        cv2.fillPoly(inside, [np.rint(outline - low).astype(np.int32)], 1)
        return cls(zone, (slice(low[1], top[1]), slice(low[0], top[0])), inside.astype(bool))

    @property
    def name(self) -> str:
        return self.zone.name

    def touched_by(self, mask: Mask) -> bool:
        """Whether more than noise of this mask, which is of the whole thumbnail, lies here."""
        return self.contains(mask[self.box])

    def contains(self, mask: Mask) -> bool:
        """Whether more than noise of this mask, which is of this box alone, lies inside."""
        return more_than_noise(mask & self.inside)


def more_than_noise(mask: Mask) -> bool:
    return int(np.count_nonzero(mask)) > NOISE_PIXELS


def reaching_in(changed: Mask) -> Mask:
    """The connected components of what has changed that touch the picture's edge: hands and arms, because cards do not
    reach in from outside."""
    closed = cv2.morphologyEx(changed.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    people = [label for label in edge if label and stats[label, cv2.CC_STAT_AREA] > 4 * NOISE_PIXELS]
    theirs = np.isin(labels, people).astype(np.uint8)
    return np.asarray(cv2.dilate(theirs, np.ones((7, 7), np.uint8)) > 0)


def bounds(points: Array, shape: tuple[int, ...]) -> Box:
    limit = (shape[1], shape[0])
    low = np.clip(np.floor(points.min(0)), 0, limit).astype(np.int64)
    return low, np.clip(np.ceil(points.max(0)) + 1, 0, limit).astype(np.int64)

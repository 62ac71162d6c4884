"""The markers of a table that is being watched: whether the camera has moved, and where the pieces stand."""

from collections.abc import Iterable, Mapping

import cv2
import numpy as np

from companion.core.layout import Layout, SeenPiece
from vision.calibration.calibrate import (
    MARKER,
    MAX_DRIFT,
    Calibration,
    find_markers,
    marker_drift,
    marker_places,
    piece_at,
)
from vision.calibration.projection import corners, rigid_transform
from vision.detection.background import SHRINK
from vision.pictures import Array, Image
from vision.watching.motion import Box, Mask, bounds

ALL_NEW = 0.5  # part of the picture: more does not change at once on a table that is watched

Markers = Mapping[int, Array]


def markers_near_changes(frame: Image, changed: Mask, layout: Layout, calibration: Calibration) -> Markers:
    """The corner markers, and the tags of pieces where something has changed: searching the whole frame takes long. It
    is done when no corner marker is where it was calibrated."""
    projection = calibration.projection
    places = marker_places(calibration.width, calibration.height).values()
    outlines = [projection.pixels(rigid_transform(corners(2 * MARKER, 2 * MARKER), *place, 0.0)) for place in places]
    markers = _markers_within(frame, [bounds(outline, frame.shape) for outline in outlines])
    if not markers:
        return find_markers(frame)
    if not layout.tags:
        return markers
    radius = 0.75 * layout.tag_size * projection.scale(layout.width / 2, layout.height / 2) / SHRINK
    side = 2 * int(np.ceil(radius)) + 1
    around = cv2.dilate(changed.astype(np.uint8), np.ones((side, side), np.uint8))
    boxes = cv2.connectedComponentsWithStats(around)[2][1:, :4].astype(np.int64) * SHRINK
    return _markers_within(frame, [(box[:2], box[:2] + box[2:]) for box in boxes]) | markers


def _markers_within(frame: Image, boxes: Iterable[Box]) -> dict[int, Array]:
    """The markers in these parts of a frame."""
    parts = [(low, np.ascontiguousarray(frame[low[1] : high[1], low[0] : high[0]])) for low, high in boxes]
    return {n: quad + low for low, part in parts if part.size for n, quad in find_markers(part).items()}


def camera_has_moved(markers: Markers, changed: Mask, layout: Layout, calibration: Calibration) -> bool:
    """Whether the corner markers lie elsewhere than they were calibrated, or everything is new and none is there."""
    corner_markers = {n: quad for n, quad in markers.items() if n not in layout.tags}
    drift = marker_drift(corner_markers, calibration)
    return bool(changed.mean() > ALL_NEW) if drift is None else drift > MAX_DRIFT


class PieceTracker:
    """Where the tagged pieces stand."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.pieces: dict[str, SeenPiece] = {}

    def update(self, markers: Markers, hands: Mask, changed: Mask, calibration: Calibration) -> None:
        """A piece whose tag is not found still stands where it stood if a hand hides it or nothing changed there."""
        tags = self._layout.tags
        seen = {tags[n]: piece_at(quad, calibration.projection) for n, quad in markers.items() if n in tags}
        for name, piece in self.pieces.items():
            if name not in seen:
                box = self._box(piece, changed.shape, calibration)
                if hands[box].any() or not changed[box].any():
                    seen[name] = piece
        self.pieces = {
            name: self.pieces[name] if name in self.pieces and _same_place(self.pieces[name], piece) else piece
            for name, piece in seen.items()
        }

    def _box(self, piece: SeenPiece, shape: tuple[int, ...], calibration: Calibration) -> tuple[slice, slice]:
        """The part of a thumbnail in which this piece was seen."""
        size = self._layout.tag_size
        around = rigid_transform(corners(size, size), piece.x, piece.y, piece.rotation)
        low, high = bounds(calibration.projection.pixels(around) / SHRINK, shape)
        return slice(low[1], high[1]), slice(low[0], high[0])


def _same_place(a: SeenPiece, b: SeenPiece) -> bool:
    turned = abs((a.rotation - b.rotation + 180) % 360 - 180)
    return bool(np.hypot(a.x - b.x, a.y - b.y) < 2.5 and turned < 6)

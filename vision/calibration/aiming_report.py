"""Aiming a camera: what the picture shows of the table, where the zones would lie in it, and what is wrong."""

from companion.core.camera_setup import Aim, Corners
from companion.core.layout import Layout
from companion.core.message import Message, message
from vision.calibration.calibrate import (
    CORNERS,
    MARKER,
    MAX_DRIFT,
    Calibration,
    CalibrationFailed,
    find_markers,
    find_projection,
    marker_drift,
    marker_places,
)
from vision.calibration.projection import TableProjection, corners, rigid_transform
from vision.pictures import Array, Image

COARSE = 1.2
"""Pixels per millimetre below which cards are hard to read."""


def aim(frame: Image, layout: Layout, calibration: Calibration | None, look: int = 0) -> Aim:
    """What this picture shows of the table."""
    found = find_markers(frame)
    seen = {number: found[number] for number in CORNERS if number in found}
    words: list[Message] = []
    projection, fits = None, False
    try:
        projection, fits = find_projection(frame, layout.width, layout.height), True
    except CalibrationFailed as problem:  # whatever makes the picture unfit is the first that it names
        words.append(problem.message)
        projection = _rough_projection(frame, layout, len(seen))
    bumped = calibration is not None and (marker_drift(seen, calibration) or 0.0) > MAX_DRIFT
    if bumped:
        words.append(message("The camera has moved since the calibration: measure again."))
    if (
        projection is None
        and calibration is not None
        and calibration.projection.size == (frame.shape[1], frame.shape[0])
    ):
        projection = calibration.projection
    scale = projection.scale(layout.width / 2, layout.height / 2) if projection else 0.0
    if 0 < scale < COARSE:
        words.append(message("The picture is coarse: hang the camera lower or choose a higher resolution."))
    return Aim(
        look,
        (frame.shape[1], frame.shape[0]),
        {number: outline(quad) for number, quad in seen.items()},
        {number: _marker_outline(projection, layout, number) for number in CORNERS if number not in seen},
        {
            zone.name: _outline_on_table(projection, zone.x, zone.y, zone.turn, zone.width, zone.height)
            for zone in layout.zones
        }
        if projection
        else {},
        fits,
        tuple(words),
        round(scale, 2),
        calibration is not None,
    )


def _rough_projection(frame: Image, layout: Layout, seen: int) -> TableProjection | None:
    """Three markers do not measure a table, but they show where the fourth should be."""
    if seen != len(CORNERS) - 1:
        return None
    try:
        return find_projection(frame, layout.width, layout.height, need=seen)
    except CalibrationFailed:
        return None


def _marker_outline(projection: TableProjection | None, layout: Layout, number: int) -> Corners | None:
    x, y = marker_places(layout.width, layout.height)[number]
    return _outline_on_table(projection, x, y, 0.0, MARKER, MARKER) if projection else None


def _outline_on_table(
    projection: TableProjection, x: float, y: float, turn: float, width: float, height: float
) -> Corners:
    return outline(projection.pixels(rigid_transform(corners(width, height), x, y, turn)))


def outline(quad: Array) -> Corners:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad)

"""Aiming a camera: what of the table is in the picture, where the zones would fall, and what is wrong in words."""

from companion.core.camera_setup import Aim, Corners
from companion.core.layout import Layout
from companion.core.message import Message, message
from vision.calibration.calibrate import (
    BUMPED,
    CORNERS,
    MARKER,
    Calibration,
    CalibrationFailed,
    find_markers,
    find_view,
    marker_places,
    wandered,
)
from vision.calibration.table_view import View, corners, lying
from vision.simulation.paint import Array, Image

COARSE = 1.2
"""Pixels to the millimetre below which cards are hard to read."""


def aim(frame: Image, layout: Layout, calibration: Calibration | None, look: int = 0) -> Aim:
    """What this picture shows of the table."""
    found = find_markers(frame)
    seen = {number: found[number] for number in CORNERS if number in found}
    words: list[Message] = []
    view, fits = None, False
    try:
        view, fits = find_view(frame, layout.width, layout.height), True
    except CalibrationFailed as problem:  # whatever makes the picture unfit is the first that it names
        words.append(problem.message)
        view = _roughly(frame, layout, len(seen))
    bumped = calibration is not None and (wandered(seen, calibration) or 0.0) > BUMPED
    if bumped:
        words.append(message("The camera has moved since the calibration: measure again."))
    if view is None and calibration is not None and calibration.view.size == (frame.shape[1], frame.shape[0]):
        view = calibration.view
    scale = view.scale(layout.width / 2, layout.height / 2) if view else 0.0
    if 0 < scale < COARSE:
        words.append(message("The picture is coarse: hang the camera lower or choose a higher resolution."))
    return Aim(
        look,
        (frame.shape[1], frame.shape[0]),
        {number: outline(quad) for number, quad in seen.items()},
        {number: _marker(view, layout, number) for number in CORNERS if number not in seen},
        {zone.name: _zone(view, zone.x, zone.y, zone.turn, zone.width, zone.height) for zone in layout.zones}
        if view
        else {},
        fits,
        tuple(words),
        round(scale, 2),
        calibration is not None,
    )


def _roughly(frame: Image, layout: Layout, seen: int) -> View | None:
    """Three markers do not measure a table, but they show where the fourth should be."""
    if seen != len(CORNERS) - 1:
        return None
    try:
        return find_view(frame, layout.width, layout.height, need=seen)
    except CalibrationFailed:
        return None


def _marker(view: View | None, layout: Layout, number: int) -> Corners | None:
    x, y = marker_places(layout.width, layout.height)[number]
    return _zone(view, x, y, 0.0, MARKER, MARKER) if view else None


def _zone(view: View, x: float, y: float, turn: float, width: float, height: float) -> Corners:
    return outline(view.pixels(lying(corners(width, height), x, y, turn)))


def outline(quad: Array) -> Corners:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad)

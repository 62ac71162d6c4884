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
from vision.calibration.lens_sheet import find_lens, find_sheet
from vision.calibration.projection import Lens, TableProjection, corners, rigid_transform
from vision.pictures import Array, Image

COARSE = 1.2
"""Pixels per millimetre below which cards are hard to read."""


def aim(frame: Image, layout: Layout, calibration: Calibration | None, look: int = 0) -> Aim:
    """What this picture shows of the table."""
    found = find_markers(frame)
    seen = {number: found[number] for number in CORNERS if number in found}
    words: list[Message] = []
    projection, fits = None, False
    sheet = find_sheet(frame) is not None
    try:
        lens = _lens(frame, layout, calibration, bent=len(seen) < len(CORNERS) or sheet)
        projection, fits = find_projection(frame, layout.width, layout.height, lens), True
        words += [_by_three(number) for number in CORNERS if number not in seen]
    except CalibrationFailed as problem:  # whatever makes the picture unfit is the first that it names
        words.append(problem.message)
    if sheet:
        words.append(
            message(
                "The lens sheet is seen: measure with it lying there; then take it away and measure the clear table."
            )
        )
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
        sheet,
    )


def _lens(frame: Image, layout: Layout, calibration: Calibration | None, *, bent: bool) -> Lens | None:
    """The lens that was measured with the sheet, or is just being. To aim by four markers none is needed."""
    known = None if calibration is None else calibration.projection
    measured = known is not None and known.lens is not None and known.lens.measured
    return find_lens(frame, layout.width, layout.height, known) if bent or measured else None


def _by_three(hidden: int) -> Message:
    marker = message("{number} ({corner})", number=hidden, corner=CORNERS[hidden])
    return message("Marker {marker} is hidden: the other three do, a little less exactly.", marker=marker)


def _marker_outline(projection: TableProjection | None, layout: Layout, number: int) -> Corners | None:
    x, y = marker_places(layout.width, layout.height)[number]
    return _outline_on_table(projection, x, y, 0.0, MARKER, MARKER) if projection else None


def _outline_on_table(
    projection: TableProjection, x: float, y: float, turn: float, width: float, height: float
) -> Corners:
    return outline(projection.pixels(rigid_transform(corners(width, height), x, y, turn)))


def outline(quad: Array) -> Corners:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in quad)

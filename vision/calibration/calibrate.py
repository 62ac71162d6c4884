"""Calibration: four printed markers fix the table in millimetres.

Markers 0 to 3 lie in the corners of the table area, counter-clockwise from near left as seat 1 sees it, upright
for seat 1. Setting up a camera fails more often over light and a covered marker than over anything clever, so
every failure says in words what to do.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import cv2
import msgspec
import numpy as np

from companion.core.drawing import Point
from companion.core.files import write_whole
from companion.core.layout import Layout, SeenPiece
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from vision.calibration.projection import Lens, TableProjection, corners, rigid_transform, rows
from vision.pictures import Array, Image, decode

MARKER = 30.0
"""Side of a corner marker, its black border included."""
INSET = 25.0
"""From the table's edges to a marker's centre."""
CORNERS = {
    0: message("near left"),
    1: message("near right"),
    2: message("far right"),
    3: message("far left"),
}
MAX_DRIFT = 4.0  # pixels the markers may wander before the camera counts as moved
UNEVEN = 0.04  # by which markers may differ in size from each other, as a logarithm: one astray by 3 cm does
ANOTHER = 0.14  # by which all of them may be larger, smaller or slimmer than they should
STEP = 8  # pixels between two places that are worked out when a picture is carried over
_VERSION = 1


class CalibrationFailed(ShinpanError):
    """The picture does not show the table well enough to measure on it."""


class Calibration(msgspec.Struct, frozen=True):
    """A measured table: its size, how it lies in the picture, and how it looks with nothing on it."""

    width: float
    height: float
    projection: TableProjection = msgspec.field(name="view")
    empty: bytes = b""
    """The picture it was measured on, PNG; the table was clear then."""
    version: int = _VERSION

    def empty_table(self) -> Image | None:
        return decode(self.empty) if self.empty else None

    def save(self, path: Path) -> None:
        """Write the file whole or not at all."""
        write_whole(path, msgspec.json.encode(self), CalibrationFailed)

    @classmethod
    def load(cls, path: Path) -> "Calibration":
        try:
            found = msgspec.json.decode(path.read_bytes(), type=cls)
        except FileNotFoundError:
            raise CalibrationFailed(
                message("{file} is not there: run `shinpan calibrate` first.", file=str(path))
            ) from None
        except OSError as problem:
            raise CalibrationFailed(
                message("{file} cannot be read: {reason}.", file=str(path), reason=problem.strerror)
            ) from None
        except msgspec.DecodeError:
            raise CalibrationFailed(message("{file} is not a calibration.", file=str(path))) from None
        if found.version != _VERSION:
            raise CalibrationFailed(
                message(
                    "{file} is of version {version}, this is {wanted}: calibrate again.",
                    file=str(path),
                    version=found.version,
                    wanted=_VERSION,
                )
            )
        return found


def calibrate(frame: Image, layout: Layout, lens: Lens | None = None, *, clear: bool = True) -> Calibration:
    """Measure the table in this picture. `clear`: nothing lies on it, so this is how empty places look."""
    projection = find_projection(frame, layout.width, layout.height, lens)
    empty = cv2.imencode(".png", frame)[1].tobytes() if clear else b""
    return Calibration(layout.width, layout.height, projection, empty)


def recalibrate(frame: Image, before: Calibration, lens: Lens | None = None) -> Calibration:
    """The same table through a camera that was moved. Cards may lie on it: how it looks empty is known from before."""
    projection = find_projection(frame, before.width, before.height, lens)
    empty = before.empty_table()
    ground = (
        b""
        if empty is None
        else cv2.imencode(".png", warp_to_projection(empty, before.projection, projection))[1].tobytes()
    )
    return Calibration(before.width, before.height, projection, ground)


def find_projection(
    frame: Image, width: float, height: float, lens: Lens | None = None, need: int = 4
) -> TableProjection:
    """The view that puts the corner markers where they are printed, or words about what is wrong."""
    complaint = exposure_fault(frame)
    if complaint:
        raise CalibrationFailed(complaint)
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    missing = [number for number in CORNERS if number not in seen]
    if len(seen) < need:
        if not seen and find_markers(np.ascontiguousarray(frame[:, ::-1])):
            raise CalibrationFailed(message("The picture is mirrored: switch that off in the camera's settings."))
        raise CalibrationFailed(_hidden(missing))
    places = marker_places(width, height)
    own = np.vstack([rigid_transform(corners(MARKER, MARKER), *places[number], 0.0) for number in seen])
    there = np.vstack(list(seen.values()))
    found, _ = cv2.findHomography(own, lens.undistort(there) if lens else there)
    if found is None:
        raise CalibrationFailed(message("The corner markers lie in no possible order: is a sheet upside down?"))
    projection = TableProjection((frame.shape[1], frame.shape[0]), rows(found / found[2, 2]), lens)
    complaint = marker_layout_fault(seen, projection.size, width, height, lens) if not missing else None
    if complaint:
        raise CalibrationFailed(complaint)
    off = np.linalg.norm(projection.pixels(own) - there, axis=1).reshape(-1, 4).mean(1)
    if off.max() > 0.012 * max(frame.shape):
        raise CalibrationFailed(_astray(list(seen)[int(off.argmax())], width, height))
    return projection


def _astray(number: int, width: float, height: float) -> Message:
    return message(
        "The markers do not fit a table of {width} x {height} mm; check marker {marker}: it must lie in its corner,"
        " upright for seat 1.",
        width=f"{width:g}",
        height=f"{height:g}",
        marker=_marker(number),
    )


def _marker(number: int) -> Message:
    return message("{number} ({corner})", number=number, corner=CORNERS[number])


def marker_layout_fault(
    seen: Mapping[int, Array], size: tuple[int, int], width: float, height: float, lens: Lens | None
) -> Message | None:
    """What is wrong with how the markers lie, in words. Four middles fit any table there is; but on a wrong one the
    markers have the wrong sizes. How they are turned by a few degrees is nobody's business."""
    places = marker_places(width, height)
    flat = {number: lens.undistort(quad) if lens else quad for number, quad in seen.items()}
    middles = np.array([quad.mean(0) for quad in flat.values()], np.float32)
    plane = cv2.getPerspectiveTransform(np.array([places[number] for number in flat], np.float32), middles)
    projection = TableProjection(size, rows(np.asarray(plane, float)))
    grown = []
    for number, quad in flat.items():
        right = projection.pixels(rigid_transform(corners(MARKER, MARKER), *places[number], 0.0))
        change = np.linalg.lstsq(right - right.mean(0), quad - quad.mean(0), rcond=None)[0]
        grown.append(np.log(np.maximum(np.linalg.svd(change)[1], 1e-3)))
    sizes, stretch = np.mean(grown, axis=1), np.ptp(grown, axis=1)
    if np.abs(sizes - np.median(sizes)).max() > UNEVEN:
        # The one without which the others fit best.
        without = {
            number: _reprojection_error({n: quad for n, quad in seen.items() if n != number}, size, places, lens)
            for number in seen
        }
        return _astray(min(without, key=lambda number: without[number]), width, height)
    if abs(np.median(sizes)) > ANOTHER or np.median(stretch) > ANOTHER:
        return message(
            "The markers do not lie as on a table of {width} x {height} mm: is this the mat of another game, or were"
            " they not printed at 100 %?",
            width=f"{width:g}",
            height=f"{height:g}",
        )
    return None


def estimate_distortion(frame: Image, width: float, height: float) -> Lens | None:
    """The bend of the lens, as far as the corner markers tell: straight lines that are not straight. None when a plain
    view fits as well."""
    high, wide = frame.shape[:2]
    matrix = rows(np.array([[wide, 0, wide / 2], [0, wide, high / 2], [0, 0, 1.0]]))
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    if len(seen) < len(CORNERS):
        return None
    places = marker_places(width, height)
    lenses = [Lens(matrix, (float(distortion), 0.0, 0.0, 0.0, 0.0)) for distortion in np.linspace(-0.3, 0.1, 41)]
    misfits = [_reprojection_error(seen, (wide, high), places, lens) for lens in lenses]
    plain = _reprojection_error(seen, (wide, high), places, None)
    best = int(np.argmin(misfits))
    return lenses[best] if misfits[best] < min(0.6 * plain, plain - 0.3) else None


def _reprojection_error(
    seen: Mapping[int, Array], size: tuple[int, int], places: Mapping[int, Point], lens: Lens | None
) -> float:
    """Mean distance in pixels between where the markers' corners are and where a view puts them."""
    own = np.vstack([rigid_transform(corners(MARKER, MARKER), *places[number], 0.0) for number in seen])
    there = np.vstack(list(seen.values()))
    found, _ = cv2.findHomography(own, lens.undistort(there) if lens else there)
    projection = TableProjection(size, rows(np.asarray(found, float)), lens)
    return float(np.linalg.norm(projection.pixels(own) - there, axis=1).mean())


def moved(frame: Image, calibration: Calibration) -> float | None:
    """How many pixels the corner markers have wandered since the calibration; None when none is to be seen."""
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    return marker_drift(seen, calibration)


def marker_drift(seen: Mapping[int, Array], calibration: Calibration) -> float | None:
    places = marker_places(calibration.width, calibration.height)
    far = [
        np.linalg.norm(
            quad - calibration.projection.pixels(rigid_transform(corners(MARKER, MARKER), *places[number], 0.0)), axis=1
        )
        for number, quad in seen.items()
        if number in places
    ]
    return float(np.median(np.concatenate(far))) if far else None


def warp_to_projection(empty: Image, before: TableProjection, now: TableProjection) -> Image:
    """The clear table as it would look through a camera that was moved: every pixel looks up where it was before.
    What the old picture did not show repeats its edge."""
    wide, high = now.size
    across, down = np.meshgrid(np.arange(0, wide + STEP, STEP), np.arange(0, high + STEP, STEP))
    there = before.pixels(now.millimetres(np.stack([across, down], -1).reshape(-1, 2)))
    coarse = there.reshape(*across.shape, 2).astype(np.float32)
    # Between two places that were worked out the rest lies on a straight line, near enough.
    x, y = np.meshgrid(np.arange(wide, dtype=np.float32) / STEP, np.arange(high, dtype=np.float32) / STEP)
    fine = cv2.remap(coarse, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.remap(empty, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def find_markers(frame: Image) -> dict[int, Array]:
    """Every marker in the picture: its number and its corners, from its own top-left clockwise."""
    found, numbers, _ = _detector().detectMarkers(frame)
    if numbers is None:
        return {}
    return {int(n): np.asarray(quad, float).reshape(4, 2) for n, quad in zip(numbers.ravel(), found, strict=True)}


def piece_at(quad: Array, projection: TableProjection) -> SeenPiece:
    """Where a marker lies on the table and which way its top points."""
    places = projection.millimetres(quad)
    x, y = places.mean(0)
    up = (places[0] + places[1] - places[2] - places[3]) / 2
    return SeenPiece(float(x), float(y), float(np.degrees(np.arctan2(-up[0], up[1])) % 360))


def exposure_fault(frame: Image) -> Message | None:
    """What makes this picture useless; None when it is fit to be measured."""
    grey = frame if frame.ndim == 2 else cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
    dark, bright = np.percentile(grey, (2, 98))
    if bright < 12:
        return message("The picture is black: is the lens cap on, or the camera covered?")
    if bright < 55:
        return message("The picture is too dark to see the markers: put on more light.")
    if dark > 235:
        return message("The picture is washed out: there is too much light, or the exposure is too long.")
    if bright - dark < 12:
        return message("The picture shows nothing but one colour: is something in front of the camera?")
    return None


def marker_places(width: float, height: float) -> dict[int, tuple[float, float]]:
    """The centres of the corner markers on a table of this size."""
    return {
        0: (INSET, INSET),
        1: (width - INSET, INSET),
        2: (width - INSET, height - INSET),
        3: (INSET, height - INSET),
    }


@cache
def dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    wishes = cv2.aruco.DetectorParameters()
    wishes.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    wishes.minMarkerPerimeterRate = 0.02
    return cv2.aruco.ArucoDetector(dictionary(), wishes)


def _hidden(missing: list[int]) -> Message:
    first, *more = (_marker(number) for number in missing)
    if len(missing) == len(CORNERS):
        return message("None of the four corner markers is to be seen: lay out the sheets of `shinpan print markers`.")
    if not more:
        return message("Marker {marker} is hidden or too blurred to read.", marker=first)
    for between in more[:-1]:
        first = message("{one}, {other}", one=first, other=between)
    return message("Markers {some} and {last} are hidden or too blurred to read.", some=first, last=more[-1])

"""Calibration: four printed ArUco markers tell where the table lies, in millimetres.

Markers 0 to 3 lie in the corners of the table area, counter-clockwise from near left as seat 1 sees it, upright for
seat 1. Most failures have simple causes, such as bad light or a covered marker, so every failure says what to do.
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
from companion.core.validation import read_json
from vision.calibration.lens_fit import TableFit, fit_table
from vision.calibration.projection import Lens, TableProjection, as_rows, corners, rigid_transform, transform
from vision.pictures import Array, Floats, Image, decode

MARKER = 30.0
"""Millimetres: side of a corner marker, its black border included."""
INSET = 25.0
"""Millimetres from the table's edges to a marker's centre."""
CORNERS = {
    0: message("near left"),
    1: message("near right"),
    2: message("far right"),
    3: message("far left"),
}
MAX_DRIFT = 4.0  # pixels that the markers may drift before the camera counts as moved
# Millimetres. Divided by the sides of the table: the logarithm by which markers may seem to differ in size,
# as they do when all of them lie 4 mm off in the worst directions. A single one that lies 3 to 5 cm off exceeds it.
LAID_BY_HAND = 14.5
SIZE_ERROR = 0.14  # logarithm by which all of them may be larger, smaller or slimmer than they should be
NEEDED = 3  # corner markers
PAPER = 99.7  # per cent of a picture that may be darker than white paper: on a black table only the markers are bright
THREE_AGREE = 0.6  # pixels by which three markers may miss where they should be: no fourth one could tell
GRID_STEP = 8  # pixels between two points that are mapped exactly when a picture is warped
_VERSION = 1


class CalibrationFailed(ShinpanError):
    """The picture does not show the table well enough to measure on it."""


class DamagedCalibration(CalibrationFailed):
    """A calibration file that can never be used: its bytes were changed, or it is something else."""


class Calibration(msgspec.Struct, frozen=True):
    """A measured table: its size, where it lies in the picture, and how it looks with nothing on it."""

    width: float
    height: float
    projection: TableProjection = msgspec.field(name="view")
    empty: bytes = b""
    """The picture it was measured on, as a PNG; empty if something lay on the table."""
    version: int = _VERSION

    def empty_table(self) -> Image | None:
        return decode(self.empty) if self.empty else None

    def save(self, path: Path) -> None:
        """Write the file completely or not at all."""
        write_whole(path, msgspec.json.encode(self), CalibrationFailed)

    @classmethod
    def known(cls, path: Path) -> "Calibration | None":
        """What was measured before, if that can be used."""
        try:
            return cls.load(path)
        except CalibrationFailed:
            return None

    @classmethod
    def load(cls, path: Path) -> "Calibration":
        try:
            found = read_json(path.read_bytes(), cls)
        except FileNotFoundError:
            raise CalibrationFailed(
                message("{file} is not there: run `shinpan calibrate` first.", file=str(path))
            ) from None
        except OSError as problem:
            raise CalibrationFailed(
                message("{file} cannot be read: {reason}.", file=str(path), reason=problem.strerror)
            ) from None
        except msgspec.DecodeError:
            raise DamagedCalibration(message("{file} is not a calibration.", file=str(path))) from None
        if found.version != _VERSION:
            raise CalibrationFailed(
                message(
                    "{file} is of version {version}, this is {wanted}: calibrate again.",
                    file=str(path),
                    version=found.version,
                    wanted=_VERSION,
                )
            )
        if not _possible(found):
            raise DamagedCalibration(message("{file} is not a calibration.", file=str(path)))
        return found


def _possible(found: Calibration) -> bool:
    """Whether a table can have been measured like that."""
    projection = found.projection
    homography = np.array(projection.homography)
    lens = msgspec.json.encode(projection.lens)  # what is not a number or not finite is written as null
    return (
        homography.shape == (3, 3)
        and bool(np.isfinite(homography).all())
        and abs(np.linalg.det(homography)) > 1e-12
        and (projection.lens is None or b"null" not in lens)
        and all(0 < side < 1e5 for side in (found.width, found.height, *projection.size))
        and (not found.empty or _opens(found.empty))
    )


def _opens(picture: bytes) -> bool:
    try:
        return decode(picture) is not None
    except (ShinpanError, cv2.error):
        return False


def calibrate(frame: Image, layout: Layout, lens: Lens | None = None, *, clear: bool = True) -> Calibration:
    """Measure the table in this picture. `clear`: nothing lies on it, so the picture shows how it looks empty."""
    projection = find_projection(frame, layout.width, layout.height, lens)
    empty = cv2.imencode(".png", frame)[1].tobytes() if clear else b""
    return Calibration(layout.width, layout.height, projection, empty)


def recalibrate(frame: Image, before: Calibration, lens: Lens | None = None) -> Calibration:
    """The same table through a camera that was moved. Cards may lie on it: how it looks empty is known already."""
    projection = find_projection(frame, before.width, before.height, lens)
    empty = before.empty_table()
    ground = (
        b""
        if empty is None
        else cv2.imencode(".png", warp_to_projection(empty, before.projection, projection))[1].tobytes()
    )
    return Calibration(before.width, before.height, projection, ground)


def find_projection(
    frame: Image, width: float, height: float, lens: Lens | None = None, need: int = NEEDED
) -> TableProjection:
    """The projection that puts the corner markers where they are printed; `CalibrationFailed` says what is wrong. Three
    of them do, where the lens is known or does not bend."""
    complaint = exposure_fault(frame)
    if complaint:
        raise CalibrationFailed(complaint)
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    missing = [number for number in CORNERS if number not in seen]
    if len(seen) < need:
        if not seen and find_markers(np.ascontiguousarray(frame[:, ::-1])):
            raise CalibrationFailed(message("The picture is mirrored: switch that off in the camera's settings."))
        raise CalibrationFailed(_hidden_markers(missing))
    places = marker_places(width, height)
    there = np.vstack(list(seen.values()))
    flat = lens.undistort(there) if lens else there
    if missing:
        return _by_three(seen, (frame.shape[1], frame.shape[0]), width, height, lens)
    side = MARKER * _marker_size(seen, width, height, lens)
    own = np.vstack([rigid_transform(corners(side, side), *places[number], 0.0) for number in seen])
    found, _ = cv2.findHomography(own, flat)
    if found is None:
        raise CalibrationFailed(message("The corner markers lie in no possible order: is a sheet upside down?"))
    projection = TableProjection((frame.shape[1], frame.shape[0]), as_rows(found / found[2, 2]), lens)
    complaint = marker_layout_fault(seen, projection.size, width, height, lens)
    if complaint:
        raise CalibrationFailed(complaint)
    off = np.linalg.norm(projection.pixels(own) - there, axis=1).reshape(-1, 4).mean(1)
    if off.max() > 0.012 * max(frame.shape):
        raise CalibrationFailed(_misplaced_marker(list(seen)[int(off.argmax())], width, height))
    return projection


def _by_three(
    seen: Mapping[int, Array], size: tuple[int, int], width: float, height: float, lens: Lens | None
) -> TableProjection:
    """The fourth is hidden. Where the others lie, how large they are and how they are tilted say as much, as long as
    they agree: a sheet in the wrong place, or a lens that bends and is not known, shows in what is left over."""
    flat = {number: lens.undistort(quad) if lens else quad for number, quad in seen.items()}
    found = fit_markers(flat, size, width, height, 0)
    if found.misfit > THREE_AGREE or abs(np.log(max(found.marker_size, 1e-3))) > SIZE_ERROR:
        raise CalibrationFailed(_hidden_markers([number for number in CORNERS if number not in seen]))
    return msgspec.structs.replace(found.projection, lens=lens)


def _misplaced_marker(number: int, width: float, height: float) -> Message:
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
    """What is wrong with how the markers lie, if anything. Four centres fit any table, but on a wrong one the markers
    have wrong sizes. A marker that is rotated by a few degrees is fine."""
    places, growth = marker_places(width, height), _growth(seen, width, height, lens)
    sizes, stretch = np.mean(growth, axis=1), np.ptp(growth, axis=1)
    if np.abs(sizes - np.median(sizes)).max() > LAID_BY_HAND * (1 / width + 1 / height):
        # The misplaced one is that without which the others fit best.
        without = {
            number: _reprojection_error({n: quad for n, quad in seen.items() if n != number}, size, places, lens)
            for number in seen
        }
        return _misplaced_marker(min(without, key=lambda number: without[number]), width, height)
    if abs(np.median(sizes)) > SIZE_ERROR or np.median(stretch) > SIZE_ERROR:
        return message(
            "The markers do not lie as on a table of {width} x {height} mm: is this the mat of another game, or were"
            " they not printed at 100 %?",
            width=f"{width:g}",
            height=f"{height:g}",
        )
    return None


def _growth(seen: Mapping[int, Array], width: float, height: float, lens: Lens | None) -> list[Array]:
    """How much larger each marker is seen, both ways, than it should be between the middles of all; logarithms."""
    places = marker_places(width, height)
    flat = {number: lens.undistort(quad) if lens else quad for number, quad in seen.items()}
    middles = np.array([_middle(quad) for quad in flat.values()], np.float32)
    plane = np.asarray(cv2.getPerspectiveTransform(np.array([places[n] for n in flat], np.float32), middles), float)
    growth = []
    for number, quad in flat.items():
        right = transform(plane, rigid_transform(corners(MARKER, MARKER), *places[number], 0.0))
        change = np.linalg.lstsq(right - right.mean(0), quad - quad.mean(0), rcond=None)[0]
        growth.append(np.log(np.maximum(np.linalg.svd(change)[1], 1e-3)))
    return growth


def _middle(quad: Array) -> Array:
    """Where a square's diagonals cross, which is its middle however it is tilted."""
    one, other = (np.cross(np.append(quad[k], 1.0), np.append(quad[k + 2], 1.0)) for k in (0, 1))
    x, y, w = np.cross(one, other)
    return np.array([x / w, y / w]) if abs(w) > 1e-9 else quad.mean(0)


def _marker_size(seen: Mapping[int, Array], width: float, height: float, lens: Lens | None) -> float:
    """How large the markers were printed, 1 is as they should be: some printers fit everything to the page."""
    return float(np.exp(np.median(np.mean(_growth(seen, width, height, lens), axis=1))))


def estimate_distortion(frame: Image, width: float, height: float) -> Lens | None:
    """How the lens bends, by the least reprojection error of the corner markers. None when a lens that does not bend
    fits as well."""
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    if len(seen) < len(CORNERS):
        return None
    plain, bent = (fit_markers(seen, (frame.shape[1], frame.shape[0]), width, height, bends) for bends in (0, 2))
    return bent.projection.lens if bent.misfit < min(0.6 * plain.misfit, plain.misfit - 0.3) else None


def fit_markers(
    seen: Mapping[int, Array],
    size: tuple[int, int],
    width: float,
    height: float,
    bends: int,
    sheet: tuple[Array, Array] | None = None,
) -> TableFit:
    """The camera that sees these corner markers best; so many coefficients say how its lens bends. `sheet`: points of
    a sheet on the table, and where they are seen."""
    places = marker_places(width, height)
    own = np.vstack([rigid_transform(corners(MARKER, MARKER), *places[number], 0.0) for number in seen])
    middles = np.vstack([[places[number]] * 4 for number in seen])
    return fit_table(middles, own, np.vstack(list(seen.values())), size, bends, sheet)


def _reprojection_error(
    seen: Mapping[int, Array], size: tuple[int, int], places: Mapping[int, Point], lens: Lens | None
) -> float:
    """Mean distance in pixels between where the markers' corners are seen and where a projection puts them."""
    own = np.vstack([rigid_transform(corners(MARKER, MARKER), *places[number], 0.0) for number in seen])
    there = np.vstack(list(seen.values()))
    found, _ = cv2.findHomography(own, lens.undistort(there) if lens else there)
    projection = TableProjection(size, as_rows(np.asarray(found, float)), lens)
    return float(np.linalg.norm(projection.pixels(own) - there, axis=1).mean())


def camera_drift(frame: Image, calibration: Calibration) -> float | None:
    """How many pixels the corner markers have drifted since the calibration; None when none is visible."""
    seen = {number: quad for number, quad in find_markers(frame).items() if number in CORNERS}
    return marker_drift(seen, calibration)


def marker_drift(seen: Mapping[int, Array], calibration: Calibration) -> float | None:
    """The median distance in pixels of these markers' corners from where they were calibrated."""
    places = marker_places(calibration.width, calibration.height)
    distances = [
        np.linalg.norm(
            quad - calibration.projection.pixels(rigid_transform(corners(MARKER, MARKER), *places[number], 0.0)), axis=1
        )
        for number, quad in seen.items()
        if number in places
    ]
    return float(np.median(np.concatenate(distances))) if distances else None


def warp_to_projection(empty: Image, before: TableProjection, now: TableProjection) -> Image:
    """The empty table as it would look through a camera that was moved. What the old picture did not show repeats its
    edge."""
    wide, high = now.size
    across, down = np.meshgrid(np.arange(0, wide + GRID_STEP, GRID_STEP), np.arange(0, high + GRID_STEP, GRID_STEP))
    there = before.pixels(now.millimetres(np.stack([across, down], -1).reshape(-1, 2)))
    coarse = there.reshape(*across.shape, 2).astype(np.float32)
    # Between the points that were mapped exactly, linear interpolation is good enough.
    x, y = np.meshgrid(np.arange(wide, dtype=np.float32) / GRID_STEP, np.arange(high, dtype=np.float32) / GRID_STEP)
    fine = cv2.remap(coarse, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = cv2.remap(empty, fine[..., 0], fine[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8)


def find_markers(frame: Image) -> dict[int, Array]:
    """Every marker in the picture: its number and its corners, clockwise from its own top left. Out of focus, white
    spreads over black, because light adds up and grey levels do not: so they are searched, and their edges measured,
    in light."""
    light = cv2.LUT(_grey(frame), _LIGHT)
    found = _detected(frame)
    if len(found) < len(CORNERS):
        soft = cv2.addWeighted(light, 3.0, cv2.GaussianBlur(light, (0, 0), 4.0), -2.0, 0.0)
        found = _detected(np.asarray(soft, np.uint8)) | found
    smooth = cv2.GaussianBlur(light, (0, 0), 1.0).astype(np.float32)
    return {number: _sharpened(smooth, quad) for number, quad in found.items()}


_LIGHT = np.rint(255 * (np.arange(256) / 255) ** 2.2).astype(np.uint8)


def _detected(picture: Image) -> dict[int, Array]:
    found, numbers, _ = _detector().detectMarkers(picture)
    if numbers is None:
        return {}
    return {int(n): np.asarray(quad, float).reshape(4, 2) for n, quad in zip(numbers.ravel(), found, strict=True)}


def _sharpened(light: Floats, quad: Array) -> Array:
    """The corners of a marker as its four edges meet, each a line through the places where black turns white."""
    reach = 0.1 * float(np.linalg.norm(quad - quad[[1, 2, 3, 0]], axis=1).mean())
    off = np.arange(-reach, reach + 0.1, 0.25)
    edges = []
    for start, end in zip(quad, quad[[1, 2, 3, 0]], strict=True):
        along = end - start
        outwards = np.array([along[1], -along[0]]) / np.linalg.norm(along)
        base = start + np.linspace(0.15, 0.85, 24)[:, None] * along
        at = (base[:, None] + off[:, None] * outwards).astype(np.float32)
        rise = np.clip(np.gradient(cv2.remap(light, at[..., 0], at[..., 1], cv2.INTER_LINEAR), axis=1), 0, None) ** 2
        steep = rise.max(1) > 0.1 * np.median(rise.max(1))
        if steep.sum() < 6:
            return quad
        places = base[steep] + ((rise * off).sum(1) / np.maximum(rise.sum(1), 1e-6))[steep, None] * outwards
        way_x, way_y, x, y = cv2.fitLine(places.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        edges.append(np.cross([x, y, 1.0], [x + way_x, y + way_y, 1.0]))
    met = np.array([np.cross(edges[k - 1], edges[k]) for k in range(4)])
    found = met[:, :2] / met[:, 2:]
    near = np.isfinite(found).all() and np.linalg.norm(found - quad, axis=1).max() < 2 * reach
    return np.asarray(found if near else quad, float)


def piece_at(quad: Array, projection: TableProjection) -> SeenPiece:
    """Where a marker lies on the table and which way its top points."""
    places = projection.millimetres(quad)
    x, y = places.mean(0)
    up = (places[0] + places[1] - places[2] - places[3]) / 2
    return SeenPiece(float(x), float(y), float(np.degrees(np.arctan2(-up[0], up[1])) % 360))


def exposure_fault(frame: Image) -> Message | None:
    """What makes this picture unfit to be measured; None when it is fit."""
    if 12 <= np.percentile(_grey(frame), PAPER) < 55:
        return message("The picture is too dark to see the markers: put on more light.")
    return nothing_to_see(frame)


def _grey(frame: Image) -> Image:
    return frame if frame.ndim == 2 else np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)


def nothing_to_see(frame: Image) -> Message | None:
    """Why nothing at all can be seen in this picture; None when something can."""
    dark, bright = np.percentile(_grey(frame), (100 - PAPER, PAPER))
    if bright < 12:
        return message("The picture is black: is the lens cap on, or the camera covered?")
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
def marker_dictionary() -> cv2.aruco.Dictionary:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


@cache
def _detector() -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.minMarkerPerimeterRate = 0.02
    # Out of focus the cells of a marker run into each other: a faint one is still read, by the middle of each cell.
    parameters.minOtsuStdDev = 2.0
    parameters.perspectiveRemoveIgnoredMarginPerCell = 0.25
    return cv2.aruco.ArucoDetector(marker_dictionary(), parameters)


def _hidden_markers(missing: list[int]) -> Message:
    first, *more = (_marker(number) for number in missing)
    if len(missing) == len(CORNERS):
        return message("None of the four corner markers is to be seen: lay out the sheets of `shinpan print markers`.")
    if not more:
        return message("Marker {marker} is hidden or too blurred to read.", marker=first)
    for between in more[:-1]:
        first = message("{one}, {other}", one=first, other=between)
    return message("Markers {some} and {last} are hidden or too blurred to read.", some=first, last=more[-1])

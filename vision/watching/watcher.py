"""Watching a table: when is it still, what has changed, and what lies there now.

Most frames show nothing new and cost next to nothing. Only when the picture has come to rest are the zones looked
at whose pixels changed, and a zone under somebody's arm is left alone: it is not known, which is not the same as
empty.
"""

from collections.abc import Iterable, Mapping, Set

import cv2
import numpy as np

from companion.core.layout import Layout, SeenCard, SeenPiece, Sight
from companion.core.message import Message, message
from vision.calibration.calibrate import (
    MARKER,
    MAX_DRIFT,
    Calibration,
    CalibrationFailed,
    estimate_distortion,
    exposure_fault,
    find_markers,
    marker_drift,
    marker_places,
    piece_at,
    recalibrate,
)
from vision.calibration.projection import corners, rigid_transform
from vision.detection.background import channel_difference
from vision.pictures import Array, Image
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import Recogniser
from vision.watching.motion import (
    SHRINK,
    Box,
    Mask,
    Thumbnail,
    ZoneMask,
    bounds,
    downscaled,
    match_exposure,
    more_than_noise,
    reaching_in,
)
from vision.watching.speculative import SpeculativeReadings, doubtful
from vision.watching.zone_reader import ZoneReader

MOVED = 16  # grey levels that noise and flicker do not reach there
PUSHED = 3.0  # millimetres that a covered card has to move to be news: nobody may touch it until it is turned up
ALL_NEW = 0.5  # of the picture: so much does not change at once on a table that is watched
PATIENCE = 3  # still frames to look again before an unsure reading is passed on
AGAIN = 6  # and from then on it is looked at again at every so many frames, for as long as it is unsure


class Watcher:
    """Looks at every frame and says what lies on the table when that has changed."""

    def __init__(
        self, layout: Layout, gallery: Gallery | Recogniser, calibration: Calibration, *, still: int = 3
    ) -> None:
        self.layout, self.calibration, self.still = layout, calibration, still
        self.recogniser = gallery if isinstance(gallery, Recogniser) else Recogniser(gallery)
        self.reader = ZoneReader(layout, self.recogniser, calibration)
        self.notice: Message | None = None
        """What is wrong with the picture; None when it is fine."""
        self._foreign = _foreign(layout, calibration)
        self._places = [ZoneMask.of(zone, calibration.projection) for zone in layout.zones]
        self._camera_moved = False
        self._before: Thumbnail | None = None
        self._quiet = 0
        self._known: Thumbnail | None = None
        self._zones: dict[str, tuple[SeenCard, ...]] = {}
        self._stale = {zone.name for zone in layout.zones}
        self._covered: frozenset[str] = frozenset()
        self._doubts: dict[str, int] = {}  # unsure zones: how often they were looked at
        self._piled = False
        self._pieces: dict[str, SeenPiece] = {}
        self._told: Sight | None = None
        self._speculative = SpeculativeReadings(still, self._differs)

    def look(self, frame: Image, at: float) -> Sight | None:
        """A new sight of the table, if it lies still and something on it is new. `at` is when the frame was taken."""
        small = downscaled(frame, (frame.shape[1] // SHRINK, frame.shape[0] // SHRINK))
        before, self._before = self._before, small
        motion = None if before is None or before.shape != small.shape else self._differs(small, before)
        self._quiet = 1 if motion is None or more_than_noise(motion) else self._quiet + 1
        if self._quiet < self.still:
            if motion is not None:
                self._read_speculatively(frame, small, motion)
            return None
        useless = self._foreign or exposure_fault(small[::2, ::2])
        self.notice = useless or (self.notice if self._camera_moved else None)
        if useless:
            return None
        if not self._camera_moved and (frame.shape[1], frame.shape[0]) != self.calibration.projection.size:
            # Cameras do that when they are plugged in anew, or share a cable with others.
            self._camera_moved = True
            self.notice = message("The camera's pictures have another size: the table is being measured again.")
            return None
        if self._camera_moved:
            self._recover(frame)
            return None
        first = self._known is None
        known = self._reference(small) if self._known is None else match_exposure(self._known, small)
        changed = self._differs(small, known)
        doubts = {name for name, tries in self._doubts.items() if tries <= PATIENCE or self._quiet % AGAIN == 0}
        if not (first or self._stale or doubts or more_than_noise(changed)):
            self.recogniser.prepare()
            return None
        markers = find_markers(frame) if first else self._markers(frame, changed) if more_than_noise(changed) else {}
        if self._moved(markers, changed):
            # Told first; from the next frame on it is measured again.
            self._camera_moved = True
            self.notice = message("The camera was moved: the table is being measured again.")
            return None
        arms = reaching_in(changed)
        self._covered = frozenset(place.zone.name for place in self._places if place.touched(arms))
        for place in self._places:
            if place.touched(changed):
                self._stale.add(place.zone.name)
                self._doubts.pop(place.zone.name, None)
                doubts.discard(place.zone.name)
                # A like card on a pile changes nothing but how it lies, and is still news.
                self._piled |= place.zone.holds == "pile" and place.zone.name not in self._covered
        self._read(frame, small, doubts)
        if first or more_than_noise(changed):
            self._find_pieces(markers, arms, changed)
        # Under an arm the old picture stays, so that its going away is seen as no change.
        self._known = np.where(arms[..., None], known, small).astype(np.uint8)
        return self._tell()

    @property
    def settled(self) -> bool:
        """The table lies still, and all that is to be seen of it has been read."""
        return (
            not self._camera_moved and self._quiet >= self.still and not self._doubts and self._stale <= self._covered
        )

    def forget(self) -> None:
        """Look at everything afresh, as after a new calibration."""
        self._known = None
        self._stale = {zone.name for zone in self.layout.zones}
        self._told = None
        self._speculative.forget()

    def _differs(self, a: Thumbnail, b: Thumbnail) -> Mask:
        return np.asarray(channel_difference(a, b) > MOVED * self.reader.background.light_level)

    def _read_speculatively(self, frame: Image, small: Thumbnail, motion: Mask) -> None:
        """A hand still moves, but elsewhere a zone may have come to rest: it is read now, and told when all lies still.
        One in a frame, so that none is missed; and no row, which takes long."""
        if self._camera_moved or self._known is None or self._known.shape != small.shape:
            return
        resting = tuple(self._speculative.resting(self._places, small, motion))
        if not resting:
            return
        changed = self._differs(small, match_exposure(self._known, small))
        arms = reaching_in(changed)
        for place in resting:
            if place.zone.holds != "row" and place.touched(changed) and not place.touched(arms):
                self._speculative.keep(place, small, self.reader.read(frame, place.zone))
                return

    def _read(self, frame: Image, small: Thumbnail, doubts: Set[str]) -> None:
        for place in self._places:
            name = place.zone.name
            if name in self._covered or not (name in self._stale or name in doubts):
                continue
            kept = self._speculative.kept(place, small)
            seen = self.reader.read(frame, place.zone) if kept is None else kept
            before = self._zones.get(name, ()) if name in self._doubts else ()
            self._zones[name] = _surer(before, seen)
            self._stale.discard(name)
            tries = self._doubts.pop(name, 0)
            if doubtful(self._zones[name]):
                self._doubts[name] = tries + 1

    def _markers(self, frame: Image, changed: Mask) -> dict[int, Array]:
        """The markers in the corners, and the tags where something has changed: looking all over the picture takes
        long. It is done when no corner marker is where it was measured."""
        projection, tag = self.calibration.projection, self.layout.tag_size
        places = marker_places(self.calibration.width, self.calibration.height).values()
        outlines = [
            projection.pixels(rigid_transform(corners(2 * MARKER, 2 * MARKER), *place, 0.0)) for place in places
        ]
        markers = _within(frame, [bounds(outline, frame.shape) for outline in outlines])
        if not markers:
            return find_markers(frame)
        if not self.layout.tags:
            return markers
        reach = (
            2 * int(np.ceil(0.75 * tag * projection.scale(self.layout.width / 2, self.layout.height / 2) / SHRINK)) + 1
        )
        around = cv2.dilate(changed.astype(np.uint8), np.ones((reach, reach), np.uint8))
        boxes = cv2.connectedComponentsWithStats(around)[2][1:, :4].astype(np.int64) * SHRINK
        return _within(frame, [(box[:2], box[:2] + box[2:]) for box in boxes]) | markers

    def _moved(self, markers: Mapping[int, Array], changed: Mask) -> bool:
        """Do the corner markers lie elsewhere than they were measured, or is all different and none of them there?"""
        far = marker_drift({n: quad for n, quad in markers.items() if n not in self.layout.tags}, self.calibration)
        return changed.mean() > ALL_NEW if far is None else far > MAX_DRIFT

    def _recover(self, frame: Image) -> None:
        """Measure the table again where it lies now; what keeps that from being done is the notice."""
        if self._quiet % AGAIN not in (0, self.still % AGAIN):
            return
        projection, size = self.calibration.projection, (frame.shape[1], frame.shape[0])
        lens = (
            projection.lens
            if projection.size == size
            else estimate_distortion(frame, self.calibration.width, self.calibration.height)
        )
        try:
            self.calibration = recalibrate(frame, self.calibration, lens)
        except CalibrationFailed as problem:
            self.notice = message("The camera was moved. {problem}", problem=problem.message)
            return
        self.reader = ZoneReader(self.layout, self.recogniser, self.calibration)
        self._places = [ZoneMask.of(zone, self.calibration.projection) for zone in self.layout.zones]
        self._camera_moved, self.notice = False, None
        self.forget()

    def _find_pieces(self, markers: Mapping[int, Array], arms: Mask, changed: Mask) -> None:
        tags, projection = self.layout.tags, self.calibration.projection
        seen = {tags[number]: piece_at(quad, projection) for number, quad in markers.items() if number in tags}
        for name, piece in self._pieces.items():
            if name not in seen and (self._at(arms, piece) or not self._at(changed, piece)):
                seen[name] = piece
        self._pieces = {
            name: self._pieces[name] if name in self._pieces and _same_place(self._pieces[name], piece) else piece
            for name, piece in seen.items()
        }

    def _at(self, mask: Mask, piece: SeenPiece) -> bool:
        """Does the mask touch where this piece was seen?"""
        reach = self.layout.tag_size / 2
        around = rigid_transform(corners(2 * reach, 2 * reach), piece.x, piece.y, piece.rotation)
        low, high = bounds(self.calibration.projection.pixels(around) / SHRINK, mask.shape)
        return bool(mask[low[1] : high[1], low[0] : high[0]].any())

    def _tell(self) -> Sight | None:
        if any(tries <= PATIENCE for tries in self._doubts.values()):
            return None
        zones = {p.zone.name: self._zones[p.zone.name] for p in self._places if self._is_known(p.zone.name)}
        sight = Sight(zones, dict(self._pieces))
        if (
            self._told is not None
            and _gist(sight) == _gist(self._told)
            and not (self._piled or _pushed(sight, self._told))
        ):
            return None
        self._told, self._piled = sight, False
        return sight

    def _is_known(self, name: str) -> bool:
        return name in self._zones and name not in self._covered and name not in self._stale

    def _reference(self, small: Thumbnail) -> Thumbnail:
        """Before the first still picture: the clear table of the calibration, else whatever is there now."""
        empty = self.calibration.empty_table()
        if empty is None:
            return small
        return match_exposure(downscaled(empty, (small.shape[1], small.shape[0])), small)


def _foreign(layout: Layout, calibration: Calibration) -> Message | None:
    """Why this calibration is of no use to this table."""
    if max(abs(calibration.width - layout.width), abs(calibration.height - layout.height)) < 1:
        return None
    return message(
        "The calibration is of a table of {width} x {height} mm, and this game's has {wide} x {high} mm: calibrate"
        " again.",
        width=f"{calibration.width:g}",
        height=f"{calibration.height:g}",
        wide=f"{layout.width:g}",
        high=f"{layout.height:g}",
    )


def _within(frame: Image, boxes: Iterable[Box]) -> dict[int, Array]:
    """The markers in these parts of a picture."""
    parts = [(low, np.ascontiguousarray(frame[low[1] : high[1], low[0] : high[0]])) for low, high in boxes]
    return {n: quad + low for low, part in parts if part.size for n, quad in find_markers(part).items()}


def _surer(before: tuple[SeenCard, ...], now: tuple[SeenCard, ...]) -> tuple[SeenCard, ...]:
    """Two looks at the same cards: of each the one that is surer."""
    if len(before) != len(now):
        return now
    pairs = zip(before, now, strict=True)
    return tuple(max(pair, key=lambda card: (card.card is not None, card.confidence)) for pair in pairs)


def _same_place(a: SeenPiece, b: SeenPiece) -> bool:
    turned = abs((a.rotation - b.rotation + 180) % 360 - 180)
    return bool(np.hypot(a.x - b.x, a.y - b.y) < 2.5 and turned < 6)


def _gist(sight: Sight) -> tuple[Mapping[str, object], Mapping[str, SeenPiece]]:
    """What would be news: names, faces and turns, not the last tenth of a millimetre."""

    def cards(seen: tuple[SeenCard, ...]) -> list[object]:
        return [(c.card, c.face_up, c.rotation, c.guesses[:2] if c.card is None else ()) for c in seen]

    return {zone: cards(seen) for zone, seen in sight.zones.items()}, sight.pieces


def _pushed(now: Sight, before: Sight) -> bool:
    """Of two sights of like cards: has somebody moved one that lies face down?"""
    pairs = [pair for zone, cards in now.zones.items() for pair in zip(cards, before.zones[zone], strict=True)]
    return any(max(abs(a.x - b.x), abs(a.y - b.y)) > PUSHED for a, b in pairs if not a.face_up)

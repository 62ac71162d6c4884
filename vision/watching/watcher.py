"""Watching a table: when does it lie still, what has changed, and what lies there now?

Most frames show nothing new and cost next to nothing. Only when the picture has come to rest are those zones read whose
pixels have changed. A zone under a hand is left alone: it is not known, which is not the same as empty.
"""

import weakref
from collections.abc import Mapping
from contextlib import suppress

import numpy as np

from companion.core.layout import Layout, SeenCard, SeenPiece, Sight
from companion.core.message import Message, message
from vision.calibration.calibrate import (
    Calibration,
    CalibrationFailed,
    estimate_distortion,
    find_markers,
    nothing_to_see,
    recalibrate,
)
from vision.detection.background import light_level, thumbnail
from vision.detection.light import Relight, beyond, difference, drowned, new_things, noise_limits
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import Recogniser
from vision.watching.markers import Markers, PieceTracker, camera_has_moved, markers_near_changes
from vision.watching.motion import Mask, Thumbnail, ZoneMask, more_than_noise, reaching_in
from vision.watching.speculative import SpeculativeReadings, unsure
from vision.watching.still_mean import StillMean
from vision.watching.zone_reader import NotACard, ZoneReader

MOTION = 16  # grey levels that noise and flicker do not reach in a thumbnail
DIMMEST = 0.45  # least part of that limit in a dim room, where differences shrink
BLIND = 0.18  # level of light below which cards are hardly seen at all
TOO_DARK = 0.4  # level of light below which a card that cannot be read is blamed on it
GRAINY, GRAINY_STILL = 2.5, 7  # times that limit: noise that is blamed on the dark as well; frames that are read as one
BURNT_OUT = 250  # grey level that tells nothing any more
RESTED = 30  # still frames after which a table is at rest
NOISE_EVERY = 8  # frames after which the noise is measured again
PUSHED = 3.0  # millimetres that a face-down card has to move to be news: nobody may touch it until it is turned up
PATIENCE = 3  # still frames in which an unsure zone is read again before its reading is passed on
RETRY_EVERY = 6  # still frames: from then on it is read again so often, for as long as it is unsure


class Watcher:
    """Looks at every frame and says what lies on the table when that has changed.

    It belongs to one thread. Whoever wants to read with another calibration or gallery makes another watcher, and
    exchanges it between two frames."""

    def __init__(
        self, layout: Layout, gallery: Gallery | Recogniser, calibration: Calibration, *, still: int = 3
    ) -> None:
        """`still`: frames without motion after which the table lies still."""
        self.layout, self.calibration, self.still = layout, calibration, still
        self.recogniser = gallery if isinstance(gallery, Recogniser) else Recogniser(gallery)
        self.reader = ZoneReader(layout, self.recogniser, calibration)
        self.notice: Message | None = None
        """What is wrong with the picture; None when it is fine."""
        self._wrong_table = _wrong_table(layout, calibration)
        self._zone_masks = [ZoneMask.of(zone, calibration.projection) for zone in layout.zones]
        self._camera_moved = False
        self._before: Thumbnail | None = None
        self._looks = NOISE_EVERY
        self._light = 1.0
        self._noise, self._least = np.zeros(256, np.float32), float(MOTION)
        """For each grey level how large a difference of two frames noise can make, and the least that counts."""
        self._still_frames = 0
        self._reference: Thumbnail | None = None
        """The table as it was read last; what differs from it has changed since."""
        self._cards: dict[str, tuple[SeenCard, ...]] = {}
        self._stale = {zone.name for zone in layout.zones}
        """Zones that have changed since they were read."""
        self._occluded: frozenset[str] = frozenset()
        """Zones under a hand."""
        self._covered: set[str] = set()
        """Zones on which something lies that is no card."""
        self._unsure: dict[str, int] = {}
        """Zones with an unsure card, and how often they were read."""
        self._still_mean = StillMean()
        """For those zones: what is unsure in one frame may be clear in the mean of several."""
        self._pile_changed = False
        self._piece_tracker = PieceTracker(layout)
        self._reported: Sight | None = None
        watcher = weakref.proxy(self)  # a reference to itself would keep it, and its gallery, in memory
        self._speculative = SpeculativeReadings(still, lambda a, b: watcher._differs(a, b))

    def look(self, frame: Image, at: float) -> Sight | None:
        """A new sight of the table, if it lies still and something on it is new. `at` is when the frame was taken."""
        small = thumbnail(frame)
        motion = self._motion(small)
        if self._still_frames < 2:
            self._still_mean.forget()
        elif self._unsure or self._grainy:
            self._still_mean.add(frame)
        if self._still_frames < self._long_enough:
            if motion is not None:
                self._read_speculatively(frame, small, motion)
            return None
        if not self._usable(frame, small):
            return None
        return self._look_at_still(self._still_mean.of(frame) if self._grainy else frame, small)

    @property
    def settled(self) -> bool:
        """Whether the table lies still and everything visible on it has been read."""
        at_rest = not self._camera_moved and self._still_frames >= self._long_enough
        return at_rest and not self._unsure and self._stale <= self._occluded

    @property
    def resting(self) -> bool:
        """Whether nothing has moved for a second, and everything has been read."""
        return self.settled and self._still_frames > RESTED

    @property
    def _grainy(self) -> bool:
        """Whether there is so much noise that only the mean of several frames is read."""
        return float(self._noise.max()) > GRAINY * MOTION

    @property
    def _long_enough(self) -> int:
        """Frames without motion after which the table lies still."""
        return max(self.still, GRAINY_STILL) if self._grainy else self.still

    def forget(self) -> None:
        """Read everything again, as after a new calibration."""
        self._reference = None
        self._stale = {zone.name for zone in self.layout.zones}
        self._reported = None
        self._speculative.forget()

    def _motion(self, small: Thumbnail) -> Mask | None:
        """What moved since the frame before; None where there is none to compare with. Counts the still frames."""
        before, self._before = self._before, small
        motion = None
        if before is not None and before.shape == small.shape:
            self._measure_noise(small, before)
            motion = self._differs(small, before)
        self._still_frames = 1 if motion is None or more_than_noise(motion) else self._still_frames + 1
        return motion

    def _measure_noise(self, small: Thumbnail, before: Thumbnail) -> None:
        """From time to time, in two frames between which the light was the same."""
        self._looks += 1
        if self._looks < NOISE_EVERY:
            return
        some = small[::8, ::8].astype(np.int16) - before[::8, ::8]
        if np.abs(np.median(some, axis=(0, 1))).max() < 2:
            self._looks = 0
            self._noise = noise_limits(difference(small, before), small)
            self._light = light_level(small)
            self._least = MOTION * max(DIMMEST, self._light)

    def _differs(self, now: Thumbnail, before: Thumbnail) -> Mask:
        return beyond(now, before, self._noise, self._least)

    def _new_things(self, small: Thumbnail, known: Thumbnail) -> tuple[Mask, Thumbnail]:
        """Where something lies, or is gone, that is otherwise in the known picture, and that picture in the light of
        now."""
        relit = Relight.between(known, small).applied(known)
        return new_things(small, relit, self._noise, self._least, half=True), relit.astype(np.uint8)

    # --- is this a picture of the table? --------------------------------------------------------------------------

    def _usable(self, frame: Image, small: Thumbnail) -> bool:
        """Whether cards can be read in this frame; if not, the notice says why."""
        fault = self._wrong_table or nothing_to_see(small[::4, ::4])
        if fault is not None:
            self.notice = fault
            return False
        if self._camera_moved:
            self._recalibrate(frame)
            return False
        self.notice = self._poor_light(small)
        if (frame.shape[1], frame.shape[0]) != self.calibration.projection.size:
            # Cameras change their size when they are plugged in again, or share a cable with others.
            self._camera_moved = True
            self.notice = message("The camera's pictures have another size: the table is being measured again.")
            return False
        return True

    def _poor_light(self, small: Thumbnail) -> Message | None:
        """What is wrong with the light, if cards cannot be seen or read."""
        if self._light < BLIND or drowned(self._noise, self._least):
            return message("It is too dark to see the cards: a lamp would help.")
        if not (self._unsure or self._covered):
            return None
        if self._light < TOO_DARK or self._grainy:
            return message("It is too dark to read every card: a lamp would help.")
        if float((small[::2, ::2].min(2) > BURNT_OUT).mean()) > 0.1:
            return message("It is too bright to read every card: a lamp blinds the camera.")
        return None

    def _recalibrate(self, frame: Image) -> None:
        """Measure the table again where it lies now; whatever prevents that becomes the notice."""
        if self._still_frames % RETRY_EVERY not in (0, self.still % RETRY_EVERY):
            return
        before, size = self.calibration, (frame.shape[1], frame.shape[0])
        same_camera = before.projection.size == size
        lens = before.projection.lens if same_camera else estimate_distortion(frame, before.width, before.height)
        try:
            self.calibration = recalibrate(frame, before, lens)
        except CalibrationFailed as problem:
            self.notice = message("The camera was moved. {problem}", problem=problem.message)
            return
        self.reader = ZoneReader(self.layout, self.recogniser, self.calibration)
        self._zone_masks = [ZoneMask.of(zone, self.calibration.projection) for zone in self.layout.zones]
        self._camera_moved, self.notice = False, None
        self.forget()

    # --- reading --------------------------------------------------------------------------------------------------

    def _read_speculatively(self, frame: Image, small: Thumbnail, motion: Mask) -> None:
        """A hand still moves, but elsewhere a zone may have come to rest: it is read now, and reported when everything
        lies still. One zone per frame, so that no frame is missed; and no row, which takes long."""
        if self._camera_moved or self._reference is None or self._reference.shape != small.shape:
            return
        resting = tuple(self._speculative.resting(self._zone_masks, small, motion))
        if not resting:
            return
        changed, _ = self._new_things(small, self._reference)
        hands = reaching_in(changed)
        for zone in resting:
            if zone.zone.holds != "row" and zone.touched_by(changed) and not zone.touched_by(hands):
                with suppress(NotACard):
                    self._speculative.keep(zone, small, self.reader.read(frame, zone.zone))
                return

    def _look_at_still(self, frame: Image, small: Thumbnail) -> Sight | None:
        first = self._reference is None
        known = self._empty_table(small) if self._reference is None else self._reference
        retry, changed = self._due_again(), np.zeros(small.shape[:2], bool)
        if first or more_than_noise(self._differs(small, known)):
            changed, known = self._new_things(small, known)
            if not (first or more_than_noise(changed)):
                self._reference = small  # nothing is new but the light
        news = first or more_than_noise(changed)
        if not (news or self._stale or retry):
            self.recogniser.prepare()
            return None
        markers = self._markers(frame, changed, first) if news else {}
        if camera_has_moved(markers, changed, self.layout, self.calibration):
            # This frame only says so; the table is measured again from the next one on.
            self._camera_moved = True
            self.notice = message("The camera was moved: the table is being measured again.")
            return None
        hands = reaching_in(changed)
        if self._still_frames % RESTED == 0:
            self._look_beside(hands, frame, small)
        hands = self._covering(hands, small)
        self._mark_changes(changed, hands)
        if news:
            self._piece_tracker.update(markers, hands, changed, self.calibration)
            # Under a hand the old picture stays, so that nothing seems to have changed when the hand is gone.
            self._reference = np.where(hands[..., None], known, small).astype(np.uint8)
        self._read_zones(frame, small, retry & self._unsure.keys())
        return self._report()

    def _empty_table(self, small: Thumbnail) -> Thumbnail:
        """The reference before the first still frame: the empty table of the calibration, or else what is there now."""
        empty = self.reader.background.thumbnail
        return small if empty is None else empty

    def _due_again(self) -> set[str]:
        """The unsure zones that are to be read again in this frame."""
        due = self._still_frames % RETRY_EVERY == 0
        return {name for name, tries in self._unsure.items() if due or tries <= PATIENCE}

    def _markers(self, frame: Image, changed: Mask, first: bool) -> Markers:
        return find_markers(frame) if first else markers_near_changes(frame, changed, self.layout, self.calibration)

    def _look_beside(self, hands: Mask, frame: Image, small: Thumbnail) -> None:
        """Read the zones that a hand at rest seems to touch. Cards that are laid side by side are one with the arm that
        laid them, and a hand that lies there for the rest of a match hides less than all of them. Only what is surely
        read counts: a card that is explained as a whole is not covered. A row may be longer than what shows of it."""
        for zone in self._zone_masks:
            if zone.zone.holds == "row" or not zone.touched_by(hands) or self._speculative.kept(zone, small):
                continue
            with suppress(NotACard):
                cards = self.reader.read(frame, zone.zone)
                if cards and not unsure(cards):
                    self._speculative.keep(zone, small, cards)

    def _covering(self, hands: Mask, small: Thumbnail) -> Mask:
        """Hands without the zones that they only touch: those look as they did when cards were surely read there."""
        covering = hands.copy()
        for zone in self._zone_masks:
            if zone.touched_by(hands) and self._speculative.kept(zone, small):
                covering[zone.box] &= ~zone.inside
        return covering

    def _mark_changes(self, changed: Mask, hands: Mask) -> None:
        self._occluded = frozenset(zone.name for zone in self._zone_masks if zone.touched_by(hands))
        for zone in self._zone_masks:
            if zone.touched_by(changed):
                self._stale.add(zone.name)
                self._unsure.pop(zone.name, None)
                # Another copy of the same card on a pile changes nothing but how it lies, and is still news.
                self._pile_changed |= zone.zone.holds == "pile" and zone.name not in self._occluded

    def _read_zones(self, frame: Image, small: Thumbnail, retry: set[str]) -> None:
        mean = self._still_mean.of(frame) if retry else frame
        for zone in self._zone_masks:
            name = zone.name
            if name in self._occluded or not (name in self._stale or name in retry):
                continue
            kept = self._speculative.kept(zone, small)
            self._stale.discard(name)
            try:
                seen = self.reader.read(mean if name in retry else frame, zone.zone) if kept is None else kept
            except NotACard:
                self._covered.add(name)
                continue
            self._covered.discard(name)
            before = self._cards.get(name, ()) if name in self._unsure else ()
            self._cards[name] = _surer(before, seen)
            tries = self._unsure.pop(name, 0)
            if unsure(self._cards[name]):
                self._unsure[name] = tries + 1

    # --- reporting ------------------------------------------------------------------------------------------------

    def _report(self) -> Sight | None:
        """The table as it is known now, if that is news and no zone is about to be read again."""
        if any(tries <= PATIENCE for tries in self._unsure.values()):
            return None
        known = {zone.name: self._cards[zone.name] for zone in self._zone_masks if self._is_known(zone.name)}
        sight = Sight(known, dict(self._piece_tracker.pieces))
        if self._reported is not None and not self._pile_changed and _same(sight, self._reported):
            return None
        self._reported, self._pile_changed = sight, False
        return sight

    def _is_known(self, name: str) -> bool:
        return name in self._cards and not (name in self._occluded or name in self._stale or name in self._covered)


def _wrong_table(layout: Layout, calibration: Calibration) -> Message | None:
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


def _surer(before: tuple[SeenCard, ...], now: tuple[SeenCard, ...]) -> tuple[SeenCard, ...]:
    """Of two readings of the same cards, for each card the surer one."""
    if len(before) != len(now):
        return now
    pairs = zip(before, now, strict=True)
    return tuple(max(pair, key=lambda card: (card.card is not None, card.confidence)) for pair in pairs)


def _same(now: Sight, before: Sight) -> bool:
    return _content(now) == _content(before) and not _pushed(now, before)


def _content(sight: Sight) -> tuple[Mapping[str, object], Mapping[str, SeenPiece]]:
    """What would be news: names, faces and rotations, not the last tenth of a millimetre."""

    def cards(seen: tuple[SeenCard, ...]) -> list[object]:
        return [(c.card, c.face_up, c.rotation, c.guesses[:2] if c.card is None else ()) for c in seen]

    return {zone: cards(seen) for zone, seen in sight.zones.items()}, sight.pieces


def _pushed(now: Sight, before: Sight) -> bool:
    """Of two sights of the same cards: whether one that lies face down was moved."""
    pairs = [pair for zone, cards in now.zones.items() for pair in zip(cards, before.zones[zone], strict=True)]
    return any(max(abs(a.x - b.x), abs(a.y - b.y)) > PUSHED for a, b in pairs if not a.face_up)

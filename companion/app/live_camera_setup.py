"""Setting up the camera while the service runs, with the frames of the camera feed.

Nothing here reads the camera: it works on the newest frame, in the thread of whoever asks. What is measured or enrolled
goes to the disk first, and then to a new watcher that the feed takes between two frames.
"""

import threading
from pathlib import Path

import msgspec

from companion.app.camera_feed import CameraFeed
from companion.core.camera_setup import Aim, Known, NoPicture, NotClear, Reading, Spot
from companion.core.layout import Zone
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.record.match import Match
from vision.calibration.aiming_report import aim
from vision.calibration.calibrate import Calibration, calibrate, recalibrate
from vision.calibration.lens_sheet import find_lens, find_sheet
from vision.detection.card_finder import card_corners_at, rectify, table_occupied
from vision.enrolment.from_folder import gallery_path
from vision.enrolment.guided import Guide
from vision.pictures import Image, jpeg
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import Recogniser, SearchRange
from vision.watching.watcher import Watcher

CALIBRATION = "calibration.json"
FIT = SearchRange(0.055, 4.0)
"""How far a corrected card may lie from where it was seen."""


class LiveCameraSetup:
    """The camera setup of one table. With `data` None, what is measured and enrolled is forgotten when the service
    ends, as at the virtual table."""

    def __init__(
        self,
        feed: CameraFeed,
        match: Match,
        data: Path | None,
        gallery: Gallery | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self._feed, self._data = feed, data
        self._layout = match.game.table.layout(match.state)
        self._measured = calibration or self._kept_calibration()
        name = match.game.name
        path = gallery_path(data, name) if data is not None else None
        self._ways = max(zone.rotations for zone in self._layout.zones)
        cards = list(match.game.table.deck(match.state).cards)
        self._guide = Guide(name, cards, self._layout.card, self._ways, path)
        if gallery is not None:
            self._guide.gallery = gallery
        self._used = self._guide.revision if feed.watcher is not None else -1
        self._lock = threading.Lock()
        self._aimed: tuple[Image, Aim] | None = None

    def _kept_calibration(self) -> Calibration | None:
        if self._data is None:
            return None
        try:
            return Calibration.load(self._data / CALIBRATION)
        except ShinpanError:
            return None

    def _frame(self) -> Image:
        camera = self._feed.camera
        self._feed.stir()
        if camera is None:
            raise NoPicture(message("There is no camera at this table; cards are tapped on the page."))
        if camera.condition.message is not None:
            raise NoPicture(camera.condition.message)
        if self._feed.frame is None:
            raise NoPicture(message("The camera has given no picture yet."))
        return self._feed.frame

    # --- calibration ----------------------------------------------------------------------------------------------

    def aim(self) -> Aim:
        with self._lock:
            frame = self._frame()
            if self._aimed is None or self._aimed[0] is not frame:
                look = self._aimed[1].look + 1 if self._aimed else 1
                self._aimed = frame, aim(frame, self._layout, self._calibration, look)
            return self._aimed[1]

    def measure(self, *, clear: bool, sure: bool = False) -> Aim:
        frame, layout, before = self._frame(), self._layout, self._calibration
        clear = clear and find_sheet(frame) is None
        lens = find_lens(frame, layout.width, layout.height, None if before is None else before.projection)
        found = calibrate(frame, layout, lens, clear=clear)
        if before is not None and not (clear and sure):
            known = recalibrate(frame, before, lens)
            if clear and known.empty and table_occupied(frame, known, layout.card):
                raise NotClear(message("Something lies on the table that was not there when it was measured last."))
            found = found if clear else known
        if self._data is not None:
            found.save(self._data / CALIBRATION)
        self._measured = found
        if self._guide.gallery.templates:
            self._watch(self._guide.gallery, found)
        self._aimed = None
        return self.aim()

    @property
    def _calibration(self) -> Calibration | None:
        """The watcher's, where there is one: it recalibrates when the camera is bumped."""
        watcher = self._feed.watcher
        return self._measured if watcher is None else watcher.calibration

    def _watch(self, gallery: Gallery, calibration: Calibration | None = None) -> None:
        """Read with this from the next frame on."""
        calibration = calibration or self._calibration
        if calibration is None:
            raise ShinpanError(message("The table is not measured yet: calibrate first."))
        self._feed.see_with(Watcher(self._layout, gallery.on_table(self._layout.card, self._ways), calibration))
        self._used = self._guide.revision

    # --- enrolment ------------------------------------------------------------------------------------------------

    def spot(self) -> Spot:
        self._guide.measured(self._calibration)
        return self._guide.look(self._frame())

    def picture(self, look: int, *, card: bool = False) -> bytes | None:
        found = self._guide.picture(look, card=card)
        return None if found is None else jpeg(found)

    def aimed(self, look: int) -> bytes | None:
        aimed = self._aimed
        return jpeg(aimed[0]) if aimed is not None and aimed[1].look == look else None

    def known(self) -> Known:
        known = self._guide.known()
        return msgspec.structs.replace(known, used=self._used == known.revision)

    def take(self, card: str, look: int, *, instead: bool) -> Known:
        self._guide.take(card, look, instead=instead)
        return self._use_if_whole()

    def drop(self, card: str, place: int, revision: int) -> Known:
        self._guide.drop(card, place, revision)
        return self._use_if_whole()

    def look_of(self, card: str, place: int) -> bytes | None:
        found = self._guide.look_of(card, place)
        return None if found is None else jpeg(found)

    def anew(self, revision: int) -> Known:
        self._guide.anew(revision)
        return self.known()

    def use(self) -> Known:
        if not self._guide.gallery.cards:
            raise ShinpanError(message("No card is enrolled yet."))
        self._watch(self._guide.gallery)
        return self.known()

    def _use_if_whole(self) -> Known:
        """A complete deck is used at once; an incomplete one only on demand (`use`)."""
        if not self._guide.missing and self._calibration is not None:
            self._watch(self._guide.gallery)
        return self.known()

    # --- correction -----------------------------------------------------------------------------------------------

    def readings(self) -> list[Reading]:
        frame, calibration = self._feed.frame, self._calibration
        if frame is None or calibration is None:
            return []
        height, width = frame.shape[:2]
        found = []
        for name, kept in sorted(self._feed.readings.items()):
            seen, zone = kept.card, self._zone(name)
            turn = seen.rotation + (zone.turn if zone is not None else 0.0)
            there = card_corners_at(seen.x, seen.y, turn, self._layout.card, calibration) / (width, height)
            corners = tuple((round(float(x), 4), round(float(y), 4)) for x, y in there)
            guesses = seen.guesses[:4]
            found.append(Reading(name, seen.card, guesses, seen.rotation, seen.confidence, kept.number, corners))
        return found

    def crop(self, zone: str) -> bytes | None:
        cut = self._cut(zone)
        return None if cut is None else jpeg(cut)

    def remember(self, zone: str, card: str) -> tuple[Known, int]:
        cut = self._cut(zone, card)
        if cut is None:
            raise NoPicture(message("The picture of that card is gone; it cannot be remembered any more."))
        place = self._guide.add(card, cut)
        self._watch(self._guide.gallery)
        return self.known(), place

    def _cut(self, zone: str, truth: str | None = None) -> Image | None:
        """The card that was last read there. If it is known which card it is (`truth`), it is aligned with its
        templates."""
        kept, place, calibration = self._feed.readings.get(zone), self._zone(zone), self._calibration
        if kept is None or place is None or calibration is None or not kept.patch.size:
            return None
        size, step = self._layout.card, 360 / place.rotations
        seen = kept.card
        there = card_corners_at(seen.x, seen.y, place.turn + seen.rotation, size, calibration) - kept.at
        templates = [look for look in self._guide.gallery.templates if look.card == truth]
        if templates:
            reader = Recogniser(Gallery(self._guide.deck, size, tuple(templates), self._guide.gallery.disc))
            homography = calibration.projection.homography_at(seen.x, seen.y, 0.0, *size)
            homography[:2] -= kept.at[:, None] * homography[2]
            turns = [place.turn + k * step for k in range(place.rotations)]
            there = reader.read(kept.patch, homography, turns, FIT).corners
        return rectify(kept.patch, there, size)

    def _zone(self, name: str) -> Zone | None:
        return next((zone for zone in self._layout.zones if zone.name == name), None)

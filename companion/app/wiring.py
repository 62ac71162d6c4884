"""The one place where camera, panels, timer, pages and match are put together, for `serve` and the demo alike."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask

from companion.app.camera_feed import CameraFeed
from companion.app.clip_film import pictures, smallest_clip
from companion.app.clip_keeper import ClipKeeper, Smaller
from companion.app.live_camera_setup import CALIBRATION, LiveCameraSetup
from companion.app.phone_link import LivePhoneLink
from companion.app.senses import Senses
from companion.app.spectator_picture import SpectatorPicture
from companion.core.camera_setup import NO_CAMERA, CameraSetup
from companion.core.events import MISSING, Condition, Sense, trouble
from companion.core.files import set_aside
from companion.core.message import Message, message
from companion.core.phone_camera import NO_PHONE, PhoneLink
from companion.core.rulings import ShinpanError
from companion.games.kit.game import Game
from companion.record.event_log import EventLog
from companion.record.evidence import Evidence
from companion.record.match import Match
from companion.referee.lobby import PLACES, Lobby
from companion.referee.lobby_view import Check
from companion.referee.referee import Referee
from companion.referee.service import Service, TableDevices, VirtualHands
from companion.upkeep.config import TableConfig
from firmware_interface import bindings
from firmware_interface.panels import Panels
from hardware.timer import TimerPanel, open_timer
from vision.calibration.calibrate import Calibration, DamagedCalibration
from vision.camera.frames import Camera
from vision.camera.phone import PhoneCamera
from vision.camera.sources import open_camera
from vision.enrolment.from_folder import gallery_path
from vision.recognition.gallery import DamagedGallery, Gallery
from vision.watching.watcher import Watcher
from web.app import Settings, create_app, release
from web.pins import REFEREE, Pins

log = logging.getLogger("shinpan")


@dataclass(frozen=True)
class Devices:
    """What is plugged into a table, real or virtual. Anything may be missing."""

    camera: Camera | None = None
    phone: PhoneCamera | None = None
    """A place for a phone's pictures: any phone can become the camera, whatever is plugged in."""
    panels: Panels | None = None
    timer: TimerPanel | None = None
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    """What the page says about them before they say something themselves."""
    notices: tuple[Message, ...] = ()
    smaller_clips: Smaller | None = None
    """Makes clips as small as this machine can. None: they are kept as single pictures."""
    """Files that were damaged and set aside."""


@dataclass(frozen=True)
class Eyes:
    """What reads the cards of one match."""

    watcher: Watcher | None = None
    blind: Message | None = None
    """Why there is none although there is a camera."""
    gallery: Gallery | None = None
    calibration: Calibration | None = None
    """Those that the watcher reads with, where they are not in the data folder."""
    notices: tuple[Message, ...] = ()
    """Files that were damaged and set aside."""


@dataclass(frozen=True)
class Keeping:
    """Where a table keeps what a match makes. None: what belongs there is forgotten with the match."""

    data: Path | None = None
    """Calibration and cards."""
    pictures: Path | None = None
    """Of rulings and calls."""
    events: EventLog | None = None
    """Every event of the match."""


NOTHING_KEPT, NO_EYES = Keeping(), Eyes()


@dataclass(frozen=True)
class RunningTable:
    """A table that runs as soon as its senses are started or stepped. Matches come and go."""

    service: Service
    app: Flask
    feed: CameraFeed
    senses: Senses
    spectators: SpectatorPicture

    def play(
        self,
        referee: Referee,
        keeping: Keeping,
        eyes: Eyes = NO_EYES,
        places: Sequence[int] | None = None,
        name: str = "",
        review: bool = False,
    ) -> None:
        """From now on this match has the table. `places` are those of its players, pages know it by its `name`; with
        `review` its result waits for the referee."""
        self.feed.see_with(eyes.watcher, eyes.blind)
        self.senses.forget()
        for notice in eyes.notices:
            referee.notice(notice)
        events = keeping.events
        if events is not None:
            referee.record.listen(events.line)
        devices = TableDevices(
            self.feed.shown,
            self._camera_setup(referee.match, keeping.data, eyes),
            Evidence(keeping.pictures),
            spectators_picture=self.spectators,
        )
        self.service.hand_over(referee, devices, events, places, name, review)

    def rest(self, lobby: Lobby, data: Path | None, checks: Callable[[], Sequence[Check]], eyes: Eyes) -> None:
        """From now on the lobby has the table."""
        self.feed.see_with(None)
        self.senses.forget()
        for notice in eyes.notices:
            lobby.notice(notice)
        devices = TableDevices(
            self.feed.shown,
            self._camera_setup(lobby.trial, data, eyes),
            checks=checks,
            spectators_picture=self.spectators,
        )
        self.service.hand_over(lobby, devices)

    def arranged(self, trial: Match, data: Path | None, eyes: Eyes) -> None:
        """Another game, or another number of players: the camera is set up for that."""
        self.service.camera_setup = self._camera_setup(trial, data, eyes)

    def _camera_setup(self, match: Match, data: Path | None, eyes: Eyes = NO_EYES) -> CameraSetup:
        if self.feed.camera is None and self.service.phone_camera is NO_PHONE:
            return NO_CAMERA
        return LiveCameraSetup(self.feed, match, data, eyes.gallery, eyes.calibration)

    def let_go(self) -> None:
        """After the senses have stopped and the last page was served: an application of Flask and its pages refer to
        each other, and without this Python would notice much later that nobody else refers to the match."""
        self.service.let_go()
        release(self.app)


def put_together(
    host: Referee | Lobby,
    now: Callable[[], float],
    settings: Settings,
    devices: Devices,
    go_on: Callable[[str], None] | None = None,
    virtual_hands: VirtualHands | None = None,
) -> RunningTable:
    """A table with everything that outlives its matches. `host` is who has it first, once told to `play` or `rest`."""
    feed = CameraFeed(devices.camera)
    phone: PhoneLink = NO_PHONE if devices.phone is None else LivePhoneLink(feed, devices.phone, devices.camera)
    service = Service(host, now, go_on=go_on, virtual_hands=virtual_hands, phone_camera=phone, film_pictures=pictures)
    app = create_app(service, settings)
    spectators = SpectatorPicture(feed, settings.camera_for)
    pins: Pins = app.extensions["shinpan"]["pins"]  # they may change while the table runs
    clips = ClipKeeper(smaller=devices.smaller_clips)
    senses = Senses(service, feed, devices.panels, devices.timer, lambda: pins.pin(REFEREE), spectators, clips)
    for notice in devices.notices:
        host.notice(notice)
    for name, condition in devices.conditions.items():
        service.submit(Sense(name, condition, now()))
    return RunningTable(service, app, feed, senses, spectators)


def open_devices(table: TableConfig, data: Path, now: Callable[[], float]) -> Devices:
    """The devices of a real table as its configuration wants them. Nothing here keeps a match from being played."""
    phone = PhoneCamera()
    camera, condition = (phone, None) if table.camera == "phone" else open_eye(table.camera)
    panels, notice = open_panels(table.panels, PLACES, data / bindings.FILE)
    timer, timer_condition = open_timer_panel(table.timer, table.timer_pins, now)
    conditions = {} if panels is None else {f"panel {place + 1}": MISSING for place in range(PLACES)}
    if camera is None and condition is not None:
        conditions["camera"] = condition
    if timer_condition is not None:
        conditions["timer"] = timer_condition
    return Devices(camera, phone, panels, timer, conditions, () if notice is None else (notice,), smallest_clip)


def set_damaged_aside(data: Path, game: Game) -> list[Message]:
    """Give a damaged gallery or calibration another name, so that the deck can be enrolled and the table measured
    anew; what is to be said about it."""
    notices = []
    gallery, calibration = gallery_path(data, game.name), data / CALIBRATION
    try:
        Gallery.load(gallery)
    except DamagedGallery as error:
        notices.append(set_aside(gallery, error.message))
    except ShinpanError:
        pass  # not there, or from another version: `eyes_for` says so
    try:
        Calibration.load(calibration)
    except DamagedCalibration as error:
        notices.append(set_aside(calibration, error.message))
    except ShinpanError:
        pass
    return notices


def open_eye(source: str) -> tuple[Camera | None, Condition | None]:
    """The camera; or what is wrong with it; or neither, where none is wanted."""
    if source == "none":
        return None, None
    try:
        return open_camera(source, patient=True), None
    except ShinpanError as error:
        return None, trouble(error.message)


def eyes_for(data: Path, match: Match) -> Eyes:
    """What reads the cards of this match with what was enrolled and measured here, or why nothing does."""
    game, state = match.game, match.state
    notices = tuple(set_damaged_aside(data, game))
    try:
        gallery = Gallery.load(gallery_path(data, game.name))
        calibration = Calibration.load(data / CALIBRATION)
    except ShinpanError as error:
        return Eyes(blind=error.message, notices=notices)
    layout = game.table.layout(state)
    gallery = gallery.on_table(layout.card, max(zone.rotations for zone in layout.zones))
    try:
        return Eyes(Watcher(layout, gallery, calibration), notices=notices)
    except Exception:  # a calibration or a picture that only seems whole must not keep the match from being played
        log.exception("The cards cannot be read with this calibration and these pictures.")
        again = message("The table has to be measured again: open the camera's page.")
        return Eyes(blind=again, notices=notices)


def open_panels(wanted: Sequence[str], seats: int, kept: Path) -> tuple[Panels | None, Message | None]:
    """The players' panels; `kept` is the file that remembers which board sits where. And a notice if it is damaged."""
    if "none" in wanted:
        return None, None
    ports = [port for port in wanted if port != "auto"]
    remember = partial(bindings.save, kept)
    bound, notice = bindings.load_or_set_aside(kept)
    return Panels(seats, ports or None, bound, remember=remember, clock=time.monotonic), notice


def open_timer_panel(
    wanted: str, pins: Mapping[str, Any], now: Callable[[], float]
) -> tuple[TimerPanel | None, Condition | None]:
    """The timer panel, simulated only where that is asked for; or why there is none although one was wanted."""
    if wanted == "none":
        return None, None
    try:
        return open_timer(wanted == "simulated", now, pins), None
    except ShinpanError as error:
        return None, trouble(error.message)

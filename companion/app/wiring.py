"""The one place where camera, panels, timer, pages and match are put together, for `serve` and the demo alike."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask

from companion.app import config
from companion.app.camera_feed import CameraFeed
from companion.app.live_camera_setup import CALIBRATION, LiveCameraSetup
from companion.app.senses import Senses
from companion.core.camera_setup import NO_CAMERA
from companion.core.events import MISSING, OK, Condition, Sense, trouble
from companion.core.files import set_aside
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.games.kit.game import Game
from companion.record.event_log import EventLog
from companion.record.evidence import Evidence
from companion.record.match import Match
from companion.referee.referee import Referee
from companion.referee.service import Service, TableDevices
from firmware_interface import bindings
from firmware_interface.panels import Panels
from hardware.timer import TimerPanel, open_timer
from vision.calibration.calibrate import Calibration, DamagedCalibration
from vision.camera.sources import Camera, open_camera
from vision.enrolment.from_folder import gallery_path
from vision.recognition.gallery import DamagedGallery, Gallery
from vision.watching.watcher import Watcher
from web.app import Settings, create_app, release

log = logging.getLogger("shinpan")


@dataclass(frozen=True)
class Devices:
    """What is plugged into a table, real or virtual. Anything may be missing."""

    camera: Camera | None = None
    watcher: Watcher | None = None
    blind: Message | None = None
    """Why there is a camera and no watcher."""
    panels: Panels | None = None
    timer: TimerPanel | None = None
    conditions: Mapping[str, Condition] = field(default_factory=dict)
    """What the page says about them before they say something themselves."""
    notices: tuple[Message, ...] = ()
    """Files that were damaged and set aside."""


@dataclass(frozen=True)
class Keeping:
    """Where a table keeps what it makes. None: what belongs there is forgotten with the table."""

    data: Path | None = None
    """Calibration and cards."""
    pictures: Path | None = None
    """Of rulings and calls."""
    events: EventLog | None = None
    """Every event of the evening."""


@dataclass(frozen=True)
class RunningTable:
    """Everything about one match that runs."""

    service: Service
    app: Flask
    feed: CameraFeed
    senses: Senses

    def let_go(self) -> None:
        """After the senses have stopped and the last page was served: an application of Flask and its pages refer to
        each other, and without this Python would notice much later that nobody else refers to the match."""
        self.service.let_go()
        release(self.app)


def put_together(
    referee: Referee,
    now: Callable[[], float],
    settings: Settings,
    devices: Devices,
    keeping: Keeping,
    gallery: Gallery | None = None,
    calibration: Calibration | None = None,
) -> RunningTable:
    """A table that runs as soon as its senses are started or stepped.

    `gallery` and `calibration` are those that the watcher reads with, where they are not in the data folder.
    """
    feed = CameraFeed(devices.camera, devices.watcher, devices.blind)
    setup = NO_CAMERA
    if devices.camera is not None:
        setup = LiveCameraSetup(feed, referee.match, keeping.data, gallery, calibration)
    events = keeping.events
    if events is not None:
        referee.record.listen(events.line)
    service = Service(
        referee,
        now,
        TableDevices(feed.shown, setup, Evidence(keeping.pictures)),
        recorder=events,
    )
    app = create_app(service, settings)
    senses = Senses(service, feed, devices.panels, devices.timer)
    for notice in devices.notices:
        referee.notice(notice)
    for name, condition in devices.conditions.items():
        service.submit(Sense(name, condition, now()))
    return RunningTable(service, app, feed, senses)


def open_devices(table: config.TableConfig, data: Path, match: Match, now: Callable[[], float]) -> Devices:
    """The devices of a real table as its configuration wants them. Nothing here keeps a match from being played."""
    notices = set_damaged_aside(data, match.game)
    camera, watcher, condition = open_eyes(data, match.game, match.state, table.camera)
    panels, notice = open_panels(table.panels, len(match.players), data / bindings.FILE)
    timer, timer_condition = open_timer_panel(table.timer, table.timer_pins, now)
    conditions = {f"panel {seat + 1}": MISSING for seat in range(len(match.players))}
    if camera is None:
        conditions["camera"] = condition
    if timer_condition is not None:
        conditions["timer"] = timer_condition
    if notice is not None:
        notices.append(notice)
    return Devices(camera, watcher, condition.message, panels, timer, conditions, tuple(notices))


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
        pass  # not there, or from another version: `open_eyes` says so
    try:
        Calibration.load(calibration)
    except DamagedCalibration as error:
        notices.append(set_aside(calibration, error.message))
    except ShinpanError:
        pass
    return notices


def open_eyes(data: Path, game: Game, state: Any, source: str) -> tuple[Camera | None, Watcher | None, Condition]:
    """The camera and what reads it, and what is wrong with them."""
    if source == "none":
        return None, None, MISSING
    try:
        camera = open_camera(source, patient=True)
    except ShinpanError as error:
        return None, None, trouble(error.message)
    try:
        gallery = Gallery.load(gallery_path(data, game.name))
        calibration = Calibration.load(data / CALIBRATION)
    except ShinpanError as error:
        return camera, None, trouble(error.message)
    layout = game.table.layout(state)
    gallery = gallery.on_table(layout.card, max(zone.rotations for zone in layout.zones))
    try:
        return camera, Watcher(layout, gallery, calibration), OK
    except Exception:  # a calibration or a picture that only seems whole must not keep the match from being played
        log.exception("The cards cannot be read with this calibration and these pictures.")
        return camera, None, trouble(message("The table has to be measured again: open the camera's page."))


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

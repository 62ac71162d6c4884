"""The one place where the parts are plugged together: camera and panels into a service."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import cv2

from companion.core.events import MISSING, OK, Condition, Effect, Light, Press, Read, Said, Seen, Sense, Tick, trouble
from companion.core.message import Message
from companion.core.rulings import ShinpanError
from companion.games.kit.game import Game
from companion.record.evidence import Evidence
from companion.referee.service import Service
from firmware_interface.panels import Panels
from hardware.timer import TimerPanel, open_timer
from vision.calibration.calibrate import Calibration
from vision.camera.sources import Camera, open_camera
from vision.enrolment.from_folder import gallery_path
from vision.recognition.gallery import Gallery
from vision.simulation.paint import Image
from vision.watching.reading_patches import Patch, patches
from vision.watching.watcher import Watcher

log = logging.getLogger("shinpan")

POLL = 0.02
"""Seconds between two looks at the panels and the clock when nothing is heard from them."""


class Senses:
    """The camera and the panels of one table. `look` and `poll` do one step each; `start` runs them in threads."""

    def __init__(
        self,
        service: Service,
        watcher: Watcher | None,
        camera: Camera | None,
        panels: Panels | None,
        evidence: Path | None = None,
        timer: TimerPanel | None = None,
        blind: Message | None = None,
    ) -> None:
        """`blind` says why there is a camera and nothing to read it by: not calibrated, no cards enrolled."""
        self.service, self.watcher, self.camera, self.panels, self.timer = service, watcher, camera, panels, timer
        service.evidence = Evidence(evidence)
        self._blind = blind
        self._condition: Condition | None = None
        self.presses: list[Press] = []
        """What came over the wire, for whoever wants to check it."""
        self.frames = 0
        self.frame: Image | None = None
        """The newest one; whoever looks at it does so in a thread of their own."""
        self.readings: dict[str, Patch] = {}
        """The top card of each place where one lies face up, cut out of the picture it was read from."""
        self._disputable: deque[Read | Said] = deque(maxlen=64)
        """What the next picture is to be kept for."""
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        service.picture = self.picture
        service.listen(self._show)

    def look(self) -> bool:
        """Take a frame, if there is a new one; True if the table lies still and something was new on it."""
        if self.camera is None:
            return False
        frame = self.camera.read()
        now = self.service.now()
        sight = None
        if frame is not None:
            self.frame = frame
            self.frames += 1
            sight = self.watcher.look(frame, now) if self.watcher is not None else None
        self._feel(self.camera, now)
        if sight is not None and frame is not None and self.watcher is not None:
            self.readings = patches(frame, sight, self.watcher, self.readings)
            outcome = self.service.submit(Seen(sight, now))
            self._disputable += [each for each in outcome.effects if isinstance(each, Said) and each.kind == "refused"]
        self._keep()
        return sight is not None

    def see_with(self, watcher: Watcher) -> None:
        """Read with this from the next frame on: measured anew, or with other looks of the cards."""
        self.watcher, self._blind = watcher, None

    def _feel(self, camera: Camera, now: float) -> None:
        """Tell when the camera goes, comes back, is moved or sees nothing."""
        reason = self._blind or (self.watcher.notice if self.watcher is not None else None)
        condition = trouble(reason) if reason is not None and camera.condition.usable else camera.condition
        if condition != self._condition:
            self._condition = condition
            self.service.submit(Sense("camera", condition, now))

    def _keep(self) -> None:
        """Keep the picture beside the lines that were read from it and the calls it led to, for a dispute."""
        due = [self._disputable.popleft() for _ in range(len(self._disputable))]
        picture = self.picture() if due and self.service.evidence.folder is not None else None
        if picture is not None:
            lines = [each.line for each in due if isinstance(each, Read)]
            said = [each for each in due if isinstance(each, Said)]
            self.service.evidence.keep(picture, lines, self.service.numbers(said))
            self.service.freshen()

    def poll(self, heard: Callable[[], list[Press | Sense]] | None = None) -> None:
        """Hear the panels and let time pass."""
        now = self.service.now()
        if self.panels is not None:
            for event in heard() if heard else self.panels.poll(now):
                if isinstance(event, Press):
                    self.presses.append(event)
                self.service.submit(event)
        if self.timer is not None:
            for event in self.timer.poll(now):
                self.service.submit(event)
            self.timer.show(*self.service.clock(), now, self.service.limit)
        self.service.submit(Tick(now))

    def picture(self) -> bytes | None:
        """The last frame as a JPEG."""
        frame = self.frame
        if frame is None:
            return None
        done, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 80])
        return jpeg.tobytes() if done else None

    def _show(self, effect: Effect) -> None:
        if isinstance(effect, Light) and self.panels is not None:
            self.panels.show(effect, self.service.now())
        # Whatever led to it, a button or a tap: the picture is taken by whoever has the camera, and holds nobody up.
        if isinstance(effect, Read) or (isinstance(effect, Said) and effect.kind == "call"):
            self._disputable.append(effect)

    def start(self) -> None:
        for step in (self._keep_looking, self._keep_polling):
            thread = threading.Thread(target=step, name=step.__name__, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=2.0)
        if self.camera is not None:
            self.camera.close()
        if self.panels is not None:
            self.panels.close()
        if self.timer is not None:
            self.timer.close()

    def _keep_looking(self) -> None:
        while not self._stop.is_set():
            before = self.frames
            self._guarded(self.look)
            if self.frames == before:
                self._stop.wait(POLL)

    def _keep_polling(self) -> None:
        while not self._stop.is_set():
            self._guarded(self.poll)
            if self.panels is not None:
                self.panels.wait(POLL)
            else:
                time.sleep(POLL)

    def _guarded(self, step: Callable[[], object]) -> None:
        """A sense that stumbles must not take the match with it."""
        try:
            step()
        except Exception:
            log.exception("A sense failed; the match goes on without this reading.")
            self._stop.wait(1.0)


def eyes(data: Path, game: Game, state: Any, source: str) -> tuple[Camera | None, Watcher | None, Condition]:
    """The camera and what reads it, and what is wrong with them: nothing here keeps a match from being played."""
    if source == "none":
        return None, None, MISSING
    try:
        camera = open_camera(source, patient=True)
    except ShinpanError as error:
        return None, None, trouble(error.message)
    try:
        gallery = Gallery.load(gallery_path(data, game.name))
        calibration = Calibration.load(data / "calibration.json")
    except ShinpanError as error:
        return camera, None, trouble(error.message)
    layout = game.table.layout(state)
    gallery = gallery.on_table(layout.card, max(zone.rotations for zone in layout.zones))
    return camera, Watcher(layout, gallery, calibration), OK


def timer_panel(service: Service, wanted: str, wiring: Mapping[str, Any]) -> TimerPanel | None:
    """The timer panel as the configuration wants it, simulated only where that is asked for; None if there is none.

    Why there is none although one was wanted is said; the match is played without it.
    """
    if wanted == "none":
        return None
    try:
        return open_timer(wanted == "simulated", service.now, wiring)
    except ShinpanError as error:
        service.submit(Sense("timer", trouble(error.message), service.now()))
        return None

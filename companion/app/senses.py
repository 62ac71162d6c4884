"""The loops between the devices of a table and its service."""

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from companion.app.camera_feed import CameraFeed
from companion.app.clip_keeper import ClipKeeper
from companion.app.spectator_picture import SpectatorPicture
from companion.core.events import MISSING, Condition, Effect, Light, Press, Read, Said, Sense, Tick, Warned
from companion.referee.service import Service
from firmware_interface.panels import Panels
from hardware.timer import TimerPanel

log = logging.getLogger("shinpan")

POLL = 0.02
"""Seconds between two polls when no panel has anything to say."""
PATIENCE = 8.0
"""Seconds that a step may take on a slow machine with a large deck before the table counts as unhealthy."""
CAMERA, PANELS = "camera", "panels and clock"
STEPPED_BACK = 5
"""How much nicer the camera's thread is than the others: a busy machine lets the match go first."""


class Senses:
    """Camera, panels and timer of one table. `look` and `poll` do one step each; `start` runs them in threads."""

    def __init__(
        self,
        service: Service,
        feed: CameraFeed,
        panels: Panels | None = None,
        timer: TimerPanel | None = None,
        referee_pin: Callable[[], str] = str,
        spectators: SpectatorPicture | None = None,
        clips: ClipKeeper | None = None,
    ) -> None:
        """`referee_pin` is shown by the timer to whoever holds its start button in the lobby."""
        self._spectators = spectators
        self.clips = clips or ClipKeeper()
        self._referee_pin = referee_pin
        self.service, self.feed, self.panels, self.timer = service, feed, panels, timer
        self._told: Condition | None = None
        """What was last said about the camera."""
        self._disputable: deque[Read | Said] = deque(maxlen=64)
        """What the next picture is to be kept for."""
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._stopped = False
        service.listen(self._show)

    def look(self) -> bool:
        """Take a frame, if there is a new one; True if the table lies still and something was new on it."""
        seen = self.feed.look(self.service.now)
        self._tell_condition(self.service.now())
        if seen is not None:
            outcome = self.service.submit(seen)
            self._disputable += [each for each in outcome.effects if isinstance(each, Said) and each.kind == "refused"]
        read = any(isinstance(each, Read) for each in self._disputable)
        self._keep()
        self.clips.look(self.feed, self.service)
        if self._spectators is not None:
            self._spectators.follow(self.service, read=read)
        return seen is not None

    def _tell_condition(self, now: float) -> None:
        """Tell when the camera goes, comes back, is moved or sees nothing."""
        condition = self.feed.condition
        if condition is None and self._told is not None:
            condition = MISSING  # a phone was the camera, and there is no other
        if condition is not None and condition != self._told:
            self._told = condition
            self.service.submit(Sense("camera", condition, now))

    def _keep(self) -> None:
        """Keep the picture beside the lines that were read from it and the calls it led to, for a dispute."""
        due = [self._disputable.popleft() for _ in range(len(self._disputable))]
        picture = self.feed.picture() if due and self.service.evidence.folder is not None else None
        if picture is not None:
            lines = [each.line for each in due if isinstance(each, Read)]
            said = [each for each in due if isinstance(each, Said)]
            names = self.service.evidence.keep(picture, lines, self.service.numbers(said))
            if names:
                self.service.vouch_for(picture, names)

    def poll(self, heard: Callable[[], list[Press | Sense]] | None = None) -> None:
        """Hear the panels and let time pass."""
        now = self.service.now()
        if self.panels is not None:
            for event in heard() if heard else self.panels.poll(now):
                if isinstance(event, Press):
                    self.feed.stir()
                self.service.submit(event)
        if self.timer is not None:
            for event in self.timer.poll(now):
                self.service.submit(event)
            pin = self._referee_pin() if self.service.lobby is not None else ""
            self.timer.show(*self.service.clock(), now, self.service.limit, pin)
        self.service.submit(Tick(now))
        self.feed.playing = self.service.lobby is None and self.service.clock()[1]

    def _show(self, effect: Effect) -> None:
        """Called under the table's lock, so nothing here may wait: panels only take note of their lights."""
        if isinstance(effect, Light) and self.panels is not None:
            self.panels.show(effect, self.service.now())
        if isinstance(effect, Warned) and self.panels is not None:
            self.panels.warn()
        # Whatever led to it, a button or a tap: the thread that has the camera takes the picture.
        if isinstance(effect, Read) or (isinstance(effect, Said) and effect.kind == "call"):
            self._disputable.append(effect)
        if self.feed.camera is not None:
            self.clips.hear(effect, self.service.now())

    def forget(self) -> None:
        """Another match begins: what was to be kept for the last one is not wanted any more."""
        self._disputable.clear()
        self.clips.forget()
        self._told = None

    def start(self) -> None:
        for name, step in ((CAMERA, self._keep_looking), (PANELS, self._keep_polling)):
            self.service.heartbeats.beat(name, PATIENCE)
            thread = threading.Thread(target=step, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(timeout=2.0)
            self.service.heartbeats.end(thread.name)
        if not self._stopped:
            self._stopped = True
            self.clips.finish(self.service)
            self.service.unlisten(self._show)
        self.feed.close()
        if self.panels is not None:
            self.panels.close()
        if self.timer is not None:
            self.timer.close()

    def _keep_looking(self) -> None:
        _step_back()
        while not self._stop.is_set():
            before = self.feed.frames
            self._guarded(CAMERA, self.look)
            if self.feed.frames == before:
                self._stop.wait(POLL)

    def _keep_polling(self) -> None:
        due = time.monotonic()
        while not self._stop.is_set():
            self.feed.pace.polled(time.monotonic() - due)
            self._guarded(PANELS, self.poll)
            due = time.monotonic() + POLL
            if self.panels is not None:
                self.panels.wait(POLL)
            else:
                self._stop.wait(POLL)

    def _guarded(self, name: str, step: Callable[[], object]) -> None:
        """An error in a device must not end the match. Only a step that is completed is a sign of life."""
        try:
            step()
            self.service.heartbeats.beat(name, PATIENCE)
        except Exception:
            log.exception("A device failed; the match goes on without this reading.")
            self._stop.wait(1.0)


def _step_back() -> None:
    """Of this thread alone, and of those that OpenCV starts from it; Linux has a priority for each."""
    own = threading.get_native_id()
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, own, os.getpriority(os.PRIO_PROCESS, own) + STEPPED_BACK)

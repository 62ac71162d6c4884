"""A Sen So table under a drawn camera, its pages served: cards are laid and taken away as a person would do it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from companion.app.camera_feed import CameraFeed
from companion.app.live_camera_setup import LiveCameraSetup
from companion.app.senses import Senses
from companion.core.message import Message
from companion.games.sen_so import GAME
from companion.record.evidence import Evidence
from companion.referee.service import TableDevices
from tests.web.evening import Evening
from vision.calibration.calibrate import Calibration
from vision.calibration.projection import TableProjection
from vision.camera.frames import VirtualCamera
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Lighting, Lying, Scene, SceneRenderer
from vision.watching.watcher import Watcher

PPMM = 1.25


class CameraTable(Evening):
    """An evening with a camera over it. `data` is where what is measured and enrolled is kept."""

    def __init__(self, data: Path | None, **options: Any) -> None:
        self.camera = VirtualCamera()
        self.feed = CameraFeed(self.camera, None, Message("-"))
        evidence = Evidence(data / "pictures" if data else None)
        super().__init__(("Aki", "Ben"), GAME, TableDevices(self.feed.shown, evidence=evidence), **options)
        match = self.service.referee.match
        self.layout, self.deck = GAME.table.layout(match.state), GAME.table.deck(match.state)
        self.data = data
        self.senses = Senses(self.service, self.feed)
        self._noise = np.random.default_rng(1)
        self._light: Lighting = Lighting()
        self._covered: tuple[int, ...] = ()
        self._studio = self._new_studio(6.0)
        self.cards: tuple[Lying, ...] = ()
        self.plug()

    def _new_studio(self, tilt: float) -> SceneRenderer:
        return SceneRenderer(
            self.layout, TableProjection.overhead(self.layout.width, self.layout.height, PPMM, tilt), self._light
        )

    def plug(self, gallery: Gallery | None = None, calibration: Calibration | None = None) -> None:
        """Give the service its eye, as `shinpan serve` does."""
        if gallery is not None and calibration is not None:
            ways = max(zone.rotations for zone in self.layout.zones)
            self.feed.see_with(Watcher(self.layout, gallery.on_table(self.layout.card, ways), calibration))
        self.service.camera_setup = LiveCameraSetup(
            self.feed, self.service.referee.match, self.data, gallery, calibration
        )

    def gallery(self) -> Gallery:
        """Every card known, as its owner would have scanned it."""
        return Gallery.from_faces(
            GAME.name, {name: card.face for name, card in self.deck.cards.items()}, self.deck.back
        )

    def bump(self, tilt: float) -> None:
        self._studio = self._new_studio(tilt)

    def dim(self, level: float) -> None:
        self._light = Lighting(level=level)
        self._studio = self._new_studio(6.0)

    def cover(self, *markers: int) -> None:
        """Lay a cup on these markers."""
        self._covered = markers

    def lay(self, card: str | None, x: float = 75.0, y: float = 320.0, turn: float = 2.0) -> None:
        """One card alone on the table, or none."""
        face = None if card is None else self.deck.back if card == "back" else self.deck.cards[card].face
        self.cards = () if face is None else (Lying(face, x, y, turn),)

    def zone(self, name: str) -> Any:
        return next(zone for zone in self.layout.zones if zone.name == name)

    def expose(self, frames: int = 1) -> None:
        """So many pictures of the table as it lies."""
        for _ in range(frames):
            frame = self._studio.frame(Scene(self.cards), self._noise)
            for number in self._covered:
                x, y = {0: (25, 25), 1: (-25, 25), 2: (-25, -25), 3: (25, -25)}[number]
                there = self._studio.projection.pixels([(x % self.layout.width, y % self.layout.height)])[0].astype(int)
                frame[there[1] - 30 : there[1] + 30, there[0] - 30 : there[0] + 30] = (40, 60, 90)
            self.camera.show(frame)
            self.senses.look()
            self.at += 0.1

    @contextmanager
    def filming(self) -> Iterator[None]:
        """The camera runs by itself, as a real one does."""
        stop = threading.Event()

        def film() -> None:
            while not stop.wait(0.05):
                self.expose()

        thread = threading.Thread(target=film, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

"""What gives way when a machine is too slow: `python -m tests.bench.strain`.

A table with a hand over it all the time, on one core that it shares with programs that never rest. Buttons and clock
have a turn fifty times a second; how late each came is compared with how many pictures were read, with the camera
stepping back for them and without. Only Linux can hold all of it to one core.
"""

import multiprocessing
import os
import statistics
import sys
import threading
import time

import cv2
import numpy as np

from companion.app.camera_feed import CameraFeed
from companion.app.pace import Pace
from companion.app.senses import STEPPED_BACK, Senses
from companion.games import game
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import Service
from vision.calibration.calibrate import calibrate
from vision.calibration.projection import TableProjection
from vision.camera.phone import PhoneCamera
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Hand, Scene, SceneRenderer
from vision.watching.watcher import Watcher

SECONDS = 8.0
SETTLING = 2.0
PICTURES = 30.0
"""That the camera offers in a second."""
BUSY = (0, 2, 6)
"""Other programs on the same core."""


LOWER, BACK = "has a lower priority", "steps back"
WAYS = ("goes on", LOWER, BACK, f"{LOWER} and {BACK}")
"""What the camera does when buttons come late; the last is what a table does."""


class Watched(Pace):
    """A pace that writes down how late each turn of the buttons came."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self._way = way
        self._begun = False
        self.late: list[float] = []

    def polled(self, late: float) -> None:
        self.late.append(late)
        super().polled(late if BACK in self._way else 0.0)

    def begin(self, now: float) -> None:
        if not self._begun:  # in the camera's thread, which has lowered its own priority
            own = os.getpriority(os.PRIO_PROCESS, 0) + (STEPPED_BACK if LOWER in self._way else 0)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), own)
        self._begun = True
        super().begin(now)


def never_rests() -> None:
    while True:
        pass


def watched_table() -> tuple[CameraFeed, Service, PhoneCamera, list[bytes]]:
    match = Match(game("sen_so"), ("Aki", "Ben"))
    layout, deck = match.game.table.layout(match.state), match.game.table.deck(match.state)
    renderer = SceneRenderer(layout, TableProjection.overhead(layout.width, layout.height))
    noise = np.random.default_rng(1)
    hands = [renderer.frame(Scene(hands=(Hand(150.0 + 40 * at, 300.0, 320.0, -100.0),)), noise) for at in range(8)]
    gallery = Gallery.from_faces(match.game.name, {name: card.face for name, card in deck.cards.items()}, deck.back)
    gallery = gallery.on_table(layout.card, max(zone.rotations for zone in layout.zones))
    watcher = Watcher(layout, gallery, calibrate(renderer.frame(Scene(), noise), layout))
    camera = PhoneCamera(time.monotonic)
    camera.begin("bench")
    service = Service(Referee(RecordedMatch(match, lambda fields: 0)), time.monotonic)
    return CameraFeed(camera, watcher), service, camera, [cv2.imencode(".jpg", each)[1].tobytes() for each in hands]


def measured(way: str) -> tuple[float, list[float]]:
    """Pictures read in a second, and the seconds by which each turn of the buttons was late."""
    feed, service, camera, pictures = watched_table()
    feed.pace = pace = Watched(way)
    stop = threading.Event()

    def film() -> None:
        number = 0
        while not stop.wait(1 / PICTURES):
            camera.give("bench", pictures[number % len(pictures)], 0.0)
            number += 1

    filming = threading.Thread(target=film)
    senses = Senses(service, feed)
    filming.start()
    senses.start()
    time.sleep(SETTLING)
    before = feed.frames
    pace.late.clear()
    time.sleep(SECONDS)
    rate, late = (feed.frames - before) / SECONDS, list(pace.late)
    stop.set()
    filming.join()
    senses.stop()
    return rate, late


def main() -> int:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print("| other programs on the core | the camera | pictures/s | buttons late, median ms | p99 ms | turns/s |")
    print("|--:|---|--:|--:|--:|--:|", flush=True)
    for count in BUSY:
        others = [multiprocessing.Process(target=never_rests, daemon=True) for _ in range(count)]
        for each in others:
            each.start()
        for way in WAYS:
            rate, late = measured(way)
            middle, worst = statistics.median(late) * 1000, statistics.quantiles(late, n=100)[98] * 1000
            turns = len(late) / SECONDS
            print(f"| {count} | {way} | {rate:.1f} | {middle:.1f} | {worst:.0f} | {turns:.0f} |", flush=True)
        for each in others:
            each.kill()
            each.join()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How long things take: a frame in which nothing happened, a card, a full table, and how galleries grow."""

import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from companion.drawing import rectangle
from companion.table import Layout, Zone
from vision.bench.decks import flower_cards, playing_cards
from vision.bench.peers import Features
from vision.calibrate import calibrate
from vision.gallery import Gallery
from vision.paint import Image
from vision.photo import NEAR, read_quad
from vision.recognise import Recogniser
from vision.scene import Lying, Scene, Studio
from vision.view import View
from vision.watch import Watcher

SIZES = (50, 500, 5000)


def lines() -> Iterator[str]:
    zones = tuple(Zone(f"{k}", 130 + 120 * (k % 8), 200 + 250 * (k // 8), 62, 93, rotations=2) for k in range(16))
    frames = tuple(rectangle(64, 95, stroke="#ffffff", at=(zone.x, zone.y)) for zone in zones)
    layout = Layout(1100, 620, zones, (58, 89), mat=frames)
    studio = Studio(layout, View.over(layout.width, layout.height, 1.6))
    rng = np.random.default_rng(1)
    faces = playing_cards()
    watcher = Watcher(layout, Gallery.from_faces("playing", faces), calibrate(studio.frame(Scene(), rng), layout))
    table = tuple(Lying(face, zone.x, zone.y) for face, zone in zip(faces.values(), zones, strict=False))
    wide, high = studio.view.size

    def settle(scene: Scene) -> float:
        """Milliseconds of the frame in which the table was read."""
        return max(_time(partial(watcher.look, studio.frame(scene, rng), 0.0), 1) for _ in range(4))

    settle(Scene())
    still = [studio.frame(Scene(), rng) for _ in range(20)]
    unchanged = _time(lambda: [watcher.look(frame, 0.0) for frame in still], 1) / len(still)
    yield f"unchanged frame of {wide} x {high}: {unchanged:.1f} ms"
    settle(Scene(table[:1]))
    yield f"one new card: {settle(Scene(table[:2])):.0f} ms"
    yield f"full table of 16: {settle(Scene(table)):.0f} ms for the 14 that are new"
    yield from _growth(rng)


def _growth(rng: np.random.Generator) -> Iterator[str]:
    basis = list(flower_cards().values())
    base = Gallery.from_faces("flowers", {f"{k}": face for k, face in enumerate(basis)})
    query = base.looks[7].image
    whole = np.array([(0, 0), (query.shape[1], 0), (query.shape[1], query.shape[0]), (0, query.shape[0])], float)
    for size in SIZES:
        pictures = [(f"{k}", _varied(base.looks[k % len(base.looks)].image, k, rng)) for k in range(size)]
        gallery = Gallery.from_pictures("many", pictures)
        ours = Recogniser(gallery)
        mine = _time(partial(read_quad, ours, query, whole, NEAR), 3)
        if size <= 500:
            orb = _time(partial(Features(gallery).read, query), 1)
            yield f"gallery of {size}: {mine:.0f} ms a card, ORB + RANSAC {orb:.0f} ms, {orb / mine:.1f} times ours"
        else:
            yield f"gallery of {size}: {mine:.0f} ms a card"


def _varied(image: Image, seed: int, rng: np.random.Generator) -> Image:
    """Another card: the same picture with its colours and a corner changed."""
    other = np.roll(image, seed % 40, axis=0)
    return np.asarray(np.clip(other * rng.uniform(0.5, 1.3, 3), 0, 255), np.uint8)


def _time(work: Callable[[], object], times: int) -> float:
    start = time.perf_counter()
    for _ in range(times):
        work()
    return 1000 * (time.perf_counter() - start) / times

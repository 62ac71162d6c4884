"""How long things take and how much memory they need: a frame in which nothing happened, a card, a full table, and
how galleries grow. In CPU time, medians, each as a ratio to the ORB way, which has no watching: it names every card
that lies there anew."""

import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.drawing import rectangle
from companion.table import Layout, Zone
from vision.bench.decks import flower_cards, playing_cards
from vision.bench.peers import Features
from vision.calibrate import calibrate
from vision.gallery import Gallery, Look
from vision.paint import Image
from vision.photo import NEAR, read_quad
from vision.recognise import Recogniser
from vision.scene import Lying, Scene, Studio
from vision.view import View
from vision.watch import Watcher

TITLE = "Time (CPU, medians) and memory"
SIZES = (50, 200, 1000, 5000)
ROUNDS = 5


def run() -> Iterator[str]:
    zones = tuple(Zone(f"{k}", 130 + 120 * (k % 8), 200 + 250 * (k // 8), 62, 93, rotations=2) for k in range(16))
    frames = tuple(rectangle(64, 95, stroke="#ffffff", at=(zone.x, zone.y)) for zone in zones)
    layout = Layout(1100, 620, zones, (58, 89), mat=frames)
    studio = Studio(layout, View.over(layout.width, layout.height, 1.6))
    rng = np.random.default_rng(1)
    faces = playing_cards()
    gallery = Gallery.from_faces("playing", faces)
    watcher = Watcher(layout, gallery, calibrate(studio.frame(Scene(), rng), layout))
    cards = tuple(Lying(face, zone.x, zone.y) for face, zone in zip(faces.values(), zones, strict=False))
    wide, high = studio.view.size

    def settle(scene: Scene) -> float:
        """Milliseconds of the frame in which the table was read."""
        shown = [studio.frame(scene, rng) for _ in range(4)]
        return max(_time(partial(watcher.look, frame, 0.0)) for frame in shown)

    settle(Scene(cards))  # warm
    one, full = [], []
    for k in range(ROUNDS):
        settle(Scene())
        settle(Scene(cards[k : k + 1]))
        one.append(settle(Scene(cards[k : k + 2])))
        settle(Scene())
        full.append(settle(Scene(cards)))
    still = [studio.frame(Scene(cards), rng) for _ in range(20)]
    unchanged = statistics.median(_time(partial(watcher.look, frame, 0.0)) for frame in still)
    orb = Features(gallery)
    each = statistics.median(_time(partial(orb.read, look.image)) for look in gallery.looks[:: 52 // ROUNDS])
    yield f"{'52 playing cards':40} {'ours':>9} {'ORB':>9} {'ORB / ours':>11}"
    yield _row(f"unchanged frame, {wide} x {high}, 16 cards", unchanged, 16 * each)
    yield _row("one new card on the table", statistics.median(one), each)
    yield _row("a full table of 16 new cards", statistics.median(full), 16 * each)
    yield ""
    yield " gallery     load   one card   16 cards   ORB: one   ratio    memory      ORB"
    spawn = multiprocessing.get_context("spawn")
    for size in SIZES:
        with ProcessPoolExecutor(1, mp_context=spawn) as alone, ProcessPoolExecutor(1, mp_context=spawn) as beside:
            ours, peer = alone.submit(grown, size, True).result(), beside.submit(grown, size, False).result()
        yield (
            f"{size:8} {ours.load / 1000:6.1f} s {ours.card:7.0f} ms {16 * ours.card:7.0f} ms {peer.card:7.0f} ms"
            f" {peer.card / ours.card:7.1f} {ours.memory:6.0f} MB {peer.memory:5.0f} MB"
        )


class Grown(NamedTuple):
    """A way with a gallery of some size: milliseconds to get ready, milliseconds a card, megabytes."""

    load: float
    card: float
    memory: float


def grown(size: int, ours: bool) -> Grown:
    """Measured in a process of its own, so that memory is what this gallery needs."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(3)
    base = [look.image for look in Gallery.from_faces("flowers", flower_cards()).looks]
    gallery = Gallery("many", (33, 54), tuple(Look(f"{k}", _varied(base[k % len(base)], k, rng)) for k in range(size)))
    asked = [gallery.looks[int(k)].image for k in rng.integers(0, size, ROUNDS + 1)]
    high, wide = asked[0].shape[:2]
    whole = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) - 0.5
    before = _memory()
    start = time.process_time()
    reader: Callable[[Image], object]
    if ours:
        recogniser = Recogniser(gallery)
        reader = partial(_read, recogniser, whole)
    else:
        reader = Features(gallery).read
    ready = 1000 * (time.process_time() - start)
    times = [_time(partial(reader, image)) for image in asked][1:]
    return Grown(
        ready, statistics.median(times), _memory() - before + sum(len(look.packed) for look in gallery.looks) / 2**20
    )


def _read(recogniser: Recogniser, whole: np.ndarray[tuple[int, ...], np.dtype[np.float64]], image: Image) -> object:
    return read_quad(recogniser, image, whole, NEAR)


def _varied(image: Image, seed: int, rng: np.random.Generator) -> Image:
    """Another card: the same picture with its colours and its place changed."""
    other = np.roll(image, 7 * (seed % 40), axis=0)
    return np.asarray(np.clip(other * rng.uniform(0.5, 1.3, 3), 0, 255), np.uint8)


def _row(what: str, ours: float, orb: float) -> str:
    return f"{what:40} {ours:6.1f} ms {orb:6.0f} ms {orb / ours:11.1f}"


def _time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def _memory() -> float:
    """Megabytes that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

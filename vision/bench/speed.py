"""How long things take and how much memory they need: a frame in which nothing happened, a card, a full table, and
larger and larger galleries. Medians of CPU time, each as a ratio to ORB, which has to name every card on the table in
every frame."""

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
from msgspec import structs

from companion.core.drawing import rectangle
from companion.core.layout import Layout, Zone
from vision.bench.decks import flower_cards, playing_cards
from vision.bench.peers import Features
from vision.calibration.calibrate import calibrate
from vision.calibration.projection import TableProjection
from vision.pictures import Image
from vision.recognition.gallery import Gallery, Template
from vision.recognition.photo import NEAR, read_quad
from vision.recognition.recogniser import Recogniser
from vision.simulation.scene import Lying, Scene, SceneRenderer
from vision.watching.watcher import Watcher

TITLE = "Time (CPU, medians) and memory, and how they grow"
SIZES = (50, 200, 1000, 5000)
TABLE = 16
"""Cards of a full table."""
LYING = (1, 4, TABLE)
NEW = (1, 2, 4, 8, TABLE)
ROUNDS = 5
FLOWER = (33, 54)


def run(every: int = 1) -> Iterator[str]:
    yield from _frames(max(2, ROUNDS // every))
    yield ""
    yield from _galleries()


def _frames(rounds: int) -> Iterator[str]:
    """Frames of a camera that looks at sixteen places."""
    places = range(TABLE)
    zones = tuple(Zone(f"{k}", 146 + 120 * (k % 8), 200 + 250 * (k // 8), 62, 93, rotations=2) for k in places)
    frames = tuple(rectangle(64, 95, stroke="#ffffff", at=(zone.x, zone.y)) for zone in zones)
    layout = Layout(1132, 641, zones, (58, 89), mat=frames)
    wide, high = 1920, 1080
    studio = SceneRenderer(
        layout, structs.replace(TableProjection.overhead(layout.width, layout.height, 1.6), size=(wide, high))
    )
    rng = np.random.default_rng(1)
    faces = playing_cards()
    gallery = Gallery.from_faces("playing", faces)
    watcher = Watcher(layout, gallery, calibrate(studio.frame(Scene(), rng), layout))
    cards = list(faces.values())

    def lying(first: int, count: int) -> Scene:
        return Scene(tuple(Lying(cards[first + k], zones[k].x, zones[k].y) for k in range(count)))

    def settle(scene: Scene) -> float:
        """Milliseconds of the frame in which the table was read."""
        shown = [studio.frame(scene, rng) for _ in range(4)]
        return max(_time(partial(watcher.look, frame, 0.0)) for frame in shown)

    orb = Features(gallery)
    each = statistics.median(
        _time(partial(orb.read, template.image)) for template in gallery.templates[:: 52 // ROUNDS]
    )
    yield f"{f'52 playing cards, frames of {wide} x {high}':44} {'ours':>9} {'ORB':>9} {'ORB / ours':>11}"
    first = statistics.median(_time(watcher.recogniser.prepare) for _ in gallery.templates)
    yield f"{'in quiet frames, once for each template':44} {first:6.1f} ms"
    for count in LYING:
        settle(lying(0, count))
        still = [studio.frame(lying(0, count), rng) for _ in range(4 * rounds)]
        spent = statistics.median(_time(partial(watcher.look, frame, 0.0)) for frame in still)
        yield _row(f"unchanged frame, {count} on the table", spent, count * each)
    settle(lying(0, TABLE))  # warm
    for count in NEW:
        times = []
        for k in range(rounds):
            settle(Scene())
            times.append(settle(lying(7 * k, count)))
        yield _row(f"{count} new cards" if count > 1 else "one new card", statistics.median(times), count * each)


def _galleries() -> Iterator[str]:
    yield (
        " gallery    ready   one card     ORB   ratio   16 cards     ORB   ratio    memory      ORB"
        "   named of 16  wrong"
    )
    spawn = multiprocessing.get_context("spawn")
    grew = []
    for size in SIZES:
        with ProcessPoolExecutor(1, mp_context=spawn) as alone, ProcessPoolExecutor(1, mp_context=spawn) as beside:
            ours, peer = alone.submit(grown, size, True).result(), beside.submit(grown, size, False).result()
        grew.append((ours, peer))
        yield (
            f"{size:8} {ours.load / 1000:6.1f} s {ours.card:7.0f} ms {peer.card:7.0f} {peer.card / ours.card:7.1f}"
            f" {ours.table:7.0f} ms {TABLE * peer.card:7.0f} {TABLE * peer.card / ours.table:7.1f}"
            f" {ours.memory:6.0f} MB {peer.memory:5.0f} MB {ours.named:13} {ours.wrong:6}"
        )
    (little, few), (big, huge) = grew[0], grew[-1]
    yield (
        f"{SIZES[-1] / SIZES[0]:.0f} times the cards: {big.card / little.card:.1f} times the time"
        f" (ORB {huge.card / few.card:.1f}), {big.memory / little.memory:.1f} times the memory"
        f" (ORB {huge.memory / few.memory:.1f})"
    )


class Grown(NamedTuple):
    """A method with a gallery of some size: milliseconds to get ready, for one card and for all that were asked,
    megabytes, and how many cards were named, rightly and wrongly."""

    load: float
    card: float
    table: float
    memory: float
    named: int
    wrong: int


def grown(size: int, ours: bool) -> Grown:
    """Measured in a process of its own, so that its memory is what this gallery needs."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(3)
    base = [template.image for template in Gallery.from_faces("flowers", flower_cards()).templates]
    gallery = Gallery("many", FLOWER, tuple(Template(f"{k}", _mixed(base, rng)) for k in range(size)))
    asked = [gallery.templates[int(k)] for k in rng.choice(size, TABLE if ours else 3, replace=False)]
    seen = [_seen(look.image, rng) for look in asked]
    before = _memory()
    start = time.process_time()
    reader: Callable[[Image], str | None]
    if ours:
        recogniser = Recogniser(gallery)
        reader = partial(_read, recogniser)
    else:
        reader = partial(_matched, Features(gallery))
    ready = 1000 * (time.process_time() - start)
    reader(seen[0])  # warm
    names: list[str | None] = []
    times = [_time(lambda: names.append(reader(image))) for image in seen]  # noqa: B023 (called at once)
    pictures = sum(len(look.packed) for look in gallery.templates) / 2**20 if ours else 0.0
    right = sum(name == look.card for name, look in zip(names, asked, strict=True))
    wrong = sum(name is not None for name in names) - right
    return Grown(ready, statistics.median(times), sum(times), _memory() - before + pictures, right, wrong)


def _read(recogniser: Recogniser, image: Image) -> str | None:
    high, wide = image.shape[:2]
    whole = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) - 0.5
    return read_quad(recogniser, image, whole, NEAR).card


def _matched(orb: Features, image: Image) -> str | None:
    answer = orb.read(image)
    return answer.card if answer.sure else None


def _mixed(base: list[Image], rng: np.random.Generator) -> Image:
    """Another card, made of thirds of three cards."""
    high = base[0].shape[0]
    cuts = (0, high // 3, 2 * high // 3, high)
    thirds = [base[int(which)][cuts[k] : cuts[k + 1]] for k, which in enumerate(rng.integers(len(base), size=3))]
    return np.vstack(thirds)


def _seen(image: Image, rng: np.random.Generator) -> Image:
    """The card as a camera sees it, at 1.6 pixels per millimetre and with noise."""
    small = cv2.resize(image, tuple(round(1.6 * side) for side in FLOWER), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(small + rng.normal(0, 3.0, small.shape), 0, 255), np.uint8)


def _row(what: str, ours: float, orb: float) -> str:
    return f"{what:44} {ours:6.1f} ms {orb:6.0f} ms {orb / ours:11.1f}"


def _time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


def _memory() -> float:
    """Megabytes that this process uses now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20

"""What a machine can carry: the cost of each part of a table, in milliseconds here and in *loops*.

A loop is the time that a plain Python loop of a million steps takes on the same machine, so that what was measured on
one can be reckoned for another.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import cv2
import msgspec
import numpy as np

from companion.app.demo import DemoClock, VirtualDevices
from companion.app.pace import THINKING
from companion.app.senses import POLL
from companion.app.table import Table
from companion.app.wiring import Devices, Eyes
from companion.core.drawing import Face
from companion.core.layout import Layout
from companion.core.message import Message, message
from companion.games import game
from companion.record.journal import DataFolder
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.lobby import PLACES
from companion.referee.referee import Referee
from companion.referee.service import Service
from companion.upkeep.config import DEFAULTS
from companion.virtual import dealt as dealt_openly
from companion.virtual.bots import senjutsu as senjutsu_bot
from companion.virtual.bots.sen_so import SenSoMind, plan
from vision.calibration.calibrate import calibrate
from vision.calibration.projection import TableProjection
from vision.camera.phone import PhoneCamera
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Hand, Lying, Scene, SceneRenderer
from vision.watching.watcher import Watcher
from web.app import Settings

STEPS = 1_000_000
MOST_IDLE = 0.10
"""Of one core, while nobody is there."""
FRAMES_READ = 6
"""Pictures from a reveal until all of its cards are read."""
SETTLING = 20
"""Pictures after which a table that nobody touches has been read, and is only compared from then on."""
FOLLOWED = 15.0
"""Pictures a second while a hand is over the table."""
VIEWERS = 20
PLAYERS = ("Aki", "Ben", "Cho", "Dai")


class Part(msgspec.Struct, frozen=True):
    """What one step of something costs."""

    name: Message
    milliseconds: float
    loops: float
    often: float = 0.0
    """Steps a second while it goes on; 0: it happens once."""
    idle: bool = False
    """It goes on while nobody is there, too."""

    @property
    def share(self) -> float:
        """Of one core of this machine."""
        return self.milliseconds / 1000 * self.often


class Budget(msgspec.Struct, frozen=True):
    loop: float
    """Milliseconds that the plain loop takes here."""
    parts: tuple[Part, ...]

    @property
    def idle(self) -> float:
        """The share of one core that a table takes while nobody is there."""
        return sum(part.share for part in self.parts if part.idle)

    @property
    def slowest(self) -> float:
        """Milliseconds that the plain loop may take on a machine on which that stays below a tenth."""
        return self.loop * MOST_IDLE / self.idle


class Step(msgspec.Struct, frozen=True):
    """Something that is going to be measured."""

    name: Message
    do: Callable[[], object]
    often: float = 0.0
    idle: bool = False


def plain_loop() -> float:
    """Milliseconds."""
    begin, total = time.process_time(), 0
    for number in range(STEPS):
        total += number & 3
    return (time.process_time() - begin) * 1000


def measured(seconds: float = 5.0) -> Budget:
    """Measure every part for so many seconds."""
    loop = min(plain_loop() for _ in range(5))
    with TemporaryDirectory() as data, table_at_rest(Path(data)) as resting:
        parts = [_measured(step, seconds, loop) for step in [*resting, *at_play()]]
    return Budget(loop, tuple(parts))


def _measured(step: Step, seconds: float, loop: float) -> Part:
    step.do()
    begin, count = time.process_time(), 0
    while time.process_time() - begin < seconds or count < 3:
        step.do()
        count += 1
    cost = (time.process_time() - begin) * 1000 / count
    return Part(step.name, cost, cost / loop, step.often, step.idle)


@contextmanager
def table_at_rest(data: Path) -> Iterator[list[Step]]:
    """What a whole table does between two matches: its threads, a panel at every place, a camera that goes on sending.

    The panels are simulated in the same process, so what they cost is counted too.
    """
    clock = DemoClock(None)
    virtual, camera = VirtualDevices(PLACES, clock), PhoneCamera(lambda: clock.now)
    camera.begin("bench")
    settings = Settings(referee_pin="", seats=(), secret="00")
    _, renderer = _table()
    noise = np.random.default_rng(1)
    pictures = [_jpeg(renderer, noise) for _ in range(4)]
    numbers = iter(range(10**9))
    with DataFolder(data) as folder:
        table = Table(folder, lambda: clock.now, settings, Devices(camera, panels=virtual.panels), lambda _: Eyes())
        senses, pace = table.running.senses, table.running.feed.pace

        def look() -> None:
            camera.give("bench", pictures[next(numbers) % 4], 0.0)
            pace.idle = 0.0
            senses.look()

        def glance() -> None:
            pace.idle = float("inf")
            senses.look()

        def poll() -> None:
            clock.advance(POLL)
            senses.poll(virtual.hear)

        for _ in range(100):  # until every panel has said who it is
            poll()
        try:
            yield [
                Step(message("idle: a picture, between two matches"), look, DEFAULTS.idle_frames, idle=True),
                Step(message("idle: whether another picture is due"), glance, 1 / POLL, idle=True),
                Step(message("idle: a round of {count} panels and clock", count=PLACES), poll, 1 / POLL, idle=True),
            ]
        finally:
            senses.stop()
            table.close()
            virtual.close()


def at_play() -> list[Step]:
    """What is done while a match is played."""
    match, renderer = _table()
    noise = np.random.default_rng(1)
    layout, deck = match.game.table.layout(match.state), match.game.table.deck(match.state)
    gallery = Gallery.from_faces(match.game.name, {name: card.face for name, card in deck.cards.items()}, deck.back)
    gallery = gallery.on_table(layout.card, max(zone.rotations for zone in layout.zones))
    watcher = Watcher(layout, gallery, calibrate(renderer.frame(Scene(), noise), layout))
    service = Service(Referee(RecordedMatch(match, lambda fields: 0)), time.monotonic)
    stills = [renderer.frame(Scene(), noise) for _ in range(4)]
    hands = [renderer.frame(Scene(hands=(Hand(200.0 + 20 * n, 300.0, 320.0, -100.0),)), noise) for n in range(4)]
    faces = [card.face for card in deck.cards.values()]
    dealt = [[renderer.frame(_full(layout, faces, shift), noise) for _ in range(FRAMES_READ)] for shift in range(2)]
    numbers = iter(range(10**9))
    random = Random(1)

    def look_at_still() -> None:
        watcher.look(stills[next(numbers) % 4], float(next(numbers)))

    for _ in range(SETTLING):
        look_at_still()

    def look_at_hand() -> None:
        watcher.look(hands[next(numbers) % 4], float(next(numbers)))

    def read() -> None:
        for frame in dealt[next(numbers) % 2]:
            watcher.look(frame, float(next(numbers)))

    def pages() -> None:
        for _ in range(VIEWERS):
            msgspec.json.encode(service.page(None, "en"))

    def choose() -> None:
        view = msgspec.to_builtins(service.page("Aki", "en"))["view"]
        plan(SenSoMind(view, "Aki", random), ("move", "F"), None, 2, (), restless=False)

    return [
        Step(message("a match that nobody touches: each look"), look_at_still, 1 / THINKING),
        Step(message("a hand over the table: each picture"), look_at_hand, FOLLOWED),
        Step(message("a reveal of sixteen cards, read"), read),
        Step(message("news for {count} viewers", count=VIEWERS), pages),
        Step(message("a bot of Sen So chooses a card"), choose),
        Step(message("a bot of Senjutsu searches its whole deck"), _search()),
    ]


def _search() -> Callable[[], object]:
    """What the bot that looks furthest can do at the most: where each card of its whole deck, and not only of its hand,
    would take it and whom it would strike from there. No bot looks further than its own next card."""
    random, players = Random(1), PLAYERS[:2]
    match = Match(game("senjutsu"), players, dealt_openly("senjutsu", players, {}, random))
    service = Service(Referee(RecordedMatch(match, lambda fields: 0)), time.monotonic)
    view = msgspec.to_builtins(service.page(players[0], "en"))["view"]
    duel = match.state.duel
    mind = senjutsu_bot.SenjutsuMind(view, players[0], duel.cards, list(duel.decks[0]), random)
    return lambda: senjutsu_bot.choose(mind)


def _table() -> tuple[Match, SceneRenderer]:
    match = Match(game("sen_so"), PLAYERS)
    layout = match.game.table.layout(match.state)
    return match, SceneRenderer(layout, TableProjection.overhead(layout.width, layout.height))


def _jpeg(renderer: SceneRenderer, noise: np.random.Generator) -> bytes:
    return cv2.imencode(".jpg", renderer.frame(Scene(), noise))[1].tobytes()


def _full(layout: Layout, faces: Sequence[Face], shift: int) -> Scene:
    """A card in every place."""
    return Scene(
        tuple(
            Lying(faces[(shift + number) % len(faces)], zone.x, zone.y, zone.turn, holder_turn=zone.turn)
            for number, zone in enumerate(layout.zones)
        )
    )

"""Whole tables of random cards, drawn and read: how many readings are wrong, how many unsure.

Every zone of a game's layout gets as many cards as it is made for, laid as people lay them. What the watcher says is
then compared with what was laid.
"""

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.layout import Layout, SeenCard, Sight, Zone
from companion.games import game, names
from companion.games.kit.game import Deck
from companion.record.match import Match
from companion.virtual.physical_table import ROW_STEP, PhysicalTable
from tests.bench.vision.pairing import DOUBT, slips
from vision.calibration.calibrate import Calibration, CalibrationFailed, calibrate
from vision.calibration.projection import TableProjection
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import COARSE, Recogniser
from vision.recognition.sampling_grid import low_pass, pose, template_patch
from vision.simulation.scene import DAY, Lighting, Lying, Scene, SceneRenderer
from vision.watching.watcher import Watcher

MEASURED_WITH = {"sen_so": 4, "san_ni_ichi": 4, "senjutsu": 2, "sensu": 3}
"""Players at the tables that earlier measurements were made on."""
PLAYERS = {name: MEASURED_WITH.get(name, game(name).seats.start) for name in names()}
"""Every game that is here is measured; a new one with the fewest players it allows."""
STRIP = 12.0
"""Millimetres of a covered card that people leave to be seen in a row; both it and the next may slip by two."""


@dataclass(frozen=True)
class Conditions:
    """How the camera sees the table; by default as at the virtual table."""

    ppmm: float = 1.6
    tilt: float = 6.0
    blur: float = 0.0
    """Pixels."""
    glare: float = 0.0
    """How far three reflections of lamps, each a hand wide, go towards white."""
    strip: float = 0.0
    """Rows are packed so that covered cards show this much; 0: any number of cards, `STRIP` or more."""
    light: Lighting = DAY


USUAL = Conditions()


class LaidCard(NamedTuple):
    card: str
    face_up: bool
    rotation: float


@dataclass
class Tally:
    cards: int = 0
    wrong: list[str] = field(default_factory=list)
    unsure: list[str] = field(default_factory=list)
    miscounted: int = 0
    """Zones in which too few or too many cards were seen."""

    def __iadd__(self, other: "Tally") -> "Tally":
        self.cards += other.cards
        self.wrong += other.wrong
        self.unsure += other.unsure
        self.miscounted += other.miscounted
        return self


class FullTable:
    """One game's table with its camera, gallery and calibration."""

    def __init__(self, name: str, players: int | None = None, seen: Conditions = USUAL) -> None:
        self.seen = seen
        self._sit_down(name, players or PLAYERS[name])
        projection = TableProjection.overhead(self.layout.width, self.layout.height, seen.ppmm, seen.tilt)
        self.camera = SceneRenderer(self.layout, projection, seen.light)
        self.noise = np.random.default_rng(1)
        self.by_day = False
        """Markers cannot be found in this light: the table was calibrated by day."""
        self.measured: Calibration = self._measure(projection)

    def _sit_down(self, name: str, players: int) -> None:
        rules = game(name)
        state = Match(rules, list("ABCDEF")[:players]).state
        self.layout: Layout = rules.table.layout(state)
        self.deck: Deck = rules.table.deck(state)
        self.recogniser = _reader(name)
        self._upright: dict[int, set[str]] = {}

    def _measure(self, projection: TableProjection) -> Calibration:
        try:
            return calibrate(self.frame(Scene()), self.layout)
        except CalibrationFailed:
            self.by_day = True
            return calibrate(SceneRenderer(self.layout, projection).frame(Scene(), self.noise), self.layout)

    def frame(self, scene: Scene) -> Image:
        """A picture of this scene as this camera has it."""
        picture = self.camera.frame(scene, self.noise)
        if self.seen.glare and scene.cards:
            wide, high = self.camera.projection.size
            y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
            reach = 50 * self.seen.ppmm
            for card in self.noise.choice(len(scene.cards), 3):
                at = self.camera.projection.pixels([(scene.cards[card].x, scene.cards[card].y)])[0]
                shine = np.exp(-(((x - at[0]) / reach) ** 2 + ((y - at[1]) / (0.5 * reach)) ** 2))[..., None]
                picture = (picture + (255 - picture) * self.seen.glare * shine).astype(np.uint8)
        if self.seen.blur:
            picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), self.seen.blur), np.uint8)
        return picture

    def watcher(self) -> Watcher:
        return Watcher(self.layout, self.recogniser, self.measured)

    def scene(self, table: PhysicalTable) -> Scene:
        """A virtual table as a scene to be rendered."""
        back = self.deck.back
        return Scene(
            tuple(
                Lying(
                    self.deck.cards[thing.card].face if thing.face_up else back,
                    thing.x,
                    thing.y,
                    thing.turn,
                    holder_turn=thing.zone_turn if self.layout.holder else None,
                )
                for thing in table.things()
            )
        )

    def fill(self, rng: Random) -> tuple[PhysicalTable, dict[str, list[LaidCard]]]:
        """Cards in every zone, bottom to top."""
        table, names = PhysicalTable(self.layout, rng), sorted(self.deck.cards)
        laid: dict[str, list[LaidCard]] = {}
        for zone in self.layout.zones:
            laid[zone.name] = []
            packed = self.seen.strip and zone.holds == "row"
            for _ in range(self._most(zone) if packed else rng.randint(1, self._most(zone))):
                rotation = 0.0 if zone.holds == "row" else 360 / zone.rotations * rng.randrange(zone.rotations)
                one = LaidCard(rng.choice(names), rng.random() < (0.9 if zone.holds == "row" else 0.6), rotation)
                table.lay(zone.name, one.card, face_up=one.face_up, rotation=rotation)
                laid[zone.name].append(one)
        return table, laid

    def _most(self, zone: Zone) -> int:
        if zone.holds != "row":
            return 1 if zone.holds == "one" else 4
        room = max(zone.width - self.layout.card[0], zone.height - self.layout.card[1])
        if self.seen.strip:
            return 1 + int(room / self.seen.strip)
        return min(8, 1 + int(room / min(STRIP, ROW_STEP * self.layout.card[0])))

    def look(self, watcher: Watcher, scene: Scene, frames: int = 12) -> Sight | None:
        """Frames of this scene until there is news."""
        for _ in range(frames):
            if (sight := watcher.look(self.frame(scene), 0.0)) is not None:
                return sight
        return None

    def upright(self, rotations: int) -> set[str]:
        """The cards that look different in every rotation, so that their rotation can be read."""
        if rotations not in self._upright:
            ways = [pose(k * 360 / rotations) for k in range(1, rotations)]
            self._upright[rotations] = {
                look.card
                for at, look in enumerate(self.recogniser.gallery.templates)
                if not ways
                or self.recogniser.coarse.similarity(low_pass(template_patch(look.image), COARSE), ways, [at]).max()
                < 0.85
            }
        return self._upright[rotations]

    def compare(self, zone: Zone, laid: list[LaidCard], seen: tuple[SeenCard, ...] | None, found: Tally) -> None:
        """Count what was read otherwise than it was laid, and whether that was at least not claimed.

        A row may be read with too few cards or too many. Cards for which an unsure one stands are unsure, all of
        them; a card that is lost, or made up, without a doubt is wrong."""
        due = laid if zone.holds == "row" else laid[-1:]
        got = seen or ()
        found.cards += len(due)
        found.miscounted += len(due) != len(got)
        ways = self.upright(zone.rotations)
        laid_as = [_gist(one.card, one.face_up, one.rotation if one.card in ways else 0) for one in due]
        seen_as = [_gist(card.card, card.face_up, card.rotation if card.card in ways else 0) for card in got]
        for slip in slips(laid_as, seen_as):
            told = f"{zone.name}, card {slip.at + 1} of {len(due)}: {slip.laid} laid, {slip.seen} seen"
            (found.unsure if slip.honest else found.wrong).append(told)


def _gist(card: str | None, face_up: bool, rotation: float) -> str:
    return f"{card or DOUBT}{f' turned by {rotation:g}' if rotation else ''}" if face_up else "face down"


@cache
def _reader(name: str) -> Recogniser:
    """A recogniser of a game's own proxy cards."""
    rules = game(name)
    deck = rules.table.deck(Match(rules, list("ABCDEF")[: PLAYERS[name]]).state)
    return Recogniser(Gallery.from_faces(name, {card: known.face for card, known in deck.cards.items()}, deck.back))


def tally(table: FullTable, seed: int, *, cards: int) -> Tally:
    """Fill the table again and again until so many cards have been laid and read."""
    rng, found, watcher = Random(seed), Tally(), table.watcher()
    sight: Sight | None = None
    while found.cards < cards:
        filled, laid = table.fill(rng)
        # No news is that the table looks as before, which a table of few places may well do.
        sight = table.look(watcher, table.scene(filled)) or sight
        for zone in table.layout.zones:
            table.compare(zone, laid[zone.name], sight.zones.get(zone.name) if sight else None, found)
    return found

"""The tables that are measured in harsh rooms: which game, which deck, and how things are laid on them.

Drawn proxies are enrolled as scans. The photographs (SET) are enrolled from one day's pictures and laid as those of
other days and another camera, pressed into the shape of Sen So's cards; the fans differ in a number of 6 mm or a dot.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from random import Random
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.drawing import Face
from companion.core.layout import Zone
from companion.games.kit.game import Card, Deck
from companion.virtual.physical_table import CardOnTable
from tests.bench.vision.full_tables import USUAL, FullTable, LaidCard
from tests.bench.vision.harsh_table import Arm, HarshCamera, Room, Thing, coaster, die, phone, printed, sleeved
from vision.bench import set_photos
from vision.bench.decks import fan_cards
from vision.calibration.calibrate import calibrate, estimate_distortion
from vision.pictures import Image, resized
from vision.recognition.gallery import BACK, Gallery, Template
from vision.recognition.recogniser import Recogniser
from vision.simulation.paint import paint

PIXELS = 256
"""Across a photographed card."""


class Sitting(NamedTuple):
    """Who plays what, and with which cards."""

    game: str
    players: int
    deck: str = "proxies"
    strip: float = 0.0
    """Millimetres that the covered cards of a row show; 0: as many cards as people lay."""


TABLES: Mapping[str, Sitting] = {
    "Sen So": Sitting("sen_so", 4),
    "Sen So, photographs": Sitting("sen_so", 4, "photographs"),
    "San, Ni, Ichi!": Sitting("san_ni_ichi", 4),
    "Senjutsu": Sitting("senjutsu", 2),
    "Sensu, 19 mm": Sitting("sensu", 3, strip=19.0),
    "fans, 19 mm": Sitting("sensu", 3, "fans", 19.0),
    "fans, 13 mm": Sitting("sensu", 3, "fans", 13.0),
}


class RoomTable(FullTable):
    """One table in one room, measured while it is empty."""

    def __init__(self, name: str, room: Room, *, holders: bool = False, sleeves: bool = False) -> None:
        """`holders`: they lie there when the table is measured."""
        self.sitting, self.sleeves = TABLES[name], sleeves
        self.seen = replace(USUAL, strip=self.sitting.strip)
        self._sit_down(self.sitting.game, self.sitting.players)
        self.textures: Mapping[str, list[Image]] = {}
        if self.sitting.deck == "fans":
            self.deck, self.recogniser = _fans(self.deck.back)
        elif self.sitting.deck == "photographs":
            blank, disc = self.deck.back, self.recogniser.gallery.disc
            self.recogniser, self.textures = _photographs(self.layout.card, disc, blank)
            self.deck = Deck({card: Card(blank) for card in self.textures}, blank)
        self.eye = HarshCamera(self.layout, room)
        picture = self.eye.frame(self._holders(Random(1), 0.0) if holders else [])
        lens = estimate_distortion(picture, self.layout.width, self.layout.height)
        self.measured = calibrate(picture, self.layout, lens)

    def upright(self, rotations: int) -> set[str]:
        """SET cards look the same upside down."""
        return set() if self.textures else super().upright(rotations)

    @staticmethod
    def can_be_laid(name: str) -> bool:
        """Whether its photographs are on this machine."""
        return TABLES[name].deck != "photographs" or set_photos.FOLDER.is_dir()

    def error(self) -> float:
        """How many millimetres the calibration is off at the card places, at most."""
        at = np.array([(zone.x, zone.y) for zone in self.layout.zones])
        return float(np.linalg.norm(self.measured.projection.millimetres(self.eye.pixels(at)) - at, axis=1).max())

    def lay(
        self, rng: Random, *, moved: float = 0.0, clutter: bool = False
    ) -> tuple[list[Thing | Arm], dict[str, list[LaidCard]]]:
        """Cards on two thirds of the places; an empty holder on half of the others, or all holders, pushed about by so
        many millimetres; coasters, phones, dice and a hand where no card lies."""
        table, laid = self.fill(rng)
        rest = [zone for zone in self.layout.zones if rng.random() < 0.35]
        for zone in rest:
            table.cards[zone.name], laid[zone.name] = [], []
        things: list[Thing | Arm] = []
        holder = self.layout.holder
        if moved:
            things += self._holders(rng, moved)
        elif holder is not None:
            in_use = [(one.x, one.y, one.zone_turn) for one in table.things()]
            empty = [(zone.x + rng.uniform(-3, 3), zone.y + rng.uniform(-3, 3), zone.turn) for zone in rest[::2]]
            things += [printed(holder, *place) for place in in_use + empty]
        things += self._clutter(rng, rest) if clutter else []
        for one in table.things():
            card = self._card(one, rng)
            things.append(sleeved(card) if self.sleeves else card)
        return things, laid

    def _card(self, one: CardOnTable, rng: Random) -> Thing:
        if not one.face_up:
            return printed(self.deck.back, one.x, one.y, one.turn)
        if not self.textures:
            return printed(self.deck.cards[one.card].face, one.x, one.y, one.turn)
        image = rng.choice(self.textures[one.card])
        return Thing(image, _mask(self.deck, image.shape[:2]), self.layout.card, one.x, one.y, one.turn)

    def _holders(self, rng: Random, slip: float) -> list[Thing]:
        holder = self.layout.holder
        if holder is None:
            return []
        off = partial(rng.uniform, -slip, slip)
        return [printed(holder, zone.x + off(), zone.y + off(), zone.turn + off()) for zone in self.layout.zones]

    def _clutter(self, rng: Random, rest: list[Zone]) -> list[Thing | Arm]:
        things: list[Thing | Arm] = []
        for kind, zone in enumerate(rest):
            x, y = zone.x + rng.uniform(-8, 8), zone.y + rng.uniform(-8, 8)
            match kind % 4:
                case 0:
                    things.append(coaster(x, y, kind))
                case 1:
                    things.append(phone(x, y, zone.turn + rng.choice([0, 90, 20]), lit=rng.random() < 0.5))
                case 2:
                    things += [die(x + dx, y - dx, rng.randint(1, 6), rng.uniform(0, 90)) for dx in (-20, 5, 24)]
                case 3:
                    edge = (x, -60.0) if y < self.layout.height / 2 else (x, self.layout.height + 60)
                    things.append(Arm(x, y, *edge, height=12))
        return things


def _mask(deck: Deck, shape: tuple[int, int]) -> Image:
    """The shape of a deck's cards at this many rows and columns."""
    return np.asarray(cv2.resize(paint(deck.back, 4.0).mask, shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)


@cache
def _fans(back: Face) -> tuple[Deck, Recogniser]:
    faces = fan_cards()
    deck = Deck({name: Card(face) for name, face in faces.items()}, back)
    return deck, Recogniser(Gallery.from_faces("fans", faces, back))


@cache
def _photographs(size: tuple[float, float], disc: float, back: Face) -> tuple[Recogniser, Mapping[str, list[Image]]]:
    """A recogniser of one day's photographs, and those of other days to be laid."""
    photos = set_photos.photos(set_photos.FOLDER)
    shape = (PIXELS, round(PIXELS * size[1] / size[0]))
    pictures = [*photos.gallery, (BACK, paint(back, 4.0).image)]
    templates = tuple(Template(card, resized(image, *shape)) for card, image in pictures)
    textures: dict[str, list[Image]] = {}
    for card, image in photos.queries:
        textures.setdefault(card, []).append(resized(image, *shape))
    return Recogniser(Gallery("photographs", size, templates, disc)), textures

"""Cards of every game, and a deck of near-identical ones in Sensu's rows, on a harsh table: one dial turned at a time.

The picture comes from `harsh_table`, which shares nothing with the virtual table. Right, doubt and wrong are per cent
of the cards; a card that is lost without a doubt counts as wrong.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from typing import NamedTuple

import numpy as np

from companion.games.kit.game import Card, Deck
from tests.bench.vision.curves import once
from tests.bench.vision.full_tables import USUAL, FullTable, Tally
from tests.bench.vision.harsh_table import HarshCamera, Lamp, Room, printed, sleeved
from vision.bench.decks import fan_cards
from vision.bench.pool import on_all_cores
from vision.calibration.calibrate import CalibrationFailed, calibrate
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.recognition.recogniser import Recogniser
from vision.simulation.scene import Scene

TITLE = "Harsh tables, one dial at a time: right / doubt / wrong, per cent of the cards"
CARDS = 60
"""Cards for each point, at least."""
NEAR_IDENTICAL = "near-identical fans"
GAMES: Mapping[str, tuple[str, int]] = {
    "sen_so": ("sen_so", 4),
    "sensu rows": ("sensu", 3),
    "san_ni_ichi": ("san_ni_ichi", 4),
    "senjutsu": ("senjutsu", 2),
    NEAR_IDENTICAL: ("sensu", 3),
}
GOOD = Room()
DIALS: Mapping[str, Room] = {
    "good light": GOOD,
    "dark wood": replace(GOOD, ground="dark wood"),
    "cloth": replace(GOOD, ground="cloth"),
    "printed ground": replace(GOOD, ground="art"),
    "soft focus": replace(GOOD, blur=1.5),
    "tilted": replace(GOOD, tilt=35.0),
    "dim, high gain": replace(GOOD, stops=-3.0, follows=1.0),
    "candle": replace(GOOD, kelvin=2200.0),
    "one lamp": replace(GOOD, stops=-1.0, lamps=(Lamp(0.0, 0.0, 600.0, 1.2, 3000.0),)),
    "sleeves, shine": replace(GOOD, shine=0.8, lamps=(Lamp(300.0, 200.0, 700.0, 0.6),)),
    "poor JPEG": replace(GOOD, jpeg=45),
    "720p": replace(GOOD, size=(1280, 720)),
}
STRIP = 19.0
"""Millimetres of each covered card of a row."""


class Point(NamedTuple):
    game: str
    dial: str


class HarshTable(FullTable):
    """One game's table in a harsh room."""

    def __init__(self, game: str, room: Room, *, sleeves: bool = False, strip: float = STRIP) -> None:
        self.seen, self.by_day, self.sleeves = replace(USUAL, strip=strip), False, sleeves
        self._sit_down(*GAMES[game])
        if game == NEAR_IDENTICAL:
            self.deck, self.recogniser = _fans()
        self.room = HarshCamera(self.layout, room)
        self.measured = calibrate(self.room.frame([]), self.layout)
        self.noise = np.random.default_rng(1)

    def frame(self, scene: Scene) -> Image:
        cards = [printed(card.face, card.x, card.y, card.turn) for card in scene.cards]
        return self.room.frame([sleeved(card) for card in cards] if self.sleeves else cards)


@cache
def _fans() -> tuple[Deck, Recogniser]:
    faces = fan_cards()
    deck = Deck({name: Card(face) for name, face in faces.items()}, FullTable("sensu").deck.back)
    return deck, Recogniser(Gallery.from_faces("fans", faces, deck.back))


def run(every: int = 1) -> Iterator[str]:
    points = [Point(game, dial) for game in GAMES for dial in DIALS]
    whole = Tally()
    work = partial(measure, cards=max(10, CARDS // every))
    for game, line in groupby(zip(points, on_all_cores(work, points), strict=True), lambda pair: pair[0].game):
        for point, found in line:
            if found is None:
                yield f"{game:20} {point.dial:16} the markers cannot be found"
                continue
            whole += found
            wrong, doubt = len(found.wrong), len(found.unsure)
            shares = (100 * part / found.cards for part in (found.cards - wrong - doubt, doubt, wrong))
            yield f"{game:20} {point.dial:16} {found.cards:4} cards  " + " / ".join(f"{share:5.1f}" for share in shares)
            yield from (f"    wrong: {what}" for what in found.wrong)
    yield f"{whole.cards} cards in all: {len(whole.wrong)} wrong, {len(whole.unsure)} doubts"


def measure(point: Point, cards: int = CARDS, seed: int = 1) -> Tally | None:
    try:
        table = HarshTable(point.game, DIALS[point.dial], sleeves="sleeves" in point.dial)
    except CalibrationFailed:
        return None
    return once(table, seed, cards)

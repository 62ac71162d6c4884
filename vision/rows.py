"""Rows: cards that overlap along a zone, all to be read, bottom to top.

Every card lies over the one before, a little further along, so the last is whole and each of the others shows a
strip of its near edge. The last is read like any card; it also tells how this light paints the deck. From there the
walk goes back, strip by strip: which look, laid where, explains most of what is still unexplained? A strip too narrow
to tell two cards apart is not guessed.
"""

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table import Layout, SeenCard, Zone
from vision.cells import Deck, Floats, Spot, sample
from vision.gallery import BACK
from vision.ground import GRAIN, Area, Ground
from vision.paint import Array, Image
from vision.recognise import Reading, Recogniser, Slack
from vision.view import corners, lying

SPARE = 6.0  # millimetres around a row that belong to its picture
SHARP = 1.6  # pixels per millimetre of that picture
ROUGH, NEAT = 2.0, 1.0  # millimetres: cells in which strips are searched for, and fitted
LEAST = 3.5  # millimetres of a strip that can be found at all
KNOWN = 8.0  # millimetres of a card by which it is found again beyond one that nobody knows
SLIP, SKEW = 4.0, 2.0  # millimetres and degrees that a card may be off
GUARD = 0.8  # millimetres beside a covering card: its edge and its shadow
EXPECTED = (10.0, 26.0)  # grey levels by which a well explained cell may be off, in a clean picture and in a poor one
WORST = 9  # a cell that is not explained speaks so much against a look, and no more: there may be glare
CANDIDATES, LEVEL = 8, 3  # looks that are fitted, and spots at which all of them are compared
TELLING = 18  # two looks that differ by less than so many well seen cell values are not told apart


class Glimpse(NamedTuple):
    """What is to be seen of a card that lies at a spot: which of its cells, and how they look."""

    spot: Spot
    cells: NDArray[np.intp]
    seen: Floats


class Found(NamedTuple):
    """A look laid over what is to be seen of a card."""

    look: int
    glimpse: Glimpse
    worth: float
    """How much it explains, beyond chance."""
    off: float
    """Mean square of what it does not explain."""


class RowReader:
    """Reads the rows of one layout."""

    def __init__(self, layout: Layout, recogniser: Recogniser, ground: Ground) -> None:
        self.layout, self.recogniser, self.ground = layout, recogniser, ground
        self._decks: dict[tuple[int, ...], tuple[Deck, Deck]] = {}

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards of this row, bottom to top."""
        return tuple(reversed(list(_Walk(self, frame, zone).cards())))

    def decks(self, turns: tuple[int, ...]) -> tuple[Deck, Deck]:
        if turns not in self._decks:
            gallery = self.recogniser.gallery
            rough, neat = (Deck(gallery, self.layout.card, turns, pitch) for pitch in (ROUGH, NEAT))
            self._decks[turns] = rough, neat
        return self._decks[turns]


def runs(zone: Zone, card: tuple[float, float]) -> tuple[float, bool]:
    """Which way a row grows, as a turn on the table, and whether it is a column: where there is more room; to the
    right of its owner, or towards him."""
    column = zone.height - card[1] > zone.width - card[0]
    return (zone.turn - 90, True) if column else (zone.turn, False)


class _Walk:
    """One row in one picture, from the top card down."""

    def __init__(self, reader: RowReader, frame: Image, zone: Zone) -> None:
        self.reader, self.frame, self.zone = reader, frame, zone
        self.turn, column = runs(zone, reader.layout.card)
        length, breadth = (zone.height, zone.width) if column else (zone.width, zone.height)
        self.area = Area(zone.x, zone.y, self.turn, length + 2 * SPARE, breadth + 2 * SPARE)
        first = 90 if column else 0
        self.rough, self.neat = reader.decks((first, first + 180) if zone.rotations > 1 else (first,))
        self.picture = self.area.picture(frame, reader.ground.view, SHARP)
        self.to_pixels = self.area.to_pixels(SHARP)
        self.free: Floats = np.ones(self.picture.shape[:2], np.float32)
        self._use(self.picture)
        self.lit = False
        self.expected = EXPECTED[1]

    def cards(self) -> Iterator[SeenCard]:
        strange = self.reader.ground.strange(self.frame, self.area)
        if strange is None:
            return
        inner = round(SPARE * GRAIN)
        strange[:, : inner - 4] = strange[:, 4 - inner :] = 0
        while (end := self._end(strange)) is not None:
            card, spot = self._strip(strange, end) if self._goes_on(end) else self._whole(end)
            self._cover(strange, spot, end)
            yield card

    def _end(self, strange: NDArray[np.uint8]) -> float | None:
        """How far along something unexplained reaches."""
        closed = cv2.morphologyEx(strange, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        much = np.asarray(closed.sum(0) > 0.3 * self.neat.breadth * GRAIN)
        lasting = np.convolve(much, np.ones(3), "same") >= 3
        if not lasting.any():
            return None
        return float((np.flatnonzero(lasting).max() + 2) / GRAIN - self.area.width / 2)

    def _start(self, strange: NDArray[np.uint8]) -> float:
        much = np.asarray(strange.sum(0) > 0.3 * self.neat.breadth * GRAIN)
        return float(np.flatnonzero(much).min() / GRAIN - self.area.width / 2)

    def _goes_on(self, end: float) -> bool:
        """Does what ends here go on below a card that is explained already?"""
        at = round((end + self.area.width / 2 + 3.0) * SHARP)
        middle = self.free.shape[0] // 2
        return at < self.free.shape[1] and not self.free[middle, at]

    # --- a card that is whole ------------------------------------------------------------------------------------

    def _whole(self, end: float) -> tuple[SeenCard, Spot]:
        view, layout = self.reader.ground.view, self.reader.layout
        x, y = lying([(end - self.neat.length / 2, 0.0)], self.area.x, self.area.y, self.turn)[0]
        turns = [self.turn + turn for turn in sorted(set(self.neat.turns))]
        plane = view.plane(float(x), float(y), 0.0, *layout.card)
        reading = self.reader.recogniser.read(self.frame, plane, turns, Slack(0.055, 3.0))
        places = lying(view.millimetres(reading.corners) - (self.area.x, self.area.y), 0, 0, -self.turn)
        along = places[1] - places[0] + places[2] - places[3]
        turned = float(np.degrees(np.arctan2(along[1], along[0])))
        turn = min(set(self.neat.turns), key=lambda turn: abs((turned - turn + 180) % 360 - 180))
        spot = Spot(float(places[:, 0].mean()), float(places[:, 1].mean()), (turned - turn + 180) % 360 - 180)
        if not self.lit:
            self._learn_light(reading, turn, spot)
        down = reading.card == BACK
        guesses = () if down else reading.guesses
        return self._card(None if down else reading.card, not down, turn, spot, reading.confidence, guesses), spot

    def _learn_light(self, reading: Reading, turn: int, spot: Spot) -> None:
        """How this light paints the deck: what was seen of a whole card against its look, by channel."""
        deck = self.neat
        look = next(k for k, name in enumerate(deck.names) if name == reading.best and deck.turns[k] == turn)
        seen = sample(self.picture, deck.points, [spot], self.to_pixels)[0]
        known = deck.values[look]
        # A haze over the picture (an offset) is believed only as far as the card has dark and bright parts to show it.
        mean, square = known.mean(0), (known**2).mean(0)
        both, one = (known * seen).mean(0), seen.mean(0)
        gains = np.clip((both * 1.05 - mean * one) / (square * 1.05 - mean**2), 0.25, 2.5)
        offsets = (one - gains * mean) / 1.05
        self._use((self.picture - offsets) / gains)
        self.lit = True
        off = (seen - offsets) / gains - known
        self.expected = float(np.clip(2 * np.sqrt((off**2).mean()), *EXPECTED))

    def _use(self, picture: Floats) -> None:
        """The picture that strips are compared with: soft to search in, sharp (and what is free of it) to fit in."""
        self.soft = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 * ROUGH * SHARP), np.float32)
        self.sharp = np.dstack([picture, self.free]).astype(np.float32)

    # --- a card of which a strip is to be seen -------------------------------------------------------------------

    def _strip(self, strange: NDArray[np.uint8], end: float) -> tuple[SeenCard, Spot]:
        start = self._start(strange)
        found = self._level(self._candidates(start, end))
        best, deck = self._least_turned(found[0], end), self.neat
        name = deck.names[best.look]
        guesses = tuple(dict.fromkeys(deck.names[one.look] for one in found if deck.names[one.look] != BACK))
        if best.worth <= 0:
            spot = Spot(self._next_end(start, end) + deck.length / 2, 0.0, 0.0)
            return self._card(None, True, deck.turns[best.look], spot, 0.0, guesses), spot
        spot = best.glimpse.spot
        sure = self._confidence(best, [one for one in found if deck.names[one.look] != name])
        down = name == BACK and sure >= 0.5
        card = None if down or sure < 0.5 else name
        return self._card(card, not down, deck.turns[best.look], spot, sure, () if down else guesses), spot

    def _next_end(self, start: float, end: float) -> float:
        """Where a strip begins that no look explains: where the nearest card beyond it that is known ceases to be
        explained, or where the row begins."""
        begins = max(start, end - self.neat.length + LEAST)
        for left in np.arange(end - 2 * KNOWN, start - 2.1, -1.0):
            known = self._fit_known(float(left))
            if known is None:
                continue
            glimpse = self._glimpse(known.glimpse.spot, end)
            off = ((glimpse.seen - self._known(known.look, glimpse)) ** 2).mean(1)
            column = glimpse.cells // self.neat.rows
            mean = np.bincount(column, off) / np.maximum(np.bincount(column), 1)
            broken = np.flatnonzero(mean > EXPECTED[1] ** 2)
            if len(broken):
                edge = glimpse.spot.along - self.neat.length / 2 + float(broken[0]) * self.neat.pitch[0]
                return max(begins, min(edge, end - LEAST))
        return begins

    def _fit_known(self, left: float) -> Found | None:
        """The card whose near edge lies here, if the first bit of it is well explained."""
        spots, worth = self._search(left, left + KNOWN)
        at, look = np.unravel_index(int(worth.argmax()), worth.shape)
        if worth[at, look] <= 0:
            return None
        found = self._fit(int(look), spots[int(at)], left + KNOWN - 3.0)
        strict = self._judge(found.look, found.glimpse, self.expected)
        return found if strict.worth > 0.4 * len(found.glimpse.cells) * self.expected**2 else None

    def _candidates(self, start: float, end: float) -> list[Found]:
        """The looks that explain the most of the strip that ends here, fitted closely."""
        lefts = np.arange(max(start - 2.0, end - self.rough.length), end - LEAST + 0.1, 1.0)
        spots, worth = zip(*(self._search(float(left), end) for left in lefts), strict=True)
        value = np.array(worth).max(1)
        looks = np.argsort(-value.max(0))[:CANDIDATES]
        fits = []
        for rank, look in enumerate(looks):
            # A pattern that repeats may fit at several places: the best looks are tried at each.
            for at in _peaks(value[:, look])[: 3 if rank < 3 else 1]:
                fits.append(self._fit(int(look), spots[at][int(worth[at][:, look].argmax())], end))
        return fits

    def _search(self, left: float, end: float) -> tuple[list[Spot], Floats]:
        """What every look is worth as a card that begins at `left`, spots x looks."""
        deck = self.rough
        spots = [Spot(left + deck.length / 2, float(y), 0.0) for y in np.arange(-SLIP, SLIP + 0.1, 2.0)]
        cut = min(deck.cols, int(np.ceil((end - left + 2.0) / deck.pitch[0]))) * deck.rows
        cells = sample(self.free, deck.points[:cut], spots, self.to_pixels)[..., 0] > 0.9
        seen = sample(self.soft, deck.points[:cut], spots, self.to_pixels) * cells[..., None]
        flat = seen.reshape(len(spots), -1)
        off = cells.astype(np.float32) @ deck.squares[:cut] - 2 * flat @ deck.flat[: 3 * cut]
        off += (flat**2).sum(1)[:, None]
        return spots, np.asarray(cells.sum(1)[:, None] * EXPECTED[1] ** 2 - off / 3, np.float32)

    def _fit(self, look: int, spot: Spot, end: float, rounds: int = 8) -> Found:
        """Move a look from here to where it explains the strip best."""
        found = self._judge(look, self._glimpse(spot, end))
        for _ in range(rounds):
            along, across, turn = np.clip(self._step(found), -2, 2)
            spot = found.glimpse.spot
            turned = float(np.clip(spot.turn - turn, -2 * SKEW, 2 * SKEW))
            after = Spot(spot.along - float(along), spot.across - float(across), turned)
            better = self._judge(look, self._glimpse(after, end))
            if better.worth <= found.worth + EXPECTED[1] ** 2:
                return max(found, better, key=_worth)
            found = better
        return found

    def _glimpse(self, spot: Spot, end: float) -> Glimpse:
        deck = self.neat
        columns = int(np.clip((end + 3.0 - spot.along + deck.length / 2) / deck.pitch[0], 1, deck.cols))
        taken = sample(self.sharp, deck.points[: columns * deck.rows], [spot], self.to_pixels)[0]
        cells = np.flatnonzero(taken[:, 3] > 0.9)
        return Glimpse(spot, cells, taken[cells, :3])

    def _known(self, look: int, glimpse: Glimpse) -> Floats:
        """How a look has these cells in this light, which may be a little stronger or weaker here than at the top."""
        known = self.neat.values[look][glimpse.cells]
        gain = np.clip((glimpse.seen * known).sum(0) / np.maximum((known**2).sum(0), 1.0), 0.88, 1.14)
        return np.asarray(known * gain, np.float32)

    def _judge(self, look: int, glimpse: Glimpse, expected: float = EXPECTED[1]) -> Found:
        if not len(glimpse.cells):
            return Found(look, glimpse, -np.inf, np.inf)
        off = ((glimpse.seen - self._known(look, glimpse)) ** 2).mean(1)
        worth = (expected**2 - np.minimum(off, WORST * expected**2)).sum()
        return Found(look, glimpse, float(worth), float(off.mean()))

    def _step(self, found: Found) -> Array:
        """How far off a look lies, by Gauss and Newton; what cannot be explained at all hardly counts."""
        left = found.glimpse.seen - self._known(found.look, found.glimpse)
        weight = np.repeat(1 / (1 + (left**2).mean(1) / EXPECTED[1] ** 2), 3)
        slopes = self.neat.slopes(found.look)[found.glimpse.cells].reshape(-1, 3)
        heavy = slopes.T * weight
        square = heavy @ slopes
        square += np.diag(1e-3 * np.diag(square) + 1e-3)
        return np.asarray(np.linalg.solve(square, heavy @ left.reshape(-1)), float)

    def _level(self, found: list[Found]) -> list[Found]:
        """Every candidate at the best spots that were found for any: luck in fitting must not decide between twins."""
        strict = [self._judge(one.look, one.glimpse, self.expected) for one in found]
        spots = [one.glimpse for one in sorted(strict, key=_worth, reverse=True)[:LEVEL]]
        level = [
            max([one, *(self._judge(one.look, spot, self.expected) for spot in spots)], key=_worth) for one in strict
        ]
        return sorted(level, key=_worth, reverse=True)

    def _least_turned(self, best: Found, end: float) -> Found:
        """A strip that looks the same on a card turned by half is not turned, unless the picture clearly says so."""
        upright = best.look - best.look % self.neat.ways
        if best.look == upright or best.worth <= 0:
            return best
        other = self._judge(upright, self._fit(upright, best.glimpse.spot, end).glimpse, self.expected)
        return best if self._confidence(best, [other]) >= 0.5 else other

    def _confidence(self, best: Found, others: list[Found]) -> float:
        """It explains its strip, and the strip speaks for it where another card would differ."""
        sure = _rise(1 - best.off / (1.2 * EXPECTED[1] ** 2), 0.0, 8)
        known = self._known(best.look, best.glimpse)
        for other in others:
            rival = self._known(other.look, best.glimpse)
            apart = known - rival
            much = float((apart**2).sum())
            speaks = float(((best.glimpse.seen - rival) * apart).sum()) / max(much, 1.0)
            due = float(np.minimum((apart**2).mean(1), WORST * self.expected**2).sum())
            lead = (best.worth - other.worth) / max(1.0, min(due, best.worth))
            enough = _rise(much / (EXPECTED[1] ** 2 * TELLING), 1.0, 6)
            sure = min(sure, enough * _rise(speaks, 0.65, 30), enough * _rise(lead, 0.12, 40))
        return sure

    # --- what is known of the row so far -------------------------------------------------------------------------

    def _cover(self, strange: NDArray[np.uint8], spot: Spot, end: float) -> None:
        """This card is explained, and so is everything under it and beyond."""
        for picture, grain, guard in ((self.free, SHARP, GUARD), (strange, GRAIN, 2.0)):
            size = corners(self.neat.length + 2 * guard, self.neat.breadth + 2 * guard)
            outline = lying(size, spot.along, spot.across, spot.turn)
            to_pixels = self.area.to_pixels(grain)
            pixels = np.rint(outline @ to_pixels[:2, :2].T + to_pixels[:2, 2]).astype(np.int32)
            cv2.fillPoly(picture, [pixels], 0)
        self.sharp[..., 3] = self.free
        edge = min(spot.along - self.neat.length / 2 + 2.0, end - LEAST)  # at least so much: the walk must end
        strange[:, max(0, round((edge + self.area.width / 2) * GRAIN)) :] = 0

    def _card(
        self, card: str | None, face_up: bool, turn: int, spot: Spot, sure: float, guesses: tuple[str, ...]
    ) -> SeenCard:
        x, y = lying([spot[:2]], self.area.x, self.area.y, self.turn)[0]
        rotation = (turn + self.turn - self.zone.turn) % 360
        return SeenCard(card, face_up, rotation, round(float(x), 1), round(float(y), 1), round(sure, 3), guesses)


def _peaks(values: Floats) -> list[int]:
    """Where a line of values is higher than beside, the highest first."""
    wide = np.pad(values, 2, constant_values=-np.inf)
    higher = [wide[2:-2] >= wide[2 + step : len(wide) - 2 + step] for step in (-2, -1, 1, 2)]
    return sorted(map(int, np.flatnonzero(np.all(higher, axis=0))), key=lambda at: -float(values[at]))


def _worth(found: Found) -> float:
    return found.worth


def _rise(value: float, half: float, steep: float) -> float:
    return float(1 / (1 + np.exp(-(value - half) * steep)))

"""Rows: cards that overlap along a zone, all to be read, bottom to top.

Every card lies over the one before, a little further along, so the last is whole and each of the others shows a
strip of its near edge. The last is read like any card; it also tells how this light paints the deck. From there the
walk goes back, strip by strip: which look, laid where, explains most of what is still unexplained? A strip too narrow
to tell two cards apart is not guessed.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Layout, SeenCard, Zone
from vision.calibration.projection import corners, rigid_transform, transform
from vision.detection.background import MASK_SCALE, Area, Background
from vision.recognition.gallery import BACK
from vision.recognition.partial_matching import (
    EXPECTED,
    NEAT,
    ROUGH,
    SHARP,
    SMOOTH,
    TELLING,
    PartialMatcher,
    TemplateFit,
)
from vision.recognition.recogniser import Recogniser, SearchRange
from vision.recognition.template_grid import Floats, PlanarPose, TemplateGrid
from vision.simulation.paint import Image

SPARE = 6.0  # millimetres around a row that belong to its picture
LEAST = 3.5  # millimetres of a strip that can be found at all
KNOWN = 6.0  # millimetres of a card by which it is found again beyond one that nobody knows
SLIP = 4.0  # millimetres that a card may be off
GUARD = 0.8  # millimetres beside a covering card: its edge and its shadow
RIM = 1.5  # millimetres around a card in which its edge still makes the table look strange, in focus
CANDIDATES = 8  # looks that are fitted
BLURS = (0.0, 0.6, 0.9, 1.3, 1.8)  # millimetres by which a lens may be out of focus


class RowReader:
    """Reads the rows of one layout."""

    def __init__(self, layout: Layout, recogniser: Recogniser, ground: Background) -> None:
        self.layout, self.recogniser, self.ground = layout, recogniser, ground
        self._decks: dict[tuple[int, ...], tuple[TemplateGrid, TemplateGrid]] = {}

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards of this row, bottom to top."""
        return tuple(reversed(list(_RowScan(self, frame, zone).cards())))

    def decks(self, turns: tuple[int, ...]) -> tuple[TemplateGrid, TemplateGrid]:
        if turns not in self._decks:
            gallery = self.recogniser.gallery
            rough, neat = (TemplateGrid(gallery, self.layout.card, turns, pitch) for pitch in (ROUGH, NEAT))
            self._decks[turns] = rough, neat
        return self._decks[turns]


def row_direction(zone: Zone, card: tuple[float, float]) -> tuple[float, bool]:
    """Which way a row grows, as a turn on the table, and whether it is a column: where there is more room; to the
    right of its owner, or towards him."""
    column = zone.height - card[1] > zone.width - card[0]
    return (zone.turn - 90, True) if column else (zone.turn, False)


class _RowScan:
    """One row in one picture, from the top card down."""

    def __init__(self, reader: RowReader, frame: Image, zone: Zone) -> None:
        self.reader, self.frame, self.zone = reader, frame, zone
        self.turn, column = row_direction(zone, reader.layout.card)
        length, breadth = (zone.height, zone.width) if column else (zone.width, zone.height)
        self.area = Area(zone.x, zone.y, self.turn, length + 2 * SPARE, breadth + 2 * SPARE)
        first = 90 if column else 0
        rough, self.neat = reader.decks((first, first + 180) if zone.rotations > 1 else (first,))
        picture = self.area.picture(frame, reader.ground.projection, SHARP)
        self.strips = PartialMatcher(picture, self.area.to_pixels(SHARP), rough, self.neat)
        self.lit = False

    def cards(self) -> Iterator[SeenCard]:
        foreground_mask = self.reader.ground.foreground_mask(self.frame, self.area)
        if foreground_mask is None:
            return
        inner = round(SPARE * MASK_SCALE)
        foreground_mask[:, : inner - 4] = foreground_mask[:, 4 - inner :] = 0
        while (stretch := self._stretch(foreground_mask)) is not None:
            end = stretch[1]
            card, spot = self._strip(*stretch) if self._goes_on(end) else self._whole(end)
            self._cover(foreground_mask, spot, end)
            yield card

    def _stretch(self, foreground_mask: NDArray[np.uint8]) -> tuple[float, float] | None:
        """From where to where along the row anything is unexplained."""
        closed = cv2.morphologyEx(foreground_mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        much = np.asarray(closed.sum(0) > 0.3 * self.neat.breadth * MASK_SCALE)
        lasting = np.flatnonzero(much[1:] & much[:-1])
        if not len(lasting):
            return None
        start, end = (float(at / MASK_SCALE - self.area.width / 2) for at in (lasting.min(), lasting.max() + 2))
        return start, end

    def _goes_on(self, end: float) -> bool:
        """Does what ends here go on below a card that is explained already?"""
        at = round((end + self.area.width / 2 + 3.0) * SHARP)
        middle = self.strips.free.shape[0] // 2
        return at < self.strips.free.shape[1] and not self.strips.free[middle, at]

    # --- a card that is whole ------------------------------------------------------------------------------------

    def _whole(self, end: float) -> tuple[SeenCard, PlanarPose]:
        projection, layout = self.reader.ground.projection, self.reader.layout
        x, y = rigid_transform([(end - self.neat.length / 2, 0.0)], self.area.x, self.area.y, self.turn)[0]
        turns = [self.turn + turn for turn in sorted(set(self.neat.turns))]
        homography = projection.homography_at(float(x), float(y), 0.0, *layout.card)
        reading = self.reader.recogniser.read(self.frame, homography, turns, SearchRange(0.055, 3.0))
        places = rigid_transform(projection.millimetres(reading.corners) - (self.area.x, self.area.y), 0, 0, -self.turn)
        along = places[1] - places[0] + places[2] - places[3]
        turned = float(np.degrees(np.arctan2(along[1], along[0])))
        turn = min(set(self.neat.turns), key=lambda turn: abs((turned - turn + 180) % 360 - 180))
        spot = PlanarPose(float(places[:, 0].mean()), float(places[:, 1].mean()), (turned - turn + 180) % 360 - 180)
        if not self.lit:
            self.strips.use(self.strips.light(reading.best, turn, spot, BLURS))
            self.lit = True
        down = reading.card == BACK
        guesses = () if down else reading.guesses
        return self._card(None if down else reading.card, not down, turn, spot, reading.confidence, guesses), spot

    # --- a card of which a strip is to be seen -------------------------------------------------------------------

    def _strip(self, start: float, end: float) -> tuple[SeenCard, PlanarPose]:
        deck = self.neat
        for self.strips.shine in (False, True):
            found = sorted(self.strips.level(self._candidates(start, end)), key=self._sliver)
            best = self.strips.least_turned(found[0], end)
            known = best.worth > 0 and not self._sliver(best)
            if known:
                break
        name, turn = deck.names[best.template], deck.turns[best.template]
        ceases = self._ceases(best, end) if known else None
        others = [one for one in found if deck.names[one.template] != name]
        # A reflection explains much of a strip that is not wider than it is smooth: such a strip is placed, not named.
        named = known and ceases is None and not (self.strips.shine and self._narrower(best, 2 * SMOOTH))
        sure = self.strips.confidence(best, others, (1 + self.strips.shine) * TELLING) if named else 0.0
        guesses = tuple(dict.fromkeys(deck.names[one.template] for one in found if deck.names[one.template] != BACK))
        # If a look explains at all what nobody knows, that says where it lies at least.
        placed = known or self._explains(best, EXPECTED[1])
        self.strips.shine = False
        spot = best.glimpse.spot
        if ceases is not None:
            spot, guesses = PlanarPose(ceases + deck.length / 2, 0.0, 0.0), ()
        elif not placed:
            spot = PlanarPose(self._next_end(start, end) + deck.length / 2, 0.0, 0.0)
        down = name == BACK and sure >= 0.5
        card = None if down or sure < 0.5 else name
        return self._card(card, not down, turn, spot, sure, () if down else guesses), spot

    def _sliver(self, found: TemplateFit) -> bool:
        """Is so little to be seen of this card that it explains nothing?"""
        return self._narrower(found, LEAST / 2)

    def _narrower(self, found: TemplateFit, width: float) -> bool:
        """Is less to be seen of this card than a strip of this width?"""
        return len(found.glimpse.cells) < width * self.neat.rows / self.neat.pitch[0]

    def _next_end(self, start: float, end: float) -> float:
        """Where a strip begins that no look explains: where the nearest card beyond it that is known ceases to be
        explained, or where the row begins."""
        begins = max(start, end - self.neat.length + LEAST)
        for left in np.arange(end - LEAST - KNOWN, start - 2.1, -1.0):
            known = self._fit_known(float(left))
            if known is None:
                continue
            ceases = self._ceases(known, end)
            if ceases is not None:
                return max(begins, ceases)
        return begins

    def _ceases(self, found: TemplateFit, end: float) -> float | None:
        """Where a look ceases to explain what is to be seen up to here, if it does: beyond, more speaks against it than
        for it, and so another card lies on it there, however little of that one shows."""
        glimpse = self.strips.glimpse(found.glimpse.spot, end)
        off = ((glimpse.seen - self.strips.known(found.template, glimpse)) ** 2).mean(1)
        column = glimpse.cells // self.neat.rows
        cells = np.bincount(column)
        full = np.flatnonzero(cells > 0.3 * self.neat.rows)
        mean = np.bincount(column, off)[full] / cells[full]
        # In columns: a dirty edge or the rim of a reflection is one at most.
        worth = np.append(0, np.cumsum(np.clip(1 - mean / EXPECTED[1] ** 2, -1, 1)))
        if worth.max() - worth[-1] <= 1:
            return None
        edge = glimpse.spot.along - self.neat.length / 2 + float(full[int(worth.argmax())]) * self.neat.pitch[0]
        return min(edge, end - LEAST)

    def _fit_known(self, left: float) -> TemplateFit | None:
        """The card whose near edge lies here, if the first bit of it is well explained."""
        spots, worth = self._search(left, left + KNOWN)
        at, template = np.unravel_index(int(worth.argmax()), worth.shape)
        if worth[at, template] <= 0:
            return None
        found = self.strips.fit(int(template), spots[int(at)], left + KNOWN - 3.0)
        return found if self._explains(found, self.strips.expected) else None

    def _explains(self, found: TemplateFit, expected: float) -> bool:
        """Is enough to be seen of this card, and well explained, for a picture in which cells are off by so much?"""
        worth = self.strips.judge(found.template, found.glimpse, expected).worth
        return not self._sliver(found) and worth > 0.4 * len(found.glimpse.cells) * expected**2

    def _candidates(self, start: float, end: float) -> list[TemplateFit]:
        """The looks that explain the most of the strip that ends here, fitted closely."""
        lefts = np.arange(max(min(start, end - LEAST) - 2.0, end - self.neat.length), end - LEAST + 0.1, 1.0)
        spots, worth = zip(*(self._search(float(left), end) for left in lefts), strict=True)
        value = np.array(worth).max(1)
        templates = np.argsort(-value.max(0))[:CANDIDATES]
        fits = []
        for rank, template in enumerate(templates):
            # A pattern that repeats may fit at several places: the best looks are tried at each.
            for at in _peaks(value[:, template])[: 3 if rank < 3 else 1]:
                fits.append(self.strips.fit(int(template), spots[at][int(worth[at][:, template].argmax())], end))
        return fits

    def _search(self, left: float, end: float) -> tuple[list[PlanarPose], Floats]:
        """What every look is worth as a card that begins at `left`, spots x looks."""
        deck = self.strips.rough
        spots = [PlanarPose(left + deck.length / 2, float(y), 0.0) for y in np.arange(-SLIP, SLIP + 0.1, 2.0)]
        columns = int(np.ceil((end - left + 2.0) / deck.pitch[0]))
        return spots, self.strips.search(spots, columns)

    # --- what is known of the row so far -------------------------------------------------------------------------

    def _cover(self, foreground_mask: NDArray[np.uint8], spot: PlanarPose, end: float) -> None:
        """This card is explained, and so is everything under it and beyond."""
        self.strips.cover(self._outline(spot, GUARD, SHARP))
        cv2.fillPoly(foreground_mask, [self._outline(spot, RIM + self.strips.blur, MASK_SCALE)], 0)
        edge = min(spot.along - self.neat.length / 2 + 2.0, end - LEAST)  # at least so much: the walk must end
        foreground_mask[:, max(0, round((edge + self.area.width / 2) * MASK_SCALE)) :] = 0

    def _outline(self, spot: PlanarPose, guard: float, grain: float) -> NDArray[np.int32]:
        """A card at this spot and so much around it, in pixels of this grain."""
        size = corners(self.neat.length + 2 * guard, self.neat.breadth + 2 * guard)
        return np.rint(transform(self.area.to_pixels(grain), rigid_transform(size, *spot))).astype(np.int32)

    def _card(
        self, card: str | None, face_up: bool, turn: int, spot: PlanarPose, sure: float, guesses: tuple[str, ...]
    ) -> SeenCard:
        x, y = rigid_transform([spot[:2]], self.area.x, self.area.y, self.turn)[0]
        rotation = (turn + self.turn - self.zone.turn) % 360
        return SeenCard(card, face_up, rotation, round(float(x), 1), round(float(y), 1), round(sure, 3), guesses)


def _peaks(values: Floats) -> list[int]:
    """Where a line of values is higher than beside, the highest first."""
    wide = np.pad(values, 2, constant_values=-np.inf)
    higher = [wide[2:-2] >= wide[2 + step : len(wide) - 2 + step] for step in (-2, -1, 1, 2)]
    return sorted(map(int, np.flatnonzero(np.all(higher, axis=0))), key=lambda at: -float(values[at]))

"""Rows: cards that overlap along a zone, all of them to be read, bottom to top.

Every card lies over the one before, a little further along, so the last one is whole and each of the others shows a
strip of its near edge. The last one is read like any card; the light is measured on it. From there the scan goes back,
strip by strip: which template, in which pose, explains most of what is still unexplained? A strip too narrow to tell
two cards apart is not guessed.
"""

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.layout import Layout, SeenCard, Zone
from vision.calibration.projection import corners, rigid_transform, transform
from vision.detection.background import MASK_SCALE, Background, TableArea
from vision.pictures import Floats, Image
from vision.recognition.gallery import BACK
from vision.recognition.partial_matching import (
    CELL_ERROR,
    COARSE,
    FINE,
    GLARE_SCALE,
    SCALE,
    TELLING,
    PartialMatcher,
    TemplateFit,
)
from vision.recognition.recogniser import SMALL_PART, Recogniser, SearchRange, surely
from vision.recognition.sampling_grid import pose as card_pose
from vision.recognition.template_grid import PlanarPose, TemplateGrid

MARGIN = 6.0  # millimetres around a row that belong to its picture
LEAST = 3.5  # millimetres of a strip that can be found at all
KNOWN = 6.0  # millimetres of a card by which it is found again beyond one that no template explains
SLIP = 4.0  # millimetres that a card may lie across its row
GUARD = 0.8  # millimetres beside a covering card that are ignored: its edge and its shadow
RIM = 1.5  # millimetres around a card in which its edge still changes the picture, in focus
CANDIDATES = 8  # templates that are aligned
UPRIGHT = card_pose(0.0)
CLEARLY_TOLD = 0.9  # confidence below which siblings are looked at closely
AGAINST = -1.0  # strength of a verdict for the other one
BLURS = (0.0, 0.6, 0.9, 1.3, 1.8)  # millimetres by which a lens may be out of focus


class RowReader:
    """Reads the rows of one layout."""

    def __init__(self, layout: Layout, recogniser: Recogniser, background: Background) -> None:
        self.layout, self.recogniser, self.background = layout, recogniser, background
        self._grids: dict[tuple[int, ...], tuple[TemplateGrid, TemplateGrid]] = {}

    def read(self, frame: Image, zone: Zone) -> tuple[SeenCard, ...]:
        """The cards of this row, bottom to top."""
        return tuple(reversed(list(_RowScan(self, frame, zone).cards())))

    def template_grids(self, turns: tuple[int, ...]) -> tuple[TemplateGrid, TemplateGrid]:
        if turns not in self._grids:
            gallery = self.recogniser.gallery
            coarse, fine = (TemplateGrid(gallery, self.layout.card, turns, pitch) for pitch in (COARSE, FINE))
            self._grids[turns] = coarse, fine
        return self._grids[turns]


def row_direction(zone: Zone, card: tuple[float, float]) -> tuple[float, bool]:
    """Which way a row grows, as an angle on the table, and whether it is a column: where there is more room, to the
    right of its owner or towards its owner."""
    column = zone.height - card[1] > zone.width - card[0]
    return (zone.turn - 90, True) if column else (zone.turn, False)


class _RowScan:
    """One row in one picture, from the top card down."""

    def __init__(self, reader: RowReader, frame: Image, zone: Zone) -> None:
        self.reader, self.frame, self.zone = reader, frame, zone
        self.turn, column = row_direction(zone, reader.layout.card)
        length, breadth = (zone.height, zone.width) if column else (zone.width, zone.height)
        self.area = TableArea(zone.x, zone.y, self.turn, length + 2 * MARGIN, breadth + 2 * MARGIN)
        first = 90 if column else 0
        coarse, self.grid = reader.template_grids((first, first + 180) if zone.rotations > 1 else (first,))
        picture = self.area.rectified(frame, reader.background.projection, SCALE)
        self.matcher = PartialMatcher(picture, self.area.to_pixels(SCALE), coarse, self.grid)
        self.light_known = False

    def cards(self) -> Iterator[SeenCard]:
        unexplained = self.reader.background.foreground_mask(self.frame, self.area)
        if unexplained is None:
            return
        inner = round(MARGIN * MASK_SCALE)
        unexplained[:, : inner - 4] = unexplained[:, 4 - inner :] = 0
        while (stretch := self._stretch(unexplained)) is not None:
            end = stretch[1]
            card, pose = self._strip(*stretch) if self._continues(end) else self._whole_card(end)
            self._cover(unexplained, pose, end)
            yield card

    def _stretch(self, unexplained: NDArray[np.uint8]) -> tuple[float, float] | None:
        """From where to where along the row anything is unexplained."""
        closed = cv2.morphologyEx(unexplained, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        much = np.asarray(closed.sum(0) > 0.3 * self.grid.breadth * MASK_SCALE)
        columns = np.flatnonzero(much[1:] & much[:-1])
        if not len(columns):
            return None
        start, end = (float(at / MASK_SCALE - self.area.width / 2) for at in (columns.min(), columns.max() + 2))
        return start, end

    def _continues(self, end: float) -> bool:
        """Whether what ends here continues below a card that is explained already."""
        at = round((end + self.area.width / 2 + 3.0) * SCALE)
        middle = self.matcher.visible.shape[0] // 2
        return at < self.matcher.visible.shape[1] and not self.matcher.visible[middle, at]

    # --- a whole card ---------------------------------------------------------------------------------------------

    def _whole_card(self, end: float) -> tuple[SeenCard, PlanarPose]:
        projection, layout = self.reader.background.projection, self.reader.layout
        x, y = rigid_transform([(end - self.grid.length / 2, 0.0)], self.area.x, self.area.y, self.turn)[0]
        angles = [self.turn + turn for turn in sorted(set(self.grid.turns))]
        homography = projection.homography_at(float(x), float(y), 0.0, *layout.card)
        reading = self.reader.recogniser.read(self.frame, homography, angles, SearchRange(0.055, 3.0))
        places = rigid_transform(projection.millimetres(reading.corners) - (self.area.x, self.area.y), 0, 0, -self.turn)
        along = places[1] - places[0] + places[2] - places[3]
        angle = float(np.degrees(np.arctan2(along[1], along[0])))
        turn = min(set(self.grid.turns), key=lambda turn: abs((angle - turn + 180) % 360 - 180))
        skew = (angle - turn + 180) % 360 - 180
        pose = PlanarPose(float(places[:, 0].mean()), float(places[:, 1].mean()), skew)
        if not self.light_known:
            self.matcher.use(self.matcher.fit_light(reading.best, turn, pose, BLURS))
            self.light_known = True
        down = reading.card == BACK
        guesses = () if down else reading.guesses
        return self._card(None if down else reading.card, not down, turn, pose, reading.confidence, guesses), pose

    # --- a strip of a card ----------------------------------------------------------------------------------------

    def _strip(self, start: float, end: float) -> tuple[SeenCard, PlanarPose]:
        found, best, known = self._best_fit(start, end)
        grid = self.grid
        covered_from = self._covered_from(best, end) if known else None
        sure = self._strip_confidence(found, best) if known and covered_from is None else 0.0
        guesses = tuple(dict.fromkeys(grid.names[one.template] for one in found if grid.names[one.template] != BACK))
        # Even a template that is not believed tells where the card lies, if it explains anything.
        placed = known or self._explains(best, CELL_ERROR[1])
        self.matcher.glare = False
        pose = best.visible.pose
        if covered_from is not None:
            pose, guesses = PlanarPose(covered_from + grid.length / 2, 0.0, 0.0), ()
        elif not placed:
            pose = PlanarPose(self._strip_start(start, end) + grid.length / 2, 0.0, 0.0)
        name = grid.names[best.template]
        down = name == BACK and sure >= 0.5
        card = None if down or sure < 0.5 else name
        return self._card(card, not down, grid.turns[best.template], pose, sure, () if down else guesses), pose

    def _best_fit(self, start: float, end: float) -> tuple[list[TemplateFit], TemplateFit, bool]:
        """All candidates for the strip, the best of them, and whether it is believed; if none is, once more with a
        reflection as a part of the explanation."""
        for self.matcher.glare in (False, True):
            found = sorted(self.matcher.rank(self._candidates(start, end)), key=self._too_little)
            best = self.matcher.prefer_upright(found[0], end)
            known = best.evidence > 0 and not self._too_little(best)
            if known:
                break
        return found, best, known

    def _strip_confidence(self, found: list[TemplateFit], best: TemplateFit) -> float:
        # A reflection can explain much of a strip that is not wider than the reflection is smooth: no name then.
        if self.matcher.glare and self._narrower(best, 2 * GLARE_SCALE):
            return 0.0
        name, telling = self.grid.names[best.template], (1 + self.matcher.glare) * TELLING
        others = {one.template: one for one in reversed(found) if self.grid.names[one.template] != name}
        sure = {one.template: self.matcher.confidence(best, [one], telling) for one in others.values()}
        doubted = [
            other for other, value in sure.items() if value < CLEARLY_TOLD and self._sibling(best.template, other)
        ]
        if doubted:
            sure |= self._among_siblings(best, doubted, sure)
        return min(sure.values(), default=self.matcher.confidence(best, [], telling))

    def _sibling(self, template: int, other: int) -> bool:
        """Whether two cards that lie the same way round differ in a small part only."""
        ways, turns = self.grid.ways, self.grid.turns
        distance = self.reader.recogniser.template_distance
        return turns[template] == turns[other] and distance(template // ways, other // ways) < SMALL_PART

    def _among_siblings(self, best: TemplateFit, siblings: list[int], sure: dict[int, float]) -> dict[int, float]:
        """How surely it is this card and not one that differs from it in a digit or a dot: the part in which they
        differ decides, as far as it is visible."""
        recogniser, card, ways = self.reader.recogniser, self.reader.layout.card, self.grid.ways
        detail, pose, turn = recogniser.detail, best.visible.pose, self.grid.turns[best.template]
        x, y = rigid_transform([pose[:2]], self.area.x, self.area.y, self.turn)[0]
        rotation = turn + self.turn + pose.angle
        homography = self.reader.background.projection.homography_at(float(x), float(y), rotation, *card)
        here = detail.seen(self.frame, homography, card[0], UPRIGHT)
        cells = rigid_transform(rigid_transform(detail.points * card[0], 0, 0, turn), *pose)
        across, down = transform(self.matcher.to_pixels, cells).astype(np.float32).T[:, None]
        shown = cv2.remap(self.matcher.visible, across, down, cv2.INTER_NEAREST, borderValue=0)
        visible = detail.as_image(np.tile(np.asarray(shown, np.float32).reshape(-1), 3))[..., 0]
        found = {}
        for other in siblings:
            verdict = recogniser.sibling_verdict(here, best.template // ways, other // ways, visible)
            found[other] = max(sure[other], surely(verdict)) if verdict.strength > AGAINST else 0.0
        return found

    def _too_little(self, found: TemplateFit) -> bool:
        """Whether so little is visible of this card that it explains nothing."""
        return self._narrower(found, LEAST / 2)

    def _narrower(self, found: TemplateFit, width: float) -> bool:
        """Whether less is visible of this card than a strip of this width."""
        return len(found.visible.cells) < width * self.grid.rows / self.grid.pitch[0]

    def _strip_start(self, start: float, end: float) -> float:
        """Where a strip begins that no template explains: where the nearest known card beyond it is covered, or where
        the row begins."""
        begins = max(start, end - self.grid.length + LEAST)
        for left in np.arange(end - LEAST - KNOWN, start - 2.1, -1.0):
            known = self._fit_known(float(left))
            if known is None:
                continue
            covered_from = self._covered_from(known, end)
            if covered_from is not None:
                return max(begins, covered_from)
        return begins

    def _covered_from(self, found: TemplateFit, end: float) -> float | None:
        """From where on a template does not explain what is visible up to `end`, if there is such a place: beyond it
        more speaks against the template than for it, so another card lies there, however little of that one shows."""
        visible = self.matcher.visible_cells(found.visible.pose, end)
        error = ((visible.seen - self.matcher.expected_cells(found.template, visible)) ** 2).mean(1)
        column = visible.cells // self.grid.rows
        cells = np.bincount(column)
        full = np.flatnonzero(cells > 0.3 * self.grid.rows)
        mean = np.bincount(column, error)[full] / cells[full]
        # Summed over columns: a dirty edge or the rim of a reflection is one column at most.
        evidence = np.append(0, np.cumsum(np.clip(1 - mean / CELL_ERROR[1] ** 2, -1, 1)))
        if evidence.max() - evidence[-1] <= 1:
            return None
        edge = visible.pose.along - self.grid.length / 2 + float(full[int(evidence.argmax())]) * self.grid.pitch[0]
        return min(edge, end - LEAST)

    def _fit_known(self, left: float) -> TemplateFit | None:
        """The card whose near edge lies here, if its first millimetres are well explained."""
        poses, evidence = self._search(left, left + KNOWN)
        at, template = np.unravel_index(int(evidence.argmax()), evidence.shape)
        if evidence[at, template] <= 0:
            return None
        found = self.matcher.align(int(template), poses[int(at)], left + KNOWN - 3.0)
        return found if self._explains(found, self.matcher.cell_error) else None

    def _explains(self, found: TemplateFit, expected: float) -> bool:
        """Whether enough of this card is visible, and well explained, for a picture in which cells are off by so
        much."""
        evidence = self.matcher.evaluate(found.template, found.visible, expected).evidence
        return not self._too_little(found) and evidence > 0.4 * len(found.visible.cells) * expected**2

    def _candidates(self, start: float, end: float) -> list[TemplateFit]:
        """The templates that explain most of the strip that ends here, aligned."""
        lefts = np.arange(max(min(start, end - LEAST) - 2.0, end - self.grid.length), end - LEAST + 0.1, 1.0)
        poses, evidence = zip(*(self._search(float(left), end) for left in lefts), strict=True)
        value = np.array(evidence).max(1)
        templates = np.argsort(-value.max(0))[:CANDIDATES]
        fits = []
        for rank, template in enumerate(templates):
            # A pattern that repeats may fit at several places: the best templates are tried at each.
            for at in _peaks(value[:, template])[: 3 if rank < 3 else 1]:
                start_pose = poses[at][int(evidence[at][:, template].argmax())]
                fits.append(self.matcher.align(int(template), start_pose, end))
        return fits

    def _search(self, left: float, end: float) -> tuple[list[PlanarPose], Floats]:
        """The evidence for every template as a card that begins at `left`, poses x templates."""
        grid = self.matcher.coarse
        poses = [PlanarPose(left + grid.length / 2, float(y), 0.0) for y in np.arange(-SLIP, SLIP + 0.1, 2.0)]
        columns = int(np.ceil((end - left + 2.0) / grid.pitch[0]))
        return poses, self.matcher.search(poses, columns)

    # --- what is explained so far ---------------------------------------------------------------------------------

    def _cover(self, unexplained: NDArray[np.uint8], pose: PlanarPose, end: float) -> None:
        """This card is explained, and so is everything under it and beyond."""
        self.matcher.cover(self._outline(pose, GUARD, SCALE))
        cv2.fillPoly(unexplained, [self._outline(pose, RIM + self.matcher.blur, MASK_SCALE)], 0)
        edge = min(pose.along - self.grid.length / 2 + 2.0, end - LEAST)  # at least so much: the scan must end
        unexplained[:, max(0, round((edge + self.area.width / 2) * MASK_SCALE)) :] = 0

    def _outline(self, pose: PlanarPose, margin: float, scale: float) -> NDArray[np.int32]:
        """A card in this pose and a margin around it, in pixels of this scale."""
        size = corners(self.grid.length + 2 * margin, self.grid.breadth + 2 * margin)
        return np.rint(transform(self.area.to_pixels(scale), rigid_transform(size, *pose))).astype(np.int32)

    def _card(
        self, card: str | None, face_up: bool, turn: int, pose: PlanarPose, sure: float, guesses: tuple[str, ...]
    ) -> SeenCard:
        x, y = rigid_transform([pose[:2]], self.area.x, self.area.y, self.turn)[0]
        rotation = (turn + self.turn - self.zone.turn) % 360
        return SeenCard(card, face_up, rotation, round(float(x), 1), round(float(y), 1), round(sure, 3), guesses)


def _peaks(values: Floats) -> list[int]:
    """The local maxima of a line of values, the highest first."""
    wide = np.pad(values, 2, constant_values=-np.inf)
    higher = [wide[2:-2] >= wide[2 + step : len(wide) - 2 + step] for step in (-2, -1, 1, 2)]
    return sorted(map(int, np.flatnonzero(np.all(higher, axis=0))), key=lambda at: -float(values[at]))

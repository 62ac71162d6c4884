"""Reading cards of which only a part is visible: which template, in which pose, explains that part?

Given are a picture seen from above and a mask of what is visible in it, not covered by cards that are known already. A
template is laid over the visible part, aligned with it by Gauss-Newton steps, and believed when the visible cells speak
for it wherever another card would differ. A part too small to tell two cards apart is not guessed.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pictures import Array, Floats
from vision.recognition.confidence import sigmoid
from vision.recognition.local_matching import discriminative_score
from vision.recognition.sampling_grid import OPPONENT_COLOURS
from vision.recognition.template_grid import PlanarPose, TemplateGrid, sample_cells

SCALE = 1.6  # pixels per millimetre of the picture in which parts are read
COARSE, FINE = 2.0, 1.0  # millimetres: the cells in which templates are searched for, and aligned
MAX_SKEW = 2.0  # degrees that a card may be rotated against its row
CELL_ERROR = (10.0, 26.0)  # grey levels that a well explained cell may be off, in a clean picture and in a poor one
OUTLIER = 9  # limit of what one cell can say against a template, in squares of the expected error: it may be glare
CLEARLY = 0.9  # part of the error of another blur that a better one must stay below
GLARE_SCALE, GLARE_STRENGTH = 6.0, 0.8  # a reflection: millimetres in which it hardly changes, and how white it may be
GLARE_ERROR = 60.0  # grey levels that a cell under a reflection may be off before the reflection is removed
BEST_POSES = 3  # at which all candidates are compared
TWINS = 4  # templates, of all, that are compared with the best one in its pose
STRENGTH = (0.88, 1.14)  # bounds of the light on a part, against the light on the card it was measured on
TELLING = 18  # two templates that differ by fewer well seen cell values are not told apart


class VisibleCells(NamedTuple):
    """The visible cells of a card in a pose, and how they look."""

    pose: PlanarPose
    cells: NDArray[np.intp]
    seen: Floats


class TemplateFit(NamedTuple):
    """A template laid over what is visible of a card."""

    template: int
    visible: VisibleCells
    evidence: float
    """How much it explains, beyond chance."""
    error: float
    """Mean square of what it does not explain."""


class PhotometricModel(NamedTuple):
    """How the light and the lens change a deck, by channel: what is seen is the template times `gains` plus
    `offsets`."""

    gains: Floats
    offsets: Floats
    cell_error: float
    """Grey levels that a well explained cell is off."""
    blur: float = 0.0
    """Millimetres by which the lens is out of focus."""


UNCHANGED = PhotometricModel(np.ones(3, np.float32), np.zeros(3, np.float32), CELL_ERROR[1])


class PartialMatcher:
    """One picture in which parts of cards are read."""

    def __init__(
        self,
        picture: Floats,
        to_pixels: Array,
        coarse: TemplateGrid,
        fine: TemplateGrid,
        light: PhotometricModel = UNCHANGED,
    ) -> None:
        """`to_pixels` takes the millimetres of the picture's own plane to its pixels, `SCALE` of them to each."""
        self.picture, self.to_pixels, self.coarse, self.fine = picture, to_pixels, coarse, fine
        self._in_focus = fine
        self.glare = False
        """Whether a lamp's reflection on the card is part of the explanation."""
        self.visible: Floats = np.ones(picture.shape[:2], np.float32)
        """A mask: 1 where no known card covers what is to be read."""
        self.use(light)

    def use(self, light: PhotometricModel) -> None:
        """Undo the light: a smoothed picture to search in, and a sharp one with its mask to align in."""
        self.white: Floats = (255 - light.offsets) / light.gains
        self.cell_error, self.blur, self.fine = light.cell_error, light.blur, self._in_focus.blurred(light.blur)
        plain = (self.picture - light.offsets) / light.gains
        self.smooth = np.asarray(cv2.GaussianBlur(plain, (0, 0), 0.4 * COARSE * SCALE), np.float32)
        self.sharp = np.dstack([plain, self.visible]).astype(np.float32)

    def cover(self, outline: NDArray[np.int32]) -> None:
        """Mark what lies inside this outline (pixels) as covered by a known card."""
        cv2.fillPoly(self.visible, [outline], 0)
        self.sharp[..., 3] = self.visible

    def fit_light(self, card: str, turn: int, pose: PlanarPose, blurs: tuple[float, ...] = (0.0,)) -> PhotometricModel:
        """The photometric model by which a known card's template becomes what is seen of it (least squares). The lens
        may be out of focus by one of these blurs; a larger one is believed when it explains the card clearly better."""
        grid = self._in_focus
        template = next(k for k, name in enumerate(grid.names) if name == card and grid.turns[k] == turn)
        visible = sample_cells(self.visible, grid.points, [pose], self.to_pixels)[0, :, 0] > 0.9
        seen = sample_cells(self.picture, grid.points, [pose], self.to_pixels)[0][visible]
        best, least = UNCHANGED, np.inf
        for blur in blurs:
            known = grid.blurred_grid(template, blur).transpose(1, 0, 2).reshape(-1, 3)[visible]
            # A haze (an offset) is believed only as far as the card has dark and bright parts to measure it by.
            mean, square = known.mean(0), (known**2).mean(0)
            both, one = (known * seen).mean(0), seen.mean(0)
            gains = np.clip((both * 1.05 - mean * one) / (square * 1.05 - mean**2), 0.1, 2.5)
            offsets = (one - gains * mean) / 1.05
            error = float(np.sqrt((((seen - offsets) / gains - known) ** 2).mean()))
            if error < CLEARLY * least:
                expected = float(np.clip(2 * error, *CELL_ERROR))
                best, least = (
                    PhotometricModel(gains.astype(np.float32), offsets.astype(np.float32), expected, blur),
                    error,
                )
        return best

    def search(self, poses: list[PlanarPose], columns: int) -> Floats:
        """The evidence for every template in these poses, as far as its first columns show it: poses x templates."""
        grid = self.coarse
        count = min(grid.cols, columns) * grid.rows
        cells = sample_cells(self.visible, grid.points[:count], poses, self.to_pixels)[..., 0] > 0.9
        seen = sample_cells(self.smooth, grid.points[:count], poses, self.to_pixels) * cells[..., None]
        flat = seen.reshape(len(poses), -1)
        error = cells.astype(np.float32) @ grid.squares[:count] - 2 * flat @ grid.flat[: 3 * count]
        error += (flat**2).sum(1)[:, None]
        expected = GLARE_ERROR if self.glare else CELL_ERROR[1]
        return np.asarray(cells.sum(1)[:, None] * expected**2 - error / 3, np.float32)

    def align(self, template: int, pose: PlanarPose, end: float = np.inf, rounds: int = 8) -> TemplateFit:
        """Move a template from here to where it explains the visible part best."""
        found = self.evaluate(template, self.visible_cells(pose, end))
        for _ in range(rounds):
            along, across, turned = np.clip(self._gauss_newton_step(found), -2, 2)
            pose = found.visible.pose
            angle = float(np.clip(pose.angle - turned, -2 * MAX_SKEW, 2 * MAX_SKEW))
            after = PlanarPose(pose.along - float(along), pose.across - float(across), angle)
            better = self.evaluate(template, self.visible_cells(after, end))
            if better.evidence <= found.evidence + CELL_ERROR[1] ** 2:
                return max(found, better, key=_evidence)
            found = better
        return found

    def visible_cells(self, pose: PlanarPose, end: float = np.inf) -> VisibleCells:
        """The cells of a card in this pose that are visible and not far beyond `end`."""
        grid = self.fine
        columns = int(np.clip((end + 3.0 - pose.along + grid.length / 2) / grid.pitch[0], 1, grid.cols))
        taken = sample_cells(self.sharp, grid.points[: columns * grid.rows], [pose], self.to_pixels)[0]
        cells = np.flatnonzero(taken[:, 3] > 0.9)
        return VisibleCells(pose, cells, taken[cells, :3])

    def expected_cells(self, template: int, visible: VisibleCells) -> Floats:
        """How these cells look on a template in the light here, which may be a little stronger or weaker than where it
        was measured."""
        known = self.fine.values[template][visible.cells]
        gain = np.clip((visible.seen * known).sum(0) / np.maximum((known**2).sum(0), 1.0), *STRENGTH)
        known = np.asarray(known * gain, np.float32)
        return self._with_glare(known, visible) if self.glare else known

    def _with_glare(self, known: Floats, visible: VisibleCells) -> Floats:
        """These cells under a reflection that takes them smoothly towards white, as far as what is seen asks for it."""
        grid, up = self.fine, self.white - known
        asked = np.zeros((len(grid.points), 2), np.float32)
        asked[visible.cells, 0] = ((visible.seen - known) * up).sum(1)
        asked[visible.cells, 1] = (up**2).sum(1)
        smooth = cv2.GaussianBlur(asked.reshape(grid.cols, grid.rows, 2), (0, 0), GLARE_SCALE / FINE).reshape(-1, 2)
        share = np.clip(smooth[:, 0] / np.maximum(smooth[:, 1], 1.0), 0.0, GLARE_STRENGTH)[visible.cells]
        return np.asarray(known + share[:, None] * up, np.float32)

    def evaluate(self, template: int, visible: VisibleCells, expected: float = CELL_ERROR[1]) -> TemplateFit:
        """How well a template explains these cells, in a picture whose cells may be off by `expected`."""
        if not len(visible.cells):
            return TemplateFit(template, visible, -np.inf, np.inf)
        error = ((visible.seen - self.expected_cells(template, visible)) ** 2).mean(1)
        evidence = (expected**2 - np.minimum(error, OUTLIER * expected**2)).sum()
        return TemplateFit(template, visible, float(evidence), float(error.mean()))

    def _gauss_newton_step(self, found: TemplateFit) -> Array:
        """How far off a template lies. Cells that cannot be explained at all hardly count (Cauchy weights)."""
        residual = found.visible.seen - self.expected_cells(found.template, found.visible)
        weight = np.repeat(1 / (1 + (residual**2).mean(1) / CELL_ERROR[1] ** 2), 3)
        jacobian = self.fine.gradients(found.template)[found.visible.cells].reshape(-1, 3)
        weighted = jacobian.T * weight
        normal = weighted @ jacobian
        normal += np.diag(1e-3 * np.diag(normal) + 1e-3)
        return np.asarray(np.linalg.solve(normal, weighted @ residual.reshape(-1)), float)

    def rank(self, found: list[TemplateFit]) -> list[TemplateFit]:
        """Candidates, best first: every candidate in the best poses found for any, and in the very best pose also the
        templates that look alike there. Neither a lucky alignment nor the coarse search decides between twins."""
        strict = [self.evaluate(one.template, one.visible, self.cell_error) for one in found]
        poses = [one.visible for one in sorted(strict, key=_evidence, reverse=True)[:BEST_POSES]]
        tried = {one.template for one in strict}
        more = [template for template in self._nearest_templates(poses[0]) if template not in tried]
        strict += [self.evaluate(template, poses[0], self.cell_error) for template in more]
        level = [
            max([one, *(self.evaluate(one.template, pose, self.cell_error) for pose in poses)], key=_evidence)
            for one in strict
        ]
        return sorted(level, key=_evidence, reverse=True)

    def _nearest_templates(self, visible: VisibleCells) -> list[int]:
        """The templates of the whole deck that come nearest to what is visible here."""
        if not len(visible.cells):
            return []
        every = self.fine.values[:, visible.cells]
        gains = np.clip((every * visible.seen).sum(1) / np.maximum((every**2).sum(1), 1.0), *STRENGTH)
        error = ((visible.seen - every * gains[:, None]) ** 2).mean(2)
        order = np.argsort(np.minimum(error, OUTLIER * self.cell_error**2).sum(1))
        return [int(template) for template in order[:TWINS]]

    def prefer_upright(self, best: TemplateFit, end: float = np.inf) -> TemplateFit:
        """A part that looks the same on a card turned by 180 degrees counts as upright, unless the picture clearly
        shows otherwise."""
        upright = best.template - best.template % self.fine.ways
        if best.template == upright or best.evidence <= 0:
            return best
        other = self.evaluate(upright, self.align(upright, best.visible.pose, end).visible, self.cell_error)
        return best if self.confidence(best, [other]) >= 0.5 else other

    def print_energy(self, best: TemplateFit) -> float:
        """How much print is visible of a card, in cell values: a blank edge tells nothing."""
        known = self.expected_cells(best.template, best.visible)
        return float(((known - np.median(known, axis=0)) ** 2).sum()) / CELL_ERROR[1] ** 2

    def print_correlation(self, best: TemplateFit) -> float:
        """The correlation of a template's print with what is seen, at most 1. On white paper a blank template explains
        what lies there as well as any other, but shows no print."""
        known, seen = self.expected_cells(best.template, best.visible), best.visible.seen
        wanted, there = known - np.median(known, axis=0), seen - np.median(seen, axis=0)
        return float((wanted * there).sum() / max(1.0, np.sqrt((wanted**2).sum() * (there**2).sum())))

    def discriminative_score(self, best: TemplateFit, other: TemplateFit) -> float:
        """What the visible windows say in which two templates differ: 1 for the best, -1 for the other.

        Cards that differ in a digit or a dot differ in a part of a per cent of their area; over the whole of what is
        visible, noise and a sloppy pose outweigh that."""
        seen, known = best.visible.seen, self.expected_cells(best.template, best.visible)
        rival = self.expected_cells(other.template, best.visible)
        level = np.asarray(np.maximum(np.median(known, axis=0), 30.0), np.float32)
        return discriminative_score(*(self._as_image(best, part / level) for part in (seen, known, rival)))

    def _as_image(self, fit: TemplateFit, cells: Floats) -> Floats:
        """Visible cells as `local_matching` compares them: brightness and two colours, 0 where nothing is visible."""
        grid = self.fine
        image = np.zeros((grid.cols * grid.rows, 3), np.float32)
        image[fit.visible.cells] = (cells - np.median(cells, axis=0)) @ OPPONENT_COLOURS.T
        return np.ascontiguousarray(image.reshape(grid.cols, grid.rows, 3))

    def confidence(self, best: TemplateFit, others: list[TemplateFit], telling: float = TELLING) -> float:
        """It explains the visible part, and that part speaks for it wherever another card would differ."""
        sure = sigmoid(1 - best.error / (1.2 * CELL_ERROR[1] ** 2), 0.0, 8)
        known = self.expected_cells(best.template, best.visible)
        for other in others:
            rival = self.expected_cells(other.template, best.visible)
            difference = known - rival
            energy = float((difference**2).sum())
            votes = float(((best.visible.seen - rival) * difference).sum()) / max(energy, 1.0)
            due = float(np.minimum((difference**2).mean(1), OUTLIER * self.cell_error**2).sum())
            lead = (best.evidence - other.evidence) / max(1.0, min(due, best.evidence))
            enough = sigmoid(energy / (CELL_ERROR[1] ** 2 * telling), 1.0, 6)
            # Each in its best pose: two that explain as much are not told apart by how they differ in one pose.
            ahead = (best.evidence - other.evidence) / (self.cell_error**2 * telling)
            sure = min(
                sure, enough * sigmoid(votes, 0.65, 30), enough * sigmoid(lead, 0.12, 40), sigmoid(ahead, 1.0, 6)
            )
        return sure


def _evidence(fit: TemplateFit) -> float:
    return fit.evidence

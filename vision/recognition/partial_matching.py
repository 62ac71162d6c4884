"""Cards of which a part is to be seen: which look, laid where, explains it?

A picture seen from above, and in it a part that is free: not covered by cards that are known already. A look is
laid over it, moved to where it explains the most, and believed when what is to be seen speaks for it wherever
another card would differ. What is too little to tell two cards apart is not guessed.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.recognition.template_grid import Floats, PlanarPose, TemplateGrid, sample
from vision.simulation.paint import Array

SHARP = 1.6  # pixels per millimetre of the picture that strips are read in
ROUGH, NEAT = 2.0, 1.0  # millimetres: cells in which strips are searched for, and fitted
SKEW = 2.0  # degrees that a card may be off
EXPECTED = (10.0, 26.0)  # grey levels by which a well explained cell may be off, in a clean picture and in a poor one
WORST = 9  # a cell that is not explained speaks so much against a look, and no more: there may be glare
CLEARLY = 0.9  # of what another blur of the lens leaves unexplained
SMOOTH, BRIGHT = 6.0, 0.8  # a reflection: millimetres in which it hardly changes, and how far to white it may go
HAZY = 60.0  # grey levels by which a cell under a reflection may be off before that is taken out
LEVEL = 3  # spots at which all candidates are compared
TWINS = 4  # looks, out of all, that are compared with the best at its spot
STRENGTH = (0.88, 1.14)  # of the light at a strip, against that at the top card
TELLING = 18  # two looks that differ by less than so many well seen cell values are not told apart


class VisibleCells(NamedTuple):
    """What is to be seen of a card that lies at a spot: which of its cells, and how they look."""

    spot: PlanarPose
    cells: NDArray[np.intp]
    seen: Floats


class TemplateFit(NamedTuple):
    """A look laid over what is to be seen of a card."""

    template: int
    glimpse: VisibleCells
    worth: float
    """How much it explains, beyond chance."""
    off: float
    """Mean square of what it does not explain."""


class PhotometricModel(NamedTuple):
    """How a room's light paints a deck, by channel: what is seen is the look times `gains` plus `offsets`."""

    gains: Floats
    offsets: Floats
    expected: float
    """Grey levels by which a well explained cell is off."""
    blur: float = 0.0
    """Millimetres by which the lens is out of focus."""


IDENTITY = PhotometricModel(np.ones(3, np.float32), np.zeros(3, np.float32), EXPECTED[1])


class PartialMatcher:
    """One picture in which parts of cards are read."""

    def __init__(
        self,
        picture: Floats,
        to_pixels: Array,
        rough: TemplateGrid,
        neat: TemplateGrid,
        light: PhotometricModel = IDENTITY,
    ) -> None:
        """`to_pixels` takes the millimetres of the picture's own plane to its pixels, `SHARP` of them to each."""
        self.picture, self.to_pixels, self.rough, self.neat = picture, to_pixels, rough, neat
        self._in_focus = neat
        self.shine = False
        """Is what is seen to be explained by a look and a lamp's reflection on it?"""
        self.free: Floats = np.ones(picture.shape[:2], np.float32)
        """Where nothing known covers what is to be read: 1, elsewhere 0."""
        self.use(light)

    def use(self, light: PhotometricModel) -> None:
        """See the picture without its light: soft to search in, sharp (and what is free of it) to fit in."""
        self.white: Floats = (255 - light.offsets) / light.gains
        self.expected, self.blur, self.neat = light.expected, light.blur, self._in_focus.blurred_variants(light.blur)
        plain = (self.picture - light.offsets) / light.gains
        self.soft = np.asarray(cv2.GaussianBlur(plain, (0, 0), 0.4 * ROUGH * SHARP), np.float32)
        self.sharp = np.dstack([plain, self.free]).astype(np.float32)

    def cover(self, outline: NDArray[np.int32]) -> None:
        """Nothing inside this outline (pixels) is to be read any more."""
        cv2.fillPoly(self.free, [outline], 0)
        self.sharp[..., 3] = self.free

    def light(self, card: str, turn: int, spot: PlanarPose, blurs: tuple[float, ...] = (0.0,)) -> PhotometricModel:
        """How this light paints the deck: what is to be seen of a known card against its look. The lens may be out of
        focus by one of these; it is taken to be when that explains the card clearly better."""
        deck = self._in_focus
        template = next(k for k, name in enumerate(deck.names) if name == card and deck.turns[k] == turn)
        free = sample(self.free, deck.points, [spot], self.to_pixels)[0, :, 0] > 0.9
        seen = sample(self.picture, deck.points, [spot], self.to_pixels)[0][free]
        best, least = IDENTITY, np.inf
        for blur in blurs:
            known = deck.soft(template, blur).transpose(1, 0, 2).reshape(-1, 3)[free]
            # A haze over the picture (an offset) is believed only as far as the card has dark and bright parts.
            mean, square = known.mean(0), (known**2).mean(0)
            both, one = (known * seen).mean(0), seen.mean(0)
            gains = np.clip((both * 1.05 - mean * one) / (square * 1.05 - mean**2), 0.1, 2.5)
            offsets = (one - gains * mean) / 1.05
            off = float(np.sqrt((((seen - offsets) / gains - known) ** 2).mean()))
            if off < CLEARLY * least:
                expected = float(np.clip(2 * off, *EXPECTED))
                best, least = (
                    PhotometricModel(gains.astype(np.float32), offsets.astype(np.float32), expected, blur),
                    off,
                )
        return best

    def search(self, spots: list[PlanarPose], columns: int) -> Floats:
        """What every look is worth at these spots, as far as its first columns show it: spots x looks."""
        deck = self.rough
        cut = min(deck.cols, columns) * deck.rows
        cells = sample(self.free, deck.points[:cut], spots, self.to_pixels)[..., 0] > 0.9
        seen = sample(self.soft, deck.points[:cut], spots, self.to_pixels) * cells[..., None]
        flat = seen.reshape(len(spots), -1)
        off = cells.astype(np.float32) @ deck.squares[:cut] - 2 * flat @ deck.flat[: 3 * cut]
        off += (flat**2).sum(1)[:, None]
        chance = HAZY if self.shine else EXPECTED[1]
        return np.asarray(cells.sum(1)[:, None] * chance**2 - off / 3, np.float32)

    def fit(self, template: int, spot: PlanarPose, end: float = np.inf, rounds: int = 8) -> TemplateFit:
        """Move a look from here to where it explains the strip best."""
        found = self.judge(template, self.glimpse(spot, end))
        for _ in range(rounds):
            along, across, turn = np.clip(self._step(found), -2, 2)
            spot = found.glimpse.spot
            turned = float(np.clip(spot.turn - turn, -2 * SKEW, 2 * SKEW))
            after = PlanarPose(spot.along - float(along), spot.across - float(across), turned)
            better = self.judge(template, self.glimpse(after, end))
            if better.worth <= found.worth + EXPECTED[1] ** 2:
                return max(found, better, key=_worth)
            found = better
        return found

    def glimpse(self, spot: PlanarPose, end: float = np.inf) -> VisibleCells:
        deck = self.neat
        columns = int(np.clip((end + 3.0 - spot.along + deck.length / 2) / deck.pitch[0], 1, deck.cols))
        taken = sample(self.sharp, deck.points[: columns * deck.rows], [spot], self.to_pixels)[0]
        cells = np.flatnonzero(taken[:, 3] > 0.9)
        return VisibleCells(spot, cells, taken[cells, :3])

    def known(self, template: int, glimpse: VisibleCells) -> Floats:
        """How a look has these cells in this light, which may be a little stronger or weaker here than at the top."""
        known = self.neat.values[template][glimpse.cells]
        gain = np.clip((glimpse.seen * known).sum(0) / np.maximum((known**2).sum(0), 1.0), *STRENGTH)
        known = np.asarray(known * gain, np.float32)
        return self._shone_on(known, glimpse) if self.shine else known

    def _shone_on(self, known: Floats, glimpse: VisibleCells) -> Floats:
        """These cells with a reflection over them that takes them towards white, smoothly, as far as what is seen
        asks for it."""
        deck, up = self.neat, self.white - known
        asked = np.zeros((len(deck.points), 2), np.float32)
        asked[glimpse.cells, 0] = ((glimpse.seen - known) * up).sum(1)
        asked[glimpse.cells, 1] = (up**2).sum(1)
        wide = cv2.GaussianBlur(asked.reshape(deck.cols, deck.rows, 2), (0, 0), SMOOTH / NEAT).reshape(-1, 2)
        share = np.clip(wide[:, 0] / np.maximum(wide[:, 1], 1.0), 0.0, BRIGHT)[glimpse.cells]
        return np.asarray(known + share[:, None] * up, np.float32)

    def judge(self, template: int, glimpse: VisibleCells, expected: float = EXPECTED[1]) -> TemplateFit:
        if not len(glimpse.cells):
            return TemplateFit(template, glimpse, -np.inf, np.inf)
        off = ((glimpse.seen - self.known(template, glimpse)) ** 2).mean(1)
        worth = (expected**2 - np.minimum(off, WORST * expected**2)).sum()
        return TemplateFit(template, glimpse, float(worth), float(off.mean()))

    def _step(self, found: TemplateFit) -> Array:
        """How far off a look lies, by Gauss and Newton; what cannot be explained at all hardly counts."""
        left = found.glimpse.seen - self.known(found.template, found.glimpse)
        weight = np.repeat(1 / (1 + (left**2).mean(1) / EXPECTED[1] ** 2), 3)
        slopes = self.neat.slopes(found.template)[found.glimpse.cells].reshape(-1, 3)
        heavy = slopes.T * weight
        square = heavy @ slopes
        square += np.diag(1e-3 * np.diag(square) + 1e-3)
        return np.asarray(np.linalg.solve(square, heavy @ left.reshape(-1)), float)

    def level(self, found: list[TemplateFit]) -> list[TemplateFit]:
        """Every candidate at the best spots that were found for any, and at the best of them every look that is like
        it there: neither luck in fitting nor a search from afar must decide between twins."""
        strict = [self.judge(one.template, one.glimpse, self.expected) for one in found]
        spots = [one.glimpse for one in sorted(strict, key=_worth, reverse=True)[:LEVEL]]
        tried = {one.template for one in strict}
        strict += [
            self.judge(template, spots[0], self.expected) for template in self._alike(spots[0]) if template not in tried
        ]
        level = [
            max([one, *(self.judge(one.template, spot, self.expected) for spot in spots)], key=_worth) for one in strict
        ]
        return sorted(level, key=_worth, reverse=True)

    def _alike(self, glimpse: VisibleCells) -> list[int]:
        """The looks of the whole deck that come nearest to what is to be seen here."""
        if not len(glimpse.cells):
            return []
        every = self.neat.values[:, glimpse.cells]
        gains = np.clip((every * glimpse.seen).sum(1) / np.maximum((every**2).sum(1), 1.0), *STRENGTH)
        off = ((glimpse.seen - every * gains[:, None]) ** 2).mean(2)
        return [int(template) for template in np.argsort(np.minimum(off, WORST * self.expected**2).sum(1))[:TWINS]]

    def least_turned(self, best: TemplateFit, end: float = np.inf) -> TemplateFit:
        """A strip that looks the same on a card turned by half is not turned, unless the picture clearly says so."""
        upright = best.template - best.template % self.neat.ways
        if best.template == upright or best.worth <= 0:
            return best
        other = self.judge(upright, self.fit(upright, best.glimpse.spot, end).glimpse, self.expected)
        return best if self.confidence(best, [other]) >= 0.5 else other

    def printed(self, best: TemplateFit) -> float:
        """How much print is to be seen of a card, in cell values: a blank edge tells nothing."""
        known = self.known(best.template, best.glimpse)
        return float(((known - np.median(known, axis=0)) ** 2).sum()) / EXPECTED[1] ** 2

    def found_again(self, best: TemplateFit) -> float:
        """How well the print that a look has here is to be seen in the picture, at most 1. On white paper a blank look
        explains what lies there as well as any, and shows nothing."""
        known, seen = self.known(best.template, best.glimpse), best.glimpse.seen
        print_, there = known - np.median(known, axis=0), seen - np.median(seen, axis=0)
        return float((print_ * there).sum() / max(1.0, np.sqrt((print_**2).sum() * (there**2).sum())))

    def confidence(self, best: TemplateFit, others: list[TemplateFit], telling: float = TELLING) -> float:
        """It explains its strip, and the strip speaks for it where another card would differ."""
        sure = sigmoid(1 - best.off / (1.2 * EXPECTED[1] ** 2), 0.0, 8)
        known = self.known(best.template, best.glimpse)
        for other in others:
            rival = self.known(other.template, best.glimpse)
            apart = known - rival
            much = float((apart**2).sum())
            speaks = float(((best.glimpse.seen - rival) * apart).sum()) / max(much, 1.0)
            due = float(np.minimum((apart**2).mean(1), WORST * self.expected**2).sum())
            lead = (best.worth - other.worth) / max(1.0, min(due, best.worth))
            enough = sigmoid(much / (EXPECTED[1] ** 2 * telling), 1.0, 6)
            # Each where it fits best: two that explain as much are not told apart by how they differ at one spot.
            ahead = (best.worth - other.worth) / (self.expected**2 * telling)
            sure = min(
                sure, enough * sigmoid(speaks, 0.65, 30), enough * sigmoid(lead, 0.12, 40), sigmoid(ahead, 1.0, 6)
            )
        return sure


def _worth(found: TemplateFit) -> float:
    return found.worth


def sigmoid(value: float, half: float, steep: float) -> float:
    return float(1 / (1 + np.exp(-np.clip((value - half) * steep, -50, 50))))

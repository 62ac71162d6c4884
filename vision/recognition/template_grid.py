"""The templates of a deck as cells of a few millimetres, to be compared with a picture seen from above at any pose."""

from copy import copy
from typing import NamedTuple

import cv2
import numpy as np

from vision.pictures import Array, Floats, Image
from vision.recognition.gallery import Gallery


class PlanarPose(NamedTuple):
    """Where a card's centre lies in a picture seen from above, in millimetres along and across, and its rotation in
    degrees."""

    along: float
    across: float
    angle: float


class TemplateGrid:
    """The templates of a gallery in cells of `pitch` millimetres, each in every rotation it may have.

    The first dimension of all arrays counts templates times rotations; that index is what "template" means here."""

    def __init__(self, gallery: Gallery, card: tuple[float, float], turns: tuple[int, ...], pitch: float) -> None:
        self.ways = len(turns)
        self.names = [template.card for template in gallery.templates for _ in turns]
        self.turns = [turn for _ in gallery.templates for turn in turns]
        width, height = card if turns[0] % 180 == 0 else card[::-1]
        self.length, self.breadth = width, height
        cols, rows = int(width / pitch), int(height / pitch)
        across = ((np.arange(cols) + 0.5) / cols - 0.5) * width
        up = (0.5 - (np.arange(rows) + 0.5) / rows) * height
        # Column by column, so that the first columns of a template are one block of memory.
        self.points = np.stack(np.meshgrid(across, up, indexing="ij"), -1).reshape(-1, 2).astype(np.float32)
        self.rows, self.cols = rows, cols
        grids = [
            cv2.resize(
                np.rot90(_low_pass(template.image, pitch, card[0]), turn // 90),
                (cols, rows),
                interpolation=cv2.INTER_AREA,
            )
            for template in gallery.templates
            for turn in turns
        ]
        self.pitch = (width / cols, height / rows)
        self._blurred: dict[float, TemplateGrid] = {}
        self._fill(np.asarray(grids, np.float32))

    def _fill(self, grids: Floats) -> None:
        self.grids = grids
        self.values = np.ascontiguousarray(grids.transpose(0, 2, 1, 3)).reshape(len(grids), -1, 3)
        self.squares = np.ascontiguousarray((self.values**2).sum(2).T)
        self.flat = np.ascontiguousarray(self.values.reshape(len(grids), -1).T)
        self._gradients: dict[int, Floats] = {}

    def blurred(self, blur: float) -> "TemplateGrid":
        """The templates as seen by a lens that is out of focus by so many millimetres."""
        if not blur:
            return self
        if blur not in self._blurred:
            other = copy(self)
            other._fill(np.stack([self.blurred_grid(template, blur) for template in range(len(self.grids))]))
            self._blurred[blur] = other
        return self._blurred[blur]

    def blurred_grid(self, template: int, blur: float) -> Floats:
        """The cells of one template, out of focus."""
        if not blur:
            return np.asarray(self.grids[template])
        across, down = (blur / pitch for pitch in self.pitch)
        blurred = cv2.GaussianBlur(self.grids[template], (0, 0), across, sigmaY=down, borderType=cv2.BORDER_REPLICATE)
        return np.asarray(blurred, np.float32)

    def gradients(self, template: int) -> Floats:
        """The Jacobian of a template: how each cell changes when the card moves along, across, and rotates by a degree.
        Cells x 3 channels x 3."""
        if template not in self._gradients:
            down, along = np.gradient(self.grids[template], self.pitch[1], self.pitch[0], axis=(0, 1))
            flat = [part.transpose(1, 0, 2).reshape(-1, 3) for part in (along, -down)]
            x, y = self.points[:, :1], self.points[:, 1:]
            rotation = (x * flat[1] - y * flat[0]) * np.float32(np.pi / 180)
            self._gradients[template] = np.stack([*flat, rotation], -1).astype(np.float32)
        return self._gradients[template]


def _low_pass(image: Image, pitch: float, width: float) -> Image:
    """An enrolled picture without detail finer than the cells."""
    across = image.shape[1] / width * pitch  # pixels to a cell
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * across), np.uint8)


def sample_cells(picture: Floats, points: Floats, poses: list[PlanarPose], to_pixels: Array) -> Floats:
    """The picture at a card's cells, for every pose it may have: poses x cells x channels."""
    table = np.array(poses, np.float32)
    angle = np.radians(table[:, 2:])
    x, y = points[:, 0], points[:, 1]
    along = table[:, :1] + np.cos(angle) * x - np.sin(angle) * y
    across = table[:, 1:2] + np.sin(angle) * x + np.cos(angle) * y
    u = (along * to_pixels[0, 0] + to_pixels[0, 2]).astype(np.float32)
    v = (across * to_pixels[1, 1] + to_pixels[1, 2]).astype(np.float32)
    taken = cv2.remap(picture, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(taken, np.float32).reshape(len(poses), len(points), -1)

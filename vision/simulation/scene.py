"""Rendering the virtual table as a camera sees it: cards, holders, pieces, hands, light and noise.

Recognition gets only the pixels. What does not move is drawn once: the table top through the lens, and every card in
its place. A frame is that still picture with the hands over it and fresh noise.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.drawing import Face
from companion.core.layout import Layout, SeenPiece
from vision.calibration.calibrate import CORNERS, MARKER, marker_dictionary, marker_places
from vision.calibration.projection import TableProjection, corners, rigid_transform
from vision.pictures import Array, Image
from vision.simulation.paint import Painted, colour, paint, paint_mat

FINE = 3.0  # pixels per millimetre of painted cards before they are projected


class Lying(msgspec.Struct, frozen=True):
    """A card on the table, rotated counter-clockwise. In a game with holders its holder is rotated by `holder_turn`."""

    face: Face
    x: float
    y: float
    turn: float = 0.0
    holder_turn: float | None = None


class Hand(msgspec.Struct, frozen=True):
    """A hand over the table: the palm at one point, the arm coming from another, usually beyond the edge."""

    x: float
    y: float
    from_x: float
    from_y: float
    sleeve: str = "#33415c"
    skin: str = "#c99a7c"


class Scene(msgspec.Struct, frozen=True):
    """What lies on the table, bottom to top, and the hands above it."""

    cards: tuple[Lying, ...] = ()
    pieces: Mapping[int, SeenPiece] = {}
    """By marker number."""
    hands: tuple[Hand, ...] = ()


class Lighting(msgspec.Struct, frozen=True):
    """The light of the room and the noise of the sensor."""

    level: float = 1.0
    slope: float = 0.12
    """How much brighter one side is than the middle."""
    side: float = 30.0
    """Which side, in degrees."""
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    """Gains of blue, green and red."""
    shadows: tuple[tuple[float, float, float, float], ...] = ()
    """Soft dark patches: x, y, radius in millimetres, depth 0-1."""
    noise: float = 3.0
    """Standard deviation in grey levels."""


DAY = Lighting()
MOST_SPRITES = 150
"""Cards that are kept as the camera sees them, a quarter of a megabyte each: more than lie on the fullest table."""


@dataclass
class SceneRenderer:
    """A virtual camera over one table. `frame` renders what it sees."""

    layout: Layout
    projection: TableProjection
    light: Lighting = DAY
    cloth: str = "#35523f"
    body: str = "#7a5230"
    """Colour of the pieces."""
    _still: tuple[object, Image] | None = field(default=None, repr=False)
    _placed: dict[object, tuple[slice, slice, NDArray[np.float32], NDArray[np.float32]]] = field(
        default_factory=dict, repr=False
    )
    _noise_sheet: NDArray[np.int8] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self._table = self._through_lens(self._table_top())
        self._illumination_map = self._illumination()

    def frame(self, scene: Scene, rng: np.random.Generator) -> Image:
        """The camera's picture of this scene, with noise of its own."""
        key = (scene.cards, tuple(sorted(scene.pieces.items())))
        if self._still is None or self._still[0] != key:
            self._still = key, self._draw(scene)
        picture = self._still[1].copy()
        for hand in scene.hands:
            self._blend_hand(picture, hand)
        return self._with_noise(picture, rng)

    def _table_top(self) -> Image:
        """The bare table top at `FINE` pixels per millimetre, corner markers included."""
        layout = self.layout
        top = paint_mat(layout.width, layout.height, layout.mat, FINE, self.cloth)
        side, quiet = round(MARKER * FINE), round(MARKER * FINE / 6)
        for number, (x, y) in marker_places(layout.width, layout.height).items():
            left, up = round((x - MARKER / 2) * FINE), round((layout.height - y - MARKER / 2) * FINE)
            top[up - quiet : up + side + quiet, left - quiet : left + side + quiet] = 255
            top[up : up + side, left : left + side] = marker(number, side)[..., None]
        return top

    def _through_lens(self, top: Image) -> Image:
        """The table top as the camera sees it; beyond its edge there is a dark floor."""
        wide, high = self.projection.size
        grid = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), -1).reshape(-1, 2)
        places = self.projection.millimetres(grid).astype(np.float32)
        across = (places[:, 0] * FINE - 0.5).reshape(high, wide)
        down = ((self.layout.height - places[:, 1]) * FINE - 0.5).reshape(high, wide)
        low_pass = cv2.GaussianBlur(top, (0, 0), 0.45 * FINE / self._scale())
        seen = cv2.remap(low_pass, across, down, cv2.INTER_LINEAR, borderValue=(38, 34, 32))
        return np.asarray(seen, np.uint8)

    def _scale(self) -> float:
        return self.projection.scale(self.layout.width / 2, self.layout.height / 2)

    def _illumination(self) -> NDArray[np.float32]:
        wide, high = self.projection.size
        small = np.stack(np.meshgrid(np.linspace(-1, 1, wide // 8), np.linspace(-1, 1, high // 8)), -1)
        side = np.radians(self.light.side)
        field = 1 + self.light.slope * (small[..., 0] * np.cos(side) - small[..., 1] * np.sin(side))
        pixels = np.stack(np.meshgrid(np.arange(wide // 8) * 8, np.arange(high // 8) * 8), -1).reshape(-1, 2)
        places = self.projection.millimetres(pixels)
        for x, y, radius, depth in self.light.shadows:
            far = ((places - (x, y)) ** 2).sum(1) / radius**2
            field *= 1 - depth * np.exp(-far).reshape(field.shape)
        gains = field[..., None] * self.light.level * np.array(self.light.cast)
        return np.asarray(cv2.resize(gains.astype(np.float32), (wide, high)), np.float32)

    def _draw(self, scene: Scene) -> Image:
        picture = self._table.astype(np.float32)
        for card in scene.cards:
            if card.holder_turn is not None and self.layout.holder is not None:
                self._blend_card(picture, self.layout.holder, card.x, card.y, card.holder_turn)
            self._blend_card(picture, card.face, card.x, card.y, card.turn)
        for number, piece in scene.pieces.items():
            self._blend_piece(picture, number, piece)
        return np.asarray(cv2.multiply(picture, self._illumination_map, dtype=cv2.CV_8U), np.uint8)

    def _blend_card(self, picture: NDArray[np.float32], face: Face, x: float, y: float, turn: float) -> None:
        key = (face, x, y, turn)
        if key not in self._placed:
            if len(self._placed) > MOST_SPRITES:
                self._placed.clear()
            self._placed[key] = self._sprite(paint(face, FINE), (face.width, face.height), x, y, turn, 1.2)
        down, across, ink, share = self._placed[key]
        part = picture[down, across]
        part *= 1 - share
        part += ink

    def _sprite(
        self, painted: Painted, size: tuple[float, float], x: float, y: float, turn: float, lift: float
    ) -> tuple[slice, slice, NDArray[np.float32], NDArray[np.float32]]:
        """A painted object as the camera sees it: its place in the picture, its colours and its opacity. It casts a
        thin soft shadow, `lift` millimetres long."""
        spread = 3 * lift + 1
        around = self.projection.pixels(
            rigid_transform(corners(size[0] + 2 * spread, size[1] + 2 * spread), x, y, turn)
        )
        low = np.clip(np.floor(around.min(0)), 0, self.projection.size).astype(int)
        high = np.clip(np.ceil(around.max(0)), 0, self.projection.size).astype(int)
        box = (max(1, high[0] - low[0]), max(1, high[1] - low[1]))
        scale = self._scale()
        image, mask = (cv2.GaussianBlur(part, (0, 0), 0.45 * FINE / scale) for part in painted)
        rows, cols = mask.shape
        own = np.array([(0, 0), (cols, 0), (cols, rows), (0, rows)], np.float32) - 0.5
        there = (self.projection.pixels(rigid_transform(corners(*size), x, y, turn)) - low).astype(np.float32)
        warp = cv2.getPerspectiveTransform(own, there)
        ink = cv2.warpPerspective(image, warp, box, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        cover = cv2.warpPerspective(mask, warp, box).astype(np.float32) / 255
        fall = np.array([[1, 0, 0.5 * lift * scale], [0, 1, 0.8 * lift * scale]])
        shade = cv2.GaussianBlur(cv2.warpAffine(cover, fall, box), (0, 0), lift * scale).astype(np.float32) / 2
        share = (cover + (1 - cover) * shade).astype(np.float32)[..., None]
        ink = (ink * cover[..., None]).astype(np.float32)
        return slice(low[1], low[1] + box[1]), slice(low[0], low[0] + box[0]), ink, share

    def _blend_piece(self, picture: NDArray[np.float32], number: int, piece: SeenPiece) -> None:
        size = self.layout.tag_size * 1.45
        painted = _pawn(number, self.layout.tag_size, self.body)
        down, across, ink, share = self._sprite(painted, (size, size), piece.x, piece.y, piece.rotation, 2.5)
        picture[down, across] = picture[down, across] * (1 - share) + ink

    def _blend_hand(self, picture: Image, hand: Hand) -> None:
        """Sleeve, forearm, palm and fingers, drawn coarsely and blurred, because they are out of focus."""
        coarse = 4
        wide, high = self.projection.size[0] // coarse, self.projection.size[1] // coarse
        palm, start = self.projection.pixels([(hand.x, hand.y), (hand.from_x, hand.from_y)]) / coarse
        thick = 75 * self._scale() / coarse
        along = (palm - start) / max(1.0, float(np.linalg.norm(palm - start)))
        aside = np.array([-along[1], along[0]])
        skin, sleeve = np.zeros((high, wide), np.uint8), np.zeros((high, wide), np.uint8)

        def stroke(layer: Image, a: Array, b: Array, width: float) -> None:
            ends = [tuple(int(v) for v in np.clip(point, -4000, 8000)) for point in (a, b)]
            cv2.line(layer, ends[0], ends[1], 255, max(1, round(width)))

        stroke(skin, start, palm, thick * 0.8)
        stroke(skin, palm - along * thick * 0.3, palm + along * thick * 0.3, thick * 1.2)
        for finger in (-0.45, -0.15, 0.15, 0.45):
            root = palm + along * thick * 0.3 + aside * thick * finger
            stroke(skin, root, root + along * thick * 0.9 + aside * thick * finger * 0.4, thick * 0.26)
        stroke(sleeve, start, palm - along * thick * 1.6, thick * 1.3)
        fall = np.array([[1, 0, thick * 0.25], [0, 1, thick * 0.35]])
        shade = cv2.GaussianBlur(cv2.warpAffine(cv2.max(skin, sleeve), fall, (wide, high)), (0, 0), thick * 0.15)
        box = cv2.boundingRect(cv2.max(shade, cv2.max(skin, sleeve)))
        if not box[2] or not box[3]:
            return
        x, y, w, h = box
        part = picture[y * coarse : (y + h) * coarse, x * coarse : (x + w) * coarse]

        def share(layer: Image) -> NDArray[np.float32]:
            soft = cv2.GaussianBlur(layer[y : y + h, x : x + w], (0, 0), 1.0)
            return np.asarray(soft, np.float32)[..., None] / np.float32(255)

        left = 1 - np.float32(0.4) * share(np.asarray(shade, np.uint8))
        ink = np.zeros((h, w, 3), np.float32)
        for layer, tone in ((skin, hand.skin), (sleeve, hand.sleeve)):
            own = share(layer)
            left, ink = left * (1 - own), ink * (1 - own)
            ink += np.array(colour(tone), np.float32) * np.float32(self.light.level) * own
        size = (part.shape[1], part.shape[0])
        seen = cv2.multiply(part, cv2.resize(np.repeat(left, 3, 2), size), dtype=cv2.CV_32F)
        part[:] = cv2.add(seen, cv2.resize(ink, size), dtype=cv2.CV_8U)

    def _with_noise(self, picture: Image, rng: np.random.Generator) -> Image:
        """Sensor noise, cut at random from one large sheet of it, which is much faster than drawing it for every
        frame."""
        if not self.light.noise:
            return picture
        rows, cols = picture.shape[:2]
        if self._noise_sheet is None:
            sheet = rng.normal(0, self.light.noise, (rows + 64, cols + 64, 3))
            self._noise_sheet = np.clip(np.rint(sheet), -127, 127).astype(np.int8)
        down, across = rng.integers(0, 64, 2)
        grain = self._noise_sheet[down : down + rows, across : across + cols]
        return np.asarray(cv2.add(picture, grain, dtype=cv2.CV_8U), np.uint8)


def marker(number: int, side: int) -> Image:
    """An ArUco marker, black border included."""
    return np.asarray(cv2.aruco.generateImageMarker(marker_dictionary(), number, side), np.uint8)


@lru_cache(maxsize=64)
def _pawn(number: int, tag: float, body: str) -> Painted:
    """A round piece seen from above, with its marker on a white square."""
    side = round(tag * FINE)
    size = round(tag * 1.45 * FINE)
    image = np.full((size, size, 3), colour(body), np.uint8)
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (size // 2, size // 2), size // 2 - 1, 255, cv2.FILLED, cv2.LINE_AA)
    start = (size - side) // 2
    quiet = max(2, side // 10)
    image[start - quiet : start + side + quiet, start - quiet : start + side + quiet] = 255
    mask[start - quiet : start + side + quiet, start - quiet : start + side + quiet] = 255
    image[start : start + side, start : start + side] = marker(number, side)[..., None]
    return Painted(image, mask)


__all__ = ["CORNERS", "Hand", "Lighting", "Lying", "Scene", "SceneRenderer", "marker"]

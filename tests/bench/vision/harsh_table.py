"""A table as a cheap camera sees it in a real room, drawn without any help of the virtual table's renderer.

Everything is computed in linear light: a ground, printed sheets, cards and other things on it; lamps with a place and a
colour; the shadows of arms and of people; shine on what is glossy; a lens, a sensor with a colour filter whose noise
grows with its gain, and the camera's own JPEG. Each of these is a dial of `Room`; what is random follows its seed.

    camera = HarshCamera(layout, Room(ground="cloth", blur=1.5))
    empty = camera.frame([])
    picture = camera.frame([printed(face, x, y, turn), Arm(300, 200, 300, -80)])
    dusk = camera.relit(replace(camera.room, stops=-3, kelvin=2200))  # the same table and camera in other light
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from companion.core.drawing import Face
from companion.core.layout import Layout
from vision.calibration.calibrate import MARKER, marker_dictionary, marker_places
from vision.pictures import Array, Floats, Image
from vision.simulation.paint import draw, paint

FINE = 3.0  # pixels per millimetre of the table top before it is seen through the lens
BEYOND = 160.0  # millimetres of ground that are drawn around the table area
PAPER = 6.0  # millimetres of white paper around a corner marker
COARSE = 8  # pixels between two points at which light is computed
ELECTRONS = 6000.0  # that a pixel holds at gain 1: what its shot noise follows from
READ_NOISE = 0.0012  # of white, at gain 1
EXPOSURE = 0.7  # of white paper, at which a camera settles


@dataclass(frozen=True)
class Lamp:
    """A light at a place above the table, in millimetres; its power is that of the middle of the table, 1 is good."""

    x: float
    y: float
    z: float
    power: float = 1.0
    kelvin: float = 4500.0


@dataclass(frozen=True)
class Room:
    """The dials. As they are: good light, a camera of middling quality, nothing in the way."""

    ground: str = "wood"
    printed: bool = True
    """Whether the game's mat is printed on the ground."""
    size: tuple[int, int] = (1920, 1080)
    tilt: float = 6.0
    swing: float = 0.0
    field: float = 65.0
    """Degrees from corner to corner of the picture, as makers of cameras give it."""
    bend: float = 0.0
    """Of the lens: 0 keeps straight lines straight, 1 turns angles into distances, as a fish-eye does."""
    blur: float = 0.5
    """Pixels out of focus (standard deviation)."""
    vignette: float = 0.25
    stops: float = 0.0
    """The light of the whole room."""
    kelvin: float = 4500.0
    """Its colour: 1900 is a candle, 6500 daylight."""
    balanced_for: float = 4500.0
    """The light for which the camera's white balance was locked."""
    follows: float = 0.0
    """Part of a change of light that the camera makes good by its gain, which brings noise; 0: exposure is locked."""
    gain: float = 1.0
    lamps: tuple[Lamp, ...] = ()
    """Besides the light of the room, which comes from all over the ceiling."""
    shadows: tuple[tuple[float, float, float, float, float, float], ...] = ()
    """From x, y to x, y, how broad in millimetres, how deep 0-1: of arms (60, 0.5) and people (250, 0.4)."""
    softness: float = 25.0
    """Millimetres over which a shadow fades."""
    shine: float = 0.0
    """How bright the reflections of lamps are on what is glossy; 1 is white."""
    flicker: float = 0.0
    """How much the light of a frame differs from the next, and over one frame."""
    sharpened: float = 0.0
    """How much a camera overdoes its edges: 1 doubles what a blur of a pixel takes away, which leaves halos."""
    smeared: bool = False
    """Whether the camera smooths fine grain away, and with it faint detail."""
    jpeg: int = 85
    marker_size: float = 1.0
    """Of the printed markers: 0.97 is a sheet that was scaled down a little."""
    markers: tuple[int, ...] = (0, 1, 2, 3)
    glossy_markers: bool = False
    seed: int = 1


@dataclass(frozen=True)
class Thing:
    """Something flat on the table, rotated counter-clockwise, in millimetres."""

    image: Image = field(repr=False)
    mask: Image = field(repr=False)
    size: tuple[float, float]
    x: float
    y: float
    turn: float = 0.0
    thick: float = 0.6
    gloss: float = 0.15


@dataclass(frozen=True)
class Arm:
    """A hand over the table or resting on it, and the arm it belongs to, which comes from beyond the edge."""

    x: float
    y: float
    from_x: float
    from_y: float
    height: float = 40.0
    skin: tuple[int, int, int] = (124, 154, 201)
    sleeve: tuple[int, int, int] = (92, 65, 51)


# --- things -----------------------------------------------------------------------------------------------------------


def printed(face: Face, x: float, y: float, turn: float = 0.0, gloss: float = 0.15) -> Thing:
    """A drawn card, holder or sheet."""
    image, mask = paint(face, FINE * 1.5)
    return Thing(image, mask, (face.width, face.height), x, y, turn, gloss=gloss)


def photographed(
    image: Image, size: tuple[float, float], x: float, y: float, turn: float = 0.0, gloss: float = 0.15
) -> Thing:
    """A card of which there is a photograph or a scan, cut out."""
    return Thing(image, np.full(image.shape[:2], 255, np.uint8), size, x, y, turn, gloss=gloss)


def sleeved(card: Thing, border: float = 1.5, gloss: float = 1.0) -> Thing:
    """The same card in a clear sleeve, which is a little larger and shines."""
    wide, high = (side + 2 * border for side in card.size)
    edge = round(border * card.mask.shape[1] / card.size[0])
    image = cv2.copyMakeBorder(card.image, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(205, 205, 205))
    mask = cv2.copyMakeBorder(card.mask, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=70)
    return replace(
        card, image=np.asarray(image, np.uint8), mask=np.asarray(mask, np.uint8), size=(wide, high), gloss=gloss
    )


def coaster(x: float, y: float, seed: int = 0) -> Thing:
    rng, side = np.random.default_rng(seed), 300
    image = np.full((side, side, 3), rng.integers(40, 220, 3), np.uint8)
    ink = tuple(int(v) for v in rng.integers(20, 250, 3))
    cv2.circle(image, (150, 150), 120, ink, 8, cv2.LINE_AA)
    cv2.putText(image, "BIER", (70, 172), cv2.FONT_HERSHEY_SIMPLEX, 2.0, ink, 6, cv2.LINE_AA)
    mask = np.zeros((side, side), np.uint8)
    cv2.circle(mask, (150, 150), 148, 255, cv2.FILLED, cv2.LINE_AA)
    return Thing(image, mask, (94, 94), x, y, float(rng.uniform(0, 360)), 1.5, 0.05)


def phone(x: float, y: float, turn: float = 0.0, *, lit: bool = False) -> Thing:
    image, mask = np.full((450, 222, 3), (22, 20, 20), np.uint8), np.full((450, 222), 255, np.uint8)
    if lit:
        image[18:-18, 10:-10] = np.linspace((190, 120, 60), (80, 60, 140), 414)[:, None].astype(np.uint8)
        for row in range(3):
            for column in range(4):
                spot = (20 + 48 * column, 250 + 55 * row)
                cv2.rectangle(image, spot, (spot[0] + 36, spot[1] + 36), (60 * row + 90, 200 - 40 * column, 160), -1)
    for corner in ((0, 0), (0, 449), (221, 0), (221, 449)):
        cv2.circle(mask, corner, 14, 0, cv2.FILLED)
    return Thing(image, mask, (72, 146), x, y, turn, 8.0, 1.0)


def die(x: float, y: float, pips: int, turn: float = 0.0) -> Thing:
    image, mask = np.full((96, 96, 3), (215, 225, 230), np.uint8), np.full((96, 96), 255, np.uint8)
    places = {1: "4", 2: "08", 3: "048", 4: "0268", 5: "02468", 6: "023568"}[pips]
    for place in map(int, places):
        cv2.circle(image, (22 + 26 * (place % 3), 22 + 26 * (place // 3)), 8, (30, 30, 30), cv2.FILLED, cv2.LINE_AA)
    return Thing(image, mask, (16, 16), x, y, turn, 14.0, 0.4)


# --- grounds ----------------------------------------------------------------------------------------------------------


def _grain(shape: tuple[int, int], across: float, down: float, rng: np.random.Generator) -> Floats:
    """Smooth random values of deviation 1 that change over so many pixels."""
    low = (max(3, int(shape[1] / across) + 2), max(3, int(shape[0] / down) + 2))
    rough = rng.normal(size=(low[1], low[0])).astype(np.float32)
    return np.asarray(cv2.resize(rough, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def _toned(tone: tuple[int, int, int], light: Any) -> Image:
    return np.asarray(np.clip(np.array(tone, np.float32) * (1 + light)[..., None], 0, 255), np.uint8)


def _wood(tone: tuple[int, int, int], strength: float) -> Callable[[tuple[int, int], np.random.Generator], Image]:
    def make(shape: tuple[int, int], rng: np.random.Generator) -> Image:
        planks = _grain(shape, 1e9, 130 * FINE, rng) * 0.4 + _grain(shape, 400 * FINE, 9 * FINE, rng)
        fibres = _grain(shape, 60 * FINE, 0.8 * FINE, rng)
        return _toned(tone, strength * (0.6 * planks + 0.4 * fibres))

    return make


def _cloth(tone: tuple[int, int, int], strength: float) -> Callable[[tuple[int, int], np.random.Generator], Image]:
    def make(shape: tuple[int, int], rng: np.random.Generator) -> Image:
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / FINE
        weave = np.sin(5.2 * x) * np.sin(5.2 * y)
        return _toned(tone, strength * (_grain(shape, 90 * FINE, 90 * FINE, rng) + 0.5 * weave))

    return make


def _art(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    """A play mat with a picture printed all over it."""
    canvas = np.stack([95 + 30 * _grain(shape, 120 * FINE, 90 * FINE, rng) for _ in range(3)], -1)
    picture = np.ascontiguousarray(np.clip(canvas, 10, 235).astype(np.uint8))
    for _ in range(70):
        at = (int(rng.integers(shape[1])), int(rng.integers(shape[0])))
        ink = tuple(int(v) for v in rng.integers(10, 240, 3))
        size = int(rng.uniform(6, 45) * FINE)
        if rng.random() < 0.5:
            cv2.circle(picture, at, size, ink, int(rng.choice([-1, 4, 9])), cv2.LINE_AA)
        else:
            far = (at[0] + int(rng.integers(-3, 4)) * size, at[1] + int(rng.integers(-3, 4)) * size)
            cv2.line(picture, at, far, ink, int(rng.integers(3, 16)), cv2.LINE_AA)
    return picture


def _stone(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    veins = np.abs(_grain(shape, 70 * FINE, 45 * FINE, rng) + 0.4 * _grain(shape, 12 * FINE, 12 * FINE, rng))
    return _toned((186, 190, 192), 0.08 * _grain(shape, 30 * FINE, 30 * FINE, rng) - 0.45 * np.exp(-9 * veins))


def _checks(shape: tuple[int, int], rng: np.random.Generator) -> Image:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32) / FINE
    stripes = ((x % 24 < 12).astype(np.float32) + (y % 24 < 12)) / 2
    return _toned((225, 228, 230), -np.float32(0.45) * stripes + 0.03 * _grain(shape, 50 * FINE, 50 * FINE, rng))


GROUNDS: Mapping[str, Callable[[tuple[int, int], np.random.Generator], Image]] = {
    "wood": _wood((86, 124, 164), 0.10),
    "dark wood": _wood((34, 46, 66), 0.22),
    "cloth": _cloth((63, 82, 53), 0.06),
    "art": _art,
    # Nothing is ever tuned on these: they are for the last look.
    "pale wood": _wood((150, 186, 208), 0.07),
    "red cloth": _cloth((45, 40, 128), 0.10),
    "stone": _stone,
    "checks": _checks,
    "black": _cloth((30, 28, 31), 0.05),
}


# --- light ------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def colour_of(kelvin: float) -> tuple[float, float, float]:
    """Blue, green and red of a glowing body, green being 1 (after Planck, at 450, 550 and 610 nanometres)."""
    waves = np.array([450e-9, 550e-9, 610e-9])
    power = waves**-5.0 / (np.exp(0.014388 / (waves * kelvin)) - 1)
    daylight = waves**-5.0 / (np.exp(0.014388 / (waves * 6500)) - 1)
    blue, green, red = (float(v) for v in power / daylight)
    return blue / green, 1.0, red / green


_TO_LINEAR = np.array(
    [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in np.arange(256) / 255], np.float32
)
_ramp = np.arange(4096) / 4095
_FROM_LINEAR = np.rint(
    255 * np.where(_ramp <= 0.0031308, 12.92 * _ramp, 1.055 * np.power(np.maximum(_ramp, 1e-9), 1 / 2.4) - 0.055)
).astype(np.uint8)


def _limbs(arm: Arm) -> list[tuple[Array, Array, float, tuple[int, int, int]]]:
    """Sleeve, forearm, palm and fingers: from where to where, how broad, of which colour."""
    way = np.array([arm.x - arm.from_x, arm.y - arm.from_y])
    way = way / max(float(np.linalg.norm(way)), 1e-6)
    side = np.array([-way[1], way[0]])
    palm = np.array([arm.x, arm.y])
    wrist, elbow = palm - 55 * way, np.array([arm.from_x, arm.from_y]) - 200 * way
    limbs = [(elbow, wrist - 60 * way, 92.0, arm.sleeve), (wrist - 70 * way, wrist, 60.0, arm.skin)]
    limbs.append((wrist + 10 * way, palm - 5 * way, 78.0, arm.skin))
    for spread, length in ((-30, 62), (-11, 78), (9, 82), (28, 72)):
        limbs.append((palm + spread * side, palm + 1.25 * spread * side + length * way, 19.0, arm.skin))
    limbs.append((palm - 40 * side - 25 * way, palm - 72 * side + 22 * way, 23.0, arm.skin))
    return limbs


# --- the camera -------------------------------------------------------------------------------------------------------


class HarshCamera:
    """A camera over one table in one room."""

    def __init__(self, layout: Layout, room: Room | None = None) -> None:
        self.layout, self.room = layout, room or Room()
        self.rng = np.random.default_rng(self.room.seed)
        self._hang()
        places = self._places()
        self._across = (places[..., 0] + BEYOND) * FINE - 0.5
        self._down = (layout.height + BEYOND - places[..., 1]) * FINE - 0.5
        self._coarse = places[:: 2 * COARSE, :: 2 * COARSE]
        self._ground = self._bare_table()
        self._still: tuple[object, Floats, tuple[Thing, ...]] | None = None
        self._gains = self._illumination()
        self._noise: Floats | None = None

    def relit(self, room: Room) -> "HarshCamera":
        """The same table and camera in another light; what is not light must be the same in this room."""
        other = object.__new__(HarshCamera)
        other.__dict__.update(self.__dict__)
        other.room, other.rng = room, np.random.default_rng(room.seed + 1)
        other._still, other._gains = None, other._illumination()
        return other

    # --- geometry -----------------------------------------------------------------------------------------------------

    def _hang(self) -> None:
        """Hang the camera over the middle of the table, as low as it may be with the whole table in the picture."""
        room, (wide, high) = self.room, self.room.size
        self._straight = 1 - min(room.bend, 0.999)
        tilt, swing = np.radians(180 + room.tilt), np.radians(room.swing)
        about_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
        about_z = np.array([[np.cos(swing), -np.sin(swing), 0], [np.sin(swing), np.cos(swing), 0], [0, 0, 1]])
        self._turn = about_x @ about_z
        self._focal = np.hypot(wide, high) / 2 / (np.tan(self._straight * np.radians(room.field / 2)) / self._straight)
        edge = np.array([(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0), (1, 0.5), (0.5, 1), (0, 0.5)])
        edge = edge * (self.layout.width, self.layout.height)
        self._centre = np.array([wide, high]) / 2
        away = self._turn @ np.array([-self.layout.width / 2, -self.layout.height / 2, 0])
        for distance in np.geomspace(150, 20000, 400):
            self._shift = away + np.array([0, 0, distance])
            for _ in range(6):  # a tilted camera stands aside, so that the table is in the middle of its picture
                seen = self.pixels(edge) - self._centre
                self._shift[:2] -= (seen.min(0) + seen.max(0)) / 2 * distance / self._focal
            if np.isfinite(seen).all() and (np.ptp(seen, axis=0) < 0.97 * np.array([wide, high])).all():
                return

    def _places(self) -> Floats:
        """The millimetres that every quarter of a pixel shows, twice as many across and down as there are pixels."""
        wide, high = (2 * side // COARSE + 2 for side in self.room.size)
        across, down = (((np.arange(count) - 0.5) * COARSE - 0.5) / 2 - 0.25 for count in (wide, high))
        grid = np.stack(np.meshgrid(across, down), -1).reshape(-1, 2)
        few = self.millimetres(grid).reshape(high, wide, 2).astype(np.float32)
        # Between them linear interpolation is good enough.
        all_of_them = cv2.resize(few, (wide * COARSE, high * COARSE), interpolation=cv2.INTER_LINEAR)
        return np.asarray(all_of_them[COARSE:-COARSE, COARSE:-COARSE], np.float32)

    def pixels(self, places: Any, height: float = 0.0) -> Array:
        """Where in the picture these millimetres of the table are: the truth that a calibration has to find."""
        points = np.asarray(places, float).reshape(-1, 2)
        x, y, z = (np.column_stack([points, np.full(len(points), height)]) @ self._turn.T + self._shift).T
        aside = np.hypot(x, y)
        reach = self._focal * np.tan(self._straight * np.arctan2(aside, z)) / self._straight
        return np.asarray(self._centre + np.column_stack([x, y]) * (reach / np.maximum(aside, 1e-9))[:, None], float)

    def millimetres(self, pixels: Any) -> Array:
        """Which place of the table these pixels show; far away where they show none."""
        points = np.asarray(pixels, float).reshape(-1, 2) - self._centre
        reach = np.maximum(np.hypot(*points.T), 1e-9)
        angle = np.arctan(self._straight * reach / self._focal) / self._straight
        angle = np.minimum(angle, np.radians(89))
        rays = np.column_stack([points / reach[:, None] * np.sin(angle)[:, None], np.cos(angle)]) @ self._turn
        eye = -self._turn.T @ self._shift
        far = np.where(rays[:, 2] < -1e-3, -eye[2] / np.minimum(rays[:, 2], -1e-3), 1e5)
        return np.asarray(eye[:2] + rays[:, :2] * far[:, None], float)

    def scale(self, x: float, y: float) -> float:
        """Pixels per millimetre around this place."""
        a, b, c = self.pixels([(x, y), (x + 5, y), (x, y + 5)])
        return float((np.linalg.norm(b - a) + np.linalg.norm(c - a)) / 10)

    # --- the table ----------------------------------------------------------------------------------------------------

    def _bare_table(self) -> Image:
        layout, room = self.layout, self.room
        shape = round((layout.height + 2 * BEYOND) * FINE), round((layout.width + 2 * BEYOND) * FINE)
        top = GROUNDS[room.ground](shape, np.random.default_rng(room.seed))
        if room.printed:
            draw(top, layout.mat, np.array([FINE, FINE]), (BEYOND, BEYOND))
        side = round(MARKER * room.marker_size * FINE)
        quiet = round(PAPER * FINE)
        for number in room.markers:
            x, y = marker_places(layout.width, layout.height)[number]
            left, up = (
                round((v - MARKER * room.marker_size / 2) * FINE) for v in (x + BEYOND, layout.height + BEYOND - y)
            )
            top[up - quiet : up + side + quiet, left - quiet : left + side + quiet] = (228, 230, 232)
            top[up : up + side, left : left + side] = np.maximum(
                cv2.aruco.generateImageMarker(marker_dictionary(), number, side)[..., None], 18
            ) * np.array([0.9, 0.9, 0.91])
        return top

    def _compose(self, things: Iterable[Thing]) -> tuple[Image, Image]:
        """The table top from above with these things on it, and how glossy every place is."""
        top = self._ground.copy()
        gloss = np.full(top.shape[:2], 8, np.uint8)
        if self.room.glossy_markers:
            for x, y in marker_places(self.layout.width, self.layout.height).values():
                at = (round((x + BEYOND) * FINE), round((self.layout.height + BEYOND - y) * FINE))
                half = round((MARKER / 2 + PAPER) * FINE)
                cv2.rectangle(gloss, (at[0] - half, at[1] - half), (at[0] + half, at[1] + half), 255, cv2.FILLED)
        for thing in things:
            self._lay(top, gloss, thing)
        return top, gloss

    def _lay(self, top: Image, gloss: Image, thing: Thing) -> None:
        rows, cols = thing.mask.shape
        angle = np.radians(thing.turn)
        along = np.array([np.cos(angle), -np.sin(angle)]) * thing.size[0] * FINE / cols
        down = np.array([np.sin(angle), np.cos(angle)]) * thing.size[1] * FINE / rows
        middle = np.array([thing.x + BEYOND, self.layout.height + BEYOND - thing.y]) * FINE - 0.5
        start = middle - along * (cols - 1) / 2 - down * (rows - 1) / 2
        reach = np.hypot(*thing.size) * FINE / 2 + 3 * thing.thick * FINE + 2
        low = np.clip(np.floor(middle - reach), 0, top.shape[1::-1]).astype(int)
        high = np.clip(np.ceil(middle + reach), 0, top.shape[1::-1]).astype(int)
        if (high <= low).any():
            return
        box = (int(high[0] - low[0]), int(high[1] - low[1]))
        place = np.column_stack([along, down, start - low])
        smooth = max(0.3, 0.4 * cols / (thing.size[0] * FINE))
        image, mask = (cv2.GaussianBlur(part, (0, 0), smooth) for part in (thing.image, thing.mask))
        ink = cv2.warpAffine(image, place, box, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        cover = cv2.warpAffine(mask, place, box).astype(np.float32)[..., None] / 255
        fall = np.array([[1, 0, 0.6 * thing.thick * FINE], [0, 1, 0.9 * thing.thick * FINE]])
        shade = cv2.GaussianBlur(cv2.warpAffine(cover, fall, box), (0, 0), max(0.6, thing.thick) * FINE)[..., None]
        part = top[low[1] : high[1], low[0] : high[0]]
        shaded = part * (1 - 0.45 * shade)
        part[:] = np.clip(shaded * (1 - cover) + ink * cover, 0, 255).astype(np.uint8)
        shiny = gloss[low[1] : high[1], low[0] : high[0]]
        shiny[:] = np.maximum(shiny * (1 - cover[..., 0]), 255 * thing.gloss * (cover[..., 0] > 0.2)).astype(np.uint8)

    # --- light --------------------------------------------------------------------------------------------------------

    def _exposure(self) -> tuple[float, float]:
        """The factor by which light becomes signal, and the gain that brings noise."""
        made_good = 2.0 ** (-self.room.stops * self.room.follows)
        return EXPOSURE * made_good, self.room.gain * max(1.0, made_good)

    def _illumination(self) -> Floats:
        """Light and shadow over the picture, gains of blue, green and red at a coarse grid."""
        room, places = self.room, self._coarse
        level = np.float32(2.0**room.stops)
        light = level * np.array(colour_of(room.kelvin), np.float32) * np.ones((*places.shape[:2], 1), np.float32)
        dark = np.ones(places.shape[:2], np.float32)
        for x, y, to_x, to_y, broad, depth in room.shadows:
            start, way = np.array([x, y], np.float32), np.array([to_x - x, to_y - y], np.float32)
            share = np.clip(((places - start) @ way) / max(float(way @ way), 1e-6), 0, 1)
            beside = np.linalg.norm(places - start - share[..., None] * way, axis=-1) - broad / 2
            dark *= 1 - np.float32(depth) / (1 + np.exp(np.clip(4 * beside / room.softness, -30, 30)))
        light = light * dark[..., None]
        for lamp in room.lamps:
            away = np.linalg.norm(places - np.array([lamp.x, lamp.y], np.float32), axis=-1)
            middle = np.hypot(lamp.x - self.layout.width / 2, lamp.y - self.layout.height / 2)
            fall = ((middle**2 + lamp.z**2) / (away**2 + lamp.z**2)) ** 1.5
            light += lamp.power * fall[..., None] * np.array(colour_of(lamp.kelvin), np.float32)
        wide, high = room.size
        y, x = np.mgrid[0 : places.shape[0], 0 : places.shape[1]].astype(np.float32) * COARSE
        off = np.hypot(x - wide / 2, y - high / 2) / np.hypot(wide / 2, high / 2)
        light = light * (1 - room.vignette * off**2)[..., None]
        return np.asarray(light / np.array(colour_of(room.balanced_for), np.float32), np.float32)

    def _shine(self, gloss: Any) -> Floats:
        """The reflections of lamps on what is glossy: soft spots in places that follow the seed."""
        rng, (wide, high) = np.random.default_rng(self.room.seed + 77), self.room.size
        y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
        spots = np.zeros((high, wide), np.float32)
        for _ in range(5):
            at, reach = rng.uniform((0.1 * wide, 0.1 * high), (0.9 * wide, 0.9 * high)), rng.uniform(0.03, 0.07) * wide
            spots += np.exp(-(((x - at[0]) / reach) ** 2) - ((y - at[1]) / (0.5 * reach)) ** 2)
        return np.asarray(self.room.shine * 2.0**self.room.stops * spots * gloss, np.float32)[..., None]

    # --- frames -------------------------------------------------------------------------------------------------------

    def frame(self, scene: Sequence[Thing | Arm], *, room_light: float = 1.0) -> Image:
        """The camera's picture of these things, bottom to top, and arms above them."""
        things = tuple(one for one in scene if isinstance(one, Thing))
        key = tuple(map(id, things))
        if self._still is None or self._still[0] != key:
            self._still = key, self._lit(things), things
        picture = self._still[1]
        for arm in scene:
            if isinstance(arm, Arm):
                picture = self._with_arm(picture, arm)
        return self._exposed(picture * np.float32(room_light))

    def _lit(self, things: tuple[Thing, ...]) -> Floats:
        """Light that reaches the sensor of everything that lies still."""
        top, gloss = self._compose(things)
        floor = (30, 33, 36)
        seen = cv2.remap(top, self._across, self._down, cv2.INTER_LINEAR, borderValue=floor)
        shiny = cv2.remap(gloss, self._across, self._down, cv2.INTER_LINEAR)
        size = self.room.size
        linear = cv2.resize(_TO_LINEAR[seen], size, interpolation=cv2.INTER_AREA)
        lit = linear * cv2.resize(self._gains, size, interpolation=cv2.INTER_LINEAR)
        if self.room.shine:
            lit += self._shine(cv2.resize(shiny, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255)
        return np.asarray(self._focused(lit), np.float32)

    def _focused(self, picture: Floats) -> Floats:
        blurred = cv2.GaussianBlur(picture, (0, 0), self.room.blur) if self.room.blur > 0.2 else picture
        return np.asarray(blurred, np.float32)

    def _with_arm(self, picture: Floats, arm: Arm) -> Floats:
        """Sleeve, forearm, palm and fingers at their height, with a shadow on the table."""
        palm = np.array([arm.x, arm.y])
        cover = np.zeros(picture.shape[:2], np.uint8)
        shade, colours = cover.copy(), np.zeros_like(picture)
        for start, end, broad, tone in _limbs(arm):
            for layer, height, fill in ((cover, arm.height, 255), (shade, 0.0, 255)):
                drop = np.array([0.35, -0.5]) * (arm.height if layer is shade else 0.0)
                a, b = self.pixels([start + drop, end + drop], height)
                thick = max(1, round(broad * self.scale(*np.clip(palm, 0, (self.layout.width, self.layout.height)))))
                ends = [tuple(int(v) for v in np.clip(p, -9000, 9000)) for p in (a, b)]
                cv2.line(layer, ends[0], ends[1], fill, thick, cv2.LINE_AA)
                if layer is cover:
                    lit = tuple(float(_TO_LINEAR[v]) for v in tone)
                    cv2.line(colours, ends[0], ends[1], lit, thick + 2, cv2.LINE_AA)
        soft = cv2.GaussianBlur(cover, (0, 0), max(1.0, self.room.blur)).astype(np.float32)[..., None] / 255
        fade = max(1.0, 0.25 * arm.height * self.scale(self.layout.width / 2, self.layout.height / 2))
        dark = cv2.GaussianBlur(shade, (0, 0), fade).astype(np.float32)[..., None] / 255
        round_light = 0.75 + 0.25 * cv2.GaussianBlur(cover, (0, 0), 6).astype(np.float32)[..., None] / 255
        light = cv2.resize(self._gains, self.room.size, interpolation=cv2.INTER_LINEAR)
        return np.asarray(picture * (1 - 0.4 * dark) * (1 - soft) + colours * round_light * light * soft, np.float32)

    def hides(self, arm: Arm, outline: Array) -> float:
        """The part of an outline on the table, in millimetres, that is under an arm."""
        cover, inside = (np.zeros(self.room.size[::-1], np.uint8) for _ in range(2))
        cv2.fillPoly(inside, [np.rint(self.pixels(outline)).astype(np.int32)], 1)
        for start, end, broad, _ in _limbs(arm):
            a, b = (tuple(int(v) for v in p) for p in np.clip(self.pixels([start, end], arm.height), -9000, 9000))
            cv2.line(cover, a, b, 1, max(1, round(broad * self.scale(arm.x, arm.y))))
        return float((cover & inside).sum()) / max(1.0, float(inside.sum()))

    def _exposed(self, light: Floats) -> Image:
        """What the sensor and its camera make of this light: noise under a colour filter, white balance, JPEG."""
        factor, gain = self._exposure()
        if self.room.flicker:
            rows = np.arange(light.shape[0], dtype=np.float32)
            wave = np.sin(rows / light.shape[0] * 2 * np.pi * 1.7 + self.rng.uniform(0, 2 * np.pi))
            light = light * (1 + np.float32(self.room.flicker) * wave[:, None, None])
        signal = np.empty(light.shape[:2], np.float32)
        # The filter's rows: blue green blue green, green red green red.
        signal[0::2, 0::2], signal[0::2, 1::2] = light[0::2, 0::2, 0], light[0::2, 1::2, 1]
        signal[1::2, 0::2], signal[1::2, 1::2] = light[1::2, 0::2, 1], light[1::2, 1::2, 2]
        signal *= factor
        deviation = np.sqrt(np.maximum(signal, 0) * (gain / ELECTRONS) + (READ_NOISE * gain**0.8) ** 2)
        signal += deviation * self._grainy(signal.shape)
        raw = np.clip(signal * 4095, 0, 4095).astype(np.uint16)
        colour = cv2.cvtColor(raw, cv2.COLOR_BayerRG2BGR)
        picture = self._processed(_FROM_LINEAR[colour])
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, self.room.jpeg])[1]
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)

    def _processed(self, picture: Image) -> Image:
        """What cameras do to make a picture look crisp and clean."""
        if self.room.smeared:
            picture = np.asarray(cv2.bilateralFilter(picture, 5, 18.0, 2.0), np.uint8)
        if self.room.sharpened:
            soft, more = cv2.GaussianBlur(picture, (0, 0), 1.0), self.room.sharpened
            picture = np.asarray(cv2.addWeighted(picture, 1 + more, soft, -more, 0), np.uint8)
        return picture

    def _grainy(self, shape: tuple[int, ...]) -> Floats:
        """Noise of deviation 1, cut at random from a sheet of it, because drawing it anew takes long."""
        if self._noise is None or self._noise.shape[0] < shape[0]:
            self._noise = self.rng.standard_normal((shape[0] + 256, shape[1] + 256), np.float32)
        down, across = self.rng.integers(0, 256, 2)
        return self._noise[down : down + shape[0], across : across + shape[1]]

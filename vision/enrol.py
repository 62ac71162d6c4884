"""Enrolment from a folder: one picture of each card, its name the file's, and honest words about bad ones.

The pictures are scans or cut-outs as a rule. Where they are photographs with the card lying on something, the card
is found and straightened first; which of the two a folder is shows in all its pictures together, never in one.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from vision.find import find_quads
from vision.gallery import BACK, WIDTH, BadGallery, Gallery, Look, fitted
from vision.paint import Array, Image
from vision.photo import BadPicture, load
from vision.recognise import Recogniser

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"}
_BACKS = re.compile(r"back(\d*|[-_~ ].*)$", re.IGNORECASE)
_ENOUGH = 2 * WIDTH  # pixels of a card's shorter side that are worth keeping until it is enrolled
_STRAY = 0.01  # by which the corners of photographed cards lie elsewhere in most pictures, as a share of the picture
_FRAME = 0.5  # of the picture: an outline that fills more may be printed on the card
ALIKE = 0.006  # two cards that are nearer than this cannot be told apart by any camera


class Enrolled(NamedTuple):
    """A gallery, and what its owner should know about the pictures."""

    gallery: Gallery
    warnings: list[str]


def deck_name(deck: str) -> str:
    """The name of a deck as a file can have it."""
    if not re.fullmatch(r"[\w][\w.-]*", deck):
        raise BadGallery(f"{deck!r} cannot be the name of a deck: use letters, digits, dots, dashes and underscores.")
    return deck


def gallery_path(data: Path, deck: str) -> Path:
    """Where a deck's gallery lives in the data folder."""
    return data / "galleries" / f"{deck_name(deck)}.gallery"


def card_of(path: Path) -> str:
    """`katana~2.jpg` is another look at the katana; `back*.jpg` is what a card looks like face down."""
    if _BACKS.fullmatch(path.stem):
        return BACK
    return path.stem.split("~")[0] or path.stem


class _Shot(NamedTuple):
    """A picture of a folder: shrunk, for phones take twelve million pixels and folders hold hundreds of pictures."""

    path: Path
    whole: Image
    place: Array | None
    """The card's outline, as shares of the picture, if there is one."""
    cut: Image | None
    """The card alone, cut out along it."""


def enrol_folder(deck: str, folder: Path, progress: Callable[[int, int], None] = lambda done, of_all: None) -> Enrolled:
    """Enrol every picture in the folder; `progress` is told after each."""
    if not folder.is_dir():
        raise BadGallery(f"{folder} is not a folder of pictures.")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not files:
        raise BadGallery(f"{folder} holds no pictures; one of each card is wanted, its file named as the card.")
    name = deck_name(deck)
    warnings: list[str] = []
    shots: list[_Shot] = []
    for done, path in enumerate(files, 1):
        try:
            shots.append(_shot(path))
        except BadPicture as problem:
            warnings.append(f"{problem} It is left out.")
        progress(done, len(files))
    if not shots:
        raise BadGallery(f"No file in {folder} is a picture that can be read.")
    cuts = _straightened(shots, warnings)
    gallery = _upright(name, [(card_of(shot.path), cut) for shot, cut in zip(shots, cuts, strict=True)])
    warnings += _poor(shots, cuts, gallery)
    warnings += _twins(gallery, [shot.path for shot in shots])
    return Enrolled(gallery, warnings)


def _shot(path: Path) -> _Shot:
    image = load(path)
    high, wide = image.shape[:2]
    quad = _card_outline(image)
    whole = fitted(image, _ENOUGH, max(1, round(_ENOUGH * high / wide))) if wide > _ENOUGH else image
    place = None if quad is None else quad / (wide, high)
    return _Shot(path, whole, place, None if quad is None else _cut(image, quad))


def _straightened(shots: list[_Shot], warnings: list[str]) -> list[Image]:
    """The cards alone: cut out of their photographs if these are photographs of cards on a table."""
    found = [shot.place for shot in shots if shot.place is not None]
    if len(found) < 0.6 * len(shots) or not _wander(found):
        return [shot.whole for shot in shots]
    for shot in shots:
        if shot.cut is None:
            warnings.append(f"{shot.path.name}: no card's outline was found; the whole picture is taken.")
    return [shot.whole if shot.cut is None else shot.cut for shot in shots]


def _card_outline(image: Image) -> Array | None:
    """The outline of the one card in a photograph: the largest good one that leaves a rim around it."""
    area = image.shape[0] * image.shape[1]
    fits = [
        quad.corners
        for quad in find_quads(image, 1.45, tolerance=0.32)
        if quad.quality > 0.5 and 0.03 < cv2.contourArea(quad.corners.astype(np.float32)) / area < 0.85
    ]
    return max(fits, key=lambda corners: cv2.contourArea(corners.astype(np.float32)), default=None)


def _wander(places: list[Array]) -> bool:
    """Do the outlines lie differently from picture to picture, as photographed cards do and printed frames do not?

    Frames that differ from card to card still stand upright in the middle: most of them wander up and down or from side
    to side, never both. Of one picture or two only their size tells: a frame fills most of its card."""
    spread = np.stack(places)
    if len(places) < 3:
        return bool(np.ptp(spread, axis=1).prod(1).max() < _FRAME)
    off = np.abs(spread - np.median(spread, axis=0)).max(1)
    return bool(np.median(off, axis=0).min() > _STRAY)


def _cut(image: Image, quad: Array) -> Image:
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    shrink = min(1.0, _ENOUGH / min(across, down))
    width, height = max(1, round(shrink * across)), max(1, round(shrink * down))
    there = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), there)
    if shrink < 0.8:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.45 / shrink), np.uint8)
    return np.asarray(cv2.warpPerspective(image, warp, (width, height)), np.uint8)


def _upright(deck: str, cuts: list[tuple[str, Image]]) -> Gallery:
    """A gallery of pictures that all stand the same way: a lying one among standing ones is turned by a quarter."""
    standing = sum(image.shape[0] >= image.shape[1] for _, image in cuts) * 2 >= len(cuts)
    turned = [
        (card, image if (image.shape[0] >= image.shape[1]) == standing else np.rot90(image).copy())
        for card, image in cuts
    ]
    return Gallery.from_pictures(deck, turned)


def _poor(shots: list[_Shot], cuts: list[Image], gallery: Gallery) -> list[str]:
    """Words about pictures that are small, dark, pale or blurred beside the others."""
    images = [look.image for look in gallery.looks]
    sharp = [sharpness(image) for image in images]
    usual = float(np.median(sharp))
    words = []
    for shot, cut, image, sharpness_here in zip(shots, cuts, images, sharp, strict=True):
        high, wide = cut.shape[:2]
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if min(high, wide) < 60:
            words.append(f"{shot.path.name} is only {wide} x {high} pixels: take a larger picture.")
        elif np.percentile(image, 98) < 60:
            words.append(f"{shot.path.name} is too dark.")
        elif float(image.std()) < 4:
            words.append(f"{shot.path.name} shows nothing but one colour.")
        elif np.percentile(grey, 1) > 185:
            words.append(f"{shot.path.name} is too bright: hardly anything is left of what is printed on it.")
        elif sharpness_here < 0.4 * usual:
            words.append(f"{shot.path.name} is blurred beside the others.")
    return words


def sharpness(image: Image) -> float:
    """How crisp the hardest edges of a picture are, whatever its contrast."""
    size = (WIDTH // 2, round(WIDTH / 2 * image.shape[0] / image.shape[1]))
    grey = cv2.cvtColor(fitted(image, *size), cv2.COLOR_BGR2GRAY).astype(np.float32)
    slopes = cv2.magnitude(cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)) / 8
    dark, bright = np.percentile(grey, (0.5, 99.5))
    return float(np.percentile(slopes, 99.5) / max(bright - dark, 8.0))


def _twins(gallery: Gallery, paths: list[Path]) -> list[str]:
    """Words about cards that look the same: the same file twice, or two cards nobody could tell apart."""
    recogniser = Recogniser(gallery)
    coarse = recogniser.coarse.all
    words = []
    for a, b in np.argwhere(np.triu(coarse @ coarse.T, 1) > 1 - 2 * ALIKE):
        if recogniser.apart(int(a), int(b)) > ALIKE:
            continue
        if gallery.looks[a].packed == gallery.looks[b].packed:
            words.append(f"{paths[a].name} and {paths[b].name} are the same picture.")
        elif gallery.looks[a].card != gallery.looks[b].card:
            words.append(f"{paths[a].name} and {paths[b].name} are too alike to tell apart.")
    return words


def corrected(gallery: Gallery, card: str, crop: Image) -> Gallery:
    """The gallery with one more look: a reading that somebody at the table has set right."""
    return gallery.adding([Look(card, crop)])

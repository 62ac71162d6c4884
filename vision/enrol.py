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


def enrol_folder(deck: str, folder: Path, progress: Callable[[Path], None] = lambda path: None) -> Enrolled:
    """Enrol every picture in the folder."""
    if not folder.is_dir():
        raise BadGallery(f"{folder} is not a folder of pictures.")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not files:
        raise BadGallery(f"{folder} holds no pictures; one of each card is wanted, its file named as the card.")
    warnings: list[str] = []
    pictures: list[tuple[Path, Image]] = []
    for path in files:
        progress(path)
        try:
            pictures.append((path, load(path)))
        except BadPicture as problem:
            warnings.append(f"{problem} It is left out.")
    if not pictures:
        raise BadGallery(f"No file in {folder} is a picture that can be read.")
    cuts = _straightened([image for _, image in pictures], [path for path, _ in pictures], warnings)
    gallery = _upright(deck_name(deck), [(card_of(path), cut) for (path, _), cut in zip(pictures, cuts, strict=True)])
    warnings += _poor(pictures, gallery)
    warnings += _twins(gallery, [path for path, _ in pictures])
    return Enrolled(gallery, warnings)


def _straightened(images: list[Image], paths: list[Path], warnings: list[str]) -> list[Image]:
    """The cards alone: cut out of their photographs if these are photographs of cards on a table."""
    quads = [_card_outline(image) for image in images]
    found = [
        quad / (image.shape[1], image.shape[0]) for quad, image in zip(quads, images, strict=True) if quad is not None
    ]
    if len(found) < 0.6 * len(images) or not _wander(found):
        return images
    cuts = []
    for path, image, quad in zip(paths, images, quads, strict=True):
        if quad is None:
            warnings.append(f"{path.name}: no card's outline was found; the whole picture is taken.")
        cuts.append(image if quad is None else _cut(image, quad))
    return cuts


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
    """Do the outlines lie differently from picture to picture, as photographed cards do and printed frames do not?"""
    if len(places) < 2:
        return True
    spread = np.stack(places)
    middles, sizes = spread.mean(1), np.ptp(spread, axis=1)
    return bool(max(middles.std(0).max(), sizes.std(0).max()) > 0.015)


def _cut(image: Image, quad: Array) -> Image:
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    width, height = round(across), round(down)
    there = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), there)
    return np.asarray(cv2.warpPerspective(image, warp, (width, height), flags=cv2.INTER_AREA), np.uint8)


def _upright(deck: str, cuts: list[tuple[str, Image]]) -> Gallery:
    """A gallery of pictures that all stand the same way: a lying one among standing ones is turned by a quarter."""
    standing = sum(image.shape[0] >= image.shape[1] for _, image in cuts) * 2 >= len(cuts)
    turned = [
        (card, image if (image.shape[0] >= image.shape[1]) == standing else np.rot90(image).copy())
        for card, image in cuts
    ]
    return Gallery.from_pictures(deck, turned)


def _poor(pictures: list[tuple[Path, Image]], gallery: Gallery) -> list[str]:
    """Words about pictures that are small, dark or blurred beside the others."""
    sharp = [sharpness(look.image) for look in gallery.looks]
    usual = float(np.median(sharp))
    words = []
    for (path, image), look, sharpness_here in zip(pictures, gallery.looks, sharp, strict=True):
        if min(image.shape[:2]) < 60:
            words.append(f"{path.name} is only {image.shape[1]} x {image.shape[0]} pixels: take a larger picture.")
        elif np.percentile(look.image, 98) < 60:
            words.append(f"{path.name} is too dark.")
        elif float(look.image.std()) < 4:
            words.append(f"{path.name} shows nothing but one colour.")
        elif sharpness_here < 0.4 * usual:
            words.append(f"{path.name} is blurred beside the others.")
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
    likeness = (
        recogniser.coarse.looks @ recogniser.coarse.looks.T + recogniser.fine.looks @ recogniser.fine.looks.T
    ) / 2
    words = []
    for a, b in np.argwhere(np.triu(likeness, 1) > 1 - ALIKE):
        same = np.array_equal(gallery.looks[a].image, gallery.looks[b].image)
        if same:
            words.append(f"{paths[a].name} and {paths[b].name} are the same picture.")
        elif gallery.looks[a].card != gallery.looks[b].card:
            words.append(f"{paths[a].name} and {paths[b].name} are too alike to tell apart.")
    return words


def corrected(gallery: Gallery, card: str, crop: Image) -> Gallery:
    """The gallery with one more look: a reading that somebody at the table has set right."""
    return gallery.adding([Look(card, crop)])

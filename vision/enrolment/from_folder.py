"""Enrolment from a folder: one picture of each card, named like its file, and warnings about bad pictures.

The pictures are usually scans or cut-outs. If they are photographs of cards on a table, the card is found and rectified
first. Which of the two a folder holds is decided from all its pictures together, never from one.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.message import Message, message, plural
from vision.detection.card_outlines import find_quads
from vision.detection.feature_voting import FeatureIndex
from vision.enrolment.look_alikes import USUAL, resolution_warnings
from vision.pictures import Array, BadPicture, Image, load, resized, sharpness
from vision.recognition.gallery import BACK, WIDTH, BadGallery, Gallery, Template
from vision.recognition.recogniser import Recogniser

PICTURES = {".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"}
UNREADABLE = {".heic", ".heif", ".avif", ".jxl", ".gif", ".psd", ".dng", ".cr2", ".nef", ".arw", ".svg", ".pdf"}
"""Pictures in formats that are not read."""
_BACKS = re.compile(r"back(\d*|[-_~ ].*)$", re.IGNORECASE)
_KEPT_SIDE = 2 * WIDTH  # pixels of a card's shorter side that are kept until it is enrolled
_MIN_SCATTER = 0.01  # least scatter of the corners of photographed cards, as a part of the picture
_MIN_SIDE = 16  # pixels of a card's shorter side below which a picture is useless
_ASPECT_TOLERANCE = 0.12  # logarithm by which the aspect ratios of one deck's pictures may differ
_FRAME_SIZE = 0.5  # part of the picture: a larger outline may be a frame that is printed on the card
ALIKE = 0.006  # two cards with a smaller distance cannot be told apart by any camera


class Enrolled(NamedTuple):
    """A gallery, and warnings about its pictures."""

    gallery: Gallery
    warnings: list[Message]


def deck_name(deck: str) -> str:
    """The name of a deck, if a file can have it."""
    if not re.fullmatch(r"[\w][\w.-]*", deck):
        raise BadGallery(
            message(
                "{deck} cannot be the name of a deck: use letters, digits, dots, dashes and underscores.",
                deck=repr(deck),
            )
        )
    return deck


def gallery_path(data: Path, deck: str) -> Path:
    """Where a deck's gallery is in the data folder."""
    return data / "galleries" / f"{deck_name(deck)}.gallery"


def card_of(path: Path) -> str:
    """`katana~2.jpg` is another look at the katana; `back*.jpg` is what a card looks like face down."""
    stem = unicodedata.normalize("NFC", path.stem)  # some systems write ü as two characters
    if _BACKS.fullmatch(stem):
        return BACK
    return stem.split("~")[0].strip() or stem


class _Shot(NamedTuple):
    """A picture of a folder, reduced in size: phones take twelve million pixels, and folders hold hundreds of them."""

    path: Path
    whole: Image
    place: Array | None
    """The card's outline, relative to the size of the picture, if there is one."""
    cut: Image | None
    """The card alone, rectified along that outline."""


def enrol_folder(
    deck: str,
    folder: Path,
    progress: Callable[[int, int], None] = lambda done, of_all: None,
    onto: Gallery | None = None,
    across: float = USUAL,
) -> Enrolled:
    """Enrol every picture in the folder, in addition to the gallery `onto` if there is one; `progress` is called after
    each. `across`: how many pixels wide the camera shows a card."""
    name = deck_name(deck)
    warnings: list[Message] = []
    files = _pictures(folder, warnings)
    shots: list[_Shot] = []
    for done, path in enumerate(files, 1):
        try:
            shots.append(_shot(path))
        except BadPicture as problem:
            warnings.append(message("{problem} It is left out.", problem=problem.message))
        progress(done, len(files))
    if not shots:
        nothing = message("No file in {folder} is a picture that can be read.", folder=str(folder))
        raise BadGallery(_paragraph(nothing, *warnings))
    cuts = _straightened(shots, warnings)
    gallery = _oriented(name, [(card_of(shot.path), cut) for shot, cut in zip(shots, cuts, strict=True)], onto)
    names = [shot.path.name for shot in shots]
    fresh = Gallery(name, gallery.size, gallery.templates[-len(shots) :], gallery.disc)
    warnings += _quality_warnings(names, cuts, fresh)
    known = [message("the known {card}", card=template.card) for template in gallery.templates[: -len(shots)]]
    recogniser = Recogniser(gallery)
    warnings += _twin_warnings(recogniser, [*known, *names], len(known))
    warnings += resolution_warnings(recogniser, across, ALIKE)
    return Enrolled(_without_repeats(gallery, names, warnings), warnings)


def _paragraph(first: Message, *more: Message) -> Message:
    """Sentences one after the other."""
    for sentence in more:
        first = message("{one} {other}", one=first, other=sentence)
    return first


def _pictures(folder: Path, warnings: list[Message]) -> list[Path]:
    """The folder's pictures, in order, without hidden files."""
    if not folder.is_dir():
        raise BadGallery(message("{folder} is not a folder of pictures.", folder=str(folder)))
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    for path in files:
        if path.suffix.lower() in UNREADABLE:
            warnings.append(
                message(
                    "{file} is of a kind that cannot be read: save it as JPEG or PNG. It is left out.", file=path.name
                )
            )
    found = [path for path in files if path.suffix.lower() in PICTURES]
    if not found:
        within = any(path.is_dir() for path in folder.iterdir())
        hint = warnings or ([message("Folders within it are not looked into.")] if within else [])
        wanted = message(
            "{folder} holds no pictures; one of each card is wanted, its file named as the card.", folder=str(folder)
        )
        raise BadGallery(_paragraph(wanted, *hint[:1]))
    return found


def _shot(path: Path) -> _Shot:
    image = load(path)
    high, wide = image.shape[:2]
    if min(high, wide) < _MIN_SIDE:
        raise BadPicture(message("{file} is only {width} x {height} pixels.", file=str(path), width=wide, height=high))
    if _one_colour(image):
        raise BadPicture(message("{file} shows nothing but one colour.", file=str(path)))
    quad = _card_outline(image)
    whole = resized(image, _KEPT_SIDE, max(1, round(_KEPT_SIDE * high / wide))) if wide > _KEPT_SIDE else image
    place = None if quad is None else quad / (wide, high)
    return _Shot(path, whole, place, None if quad is None else _rectify(image, quad))


def _one_colour(image: Image) -> bool:
    return float(image.reshape(-1, 3).std(0).max()) < 4


def _straightened(shots: list[_Shot], warnings: list[Message]) -> list[Image]:
    """The cards alone: rectified if the pictures are photographs of cards on a table."""
    found = [shot.place for shot in shots if shot.place is not None]
    if len(found) < 0.6 * len(shots) or not _scattered(found):
        return [shot.whole for shot in shots]
    deck = _print_of([shot.cut for shot in shots if shot.cut is not None])
    cuts = []
    for shot in shots:
        cut = shot.cut
        if cut is None and (places := deck.places(shot.whole)):
            cut = _rectify(shot.whole, places[0].corners)
        if cut is None:
            warnings.append(
                message("{file}: no card's outline was found; the whole picture is taken.", file=shot.path.name)
            )
        cuts.append(shot.whole if cut is None else cut)
    return cuts


def _print_of(cuts: list[Image]) -> FeatureIndex:
    """What is printed on these cards. A card without an outline, white on a white cloth, is found by the digits, pips
    and frames that it shares with them."""
    standing = [cut if cut.shape[0] >= cut.shape[1] else np.rot90(cut).copy() for cut in cuts]
    height = round(WIDTH * float(np.median([cut.shape[0] / cut.shape[1] for cut in standing])))
    return FeatureIndex([resized(cut, WIDTH, height) for cut in standing])


def _card_outline(image: Image) -> Array | None:
    """The outline of the one card in a photograph: the largest good one with some table around it."""
    area = image.shape[0] * image.shape[1]
    fits = [
        quad.corners
        for quad in find_quads(image, 1.45, tolerance=0.32)
        if quad.quality > 0.5 and 0.03 < cv2.contourArea(quad.corners.astype(np.float32)) / area < 0.85
    ]
    return max(fits, key=lambda corners: cv2.contourArea(corners.astype(np.float32)), default=None)


def _scattered(places: list[Array]) -> bool:
    """Whether the outlines lie differently from picture to picture, as photographed cards do and printed frames do not.

    Frames that differ from card to card are still upright and centred: they vary vertically or horizontally, but rarely
    both. With one or two pictures only the size tells: a printed frame fills most of its card."""
    spread = np.stack(places)
    if len(places) < 3:
        return bool(np.ptp(spread, axis=1).prod(1).max() < _FRAME_SIZE)
    off = np.abs(spread - np.median(spread, axis=0)).max(1)
    return bool(np.median(off, axis=0).min() > _MIN_SCATTER)


def _rectify(image: Image, quad: Array) -> Image:
    sides = np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1)
    across, down = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    shrink = min(1.0, _KEPT_SIDE / min(across, down))
    width, height = max(1, round(shrink * across)), max(1, round(shrink * down))
    there = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - np.float32(0.5)
    warp = cv2.getPerspectiveTransform(quad.astype(np.float32), there)
    if shrink < 0.8:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.45 / shrink), np.uint8)
    return np.asarray(cv2.warpPerspective(image, warp, (width, height)), np.uint8)


def _oriented(deck: str, cuts: list[tuple[str, Image]], onto: Gallery | None) -> Gallery:
    """A gallery of pictures that are all upright or all sideways; the odd ones are rotated by a quarter turn."""
    if onto is None:
        standing = sum(image.shape[0] >= image.shape[1] for _, image in cuts) * 2 >= len(cuts)
    else:
        standing = onto.size[1] >= onto.size[0]
    turned = [
        (card, image if (image.shape[0] >= image.shape[1]) == standing else np.rot90(image).copy())
        for card, image in cuts
    ]
    if onto is None:
        return Gallery.from_pictures(deck, turned)
    height = round(WIDTH * onto.size[1] / onto.size[0])
    return onto.adding([Template(card, resized(image, WIDTH, height)) for card, image in turned])


def _quality_warnings(names: list[str], cuts: list[Image], gallery: Gallery) -> list[Message]:
    """Warnings about pictures that are small, have another shape, or are dark, pale or blurred beside the others."""
    images = [template.image for template in gallery.templates]
    sharp = [sharpness(image) for image in images]
    usual = float(np.median(sharp))
    words = []
    for name, cut, image, sharpness_here in zip(names, cuts, images, sharp, strict=True):
        high, wide = cut.shape[:2]
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        if min(high, wide) < 60:
            words.append(
                message(
                    "{file} is only {width} x {height} pixels: take a larger picture.",
                    file=name,
                    width=wide,
                    height=high,
                )
            )
        elif abs(_log_aspect(wide, high) - _log_aspect(*gallery.size)) > _ASPECT_TOLERANCE:
            words.append(
                message(
                    "{file} has another shape than the deck's cards and is stretched: cut it like the others.",
                    file=name,
                )
            )
        elif np.percentile(image, 98) < 60:
            words.append(message("{file} is too dark.", file=name))
        elif _one_colour(image):
            words.append(message("{file} shows nothing but one colour.", file=name))
        elif np.percentile(grey, 1) > 185:
            words.append(message("{file} is too bright: hardly anything is left of what is printed on it.", file=name))
        elif sharpness_here < 0.4 * usual:
            words.append(message("{file} is blurred beside the others.", file=name))
    return words


def _log_aspect(wide: float, high: float) -> float:
    """The logarithm of the longer side over the shorter."""
    return float(np.log(max(wide, high) / min(wide, high)))


def _twin_warnings(recogniser: Recogniser, names: Sequence[str | Message], known: int) -> list[Message]:
    """Warnings about cards that look the same: the same file twice, or two cards that no camera can tell apart. The
    first templates are `known`: about those everything was said when they were enrolled."""
    gallery, coarse = recogniser.gallery, recogniser.coarse.all
    words = []
    for a, b in np.argwhere(np.triu(coarse @ coarse.T, 1) > 1 - 2 * ALIKE):
        if b < known or recogniser.template_distance(int(a), int(b)) > ALIKE:
            continue
        one, other = gallery.templates[a], gallery.templates[b]
        if one.packed == other.packed and (a >= known or one.card != other.card):
            words.append(message("{one} and {other} are the same picture.", one=names[a], other=names[b]))
        elif one.card != other.card:
            words.append(message("{one} and {other} are too alike to tell apart.", one=names[a], other=names[b]))
    return words


def few(names: Sequence[str], most: int) -> Message | tuple[str, ...]:
    """The first of these names, and how many there are besides."""
    if len(names) <= most:
        return tuple(names)
    return plural("{some} and {count} more", "{some} and {count} more", len(names) - most, some=tuple(names[:most]))


def _without_repeats(gallery: Gallery, names: list[str], warnings: list[Message]) -> Gallery:
    """Without templates that were enrolled before, so that a folder that is added twice counts once. `names` are those
    of the last templates."""
    known, fresh = gallery.templates[: -len(names)], gallery.templates[-len(names) :]
    before = {(template.card, template.packed) for template in known}
    twice = [name for name, template in zip(names, fresh, strict=True) if (template.card, template.packed) in before]
    if twice:
        warnings.append(message("Enrolled before and left out: {files}.", files=few(twice, 3)))
    new = tuple(template for template in fresh if (template.card, template.packed) not in before)
    return Gallery(gallery.deck, gallery.size, known + new, gallery.disc)


def corrected(gallery: Gallery, card: str, crop: Image) -> Gallery:
    """The gallery with one more template: a reading that was corrected at the table."""
    return gallery.adding([Template(card, crop)])

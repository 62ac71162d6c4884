"""Which cards of a deck could be taken for each other, where they differ, and how near a camera must be to part
them."""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np

from companion.core.message import Message, message, plural
from vision.pictures import Floats, resized
from vision.recognition.recogniser import SMALL_PART, Recogniser, surely
from vision.recognition.sampling_grid import pose

WIDTHS = (50, 65, 80, 95, 110, 130, 160, 200, 256)  # pixels across a card that are tried
USUAL = 95
"""Pixels across a card 60 mm wide at 1.6 to the millimetre: a table of four before a camera of 1080 lines."""
NOISE = 4.0  # grey levels of a camera in a living room
SURE = 0.8
NEAREST = 3  # cards that each one is compared with
SHOWN = 5  # pairs that are told
_PLACES: Sequence[Sequence[Message]] = (
    (message("at the top left"), message("at the top"), message("at the top right")),
    (message("on the left"), message("in the middle"), message("on the right")),
    (message("at the bottom left"), message("at the bottom"), message("at the bottom right")),
)


class LookAlikes(NamedTuple):
    """Two cards that differ in a small part only."""

    one: str
    other: str
    where: Message
    width: int | None
    """Pixels across a card from which a camera can tell them apart; None: never."""


def look_alikes(recogniser: Recogniser, same: float = -1.0) -> list[LookAlikes]:
    """Every pair of cards that could be taken for each other, the most alike first; without those whose distance is
    `same` or less, which are not two cards to a camera at all."""
    names, vectors = recogniser.names, recogniser.coarse.all
    found: dict[frozenset[str], LookAlikes] = {}
    for template, name in enumerate(names):
        similar = vectors @ vectors[template]
        others = [int(k) for k in np.argsort(-similar)[: 2 * NEAREST] if names[k] != name][:NEAREST]
        for other in others:
            pair = frozenset((str(name), str(names[other])))
            if pair not in found and same < recogniser.template_distance(template, other) < SMALL_PART:
                width = next((w for w in WIDTHS if _parted(recogniser, template, other, w)), None)
                one, two = sorted(pair)
                found[pair] = LookAlikes(one, two, _where(recogniser, template, other), width)
    return sorted(found.values(), key=lambda pair: -(pair.width or WIDTHS[-1] + 1))


def resolution_warnings(recogniser: Recogniser, across: float, same: float = -1.0) -> list[Message]:
    """What the owner should know about cards that a camera cannot part which shows them so many pixels wide."""
    hard = [pair for pair in look_alikes(recogniser, same) if pair.width is None or pair.width > across]
    words = [_told(pair, across) for pair in hard[:SHOWN]]
    if len(hard) > SHOWN:
        words.append(
            plural(
                "{count} more pair of cards is as hard to tell apart.",
                "{count} more pairs of cards are as hard to tell apart.",
                len(hard) - SHOWN,
            )
        )
    return words


def _told(pair: LookAlikes, across: float) -> Message:
    if pair.width is None:
        return message(
            "{one} and {other} differ so little {where} that no camera can tell them apart.",
            one=pair.one,
            other=pair.other,
            where=pair.where,
        )
    return message(
        "{one} and {other} differ only {where}: a card must be {width} pixels wide in the camera's picture to tell them"
        " apart. It is about {across} wide: the camera must come {percent} per cent closer.",
        one=pair.one,
        other=pair.other,
        where=pair.where,
        width=pair.width,
        across=round(across),
        percent=round(100 * (1 - across / pair.width)),
    )


def _parted(recogniser: Recogniser, template: int, other: int, width: int) -> bool:
    """Whether each of the two, seen so many pixels wide, is told from the other."""
    detail, rng = recogniser.detail, np.random.default_rng(width)
    for one, two in ((template, other), (other, template)):
        image = recogniser.gallery.templates[one].image
        height = round(width * image.shape[0] / image.shape[1])
        small = cv2.GaussianBlur(resized(image, width, height), (0, 0), 0.5) + rng.normal(0, NOISE, (height, width, 3))
        onto = np.array([[width, 0, width / 2 - 0.5], [0, -width, height / 2 - 0.5], [0, 0, 1.0]])
        here = detail.seen(np.clip(small, 0, 255).astype(np.uint8), onto, 1.0, pose(0.0))
        if surely(recogniser.sibling_verdict(here, one, two)) < SURE:
            return False
    return True


def _where(recogniser: Recogniser, template: int, other: int) -> Message:
    """The part of the card in which two templates differ most, in words."""
    away = recogniser.detail.patch(template) - recogniser.detail.patch(other)
    energy: Floats = np.asarray(cv2.GaussianBlur((away**2).sum(2), (0, 0), 4.0), np.float32)
    down, across = np.unravel_index(int(energy.argmax()), energy.shape)
    return _PLACES[int(3 * down / energy.shape[0])][int(3 * across / energy.shape[1])]

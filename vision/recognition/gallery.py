"""The gallery: what the cards of a deck look like, one or several templates each, backs included.

A template is a rectified picture of one card at the size at which all are compared. There is no training: a card is
known when it has been seen once. One file holds a deck, with its version and a checksum. In memory templates stay as
small as on disk (JPEG), so that thousands of cards fit into a small computer. People call a template a "look".
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.core.drawing import Face
from companion.core.files import write_whole
from companion.core.message import Thing, message
from companion.core.rulings import ShinpanError
from vision.pictures import Image, resized
from vision.simulation.paint import paint

WIDTH = 256
"""Pixels across a stored template."""
BACK = "back"
"""The id of every card that lies face down."""
DISC = 0.5
"""Radius of the largest disc on a card, in card widths."""
_MAGIC = b"shinpan gallery "
_VERSION = 1
_FINE = [cv2.IMWRITE_JPEG_QUALITY, 92]


class BadGallery(ShinpanError):
    """A gallery file that cannot be used."""


class DamagedGallery(BadGallery):
    """It never will be: its bytes were changed, or it is something else."""


class Template:
    """One picture of one card, rectified and upright as enrolled."""

    __slots__ = ("card", "packed")

    def __init__(self, card: str, image: Image | bytes) -> None:
        self.card = card
        self.packed = image if isinstance(image, bytes) else cv2.imencode(".jpg", image, _FINE)[1].tobytes()

    @property
    def image(self) -> Image:
        return self._opened(cv2.IMREAD_COLOR)

    @property
    def half(self) -> Image:
        """The picture at half its size, which is decoded in a fraction of the time."""
        return self._opened(cv2.IMREAD_REDUCED_COLOR_2)

    @property
    def back(self) -> bool:
        return self.card == BACK

    def _opened(self, how: int) -> Image:
        image = cv2.imdecode(np.frombuffer(self.packed, np.uint8), how)
        if image is None:
            raise BadGallery(
                message("The picture of {card} cannot be opened: enrol the deck again.", card=Thing("card", self.card))
            )
        return np.asarray(image, np.uint8)


@dataclass(frozen=True)
class Gallery:
    """All templates of a deck."""

    deck: str
    size: tuple[float, float]
    """Width and height of a card, in any unit; millimetres where they are known."""
    templates: tuple[Template, ...]
    disc: float = 0.0
    """For octagonal or round cards only the disc inside them is compared: its radius in card widths. 0: all of it."""

    @property
    def cards(self) -> tuple[str, ...]:
        """The ids, in order, backs aside."""
        return tuple(dict.fromkeys(template.card for template in self.templates if not template.back))

    @classmethod
    def from_faces(cls, deck: str, faces: Mapping[str, Face], back: Face | None = None) -> "Gallery":
        """Enrol drawn faces, as the owner of our proxy deck would enrol a folder of scans."""
        if not faces:
            raise BadGallery(message("The deck {deck} has no cards to enrol.", deck=deck))
        first = next(iter(faces.values()))
        templates = [Template(card, _scan(face)) for card, face in faces.items()]
        if back is not None:
            templates.append(Template(BACK, _scan(back)))
        return cls(deck, (first.width, first.height), tuple(templates), _inner_radius(first))

    @classmethod
    def from_pictures(cls, deck: str, pictures: Iterable[tuple[str, Image]]) -> "Gallery":
        """Enrol rectified pictures, one card each; the deck's aspect ratio is the median of theirs."""
        found = list(pictures)
        if not found:
            raise BadGallery(message("There is no picture to enrol for the deck {deck}.", deck=deck))
        aspect = float(np.median([image.shape[0] / image.shape[1] for _, image in found]))
        height = round(WIDTH * aspect)
        return cls(deck, (1.0, aspect), tuple(Template(card, resized(image, WIDTH, height)) for card, image in found))

    def adding(self, templates: Iterable[Template]) -> "Gallery":
        """The same deck with more templates: in another light, or of a corrected reading."""
        height = round(WIDTH * self.size[1] / self.size[0])
        more = tuple(_sized(template, height) for template in templates)
        return Gallery(self.deck, self.size, self.templates + more, self.disc)

    def on_table(self, card: tuple[float, float], ways: int) -> "Gallery":
        """The same deck where cards have this size in millimetres and may lie this many ways round.

        In eight directions only the disc inside a card is the same in all of them.
        """
        return Gallery(self.deck, card, self.templates, self.disc or (DISC if ways > 4 else 0.0))

    def without(self, cards: Iterable[str]) -> "Gallery":
        """The same deck as if these cards had never been enrolled."""
        gone = set(cards)
        return Gallery(
            self.deck, self.size, tuple(template for template in self.templates if template.card not in gone), self.disc
        )

    def save(self, path: Path) -> None:
        """Write the file completely or not at all."""
        head = {
            "deck": self.deck,
            "size": self.size,
            "disc": self.disc,
            "looks": [[template.card, len(template.packed)] for template in self.templates],
        }
        body = json.dumps(head).encode() + b"\n" + b"".join(template.packed for template in self.templates)
        write_whole(path, _MAGIC + f"{_VERSION} {zlib.crc32(body):08x}\n".encode() + body, BadGallery)

    @classmethod
    def load(cls, path: Path) -> "Gallery":
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            raise BadGallery(
                message("The deck {deck} is not enrolled: {file} is not there.", deck=path.stem, file=str(path))
            ) from None
        except OSError as problem:
            raise BadGallery(
                message("{file} cannot be read: {reason}.", file=str(path), reason=problem.strerror)
            ) from None
        first, _, body = data.partition(b"\n")
        if not first.startswith(_MAGIC):
            raise DamagedGallery(message("{file} is not a gallery.", file=str(path)))
        version, _, check = first[len(_MAGIC) :].decode("ascii", "replace").partition(" ")
        if version != str(_VERSION):
            raise BadGallery(
                message(
                    "{file} is a gallery of version {version}, not {wanted}: enrol the deck again.",
                    file=str(path),
                    version=version,
                    wanted=_VERSION,
                )
            )
        if check != f"{zlib.crc32(body):08x}":
            raise DamagedGallery(
                message("{file} is damaged: its checksum does not match. Enrol the deck again.", file=str(path))
            )
        line, _, pictures = body.partition(b"\n")
        try:
            head = json.loads(line)
            templates, start = [], 0
            for card, length in head["looks"]:
                templates.append(Template(card, pictures[start : start + length]))
                start += length
            found = cls(head["deck"], (float(head["size"][0]), float(head["size"][1])), tuple(templates), head["disc"])
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise DamagedGallery(message("{file} is not a gallery.", file=str(path))) from None
        if not templates:
            raise DamagedGallery(message("{file} is empty: enrol the deck again.", file=str(path)))
        return found


def _sized(template: Template, height: int) -> Template:
    """The template at the size of all the others; not encoded again where it has that size, because JPEG loses a little
    each time."""
    image = template.image
    return template if image.shape[:2] == (height, WIDTH) else Template(template.card, resized(image, WIDTH, height))


def _scan(face: Face) -> Image:
    painted = paint(face, 4.0)
    return resized(painted.image, WIDTH, round(WIDTH * face.height / face.width))


def _inner_radius(face: Face) -> float:
    """The radius of the largest circle around the centre that lies on the card, in card widths; 0 for a rectangle."""
    if not face.outline:
        return 0.0
    cut = np.array(face.outline)
    sides = np.roll(cut, -1, 0) - cut
    off = np.abs(sides[:, 0] * cut[:, 1] - sides[:, 1] * cut[:, 0]) / np.maximum(np.hypot(*sides.T), 1e-9)
    return float(off.min() / face.width)

"""Guided enrolment: card by card through a deck, each template on the disk before the next card is asked for.

The gallery file is the whole state. After an interruption, enrolment continues with the first card without a template.
"""

import dataclasses
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.camera_setup import Known, Spot
from companion.core.message import Message, Thing, message
from vision.calibration.aiming_report import outline
from vision.calibration.calibrate import Calibration
from vision.detection.card_finder import THUMB, CardFinder, quality_fault, rectify, same_picture
from vision.enrolment.from_folder import ALIKE
from vision.pictures import Image, resized, sharpness
from vision.recognition.gallery import BACK, BadGallery, Gallery, Template
from vision.recognition.photo import NEAR, read_quad
from vision.recognition.recogniser import Recogniser

KEPT_PICTURES = 6
"""How many pictures can still be asked for by their number."""
STILL = 0.006
"""How far the corners of a card that lies still may seem to move, in picture widths."""
WORTH_COMPARING = 0.97
"""Similarity of their thumbnails from which two cards are compared closely."""


class CannotEnrol(BadGallery):
    """That cannot be enrolled, or taken out."""


class _Seen(NamedTuple):
    frame: Image
    spot: Spot
    cut: Image | None
    revision: int


class Guide:
    """One deck being enrolled. With `path` None it stays in memory. Safe to use from several threads."""

    def __init__(
        self, deck: str, cards: Sequence[str], card: tuple[float, float], ways: int, path: Path | None
    ) -> None:
        """`ways`: in how many rotations a card of this game may lie."""
        self.deck, self.cards, self.card, self.path = deck, (*cards, BACK), card, path
        self._empty = Gallery(deck, card, ()).on_table(card, ways)
        self.trouble: Message | None = None
        self.revision = 0
        self.gallery = self._load()
        self.finder = CardFinder(card, None)
        self._lock = threading.RLock()
        self._seen: dict[int, _Seen] = {}
        self._recogniser: Recogniser | None = None
        self._twins: list[tuple[str, str]] | None = None
        self._number = 0

    def measured(self, calibration: Calibration | None) -> None:
        """From now on cards are found with this calibration."""
        if calibration is not self.finder.calibration:
            self.finder = CardFinder(self.card, calibration)

    def _load(self) -> Gallery:
        self._file_stamp = self._stat()
        if self.path is None or self._file_stamp is None:
            return self._empty
        try:
            return Gallery.load(self.path)
        except BadGallery as problem:
            self.trouble = problem.message
            return self._empty

    def _stat(self) -> tuple[int, int] | None:
        """When the file was last written, and its size."""
        try:
            found = self.path.stat() if self.path is not None else None
        except OSError:
            return None
        return None if found is None else (found.st_mtime_ns, found.st_size)

    def _reload_if_changed(self) -> None:
        """Another process may have written the file, such as `shinpan enrol --images`: the file counts."""
        if self.path is not None and self._stat() != self._file_stamp:
            self.trouble = None
            self._set(self._load())

    # --- looking --------------------------------------------------------------------------------------------------

    def look(self, frame: Image) -> Spot:
        """Where the card lies in this picture, whether it lies still, and which known card it looks like."""
        with self._lock:
            before = self._seen.get(self._number)
            if before is not None and before.frame is frame:
                return before.spot
            self._number += 1
            found = self.finder.find(frame)
            cut = None if found.corners is None else rectify(frame, found.corners, self.card)
            corners = None if found.corners is None else outline(found.corners)
            still = cut is not None and before is not None and _lies_still(before, frame, found.corners, cut)
            words = (found.trouble, quality_fault(cut, self._usual_sharpness()) if cut is not None else None)
            spot = Spot(
                self._number,
                (frame.shape[1], frame.shape[0]),
                corners,
                still,
                self._recognised_as(cut, before) if cut is not None and still else None,
                tuple(word for word in words if word is not None),
            )
            self._seen[self._number] = _Seen(frame, spot, cut, self.revision)
            self._seen.pop(self._number - KEPT_PICTURES, None)
            return spot

    def picture(self, look: int, *, card: bool = False) -> Image | None:
        """A kept picture, or the card found in it."""
        seen = self._seen.get(look)
        return None if seen is None else seen.cut if card else seen.frame

    def _usual_sharpness(self) -> float | None:
        """How sharp the last templates are."""
        faces = [template.image for template in self.gallery.templates if not template.back]
        return float(np.median([sharpness(image) for image in faces[-9:]])) if len(faces) > 2 else None

    def _recognised_as(self, cut: Image, before: _Seen | None) -> str | None:
        """Which known card a still card looks like; asked once, because it stays the same card while it lies there."""
        if not self.gallery.templates:
            return None
        if before is not None and before.spot.still and before.revision == self.revision:
            return before.spot.known
        high, wide = cut.shape[:2]
        whole = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], float) - 0.5
        return read_quad(self._reader(), cut, whole, NEAR).card

    def _reader(self) -> Recogniser:
        if self._recogniser is None:
            self._recogniser = Recogniser(self.gallery)
        return self._recogniser

    # --- enrolling ------------------------------------------------------------------------------------------------

    def take(self, card: str, look: int, *, instead: bool = False) -> Message | None:
        """Enrol the card found in that picture; gives back what is poor about it."""
        with self._lock:
            seen = self._seen.get(look)
            if seen is None:
                raise CannotEnrol(message("That picture is gone; look again."))
            if seen.cut is None:
                raise CannotEnrol(next(iter(seen.spot.words), message("No card was found in that picture.")))
            self.add(card, seen.cut, instead=instead)
            return quality_fault(seen.cut, self._usual_sharpness())

    def add(self, card: str, cut: Image, *, instead: bool = False) -> int:
        """Add a template, rectified and upright; returns its place among the templates of that card."""
        with self._lock:
            if card not in self.cards:
                raise CannotEnrol(message("There is no card called {card} in this deck.", card=Thing("card", card)))
            self._reload_if_changed()
            before = self.gallery.without([card]) if instead else self.gallery
            self._keep(before.adding([Template(card, cut)]))
            return self.places(card) - 1

    def drop(self, card: str, place: int, revision: int) -> None:
        """Remove a template."""
        with self._lock:
            self._check_revision(revision)
            there = [number for number, each in enumerate(self.gallery.templates) if each.card == card]
            if not 0 <= place < len(there):
                raise CannotEnrol(message("There is no such look at {card}.", card=Thing("card", card)))
            templates = [each for number, each in enumerate(self.gallery.templates) if number != there[place]]
            self._keep(dataclasses.replace(self.gallery, templates=tuple(templates)))

    def anew(self, revision: int) -> None:
        """Start the deck again. The old file is kept beside it, under another name."""
        with self._lock:
            self._check_revision(revision)
            self._set_aside()
            self._keep(self._empty)

    def places(self, card: str) -> int:
        return sum(template.card == card for template in self.gallery.templates)

    def look_of(self, card: str, place: int) -> Image | None:
        there = [template.image for template in self.gallery.templates if template.card == card]
        return there[place] if 0 <= place < len(there) else None

    def _check_revision(self, revision: int) -> None:
        self._reload_if_changed()
        if revision != self.revision:
            raise CannotEnrol(message("The deck has changed meanwhile; look again."))

    def _set_aside(self) -> None:
        if self.path is not None and self.path.exists():
            with self._writing():
                self.path.replace(self.path.with_name(self.path.name + ".old"))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as problem:
            raise CannotEnrol(
                message("{file} cannot be written: {detail}.", file=str(self.path), detail=problem.strerror)
            ) from None

    def _keep(self, gallery: Gallery) -> None:
        """Written first: what is shown as enrolled is on the disk. A file that could not be read is set aside."""
        if self.trouble:
            self._set_aside()
        if self.path is not None and gallery.templates:
            gallery.save(self.path)
        elif self.path is not None:
            with self._writing():
                self.path.unlink(missing_ok=True)
        self._file_stamp, self.trouble = self._stat(), None
        self._set(gallery)

    def _set(self, gallery: Gallery) -> None:
        self.gallery, self._recogniser, self._twins = gallery, None, None
        self.revision += 1

    # --- telling --------------------------------------------------------------------------------------------------

    def known(self) -> Known:
        """`used` is left to whoever reads with it."""
        with self._lock:
            self._reload_if_changed()
            counts = {card: self.places(card) for card in self.cards}
            return Known(self.deck, counts, self.revision, False, tuple(self.twins()), self.trouble)

    @property
    def missing(self) -> list[str]:
        """Cards without a template, in order."""
        return [card for card in self.cards if not self.places(card)]

    def twins(self) -> list[tuple[str, str]]:
        """Pairs of cards that no camera could tell apart by these templates."""
        with self._lock:
            if len(self.gallery.cards) < 2:
                return []
            if self._twins is None:
                names, reader = [template.card for template in self.gallery.templates], self._reader()
                # Thumbnails first: comparing every pair in detail would take seconds in a large deck.
                alike = np.argwhere(np.triu(_thumbnail_similarity(self.gallery), 1) > WORTH_COMPARING)
                pairs = ((int(a), int(b)) for a, b in alike if names[a] != names[b])
                self._twins = sorted({(names[a], names[b]) for a, b in pairs if reader.template_distance(a, b) < ALIKE})
            return self._twins


def _lies_still(before: _Seen, frame: Image, corners: object, cut: Image) -> bool:
    if before.cut is None or before.spot.card is None or before.frame.shape != frame.shape:
        return False
    marker_drift = np.abs(np.asarray(before.spot.card) - np.asarray(corners)).max()
    return bool(marker_drift < STILL * frame.shape[1]) and same_picture(before.cut, cut)


def _thumbnail_similarity(gallery: Gallery) -> NDArray[np.float32]:
    """The normalised cross-correlation of all thumbnails with each other; 1 is the same."""
    thumbnails = np.stack([resized(each.image, *THUMB).astype(np.float32).ravel() for each in gallery.templates])
    thumbnails -= thumbnails.mean(1, keepdims=True)
    thumbnails /= np.maximum(np.linalg.norm(thumbnails, axis=1, keepdims=True), 1e-6)
    return np.asarray(thumbnails @ thumbnails.T, np.float32)

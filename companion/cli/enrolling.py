"""`shinpan enrol DECK --camera …`: through a deck card by card, like the enrolment page."""

import queue
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from companion.core.camera_setup import Spot
from companion.core.message import Message, Thing, message
from companion.core.rulings import ShinpanError
from companion.core.wording import Names, sentence
from companion.games import game, names
from vision.calibration.calibrate import Calibration, CalibrationFailed
from vision.camera.films import Film
from vision.camera.frames import Camera
from vision.camera.sources import open_camera
from vision.detection.card_finder import NOTHING
from vision.enrolment.from_folder import gallery_path
from vision.enrolment.guided import Guide
from vision.recognition.gallery import BACK

PAUSE = 0.15
"""Seconds between two pictures: a card that lies as in the one before lies still."""
BAR = 20
HELP = message("A card is taken by itself when it lies still. Enter takes it now; s skips, b goes back, q stops.")
FILM_HELP = message("n shows the next picture of a film that is held.")


def walk(deck: str, source: str, data: Path, wait: float, language: str = "en") -> None:
    """Enrol the deck of a game before a camera: what is enrolled is kept, and what is missing is asked for."""
    if deck not in names():
        told = message(
            "{deck} is no game here, so nobody knows which cards to ask for: say --images FOLDER, or one of {games}.",
            deck=deck,
            games=tuple(names()),
        )
        raise ShinpanError(told)
    chosen = game(deck)
    state = chosen.rules.setup([f"Player {seat + 1}" for seat in range(chosen.seats.start)], {})
    layout = chosen.table.layout(state)
    ways = max(zone.rotations for zone in layout.zones)
    guide = Guide(deck, list(chosen.table.deck(state).cards), layout.card, ways, gallery_path(data, deck))
    if guide.trouble:
        raise ShinpanError(guide.trouble)
    try:
        guide.measured(Calibration.load(data / "calibration.json"))
    except CalibrationFailed:
        unmeasured = message(
            "The table is not measured, so lay the cards on a plain cloth; `shinpan calibrate` does better."
        )
        click.echo(sentence(unmeasured, language))
    camera = open_camera(source)
    try:
        Walk(guide, camera, partial(chosen.rules.names, state), language, wait).go(_typed())
    finally:
        camera.close()


def _card(card: str) -> Thing | Message:
    return message("The back") if card == BACK else Thing("card", card)


class Walk:
    """One walk through a deck. `go` ends when every card is enrolled, when no card is laid for long, or on `q`."""

    def __init__(self, guide: Guide, camera: Camera, names: Names, language: str, wait: float) -> None:
        self.guide, self.camera, self.names, self.language, self.wait = guide, camera, names, language, wait
        self._at = 0
        self._told: tuple[Message, ...] = ()
        self._minded: tuple[Message, ...] = ()

    def go(self, typed: Callable[[], str | None]) -> None:
        self._tell(HELP)
        if isinstance(self.camera, Film) and self.camera.held:
            self._tell(FILM_HELP)
        self._next(0)
        since = time.monotonic()
        while self.guide.missing:
            word = typed()
            if word == "q":
                break
            if word == "n" and isinstance(self.camera, Film):
                self.camera.step()
            if word in ("s", "b"):
                self._ask(self._at + (1 if word == "s" else -1))
            frame = self.camera.read()
            if frame is None:
                why = self.camera.condition.message
                self._mind(() if why is None else (why,))
                over = isinstance(self.camera, Film) and why is not None
                if over or time.monotonic() - since >= self.wait:
                    break
                time.sleep(PAUSE)
                continue
            if self._took(self.guide.look(frame), now=word == ""):
                since = time.monotonic()
            elif self.wait:
                time.sleep(PAUSE)
        self._end()

    def _took(self, spot: Spot, *, now: bool) -> bool:
        """Take the card if it lies still and is not known already, or if that was asked for (`now`)."""
        card = self.guide.cards[self._at]
        words = list(spot.words)
        if spot.known is not None and spot.known != card:
            words.append(message("This looks like {card}, which is known already.", card=_card(spot.known)))
        if spot.card is not None and (now or (spot.still and not words and not self.guide.places(card))):
            trouble = self.guide.take(card, spot.look)
            self._tell(message("{card} is enrolled.", card=_card(card)))
            if trouble:
                self._warn(trouble)
            self._next(self._at)
            return True
        self._mind(tuple(word for word in words if word != NOTHING), sure=spot.card is not None)
        return False

    def _mind(self, words: tuple[Message, ...], *, sure: bool = False) -> None:
        """Say once what is wrong; if it is not about a card, only at the second picture, because hands come and go."""
        if words != self._told and (sure or words == self._minded):
            for word in words:
                self._warn(word)
            self._told = words
        self._minded = words

    def _next(self, start: int) -> None:
        """Ask for the first card from here on that is not enrolled."""
        cards, missing = self.guide.cards, self.guide.missing
        if missing:
            self._ask(
                next(at % len(cards) for at in range(start, start + len(cards)) if cards[at % len(cards)] in missing)
            )

    def _ask(self, at: int) -> None:
        self._at, self._told = at % len(self.guide.cards), ()
        card = self.guide.cards[self._at]
        done, every = len(self.guide.cards) - len(self.guide.missing), len(self.guide.cards)
        full = BAR * done // every
        bar = f"[{'#' * full}{'.' * (BAR - full)}] {done}/{every}"
        if card == BACK:
            self._tell(message("{bar} {card}: lay it face down, alone.", bar=bar, card=_card(card)))
        else:
            self._tell(message("{bar} {card}: lay it face up, alone, upright.", bar=bar, card=_card(card)))

    def _end(self) -> None:
        for one, other in self.guide.twins():
            alike = message("{one} and {other} are too alike to tell apart.", one=_card(one), other=_card(other))
            click.echo(sentence(alike, self.language, self.names), err=True)
        missing = len(self.guide.missing)
        done = len(self.guide.cards) - missing
        self._tell(
            message("{done} of {all} are enrolled in {file}.", done=done, all=done + missing, file=str(self.guide.path))
        )
        if missing:
            self._tell(message("Run the same command again to go on."))

    def _tell(self, said: Message) -> None:
        click.echo(sentence(said, self.language, self.names))

    def _warn(self, said: Message) -> None:
        click.echo(f"  {sentence(said, self.language, self.names)}", err=True)


def _typed() -> Callable[[], str | None]:
    """The next line that was typed, if any; nothing where there is no terminal."""
    if not sys.stdin.isatty():
        return lambda: None
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line.strip().lower())

    threading.Thread(target=read, name="typed", daemon=True).start()

    def typed() -> str | None:
        try:
            return lines.get_nowait()
        except queue.Empty:
            return None

    return typed

"""The camera's commands: enrol, recognise, calibrate, print."""

import difflib
import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.cli.data_folder import data_option
from companion.cli.game_name import GameName
from companion.cli.language import language_option
from companion.core.message import Message, message, plural
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json
from companion.core.wording import LANGUAGES
from companion.games import game, names
from companion.games.kit.game import Game
from companion.record import corrections
from companion.upkeep.config import configured

if TYPE_CHECKING:
    from vision.pictures import Image
    from vision.recognition.recogniser import CardReading

NO_PICTURE = message("The camera gives no picture.")
DATA = data_option()


@click.command()
@click.argument("deck")
@click.option(
    "--images",
    "folder",
    type=click.Path(path_type=Path),
    help="Folder with a picture of each card; the file's name is the card's id, back*.jpg its back.",
)
@click.option("--camera", help="Go through the game's deck card by card before this camera: auto, v4l2:DEVICE, …")
@click.option("--wait", type=float, default=600.0, show_default=True, help="Seconds that --camera waits for a card.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="What --camera speaks.")
@click.option("--add", is_flag=True, help="Add these looks to the deck instead of starting it anew.")
@DATA
def enrol(
    deck: str, folder: Path | None, camera: str | None, wait: float, language: str, add: bool, data: Path
) -> None:
    """Learn what the cards of DECK look like: from one picture of each, or guided before the camera."""
    if (folder is None) == (camera is None):
        raise click.UsageError("say either --images FOLDER or --camera CAMERA.")
    if folder is None:
        from companion.cli.enrolling import walk

        walk(deck, str(camera), data, wait, language)
        return
    from vision.enrolment.from_folder import enrol_folder, gallery_path
    from vision.recognition.gallery import Gallery

    path = gallery_path(data, deck)
    before = Gallery.load(path) if add else None
    with _bar() as progress:
        gallery, warnings = enrol_folder(deck, folder, progress, before, _card_width(data))
    kept = None if add else _set_aside(path)
    gallery.save(path)
    for warning in [*warnings, *_strangers(deck, gallery.cards)]:
        _tell(message("warning: {warning}", warning=warning), err=True)
    backs = sum(look.back for look in gallery.templates)
    told = plural(
        "{count} card ({looks}, {backs} of backs) enrolled in {file}.",
        "{count} cards ({looks}, {backs} of backs) enrolled in {file}.",
        len(gallery.cards),
        looks=plural("{count} look", "{count} looks", len(gallery.templates)),
        backs=backs,
        file=str(path),
    )
    _tell(told)
    if kept is not None:
        _tell(message("What was enrolled before is kept in {file}.", file=str(kept)))
    if not backs:
        _tell(message("No back is enrolled yet: a picture named back.jpg, with --add, teaches what lies face down."))


def _card_width(data: Path) -> float:
    """How many pixels wide the camera shows a card 60 mm wide: as measured, or as usual."""
    from vision.calibration.calibrate import Calibration
    from vision.enrolment.look_alikes import USUAL

    try:
        found = Calibration.load(data / "calibration.json")
    except ShinpanError:
        return USUAL
    return 60 * found.projection.scale(found.width / 2, found.height / 2)


def _tell(said: Message, *, err: bool = False) -> None:
    click.echo(str(said), err=err)


def _set_aside(path: Path) -> Path | None:
    """A copy of the old gallery: it may hold looks that were taken at the table and are in no folder."""
    if not path.is_file():
        return None
    old = path.with_name(path.name + ".old")
    shutil.copyfile(path, old)
    return old


def _strangers(deck: str, enrolled: Sequence[str]) -> list[Message]:
    """Warnings about cards of a game here that have no picture, and pictures of cards that it does not have."""
    from vision.enrolment.from_folder import few

    if deck not in names():
        return []
    chosen = game(deck)
    decks = [
        list(chosen.table.deck(chosen.rules.setup([f"Player {seat + 1}" for seat in range(seats)], {})).cards)
        for seats in chosen.seats
    ]
    known = dict.fromkeys(card for cards in decks for card in cards)
    words = []
    for card in enrolled:
        if card not in known:
            near = difflib.get_close_matches(card.lower().replace(" ", "_"), known, 1)
            if near:
                words.append(message("{id} is no card of {deck}: is it {near}?", id=card, deck=deck, near=near[0]))
            else:
                words.append(message("{id} is no card of {deck}.", id=card, deck=deck))
    missing = [card for card in decks[0] if card not in enrolled]
    if missing:
        words.append(message("no picture of {ids} yet.", ids=few(missing, 8)))
    return words


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    """A progress bar where somebody watches."""
    if not sys.stderr.isatty():
        yield lambda done, of_all: None
        return
    with click.progressbar(length=0, label="enrolling", file=sys.stderr) as bar:

        def show(done: int, of_all: int) -> None:
            bar.length = of_all
            bar.update(done - bar.pos)

        yield show


@click.command()
@click.option("--deck", required=True, help="The enrolled deck.")
@click.option("--crops", is_flag=True, help="Each file is one cut-out card.")
@click.option("--force", is_flag=True, help="Name the best guess even when it is not sure.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a file.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@DATA
def recognise(deck: str, crops: bool, force: bool, as_json: bool, files: tuple[Path, ...], data: Path) -> None:
    """Name the cards in pictures; null (or "not sure") where it would have to guess."""
    from vision.enrolment.from_folder import gallery_path
    from vision.pictures import BadPicture, load
    from vision.recognition.gallery import Gallery
    from vision.recognition.photo import read_crop, read_photo
    from vision.recognition.recogniser import Recogniser

    recogniser = Recogniser(Gallery.load(gallery_path(data, deck)))
    unread = 0
    for path in files:
        start = time.perf_counter()
        try:
            image = load(path)
            readings = [read_crop(recogniser, image)] if crops else read_photo(recogniser, image)
        except BadPicture as problem:
            if len(files) == 1:
                raise
            unread += 1
            known = str(path) in str(problem)
            named = message("{file}: {problem}", file=str(path), problem=problem.message)
            _tell(problem.message if known else named, err=True)
            continue
        spent = 1000 * (time.perf_counter() - start)
        if as_json:
            told = [_told(reading, force) for reading in readings]
            click.echo(json.dumps({"file": str(path), "cards": told, "ms": round(spent, 1)}))
            continue
        ms = round(spent)
        _tell(
            plural(
                "{file}: {count} card in {ms} ms",
                "{file}: {count} cards in {ms} ms",
                len(readings),
                file=str(path),
                ms=ms,
            )
        )
        for reading in readings:
            _tell(_read(reading, force))
    if unread:
        raise BadPicture(message("{unread} of {all} files could not be read.", unread=unread, all=len(files)))


def _read(reading: "CardReading", force: bool) -> Message:
    """One card of a picture, in a line."""
    named = reading.best if force else reading.card
    return message(
        "  {name}, turned {degrees} degrees, confidence {confidence}",
        name=named or _unsure(reading.guesses[:2]),
        degrees=f"{round(reading.rotation, 1) % 360:g}",
        confidence=f"{reading.confidence:.4f}",
    )


def _unsure(guesses: Sequence[str]) -> Message:
    match guesses:
        case [one, other]:
            return message("not sure ({one} or {other})", one=one, other=other)
        case [one]:
            return message("not sure ({guess})", guess=one)
    return message("not sure")


def _told(reading: "CardReading", force: bool) -> dict[str, Any]:
    return {
        "card": reading.best if force else reading.card,
        "rotation": round(reading.rotation, 1) % 360,
        "confidence": round(reading.confidence, 4),
        "corners": [[round(float(x), 1), round(float(y), 1)] for x, y in reading.corners],
    }


def _match(name: str, players: int | None, options: str, data: Path) -> tuple[Game, Any]:
    """A match as it would be set up with the owner's corrections of the cards, for its table and its deck."""
    chosen = game(name)
    people = [f"Player {seat + 1}" for seat in range(players or chosen.seats.start)]
    try:
        wished = read_json(options)
    except msgspec.DecodeError:
        wished = None
    if not isinstance(wished, dict):
        raise click.BadParameter("options are a JSON object, as in the kifu's header.")
    return chosen, chosen.rules.setup(people, corrections.applied(data, chosen, len(people), wished))


PLAYERS = click.option("--players", type=int, help="How many play; the game's smallest number by default.")
OPTIONS = click.option("--options", default="{}", help="Match options, as in the kifu's header (JSON).")


@click.command()
@click.argument("name", metavar="[GAME]", required=False, type=GameName())
@PLAYERS
@OPTIONS
@click.option("--camera", default="auto", show_default=True, help="auto, picamera2, v4l2:DEVICE, file: or images:.")
@click.option("--image", type=click.Path(path_type=Path), help="Measure on this picture instead of the camera's.")
@click.option("--wait", type=float, default=60.0, show_default=True, help="Seconds to wait for a good picture.")
@DATA
def calibrate(
    name: str | None, players: int | None, options: str, camera: str, image: Path | None, wait: float, data: Path
) -> None:
    """Measure the table of GAME by its four corner markers. Clear it first: empty places are learned, too.

    Without GAME it is the one that the table's configuration names.
    """
    from vision.calibration.accuracy import how_well
    from vision.calibration.aiming_report import COARSE
    from vision.calibration.calibrate import Calibration, CalibrationFailed
    from vision.calibration.calibrate import calibrate as measure
    from vision.calibration.lens_sheet import find_lens, find_sheet

    chosen, state = _match(name or _usual_game(data), players, options, data)
    layout = chosen.table.layout(state)
    path = data / "calibration.json"
    before = Calibration.known(path)
    found: Calibration | None = None
    problem: Message | None = None
    sheet = False
    for frame, complaint in _looks(camera, wait) if image is None else _one_look(image):
        try:
            if complaint is not None or frame is None:
                raise CalibrationFailed(complaint or NO_PICTURE)
            lens = find_lens(frame, layout.width, layout.height, None if before is None else before.projection)
            sheet = find_sheet(frame) is not None
            found = measure(frame, layout, lens, clear=not sheet)
            break
        except CalibrationFailed as trouble:
            if image is None and trouble.message != problem:
                _tell(trouble.message, err=True)
            problem = trouble.message
    if found is None:
        raise CalibrationFailed(problem or NO_PICTURE)
    found.save(path)
    scale = found.projection.scale(layout.width / 2, layout.height / 2)
    told = message(
        "The picture has {scale} pixels to the millimetre; the measurement is in {file}.",
        scale=f"{scale:.2f}",
        file=str(path),
    )
    _tell(told)
    for words in how_well(frame, layout, found) if frame is not None else ():
        _tell(words)
    if sheet:
        _tell(message("The lens is measured by its sheet: take that away, and run the same command again."))
    if scale < COARSE:
        _tell(message("warning: that is coarse; hang the camera lower or choose a higher resolution."), err=True)


def _usual_game(data: Path) -> str:
    """The game of this table's configuration; Sen So, where the lobby asks for one."""
    holds = configured()
    if holds.data != data:
        holds = configured({"data": str(data)})
    return holds.table.game or "sen_so"


def _one_look(image: Path) -> Iterator[tuple["Image | None", Message | None]]:

    from vision.pictures import load

    yield load(image), None


def _looks(source: str, wait: float) -> Iterator[tuple["Image | None", Message | None]]:
    """Pictures of a camera for so many seconds, or why there is none. A webcam first gets time to find its exposure."""
    from vision.camera.live import WARM_UP, LiveCamera
    from vision.camera.sources import open_camera

    eye = open_camera(source)
    begin = time.monotonic()
    live = isinstance(eye, LiveCamera)
    try:
        while True:
            frame = eye.read()
            late = time.monotonic() - begin
            if frame is not None and (not live or late > min(WARM_UP, wait)):
                yield frame, None
            elif not live and frame is None and eye.condition.message is not None:
                return
            elif late > wait or eye.condition.message is not None:
                yield None, eye.condition.message or NO_PICTURE
            if late > wait:
                return
            if live or frame is None:
                time.sleep(0.05)
    finally:
        eye.close()


@click.command(name="print")
@click.argument("what", type=click.Choice(["markers", "lens", "mat", "deck", "sheet", "summary", "consoles"]))
@click.argument("name", metavar="GAME", type=GameName(), default="sen_so")
@PLAYERS
@OPTIONS
@click.option("--paper", type=click.Choice(["A4", "A3", "letter"]), default="A4", show_default=True)
@click.option("--sheets", is_flag=True, help="Cut the mat into sheets of this paper instead of one large page.")
@click.option(
    "--of", "kifu", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="Fill the sheet from this kifu."
)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="The PDF to write.")
@language_option("Of sheets, summaries and consoles.")
@DATA
def print_(
    what: str,
    name: str,
    players: int | None,
    options: str,
    paper: str,
    sheets: bool,
    kifu: Path | None,
    output: Path | None,
    language: str,
    data: Path,
) -> None:
    """Write a PDF to print at 100 %: the corner and piece markers, the sheet for a wide lens, the play mat, or proxy
    cards of GAME; a score sheet, empty or filled from a kifu; the summary of GAME for each player; the consoles of its
    fighters."""
    try:
        from vision.enrolment import lens_sheet_printing, printing
    except ModuleNotFoundError as missing:
        if missing.name != "fpdf":
            raise
        told = message("Printing needs fpdf2; this installs it: {command}", command='pip install "shinpan[print]"')
        raise ShinpanError(told) from None

    if what in ("sheet", "summary", "consoles"):
        from companion.cli.paper import print_paper

        if what == "summary":
            players = players or game(name).seats.stop - 1
        print_paper(what, name, players, kifu, output, language, paper, partial(_match, name, players, options, data))
        return
    chosen, state = _match(name, players, options, data)
    path = output or Path(f"{name}-{what}.pdf")
    layout = chosen.table.layout(state)
    if what == "markers":
        printing.print_markers(path, layout.tags, layout.tag_size, paper)
        _tell(message("{markers} markers in {file}.", markers=4 + len(layout.tags), file=str(path)))
    elif what == "lens":
        lens_sheet_printing.print_lens_sheet(path, paper)
        _tell(message("The lens sheet is in {file}; lay it flat on the table.", file=str(path)))
    elif what == "mat":
        pages = printing.print_mat(path, layout, paper if sheets else None)
        _tell(_mat(f"{layout.width:g}", f"{layout.height:g}", paper if sheets else "", pages, path))
    else:
        deck = chosen.table.deck(state)
        cards = printing.print_deck(path, [(card.face, card.copies) for card in deck.cards.values()], deck.back, paper)
        _tell(message("{cards} cards and their backs in {file}.", cards=cards, file=str(path)))


def _mat(width: str, height: str, paper: str, pages: int, path: Path) -> Message:
    if not paper:
        return message("A mat of {width} x {height} mm in {file}.", width=width, height=height, file=str(path))
    return plural(
        "A mat of {width} x {height} mm on {count} sheet of {paper} in {file}.",
        "A mat of {width} x {height} mm on {count} sheets of {paper} in {file}.",
        pages,
        width=width,
        height=height,
        paper=paper,
        file=str(path),
    )

"""Looking back from a browser: the list of matches, and what the referee may do with it."""

import base64
import binascii
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NoReturn

import msgspec
from flask import Flask, Response, abort, g, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError, Unknown
from companion.core.wording import sentence
from companion.history import listing
from companion.history.ending import ending
from companion.history.library import AtTable, MatchLibrary
from companion.history.listing import MatchListed, SeatListed, WantedMatches
from companion.history.standings import title_of
from companion.referee.service import Service
from web import words
from web.answers import Done, answer, as_json, common, converted, decoded, remembering, script_safe
from web.bootstrap import Bootstrap
from web.budgets import IMPORT, LARGEST_IMPORT
from web.pins import REFEREE, Pins

FARTHEST = 10**9
"""More matches than anybody has; beyond it SQLite cannot count."""
READING = 0.25
"""Seconds that one request may spend on files that have not been read yet."""


class MatchShown(msgspec.Struct, frozen=True):
    name: str
    game: str
    """What the game is called."""
    title: str
    began: str
    seats: tuple[SeatListed, ...]
    seconds: float
    moves: int
    over: bool
    running: bool
    """It has the table now."""
    told: bool
    ending: str
    """How it ended, in a few words."""
    fault: str


class MatchesAnswer(msgspec.Struct, frozen=True):
    total: int
    start: int
    left: int
    """Files that have not been read yet."""
    matches: tuple[MatchShown, ...]
    faults: tuple[str, ...]
    """Files that cannot be read to their end, each with its reason."""


class HistoryBootstrap(Bootstrap, frozen=True, kw_only=True):
    referee: bool
    games: dict[str, str]
    players: tuple[str, ...]
    wanted: WantedMatches
    found: MatchesAnswer
    page: None = None


class TitleBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str


class ImportBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    file: str
    data: str
    """The file in base64: what is posted here is JSON, so that no other page can make a browser send it."""


class BroughtShown(msgspec.Struct, frozen=True):
    file: str
    name: str
    reason: str


class ImportAnswer(msgspec.Struct, frozen=True):
    brought: tuple[BroughtShown, ...]


class GoingAnswer(msgspec.Struct, frozen=True):
    """What deleting a match takes away."""

    told: tuple[str, ...]
    size: int


def told(what: Message) -> str:
    return sentence(what, g.language)


class Shelf:
    """The library behind the pages. It is opened when somebody first looks back."""

    def __init__(self, service: Service, pins: Pins, data: Path | None) -> None:
        self._service, self._pins, self._data = service, pins, data
        self._library: MatchLibrary | None = None

    @property
    def library(self) -> MatchLibrary:
        if self._data is None:
            abort(answer(404, message("This table keeps no matches.")))
        if self._library is None:
            self._library = MatchLibrary(self._data, lambda: AtTable(*self._service.at_table))
        return self._library

    @property
    def by_referee(self) -> bool:
        return REFEREE in self._pins.held(session)

    def only_referee(self) -> None:
        if not self.by_referee:
            abort(answer(403, message("Only the referee can do that: log in with the PIN first.")))

    def shown(self, match: MatchListed) -> MatchShown:
        running = self.library.running(match.name)
        return MatchShown(
            match.name,
            title_of(match.game),
            match.title,
            match.began,
            match.seats,
            match.seconds,
            match.moves,
            match.over,
            running,
            match.told,
            told(message("being played")) if running else told(ending(match)),
            "" if match.fault is None else told(match.fault),
        )


def wanted() -> WantedMatches:
    return converted({name: request.args.get(name, "")[:200] for name in ("game", "player", "day")}, WantedMatches)


def in_sentences(view: Callable[..., AnyResponse]) -> Callable[..., AnyResponse]:
    """What goes wrong in the library is said in one sentence."""

    @wraps(view)
    def safely(*given: Any, **named: Any) -> AnyResponse:
        try:
            return view(*given, **named)
        except Unknown as error:
            _fail(404, error)
        except ShinpanError as error:
            _fail(409, error)

    return safely


def _fail(status: int, error: ShinpanError) -> NoReturn:
    abort(answer(status, error.message))


def add_history(app: Flask, shelf: Shelf) -> None:
    def found() -> MatchesAnswer:
        library = shelf.library
        left = library.refresh(READING).left
        start = min(max(0, request.args.get("from", 0, int)), FARTHEST)
        answered = library.find(wanted(), start)
        faults = tuple(f"{name}: {told(fault)}" for name, fault in listing.faults(library.index)[:20])
        matches = tuple(shelf.shown(match) for match in answered.matches)
        return MatchesAnswer(answered.total, start, left, matches, faults)

    @app.get("/history")
    @in_sentences
    def history() -> AnyResponse:
        index = shelf.library.index
        answered = found()
        data = HistoryBootstrap(
            language=g.language,
            words=words.for_scripts(g.language),
            referee=shelf.by_referee,
            games={name: title_of(name) for name, _ in listing.games(index)},
            players=tuple(listing.names(index)),
            wanted=wanted(),
            found=answered,
        )
        return remembering(Response(render_template("history.html", data=script_safe(data), **common())))

    @app.get("/api/history")
    @in_sentences
    def matches() -> AnyResponse:
        return as_json(found())

    @app.get("/history/archive.zip")
    @in_sentences
    def archive() -> AnyResponse:
        shelf.only_referee()
        packed = shelf.library.archived(wanted())
        return _file(packed, "shinpan-matches.zip", "application/zip")

    @app.get("/history/<name>.kifu")
    @in_sentences
    def kifu(name: str) -> AnyResponse:
        """A match that is not over may hold what its players have not turned up, and any match who wants to be
        anonymous: these are the referee's alone."""
        library = shelf.library
        library.refresh(READING)
        over, content = library.match(name).over, library.kifu(name)
        if not over and not shelf.by_referee:
            abort(answer(403, message("The match is not over: only the referee may have its kifu.")))
        if not shelf.by_referee and library.names_anonymous(content):
            abort(answer(403, message("Somebody in this kifu wants to be anonymous: only the referee may have it.")))
        return _file(content, f"{name}.kifu", "application/x-ndjson")

    @app.post(IMPORT)
    @in_sentences
    def bring_in() -> AnyResponse:
        shelf.only_referee()
        request.max_content_length = LARGEST_IMPORT
        body = decoded(ImportBody)
        try:
            data = base64.b64decode(body.data, validate=True)
        except (binascii.Error, ValueError):
            abort(answer(400, message("The file did not arrive as a whole.")))
        brought = shelf.library.bring_in(body.file, data)
        return as_json(
            ImportAnswer(
                tuple(BroughtShown(each.file, each.name, told(each.reason) if each.reason else "") for each in brought)
            )
        )

    @app.post("/api/history/<name>/title")
    @in_sentences
    def entitle(name: str) -> AnyResponse:
        shelf.only_referee()
        shelf.library.entitle(name, decoded(TitleBody).title)
        return as_json(shelf.shown(shelf.library.match(name)))

    @app.get("/api/history/<name>/going")
    @in_sentences
    def going(name: str) -> AnyResponse:
        shelf.only_referee()
        goes = shelf.library.what_goes(name)
        return as_json(GoingAnswer(tuple(told(each) for each in goes.told), goes.size))

    @app.post("/api/history/<name>/delete")
    @in_sentences
    def delete(name: str) -> AnyResponse:
        shelf.only_referee()
        shelf.library.delete(name)
        return as_json(Done())


def _file(content: bytes, name: str, kind: str) -> Response:
    return Response(content, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

"""The page for the owner of the real cards: every printed value and where it comes from, to be put right."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, Response, abort, g, render_template, session

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.games import game, names, playable
from companion.games.kit.game import Game, Printed, PrintedRow
from companion.record import corrections
from companion.record.corrections import BadCards, Corrections, WrongValue
from companion.referee.service import Service
from web import words
from web.answers import Trouble, answer, as_json, common, decoded, log_in_first, login_page, remembering, script_safe
from web.bootstrap import Bootstrap
from web.pins import REFEREE, Pins


class ValuesBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    values: dict[str, dict[str, Any]]


class PrintedCell(msgspec.Struct, frozen=True):
    field: str
    title: str
    note: str
    kind: str
    """`flag`, `number`, `numbers`, `choice` or `letter`."""
    own: Any
    """Shinpan's own value, and below where it comes from."""
    origin: str
    value: Any
    least: int
    most: int
    among: tuple[str, ...]


class PrintedRowShown(msgspec.Struct, frozen=True):
    key: str
    title: str
    group: str
    cells: tuple[PrintedCell, ...]


class CardsBootstrap(Bootstrap, frozen=True, kw_only=True):
    game: str
    rows: tuple[PrintedRowShown, ...]
    trouble: str
    """Why the corrections that were kept cannot be used."""
    locked: bool
    """There is no folder to keep corrections in."""


class SavedAnswer(msgspec.Struct, frozen=True):
    rows: tuple[PrintedRowShown, ...]
    ok: bool = True


def add_cards(app: Flask, service: Service, pins: Pins, data: Path | None) -> None:
    """`/cards` has the game of this match, `/cards/<game>` any other; both are the referee's."""

    def chosen(name: str) -> Game:
        if name not in names():
            abort(answer(404, message("There is no such page at this table.")))
        return game(name) if name != service.match.game.name else service.match.game

    @app.get("/cards", defaults={"name": ""})
    @app.get("/cards/<name>")
    def cards(name: str) -> Response:
        if REFEREE not in pins.held(session):
            return login_page(REFEREE)
        known = chosen(name or service.match.game.name)
        kept, trouble = _kept(data, known, g.language)
        page = CardsBootstrap(
            words=words.for_scripts(g.language),
            language=g.language,
            game=known.name,
            rows=rows(known, kept, g.language),
            trouble=trouble,
            locked=data is None,
        )
        others = [each for each in playable()[0] if each.printed.rows()]
        file = f"cards/{known.name}.toml"
        html = render_template(
            "cards.html", data=script_safe(page), title=known.title, others=others, game=known, file=file, **common()
        )
        return remembering(Response(html))

    @app.post("/api/cards/<name>")
    def save(name: str) -> Response:
        if REFEREE not in pins.held(session):
            return log_in_first()
        if data is None:
            return answer(409, message("This table has no data folder to keep corrections in."))
        known = chosen(name)
        try:
            kept = corrections.save(data, known, decoded(ValuesBody).values)
        except WrongValue as wrong:
            text = sentence(wrong.message, g.language)
            return as_json(Trouble(text, row=wrong.row, field=wrong.field), 409)
        except ShinpanError as error:
            return answer(503, error.message)
        return as_json(SavedAnswer(rows(known, kept, g.language)))


def _kept(data: Path | None, known: Game, language: str) -> tuple[Corrections, str]:
    """The owner's corrections; where the file cannot be used, none, and why."""
    if data is None:
        return {}, ""
    try:
        return corrections.load(data, known), ""
    except BadCards as bad:
        return {}, sentence(bad.message, language)


def rows(known: Game, kept: Mapping[str, Mapping[str, Any]], language: str) -> tuple[PrintedRowShown, ...]:
    """What the page shows, in the viewer's language."""
    return tuple(_row(row, kept.get(row.key, {}), language) for row in known.printed.rows())


def _row(row: PrintedRow, yours: Mapping[str, Any], language: str) -> PrintedRowShown:
    cells = tuple(
        PrintedCell(
            field=each.field,
            title=sentence(each.title, language),
            note=sentence(each.note, language) if each.note else "",
            kind=_kind(each),
            own=each.value,
            origin=each.origin,
            value=yours.get(each.field, each.value),
            least=each.least,
            most=each.most,
            among=each.among,
        )
        for each in row.values
    )
    return PrintedRowShown(row.key, sentence(row.title, language), sentence(row.group, language), cells)


def _kind(printed: Printed) -> str:
    if isinstance(printed.value, bool):
        return "flag"
    if isinstance(printed.value, int):
        return "number"
    if isinstance(printed.value, tuple):
        return "numbers"
    return "choice" if printed.among else "letter"

"""The rules of any game at this table, to be searched, and what is easier drawn than said."""

from collections.abc import Callable

import msgspec
from flask import Flask, Response, abort, g, render_template, request

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.games import game, names
from companion.record.match import Match
from companion.referee.lobby import stand_ins
from companion.referee.service import Service
from companion.referee.table_view import in_words
from web import words
from web.answers import answer, as_json, common, remembering, script_safe
from web.bootstrap import Bootstrap


class RulesBootstrap(Bootstrap, frozen=True, kw_only=True):
    game: str
    """Whose rules these are."""


class RuleShown(msgspec.Struct, frozen=True):
    text: str
    origin: str
    """`booklet`, `inferred` or `house`."""


def asked_match(service: Service) -> Match:
    """A match of the game that was asked about: the one that is played or arranged, or one like it."""
    name = request.args.get("game", "")
    if name in ("", service.match.game.name):
        return service.match
    if name not in names():
        abort(answer(404, message("There is no game called {name} at this table.", name=name[:40])))
    try:
        chosen = game(name)
        least = next((count for count in chosen.seats if count > 1), chosen.seats.start)  # rather not the solo game
        return Match(chosen, stand_ins(least, ()))
    except ShinpanError as broken:
        abort(answer(404, broken.message))


def titles() -> dict[str, str]:
    """Game -> its title; broken ones are left out."""
    found = {}
    for name in names():
        try:
            found[name] = game(name).title
        except ShinpanError:
            continue
    return found


def add_rules(app: Flask, service: Service) -> None:
    @app.get("/rules")
    def rules_page() -> Response:
        match = asked_match(service)
        data = RulesBootstrap(language=g.language, words=words.for_scripts(g.language), game=match.game.name)
        html = render_template(
            "rules.html",
            data=script_safe(data),
            title=match.game.title,
            game=match.game.name,
            games=titles(),
            **common(),
        )
        return remembering(Response(html))

    add_rulebook(app, lambda: asked_match(service))


def add_rulebook(app: Flask, of: Callable[[], Match]) -> None:
    """What scripts ask of the rules of a match."""

    @app.get("/api/rules")
    def rules() -> Response:
        catalogue = of().game.rules.catalogue()
        return as_json(
            {number: RuleShown(rule.told(number, g.language), rule.origin) for number, rule in catalogue.items()}
        )

    @app.get("/api/topics")
    def topics() -> Response:
        match = of()
        return as_json(in_words(tuple(match.game.topics(match.state)), match.name, g.language))

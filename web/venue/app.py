"""The pages of a venue, over a running `Venue`. `web.server` serves them."""

import io
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
import segno
from flask import Flask, Response, abort, g, redirect, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.club.club_ratings import ClubRatings
from companion.club.venue import LiveTable, Venue
from companion.club.venue_view import VenuePage
from companion.core.message import message
from companion.games import game, names
from companion.record.match import Match
from web import words
from web.answers import answer, as_json, common, login_page, remembering, script_safe
from web.api import add_deck
from web.app import HOME, Settings, add_guard, new_flask
from web.assets import Assets, add_assets
from web.bootstrap import Bootstrap
from web.login import add_login
from web.pins import REFEREE, REVOKED_FILE, Pins
from web.rules import add_rulebook
from web.tries import KnownDevices, Tries
from web.venue.desk import Door, add_desk
from web.venue.files import add_files
from web.venue.news import VenueNews

PAGE_WAIT = 3.0
"""Seconds that somebody waits for the page of a table, which has to be asked for it first."""


FOLLOW_HALL = ("pairings", "standings", "register")
"""Pages that say nothing of single tables."""


class GameChoice(msgspec.Struct, frozen=True):
    id: str
    title: str
    least: int
    most: int


class VenueBootstrap(Bootstrap, frozen=True, kw_only=True):
    role: str
    """`referee`, or empty."""
    build: str
    games: tuple[GameChoice, ...]
    address: str
    """Where phones find this venue."""
    page: VenuePage


def create_venue_app(venue: Venue, settings: Settings, door: Door, now: Callable[[], float] = time.monotonic) -> Flask:
    app, news = new_flask(settings), VenueNews(venue)
    revoked = None if settings.data is None else settings.data / REVOKED_FILE
    pins = Pins(settings.secret, settings.referee_pin, (), dict, settings.screen, revoked)
    assets = Assets(HOME / "static")
    app.extensions["shinpan"] = {"pins": pins, "settings": settings, "build": assets.build, "news": news}

    def arbiter() -> None:
        if REFEREE not in pins.held(session):
            abort(answer(403, message("Only the arbiter can do that: log in with the PIN first.")))

    add_assets(app, assets)
    add_guard(app, settings)
    add_login(app, pins, Tries(now), KnownDevices(settings.secret))
    add_desk(app, venue, ClubRatings(venue.store), door, arbiter, now)
    add_files(app, venue, arbiter)
    add_deck(app, lambda: _match(news))
    add_rulebook(app, lambda: _match(news))
    _add_pages(app, news, pins, settings)
    return app


_waiting = threading.Semaphore(1)


def _page_to_come(news: VenueNews, live: LiveTable, id: str, language: str) -> dict[str, Any] | None:
    """The page of a table, for which one request at a time may wait: others would keep everybody from the pages that
    are there."""
    found = news.page_of(id, language)
    if not _waiting.acquire(blocking=False):
        return found
    try:
        until = time.monotonic() + PAGE_WAIT
        while (found is None or found.get("match") != live.state.match) and live.here and time.monotonic() < until:
            news.wait(news.version, 0.3)
            found = news.page_of(id, language)
        return found
    finally:
        _waiting.release()


def _match(news: VenueNews) -> Match:
    found = news.match_of(request.args.get("of", ""))
    if found is None:
        abort(answer(404, message("No match is being played at that table.")))
    return found


def _add_pages(app: Flask, news: VenueNews, pins: Pins, settings: Settings) -> None:
    build: str = app.extensions["shinpan"]["build"]

    def shown(template: str, **more: Any) -> Response:
        role = REFEREE if template == "desk" else ""
        data = VenueBootstrap(
            language=g.language,
            words=words.for_scripts(g.language),
            role=role,
            build=build,
            games=tuple(
                GameChoice(each, game(each).title, game(each).seats[0], game(each).seats[-1]) for each in names()
            ),
            address=settings.address or request.host_url,
            page=news.hall(g.language) if template in FOLLOW_HALL else news.page(role or None, g.language),
        )
        html = render_template(
            f"venue/{template}.html", name=news.venue.name, data=script_safe(data), **common(), **more
        )
        return remembering(Response(html))

    @app.get("/")
    def home() -> AnyResponse:
        return redirect("/pairings")

    @app.get("/wall")
    def wall() -> Response:
        return shown("wall")

    @app.get("/desk")
    def desk() -> Response:
        return shown("desk") if REFEREE in pins.held(session) else login_page(REFEREE)

    @app.get("/pairings")
    def pairings() -> Response:
        return shown("pairings")

    @app.get("/standings")
    def standings() -> Response:
        return shown("standings")

    @app.get("/register")
    def register() -> Response:
        return shown("register")

    @app.get("/join/<code>")
    def join(code: str) -> Response:
        return answer(200, message("At the table, type: shinpan club join {address}", address=request.base_url))

    @app.get("/register.svg")
    def register_code() -> Response:
        drawn = io.BytesIO()
        made: Any = segno.make(f"{settings.address or request.host_url}register", micro=False)
        made.save(drawn, kind="svg", scale=4, border=2, dark="#000", light="#fff")
        return Response(drawn.getvalue(), mimetype="image/svg+xml")

    @app.get("/api/venue")
    def page() -> Response:
        return as_json(news.page(REFEREE if REFEREE in pins.held(session) else None, g.language))

    @app.get("/table/<id>")
    def table(id: str) -> AnyResponse:
        """A table as its own page shows it there."""
        live = news.venue.tables.get(id)
        if live is None:
            return answer(404, message("There is no such table in this club."))
        found = _page_to_come(news, live, id, g.language)
        if found is None or "game" not in found or live.state.stage == "lobby":
            return shown("table", table=live)
        match = news.match_of(id)
        data = {
            "language": g.language,
            "words": words.for_scripts(g.language),
            "role": "",
            "reveals": match.game.reveals.kinds if match is not None else (),
            "build": build,
            "arranges": False,
            "virtual": False,
            "of": id,
            "page": {**found, "build": build},
        }
        html = render_template(
            "venue/live_table.html",
            title=found["title"],
            game=found["game"],
            players=(),
            table=live,
            role="",
            sees_camera=False,
            data=script_safe(data),
            **common(),
        )
        return remembering(Response(html))

    @app.get("/favicon.ico")
    def icon() -> AnyResponse:
        return redirect("/static/mark.svg")

"""The pages and the API of one table, over a running service. `web.server` serves them."""

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import msgspec
from flask import Flask, Response, abort, g, redirect, render_template, request, session
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import Thing, message
from companion.core.wording import LANGUAGES
from companion.referee.lobby_view import LobbyPage
from companion.referee.service import NoMatch, Service
from web import guard, words
from web.answers import answer, common, login_page, remembering, script_safe
from web.api import add_api
from web.api_v1 import add_api_v1
from web.assets import Assets, add_assets
from web.bootstrap import LiveBootstrap
from web.camera_setup import add_camera_setup
from web.cards import add_cards
from web.compression import compressed
from web.disputes import add_disputes
from web.history import Shelf, add_history
from web.lobby import add_lobby, lobby_bootstrap, may_arrange
from web.people import add_people
from web.phone_camera import CAMERA_PATH, add_phone_camera
from web.pins import HOURS, REFEREE, REVOKED_FILE, CameraFor, Pins, SeatPin, may_see_camera
from web.record import add_record
from web.review import add_review
from web.rules import add_rules
from web.sessions import TableSessions
from web.tries import KnownDevices, Tries
from web.trust import Authority, add_trust
from web.upkeep import add_upkeep, first_visit

HOME = Path(__file__).parent


class Settings(msgspec.Struct, kw_only=True):
    """What holds at the pages of a table; some of it may be set anew while they are served."""

    referee_pin: str
    """Empty: nobody can log in as the referee."""
    seats: tuple[SeatPin, ...] = ()
    """The PIN of each place at the table; an empty one cannot be logged in to."""
    fixed_pins: dict[str, str] = {}
    """Name -> the PIN that this player has at any place."""
    keep_pins: Callable[[Sequence[SeatPin]], None] = lambda seats: None
    """Is told of new PINs."""
    screen: str = ""
    """With this the table's own screen logs in. Empty: it has none."""
    secret: str
    """Signs the cookies; long and random."""
    seconds: Callable[[], float] = time.monotonic
    """By what the age of a login is counted; at a real table it goes on over restarts."""
    camera_for: CameraFor = "referee"
    """Whose pages show the camera's picture."""
    language: str = ""
    """Of whoever has not chosen one. Empty: the browser's."""
    lobby_for: Literal["everyone", "players", "referee"] = "everyone"
    """Who may seat people and start matches."""
    address: str = ""
    """Where phones find this table. Empty: where the page was asked for."""
    data: Path | None = None
    """The table's data folder, where the owner's corrections of the cards are kept; without it none are."""
    api_origins: tuple[str, ...] = ()
    """Sites whose pages may read `/api/v1` in a browser."""
    authority: Authority | None = None
    """What a phone has to trust where the table speaks TLS; None: everything travels in the open."""
    hosts: tuple[str, ...] = ()
    """Names this table goes by beside localhost, its own host name, `<name>.local` and any plain address."""


def create_app(service: Service, settings: Settings, now: Callable[[], float] = time.monotonic) -> Flask:
    """`now` times wrong PINs; it is the real clock even where the table's own is simulated."""
    app = new_flask(settings)
    revoked = None if settings.data is None else settings.data / REVOKED_FILE
    pins = Pins(
        settings.secret,
        settings.referee_pin,
        settings.seats,
        lambda: service.places,
        settings.screen,
        revoked,
        settings.keep_pins,
    )
    assets = Assets(HOME / "static")
    app.extensions["shinpan"] = {"pins": pins, "settings": settings, "build": assets.build}
    add_assets(app, assets)
    add_guard(app, settings)
    _add_pages(app, service, pins, settings)
    devices = KnownDevices(settings.secret)
    add_api(app, service, pins, Tries(now), devices, settings.camera_for)
    add_lobby(app, service, pins, devices, settings)
    add_cards(app, service, pins, settings.data)
    add_camera_setup(app, service, pins)
    add_phone_camera(app, service, pins, settings.address)
    add_record(app, service)
    add_rules(app, service)
    shelf = Shelf(service, pins, settings.data)
    add_history(app, shelf)
    add_review(app, shelf)
    add_disputes(app, service, pins, shelf)
    add_people(app, shelf)
    add_api_v1(app, service, shelf, settings.api_origins)
    add_trust(app, settings.authority)
    add_upkeep(app, service, pins, devices)
    return app


def new_flask(settings: Settings) -> Flask:
    """An application with our cookies and limits, and no pages yet."""
    app = Flask("web", root_path=str(HOME), static_folder=None)
    app.secret_key = settings.secret
    app.session_interface = TableSessions(settings.seconds)
    app.config.update(
        SESSION_COOKIE_NAME="shinpan",
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_SECURE=settings.authority is not None,
        PERMANENT_SESSION_LIFETIME=timedelta(hours=HOURS),
        MAX_CONTENT_LENGTH=64 * 1024,
    )
    return app


def release(app: Flask) -> None:
    """Let go of the table behind these pages, which are served no more."""
    for held in (app.view_functions, app.before_request_funcs, app.after_request_funcs, app.error_handler_spec):
        held.clear()
    app.extensions.clear()
    vars(app).pop("jinja_env", None)


# --- around every request -----------------------------------------------------------------------------------------


def add_guard(app: Flask, settings: Settings) -> None:
    """Who may ask for anything at all, in which language it is answered, and how what goes wrong is told."""

    @app.before_request
    def only_our_own() -> None:
        g.language = words.choose(
            request.args.get("lang"),
            request.cookies.get("lang"),
            settings.language or request.accept_languages.best_match(LANGUAGES),
        )
        refusal = guard.refusal(request.method, request.headers, settings.hosts)
        if refusal is not None:
            abort(answer(*refusal))
        if request.method in guard.READING:
            return
        if request.mimetype != "application/json":
            abort(answer(415, message("Send that as JSON.")))

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers.update(guard.HEADERS)
        if request.path == CAMERA_PATH:
            response.headers.update(guard.CAMERA_PAGE)
        if "Cache-Control" not in response.headers:
            response.headers["Cache-Control"] = "no-store"
        return compressed(response, request)

    @app.errorhandler(HTTPException)
    def plainly(error: HTTPException) -> AnyResponse:
        if error.response is not None:
            return error.response  # type: ignore[return-value]
        return answer(error.code or 500, _PLAIN.get(error.code or 500, _PLAIN[500]))

    @app.errorhandler(NoMatch)
    def in_the_lobby(error: NoMatch) -> AnyResponse:
        return answer(409, error.message)


_PLAIN = {
    404: message("There is no such page at this table."),
    405: message("That cannot be done here."),
    413: message("That is too long."),
    500: message("Something went wrong here; the match is safe. Look at the service's log."),
}


# --- pages --------------------------------------------------------------------------------------------------------


def _add_pages(app: Flask, service: Service, pins: Pins, settings: Settings) -> None:
    def shown(template: str, role: str, **more: Any) -> AnyResponse:
        """A page with everything that its scripts need to draw it; `role` is whom it speaks for. Without a match there
        is the lobby instead."""
        page = service.page(role or None, g.language)
        if isinstance(page, LobbyPage):
            return redirect("/") if role else lobby(page)
        data: LiveBootstrap[Any, Any, Any, Any] = LiveBootstrap(
            role=role,
            reveals=service.match.game.reveals.kinds,
            language=g.language,
            words=words.for_scripts(g.language),
            build=app.extensions["shinpan"]["build"],
            arranges=service.goes_on and may_arrange(pins, settings),
            virtual=service.virtual_hands is not None,
            page=page,
        )
        html = render_template(
            template,
            title=page.title,
            game=page.game,
            players=page.players,
            role=role,
            sees_camera=may_see_camera(settings.camera_for, pins.held(session)),
            data=script_safe(data),
            **common(),
            **more,
        )
        return remembering(Response(html))

    def lobby(page: LobbyPage) -> Response:
        data = lobby_bootstrap(page, pins, settings, app.extensions["shinpan"]["build"])
        return remembering(Response(render_template("lobby.html", data=script_safe(data), **common())))

    @app.get("/")
    def status() -> AnyResponse:
        first = first_visit(service) if service.lobby is not None else None
        return first or shown("status.html", "")

    @app.get("/go")
    def go() -> AnyResponse:
        """To the page of whoever this browser speaks for, or to everybody's."""
        held = pins.held(session) if service.lobby is None else ()
        if not held:
            return redirect("/")
        return redirect("/referee" if held[-1] == REFEREE else f"/seat/{quote(held[-1], safe='')}")

    @app.get("/overlay")
    def overlay() -> AnyResponse:
        """To be laid over a stream; while no match runs there is nothing on it."""
        if service.lobby is not None:
            return Response(render_template("overlay.html", **common()))
        return shown("overlay.html", "")

    @app.get("/referee")
    def referee() -> AnyResponse:
        if REFEREE not in pins.held(session):
            return login_page(REFEREE)
        return shown("referee.html", REFEREE)

    @app.get("/seat/<path:player>")
    def seat(player: str) -> AnyResponse:
        if service.lobby is not None:
            return redirect("/")
        if player not in service.referee.match.players:
            return answer(404, message("Nobody called {player} sits at this table.", player=Thing("player", player)))
        return shown("seat.html", player) if player in pins.held(session) else login_page(player)

    @app.get("/favicon.ico")
    def icon() -> AnyResponse:
        return redirect("/static/mark.svg")

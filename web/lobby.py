"""The lobby from a browser: sitting down, choosing what is played, starting; and what comes after a match."""

import io
from collections.abc import Callable
from typing import Any, Literal, Protocol

import msgspec
import segno
from flask import Flask, Response, abort, g, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.events import Tap
from companion.core.message import message
from companion.core.rulings import Refusal, Refused, ShinpanError
from companion.core.wording import sentence
from companion.referee.lobby import LONGEST_NAME
from companion.referee.lobby_view import CheckShown, LobbyPage, check_shown
from companion.referee.service import Service, VirtualHands
from web import words
from web.answers import Done, EmptyBody, Trouble, answer, as_json, common, decoded, unreadable
from web.api import logged_in
from web.bootstrap import Bootstrap
from web.budgets import TapBudget, too_much
from web.pins import REFEREE, SCREEN, Pins
from web.tries import KnownDevices

NAME = msgspec.Meta(max_length=4 * LONGEST_NAME)


class LobbySettings(Protocol):
    """What of a table's settings the lobby has to know."""

    @property
    def lobby_for(self) -> Literal["everyone", "players", "referee"]: ...
    @property
    def fixed_pins(self) -> dict[str, str]: ...
    @property
    def address(self) -> str: ...


class SitBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: int
    name: str
    claim: bool = False
    """It is the phone of whoever sits down: it speaks for that seat from now on."""


class ArrangeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    what: Literal["stand", "swap", "game", "options", "keep_preset", "drop_preset", "forget", "start"]
    data: dict[str, Any] = {}


class NextBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    to: Literal["confirm", "rematch", "rotate", "lobby"]


class HandBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to what the virtual hands ask."""

    player: str
    number: int
    chosen: tuple[int, ...]


class RenewBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    place: int


class SeatCode(msgspec.Struct, frozen=True):
    place: int
    name: str
    pin: str


class CodesAnswer(msgspec.Struct, frozen=True):
    """With what people log in: for the referee, and for the table's own screen."""

    seats: tuple[SeatCode, ...]
    address: str
    referee_pin: str = ""
    """Only on the table's own screen."""


class ChecksAnswer(msgspec.Struct, frozen=True):
    checks: tuple[CheckShown, ...]


class LobbyBootstrap(Bootstrap, frozen=True, kw_only=True):
    role: str
    """`referee`, or empty."""
    places: tuple[int, ...]
    """Where this browser sits."""
    arranges: bool
    """It may seat people and start."""
    codes: bool
    """It may see with what others log in."""
    build: str
    page: LobbyPage


def lobby_bootstrap(page: LobbyPage, pins: Pins, settings: LobbySettings, build: str) -> LobbyBootstrap:
    return LobbyBootstrap(
        language=g.language,
        words=words.for_scripts(g.language),
        role=REFEREE if REFEREE in pins.held(session) else "",
        places=pins.places(session),
        arranges=may_arrange(pins, settings),
        codes=pins.sees_codes(session),
        build=build,
        page=page,
    )


def may_arrange(pins: Pins, settings: LobbySettings) -> bool:
    if settings.lobby_for == "everyone" or pins.sees_codes(session):
        return True
    return settings.lobby_for == "players" and bool(pins.places(session))


def add_lobby(app: Flask, service: Service, pins: Pins, devices: KnownDevices, settings: LobbySettings) -> None:
    budget = TapBudget(service.now)

    def arranging() -> str:
        """Whoever may arrange the next match, for the budget of taps."""
        if not may_arrange(pins, settings):
            abort(answer(403, message("Only the referee can do that here: log in with the PIN first.")))
        held = pins.tickets(session)
        who = next(iter(held), request.remote_addr or "")
        if not budget.spend(who):
            abort(answer(429, message("Too many taps at once; wait a moment.")))
        return REFEREE if REFEREE in held else who

    def tapped(by: str, what: str, data: dict[str, Any]) -> Refusal | None:
        excess = too_much(data)
        if excess is not None:
            abort(unreadable(excess))
        if service.lobby is None:
            return Refusal(("TABLE-3",), message("A match is being played; the lobby opens when it is over."))
        return service.submit(Tap(by, what, data, service.now())).refusal

    @app.post("/api/lobby")
    def arrange() -> Response:
        body, by = decoded(ArrangeBody), arranging()
        refusal = tapped(by, body.what, body.data)
        if refusal is None and body.what == "stand":
            pins.renew(body.data["place"])
        if refusal is None and body.what == "swap":
            for place in (body.data["place"], body.data["with"]):
                pins.renew(place, _name_at(service, place))
        return _answered(refusal)

    @app.post("/api/lobby/sit")
    def sit() -> Response:
        """Whoever is logged in for a place may sit down there; nobody's place is open to all who may arrange."""
        body = decoded(SitBody)
        own = body.place in pins.places(session)
        by = REFEREE if own else arranging()
        by_bot = service.virtual_hands is not None and not _with_phone(service, body.place)
        taken = not by_bot and _name_at(service, body.place)
        if taken and body.claim and not own:
            return _answered(Refusal(("TABLE-4",), message("That seat is taken: scan its code to sit there."), "place"))
        phone = own or body.claim
        refusal = tapped(by, "sit", {"place": body.place, "name": body.name, "phone": phone})
        if refusal is not None:
            return _answered(refusal)
        name = _name_at(service, body.place)
        if own or pins.seats[body.place].name in ("", name):
            pins.hand_to(body.place, name)
        else:  # somebody else's from now on
            pins.renew(body.place, name)
        fixed = settings.fixed_pins.get(name)
        if fixed and pins.seats[body.place].pin != fixed:
            pins.renew(body.place, name, fixed)
        return logged_in(pins, devices, body.place) if body.claim and not own else as_json(Done())

    @app.post("/api/table/next")
    def go_on() -> Response:
        body = decoded(NextBody)
        arranging()
        if body.to == "confirm" and REFEREE not in pins.held(session):
            abort(answer(403, message("Only the referee can do that here: log in with the PIN first.")))
        return _tried(lambda: service.go_on(body.to))

    @app.post("/api/hand")
    def hand() -> Response:
        """At the virtual table: what the hands of this seat are to do."""
        body = decoded(HandBody)
        if body.player not in pins.held(session):
            abort(answer(403, message("Log in with the PIN first.")))
        return _tried(lambda: _hands(service).answer(body.player, body.number, body.chosen))

    @app.post("/api/virtual/leave")
    def leave() -> Response:
        """At the virtual table: back to the lobby."""
        decoded(EmptyBody)
        arranging()
        return _tried(lambda: _hands(service).leave(pins.held(session)))

    @app.post("/api/virtual/hand-over")
    def hand_over() -> Response:
        """At the virtual table: a bot plays on for whoever asks."""
        decoded(EmptyBody)
        seats = [role for role in pins.held(session) if role in service.places]
        if not seats:
            abort(answer(403, message("Log in with the PIN first.")))
        return _tried(lambda: _hands(service).hand_over(seats))

    @app.post("/api/seat/renew")
    def renew() -> Response:
        """Another PIN for a seat: whoever was logged in there is not any more."""
        place = decoded(RenewBody).place
        if not pins.sees_codes(session):
            abort(answer(403, message("Only the referee can do that here: log in with the PIN first.")))
        if not 0 <= place < len(pins.seats):
            return _answered(Refusal(("TABLE-4",), message("There is no such seat."), "place"))
        pins.renew(place, pins.seats[place].name)
        return as_json(Done())

    @app.get("/api/lobby/checks")
    def checks() -> Response:
        if not may_arrange(pins, settings):
            abort(answer(403, message("Only the referee can do that here: log in with the PIN first.")))
        return as_json(ChecksAnswer(tuple(check_shown(each, g.language) for each in service.checks())))

    # --- with what people log in ----------------------------------------------------------------------------------

    def address() -> str:
        return settings.address or request.host_url

    def only_codes() -> None:
        if not pins.sees_codes(session):
            abort(answer(403, message("Only the referee can do that here: log in with the PIN first.")))

    @app.get("/api/lobby/codes")
    def codes() -> Response:
        only_codes()
        seats = tuple(SeatCode(place, _name_at(service, place), seat.pin) for place, seat in enumerate(pins.seats))
        own_screen = SCREEN in pins.tickets(session)
        return as_json(CodesAnswer(seats, address(), pins.pin(REFEREE) if own_screen else ""))

    @app.get("/api/lobby/codes/<int:place>.svg")
    def code(place: int) -> AnyResponse:
        """The code of a seat. What comes after the # is read by the phone alone and stands in no log."""
        only_codes()
        pin = pins.pin(pins.key(place))
        if not pin:
            abort(answer(404, message("There is no such seat.")))
        drawn = io.BytesIO()
        made: Any = segno.make(f"{address()}sit/{place + 1}#{pin}", micro=False)  # its methods carry no types
        made.save(drawn, kind="svg", scale=4, border=2, dark="#000", light="#fff")
        return Response(drawn.getvalue(), mimetype="image/svg+xml")

    @app.get("/sit/<int:number>")
    def sit_down(number: int) -> Response:
        return _entrance(str(number - 1))

    @app.get("/screen")
    def screen() -> Response:
        return _entrance(SCREEN)


def _entrance(role: str) -> Response:
    """A page that logs in with what stands behind the # of its address."""
    return Response(render_template("entrance.html", role=role, **common()))


def _hands(service: Service) -> VirtualHands:
    if service.virtual_hands is None:
        raise Refused("TABLE-4", message("The cards of this table are real."))
    return service.virtual_hands


def _with_phone(service: Service, place: int) -> bool:
    return service.lobby is not None and place in service.lobby.arrangement.with_phone


def _tried(step: Callable[[], None]) -> Response:
    try:
        step()
    except Refused as error:
        return _answered(error.refusal)
    except ShinpanError as error:
        return _answered(Refusal((), error.message))
    return as_json(Done())


def _name_at(service: Service, place: int) -> str:
    return next((name for name, at in service.places.items() if at == place), "")


def _answered(refusal: Refusal | None) -> Response:
    if refusal is None:
        return as_json(Done())
    text = sentence(refusal.message, g.language)
    return as_json(Trouble(text, refusal.rules, field=refusal.field), 409 if refusal.rules else 503)

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
from companion.core.wording import nameless, sentence
from companion.referee.lobby import LONGEST_NAME
from companion.referee.lobby_view import CheckShown, LobbyPage, check_shown
from companion.referee.service import Service, VirtualHands
from web import words
from web.answers import (
    Done,
    EmptyBody,
    Trouble,
    answer,
    as_json,
    common,
    decoded,
    for_the_referee,
    log_in_first,
    unreadable,
)
from web.bootstrap import Bootstrap
from web.budgets import TapBudget, too_much
from web.login import logged_in
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


class LobbyRoutes:
    """What a browser can do in the lobby, and with what people log in. Each method answers one route."""

    def __init__(self, service: Service, pins: Pins, devices: KnownDevices, settings: LobbySettings) -> None:
        self._service, self._pins, self._devices, self._settings = service, pins, devices, settings
        self._budget = TapBudget(service.now)

    # --- arranging a match ----------------------------------------------------------------------------------------

    def arrange(self) -> Response:
        body, by = decoded(ArrangeBody), self._arranging()
        refusal = self._tapped(by, body.what, body.data)
        if refusal is None and body.what == "stand":
            self._pins.renew(body.data["place"])
        if refusal is None and body.what == "swap":
            for place in (body.data["place"], body.data["with"]):
                self._pins.renew(place, _name_at(self._service, place))
        return _answered(refusal, self._service)

    def sit(self) -> Response:
        """Whoever is logged in for a place may sit down there; nobody's place is open to all who may arrange."""
        body, pins = decoded(SitBody), self._pins
        own = body.place in pins.places(session)
        by = REFEREE if own else self._arranging()
        by_bot = self._service.virtual_hands is not None and not _with_phone(self._service, body.place)
        taken = not by_bot and _name_at(self._service, body.place)
        if taken and body.claim and not own:
            return _answered(Refusal(("TABLE-4",), message("That seat is taken: scan its code to sit there."), "place"))
        phone = own or body.claim
        refusal = self._tapped(by, "sit", {"place": body.place, "name": body.name, "phone": phone})
        if refusal is not None:
            return _answered(refusal)
        name = _name_at(self._service, body.place)
        if own or pins.seats[body.place].name in ("", name):
            pins.hand_to(body.place, name)
        else:  # somebody else's from now on
            pins.renew(body.place, name)
        fixed = self._settings.fixed_pins.get(name)
        if fixed and pins.seats[body.place].pin != fixed:
            pins.renew(body.place, name, fixed)
        return logged_in(pins, self._devices, body.place) if body.claim and not own else as_json(Done())

    def checks(self) -> Response:
        if not may_arrange(self._pins, self._settings):
            abort(for_the_referee())
        return as_json(ChecksAnswer(tuple(check_shown(each, g.language) for each in self._service.checks())))

    def go_on(self) -> Response:
        """After a match."""
        body = decoded(NextBody)
        self._arranging()
        if body.to == "confirm" and REFEREE not in self._pins.held(session):
            abort(for_the_referee())
        return _tried(lambda: self._service.go_on(body.to))

    def _arranging(self) -> str:
        """Whoever may arrange the next match, for the budget of taps."""
        if not may_arrange(self._pins, self._settings):
            abort(for_the_referee())
        held = self._pins.tickets(session)
        who = next(iter(held), request.remote_addr or "")
        if not self._budget.spend(who):
            abort(answer(429, message("Too many taps at once; wait a moment.")))
        return REFEREE if REFEREE in held else who

    def _tapped(self, by: str, what: str, data: dict[str, Any]) -> Refusal | None:
        excess = too_much(data)
        if excess is not None:
            abort(unreadable(excess))
        with self._service.held():  # another tablet may start the match at this very moment
            if self._service.lobby is None:
                return Refusal(("TABLE-3",), message("A match is being played; the lobby opens when it is over."))
            return self._service.submit(Tap(by, what, data, self._service.now())).refusal

    # --- at the virtual table -------------------------------------------------------------------------------------

    def hand(self) -> Response:
        """What the hands of this seat are to do."""
        body = decoded(HandBody)
        if body.player not in self._pins.held(session):
            abort(log_in_first())
        return _tried(lambda: self._hands().answer(body.player, body.number, body.chosen))

    def leave(self) -> Response:
        """Back to the lobby."""
        decoded(EmptyBody)
        self._arranging()
        return _tried(lambda: self._hands().leave(self._pins.held(session)))

    def hand_over(self) -> Response:
        """A bot plays on for whoever asks."""
        decoded(EmptyBody)
        seats = [role for role in self._pins.held(session) if role in self._service.places]
        if not seats:
            abort(log_in_first())
        return _tried(lambda: self._hands().hand_over(seats))

    def _hands(self) -> VirtualHands:
        if self._service.virtual_hands is None:
            raise Refused("TABLE-4", message("The cards of this table are real."))
        return self._service.virtual_hands

    # --- with what people log in ----------------------------------------------------------------------------------

    def renew(self) -> Response:
        """Another PIN for a seat: whoever was logged in there is not any more."""
        place = decoded(RenewBody).place
        self._only_codes()
        if not 0 <= place < len(self._pins.seats):
            return _answered(Refusal(("TABLE-4",), message("There is no such seat."), "place"))
        self._pins.renew(place, self._pins.seats[place].name)
        return as_json(Done())

    def codes(self) -> Response:
        self._only_codes()
        pins = self._pins
        seats = tuple(SeatCode(at, _name_at(self._service, at), seat.pin) for at, seat in enumerate(pins.seats))
        own_screen = SCREEN in pins.tickets(session)
        return as_json(CodesAnswer(seats, self._address(), pins.pin(REFEREE) if own_screen else ""))

    def code(self, place: int) -> AnyResponse:
        """The code of a seat. What comes after the # is read by the phone alone and stands in no log."""
        self._only_codes()
        pin = self._pins.pin(self._pins.key(place))
        if not pin:
            abort(answer(404, message("There is no such seat.")))
        drawn = io.BytesIO()
        made: Any = segno.make(f"{self._address()}sit/{place + 1}#{pin}", micro=False)  # its methods carry no types
        made.save(drawn, kind="svg", scale=4, border=2, dark="#000", light="#fff")
        return Response(drawn.getvalue(), mimetype="image/svg+xml")

    def sit_down(self, number: int) -> Response:
        return _entrance(str(number - 1))

    def screen(self) -> Response:
        return _entrance(SCREEN)

    def _address(self) -> str:
        return self._settings.address or request.host_url

    def _only_codes(self) -> None:
        if not self._pins.sees_codes(session):
            abort(for_the_referee())


def add_lobby(app: Flask, service: Service, pins: Pins, devices: KnownDevices, settings: LobbySettings) -> None:
    routes = LobbyRoutes(service, pins, devices, settings)
    app.post("/api/lobby")(routes.arrange)
    app.post("/api/lobby/sit")(routes.sit)
    app.get("/api/lobby/checks")(routes.checks)
    app.post("/api/table/next")(routes.go_on)
    app.post("/api/hand")(routes.hand)
    app.post("/api/virtual/leave")(routes.leave)
    app.post("/api/virtual/hand-over")(routes.hand_over)
    app.post("/api/seat/renew")(routes.renew)
    app.get("/api/lobby/codes")(routes.codes)
    app.get("/api/lobby/codes/<int:place>.svg")(routes.code)
    app.get("/sit/<int:number>")(routes.sit_down)
    app.get("/screen")(routes.screen)


def _entrance(role: str) -> Response:
    """A page that logs in with what stands behind the # of its address."""
    return Response(render_template("entrance.html", role=role, **common()))


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


def _answered(refusal: Refusal | None, service: Service | None = None) -> Response:
    """`service`: the refusal may name things of the game that is being arranged."""
    if refusal is None:
        return as_json(Done())
    names = nameless if service is None else service.match.name
    text = sentence(refusal.message, g.language, names)
    return as_json(Trouble(text, refusal.rules, field=refusal.field), 409 if refusal.rules else 503)

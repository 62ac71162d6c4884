"""What a browser can ask of the table and do at it, in JSON."""

import math
import threading
import time
from collections.abc import Callable
from typing import Annotated, Any, Generic, Literal

import msgspec
from flask import Flask, Response, abort, g, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.drawing import Face
from companion.core.events import Light, Tap
from companion.core.message import Thing, message
from companion.core.rulings import Refusal, Refused
from companion.core.wording import sentence
from companion.record.acts import How
from companion.record.match import Match
from companion.referee.service import Service
from companion.referee.table_view import AdviceT
from web import words
from web.answers import Done, Trouble, answer, as_json, converted, decoded, log_in_first, unreadable
from web.budgets import LONGEST_LIST, LONGEST_TAP, TapBudget, too_much
from web.login import add_login
from web.pins import REFEREE, CameraFor, NotYours, Pins, may_see_camera, sees_all, viewer
from web.rules import asked_match
from web.tries import KnownDevices, Tries

PICTURE_EVERY = 0.3
"""Seconds for which one camera picture serves everybody who asks."""


What = Literal[
    "move",
    "oops",
    "ready",
    "pause",
    "resume",
    "undo",
    "correct",
    "mend",
    "call",
    "answer",
    "concede",
    "time",
    "award",
    "rule",
    "end",
    "rename",
]


class TapBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"role": "as"}):
    what: What
    data: dict[str, Any] = {}
    role: str | None = None


class UndoBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: str
    moves: int = 1


class CorrectBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    zone: str
    card: str | None
    """None: it lies face down."""
    rotation: float | msgspec.UnsetType = msgspec.UNSET


Reason = Annotated[str, msgspec.Meta(max_length=200)]
PlayerName = Annotated[str, msgspec.Meta(max_length=100)]


class TimeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The referee moves the time limit."""

    seconds: Annotated[float, msgspec.Meta(ge=-86400, le=86400)]
    why: Reason


class AwardBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The referee gives points, damage or wounds; takes them, where the number is negative."""

    player: PlayerName
    points: Annotated[int, msgspec.Meta(ge=-999, le=999)]
    why: Reason


class RuleBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ruling by hand."""

    say: Annotated[str, msgspec.Meta(max_length=500)]


class EndBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The referee ends the match."""

    how: How
    why: Reason
    player: PlayerName | None = None
    """Who concedes or is disqualified."""
    winners: Annotated[tuple[PlayerName, ...], msgspec.Meta(max_length=20)] | None = None
    """None: they follow from how everybody stands."""


class RenameBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    player: PlayerName
    name: Annotated[str, msgspec.Meta(max_length=40)]


class MendBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The referee's answer to the offer to put a misread move right."""

    accept: bool
    why: Reason = ""


class AnswerBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The referee comes to the player who calls; a player takes back their own call."""

    player: PlayerName | None = None


class ConcedeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    why: Reason = ""


class CallBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing more to say."""


BODIES: dict[str, type[msgspec.Struct]] = {
    "correct": CorrectBody,
    "mend": MendBody,
    "answer": AnswerBody,
    "concede": ConcedeBody,
    "call": CallBody,
    "time": TimeBody,
    "award": AwardBody,
    "rule": RuleBody,
    "end": EndBody,
    "rename": RenameBody,
}
"""What has to be said with a tap."""


class AdviceAnswer(msgspec.Struct, Generic[AdviceT], frozen=True):
    advice: AdviceT | None


class DeckShown(msgspec.Struct, frozen=True):
    """Our own drawings of this match's cards, as shapes, and what people call the cards."""

    cards: dict[str, Face]
    back: Face | None
    names: dict[str, str]
    moves: dict[str, str]
    """Kind of move -> what people call it, where the game has a name for it."""


class TableRoutes:
    """What a browser can ask of a match and do in it. Each method answers one route."""

    def __init__(self, service: Service, pins: Pins, camera_for: CameraFor) -> None:
        self._service, self._pins, self._camera_for = service, pins, camera_for
        self._budget = TapBudget(service.now)
        self._whole = _shared(lambda: service.picture())
        self._harmless = _shared(lambda: service.spectators_picture())

    def page(self) -> Response:
        return as_json(self._service.page(self._speaker(request.args.get("as")), g.language))

    def options(self) -> Response:
        """Every move a player may make now."""
        return as_json(self._service.offer(self._seated()))

    def advice(self) -> Response:
        """What the page would say if these cards lay in that place of the player's."""
        place, cards = f"{self._seated()}.{request.args.get('place', '')}", request.args.getlist("card")
        if len(cards) > LONGEST_LIST:
            abort(answer(413, message("That is too long.")))
        return as_json(AdviceAnswer(self._service.advice(place, cards, g.language)))

    def undo(self) -> Response:
        """What taking back the last moves would undo, and what would have to be put back on the table."""
        if REFEREE not in self._pins.held(session):
            abort(log_in_first())
        try:
            return as_json(self._service.undoing(request.args.get("moves", 1, int), g.language))
        except Refused as refused:
            text = sentence(refused.message, g.language, self._service.referee.match.name)
            return as_json(Trouble(text, refused.rules), 409)

    def tap(self) -> Response:
        body, service = decoded(TapBody), self._service
        role = self._may_tap(body)
        if body.what in ("move", "oops") and role != REFEREE and service.virtual_hands is not None:
            try:
                if body.what == "oops":
                    service.virtual_hands.takes_back(role)
                elif service.virtual_hands.takes(role, body.data):
                    return as_json(Done())
            except Refused as error:
                return as_json(Trouble(sentence(error.message, g.language, service.match.name), error.rules), 409)
        response = _submitted(service, _as_tap(service, role, body))
        if body.what == "rename" and response.status_code == 200:
            name = str(body.data["name"])
            self._pins.hand_to(service.places[name], name)
        return response

    def camera(self) -> AnyResponse:
        held = self._pins.held(session)
        if not may_see_camera(self._camera_for, held):
            abort(answer(403, message("The camera's picture is for the referee.")))
        jpeg = self._whole() if sees_all(self._camera_for, held) else self._harmless()
        if jpeg is None:
            return Response(status=204)
        return _kept(Response(jpeg, mimetype="image/jpeg"))

    def left(self, names: tuple[str, ...]) -> None:
        """These have logged out. Nobody waits for them at a virtual table: a bot plays on."""
        if self._service.virtual_hands is not None and self._service.lobby is None:
            self._service.virtual_hands.hand_over(names)

    def came(self, role: str | int) -> None:
        if role == REFEREE and self._service.house is not None:
            self._service.house.has_referee()

    def _speaker(self, asked: str | None) -> str | None:
        try:
            return viewer(self._pins.held(session), asked)
        except NotYours as error:
            abort(answer(403, error.message))

    def _seated(self) -> str:
        """The player who is asked about, by that player or by the referee, who may tap for everybody."""
        player = request.args.get("player", "")
        held = self._pins.held(session)
        if player not in held and REFEREE not in held:
            abort(log_in_first())
        return player

    def _may_tap(self, body: TapBody) -> str:
        """Whose tap it is. What is too much or too fast ends here."""
        role = self._speaker(body.role)
        if role is None:
            abort(answer(403, message("Only players and the referee can do that: log in with the PIN first.")))
        if not self._budget.spend(role):
            abort(answer(429, message("Too many taps at once; wait a moment.")))
        if len(request.get_data()) > LONGEST_TAP:
            abort(answer(413, message("That is too long.")))
        excess = too_much(body.data)
        if excess is not None:
            abort(unreadable(excess))
        return role


def add_api(
    app: Flask,
    service: Service,
    pins: Pins,
    tries: Tries,
    devices: KnownDevices,
    camera_for: CameraFor,
) -> None:
    routes = TableRoutes(service, pins, camera_for)
    app.get("/api/page")(routes.page)
    app.get("/api/options")(routes.options)
    app.get("/api/advice")(routes.advice)
    app.get("/api/undo")(routes.undo)
    app.post("/api/tap")(routes.tap)
    app.get("/camera.jpg")(routes.camera)
    add_deck(app, lambda: asked_match(service))
    add_login(app, pins, tries, devices, routes.left, routes.came)


def add_deck(app: Flask, of: Callable[[], Match]) -> None:
    @app.get("/api/deck")
    def deck() -> AnyResponse:
        return _kept(as_json(deck_shown(of(), g.language)))


def _kept(response: Response) -> AnyResponse:
    """The browser may keep it, and asks each time whether it has changed."""
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    return response.make_conditional(request)


def _as_tap(service: Service, role: str, body: TapBody) -> Tap:
    by, data = role, body.data
    if body.what in BODIES:
        data = msgspec.to_builtins(converted(data, BODIES[body.what]))
    match body.what:
        case "undo":
            undo = converted(data, UndoBody)
            if not undo.why.strip():
                abort(answer(400, message("Say why: the reason is kept with the match.")))
            data = msgspec.to_builtins(undo)
        case "ready" if role == REFEREE:
            by = str(data.get("by", ""))
            if by not in service.referee.match.players:
                abort(answer(400, message("Say who is ready.")))
    return Tap(by, body.what, data, service.now())


def _submitted(service: Service, tap: Tap) -> Response:
    outcome = service.submit(tap)
    refusal, referee = outcome.refusal, service.referee
    idle = tap.by not in referee.ready and referee.phase(tap.by) != "placing"
    if refusal is None and tap.what == "ready" and idle and all(isinstance(each, Light) for each in outcome.effects):
        nothing = message("{player} has nothing to be ready for now.", player=Thing("player", tap.by))
        refusal = Refusal(("TABLE-3",), nothing)
    if refusal is None:
        return as_json(Done())
    text = sentence(refusal.message, g.language, referee.match.name)
    if not refusal.rules:  # it is not the rules that stand in the way but the disk
        return as_json(Trouble(text), 503)
    return as_json(Trouble(text, refusal.rules), 409)


def _shared(make: Callable[[], bytes | None]) -> Callable[[], bytes | None]:
    """The camera's picture, made at most a few times a second however many are watching."""
    lock = threading.Lock()
    kept: tuple[float, bytes | None] = (-math.inf, None)

    def picture() -> bytes | None:
        nonlocal kept
        with lock:
            at = time.monotonic()
            if at - kept[0] > PICTURE_EVERY:
                kept = (at, make())
            return kept[1]

    return picture


def deck_shown(match: Match, language: str) -> DeckShown:
    """The cards of a match as a page draws and names them."""
    known = match.game.table.deck(match.state)
    faces = {name: card.face for name, card in known.cards.items()}
    names = {name: words.card_name(match, name, language) for name in known.cards}
    return DeckShown(faces, known.back, names, words.move_names(match, language))

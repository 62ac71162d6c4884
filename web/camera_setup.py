"""The pages and the API for setting up the camera: calibration, guided enrolment, corrected looks, evidence.

All of it is the referee's: a picture taken closely may show what a player would rather keep covered.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec
from flask import Flask, Response, abort, g, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.camera_setup import Aim, Corners, Known, NotClear
from companion.core.events import SIMULATED
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.referee.service import Service
from web import words
from web.answers import EmptyBody, Trouble, answer, as_json, common, decoded, login_page, remembering, script_safe
from web.bootstrap import Bootstrap
from web.pins import REFEREE, Pins

T = TypeVar("T")


class SetupBootstrap(Bootstrap, frozen=True, kw_only=True):
    simulated: bool
    """The camera is a virtual one."""


class MeasureBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clear: bool
    """Nothing lies on the table."""
    sure: bool = False
    """Though it looks as if something did."""


class TakeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    look: int
    instead: bool = False


class DropBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    place: int
    revision: int


class AnewBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    revision: int


class RememberBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    zone: str
    card: str


class Blind(msgspec.Struct, frozen=True):
    """There is nothing to look at, and why. To a page that only looks, that is an answer like any other: cameras come
    and go."""

    blind: str


class AimShown(msgspec.Struct, frozen=True):
    """`Aim` in words."""

    look: int
    size: tuple[int, int]
    markers: dict[int, Corners]
    hidden: dict[int, Corners | None]
    zones: dict[str, Corners]
    places: dict[str, str]
    """Zone -> what people call it."""
    fits: bool
    words: tuple[str, ...]
    scale: float
    measured: bool
    sheet: bool


class SpotShown(msgspec.Struct, frozen=True):
    """`Spot` in words."""

    look: int
    size: tuple[int, int]
    card: Corners | None
    still: bool
    known: str | None
    words: tuple[str, ...]


class CardKnown(msgspec.Struct, frozen=True):
    card: str
    name: str
    looks: int
    """How many looks there are of it."""


class KnownShown(msgspec.Struct, frozen=True):
    """`Known` in words."""

    deck: str
    cards: tuple[CardKnown, ...]
    revision: int
    used: bool
    twins: tuple[tuple[str, str], ...]
    trouble: str


class ReadingShown(msgspec.Struct, frozen=True):
    """`Reading` in words."""

    zone: str
    place: str
    card: str | None
    guesses: tuple[str, ...]
    rotation: float
    confidence: float
    look: int
    corners: Corners


class ReadingsAnswer(msgspec.Struct, frozen=True):
    readings: tuple[ReadingShown, ...]


class RememberAnswer(msgspec.Struct, frozen=True):
    card: str
    place: int
    """Which of the card's looks it became."""
    revision: int


def add_camera_setup(app: Flask, service: Service, pins: Pins) -> None:
    _add_pages(app, service, pins)
    _add_calibration(app, service, pins)
    _add_enrolment(app, service, pins)
    _add_correction(app, service, pins)


def _asked(pins: Pins, step: Callable[[], T], *, by_camera: bool = False) -> T:
    """Ask the camera, for the referee, or also for the phone that is the camera; where that fails, the request ends
    with the reason."""
    if REFEREE not in pins.held(session) and not (by_camera and pins.may_be_camera(session)):
        abort(answer(403, message("Log in with the PIN first.")))
    try:
        return step()
    except ShinpanError as error:
        if request.path.endswith(".jpg"):
            abort(Response(status=204))
        text = sentence(error.message, g.language)
        if request.method == "GET":
            abort(as_json(Blind(text)))
        abort(as_json(Trouble(text, ask=isinstance(error, NotClear)), 409))


def _told(said: Message) -> str:
    return sentence(said, g.language)


def _add_pages(app: Flask, service: Service, pins: Pins) -> None:
    def shown(template: str) -> Response:
        if REFEREE not in pins.held(session):
            return login_page(REFEREE)
        data = SetupBootstrap(
            words=words.for_scripts(g.language),
            language=g.language,
            simulated=service.senses.get("camera") == SIMULATED,
        )
        title = service.match.game.title
        return remembering(Response(render_template(template, title=title, data=script_safe(data), **common())))

    @app.get("/calibrate")
    def calibrate() -> Response:
        return shown("calibrate.html")

    @app.get("/enrol")
    def enrol() -> Response:
        return shown("enrol.html")


def _add_calibration(app: Flask, service: Service, pins: Pins) -> None:
    def shown(aim: Aim) -> Response:
        name = service.match.name
        return as_json(
            AimShown(
                look=aim.look,
                size=aim.size,
                markers=aim.markers,
                hidden=aim.hidden,
                zones=aim.zones,
                places={zone: name(zone, g.language) or zone for zone in aim.zones},
                fits=aim.fits,
                words=tuple(map(_told, aim.words)),
                scale=aim.scale,
                measured=aim.measured,
                sheet=aim.sheet,
            )
        )

    @app.get("/api/aim")
    def aim() -> Response:
        return shown(_asked(pins, service.camera_setup.aim, by_camera=True))

    @app.get("/api/aim/<int:look>.jpg")
    def aimed(look: int) -> AnyResponse:
        return _picture(_asked(pins, lambda: service.camera_setup.aimed(look)))

    @app.post("/api/measure")
    def measure() -> Response:
        body = decoded(MeasureBody)
        return shown(_asked(pins, lambda: service.camera_setup.measure(clear=body.clear, sure=body.sure)))


def _add_enrolment(app: Flask, service: Service, pins: Pins) -> None:
    def shown(known: Known) -> Response:
        match = service.match
        return as_json(
            KnownShown(
                deck=known.deck,
                cards=tuple(
                    CardKnown(card, words.card_name(match, card, g.language), looks)
                    for card, looks in known.cards.items()
                ),
                revision=known.revision,
                used=known.used,
                twins=known.twins,
                trouble=_told(known.trouble) if known.trouble else "",
            )
        )

    @app.get("/api/deck/known")
    def known() -> Response:
        return shown(_asked(pins, service.camera_setup.known))

    @app.get("/api/deck/look")
    def look() -> Response:
        spot = _asked(pins, service.camera_setup.spot)
        told = tuple(map(_told, spot.words))
        return as_json(SpotShown(spot.look, spot.size, spot.card, spot.still, spot.known, told))

    @app.get("/api/deck/look/<int:look>.jpg")
    def looked(look: int) -> AnyResponse:
        return _picture(_asked(pins, lambda: service.camera_setup.picture(look, card="card" in request.args)))

    @app.get("/api/deck/looks/<path:card>/<int:place>.jpg")
    def enrolled(card: str, place: int) -> AnyResponse:
        return _picture(_asked(pins, lambda: service.camera_setup.look_of(card, place)))

    @app.post("/api/deck/take")
    def take() -> Response:
        body = decoded(TakeBody)
        return shown(_asked(pins, lambda: service.camera_setup.take(body.card, body.look, instead=body.instead)))

    @app.post("/api/deck/drop")
    def drop() -> Response:
        body = decoded(DropBody)
        return shown(_asked(pins, lambda: service.camera_setup.drop(body.card, body.place, body.revision)))

    @app.post("/api/deck/use")
    def use() -> Response:
        decoded(EmptyBody)
        return shown(_asked(pins, service.camera_setup.use))

    @app.post("/api/deck/anew")
    def anew() -> Response:
        revision = decoded(AnewBody).revision
        return shown(_asked(pins, lambda: service.camera_setup.anew(revision)))


def _add_correction(app: Flask, service: Service, pins: Pins) -> None:
    @app.get("/api/readings")
    def readings() -> Response:
        match = service.match
        found = tuple(
            ReadingShown(
                zone=each.zone,
                place=match.name(each.zone, g.language) or each.zone,
                card=each.card,
                guesses=each.guesses,
                rotation=each.rotation,
                confidence=each.confidence,
                look=each.look,
                corners=each.corners,
            )
            for each in _asked(pins, service.camera_setup.readings)
        )
        return as_json(ReadingsAnswer(found))

    @app.get("/api/readings/<path:zone>.jpg")
    def crop(zone: str) -> AnyResponse:
        return _picture(_asked(pins, lambda: service.camera_setup.crop(zone)))

    @app.post("/api/remember")
    def remember() -> Response:
        body = decoded(RememberBody)
        known, place = _asked(pins, lambda: service.camera_setup.remember(body.zone, body.card))
        return as_json(RememberAnswer(body.card, place, known.revision))


def _picture(jpeg: bytes | None) -> AnyResponse:
    if jpeg is None:
        return answer(404, message("That picture is not kept any more."))
    return Response(jpeg, mimetype="image/jpeg")

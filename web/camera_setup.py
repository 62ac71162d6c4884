"""The pages and the API for setting up the camera: calibration, guided enrolment, corrected looks, evidence.

All of it is the referee's: a picture taken closely may show what a player would rather keep covered.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from flask import Flask, Response, abort, g, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.camera_setup import Known, NotClear
from companion.core.events import SIMULATED
from companion.core.rulings import ShinpanError
from companion.core.wording import LANGUAGES, retell
from companion.referee.service import Service
from web import words
from web.answers import answer, as_json, common, decoded, door, script_safe
from web.pins import REFEREE, Doors

T = TypeVar("T")


class Measure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    clear: bool
    """Nothing lies on the table."""
    sure: bool = False
    """Though it looks as if something did."""


class Take(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    look: int
    instead: bool = False


class Drop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    card: str
    place: int
    revision: int


class Anew(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    revision: int


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class Remember(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    zone: str
    card: str


def add_eye(app: Flask, service: Service, doors: Doors) -> None:
    def referees_only() -> None:
        if REFEREE not in doors.held(session):
            abort(answer(403, "Log in with the PIN first."))

    def asked(step: Callable[[], T]) -> T:
        """Ask the eye; where it cannot, its sentence is the answer. To a page that only looks, that is an answer like
        any other: cameras come and go."""
        referees_only()
        try:
            return step()
        except ShinpanError as error:
            if request.path.endswith(".jpg"):
                abort(Response(status=204))
            text = retell(str(error), g.language)
            abort(
                as_json({"blind": text})
                if request.method == "GET"
                else as_json({"text": text, "ask": isinstance(error, NotClear)}, 409)
            )

    _add_pages(app, service, doors)
    _add_calibration(app, service, asked)
    _add_enrolment(app, service, asked)
    _add_correction(app, service, asked)


Asked = Callable[[Callable[[], Any]], Any]


def _add_pages(app: Flask, service: Service, doors: Doors) -> None:
    def shown(template: str) -> Response:
        if REFEREE not in doors.held(session):
            return door(REFEREE)
        match = service.referee.match
        data = {
            "words": words.for_scripts(g.language),
            "language": g.language,
            "simulated": service.referee.senses.get("camera") == SIMULATED,
        }
        html = render_template(template, title=match.game.title, data=script_safe(data), **common())
        response = Response(html)
        if request.args.get("lang") in LANGUAGES:
            response.set_cookie("lang", g.language, max_age=400 * 86400, samesite="Strict")
        return response

    @app.get("/calibrate")
    def calibrate() -> Response:
        return shown("calibrate.html")

    @app.get("/enrol")
    def enrol() -> Response:
        return shown("enrol.html")


def _add_calibration(app: Flask, service: Service, asked: Asked) -> None:
    def told(aim: Any) -> Response:
        data = msgspec.to_builtins(aim)
        data["words"] = [retell(each, g.language) for each in aim.words]
        name = service.referee.match.name
        data["places"] = {zone: name(zone, g.language) or zone for zone in aim.zones}
        return as_json(data)

    @app.get("/api/aim")
    def aim() -> Response:
        return told(asked(service.eye.aim))

    @app.get("/api/aim/<int:look>.jpg")
    def aimed(look: int) -> AnyResponse:
        return _picture(asked(lambda: service.eye.aimed(look)))

    @app.post("/api/measure")
    def measure() -> Response:
        body = decoded(Measure)
        return told(asked(lambda: service.eye.measure(clear=body.clear, sure=body.sure)))


def _add_enrolment(app: Flask, service: Service, asked: Asked) -> None:
    def told(known: Known) -> Response:
        data = msgspec.to_builtins(known)
        data["cards"] = [
            {"card": card, "name": words.card_name(service.referee.match, card, g.language), "looks": looks}
            for card, looks in known.cards.items()
        ]
        data["trouble"] = retell(known.trouble, g.language)
        return as_json(data)

    @app.get("/api/deck/known")
    def known() -> Response:
        return told(asked(service.eye.known))

    @app.get("/api/deck/look")
    def look() -> Response:
        spot = asked(service.eye.spot)
        data = msgspec.to_builtins(spot)
        data["words"] = [retell(each, g.language) for each in spot.words]
        return as_json(data)

    @app.get("/api/deck/look/<int:look>.jpg")
    def looked(look: int) -> AnyResponse:
        return _picture(asked(lambda: service.eye.picture(look, card="card" in request.args)))

    @app.get("/api/deck/looks/<path:card>/<int:place>.jpg")
    def enrolled(card: str, place: int) -> AnyResponse:
        return _picture(asked(lambda: service.eye.look_of(card, place)))

    @app.post("/api/deck/take")
    def take() -> Response:
        body = decoded(Take)
        return told(asked(lambda: service.eye.take(body.card, body.look, instead=body.instead)))

    @app.post("/api/deck/drop")
    def drop() -> Response:
        body = decoded(Drop)
        return told(asked(lambda: service.eye.drop(body.card, body.place, body.revision)))

    @app.post("/api/deck/use")
    def use() -> Response:
        decoded(Nothing)
        return told(asked(service.eye.use))

    @app.post("/api/deck/anew")
    def anew() -> Response:
        revision = decoded(Anew).revision
        return told(asked(lambda: service.eye.anew(revision)))


def _add_correction(app: Flask, service: Service, asked: Asked) -> None:
    @app.get("/api/readings")
    def readings() -> Response:
        match = service.referee.match
        found = [
            {**msgspec.to_builtins(each), "place": match.name(each.zone, g.language) or each.zone}
            for each in asked(service.eye.readings)
        ]
        return as_json({"readings": found})

    @app.get("/api/readings/<path:zone>.jpg")
    def crop(zone: str) -> AnyResponse:
        return _picture(asked(lambda: service.eye.crop(zone)))

    @app.post("/api/remember")
    def remember() -> Response:
        body = decoded(Remember)
        known, place = asked(lambda: service.eye.remember(body.zone, body.card))
        return as_json({"card": body.card, "place": place, "revision": known.revision})

    @app.get("/api/evidence/<name>.jpg")
    def evidence(name: str) -> AnyResponse:
        return _picture(asked(lambda: service.evidence.read(name)))


def _picture(jpeg: bytes | None) -> AnyResponse:
    if jpeg is None:
        return answer(404, "That picture is not kept any more.")
    return Response(jpeg, mimetype="image/jpeg")

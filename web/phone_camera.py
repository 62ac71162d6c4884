"""The page on which a phone becomes the table's camera, how it is paired by a code, and what the desk is told of it.

The pictures themselves come another way: `web.phone_pictures`.
"""

import io
from typing import Annotated, Any

import msgspec
import segno
from flask import Flask, Response, abort, g, render_template, request, session
from werkzeug.wrappers import Response as AnyResponse

from companion.core.message import Message, message
from companion.core.phone_camera import PhoneInUse
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from companion.referee.service import Service
from web import words
from web.answers import Done, EmptyBody, Trouble, answer, as_json, common, decoded, login_page, remembering, script_safe
from web.bootstrap import Bootstrap
from web.pins import CAMERA, REFEREE, Pins

CAMERA_PATH = "/camera"
JOIN_PATH = "/camera/join"
PhoneName = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class CameraBootstrap(Bootstrap, frozen=True, kw_only=True):
    referee: bool
    """It is the referee's browser: it may show the code that pairs another device."""
    encrypted: bool
    """The table speaks TLS."""


class BeginBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phone: PhoneName
    instead: bool = False
    """Although another phone is the camera."""


class LeaveBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    phone: PhoneName


class PhoneShown(msgspec.Struct, frozen=True):
    """`PhoneState` in words."""

    chosen: bool
    sends: bool
    phone: str
    size: tuple[int, int]
    rate: float
    late: float
    own: str
    text: str


def add_phone_camera(app: Flask, service: Service, pins: Pins, address: str) -> None:
    def shown() -> Response:
        state = service.phone_camera.state()
        text = "" if state.said is None else sentence(state.said, g.language)
        return as_json(
            PhoneShown(state.chosen, state.sends, state.phone, state.size, state.rate, state.late, state.own, text)
        )

    def only(allowed: bool, said: Message | None = None) -> None:
        if not allowed:
            abort(answer(403, said or message("Log in with the PIN first.")))

    @app.get(CAMERA_PATH)
    def camera_page() -> Response:
        if not pins.may_be_camera(session):
            return login_page(REFEREE)
        data = CameraBootstrap(
            words=words.for_scripts(g.language),
            language=g.language,
            referee=REFEREE in pins.held(session),
            encrypted=request.scheme == "https",
        )
        return remembering(Response(render_template("camera.html", data=script_safe(data), **common())))

    @app.get(JOIN_PATH)
    def pair() -> Response:
        """Logs in with what stands behind the # of its address."""
        return Response(render_template("entrance.html", role=CAMERA, to=CAMERA_PATH, **common()))

    @app.get("/api/phone")
    def phone_state() -> Response:
        only(pins.may_be_camera(session))
        return shown()

    @app.get("/api/phone/code.svg")
    def pairing_code() -> AnyResponse:
        """What a phone scans to be paired. What comes after the # stands in no log."""
        only(pins.sees_codes(session), message("Only the referee can do that here: log in with the PIN first."))
        drawn = io.BytesIO()
        here = address or request.host_url
        made: Any = segno.make(f"{here.rstrip('/')}{JOIN_PATH}#{pins.pin(CAMERA)}", micro=False)
        made.save(drawn, kind="svg", scale=4, border=2, dark="#000", light="#fff")
        return Response(drawn.getvalue(), mimetype="image/svg+xml")

    @app.post("/api/phone/begin")
    def become_camera() -> Response:
        body = decoded(BeginBody)
        only(pins.may_be_camera(session))
        try:
            service.phone_camera.begin(body.phone, instead=body.instead)
        except ShinpanError as error:
            return as_json(Trouble(sentence(error.message, g.language), ask=isinstance(error, PhoneInUse)), 409)
        return shown()

    @app.post("/api/phone/leave")
    def stop_being_camera() -> Response:
        body = decoded(LeaveBody)
        only(pins.may_be_camera(session))
        try:
            service.phone_camera.leave(body.phone)
        except ShinpanError as error:
            return as_json(Trouble(sentence(error.message, g.language)), 409)
        return as_json(Done())

    @app.post("/api/phone/own")
    def use_own() -> Response:
        """Look through the camera that is plugged in again."""
        decoded(EmptyBody)
        only(REFEREE in pins.held(session))
        try:
            service.phone_camera.use_own()
        except ShinpanError as error:
            return as_json(Trouble(sentence(error.message, g.language)), 409)
        return shown()

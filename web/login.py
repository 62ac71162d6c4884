"""Logging in with a PIN, and out again."""

import math
from collections.abc import Callable

import msgspec
from flask import Flask, Response, current_app, request, session

from companion.core.message import message
from web.answers import Done, answer, as_json, decoded
from web.pins import Pins
from web.tries import KnownDevices, Tries, told


class LoginBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: str | int
    """`referee`, `screen`, a player's name, or a place counted from 0."""
    pin: str


class LogoutBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    role: str | int | None = None
    """None: all of them."""


def add_login(
    app: Flask,
    pins: Pins,
    tries: Tries,
    devices: KnownDevices,
    gone: Callable[[tuple[str, ...]], None] = lambda names: None,
    came: Callable[[str | int], None] = lambda role: None,
) -> None:
    """`gone` is told who logs out, `came` who has logged in."""

    @app.post("/api/login")
    def login() -> Response:
        body, device = decoded(LoginBody), devices.read(request.cookies.get(devices.COOKIE, ""))
        entered = tries.enter(pins, body.role, body.pin, request.remote_addr or "", device)
        if entered is False:
            return answer(403, message("That is not the PIN. It is on the table's own screen."))
        if entered is not True:
            response = answer(429, told(entered))
            response.headers["Retry-After"] = str(math.ceil(entered))
            return response
        came(body.role)
        return logged_in(pins, devices, body.role)

    @app.post("/api/logout")
    def logout() -> Response:
        role = decoded(LogoutBody).role
        gone(tuple(name for name in pins.held(session) if role in (None, name)))
        tickets, leaving = pins.tickets(session), None if role is None else pins.key(role)
        session["roles"] = [ticket for key, ticket in tickets.items() if role is not None and key != leaving]
        pins.revoke([ticket for key, ticket in tickets.items() if role is None or key == leaving])
        return as_json(Done())


def logged_in(pins: Pins, devices: KnownDevices, role: str | int) -> Response:
    """This browser may act as that from now on."""
    device = devices.read(request.cookies.get(devices.COOKIE, ""))
    key = str(pins.key(role))
    tickets = pins.tickets(session)
    before = tickets.pop(key, None)
    pins.revoke([before] if before is not None else [])
    session["roles"] = [*tickets.values(), pins.ticket(role)]
    session.permanent = True
    response = as_json(Done())
    response.set_cookie(
        devices.COOKIE,
        devices.cookie(device.let_in(key)),
        max_age=devices.DAYS * 86400,
        httponly=True,
        secure=current_app.config["SESSION_COOKIE_SECURE"],
        samesite="Strict",
    )
    return response

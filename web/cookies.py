"""The cookies of a request that does not pass through Flask."""

from http.cookies import CookieError, SimpleCookie
from typing import Any

from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadSignature

from web.pins import HOURS


def cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


def session_of(app: Flask, cookie: str) -> dict[str, Any]:
    """What Flask's signed cookie says; nothing where it is not ours or too old."""
    interface = app.session_interface
    assert isinstance(interface, SecureCookieSessionInterface)
    signer = interface.get_signing_serializer(app)
    assert signer is not None
    try:
        return dict(signer.loads(cookie, max_age=HOURS * 3600))
    except BadSignature:
        return {}

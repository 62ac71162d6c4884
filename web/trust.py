"""The page that walks a phone through trusting this table, and what it has to trust. Both may be had by plain HTTP."""

from typing import Literal

import msgspec
from flask import Flask, Response, render_template, request

from companion.core.message import message
from web.answers import answer, common, remembering
from web.tls import TRUST

Platform = Literal["ios", "android", "mac", "windows", "other"]
_SIGNS: dict[str, Platform] = {
    "iphone": "ios",
    "ipad": "ios",
    "android": "android",
    "macintosh": "mac",
    "windows": "windows",
}
CERTIFICATE = f"{TRUST}/shinpan.crt"


class Authority(msgspec.Struct, frozen=True):
    """What a phone is to trust."""

    fingerprint: str
    """As phones and browsers show it."""
    certificate: bytes
    """As a phone wants to have it."""


def add_trust(app: Flask, authority: Authority | None) -> None:
    @app.get(TRUST)
    def trust() -> Response:
        if authority is None:
            return answer(
                404, message("This table speaks in the open: there is nothing to trust. See `shinpan serve --tls`.")
            )
        html = render_template(
            "trust.html",
            certificate=CERTIFICATE,
            fingerprint=authority.fingerprint,
            here=platform(request.user_agent.string),
            table=f"https://{request.host}/",
            **common(),
        )
        return remembering(Response(html))

    @app.get(CERTIFICATE)
    def certificate() -> Response:
        if authority is None:
            return answer(404, message("There is no such page at this table."))
        return Response(authority.certificate, mimetype="application/x-x509-ca-cert")


def platform(agent: str) -> Platform:
    """What somebody looks at the page with, as far as the browser says."""
    return next((kind for sign, kind in _SIGNS.items() if sign in agent.lower()), "other")

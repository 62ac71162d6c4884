"""What a request passes before it gets one of Flask's workers: it is there as a whole, and there is a place for it.

A worker is never kept waiting by a client: the body is read before, with limits of size and time, and the answer is
taken off its hands at once. The referee and the table's own screen have workers of their own, and so have the seats.
"""

import io
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Literal

from a2wsgi import WSGIMiddleware
from flask import Flask
from werkzeug.datastructures import Headers

from companion.core.message import Message, message
from companion.core.phone_camera import NO_PHONE, PhoneLink
from companion.core.wording import sentence
from web import guard, words
from web.bodies import BODY, whole_body
from web.budgets import IMPORT, IMPORT_TOURNAMENT, LARGEST_IMPORT
from web.connections import Doorkeeper
from web.cookies import cookies, session_of
from web.events import Receive, Scope, Send, Stream, client_address, refuse
from web.health import tell_health
from web.news_source import NewsSource
from web.phone_pictures import PATH as PHONE_PICTURES
from web.phone_pictures import PhonePictures
from web.pins import CAMERA, REFEREE, SCREEN, Pins
from web.tls import travels_openly, way_to_tls
from web.tries import LOOPBACK, network

WORKERS = {"referee": 3, "seat": 3, "stranger": 2}
"""Threads for Flask, by who asks; the live stream needs none."""
WAITING, WAITING_PER_ADDRESS = 64, 16
"""Requests that are with each group of workers at once, and those of one address among them."""
LOGINS = ("/api/login", "/api/lobby/sit")

Group = Literal["referee", "seat", "stranger"]
_BODY = "shinpan.body"
"""Where the scope of a request has its body."""
TOO_MANY = message("Too much is asked of the table at once; try again in a moment.")


class Front:
    """The stream and the pictures of a phone do not pass through Flask; everything else does."""

    def __init__(
        self,
        app: Flask,
        stream: Stream,
        doorkeeper: Doorkeeper,
        service: NewsSource,
        *,
        tls: bool = False,
        phone: PhoneLink = NO_PHONE,
    ) -> None:
        # Without a bound of its own an answer is taken off the worker at once, however slowly it is read.
        self._flask = {
            group: WSGIMiddleware(_with_body(app), workers=workers, send_queue_size=0)  # type: ignore[arg-type]
            for group, workers in WORKERS.items()
        }
        self._app = app
        self._pins: Pins = app.extensions["shinpan"]["pins"]
        self._stream = stream
        self._doorkeeper = doorkeeper
        self._service = service
        self._hosts: tuple[str, ...] = app.extensions["shinpan"]["settings"].hosts
        self._tls = tls
        self._waiting: Counter[str] = Counter()
        self._pictures = PhonePictures(phone, self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/healthz":
            await tell_health(self._service, send)
            return
        headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]])
        if self._tls and travels_openly(scope["scheme"], client_address(scope)):
            way = way_to_tls(scope["path"], headers.get("Host", ""))
            if way is not None:
                await self._show_the_way(send, headers, way)
                return
        group = self._group(headers, client_address(scope))
        if scope["path"] == "/events":
            await self._stream(scope, receive, send)
            return
        if scope["path"] == PHONE_PICTURES:
            held = self._held(headers.get("Cookie", ""), client_address(scope))
            await self._pictures(scope, receive, send, headers, allowed=bool({REFEREE, CAMERA} & {*held}))
            return
        imports = scope["path"] in (IMPORT, IMPORT_TOURNAMENT) and group == "referee"
        body = await whole_body(headers, receive, LARGEST_IMPORT if imports else BODY)
        if body is None:
            return  # the client has gone
        if isinstance(body, tuple):
            await self._turn_away(send, headers, *body)
            return
        address = network(client_address(scope))
        places = {group: WAITING} | ({} if address in LOOPBACK else {f"{group} {address}": WAITING_PER_ADDRESS})
        if any(self._waiting[place] >= limit for place, limit in places.items()):
            await self._turn_away(send, headers, 503, TOO_MANY)
            return
        self._waiting.update(places.keys())
        answer = (
            self._noticing_login(send, client_address(scope))
            if scope["path"] in ("/api/login", "/api/lobby/sit")
            else send
        )
        try:
            scope[_BODY] = body
            await self._flask[group](scope, receive, answer)  # type: ignore[arg-type]
        finally:
            self._waiting.subtract(places.keys())
            self._waiting += Counter()  # forgets who has nothing waiting

    def _group(self, headers: Headers, address: str) -> Group:
        if address in LOOPBACK:
            return "referee"
        held = self._held(headers.get("Cookie", ""), address)
        return "referee" if {REFEREE, SCREEN} & {*held} else "seat" if held else "stranger"

    def _held(self, header: str, address: str) -> tuple[str, ...]:
        """The roles of a cookie, for which connections are kept from now on."""
        cookie = cookies(header).get("shinpan")
        held = tuple(self._pins.tickets(session_of(self._app, cookie))) if cookie else ()
        for role in held:
            self._doorkeeper.knows(role, address)
        return held

    def _noticing_login(self, send: Send, address: str) -> Send:
        """Whoever is let in has kept places at once, not only with the next request."""

        async def noticing(event: Scope) -> None:
            for name, value in event.get("headers", ()):
                if name == b"set-cookie":
                    self._held(value.decode("latin-1"), address)
            await send(event)

        return noticing

    async def _show_the_way(self, send: Send, headers: Headers, way: str) -> None:
        refusal = guard.refusal("GET", headers, self._hosts)
        if refusal is not None:
            await self._turn_away(send, headers, *refusal)
            return
        said = message("This table does not speak in the open. Go on at {address}", address=way)
        await self._turn_away(send, headers, 307, said, [(b"location", way.encode())])

    async def _turn_away(
        self, send: Send, headers: Headers, status: int, said: Message, more: Sequence[tuple[bytes, bytes]] = ()
    ) -> None:
        language = words.choose(None, cookies(headers.get("Cookie", "")).get("lang"), None)
        await refuse(send, status, sentence(said, language), [(b"connection", b"close"), *more])


def _with_body(app: Flask) -> Callable[[dict[str, Any], Any], Any]:
    """The application with the body at hand, which has been read: it would ask the event loop for it, and wait."""

    def called(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.input"] = io.BytesIO(environ["asgi.scope"][_BODY])
        return app(environ, start_response)

    return called

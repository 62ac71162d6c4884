"""The live stream: server-sent events, native ASGI, cheap for a whole hall of viewers.

One thread waits for news and encodes the page once for each kind of viewer; the event loop only hands out bytes.
A viewer who is slow skips to the newest page, for every message holds all of it.
"""

import asyncio
import threading
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

import msgspec
from flask import Flask
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadSignature

from companion.referee.service import Service
from web import guard, words
from web.app import Settings
from web.pins import HOURS, LOOPBACK, Doors, NotYours, viewer

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Kind = tuple[str | None, str]
"""A kind of viewer: role and language."""

BEAT = 10.0
"""Seconds between signs of life: a page that hears none says that it is stale."""
GAP = 0.04
"""Seconds between two pages: a match that runs faster than anybody can watch is thinned out."""
STALLED = 30.0
"""Seconds after which a viewer who takes nothing is let go."""
VIEWERS, VIEWERS_PER_ADDRESS = 600, 32


@dataclass(eq=False)
class Watcher:
    kind: Kind
    address: str
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    gone: bool = False


class Stream:
    """`/events` as an ASGI application."""

    def __init__(self, app: Flask, service: Service) -> None:
        self._app = app
        self._service = service
        self._doors: Doors = app.extensions["shinpan"]["doors"]
        self._settings: Settings = app.extensions["shinpan"]["settings"]
        self._build: str = app.extensions["shinpan"]["build"]
        self._watchers: set[Watcher] = set()
        self._pages: dict[Kind, bytes] = {}
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def watching(self) -> int:
        return len(self._watchers)

    def open(self) -> None:
        """Begin to wait for news; called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._wait_for_news, name="news", daemon=True)
        self._thread.start()
        self._beat()

    def close(self) -> None:
        """Let every viewer go; called on the event loop."""
        self._closed.set()
        self._wake()

    # --- news -----------------------------------------------------------------------------------------------------

    def _wait_for_news(self) -> None:
        version = self._service.version
        while not self._closed.is_set():
            newer = self._service.wait(version, 1.0)
            if newer == version or self._closed.is_set():
                continue
            version = newer
            pages = {kind: self._encode(kind) for kind in list(self._pages)}
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._publish, pages)
            self._closed.wait(GAP)

    def _encode(self, kind: Kind) -> bytes:
        page = self._service.page(*kind)
        data = msgspec.json.encode({**page, "build": self._build})
        return b"id: %d\nevent: page\ndata: %b\n\n" % (page["version"], data)

    def _publish(self, pages: dict[Kind, bytes]) -> None:
        wanted = {watcher.kind for watcher in self._watchers}
        self._pages = {kind: page for kind, page in {**self._pages, **pages}.items() if kind in wanted}
        self._wake()

    def _beat(self) -> None:
        if not self._closed.is_set():
            assert self._loop is not None
            self._loop.call_later(BEAT, self._beat)
            self._wake()

    def _wake(self) -> None:
        for watcher in self._watchers:
            watcher.woken.set()

    # --- one viewer -----------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(scope, headers)
        kind: Kind | None = None
        if refusal is None:
            try:
                kind = self._kind(scope, headers)
            except NotYours as error:
                refusal = 403, str(error)
        if refusal is not None or kind is None:
            await _refuse(send, *(refusal or (403, "")))
            return
        watcher = Watcher(kind, (scope.get("client") or ("",))[0])
        self._watchers.add(watcher)
        leaving = asyncio.ensure_future(_watch_leaving(receive, watcher))
        try:
            await self._feed(watcher, send)
        except (TimeoutError, OSError):
            pass  # gone, or takes nothing: the browser comes back by itself
        finally:
            leaving.cancel()
            self._watchers.discard(watcher)

    async def _feed(self, watcher: Watcher, send: Send) -> None:
        await _start(send, 200, [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")])
        await _more(send, b"retry: 1000\n\n")
        # Asked for first and encoded then: whatever comes in between is published, and nothing is missed.
        shown = self._pages.setdefault(watcher.kind, b"")
        await _more(send, await asyncio.to_thread(self._encode, watcher.kind))
        while True:
            await watcher.woken.wait()
            watcher.woken.clear()
            if watcher.gone:
                return
            if self._closed.is_set():
                await send({"type": "http.response.body", "body": b""})
                return
            newest = self._pages.get(watcher.kind, shown)
            await _more(send, b"event: beat\ndata: \n\n" if newest is shown else newest)
            shown = newest

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str] | None:
        """This path does not pass through Flask, so its checks are made again here."""
        if scope["method"] != "GET":
            return 405, "That cannot be done here."
        if not guard.trusted(headers.get("host", ""), self._settings.hosts):
            return 400, "This table does not go by that name."
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "Only Shinpan's own pages may do that."
        address = (scope.get("client") or ("",))[0]
        same = sum(watcher.address == address for watcher in self._watchers)
        if self.watching >= VIEWERS or (same >= VIEWERS_PER_ADDRESS and address not in LOOPBACK):
            return 503, "Too many are watching; close another page first."
        return None

    def _kind(self, scope: Scope, headers: dict[str, str]) -> Kind:
        asked = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        cookies = _cookies(headers.get("cookie", ""))
        role = viewer(self._doors.held(self._session(cookies.get("shinpan", ""))), asked.get("as", [None])[0])
        return role, words.choose(asked.get("lang", [None])[0], cookies.get("lang"), None)

    def _session(self, cookie: str) -> dict[str, Any]:
        interface = self._app.session_interface
        assert isinstance(interface, SecureCookieSessionInterface)
        signer = interface.get_signing_serializer(self._app)
        assert signer is not None
        try:
            return dict(signer.loads(cookie, max_age=HOURS * 3600))
        except BadSignature:
            return {}


async def _watch_leaving(receive: Receive, watcher: Watcher) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.gone = True
    watcher.woken.set()


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


async def _start(send: Send, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    common = [(name.lower().encode(), value.encode()) for name, value in guard.HEADERS.items()]
    headers = [*headers, (b"cache-control", b"no-store"), *common]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _more(send: Send, body: bytes) -> None:
    async with asyncio.timeout(STALLED):
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def _refuse(send: Send, status: int, text: str) -> None:
    await _start(send, status, [(b"content-type", b"application/json")])
    await send({"type": "http.response.body", "body": msgspec.json.encode({"text": text})})

"""The live stream: server-sent events, native ASGI, cheap for a whole hall of viewers.

One thread waits for news and encodes the page once for each kind of viewer; the event loop only hands out bytes.
A viewer who is slow skips to the newest page, for every message holds all of it.
"""

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import msgspec
from flask import Flask
from werkzeug.datastructures import Accept, Headers
from werkzeug.http import parse_accept_header

from companion.core.message import Message, message
from companion.core.wording import sentence
from web import guard, words
from web.answers import Trouble
from web.app import Settings
from web.compression import STREAM_BEGINS, stream_part
from web.connections import CONNECTION, TimedConnection
from web.cookies import cookies, session_of
from web.news_source import ManyTables, NewsSource
from web.pins import NotYours, Pins, Ticket, viewer
from web.tries import LOOPBACK, network

log = logging.getLogger("shinpan")

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Kind = tuple[str | None, str, bool, str]
"""A kind of viewer: role, language, whether the browser takes gzip, and at a venue the table that is looked at."""

PAGES, REQUESTS = "pages", "requests"
"""The thread that makes pages, and the event loop that sends them and answers."""
BEAT = 10.0
"""Seconds between signs of life: a page that hears none says that it is stale."""
GAP = 0.04
"""Seconds between two pages: a match that runs faster than anybody can watch is thinned out."""
STALLED = 30.0
"""Seconds after which a viewer who takes nothing is let go."""
VIEWERS, VIEWERS_PER_ADDRESS = 500, 32
"""Places for spectators."""
KEPT, KEPT_OWN = 16, 600
"""Places apart from these for each role, and for the table's own screen. Whoever comes there when they are taken gets
the place of the oldest."""


@dataclass(eq=False)
class StreamViewer:
    kind: Kind
    place: str
    """Whose places it takes one of: a role's, the own screen's, or an address's."""
    ticket: Ticket | None
    """The login that it watches with."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    shown: bytes = b""
    """The page it has."""
    connection: TimedConnection | None = None
    """Where pages can be handed out, once the first is on its way; None: only its own task may send."""
    gone: bool = False
    """It has left."""
    dismissed: bool = False
    """It is to be let go."""


class Stream:
    """`/events` as an ASGI application."""

    def __init__(
        self,
        app: Flask,
        service: NewsSource,
        connections: int = 2 * VIEWERS,
        gap: float = GAP,
        tables: ManyTables | None = None,
    ) -> None:
        """`connections` is how many strangers can have; never all of them are streams. `tables`: those of a venue."""
        self._gap, self._tables = gap, tables
        self._spectators = connections * 3 // 4
        self._app = app
        self._service = service
        self._pins: Pins = app.extensions["shinpan"]["pins"]
        self._settings: Settings = app.extensions["shinpan"]["settings"]
        self._build: str = app.extensions["shinpan"]["build"]
        self._viewers: dict[StreamViewer, None] = {}  # the oldest first
        self._pages: dict[Kind, bytes] = {}
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def watching(self) -> int:
        return len(self._viewers)

    def open(self) -> None:
        """Begin to wait for news; called on the event loop."""
        self._loop = asyncio.get_running_loop()
        self._service.heartbeats.beat(PAGES)
        self._thread = threading.Thread(target=self._wait_for_news, name="news", daemon=True)
        self._thread.start()
        self._pins.listen(partial(self._from_any_thread, self._recheck))
        self._beat()
        self._take_requests()

    def _from_any_thread(self, step: Callable[[], None]) -> None:
        if self._loop is not None and not self._closed.is_set():
            with suppress(RuntimeError):  # the loop has ended meanwhile, and all streams with it
                self._loop.call_soon_threadsafe(step)

    def close(self) -> None:
        """Let every viewer go; called on the event loop."""
        self._closed.set()
        self._service.heartbeats.end(REQUESTS)
        self._wake()

    # --- news -----------------------------------------------------------------------------------------------------

    def _wait_for_news(self) -> None:
        version = self._service.version
        while not self._closed.is_set():
            try:
                version = self._tell_news(version)
                self._service.heartbeats.beat(PAGES)
            except Exception:
                log.exception("The pages could not be sent; they are tried again.")
                self._closed.wait(1.0)
        self._service.heartbeats.end(PAGES)

    def _tell_news(self, version: int) -> int:
        """Wait a moment for something newer than this version and publish it; the version that is out now."""
        newer = self._service.wait(version, 1.0)
        if newer != version and not self._closed.is_set():
            before = dict(self._pages)
            pages = {kind: page for kind in before if (page := self._encode(kind)) != before[kind]}
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._publish, pages)
            self._closed.wait(self._gap)
        return newer

    def _encode(self, kind: Kind) -> bytes:
        role, language, small, table = kind
        if table:
            return self._encode_table(table, language, small)
        page = msgspec.structs.replace(self._service.page(role, language), build=self._build)
        event = b"id: %d\nevent: page\ndata: %b\n\n" % (page.version, msgspec.json.encode(page))
        return stream_part(event) if small else event

    def _encode_table(self, table: str, language: str, small: bool) -> bytes:
        """Where a table's page has not come, there is nothing to show but that the venue is there."""
        assert self._tables is not None
        page = self._tables.page_of(table, language)
        told = msgspec.json.encode({**page, "build": self._build}) if page is not None else b""
        event = b"event: page\ndata: %b\n\n" % told if told else _BEAT
        return stream_part(event) if small else event

    def _publish(self, pages: dict[Kind, bytes]) -> None:
        """Whoever looks at what has not changed is left alone until the next sign of life."""
        wanted = {browser.kind for browser in self._viewers}
        self._pages = {kind: page for kind, page in {**self._pages, **pages}.items() if kind in wanted}
        # One frame around it serves all viewers of a kind, so that a full hall costs little more than its writes.
        frames = {kind: b"%x\r\n%b\r\n" % (len(page), page) for kind, page in pages.items()}
        for browser in self._viewers:
            if browser.kind not in pages:
                continue
            if browser.connection is not None and browser.connection.hand_out(frames[browser.kind]):
                browser.shown = pages[browser.kind]
            else:
                browser.woken.set()  # its own task sends the newest when it can

    def _beat(self) -> None:
        if not self._closed.is_set():
            assert self._loop is not None
            self._loop.call_later(BEAT, self._beat)
            self._wake()

    def _take_requests(self) -> None:
        """The loop that answers every request gets to its turns."""
        if not self._closed.is_set():
            assert self._loop is not None
            self._service.heartbeats.beat(REQUESTS)
            self._loop.call_later(1.0, self._take_requests)

    def _wake(self) -> None:
        for browser in self._viewers:
            browser.woken.set()

    # --- one viewer -----------------------------------------------------------------------------------------------

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers([(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]])
        sent = cookies(headers.get("Cookie", ""))
        asked = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        language = words.choose(asked.get("lang", [None])[0], sent.get("lang"), None)
        session = session_of(self._app, sent.get("shinpan", ""))
        refusal, role = self._refusal(scope, headers), None
        try:
            role = viewer(self._pins.held(session), asked.get("as", [None])[0])
        except NotYours as error:
            refusal = refusal or (403, error.message)
        place = _place(role, client_address(scope))
        if refusal is None and not self._has_room(place):
            refusal = 503, message("Too many are watching; close another page first.")
        if refusal is not None:
            status, said = refusal
            await refuse(send, status, sentence(said, language))
            return
        small = parse_accept_header(headers.get("Accept-Encoding"), Accept).quality("gzip") > 0
        key = None if role is None else self._pins.key(role)
        ticket = None if key is None else self._pins.tickets(session).get(key)
        table = asked.get("of", [""])[0] if self._tables is not None else ""
        browser = StreamViewer((role, language, small, table), place, ticket)
        self._viewers[browser] = None
        leaving = asyncio.ensure_future(_watch_leaving(receive, browser))
        try:
            # Before HTTP/1.1 answers have no chunks.
            chunked = scope.get("http_version") == "1.1"
            await self._feed(browser, send, scope.get(CONNECTION) if chunked else None)
        except (TimeoutError, OSError):
            pass  # gone, or takes nothing: the browser comes back by itself
        finally:
            leaving.cancel()
            self._viewers.pop(browser, None)

    async def _feed(self, browser: StreamViewer, send: Send, connection: TimedConnection | None) -> None:
        small = browser.kind[2]
        headers = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"x-accel-buffering", b"no")]
        await start(send, 200, [*headers, (b"content-encoding", b"gzip")] if small else headers)
        await _more(send, STREAM_BEGINS + stream_part(_RETRY) if small else _RETRY)
        beat = stream_part(_BEAT) if small else _BEAT
        # Asked for first and encoded then: whatever comes in between is published, and nothing is missed.
        browser.shown = self._pages.setdefault(browser.kind, b"")
        await _more(send, await asyncio.to_thread(self._encode, browser.kind))
        while True:
            browser.connection = connection
            await browser.woken.wait()
            browser.woken.clear()
            browser.connection = None  # an older page must not come after a newer one
            if browser.gone:
                return
            if self._closed.is_set() or browser.dismissed:
                await send({"type": "http.response.body", "body": b""})
                return
            newest = self._pages.get(browser.kind, browser.shown)
            missing = newest is not browser.shown
            browser.shown = newest
            await _more(send, newest if missing else beat)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, Message] | None:
        if scope["method"] != "GET":
            return 405, message("That cannot be done here.")
        return guard.refusal("GET", headers, self._settings.hosts, own_pages_only=True)

    def _has_room(self, place: str) -> bool:
        """Whether one more can watch there; where places are kept, the oldest viewer makes room."""
        same = [browser for browser in self._viewers if browser.place == place]
        if place.startswith(_SPECTATOR):
            spectators = sum(browser.place.startswith(_SPECTATOR) for browser in self._viewers)
            return len(same) < VIEWERS_PER_ADDRESS and spectators < min(VIEWERS, self._spectators)
        if len(same) >= (KEPT_OWN if place == _OWN_SCREEN else KEPT):
            self._dismiss(same[0])
        return True

    def _recheck(self) -> None:
        """Logins have ended: so have the streams that were opened with them."""
        for browser in list(self._viewers):
            if browser.ticket is not None and not self._pins.tickets({"roles": [browser.ticket]}):
                self._dismiss(browser)

    def _dismiss(self, browser: StreamViewer) -> None:
        browser.dismissed = True
        self._viewers.pop(browser, None)
        browser.woken.set()


_RETRY, _BEAT = b"retry: 1000\n\n", b"event: beat\ndata: \n\n"
_OWN_SCREEN, _SPECTATOR = "own screen", "spectator "


def _place(role: str | None, address: str) -> str:
    if address in LOOPBACK:
        return _OWN_SCREEN
    return f"role {role}" if role is not None else _SPECTATOR + network(address)


def client_address(scope: Scope) -> str:
    return str((scope.get("client") or ("",))[0])


async def _watch_leaving(receive: Receive, browser: StreamViewer) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    browser.gone = True
    browser.woken.set()


async def start(send: Send, status: int, headers: list[tuple[bytes, bytes]]) -> None:
    common = [(name.lower().encode(), value.encode()) for name, value in guard.HEADERS.items()]
    headers = [*headers, (b"cache-control", b"no-store"), *common]
    await send({"type": "http.response.start", "status": status, "headers": headers})


async def _more(send: Send, body: bytes) -> None:
    async with asyncio.timeout(STALLED):
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def refuse(send: Send, status: int, text: str, more: Sequence[tuple[bytes, bytes]] = ()) -> None:
    """Answer with a sentence; `more` are headers."""
    await start(send, status, [(b"content-type", b"application/json"), *more])
    await send({"type": "http.response.body", "body": msgspec.json.encode(Trouble(text))})

"""Serves the pages and the live stream on one port, in a thread or in the foreground."""

import asyncio
import errno
import socket
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any

import uvicorn
from flask import Flask

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from web.connections import Doorkeeper, TimedConnection, guarded_by, places_for_strangers, said_once
from web.events import GAP, Stream
from web.front import Front
from web.news_source import ManyTables, NewsSource
from web.tls import TlsDoor

if TYPE_CHECKING:
    from web.certificates import Certificates

BACKLOG, ACCEPTED_AT_ONCE = 1024, 64
"""Connections that the system lets wait at the door, and those that are taken from there at once."""


class CannotListen(ShinpanError, OSError):
    """The address or the port cannot be used."""


class Server:
    """Bound as soon as it is made, so that a taken port is known at once. Use `start`, or `run`, then `stop`."""

    def __init__(
        self,
        app: Flask,
        service: NewsSource,
        host: str = "127.0.0.1",
        port: int = 8080,
        tls: "Certificates | None" = None,
        gap: float = GAP,
        tables: ManyTables | None = None,
    ) -> None:
        self._socket = _bound(host, port)
        self.host, self.port = host, int(self._socket.getsockname()[1])
        strangers = places_for_strangers()
        self.stream = Stream(app, service, strangers, gap, tables)
        doorkeeper = Doorkeeper(strangers)
        config = uvicorn.Config(
            Front(
                app,
                self.stream,
                doorkeeper,
                service,
                tls=tls is not None,
                phone=service.phone_camera,
            ),
            http=guarded_by(doorkeeper),
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="warning",
            access_log=False,
            # Whom a request comes from is what the socket says, never what a header claims.
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=5,
            # So many are accepted in one go, and only then the first of them are turned away.
            backlog=ACCEPTED_AT_ONCE,
        )
        self._uvicorn = _Uvicorn(config, self.stream, doorkeeper, tls)
        self.scheme = "http" if tls is None else "https"
        self._thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        """Where a browser on this machine finds it."""
        name = "localhost" if self.host in ("0.0.0.0", "::", "127.0.0.1", "::1", "") else self.host
        return f"{self.scheme}://{name}:{self.port}/"

    def start(self) -> None:
        """Serve in a thread; comes back when it answers."""
        self._thread = threading.Thread(target=self.run, name="web", daemon=True)
        self._thread.start()
        self._uvicorn.ready.wait()

    def run(self) -> None:
        """Serve here until `stop`, or Ctrl-C."""
        try:
            asyncio.run(self._uvicorn.serve(sockets=[self._socket]))
        finally:
            self._uvicorn.ready.set()
            self._socket.close()

    def stop(self) -> None:
        """May be called more than once, and from any thread."""
        self._uvicorn.should_exit = True
        if self._thread is not None:
            self._thread.join(10)
        elif not self._uvicorn.ready.is_set():
            self._socket.close()

    def __enter__(self) -> "Server":
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()


def serve(
    app: Flask, service: NewsSource, host: str = "127.0.0.1", port: int = 8080, *, background: bool = False
) -> Server:
    """Serve until stopped, or in a thread. Raises CannotListen with one clear sentence."""
    server = Server(app, service, host, port)
    if background:
        server.start()
    else:
        server.run()
    return server


class _Uvicorn(uvicorn.Server):
    """Opens the stream with the event loop, and closes it first: an open stream would keep the server from ending."""

    def __init__(
        self, config: uvicorn.Config, stream: Stream, doorkeeper: Doorkeeper, tls: "Certificates | None"
    ) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._stream, self._doorkeeper, self._tls = stream, doorkeeper, tls
        self._door: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(said_once())
        await super().startup(sockets if self._tls is None else [])
        for each in sockets or ():
            each.listen(BACKLOG)
            if self._tls is not None:
                door = TlsDoor(each, self._tls, self._doorkeeper, self._connection)
                self._door = asyncio.ensure_future(door.keep_open())
        self._stream.open()
        self.ready.set()

    def _connection(self) -> TimedConnection:
        kind: type[Any] = self.config.http_protocol_class
        made: TimedConnection = kind(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
        return made

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stream.close()
        if self._door is not None:
            self._door.cancel()
        await super().shutdown(sockets)


def _bound(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise CannotListen(message("There is no port {port}; ports go up to 65535.", port=port))
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except OSError as error:
        raise CannotListen(message("There is no address {host} to serve the page at.", host=host)) from error
    sock = socket.socket(family, kind, protocol)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind(address)
        sock.listen(BACKLOG)
    except OSError as error:
        sock.close()
        raise CannotListen(_why(error, host, port)) from error
    return sock


def _why(error: OSError, host: str, port: int) -> Message:
    match error.errno:
        case errno.EADDRINUSE:
            return message(
                "Port {port} is taken by another program. Stop that one, or choose another with --port.", port=port
            )
        case errno.EACCES:
            return message("Port {port} is not open to this user. Choose one above 1023 with --port.", port=port)
        case _:
            return message(
                "The page cannot be served at {host}, port {port}: {detail}.",
                host=host,
                port=port,
                detail=error.strerror or str(error),
            )

"""The door of a table that speaks TLS. A connection is let in before it may cost anything: those that never say a word
take a place like everybody else's and are sent away after a while.

On the same port somebody may speak plain HTTP. Such a request passes too, and `web.front` shows it the way.
"""

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING
from urllib.parse import quote

from web.connections import HEADER, Doorkeeper, TimedConnection
from web.tries import LOOPBACK

if TYPE_CHECKING:  # a table without TLS need not load what makes certificates
    from web.certificates import Certificates

log = logging.getLogger("shinpan")

TRUST = "/trust"
"""The page about the certificate."""
HANDSHAKE = b"\x16"
"""The first byte of everybody who speaks TLS."""
RECORD_HEAD, LONGEST_HELLO = 5, 4096
"""Bytes that say how long a message is, and of the first message that are waited for."""
AT_ONCE = 64
"""Connections that are accepted before others get their turn."""
RENEWAL = 600.0
"""Seconds between two looks at whether the certificate still fits."""
AGAIN = 0.2
"""Seconds to wait when the system has no handle left for one more connection."""


class Doorstep:
    """A connection of which not a byte has been understood yet."""

    silent = True

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.task: asyncio.Task[None] | None = None

    def hang_up(self) -> None:
        if self.task is not None:
            self.task.cancel()


class TlsDoor:
    """Accepts connections and hands them on; `make` makes what a connection speaks to."""

    def __init__(
        self,
        listening: socket.socket,
        certificates: "Certificates",
        doorkeeper: Doorkeeper,
        make: Callable[[], TimedConnection],
    ) -> None:
        self._listening, self._certificates, self._doorkeeper, self._make = listening, certificates, doorkeeper, make
        self._tasks: set[asyncio.Task[None]] = set()

    async def keep_open(self) -> None:
        """Until it is cancelled."""
        loop, accepted = asyncio.get_running_loop(), 0
        self._listening.setblocking(False)
        self._tasks.add(asyncio.ensure_future(self._keep_fresh()))
        try:
            while True:
                try:
                    sock, address = await loop.sock_accept(self._listening)
                except OSError as error:
                    loop.call_exception_handler({"message": "no connection can be accepted", "exception": error})
                    await asyncio.sleep(AGAIN)
                    continue
                self._welcome(sock, str(address[0]))
                accepted += 1
                if accepted % AT_ONCE == 0:
                    await asyncio.sleep(0)
        finally:
            for task in list(self._tasks):
                task.cancel()

    async def _keep_fresh(self) -> None:
        """The table may be on for a year, and get another address on any day."""
        while True:
            await asyncio.sleep(RENEWAL)
            try:
                await asyncio.to_thread(self._certificates.renew)
            except Exception:
                log.exception("The certificate could not be renewed; the old one stays.")

    def _welcome(self, sock: socket.socket, address: str) -> None:
        guest = Doorstep(sock)
        if not self._doorkeeper.admit(guest, address):
            sock.close()
            return
        guest.task = asyncio.ensure_future(self._hand_on(guest))
        self._tasks.add(guest.task)
        guest.task.add_done_callback(self._tasks.discard)

    async def _hand_on(self, guest: Doorstep) -> None:
        loop, sock = asyncio.get_running_loop(), guest.sock
        try:
            sock.setblocking(False)
            async with asyncio.timeout(HEADER):
                speaks_tls = await _begins_tls(sock)
                connection = self._make()
                connection.doorstep = guest
                await loop.connect_accepted_socket(
                    lambda: connection,
                    sock,
                    ssl=self._certificates.context if speaks_tls else None,
                    ssl_handshake_timeout=HEADER if speaks_tls else None,
                )
        except (OSError, TimeoutError, asyncio.CancelledError):
            sock.close()
        finally:
            self._doorkeeper.leave(guest)


def travels_openly(scheme: str, address: str) -> bool:
    """Whether somebody on the network could listen. What the table's own screen asks stays on this machine."""
    return scheme == "http" and address not in LOOPBACK


def way_to_tls(path: str, host: str) -> str | None:
    """Where somebody is sent who asks for this by plain HTTP; None where it may be had so.

    Whoever opens the table's address for the first time would only meet the browser's warning, and so comes to the page
    about that.
    """
    if path.startswith((TRUST, "/static/", "/favicon.ico")):
        return None
    return f"http://{host}{TRUST}" if path == "/" else f"https://{host}{quote(path)}"


async def _begins_tls(sock: socket.socket) -> bool:
    """Whether the other side wants to speak TLS. Then its first message is there as a whole, and a handshake that is
    never gone on with has cost next to nothing. What was said is still there to be read."""
    head = await _peeked(sock, RECORD_HEAD)
    begins = head[:1] == HANDSHAKE
    if begins:
        await _peeked(sock, RECORD_HEAD + min(int.from_bytes(head[3:]), LONGEST_HELLO))
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, 1)
    return begins


async def _peeked(sock: socket.socket, wanted: int) -> bytes:
    """So many bytes, or fewer where the other side has hung up."""
    loop, spoken = asyncio.get_running_loop(), asyncio.Event()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, wanted)
    loop.add_reader(sock.fileno(), spoken.set)
    try:
        await spoken.wait()
    finally:
        loop.remove_reader(sock.fileno())
    return sock.recv(wanted, socket.MSG_PEEK)

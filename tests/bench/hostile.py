"""How long the referee's pause takes while clients do their worst: `python -m tests.bench.hostile [--tls]`.

A table is served in a process of its own. The hostile clients come from 127.0.0.2 to 127.0.0.20, the referee from
127.0.0.200; nothing but the loopback is ever spoken to. Every attack is bounded in number.
"""

import http.client
import json
import multiprocessing
import resource
import socket
import ssl
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from tests.web.evening import SETTINGS, Evening
from web.app import create_app
from web.certificates import Certificates
from web.server import Server

REFEREE_ADDRESS = "127.0.0.200"
PAUSES = 20
LIMIT = 1.0
"""Seconds that a pause may take."""


TLS = "--tls" in sys.argv


def _anybodys() -> ssl.SSLContext:
    """Who the table is does not matter here, only how long it takes."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _table(told: Connection, handles: int) -> None:
    """Serve until the other end says stop. `handles` is the system's limit of open files for this process."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (handles, handles))
    evening = Evening()
    with TemporaryDirectory() as data:
        tls = Certificates(Path(data), lambda: ["127.0.0.1"]) if TLS else None
        settings = msgspec.structs.replace(SETTINGS, authority=tls.authority if tls else None)
        with Server(create_app(evening.service, settings), evening.service, port=0, tls=tls) as server:
            told.send(server.port)
            told.recv()


class RefereesPhone:
    """Logs in once; each request then has a connection of its own, as after a walk out of the room."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookie = ""
        answer = self._post("/api/login", {"role": "referee", "pin": SETTINGS.referee_pin})
        self._cookie = "; ".join(each.partition(";")[0] for each in answer.headers.get_all("Set-Cookie") or ())

    def _post(self, path: str, body: object) -> http.client.HTTPResponse:
        source = (REFEREE_ADDRESS, 0)
        connection: http.client.HTTPConnection
        if TLS:
            connection = http.client.HTTPSConnection(
                "127.0.0.1", self._port, timeout=30, source_address=source, context=_anybodys()
            )
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30, source_address=source)
        headers = {
            "Origin": f"http{'s' * TLS}://127.0.0.1:{self._port}",
            "Content-Type": "application/json",
            "Cookie": self._cookie,
            "Connection": "close",
        }
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return answer

    def pauses(self) -> list[float]:
        """Seconds of each pause; the match is resumed after it. No answer at all counts as infinitely long."""
        took = []
        for _ in range(PAUSES):
            begun = time.perf_counter()
            try:
                self._post("/api/tap", {"what": "pause", "data": {}})
                took.append(time.perf_counter() - begun)
                self._post("/api/tap", {"what": "resume", "data": {}})
            except (OSError, http.client.HTTPException, RuntimeError):
                took.append(float("inf"))
                break
            time.sleep(0.05)
        return took


def _open(port: int, number: int, source: str, sent: bytes = b"", raw: bytes = b"") -> list[socket.socket]:
    """Up to that many connections that send this and wait; those that are refused are left out. `raw` is never
    encrypted."""
    opened = []
    for _ in range(number):
        try:
            sock = socket.create_connection(("127.0.0.1", port), timeout=5, source_address=(source, 0))
            sock.sendall(raw)
            if sent and TLS:
                sock = _anybodys().wrap_socket(sock)
            if sent:
                sock.sendall(sent)
            opened.append(sock)
        except OSError:
            continue
    return opened


def _from_many(port: int, number: int, sent: bytes = b"", raw: bytes = b"") -> list[socket.socket]:
    sources = [f"127.0.0.{last}" for last in range(2, 21)]
    return [sock for n in range(number) for sock in _open(port, 1, sources[n % len(sources)], sent, raw)]


BODILESS = (
    b"POST /api/tap HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
)
STREAM = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
PAGE = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
HANDSHAKE = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
ATTACKS: dict[str, Callable[[int], list[socket.socket]]] = {
    "nobody": lambda port: [],
    "8 POSTs without their body": lambda port: _open(port, 8, "127.0.0.2", BODILESS),
    "600 POSTs without their body, 19 addresses": lambda port: _from_many(port, 600, BODILESS),
    "1,100 idle sockets, 1 address": lambda port: _open(port, 1100, "127.0.0.2"),
    "2,000 idle sockets, 19 addresses": lambda port: _from_many(port, 2000),
    "600 streams that are never read, 19 addresses": lambda port: _from_many(port, 600, STREAM),
    "400 pages that are never read, 19 addresses": lambda port: _from_many(port, 400, PAGE),
    "2,000 idle sockets and 600 streams": lambda port: _from_many(port, 600, STREAM) + _from_many(port, 2000),
}


def raise_limits() -> None:
    """As many sockets as this side needs."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))


def under(attack: str) -> tuple[int, list[float]]:
    """How many connections the attack opened, and how long each pause took, the longest last."""
    ours, theirs = multiprocessing.Pipe()
    table = multiprocessing.get_context("spawn").Process(target=_table, args=(theirs, 1024), daemon=True)
    table.start()
    port = ours.recv()
    phone = RefereesPhone(port)
    sockets = ATTACKS[attack](port)
    took = sorted(phone.pauses())
    for sock in sockets:
        sock.close()
    ours.send("stop")
    table.join(20)
    if table.is_alive():
        table.kill()
    return len(sockets), took


def main() -> int:
    raise_limits()
    worst = 0.0
    if TLS:
        never_ended = "2,000 handshakes that are never ended, 19 addresses"
        ATTACKS[never_ended] = lambda port: _from_many(port, 2000, raw=HANDSHAKE)
    print("| attack | connections | pause: median ms | longest ms |\n|---|--:|--:|--:|")
    for attack in ATTACKS:
        opened, took = under(attack)
        print(f"| {attack} | {opened} | {took[len(took) // 2] * 1000:.0f} | {took[-1] * 1000:.0f} |", flush=True)
        worst = max(worst, took[-1])
    return 0 if worst < LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())

"""Slow clients and many of them: no worker waits for one, and there is always a place for who plays and referees."""

import asyncio
import errno
import http.client
import json
import logging
import socket
from contextlib import ExitStack

import pytest

from tests.web.evening import PINS
from web import bodies, connections, front
from web.connections import Doorkeeper, said_once
from web.server import Server

HEAD = "POST /api/tap HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n"


def _connected(server, source="127.0.0.2"):
    return socket.create_connection(("127.0.0.1", server.port), timeout=20, source_address=(source, 0))


def _page(server, source="127.0.0.1"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20, source_address=(source, 0))
    try:
        connection.request("GET", "/api/page")
        return connection.getresponse().status
    finally:
        connection.close()


def _answer(sock):
    answer = http.client.HTTPResponse(sock)
    answer.begin()
    return answer.status, json.loads(answer.read())["text"]


def _closed(sock):
    try:
        return sock.recv(1) == b""
    except ConnectionResetError:
        return True


def test_bodies_that_never_come_keep_no_worker(server, monkeypatch):
    monkeypatch.setattr(bodies, "BODY_SECONDS", 3600.0)

    with ExitStack() as slow:
        for number in range(40):
            sock = slow.enter_context(_connected(server, f"127.0.0.{2 + number % 2}"))
            sock.sendall(f"{HEAD}Content-Length: 20\r\n\r\n{{".encode())
        assert _page(server) == 200
        assert _page(server, "127.0.0.4") == 200


def test_a_body_that_comes_too_slowly_is_told_so(server, monkeypatch):
    monkeypatch.setattr(bodies, "BODY_SECONDS", 0.01)

    with _connected(server) as sock:
        sock.sendall(f"{HEAD}Content-Length: 20\r\n\r\n".encode())
        assert _answer(sock) == (408, "That took too long to arrive.")
        assert _closed(sock)


@pytest.mark.parametrize(
    "rest", ["Content-Length: 70000\r\n\r\n", f"Transfer-Encoding: chunked\r\n\r\n11170\r\n{'x' * 70000}\r\n"]
)
def test_a_body_that_is_too_long_is_not_waited_for(server, rest):
    with _connected(server) as sock:
        sock.sendall(f"{HEAD}{rest}".encode())
        assert _answer(sock) == (413, "That is too long.")


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost:", b"GET /api/rules HTTP/1.1\r\nHost: localhost\r\n\r\nGET"]
)
def test_who_says_nothing_more_is_let_go(server, monkeypatch, sent):
    monkeypatch.setattr(connections, "HEADER", 0.05)

    with _connected(server) as sock:
        sock.sendall(sent)
        try:
            while sock.recv(65536):
                pass
        except ConnectionResetError:
            pass


def test_an_address_has_only_so_many_connections_and_the_own_screen_any(server, monkeypatch):
    monkeypatch.setattr(connections, "PER_ADDRESS", 3)

    with ExitStack() as many:
        held = [many.enter_context(_connected(server)) for _ in range(3)]
        assert _closed(many.enter_context(_connected(server)))
        assert _page(server, "127.0.0.3") == 200
        for _ in range(5):
            many.enter_context(_connected(server, "127.0.0.1"))
        assert _page(server) == 200
        held.pop().close()


def test_an_address_asks_only_so_much_at_once(server, monkeypatch):
    monkeypatch.setattr(front, "WAITING_PER_ADDRESS", 0)

    with _connected(server) as sock:
        sock.sendall(b"GET /api/page HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert _answer(sock) == (503, "Too much is asked of the table at once; try again in a moment.")
    assert _page(server) == 200


class Connection:
    """As much of a connection as the doorkeeper looks at."""

    def __init__(self, silent=True):
        self.silent = silent
        self.aborted = False

    def hang_up(self):
        self.aborted = True


def test_when_all_places_are_taken_the_longest_silent_one_makes_room():
    door = Doorkeeper(strangers=3)
    busy, first, second = Connection(silent=False), Connection(), Connection()
    for number, each in enumerate((busy, first, second)):
        assert door.admit(each, f"10.0.0.{number}")

    assert door.admit(Connection(silent=False), "10.0.0.7")
    assert [each.aborted for each in (busy, first, second)] == [False, True, False]
    assert door.admit(Connection(silent=False), "10.0.0.8")
    assert not door.admit(Connection(), "10.0.0.9")
    door.leave(busy)
    assert door.admit(Connection(), "10.0.0.9")


def test_places_are_kept_for_who_is_logged_in_and_not_endlessly_many():
    door = Doorkeeper(strangers=0)
    for number in range(6):
        door.knows("Aki", f"10.0.0.{number}")

    assert [door.admit(Connection(), f"10.0.0.{number}") for number in range(6)] == [False, False, *[True] * 4]
    assert sum(door.admit(Connection(), "10.0.0.5") for _ in range(50)) == connections.KEPT_PER_ADDRESS - 1
    assert door.admit(Connection(), "127.0.0.1")


def test_whoever_logs_in_has_a_kept_place_at_once(app, evening, monkeypatch):
    monkeypatch.setattr(connections, "PER_ADDRESS", 1)

    def login(port):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=("127.0.0.2", 0))
        headers = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json"}
        connection.request("POST", "/api/login", json.dumps({"role": "Aki", "pin": PINS["Aki"]}), headers)
        assert connection.getresponse().status == 200
        return connection

    with Server(app, evening.service, port=0) as server:
        kept_alive = login(server.port)
        assert _page(server, "127.0.0.2") == 200
        kept_alive.close()


def test_running_out_of_handles_is_said_once(caplog):
    times = iter((0.0, 1.0, 50.0, 100.0, 101.0, 200.0))
    handle, loop = said_once(lambda: next(times)), asyncio.new_event_loop()
    caplog.set_level(logging.WARNING)
    for _ in range(6):
        handle(loop, {"message": "accept", "exception": OSError(errno.EMFILE, "Too many open files")})
    loop.close()

    assert [record.message for record in caplog.records] == [
        "No more connections can be opened: this machine has no handles left for them."
    ] * 2
    assert all(record.exc_info is None for record in caplog.records)

"""Webhooks against receivers on this machine that fail, hang and lie; the table never waits for them."""

import hmac
import json
import stat
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from companion.app import webhooks
from companion.app.webhooks import WAITING, Receiver, Webhooks, kept_secret, post, signature
from companion.upkeep.config import is_web_address
from tests.web.evening import Evening


class Sink:
    """Takes what is posted, and says when so many have come."""

    def __init__(self) -> None:
        self.got: list[tuple[bytes, dict[str, str]]] = []
        self.news = threading.Condition()

    def take(self, url: str, body: bytes, headers: dict[str, str], patience: float) -> int:
        with self.news:
            self.got.append((body, headers))
            self.news.notify_all()
        return 204

    def wait(self, count: int) -> list[dict]:
        with self.news:
            assert self.news.wait_for(lambda: len(self.got) >= count, 20)
            return [json.loads(body) for body, _ in self.got]


def test_countdowns_rulings_and_the_win_are_told_and_signed() -> None:
    evening, sink = Evening(), Sink()
    hooks = Webhooks(evening.service, [Receiver("http://club.example/", b"key", sink.take)])
    evening.begin()
    evening.reveal(Aki=("move", "F"), Ben=("move", "B"))
    evening.tap("referee", "end", how="conceded", player="Ben", why="a train")
    told = sink.wait(4)
    while not any(each["event"] == "win" for each in told):
        told = sink.wait(len(told) + 1)
    hooks.close()

    events = [each["event"] for each in told]
    assert events.count("win") == 1
    assert events.count("countdown") == 2
    assert told[events.index("win")]["winners"] == ["Aki"]
    ruling = next(each for each in told if each["event"] == "ruling" and each["line"])
    assert ruling["text"]
    assert ruling["players"] == ["Aki", "Ben"]
    body, headers = sink.got[0]
    assert headers[webhooks.HEADER] == "sha256=" + hmac.new(b"key", body, "sha256").hexdigest()
    assert len({each["id"] for each in told}) == len(told)


def test_what_a_spectator_may_not_know_is_not_told() -> None:
    evening, sink = Evening(), Sink()
    hooks = Webhooks(evening.service, [Receiver("http://club.example/", b"key", sink.take)])
    evening.move("Aki", "arm", weapons=["katana"] * 9)  # refused, and chosen in secret: only Aki is told
    evening.arm()
    evening.tap("referee", "rule", say="Play on.")
    told = sink.wait(1)
    hooks.close()

    assert "9" not in json.dumps([each["text"] for each in told])


@contextmanager
def server(answers: list[int | bytes | None], got: list[bytes]) -> Iterator[str]:
    """Answers with these, one after the other: a status, nothing at all, or bytes that are no HTTP."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["Content-Length"])))
            answer = answers.pop(0) if answers else 200
            if isinstance(answer, int):
                self.send_response(answer)
                if answer in (301, 302):
                    self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif answer is None:
                self.connection.settimeout(5)
                self.connection.recv(1)  # until the other side has had enough
            else:
                self.wfile.write(answer)
            self.close_connection = True

        def log_message(self, *_: object) -> None: ...

    httpd = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{httpd.server_port}/hook?a=1"
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


def test_a_receiver_that_fails_hangs_and_lies_is_tried_again_with_the_same_message(monkeypatch) -> None:
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.001)
    monkeypatch.setattr(webhooks, "PATIENCE", 0.2)
    got: list[bytes] = []
    with server([500, None, b"nonsense\r\n\r\n", 200], got) as url:
        receiver = Receiver(url, b"key")
        receiver._deliver(b'{"id": "1"}')

    assert got == [b'{"id": "1"}'] * 4


def test_a_receiver_that_never_answers_is_given_up(monkeypatch, caplog) -> None:
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.001)
    tries = []

    def refuse(url: str, body: bytes, headers: dict[str, str], patience: float) -> int:
        tries.append(body)
        raise OSError(111, "Connection refused")

    Receiver("http://club.example:8/secret-path", b"key", refuse)._deliver(b"{}")

    assert len(tries) == webhooks.TRIES
    assert "given up: Connection refused" in caplog.text
    assert "secret-path" not in caplog.text


def test_redirects_are_not_followed_and_a_no_is_taken_for_a_no(monkeypatch) -> None:
    monkeypatch.setattr(webhooks, "FIRST_PAUSE", 0.001)
    got: list[bytes] = []
    with server([404], got) as url:
        Receiver(url, b"key")._deliver(b"{}")
        assert len(got) == 1
    with server([302], got) as url:
        assert post(url, b"{}", {}, 2.0) == 302


def test_the_queue_is_bounded_and_nobody_waits_for_a_receiver_that_hangs() -> None:
    hangs = threading.Event()

    def hang(url: str, body: bytes, headers: dict[str, str], patience: float) -> int:
        hangs.wait(10)
        return 200

    evening = Evening()
    receiver = Receiver("http://club.example/", b"key", hang)
    hooks = Webhooks(evening.service, [receiver])
    for number in range(3 * WAITING):
        evening.tap("referee", "rule", say=f"Ruling {number}.")  # would never come back if the table waited

    assert len(receiver._waiting) <= WAITING
    assert receiver.dropped >= WAITING
    hangs.set()
    hooks.close()


def test_the_secret_is_private_and_stays(tmp_path: Path) -> None:
    secret = kept_secret(tmp_path)

    assert kept_secret(tmp_path) == secret
    assert len(secret) == 64
    assert stat.S_IMODE((tmp_path / webhooks.SECRET_FILE).stat().st_mode) == 0o600
    assert signature(secret, b"{}") != signature(b"other", b"{}")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://a/", "http://", "//a", "http://me:pw@a/", "javascript:1", "http://a:0/"]
)
def test_only_addresses_of_the_web_are_taken(url: str) -> None:
    assert not is_web_address(url)
    assert is_web_address("https://club.example:8443/hook?x=1")

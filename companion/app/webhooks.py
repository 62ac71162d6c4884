"""Webhooks: other programs are told of countdowns, rulings and wins, as they happen.

Each message is a POST with a JSON body and the HMAC-SHA256 of that body under the table's webhook secret. Whoever does
not answer is tried again, later each time, and given up in the end; a queue that is full drops its oldest message. The
table never waits for any of it.
"""

import hashlib
import hmac
import http.client
import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from companion.core.events import Effect, Light, Said
from companion.core.files import PRIVATE, NotWritten, write_whole
from companion.core.wording import sentence
from companion.referee.service import Service

log = logging.getLogger("shinpan")

SECRET_FILE = "webhook.key"
WAITING = 100
"""Messages that wait for one receiver; of more, the oldest are dropped."""
TRIES = 6
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before the second try; twice as many before each further one."""
PATIENCE = 5.0
"""Seconds that a receiver has to answer."""
HEADER = "X-Shinpan-Signature"

Happened = Literal["countdown", "ruling", "win"]


class HookMessage(msgspec.Struct, frozen=True):
    """What a receiver is sent."""

    id: str
    """The same in every try: whoever has seen it can leave it."""
    event: Happened
    match: str
    game: str
    players: tuple[str, ...]
    clock: float
    """The match clock, in seconds."""
    text: str = ""
    """The ruling, in English."""
    rules: tuple[str, ...] = ()
    line: int = 0
    """Of the kifu."""
    winners: tuple[str, ...] = ()


def signature(secret: bytes, body: bytes) -> str:
    return "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()


def kept_secret(data: Path) -> bytes:
    """The table's webhook secret: made once, and kept where only the service may read it."""
    path = data / SECRET_FILE
    with suppress(OSError):
        kept = path.read_text().strip()
        if len(kept) >= 32:
            return kept.encode()
    made = secrets.token_hex(32)
    try:
        write_whole(path, made.encode() + b"\n", rights=PRIVATE)
    except NotWritten as error:
        log.warning("The webhook secret could not be kept: %s", error)
    return made.encode()


Post = Callable[[str, bytes, dict[str, str], float], int]
"""(address, body, headers, seconds) -> the status of the answer; raises OSError."""


def post(url: str, body: bytes, headers: dict[str, str], patience: float) -> int:
    """One try. No redirects are followed, and of the answer only its status is looked at."""
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=patience)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, headers)
        return connection.getresponse().status
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(str(error)) from None
    finally:
        connection.close()


class Receiver:
    """One address, with a queue and a thread of its own: a slow one keeps nobody else waiting."""

    def __init__(self, url: str, secret: bytes, post: Post = post) -> None:
        self.url, self._secret, self._post = url, secret, post
        self._waiting: deque[bytes] = deque()
        self._news = threading.Condition()
        self._stopped = False
        self.dropped = 0
        self._thread: threading.Thread | None = None

    def put(self, body: bytes) -> None:
        """Never waits."""
        with self._news:
            if self._stopped:
                return
            if len(self._waiting) >= WAITING:
                self._waiting.popleft()
                self.dropped += 1
            self._waiting.append(body)
            if self._thread is None:
                self._thread = threading.Thread(target=self._send_all, name="webhook", daemon=True)
                self._thread.start()
            self._news.notify_all()

    def close(self) -> None:
        with self._news:
            self._stopped = True
            self._news.notify_all()
        if self._thread is not None:
            self._thread.join(timeout=1.0)

    def _send_all(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._stopped or bool(self._waiting))
                if self._stopped:
                    return
                body = self._waiting.popleft()
            self._deliver(body)

    def _deliver(self, body: bytes) -> None:
        pause, headers = FIRST_PAUSE, {"Content-Type": "application/json", HEADER: signature(self._secret, body)}
        told = "no answer"
        for attempt in range(TRIES):
            if attempt and self._rest(min(pause, LONGEST_PAUSE)):
                return
            pause *= 2 if attempt else 1
            try:
                status = self._post(self.url, body, headers, PATIENCE)
            except OSError as error:
                told = error.strerror or str(error) or type(error).__name__
                continue
            if 200 <= status < 300:
                return
            told = f"status {status}"
            if 400 <= status < 500 and status not in (408, 425, 429):
                break  # trying again would not help
        log.warning("A webhook message to %s was given up: %s.", urlsplit(self.url).hostname, told)

    def _rest(self, seconds: float) -> bool:
        """True: it is over."""
        with self._news:
            return self._news.wait_for(lambda: self._stopped, seconds)


class Webhooks:
    """Listens to a table. What happens under its lock is a struct and a queue, nothing else."""

    def __init__(self, service: Service, receivers: Sequence[Receiver]) -> None:
        self._service, self._receivers = service, tuple(receivers)
        self._counting: set[int] = set()
        """The places whose panels count down."""
        self._won: str | None = None
        """The match whose end has been told."""
        if self._receivers:
            service.listen(self.hear)

    def hear(self, effect: Effect) -> None:
        if isinstance(effect, Light):
            self._light(effect)
        elif isinstance(effect, Said) and effect.kind in ("ruling", "act", "call") and not effect.only:
            self._send("ruling", text=sentence(effect.message), rules=effect.rules, line=effect.line)
            self._end()

    def _light(self, light: Light) -> None:
        if light.phase != "countdown":
            self._counting.discard(light.seat)
        elif light.seat not in self._counting:
            if not self._counting:
                self._send("countdown")
            self._counting.add(light.seat)

    def _end(self) -> None:
        match, name = self._service.match, self._service.at_table[0]
        if not match.over:
            self._won = None
        elif self._won != name:
            self._won = name
            self._send("win", winners=tuple(match.facts["winners"]))

    def _send(
        self,
        event: Happened,
        text: str = "",
        rules: tuple[str, ...] = (),
        line: int = 0,
        winners: tuple[str, ...] = (),
    ) -> None:
        service = self._service
        if service.lobby is not None:
            return
        match = service.match
        clock = round(service.clock()[0], 2)
        told = HookMessage(
            secrets.token_hex(8),
            event,
            service.at_table[0],
            match.game.name,
            match.players,
            clock,
            text,
            rules,
            line,
            winners,
        )
        body = msgspec.json.encode(told)
        for receiver in self._receivers:
            receiver.put(body)

    def close(self) -> None:
        if self._receivers:
            with suppress(ValueError):
                self._service.unlisten(self.hear)
        for receiver in self._receivers:
            receiver.close()


def webhooks_of(service: Service, urls: Sequence[str], data: Path) -> Webhooks:
    """Those of a table; without any address there is no secret either."""
    secret = kept_secret(data) if urls else b""
    return Webhooks(service, [Receiver(url, secret) for url in urls])

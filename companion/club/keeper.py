"""Whatever has to be on the venue's disk before a table may stop sending it, on a thread of its own: the wall never
waits for a disk. What arrives while the disk is busy goes to it together, so that a slow card carries many tables."""

import logging
import threading
from collections.abc import Callable
from typing import Final

from companion.club import topics
from companion.club.inbox import Inbox
from companion.club.intake import Intake
from companion.club.payloads import Acks, Have, Payload, Piece
from companion.club.store import StoreFailed
from companion.core.heartbeat import Heartbeats
from companion.core.message import Message

log = logging.getLogger("shinpan")

KEPT: Final = (topics.KIFU, topics.HAVE)
"""What a table says that has to be kept."""
TOGETHER = 128
"""Messages in one step to the disk."""
TICK = 0.25
PATIENCE = 60.0
"""Seconds that a step may take: a worn card can wait as long."""
KEEPER = "keeper"


class KifuKeeper:
    """`start` it, `stop` it. `read` takes a payload apart, or None where it makes no sense; `say` answers a table;
    `failed` is told why the disk takes nothing."""

    def __init__(
        self,
        intake: Intake,
        read: Callable[[str, str, bytes], Payload | None],
        say: Callable[[str, Acks], None],
        failed: Callable[[Message], None],
        heartbeats: Heartbeats,
    ) -> None:
        self._intake, self._read, self._say, self._failed = intake, read, say, failed
        self._heartbeats = heartbeats
        self._inbox: Inbox[tuple[str, bytes]] = Inbox()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=KEEPER, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._inbox.close()
        if self._thread.is_alive():
            self._thread.join(5)

    def put(self, table: str, what: str, data: bytes) -> None:
        """From any thread; comes back at once."""
        self._inbox.put(table, (what, data))

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self.step(TICK)
                self._heartbeats.beat(KEEPER, PATIENCE)
            except StoreFailed as error:
                self._failed(error.message)
                self._stop.wait(0.5)
            except Exception:
                log.exception("The venue could not keep a kifu; the table sends it again.")
                self._stop.wait(0.5)
        self._heartbeats.end(KEEPER)

    def step(self, timeout: float) -> None:
        pieces: list[tuple[str, Piece]] = []
        for table, (what, data) in self._inbox.take_many(timeout, TOGETHER):
            said = self._read(table, what, data)
            if isinstance(said, Piece):
                pieces.append((table, said))
            elif isinstance(said, Have):
                self._say(table, self._intake.have(table, said))
        if pieces:
            for table, acks in self._intake.pieces(pieces):
                self._say(table, acks)
        self._intake.read_results()

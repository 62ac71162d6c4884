"""Writing to a serial port in a separate thread, so that a cable that takes nothing blocks nobody else."""

import queue
import threading
from contextlib import suppress

from firmware_interface.link import Port

WAITING = 64
"""Lines that may wait for the wire. A panel that answers never has more than a few waiting."""


class SendingPort:
    """A port whose `write` never waits. What goes wrong while writing is raised by the next call.

    Reading stays with the caller: the port is opened without a read timeout, so that it never waits either.
    """

    def __init__(self, port: Port) -> None:
        self._port = port
        self._lines: queue.Queue[bytes | None] = queue.Queue(WAITING)
        self._failure: OSError | None = None
        self._closed = threading.Event()
        threading.Thread(target=self._send, name="panel sender", daemon=True).start()

    def read(self, size: int) -> bytes:
        self._raise_failure()
        return self._port.read(size)

    def write(self, data: bytes) -> int | None:
        self._raise_failure()
        try:
            self._lines.put_nowait(data)
        except queue.Full:
            raise BlockingIOError("the port takes nothing") from None
        return len(data)

    def fileno(self) -> int:
        return self._port.fileno()

    def close(self) -> None:
        """Does not wait for the sender, which ends after the line that it is writing."""
        self._closed.set()
        with suppress(queue.Full):
            self._lines.put_nowait(None)
        self._port.close()

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _send(self) -> None:
        while (line := self._lines.get()) is not None and not self._closed.is_set():
            try:
                self._port.write(line)
            except Exception as error:  # of the driver, or because the port was closed while it was writing
                self._failure = error if isinstance(error, OSError) else OSError(str(error))
                return

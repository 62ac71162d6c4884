"""A panel without hardware: the real firmware, on fake pins, behind a real serial device file.

The host opens `port` like any other serial port and cannot tell the difference, except that the panel admits in its
HELLO to be simulated. Nothing here needs a thread: `step(now)` does all that the panel does up to that moment, so a
fast match can run panels and host in one loop (`lockstep`); `run()` is the same in real time.
"""

import contextlib
import heapq
import os
import random
import select
import threading
import time
import tty
from collections import deque
from collections.abc import Callable, Iterable

import msgspec

from companion.core.events import Press, Sense
from companion.core.message import message
from companion.core.rulings import Unknown
from firmware_interface import protocol
from firmware_interface.panels import Panels
from hardware.panel import main as firmware

SETTLE = (firmware.STABLE_MS + 1) / 1000
TAP = 0.05
"""How long a finger stays on a button."""


class Shown(msgspec.Struct, frozen=True):
    """What the lights of a seat show at this moment."""

    phase: str
    """The firmware's phase; `offline` while it hears no host, `dark` while it is unplugged."""
    count: int
    colours: tuple[tuple[int, int, int], ...]


LATE_BYTES = 20
"""How many half milliseconds of real time an answer may take through a pty."""


class _Board(firmware.Board):
    """Fake pins, and one end of a pseudo terminal instead of a USB cable, with faults on demand."""

    def __init__(self, uid: str, seats: int, version: tuple[int, int]) -> None:
        self.uid = uid
        self.seats = seats
        self.abilities = protocol.RGB | protocol.BUZZER | protocol.SIMULATED
        self.version = version
        self.levels = 0
        self.colours: list[list[tuple[int, int, int]]] = [[] for _ in range(seats)]
        self.lit_at = [0.0] * seats
        self.hertz = 0
        self.wants_repl = False
        self.traffic = 0
        self.now = 0.0
        self.delay = 0.0
        self.faults: dict[str, deque[str]] = {"host": deque(), "panel": deque()}
        self.cable: tuple[int, int] | None = None
        """The panel's end and the host's."""
        self._chance = random.Random(uid)
        self._late: deque[tuple[float, bytes]] = deque()
        self._rest = b""

    def read(self) -> bytes:
        self._deliver()
        if self.cable is None:
            return b""
        try:
            data = os.read(self.cable[0], 4096)
        except BlockingIOError:
            return b""
        self.traffic += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        return b"".join(self._damaged("panel", line + b"\n") for line in lines)

    def write(self, line: bytes) -> None:
        said = protocol.decode(protocol.PANEL, line[:-1])
        if said and said[1] == "HELLO" and self.version != (protocol.MAJOR, protocol.MINOR):
            said[2][1:3] = self.version
            line = protocol.encode(protocol.PANEL, said[0], "HELLO", *said[2])
        self._late.append((self.now + self.delay, self._damaged("host", line)))
        self._deliver()

    def pressed(self) -> int:
        return self.levels

    def light(self, seat: int, colours: list[tuple[int, int, int]]) -> None:
        self.colours[seat] = colours
        self.lit_at[seat] = self.now

    def tone(self, hertz: int) -> None:
        self.hertz = hertz

    def repl(self) -> None:
        self.wants_repl = True

    def plug(self) -> str:
        # We hold the host's end open as well: otherwise the cable would look pulled whenever no host has it open.
        panel, host = os.openpty()
        tty.setraw(host)  # a terminal would echo the host's words back at it
        os.set_blocking(panel, False)
        self.cable = panel, host
        return os.ttyname(host)

    def unplug(self) -> None:
        for end in self.cable or ():
            os.close(end)
        self.cable, self._rest = None, b""
        self._late.clear()

    def _deliver(self) -> None:
        while self._late and self._late[0][0] <= self.now:
            line = self._late.popleft()[1]
            if self.cable is not None:
                # Nobody reads and the buffer is full: a real Pico loses the line too.
                with contextlib.suppress(BlockingIOError):
                    self.traffic += os.write(self.cable[0], line)

    def _damaged(self, to: str, line: bytes) -> bytes:
        match self.faults[to].popleft() if self.faults[to] else "":
            case "drop":
                return b""
            case "corrupt":
                at = self._chance.randrange(len(line) - 1)
                return line[:at] + bytes([line[at] ^ 1 << self._chance.randrange(7)]) + line[at + 1 :]
        return line


class SimulatedPanel:
    """One simulated Pico with this many seats. `port` is where a host finds it, empty while it is unplugged."""

    def __init__(
        self,
        seats: int = 1,
        uid: str | None = None,
        now: float = 0.0,
        *,
        version: tuple[int, int] = (protocol.MAJOR, protocol.MINOR),
        drift: float = 0.0,
    ) -> None:
        self.uid = uid or f"{random.getrandbits(64):016x}"
        self._board = _Board(self.uid, seats, version)
        self._epoch = now - random.Random(self.uid).uniform(1, 1e5)  # no two boards were started together
        self._drift = drift
        self._now = now
        self._todo: list[tuple[float, int, int, bool]] = []
        self._count = 0
        self._lock = threading.RLock()
        self._clock: Callable[[], float] | None = None
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.port = ""
        self.replug()

    def step(self, now: float) -> None:
        """Let the firmware run up to this moment."""
        with self._lock:
            while self._todo and self._todo[0][0] <= now:
                at, _, bit, down = heapq.heappop(self._todo)
                if bit >= 0:
                    self._board.levels = self._board.levels & ~(1 << bit) | down << bit
                self._run(at)
            self._run(now)

    def press(self, seat: int, button: str, at: float | None = None) -> None:
        """Put a finger on a button: now, or at a moment to come."""
        self._push(seat, button, True, at)

    def release(self, seat: int, button: str, at: float | None = None) -> None:
        self._push(seat, button, False, at)

    def tap(self, seat: int, button: str, at: float | None = None) -> None:
        """Press and release, as a finger does."""
        start = self._moment(at)
        self.press(seat, button, start)
        self.release(seat, button, start + TAP)

    @property
    def lights(self) -> tuple[Shown, ...]:
        """What each seat's lights show now."""
        with self._lock:
            if not self.port:
                return (Shown("dark", 0, ()),) * self._board.seats
            alone = self._firmware.alone
            return tuple(
                Shown("offline" if alone else lamp.phase, 0 if alone else lamp.count, tuple(colours))
                for lamp, colours in zip(self._firmware.lamps, self._board.colours, strict=True)
            )

    @property
    def lit_at(self) -> list[float]:
        """When each seat's lights last changed."""
        return list(self._board.lit_at)

    @property
    def fileno(self) -> int:
        """The panel's end of the cable, to wait on; -1 while it is unplugged."""
        return self._board.cable[0] if self._board.cable else -1

    @property
    def sounding(self) -> int:
        """Hertz of the buzzer, 0 when it is silent."""
        return self._board.hertz

    @property
    def traffic(self) -> int:
        """Bytes in and out so far: while it grows, somebody is still talking."""
        return self._board.traffic

    @property
    def wants_repl(self) -> bool:
        """Whether the host has sent it to the prompt, for new firmware."""
        return self._board.wants_repl

    def fail(self, fault: str, lines: int = 1, to: str = "host") -> None:
        """`drop` or `corrupt` the next lines that are sent to the `host` or to the `panel`."""
        if fault not in ("drop", "corrupt") or to not in self._board.faults:
            raise Unknown(message("there is no fault '{fault}' on the way to '{to}'", fault=fault, to=to))
        with self._lock:
            self._board.faults[to].extend([fault] * lines)

    def delay(self, seconds: float) -> None:
        """From now on let every line to the host be this late."""
        self._board.delay = seconds

    def noise(self, data: bytes) -> None:
        """Put these bytes on the wire to the host."""
        with self._lock:
            self._board._late.append((self._board.now, data))

    def reset(self) -> None:
        """Start the firmware again, as an undervoltage does; the port stays."""
        with self._lock:
            self._firmware = firmware.Panel(self._board, self._ticks(self._now))

    def unplug(self) -> None:
        """Pull the cable: the port vanishes, and with it the power."""
        with self._lock:
            self._board.unplug()
            self.port = ""

    def replug(self) -> None:
        """Put the cable back: the firmware starts again, most likely at a port with another name."""
        with self._lock:
            if not self.port:
                self.port = self._board.plug()
                self.reset()

    def run(self, clock: Callable[[], float] = time.monotonic, period: float = 0.005) -> None:
        """Run in real time in a separate thread, until `close`."""
        self._clock = clock

        def live() -> None:
            while not self._stop.is_set():
                cable = self.fileno
                try:
                    select.select([cable] if cable >= 0 else [], [], [], period)
                except (OSError, ValueError):
                    continue  # pulled while we were waiting
                self.step(clock())

        self._thread = threading.Thread(target=live, name=f"panel {self.uid}", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self.unplug()

    def __enter__(self) -> "SimulatedPanel":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _push(self, seat: int, button: str, down: bool, at: float | None) -> None:
        if button not in protocol.BUTTONS or not 0 <= seat < self._board.seats:
            raise Unknown(message("this panel has no button '{button}' at its seat {seat}", button=button, seat=seat))
        bit = seat * len(protocol.BUTTONS) + protocol.BUTTONS.index(button)
        with self._lock:
            moment = self._moment(at)
            self._count += 1
            heapq.heappush(self._todo, (moment, self._count, bit, down))
            # The firmware must look once more when the contact has come to rest.
            heapq.heappush(self._todo, (moment + SETTLE, self._count, -1, down))

    def _moment(self, at: float | None) -> float:
        return at if at is not None else self._clock() if self._clock else self._now

    def _run(self, at: float) -> None:
        self._now = self._board.now = max(at, self._now)
        if self.port:
            self._firmware.step(self._ticks(self._now))

    def _ticks(self, at: float) -> int:
        return int((at - self._epoch) * (1 + self._drift) * 1000) % protocol.TICKS


def lockstep(
    panels: Panels, simulated: Iterable[SimulatedPanel], now: float, patience: int = LATE_BYTES
) -> list[Press | Sense]:
    """Let host and panels exchange lines at this one moment until all is quiet, or for so many half milliseconds after
    everybody has fallen silent although an answer is due."""
    boards = list(simulated)
    events = panels.poll(now)
    while True:
        before = [board.traffic for board in boards]
        for board in boards:
            board.step(now)
        if [board.traffic for board in boards] == before:
            if not panels.waiting or not patience:
                return events
            # On a busy machine the kernel takes its time to carry bytes through a pty.
            patience -= 1
            time.sleep(0.0005)
        events += panels.poll(now)

"""The host's end of one wire: handshake, heartbeat, presses taken, commands sent until they are acknowledged.

A link never waits and has no thread: `poll(now)` does what is due at that moment. A service calls it a hundred times
a second; a simulation calls it in step with the panel at the other end, as fast as it likes.
"""

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol

import msgspec

from companion.core.events import Press
from companion.core.message import message
from companion.core.rulings import ShinpanError
from firmware_interface import protocol
from firmware_interface.clock import PanelClock

GREET_EVERY = 0.25
GREET_FOR = 3.0
PING_EVERY = 1.0
SYNC_EVERY = 0.02
SYNC_PINGS = 4
"""Asked in quick succession after the handshake, so that the first press is already well timed."""
STAT_EVERY = 10
"""Every so many heartbeats the panel is asked for its own counts."""
HOLD = 1.0
"""Seconds for which select is held to call the referee."""
HOLD_PINGS_EVERY = 0.05
"""While select is down, the panel is asked this often whether it still is."""
MISSES = 3
RESEND_AFTER = 0.2
RESENDS = 3
CUE_AGAIN_AFTER = 0.05
CUE_AGAIN = 4
"""A cue is sent again sooner and more often, because it has to arrive before its moment."""


SELECT = protocol.BUTTONS.index("select")


class Port(Protocol):
    """What a link needs of a serial port; pyserial's ports have it, opened without a read timeout."""

    def read(self, size: int) -> bytes: ...

    def write(self, data: bytes) -> int | None: ...

    def fileno(self) -> int: ...

    def close(self) -> None: ...


class LinkLost(ShinpanError):
    """The panel went away: unplugged, silent, or not a panel at all."""


class WrongVersion(ShinpanError):
    """The panel speaks another protocol."""


class Hello(msgspec.Struct, frozen=True):
    """A panel has introduced itself: it has just started or was just connected."""

    kind: str
    protocol: tuple[int, int]
    firmware: tuple[int, int]
    uid: str
    seats: int
    abilities: int

    @property
    def capabilities(self) -> tuple[str, ...]:
        names = ((protocol.RGB, "rgb"), (protocol.BUZZER, "buzzer"), (protocol.SIMULATED, "simulated"))
        return tuple(name for bit, name in names if self.abilities & bit)


class Stats(msgspec.Struct, frozen=True):
    """What the panel itself has counted: lines it missed, lines it could not read, seconds since it started."""

    lost: int
    bad: int
    up: int


Heard = Hello | Press
"""What a panel has to tell. A press carries the seat of the board, which `Panels` turns into one of the table."""


class _Command(msgspec.Struct):
    """The light that a seat should show. A newer one replaces it, so nothing out of date is ever sent again."""

    phase: str
    count: int
    due: float | None = None
    seqs: list[int] = []
    sent: float = 0.0
    acked: bool = False


class Link:
    def __init__(self, port: Port, now: float, clock: Callable[[], float] | None = None) -> None:
        """`clock` says when a line was read. Without it that is the moment of the poll, as in a simulation; in real
        time the processor may be taken away between the two, and an answer would seem quicker than it was."""
        self.hello: Hello | None = None
        self.name = ""
        """The name of the board's clock. It changes when the board restarts, because older stamps then mean nothing."""
        self.clock = PanelClock()
        self.held = 0
        """Buttons that are down, bit 4 * seat + button, as of the last heartbeat."""
        self.stats = Stats(0, 0, 0)
        self.healed = 0
        """Presses known only from the heartbeat."""
        self.heard = now
        """When the panel last said something."""
        self._port = port
        self._now = clock
        self._lines = protocol.Lines(protocol.HOST, protocol.PANEL)
        self._opened = now
        self._asked = -1e9
        self._pings: dict[int, float] = {}
        self._ping = 0
        self._misses = 0
        self._taken: deque[int] = deque([0], maxlen=32)
        self._behind: int | None = None
        self._commands: dict[int, _Command] = {}
        self._down: dict[int, Press] = {}
        """Seat -> a press of select that is not over yet: held for a while, it is a call for the referee."""

    @property
    def online(self) -> bool:
        return self.hello is not None

    @property
    def lost(self) -> int:
        """Lines of the panel that never arrived."""
        return self._lines.lost

    @property
    def bad(self) -> int:
        """Lines of the panel that arrived damaged."""
        return self._lines.bad

    @property
    def fileno(self) -> int | None:
        """To wait on, where the port has such a thing."""
        try:
            return self._port.fileno()
        except (OSError, AttributeError):
            return None

    def poll(self, now: float) -> list[Heard]:
        """Read, answer, and send what is due. Raises LinkLost or WrongVersion; the link is then of no more use."""
        heard: list[Heard] = []
        data = self._read()
        read_at = self._now() if self._now else now
        for _, verb, values in self._lines.feed(data):
            self._misses = 0
            self.heard = now
            if verb == "HELLO":
                heard.append(self._greeted(values, now))
            elif self.hello is not None:
                heard += self._hear(verb, values, read_at)
        if self.hello is None:
            self._greet(now)
        else:
            self._heartbeat(now)
            self._resend(now)
        return heard

    def show(self, seat: int, phase: str, count: int, now: float, due: float | None = None) -> None:
        """Set the light of a seat, at once or at a moment to come; sent until the panel says that it has it."""
        self._commands[seat] = command = _Command(phase, count, due)
        if self.online:
            self._send(seat, command, now)

    def buzz(self, hertz: int, seconds: float) -> None:
        self._say("BUZZ", hertz, round(seconds * 1000))

    def ask_repl(self) -> None:
        """Make the panel restart and wait for new firmware."""
        self._say("REPL")

    def close(self) -> None:
        with suppress(OSError):  # it may have been pulled out: then there is nothing left to close
            self._port.close()

    def _greet(self, now: float) -> None:
        if now - self._opened > GREET_FOR:
            raise LinkLost(message("no panel answers there"))
        if now - self._asked >= GREET_EVERY:
            self._asked = now
            self._say("GREET", protocol.MAJOR, protocol.MINOR)

    def _greeted(self, values: list[Any], now: float) -> Hello:
        kind, major, minor, firmware, uid, seats, abilities = values
        hello = Hello(str(kind), (major, minor), divmod(firmware, 256), str(uid), seats, abilities)
        if major != protocol.MAJOR:
            raise WrongVersion(
                message(
                    "panel {board} speaks protocol {theirs} and this program {ours}: bring it up to date with "
                    "'shinpan panel flash'",
                    board=str(uid),
                    theirs=f"{major}.{minor}",
                    ours=f"{protocol.MAJOR}.{protocol.MINOR}",
                )
            )
        # It may just have been switched on in the middle of a match: everything it knew is gone.
        self.hello = hello
        self.name = f"{uid} since {now:.3f}"
        self.clock = PanelClock()
        self.held = self._misses = 0
        self._taken.clear()
        self._taken.append(0)
        self._pings.clear()
        self._down.clear()
        self._behind = None
        self._asked = -1e9
        for command in self._commands.values():
            command.seqs, command.acked = [], False
        return hello

    def _hear(self, verb: str, values: list[Any], now: float) -> list[Heard]:
        if verb == "PONG":
            return self._pong(*values, now=now)
        if verb == "PRESS":
            return self._press(*values, now=now)
        if verb == "STATS":
            self.stats = Stats(*values)
        elif verb in ("ACK", "NAK"):  # a NAK (no such seat) is not worth sending again
            for command in self._commands.values():
                command.acked = command.acked or values[0] in command.seqs
        return []

    def _pong(self, number: int, ticks: int, held: int, event: int, *, now: float) -> list[Heard]:
        sent = self._pings.pop(number, None)
        if sent is not None:
            self.clock.learn(ticks, sent, now)
        over = self._let_go(held, now)
        fresh, self.held = held & ~self.held, held
        if event in self._taken:
            self._behind = None
            return over
        # The panel has seen a press that we have not. It sends it again by itself; if after a whole heartbeat it has
        # not, the heartbeat at least shows which button is down, and roughly since when.
        if self._behind != event:
            self._behind = event
            self.held &= ~fresh
            return over
        self._taken.append(event)
        pressed = [divmod(bit, len(protocol.BUTTONS)) for bit in range(32) if fresh >> bit & 1]
        self.healed += len(pressed)
        missed = [Press(seat, protocol.BUTTONS[button], now - PING_EVERY, PING_EVERY) for seat, button in pressed]
        return [*over, *missed]

    def _let_go(self, held: int, now: float) -> list[Heard]:
        """Presses of select that are over now: short ones as they were, long ones as calls."""
        over: list[Heard] = []
        for seat, press in list(self._down.items()):
            if not held >> (seat * len(protocol.BUTTONS) + SELECT) & 1:
                over.append(self._down.pop(seat))
            elif now - press.at >= HOLD:
                over.append(msgspec.structs.replace(self._down.pop(seat), button="call"))
        return over

    def _press(self, event: int, seat: int, button: str, ticks: int, *, now: float) -> list[Heard]:
        self._say("TAKEN", event)
        if event in self._taken:
            return []  # sent again because our TAKEN was lost
        self._taken.append(event)
        self.held |= 1 << (seat * len(protocol.BUTTONS) + protocol.BUTTONS.index(button))
        at, uncertainty = self.clock.moment(ticks, now) if len(self.clock) else (now, PING_EVERY)
        press = Press(seat, button, at, uncertainty, self.name, self.clock.whole(ticks) / 1000)
        before: list[Heard] = [self._down.pop(seat)] if seat in self._down else []  # in the order of the fingers
        if button != protocol.BUTTONS[SELECT]:
            return [*before, press]
        self._down[seat] = press
        return before

    def _heartbeat(self, now: float) -> None:
        often = HOLD_PINGS_EVERY if self._down else PING_EVERY
        if now - self._asked < (SYNC_EVERY if len(self.clock) < SYNC_PINGS else often):
            return
        if self._misses >= MISSES and now - self._asked >= PING_EVERY:
            raise LinkLost(message("the panel has stopped answering"))
        if self._misses and now - self._asked < PING_EVERY:
            return
        self._asked = now
        self._misses += 1
        self._ping = (self._ping + 1) & 255
        self._pings = {self._ping: now} | dict(list(self._pings.items())[:MISSES])
        self._say("PING", self._ping)
        if self._ping % STAT_EVERY == SYNC_PINGS:
            self._say("STAT")

    @property
    def waiting(self) -> bool:
        """The panel has been asked or told something and has not answered yet."""
        return self._misses > 0 or any(command.seqs and not command.acked for command in self._commands.values())

    def _resend(self, now: float) -> None:
        for seat, command in self._commands.items():
            patience = RESEND_AFTER if command.due is None or command.due <= now else CUE_AGAIN_AFTER
            if command.acked or (command.seqs and now - command.sent < patience):
                continue
            if len(command.seqs) > (RESENDS if command.due is None else RESENDS + CUE_AGAIN):
                raise LinkLost(message("the panel does not do what it is told"))
            self._send(seat, command, now)

    def _send(self, seat: int, command: _Command, now: float) -> None:
        phase, count = self._known(command)
        if command.due is None or command.due <= now or not len(self.clock):
            self._say("SHOW", seat, phase, count)
        else:
            self._say("CUE", seat, phase, count, self.clock.ticks(command.due))
        command.sent = now
        command.seqs.append(self._lines.sent)

    def _known(self, command: _Command) -> tuple[str, int]:
        """The light in words that this panel's version of the protocol has."""
        if self.hello is not None and self.hello.protocol < (1, 1) and command.phase in protocol.SINCE_1_1:
            return protocol.SINCE_1_1[command.phase], 0
        return command.phase, command.count

    def _read(self) -> bytes:
        try:
            return self._port.read(4096)
        except OSError as error:  # pyserial's own errors are OSErrors too
            raise LinkLost(message("the panel was unplugged")) from error

    def _say(self, verb: str, *values: int | str) -> None:
        try:
            self._port.write(self._lines.line(verb, *values))
        except BlockingIOError as error:
            raise LinkLost(message("the panel takes nothing of what is sent to it")) from error
        except OSError as error:
            raise LinkLost(message("the panel was unplugged")) from error

"""All panels of the table: found, greeted, seated, and found again after every unplugging.

A panel belongs to its seats by the number burnt into its board, never by the name of its port. Whatever is missing or
wrong is said once, as a Sense, and tried again for ever; nothing here ever stops a match.
"""

import contextlib
import os
import select
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence

import msgspec

from companion.core.events import MISSING, OK, SIMULATED, Condition, Light, Press, Sense, SenseState, trouble
from companion.core.message import message
from companion.core.rulings import ShinpanError, Unknown
from firmware_interface import protocol
from firmware_interface.link import Heard, Hello, Link, LinkLost, Port
from firmware_interface.ports import PortTrouble, open_port, usb_ports
from firmware_interface.sender import SendingPort

SCAN_EVERY = 0.5
RETRY_AFTER = 1.0
RETRY_LONGEST = 10.0
"""A port without a panel behind it is asked ever less often; one that had a panel is asked again at once."""

Bound = dict[str, tuple[int, ...]]
"""Board number -> seats of the table, in the board's own order."""

TOGETHER = ("countdown", "reveal")
LEAD = 0.25
"""Lights that must change together are sent this much ahead with the moment at which to change: even a command that
is lost and sent again comes in time."""

GONE = 5.0
"""Seconds that a seat is kept for its own panel before another may take it: after a restart the boards introduce
themselves in any order, and a spare that was quicker must not take somebody's seat."""

ANSWERED = 0.3
"""Seconds after which whatever a panel says was not on its way before."""

WARNING = (440, 0.4)
"""Hertz and seconds of the beep that warns of the end: no phase sounds like it."""
BLINK = 0.3
"""Seconds for which the lights go dim at a warning."""

FLASH = 1.0
"""A refusal is seen at least this long, however soon the next light follows it."""


ON_THE_WIRE = {"call": "refused"}
"""Lights that no panel has a word for: whoever calls the referee blinks like a refusal, but until it is answered."""


class _Place(msgspec.Struct):
    """A port, and what became of it."""

    url: str
    link: Link | None = None
    retry: float = 0.0
    failures: int = 0
    trouble: Condition | None = None
    seats: tuple[int, ...] = ()
    """Of the table, in the board's own order."""
    key: str = ""
    """What its seats are remembered by: the number of its board, and the port too where two boards have one number."""
    doubted: float | None = None
    """Since when it is open whether this is the board that was at another port, or a second one with its number."""

    @property
    def uid(self) -> str:
        return self.link.hello.uid if self.link is not None and self.link.hello is not None else ""


class PanelStatus(msgspec.Struct, frozen=True):
    """One port for the diagnostics page and `shinpan panel list`."""

    port: str
    condition: Condition
    """Missing while nobody has answered there yet."""
    uid: str = ""
    firmware: str = ""
    seats: tuple[int, ...] = ()
    capabilities: tuple[str, ...] = ()
    trip: float = 0.0
    """Seconds there and back."""
    lost: int = 0
    bad: int = 0
    """Lines lost and damaged, both ways."""

    @property
    def greeting(self) -> bool:
        """Whether we are still waiting for a first answer there."""
        return self.condition.state is SenseState.MISSING


class Panels:
    """The panels of a table with this many seats.

    `ports` are device paths or URLs, or a function that finds them; without it, every Pico on USB. `bound` says which
    board (by its number) has which seats; a board not named there takes the first seats that are free, and keeps
    them. `remember` is told whenever that changes. `clock` is the one that `now` is read from, where time is real:
    then every port is written to by a thread of its own. In a simulation all happens within `poll`.

    One thread calls `poll`. Any thread may call `show`, which never waits: what it asks for is sent by the next poll.
    """

    def __init__(
        self,
        seats: int,
        ports: Iterable[str] | Callable[[], Iterable[str]] | None = None,
        bound: Mapping[str, Sequence[int]] | None = None,
        open_port: Callable[[str], Port] = open_port,
        remember: Callable[[Bound], None] = lambda bound: None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.bound: Bound = {uid: tuple(mine) for uid, mine in (bound or {}).items()}
        self._remember = remember
        self._clock = clock
        self.seats = seats
        self._find = usb_ports if ports is None else ports if callable(ports) else lambda given=tuple(ports): given
        self._open = open_port
        self._places: dict[str, _Place] = {}
        self._scanned = -1e9
        self._asked: deque[tuple[Light, float]] = deque(maxlen=16 * max(1, seats))
        """Lights to be sent, and when they were asked for; filled by any thread, emptied by `poll`. Only the newest
        light of a seat matters, so older ones may be dropped."""
        self._woken = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        """Ends a `wait` as soon as there is a light to be sent."""
        self._warning = False
        """Everybody is to be warned with the next poll."""
        self._lights: dict[int, Light] = {}
        self._flashing: dict[int, float] = {}
        """Until when a seat's refusal is to be seen."""
        self._told: dict[str, Condition] = {}
        self._gone: dict[int, float] = {}
        """Since when a seat has been without its panel."""
        self._swapped: list[tuple[int, str, str]] = []
        """Seats that another board has taken, which and in place of which, until it is told."""
        self._twins: list[tuple[str, str, str]] = []
        """Boards with one number, and their two ports, until it is told."""
        self._told_twins: set[tuple[str, str]] = set()
        self._lock = threading.RLock()
        """Held by `poll`, `wait` and `close`; never while something is written to a real port."""

    def poll(self, now: float) -> list[Press | Sense]:
        """Presses with their times, and panels that came or went."""
        with self._lock:
            if now - self._scanned >= SCAN_EVERY:
                self._scan(now)
            for seat in range(self.seats):
                self._gone.pop(seat, None) if self.seated(seat) else self._gone.setdefault(seat, now)
            while self._asked:
                self._light(*self._asked.popleft())
            if self._warning:
                self._warning = False
                self._warn(now)
            presses = [press for place in list(self._places.values()) for press in self._visit(place, now)]
            return [*self._news(now), *presses]

    def show(self, light: Light, now: float) -> None:
        """Set the light of a seat; a panel that comes later learns it then."""
        if not 0 <= light.seat < self.seats:
            raise Unknown(message("there is no seat {seat} at this table", seat=light.seat + 1))
        if ON_THE_WIRE.get(light.phase, light.phase) not in protocol.PHASES or not 0 <= light.count < 16:
            raise Unknown(
                message(
                    "a panel has no light for '{phase}' with the count {count}", phase=light.phase, count=light.count
                )
            )
        self._asked.append((light, now))
        with contextlib.suppress(OSError):  # closed already
            os.eventfd_write(self._woken, 1)

    def warn(self) -> None:
        """Beep and blink once at every seat; like `show` it never waits."""
        self._warning = True
        with contextlib.suppress(OSError):  # closed already
            os.eventfd_write(self._woken, 1)

    def _warn(self, now: float) -> None:
        for place in self._places.values():
            if place.link is None or not place.seats:
                continue
            with contextlib.suppress(LinkLost):
                place.link.buzz(*WARNING)
                for seat in place.seats:
                    light = self._lights.get(seat, Light(seat, "idle"))
                    # Lights that change together, and a refusal, are not disturbed.
                    if light.phase not in (*TOGETHER, "refused"):
                        own = place.seats.index(seat)
                        place.link.show(own, "idle", 0, now)
                        place.link.show(own, light.phase, light.count, now, now + BLINK)

    def _light(self, light: Light, at: float) -> None:
        if self._lights.get(light.seat) == light:
            return
        self._lights[light.seat] = light
        if light.phase == "refused":
            self._flashing[light.seat] = at + FLASH
        for place in self._places.values():
            if light.seat in place.seats:
                with contextlib.suppress(LinkLost):  # this poll will notice as well, and say so
                    self._send(place, light, at)

    def seated(self, seat: int) -> bool:
        """Whether a panel is working at this seat."""
        return any(seat in place.seats for place in self._places.values())

    @property
    def waiting(self) -> bool:
        """Whether some panel has not answered yet."""
        return any(place.link is not None and place.link.waiting for place in self._places.values())

    def status(self) -> list[PanelStatus]:
        return [_status(place) for _, place in sorted(self._places.items())]

    def wait(self, timeout: float) -> None:
        """Sleep until a panel has something to say or somebody asks for a light, or that many seconds."""
        with self._lock:
            files = [place.link.fileno for place in self._places.values() if place.link is not None]
        known = [file for file in files if file is not None]
        with contextlib.suppress(OSError, ValueError):
            select.select([*known, self._woken], [], [], timeout)
            os.eventfd_read(self._woken)

    def close(self) -> None:
        with self._lock:
            if self._woken >= 0:
                os.close(self._woken)
                self._woken = -1
            for place in self._places.values():
                if place.link is not None:
                    place.link.close()
                place.link, place.seats = None, ()

    def _scan(self, now: float) -> None:
        self._scanned = now
        found = list(self._find())
        for url in found:
            self._places.setdefault(url, _Place(url))
        for url in self._places.keys() - set(found):
            # A port that is gone but still open reports that itself, with its seats.
            if self._places[url].link is None:
                del self._places[url]

    def _visit(self, place: _Place, now: float) -> list[Press]:
        try:
            if place.link is None and now >= place.retry:
                port = self._open(place.url)
                place.link = Link(port if self._clock is None else SendingPort(port), now, self._clock)
            heard = [] if place.link is None else place.link.poll(now)
            presses = [press for each in heard for press in self._hear(place, each, now)]
            if place.doubted is not None:
                self._tell_apart(place, now)
            return presses
        except ShinpanError as error:
            self._drop(place, error, now)
            return []

    def _hear(self, place: _Place, heard: Heard, now: float) -> list[Press]:
        if isinstance(heard, Hello):
            self._seat(place, heard, now)
        elif heard.seat < len(place.seats) and place.seats[heard.seat] < self.seats:
            return [msgspec.structs.replace(heard, seat=place.seats[heard.seat])]
        return []

    def _seat(self, place: _Place, hello: Hello, now: float) -> None:
        if hello.kind != "panel":
            raise LinkLost(message("board {board} is a {kind} and no panel", board=hello.uid, kind=hello.kind))
        place.failures, place.trouble, place.seats, place.doubted = 0, None, (), None
        by_port = f"{hello.uid}@{place.url}"
        key = by_port if by_port in self.bound else hello.uid
        if self._namesake(place, key) is None:
            self._seat_as(place, key, hello, now)
        else:  # the board may come up under a new name before the old one is noticed to be dead
            place.doubted = now

    def _tell_apart(self, place: _Place, now: float) -> None:
        """Seat a board whose number another one has, as soon as that one is gone, or has answered and so is another."""
        assert place.link is not None
        assert place.link.hello is not None
        assert place.doubted is not None
        hello = place.link.hello
        other = self._namesake(place, hello.uid)
        if other is None:
            place.doubted = None
            self._seat_as(place, hello.uid, hello, now)
        elif other.link is not None and other.link.heard >= place.doubted + ANSWERED:
            place.doubted = None
            self._twins.append((hello.uid, other.url, place.url))
            self._seat_as(place, f"{hello.uid}@{place.url}", hello, now)

    def _namesake(self, place: _Place, key: str) -> _Place | None:
        """Another port with a board that is known by this."""
        return next(
            (
                other
                for other in self._places.values()
                if other is not place and other.link is not None and other.key == key
            ),
            None,
        )

    def _seat_as(self, place: _Place, key: str, hello: Hello, now: float) -> None:
        mine = self.bound.get(key, ())
        if not any(seat < self.seats for seat in mine):  # new here, or from a larger table
            mine = self._free(hello.seats, now)
        if not mine:
            raise LinkLost(message("every seat has a panel already: this one is a spare"))
        before = dict(self.bound)
        for uid, theirs in before.items():
            if uid != key and set(theirs) & set(mine):
                self.bound[uid] = tuple(seat for seat in theirs if seat not in mine)
                self._swapped += [(seat, key, uid) for seat in mine if seat in theirs and seat < self.seats]
        self.bound[key] = place.seats = mine
        place.key = key
        if self.bound != before:
            self._remember({uid: seats for uid, seats in self.bound.items() if seats})
        for seat in mine:
            self._send(place, self._lights.get(seat, Light(seat, "idle")), now)

    def _free(self, wanted: int, now: float) -> tuple[int, ...]:
        """Seats for a board that has none: free ones, or else those whose panel has been gone for a while."""
        bound = {seat for seats in self.bound.values() for seat in seats}
        free = [seat for seat in range(self.seats) if seat not in bound]
        left = [seat for seat in range(self.seats) if now - self._gone.get(seat, now) >= GONE]
        return tuple((free or left)[:wanted])

    def _send(self, place: _Place, light: Light, now: float) -> None:
        assert place.link is not None
        due = None
        if light.phase in TOGETHER:
            due = now + LEAD
        elif light.phase != "refused":
            due = self._flashing.pop(light.seat, None)
        phase = ON_THE_WIRE.get(light.phase, light.phase)
        place.link.show(place.seats.index(light.seat), phase, light.count, now, due)

    def _drop(self, place: _Place, error: ShinpanError, now: float) -> None:
        if place.link is not None:
            place.link.close()
        place.link, place.key, place.doubted = None, "", None
        if place.seats:  # a panel was here: look for it at once, under any name
            place.seats, place.retry, self._scanned = (), now, -1e9
        else:
            place.trouble = trouble(error.message)
            # Trying to open a port costs nothing; talking to a device that is not a panel disturbs it.
            place.failures = 0 if isinstance(error, PortTrouble) else place.failures + 1
            place.retry = now + min(RETRY_AFTER * 2**place.failures, RETRY_LONGEST)

    def _news(self, now: float) -> list[Sense]:
        """What has changed since the last call."""
        state = {f"panel {seat + 1}": MISSING for seat in range(self.seats)}
        for place in self._places.values():
            if place.trouble is not None:
                state[f"panel at {place.url}"] = place.trouble
            for seat in place.seats:
                if seat < self.seats:
                    state[f"panel {seat + 1}"] = _status(place).condition
        gone = {name: MISSING for name in self._told if name not in state}
        changed = {name: now_is for name, now_is in (state | gone).items() if self._told.get(name) != now_is}
        self._told = state
        swapped, self._swapped = self._swapped, []
        twins, self._twins = self._twins, []
        new = [(board, one, other) for board, one, other in twins if (board, other) not in self._told_twins]
        self._told_twins |= {(board, other) for board, _, other in twins}
        return [
            *(Sense(name, condition, now) for name, condition in changed.items()),
            *(_swap(seat, board, before, state[f"panel {seat + 1}"], now) for seat, board, before in swapped),
            *(_twin(board, one, other, state.get(f"panel at {other}", OK), now) for board, one, other in new),
        ]


def _twin(board: str, one: str, other: str, condition: Condition, now: float) -> Sense:
    news = message(
        "Two panels have the same board number, {board}: they are told apart by their ports, {one} and {other}. Leave "
        "them plugged in where they are.",
        board=board,
        one=one,
        other=other,
    )
    return Sense(f"panel at {other}", condition, now, news)


def _swap(seat: int, board: str, before: str, condition: Condition, now: float) -> Sense:
    news = message(
        "Seat {seat} has another panel now: board {board} in place of {before}.",
        seat=seat + 1,
        board=board,
        before=before,
    )
    return Sense(f"panel {seat + 1}", condition, now, news)


def _status(place: _Place) -> PanelStatus:
    link = place.link
    if link is None or link.hello is None:
        return PanelStatus(place.url, place.trouble or MISSING)
    hello = link.hello
    return PanelStatus(
        place.url,
        SIMULATED if hello.abilities & protocol.SIMULATED else OK,
        hello.uid,
        "{}.{}".format(*hello.firmware),
        place.seats,
        hello.capabilities,
        link.clock.trip,
        link.lost + link.stats.lost,
        link.bad + link.stats.bad,
    )

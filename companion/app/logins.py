"""What logins rest on, kept over restarts: the PINs, the secret that signs the cookies, and a count of seconds.

Both files are in the data folder and only the user that the service runs as may read them. A tablet that has logged in
stays logged in when the service is killed and started again, whatever the machine's clock says meanwhile.
"""

import logging
import os
import secrets
import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.core.files import PRIVATE, NotWritten, set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json
from companion.referee.lobby import PLACES
from web.pins import REFEREE, SeatPin, new_pin

log = logging.getLogger("shinpan")

FILE = "logins.json"
COUNT_FILE = "logins.seconds"
SECRET_BYTES = 32


class BadLogins(ShinpanError):
    """A file of PINs that cannot be used, and why."""


class Logins(msgspec.Struct, frozen=True):
    secret: str
    """Signs the cookies."""
    referee_pin: str
    seats: tuple[SeatPin, ...]
    screen: str = ""
    """With this the table's own screen logs in."""


def load(path: Path) -> Logins | None:
    """The PINs that hold at a table; None where none are kept yet."""
    try:
        found = read_json(path.read_bytes(), Logins)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadLogins(message("{file} cannot be read: {detail}.", file=str(path), detail=error.strerror)) from None
    except msgspec.DecodeError:
        raise BadLogins(message("{file} does not hold the PINs of a table.", file=path.name)) from None
    pins = (found.referee_pin, *(seat.pin for seat in found.seats))
    whole = len(found.secret) >= 2 * SECRET_BYTES and len(found.seats) == PLACES
    if not whole or not all(len(pin) >= 6 for pin in pins):
        raise BadLogins(message("{file} does not hold the PINs of a table.", file=path.name))
    return found


def kept(data: Path, referee_pin: str = "") -> tuple[Logins, Message | None]:
    """The logins of the table in this data folder, and a notice if the file of them was damaged. They stay as they are
    over restarts; `referee_pin` is one that the configuration fixes."""
    path, notice = data / FILE, None
    try:
        before = load(path)
    except BadLogins as error:
        before, notice = None, set_aside(path, error.message)
    if before is None:
        seats = tuple(SeatPin(new_pin()) for _ in range(PLACES))
        before = Logins(secrets.token_hex(SECRET_BYTES), new_pin(), seats)
    screen = before.screen or secrets.token_hex(16)
    now = replace(before, referee_pin=referee_pin or before.referee_pin, screen=screen)
    write(path, now)
    return now, notice


def handed_out(seats: Sequence[SeatPin], names: Mapping[int, str], fixed: Mapping[str, str]) -> tuple[SeatPin, ...]:
    """The PINs for people who sit down without the lobby: whoever is new at a place gets a new one. `fixed` are those
    that the configuration gives by name."""
    handed = list(seats)
    for place, name in names.items():
        seat = handed[place]
        own = seat.pin if seat.name in ("", name) else new_pin()
        handed[place] = replace(seat, pin=fixed.get(name) or own, name=name)
    return tuple(handed)


def renewed(now: Logins, whose: Collection[str]) -> Logins:
    """New PINs for `referee` and for whoever sits somewhere under these names; for everybody, where there are none."""
    referee_pin = new_pin() if not whose or REFEREE in whose else now.referee_pin
    seats = (replace(seat, pin=new_pin()) if not whose or seat.name in whose else seat for seat in now.seats)
    return replace(now, referee_pin=referee_pin, seats=tuple(seats))


def keep_seats(path: Path, kept: Logins, seats: Sequence[SeatPin]) -> None:
    """The PINs of the seats have changed; whatever else is in the file stays, though somebody may have changed it."""
    with suppress(BadLogins):
        kept = load(path) or kept
    write(path, replace(kept, seats=tuple(seats)))


def write(path: Path, now: Logins) -> None:
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(now)) + b"\n", rights=PRIVATE)
    except NotWritten as error:  # no reason to stop a match
        log.warning("The PINs could not be kept and will be new after the next start: %s", error)


class TableSeconds:
    """Seconds that this table has been running, over all starts: the age of a login is counted by them.

    The machine's own clock will not do, because a Raspberry Pi has none that survives a power cut. The count never goes
    back: what was kept last may be `EVERY` seconds old, and after a power cut older still, so the next start goes on
    from `AHEAD` later.
    """

    EVERY = 30.0
    AHEAD = 120.0

    def __init__(self, path: Path, now: Callable[[], float] = time.monotonic) -> None:
        self._path, self._now = path, now
        before = self._read()
        self._start = (0.0 if before is None else before + self.AHEAD) - now()
        self._written = -self.EVERY

    def __call__(self) -> float:
        seconds = self._start + self._now()
        if seconds - self._written >= self.EVERY:
            self._written = seconds
            self._write(seconds)
        return seconds

    def _read(self) -> float | None:
        """None: nothing was kept. A count of 0 was: a table may be killed in its very first seconds."""
        try:
            text, _, check = self._path.read_bytes()[:64].rstrip(b"\n").partition(b" ")
            return float(int(text)) if check == b"%08x" % zlib.crc32(text) else None
        except (OSError, ValueError):
            return None

    def _write(self, seconds: float) -> None:
        """Without waiting for the disk: this is called while pages are served."""
        text = b"%016d" % seconds
        with suppress(OSError):
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
            try:
                os.pwrite(file, b"%b %08x\n" % (text, zlib.crc32(text)), 0)
            finally:
                os.close(file)

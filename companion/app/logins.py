"""What logins rest on, kept over restarts: the PINs, the secret that signs the cookies, and a count of seconds.

Both files are in the data folder and only the user that the service runs as may read them. A tablet that has logged in
stays logged in when the service is killed and started again, whatever the machine's clock says meanwhile.
"""

import logging
import os
import secrets
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.core.files import PRIVATE, NotWritten, set_aside, write_whole
from companion.core.message import Message, message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json

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
    seat_pins: dict[str, str]
    handed_to: dict[str, str] = {}
    """Player -> the name under which that player got the PIN, for those who were renamed since."""


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
    pins = (found.referee_pin, *found.seat_pins.values())
    if len(found.secret) < 2 * SECRET_BYTES or not all(len(pin) >= 6 for pin in pins):
        raise BadLogins(message("{file} does not hold the PINs of a table.", file=path.name))
    return found


def kept(
    data: Path, players: Sequence[str], referee_pin: str = "", seat_pins: Mapping[str, str] | None = None
) -> tuple[Logins, Message | None]:
    """The logins of a match in this data folder, and a notice if the file of them was damaged.

    PINs given by the configuration come first. The others stay as they are while the same people play; whoever is new
    gets a new one, and so does the referee then. The secret stays for good.
    """
    path, notice = data / FILE, None
    try:
        before = load(path)
    except BadLogins as error:
        before, notice = None, set_aside(path, error.message)
    if before is None:
        before = Logins(secrets.token_hex(SECRET_BYTES), "", {})
    same = set(before.seat_pins) == set(players)
    given = seat_pins or {}
    now = Logins(
        before.secret,
        referee_pin or (before.referee_pin if same else "") or new_pin(),
        {player: given.get(player) or before.seat_pins.get(player) or new_pin() for player in players},
        before.handed_to if same else {},
    )
    _write(path, now)
    return now, notice


def rename(data: Path, player: str, name: str) -> None:
    """A player has another name from now on: the PIN and the logins stay, after the next start too."""
    try:
        before = load(data / FILE)
    except BadLogins:
        return  # it is set aside at the next start
    if before is None or player not in before.seat_pins:
        return
    pins = {name if each == player else each: pin for each, pin in before.seat_pins.items()}
    handed_to = {each: first for each, first in before.handed_to.items() if each != player}
    handed_to[name] = before.handed_to.get(player, player)
    _write(data / FILE, Logins(before.secret, before.referee_pin, pins, handed_to))


def _write(path: Path, now: Logins) -> None:
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(now)) + b"\n", rights=PRIVATE)
    except NotWritten as error:  # no reason to stop a match
        log.warning("The PINs could not be kept and will be new after the next start: %s", error)


def new_pin() -> str:
    return f"{secrets.randbelow(10**6):06}"


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
        self._start = (before + self.AHEAD if before else 0.0) - now()
        self._written = -self.EVERY

    def __call__(self) -> float:
        seconds = self._start + self._now()
        if seconds - self._written >= self.EVERY:
            self._written = seconds
            self._write(seconds)
        return seconds

    def _read(self) -> float:
        try:
            text, _, check = self._path.read_bytes()[:64].rstrip(b"\n").partition(b" ")
            return float(int(text)) if check == b"%08x" % zlib.crc32(text) else 0.0
        except (OSError, ValueError):
            return 0.0

    def _write(self, seconds: float) -> None:
        """Without waiting for the disk: this is called while pages are served."""
        text = b"%016d" % seconds
        with suppress(OSError):
            file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
            try:
                os.pwrite(file, b"%b %08x\n" % (text, zlib.crc32(text)), 0)
            finally:
                os.close(file)

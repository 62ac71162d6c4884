"""Who a browser may speak for: everybody watches, a seat and the referee need their PIN.

A seat is a place at the table; whoever sits there is logged in by its PIN, whatever their name and whatever is played.
A browser can hold several roles at once, for a tablet that two seats share or a referee who also plays. The signed
cookie keeps each role with a proof of the PIN that was given for it, so a new PIN ends the old logins.
"""

import hashlib
import hmac
import logging
import secrets
import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.core.files import PRIVATE, NotWritten, write_whole
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json

log = logging.getLogger("shinpan")

REFEREE = "referee"
SCREEN = "screen"
"""The table's own screen, which shows the codes to log in with."""
CAMERA = "table camera"
"""A phone that was paired to be the table's camera; it may do nothing else."""
REVOKED_FILE = "logins.ended"
Ticket = tuple[str, str, str]
"""In the cookie, for each role: its key, the proof of its PIN, the number of the login."""
HOURS = 12
"""How long a login lasts: an evening."""


REVOKED = 5000
"""Logins that were ended and are remembered as such; more than all evenings of 12 hours have."""


class SeatPin(msgspec.Struct, frozen=True):
    """The PIN of a place at the table, and who it was handed to."""

    pin: str
    name: str = ""
    """Empty: nobody sits there yet."""
    slot: int | None = None
    """What cookies know this PIN by. It moves with the PIN when people change seats; None: the number of the place."""


class NotYours(ShinpanError):
    """This browser has not logged in as that."""


class Pins:
    """The PINs of a table: the referee's and one for each place. Whoever sits at a place is logged in by it under the
    name that is played there. The key of a role is `referee`, `screen`, or the number of the place."""

    def __init__(
        self,
        secret: str,
        referee_pin: str,
        seats: Sequence[SeatPin],
        seated: Callable[[], Mapping[str, int]],
        screen: str = "",
        revoked: Path | None = None,
        keep: Callable[[Sequence[SeatPin]], None] = lambda seats: None,
    ) -> None:
        """`seated` says who sits where now; `revoked` is the file that remembers which logins were ended, over
        restarts; `keep` remembers the PINs."""
        self._revoked = RevokedLogins(revoked)
        self._told: list[Callable[[], None]] = []
        self._key = secret.encode()
        self._fixed = {REFEREE: referee_pin, SCREEN: screen, CAMERA: self._pairing(referee_pin)}
        self.seats = tuple(seats)
        self._seated, self._keep = seated, keep
        self._lock = threading.Lock()

    def key(self, role: str | int) -> str | None:
        """What a role is known by: `referee`, a place counted from 0, or the name of whoever plays there."""
        if isinstance(role, int):
            return str(role) if 0 <= role < len(self.seats) else None
        if role in self._fixed:
            return role
        place = self._seated().get(role)
        return None if place is None else self.key(place)

    def pin(self, key: str | None) -> str:
        """Empty: there is no such role, or nobody can log in to it."""
        if key is None:
            return ""
        return self._fixed[key] if key in self._fixed else self.seats[int(key)].pin

    def has(self, role: str | int) -> bool:
        return bool(self.pin(self.key(role)))

    def accepts(self, role: str | int, pin: str) -> bool:
        """Whether this is the role's PIN; a wrong one, or a role that does not exist, takes just as long."""
        key = self.key(role)
        right = self.pin(key)
        return hmac.compare_digest(self._digest(str(key), right), self._digest(str(key), pin)) and bool(right)

    def ticket(self, role: str | int) -> Ticket:
        """What the cookie of somebody who has logged in says of this role; another one for each login."""
        key = self.key(role)
        slot = self._slot(int(key)) if key is not None and key not in self._fixed else key
        return str(slot), self._digest(str(slot), self.pin(key)), secrets.token_hex(8)

    def tickets(self, cookie: Mapping[str, Any]) -> dict[str, Ticket]:
        """Key of a role -> its ticket in a cookie, of those that still hold, the newest last."""
        held = {}
        for entry in cookie.get("roles", ()):
            match [str(part) for part in entry]:
                case [slot, proof, login] if (
                    (key := self._key_of(slot)) is not None
                    and hmac.compare_digest(proof, self._digest(slot, self.pin(key)))
                    and login not in self._revoked
                ):
                    held[key] = (slot, proof, login)
        return held

    def _key_of(self, slot: str) -> str | None:
        """The role that a ticket is for now; None: there is none, or nobody can log in to it."""
        here = (str(place) for place in range(len(self.seats)) if str(self._slot(place)) == slot)
        key = slot if slot in self._fixed else next(here, None)
        return key if self.pin(key) else None

    def _slot(self, place: int) -> int:
        slot = self.seats[place].slot
        return place if slot is None else slot

    def renew(self, place: int, name: str = "", pin: str = "") -> None:
        """Another PIN for a place, which ends all logins there at once."""
        with self._lock:
            changed = replace(self.seats[place], pin=pin or new_pin(), name=name)
            self.seats = (*self.seats[:place], changed, *self.seats[place + 1 :])
            self._keep(self.seats)
        self._tell()

    def take(self, referee_pin: str, seats: Sequence[SeatPin]) -> None:
        """PINs that were changed elsewhere: logins with the old ones end at once."""
        with self._lock:
            self._fixed[REFEREE], self.seats = referee_pin, tuple(seats)
            self._fixed[CAMERA] = self._pairing(referee_pin)
        self._tell()

    def hand_to(self, place: int, name: str) -> None:
        """The PIN of this place stays, and is somebody's from now on."""
        with self._lock:
            self.seats = (*self.seats[:place], replace(self.seats[place], name=name), *self.seats[place + 1 :])
            self._keep(self.seats)

    def move(self, to: Mapping[int, int]) -> None:
        """People change seats, place by place, and take their PINs along: their phones still speak for them."""
        with self._lock:
            seats = list(self.seats)
            for place, other in to.items():
                seats[other] = replace(self.seats[place], slot=self._slot(place))
            self.seats = tuple(seats)
            self._keep(self.seats)

    def revoke(self, tickets: Collection[Ticket]) -> None:
        """These logins end at once, wherever their cookie has been copied to."""
        if tickets:
            self._revoked.add([login for _, _, login in tickets])
            self._tell()

    def _tell(self) -> None:
        for tell in self._told:
            tell()

    def listen(self, tell: Callable[[], None]) -> None:
        """Be told, in any thread, when logins have ended."""
        self._told.append(tell)

    def held(self, cookie: Mapping[str, Any]) -> tuple[str, ...]:
        """The referee, and whoever plays at a place, as far as this cookie is logged in for them; the newest last."""
        players = {place: name for name, place in self._seated().items()}
        names = (
            REFEREE if key == REFEREE else players.get(int(key), "")
            for key in self.tickets(cookie)
            if key not in (SCREEN, CAMERA)
        )
        return tuple(filter(None, names))

    def places(self, cookie: Mapping[str, Any]) -> tuple[int, ...]:
        """The places that this cookie is logged in for."""
        return tuple(int(key) for key in self.tickets(cookie) if key not in self._fixed)

    def sees_codes(self, cookie: Mapping[str, Any]) -> bool:
        """Whether this browser may see with what others log in to the seats."""
        return bool({REFEREE, SCREEN} & self.tickets(cookie).keys())

    def may_be_camera(self, cookie: Mapping[str, Any]) -> bool:
        """Whether this browser may send pictures of the table."""
        return bool({REFEREE, CAMERA} & self.tickets(cookie).keys())

    def _pairing(self, referee_pin: str) -> str:
        """What a phone is paired with: the same over restarts, another one when the referee's PIN is renewed, and
        nothing at a table without a referee."""
        return self._digest("pairing", referee_pin) if referee_pin else ""

    def _digest(self, role: str, pin: str) -> str:
        return hmac.new(self._key, f"{role}\0{pin}".encode(), hashlib.sha256).hexdigest()[:32]


def new_pin() -> str:
    return f"{secrets.randbelow(10**6):06}"


def viewer(held: Sequence[str], asked: str | None) -> str | None:
    """Whom this request speaks for. `asked` empty is a spectator on purpose; None is the newest login."""
    if asked is None:
        return held[-1] if held else None
    if asked and asked not in held:
        raise NotYours(message("Log in with the PIN first."))
    return asked or None


CameraFor = Literal["referee", "everyone", "delayed", "masked"]
"""Who sees the camera's picture; with the last two, everybody sees only what gives nothing away."""


def may_see_camera(camera_for: CameraFor, held: Sequence[str]) -> bool:
    return camera_for != "referee" or REFEREE in held


def sees_all(camera_for: CameraFor, held: Sequence[str]) -> bool:
    """Whether it is the whole picture, as it is now."""
    return camera_for == "everyone" or REFEREE in held


class RevokedLogins:
    """Remembers which logins were ended; without a file, until the table is stopped. Safe to use from any thread."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._ended: dict[str, None] = {}
        if path is not None:
            with suppress(OSError, msgspec.DecodeError):
                self._ended = dict.fromkeys(read_json(path.read_bytes(), list[str]))

    def __contains__(self, login: str) -> bool:
        return login in self._ended

    def add(self, logins: Sequence[str]) -> None:
        with self._lock:
            self._ended = dict.fromkeys([*self._ended, *logins][-REVOKED:])
            if self._path is not None:
                try:
                    write_whole(self._path, msgspec.json.encode(list(self._ended)), rights=PRIVATE)
                except NotWritten as error:  # they have ended all the same, until the next start
                    log.warning("Which logins have ended could not be kept: %s", error)

"""Who a browser may speak for: everybody watches, a seat and the referee need their PIN.

A browser can hold several roles at once, for a tablet that two seats share or a referee who also plays. The
signed cookie keeps each role with a proof of the PIN that was given for it, so a new PIN ends the old logins.
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

from companion.core.files import PRIVATE, NotWritten, write_whole
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json

log = logging.getLogger("shinpan")

REFEREE = "referee"
REVOKED_FILE = "logins.ended"
Ticket = tuple[str, str, str]
"""In the cookie, for each role: the name under which it got its PIN, the proof of that PIN, the number of the login."""
HOURS = 12
"""How long a login lasts: an evening."""


REVOKED = 5000
"""Logins that were ended and are remembered as such; more than all evenings of 12 hours have."""


class NotYours(ShinpanError):
    """This browser has not logged in as that."""


class Pins:
    """The PINs of one match."""

    def __init__(
        self,
        secret: str,
        pins: Mapping[str, str],
        handed_to: Mapping[str, str] | None = None,
        revoked: Path | None = None,
    ) -> None:
        """`revoked` is the file that remembers which logins were ended, over restarts."""
        self._revoked = RevokedLogins(revoked)
        self._told: list[Callable[[], None]] = []
        self._key = secret.encode()
        self._pins = {role: pin for role, pin in pins.items() if pin}
        self._handed_to = {role: (handed_to or {}).get(role, role) for role in self._pins}
        """The name under which each role got its PIN: whoever is renamed stays logged in."""

    def has(self, role: str) -> bool:
        return role in self._pins

    def accepts(self, role: str, pin: str) -> bool:
        """Whether this is the role's PIN; a wrong one, or a role that does not exist, takes just as long."""
        right = self._pins.get(role, "")
        return hmac.compare_digest(self._digest(role, right), self._digest(role, pin)) and bool(right)

    def proof(self, role: str) -> str:
        return self._digest(self._handed_to[role], self._pins[role])

    def ticket(self, role: str) -> Ticket:
        """What the cookie of somebody who has logged in says of this role; another one for each login."""
        return self._handed_to[role], self.proof(role), secrets.token_hex(8)

    def tickets(self, cookie: Mapping[str, Any]) -> dict[str, Ticket]:
        """Role -> its ticket in a cookie, of those that still hold, the newest last."""
        present = {first: role for role, first in self._handed_to.items()}
        held = {}
        for entry in cookie.get("roles", ()):
            match [str(part) for part in entry]:
                case [first, proof, login] if (
                    first in present
                    and hmac.compare_digest(proof, self.proof(present[first]))
                    and login not in self._revoked
                ):
                    held[present[first]] = (first, proof, login)
        return held

    def revoke(self, tickets: Collection[Ticket]) -> None:
        """These logins end at once, wherever their cookie has been copied to."""
        if tickets:
            self._revoked.add([login for _, _, login in tickets])
            for tell in self._told:
                tell()

    def listen(self, tell: Callable[[], None]) -> None:
        """Be told, in any thread, when logins have ended."""
        self._told.append(tell)

    def rename(self, role: str, name: str) -> None:
        """A player has another name from now on, and the same PIN."""
        if role in self._pins:
            self._pins[name], self._handed_to[name] = self._pins.pop(role), self._handed_to.pop(role)

    def held(self, cookie: Mapping[str, Any]) -> tuple[str, ...]:
        """The roles in a cookie that still hold, the newest last."""
        return tuple(self.tickets(cookie))

    def _digest(self, role: str, pin: str) -> str:
        return hmac.new(self._key, f"{role}\0{pin}".encode(), hashlib.sha256).hexdigest()[:32]


def viewer(held: Sequence[str], asked: str | None) -> str | None:
    """Whom this request speaks for. `asked` empty is a spectator on purpose; None is the newest login."""
    if asked is None:
        return held[-1] if held else None
    if asked and asked not in held:
        raise NotYours(message("Log in with the PIN first."))
    return asked or None


def may_see_camera(camera_for: Literal["referee", "everyone"], held: Sequence[str]) -> bool:
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

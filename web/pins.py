"""Who a browser may speak for: everybody watches, a seat and the referee need their PIN.

A browser can hold several roles at once, for a tablet that two seats share or a referee who also plays. The
signed cookie keeps each role with a proof of the PIN that was given for it, so a new PIN ends the old logins.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.message import message
from companion.core.rulings import ShinpanError

REFEREE = "referee"
HOURS = 12
"""How long a login lasts: an evening."""


class NotYours(ShinpanError):
    """This browser has not logged in as that."""


class Pins:
    """The PINs of one match."""

    def __init__(self, secret: str, pins: Mapping[str, str], handed_to: Mapping[str, str] | None = None) -> None:
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

    def ticket(self, role: str) -> tuple[str, str]:
        """What the cookie of somebody who has logged in says of this role."""
        return self._handed_to[role], self.proof(role)

    def rename(self, role: str, name: str) -> None:
        """A player has another name from now on, and the same PIN."""
        if role in self._pins:
            self._pins[name], self._handed_to[name] = self._pins.pop(role), self._handed_to.pop(role)

    def held(self, cookie: Mapping[str, Any]) -> tuple[str, ...]:
        """The roles in a cookie that still hold, the newest last."""
        pairs = [(str(role), str(proof)) for role, proof in cookie.get("roles", ())]
        present = {first: role for role, first in self._handed_to.items()}
        return tuple(
            present[first]
            for first, proof in pairs
            if first in present and hmac.compare_digest(proof, self.proof(present[first]))
        )

    def _digest(self, role: str, pin: str) -> str:
        return hmac.new(self._key, f"{role}\0{pin}".encode(), hashlib.sha256).hexdigest()[:32]


def viewer(held: Sequence[str], asked: str | None) -> str | None:
    """Whom this request speaks for. `asked` empty is a spectator on purpose; None is the newest login."""
    if asked is None:
        return held[-1] if held else None
    if asked and asked not in held:
        raise NotYours(message("Log in with the PIN first."))
    return asked or None

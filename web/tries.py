"""Wrong PINs: guessing is slowed down more and more, and nobody is kept out by somebody else's guesses.

A try waits for whichever is longest: the wrong tries of its own address, whatever role they were for, and the wrong
tries for its role from all addresses together. Success forgives neither. Two are spared the wait for the role, and so
for other people's tries: the table's own screen, and a device that has been let in to that role before, which is
counted by itself alone. With `HOPELESS` below, all of them together get fewer than a hundred guesses in five hours.
"""

import ipaddress
import math
import secrets
import threading
from collections.abc import Callable

import msgspec
from itsdangerous import BadSignature, URLSafeSerializer

from companion.core.message import Message, message, plural
from web.pins import Pins

LOOPBACK = ("127.0.0.1", "::1")
OWN_FREE, ROLE_FREE = 5, 20
"""Wrong tries of one address or device, and for one role, that cost no time."""
FIRST, HOPELESS = 10.0, 1200.0
"""Seconds after the first that does; twice as many after each further one, up to the longest."""
FORGOTTEN = 12 * 3600.0
"""Seconds after which a wrong try counts no more."""


class Device(msgspec.Struct, frozen=True):
    """A browser that has been let in before, as its signed cookie says; it opens nothing by itself."""

    id: str
    roles: tuple[str, ...] = ()

    def let_in(self, role: str) -> "Device":
        return Device(self.id, (*(known for known in self.roles if known != role), role)[-16:])


class KnownDevices:
    """Signs and reads the cookie by which a device is known again."""

    COOKIE = "device"
    DAYS = 400

    def __init__(self, secret: str) -> None:
        self._signer = URLSafeSerializer(secret, salt="device")

    def read(self, cookie: str) -> Device:
        """The device of a cookie; a new one where there is none, or one that is not ours."""
        if not cookie:  # no need to fail first, which leaves the whole call in memory for a while
            return Device(secrets.token_hex(16))
        try:
            return msgspec.convert(self._signer.loads(cookie), Device)
        except (BadSignature, msgspec.ValidationError):
            return Device(secrets.token_hex(16))

    def cookie(self, device: Device) -> str:
        return str(self._signer.dumps(msgspec.to_builtins(device)))


class Tries:
    """Counts wrong PINs and says how long to wait. Safe to use from any thread."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: dict[tuple[str, str], list[float]] = {}
        self._lock = threading.Lock()

    def enter(self, pins: Pins, role: str | int, pin: str, address: str, device: Device) -> bool | float:
        """True or False for a PIN that was right or wrong; the seconds to wait where none is looked at now.

        One step under one lock: many tries at the same time are no more than many in a row.
        """
        with self._lock:
            now = self._now()
            self._forget(now)
            key = pins.key(role) or ""
            known = key in device.roles
            own = ("device", f"{device.id} {key}") if known else ("address", network(address))
            everybody = ("role", key if pins.has(role) else "")
            wait = self._wait(own, OWN_FREE, now)
            if not known and address not in LOOPBACK:
                wait = max(wait, self._wait(everybody, ROLE_FREE, now))
            if wait > 0:
                return wait
            if pins.accepts(role, pin):
                if known:
                    self._wrong.pop(own, None)
                return True
            for track in (own,) if known else (own, everybody):
                self._wrong.setdefault(track, []).append(now)
            return False

    def _wait(self, track: tuple[str, str], free: int, now: float) -> float:
        tries = self._wrong.get(track, [])
        if len(tries) < free:
            return 0.0
        delay = min(FIRST * 2.0 ** min(len(tries) - free, 30), HOPELESS)
        return max(0.0, tries[-1] + delay - now)

    def _forget(self, now: float) -> None:
        self._wrong = {
            track: recent
            for track, tries in self._wrong.items()
            if (recent := [at for at in tries if at > now - FORGOTTEN])
        }


def told(wait: float) -> Message:
    """The sentence for somebody who has to wait."""
    if wait <= 90:
        return plural(
            "Too many wrong PINs. Try again in {count} second.",
            "Too many wrong PINs. Try again in {count} seconds.",
            math.ceil(wait),
        )
    return message("Too many wrong PINs. Try again in {minutes} min.", minutes=math.ceil(wait / 60))


def network(address: str) -> str:
    """What counts as one address: all that one device can choose for itself, which with IPv6 is a whole network."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)

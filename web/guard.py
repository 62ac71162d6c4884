"""What keeps strangers' pages out: which Host a browser may have typed, which page may send, and the headers."""

import ipaddress
import re
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
        "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]/@\s]+)(:\d{1,5})?", re.IGNORECASE)


def trusted(host: str, names: Collection[str] = ()) -> bool:
    """Whether a Host header is one of this table's own.

    A foreign name that was made to point here (DNS rebinding) is refused. A bare address cannot be such a name, so
    any address will do: the table's own changes with its network.
    """
    found = _HOST.fullmatch(host)
    if not found:
        return False
    name = found["name"].lower().rstrip(".")
    return _is_address(name.strip("[]")) or name in own_names() or name in {known.lower() for known in names}


def own_names() -> set[str]:
    """How this machine is called, on itself and on the local network."""
    short = socket.gethostname().lower().partition(".")[0]
    return {"localhost", socket.gethostname().lower(), short, f"{short}.local"} - {""}


def same_origin(origin: str | None, fetch_site: str | None, host: str) -> bool:
    """Whether a request that changes something comes from our own page; one that does not say so does not."""
    if not origin or fetch_site not in (None, "same-origin", "none"):
        return False
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

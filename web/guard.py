"""What keeps other sites' pages out: which host name a request may use, which page may send one, and the headers.

`refusal` is the only check of hosts and origins: Flask makes it before every request, the live stream, which does not
pass through Flask, before every viewer."""

import ipaddress
import re
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from werkzeug.datastructures import Headers

from companion.core.message import Message, message
from web.mdns import table_names

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
CAMERA_PAGE = {"Permissions-Policy": "camera=(self), microphone=(), geolocation=()"}
"""The one page that may look through the camera of the device it is shown on."""
READING = ("GET", "HEAD", "OPTIONS")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]+\]|[^:\[\]/@\s]+)(:\d{1,5})?", re.IGNORECASE)


def refusal(
    method: str, headers: Headers, hosts: Collection[str], *, own_pages_only: bool = False
) -> tuple[int, Message] | None:
    """Why a request is turned away, as an HTTP status and a message; None where it may pass.

    `hosts` are names of this table beside its usual ones. Whatever changes something must come from our own page; with
    `own_pages_only` that is true of reading, too.
    """
    host, origin, site = headers.get("Host", ""), headers.get("Origin"), headers.get("Sec-Fetch-Site")
    if not trusted(host, hosts):
        return 400, message("This table does not go by that name.")
    if method not in READING and not same_origin(origin, site, host):
        return 403, message("Only Shinpan's own pages may do that (the Origin header must name this table).")
    if own_pages_only and not _same_site(site):
        return 403, message("Only Shinpan's own pages may do that.")
    return None


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
    """What this machine is called, by itself and on the local network."""
    short = socket.gethostname().lower().partition(".")[0]
    return {"localhost", socket.gethostname().lower(), short, f"{short}.local", *table_names()} - {""}


def same_origin(origin: str | None, fetch_site: str | None, host: str) -> bool:
    """Whether a request that changes something comes from our own page. One that does not say where it comes from
    does not."""
    if not origin or not _same_site(fetch_site):
        return False
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower()


def _same_site(fetch_site: str | None) -> bool:
    """What the browser says about the page that sends; old browsers say nothing."""
    return fetch_site in (None, "same-origin", "none")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True

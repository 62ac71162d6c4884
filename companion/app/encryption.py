"""`serve --tls`: the certificate of a table, for the names that it has on this network."""

from pathlib import Path
from typing import TYPE_CHECKING

from companion.upkeep.config import TableConfig
from web.guard import own_names
from web.mdns import own_addresses

if TYPE_CHECKING:
    from web.certificates import Certificates


def open_certificates(table: TableConfig, data: Path) -> "Certificates | None":
    """The table's certificates; None where it serves plain HTTP."""
    if not table.tls:
        return None
    from web.certificates import Certificates  # slow to import, and most tables do without it

    return Certificates(data, lambda: {*own_names(), *own_addresses(), *_given(table.host)})


def _given(host: str) -> set[str]:
    return set() if host in ("0.0.0.0", "::", "") else {host}

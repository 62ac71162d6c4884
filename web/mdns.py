"""Makes the table known on the local network, so that a tablet finds it by name, and tells under which addresses.

A table is `shinpan.local`, or `shinpan-2.local` where another one in the house already is. Its network may come long
after it, change, and go: a Raspberry Pi opens its table before the router has answered.
"""

import logging
import socket
import threading
from collections.abc import Callable, Sequence

from zeroconf import Error, ServiceInfo, Zeroconf
from zeroconf._services.info import AddressResolverIPv4

log = logging.getLogger("shinpan")

NAME = "shinpan"
TABLES = 9
"""Tables in one house that are told apart by a number."""
LOOKS = 10.0
"""Seconds between two looks at what addresses this machine has."""
ASKED = 1500
"""Milliseconds that are waited for another table to say that a name is its own."""


class MdnsService:
    """A context manager. Where the network will not have it, the page is still there by its address."""

    def __init__(
        self,
        host: str,
        port: int,
        scheme: str = "http",
        *,
        network: Callable[[], Zeroconf] = Zeroconf,
        addresses: Callable[[], list[str]] | None = None,
    ) -> None:
        self._port, self._scheme = port, scheme
        self._open = host in ("0.0.0.0", "::", "")
        self._own: Callable[[], list[str]] = (addresses or own_addresses) if self._open else lambda: [host]
        self._network = network
        self._zeroconf: Zeroconf | None = None
        self._announced: list[str] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep_announcing, name="mdns", daemon=True)
        self.name = ""
        """Under which this table is known now; empty: it is not."""

    @property
    def urls(self) -> list[str]:
        """For this machine first, for the others last."""
        names = ["localhost", *self._own()] if self._open else self._own()
        return [f"{self._scheme}://{name}{_port(self._port, self._scheme)}/" for name in names]

    def __enter__(self) -> "MdnsService":
        if self._open:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(5.0)
        self._withdraw()

    def _keep_announcing(self) -> None:
        while not self._stop.is_set():
            self.follow()
            self._stop.wait(LOOKS)

    def follow(self) -> None:
        """Announce the table under the addresses of this moment, unless that is done."""
        addresses = self._own()
        if addresses == self._announced:
            return
        self._withdraw()
        self._announced = addresses
        if not addresses:
            return
        try:
            self._zeroconf = self._network()
            self.name = free_name(self._zeroconf, addresses)
            for service in self._services(addresses, self.name):
                self._zeroconf.register_service(service, allow_name_change=True)
            log.info("The table is %s on the network.", self.name)
        except (OSError, Error) as error:
            self.name = ""
            log.warning("The table cannot be announced on the network: %s.", error)

    def _withdraw(self) -> None:
        if self._zeroconf is not None:
            self._zeroconf.close()
            self._zeroconf = None
            self.name = ""

    def _services(self, addresses: Sequence[str], name: str) -> list[ServiceInfo]:
        """The page for browsers of services, and the machine's own name for those who know it by that."""
        machine = socket.gethostname().split(".")[0]

        def service(kind: str, server: str) -> ServiceInfo:
            return ServiceInfo(
                kind,
                f"Shinpan on {machine}.{kind}",
                addresses=[socket.inet_aton(address) for address in addresses],
                port=self._port,
                properties={"path": "/"},
                server=f"{server}.",
            )

        return [service(f"_{self._scheme}._tcp.local.", name), service("_shinpan._tcp.local.", f"{machine}.local")]


def free_name(network: Zeroconf, own: Sequence[str]) -> str:
    """The first name of a table that nobody else on this network answers to."""
    for name in table_names():
        asked = AddressResolverIPv4(f"{name}.")
        if not asked.request(network, ASKED) or {*asked.parsed_addresses()} <= {*own}:
            return name
    return f"{socket.gethostname().split('.')[0]}.local"


def table_names() -> list[str]:
    """Names that a table can have on the network."""
    return [f"{NAME}.local", *(f"{NAME}-{number}.local" for number in range(2, TABLES + 1))]


def public_url(host: str, port: int, scheme: str = "http") -> str:
    """Where other devices in the house find a table that is served there; empty where that is not known yet."""
    return MdnsService(host, port, scheme).urls[-1] if port else ""


def _port(port: int, scheme: str) -> str:
    return "" if (scheme, port) in (("http", 80), ("https", 443)) else f":{port}"


def own_addresses() -> list[str]:
    """This machine's address on the local network, found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: routed, never reached
            address = str(probe.getsockname()[0])
        except OSError:
            return []
    return [] if address.startswith("127.") else [address]

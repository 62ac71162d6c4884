"""Makes the table known on the local network, so that a tablet finds it by name, and tells under which addresses."""

import logging
import socket

from zeroconf import NonUniqueNameException, ServiceInfo, Zeroconf

log = logging.getLogger("shinpan")


class MdnsService:
    """A context manager. Where the network will not have it, the page is still there by its address."""

    def __init__(self, host: str, port: int, scheme: str = "http") -> None:
        self._port, self._scheme = port, scheme
        self._open = host in ("0.0.0.0", "::", "")
        self._addresses = own_addresses() if self._open else [host]
        self._zeroconf: Zeroconf | None = None

    @property
    def urls(self) -> list[str]:
        """For this machine first, for the others last."""
        names = ["localhost", *self._addresses] if self._open else self._addresses
        return [f"{self._scheme}://{name}:{self._port}/" for name in names]

    def __enter__(self) -> "MdnsService":
        if self._open and self._addresses:
            try:
                self._zeroconf = Zeroconf()
                self._zeroconf.register_service(self._service(), allow_name_change=True)
            except (OSError, NonUniqueNameException) as error:
                log.warning("The table cannot be announced on the network: %s.", error)
        return self

    def __exit__(self, *_: object) -> None:
        if self._zeroconf is not None:
            self._zeroconf.close()

    def _service(self) -> ServiceInfo:
        kind, name = f"_{self._scheme}._tcp.local.", socket.gethostname().split(".")[0]
        return ServiceInfo(
            kind,
            f"Shinpan on {name}.{kind}",
            addresses=[socket.inet_aton(address) for address in self._addresses],
            port=self._port,
            properties={"path": "/"},
            server=f"{name}.local.",
        )


def public_url(host: str, port: int, scheme: str = "http") -> str:
    """Where other devices in the house find a table that is served there; empty where that is not known yet."""
    return MdnsService(host, port, scheme).urls[-1] if port else ""


def own_addresses() -> list[str]:
    """This machine's address on the local network, found without sending anything."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: routed, never reached
            address = str(probe.getsockname()[0])
        except OSError:
            return []
    return [] if address.startswith("127.") else [address]

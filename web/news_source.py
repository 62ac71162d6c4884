"""What a live stream needs to know of whatever it tells about: a table, or a venue with many."""

from typing import Any, Protocol

from companion.core.heartbeat import Heartbeats
from companion.core.phone_camera import PhoneLink


class NewsSource(Protocol):
    @property
    def version(self) -> int:
        """Grows with everything new."""
        ...

    @property
    def heartbeats(self) -> Heartbeats: ...

    @property
    def playing(self) -> bool:
        """Not the moment for an update."""
        ...

    @property
    def phone_camera(self) -> PhoneLink: ...

    def wait(self, version: int, timeout: float) -> int:
        """Wait until there is something newer than that version; gives back the version there is."""
        ...

    def page(self, viewer: str | None, language: str = "en") -> Any:
        """A struct with `version` and `build`."""
        ...


class ManyTables(NewsSource, Protocol):
    def page_of(self, table: str, language: str) -> dict[str, Any] | None:
        """The page of one of the tables; None: it has not come."""
        ...

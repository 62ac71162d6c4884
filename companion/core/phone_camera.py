"""A phone as the table's camera, in plain data and without pixels: the pages carry its pictures, `vision.camera.phone`
holds the newest of them, and `companion.app.phone_link` lets the table look through it."""

from typing import Any, Protocol, cast

import msgspec

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError

MOST_BYTES = 2 * 2**20
"""Of one picture; a sharp one of 1920 x 1080 pixels has a quarter of that."""


class PhoneInUse(ShinpanError):
    """Another phone is the camera."""


class PhoneState(msgspec.Struct, frozen=True):
    """The state of the phone that serves as the table's camera."""

    chosen: bool
    """The table looks through a phone, whether one sends pictures or not."""
    sends: bool = False
    phone: str = ""
    """The one that sends, as it called itself."""
    size: tuple[int, int] = (0, 0)
    rate: float = 0.0
    """Pictures a second."""
    late: float = 0.0
    """Seconds from when a picture was taken until the phone knew that it was here: it is no older than that."""
    own: str = ""
    """The camera that is plugged into the table; empty: there is none."""
    said: Message | None = None
    """What is wrong."""


class PhoneLink(Protocol):
    """What the pages can ask of it. Every call may raise a ShinpanError with one clear sentence."""

    def begin(self, phone: str, *, instead: bool) -> None:
        """This phone is the camera from now on; `PhoneInUse` where another one is, unless it comes `instead`."""

    def give(self, phone: str, picture: bytes, late: float) -> None:
        """A picture, as a JPEG. Only the newest is kept."""

    def leave(self, phone: str) -> None:
        """This phone stops being the camera."""

    def use_own(self) -> None:
        """Look through the camera that is plugged in again."""

    def state(self) -> PhoneState: ...


class _NoPhone:
    """Whatever it is asked, it says that no phone is needed here."""

    def state(self) -> PhoneState:
        return PhoneState(chosen=False, said=_DRAWN)

    def __getattr__(self, name: str) -> Any:
        def nothing(*_: object, **__: object) -> Any:
            raise ShinpanError(_DRAWN)

        return nothing


_DRAWN = message("The cards of this table are drawn: no phone can be its camera.")
NO_PHONE = cast(PhoneLink, _NoPhone())
"""For a virtual table."""

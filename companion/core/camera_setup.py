"""The camera as people set it up from a page: aim it, measure the table, enrol the cards, remember a corrected look.

Plain data and no pixels: `companion.app.live_camera_setup` does the work, pages and the command line show it.
"""

from typing import Any, Protocol, cast

import msgspec

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError

Corners = tuple[tuple[float, float], ...]
"""Four points in picture pixels, clockwise from an object's own top left."""


class NoPicture(ShinpanError):
    """There is no picture to work on."""


class NotClear(ShinpanError):
    """Something seems to lie on a table that is said to be clear."""


class Aim(msgspec.Struct, frozen=True):
    """What a picture shows of the table, so that the camera can be aimed."""

    look: int
    """The number of the picture, by which it can be asked for."""
    size: tuple[int, int]
    markers: dict[int, Corners]
    """The corner markers that are seen."""
    hidden: dict[int, Corners | None]
    """Those that are not, and where they should be, as far as that is known."""
    zones: dict[str, Corners]
    """Where the zones would be if the table were measured now; if it cannot be measured, where they were last."""
    fits: bool
    """The table can be measured in this picture."""
    words: tuple[Message, ...]
    """What is wrong or could be better, the most important first."""
    scale: float = 0.0
    """Pixels per millimetre in the middle of the table; 0 if unknown."""
    measured: bool = False
    """The running service has a calibration."""
    sheet: bool = False
    """The lens sheet lies on the table: it can be measured with that, and has to be measured again without it."""


class Spot(msgspec.Struct, frozen=True):
    """A picture in which a card is looked for, to be enrolled."""

    look: int
    size: tuple[int, int]
    card: Corners | None
    still: bool = False
    """It lies where it lay in the previous picture."""
    known: str | None = None
    """The enrolled card that it looks like."""
    words: tuple[Message, ...] = ()


class Known(msgspec.Struct, frozen=True):
    """What is enrolled of a deck."""

    deck: str
    cards: dict[str, int]
    """Every card that is wanted, in order, and how many looks there are of it; the back last."""
    revision: int
    """Grows with every change, so that a tap on an older state cannot remove the wrong look."""
    used: bool
    """The running referee reads with exactly these looks."""
    twins: tuple[tuple[str, str], ...] = ()
    """Cards that are too alike to be told apart."""
    trouble: Message | None = None
    """Why what was enrolled before cannot be used."""


class Reading(msgspec.Struct, frozen=True):
    """The top card of a zone as the camera reads it."""

    zone: str
    card: str | None
    guesses: tuple[str, ...]
    rotation: float
    confidence: float
    look: int
    """Changes with the reading, for the picture's address."""
    corners: Corners
    """Of the card, in parts of the camera's picture: from 0 to 1, from the top left."""


class CameraSetup(Protocol):
    """What the pages can ask of the camera. Every call may raise a ShinpanError with one clear sentence."""

    def aim(self) -> Aim: ...

    def aimed(self, look: int) -> bytes | None:
        """The picture of that report, as a JPEG; None when it is no longer kept."""

    def measure(self, *, clear: bool, sure: bool = False) -> Aim:
        """Measure the table and use the result from now on. `clear`: nothing lies on it; if something seems to,
        NotClear is raised unless the person is `sure`."""

    def spot(self) -> Spot: ...

    def picture(self, look: int, *, card: bool = False) -> bytes | None:
        """The picture of that number, or the card found in it, as a JPEG; None when it is no longer kept."""

    def known(self) -> Known: ...

    def take(self, card: str, look: int, *, instead: bool) -> Known:
        """Enrol the card found in that picture; `instead` of all looks at it so far."""

    def drop(self, card: str, place: int, revision: int) -> Known:
        """Remove a look."""

    def look_of(self, card: str, place: int) -> bytes | None:
        """An enrolled look as a JPEG."""

    def use(self) -> Known:
        """Read with what is enrolled from now on, complete or not."""

    def anew(self, revision: int) -> Known:
        """Start the deck again; the old file is kept until this is done once more."""

    def readings(self) -> list[Reading]:
        """What lies face up, as the camera reads it."""

    def crop(self, zone: str) -> bytes | None:
        """The card that was last read there, as a JPEG, cut out of the picture it was read from."""

    def remember(self, zone: str, card: str) -> tuple[Known, int]:
        """Add the card that was last read there to the looks at `card`; the number is its place among them."""


class _NoCamera:
    """Whatever it is asked, it says that there is no camera."""

    def __getattr__(self, name: str) -> Any:
        def nothing(*_: object, **__: object) -> Any:
            raise NoPicture(message("There is no camera at this table; cards are tapped on the page."))

        return nothing


NO_CAMERA = cast(CameraSetup, _NoCamera())
"""For a table without a camera."""

"""The camera as people set it up from a page: aim it, measure the table, enrol the cards, remember a corrected look.

Plain data and no pixels: `companion.app.live_camera_setup` does the work, pages and the command line show it.
"""

from typing import Any, Protocol, cast

import msgspec

from companion.core.message import Message, message
from companion.core.rulings import ShinpanError

Corners = tuple[tuple[float, float], ...]
"""Four points in picture pixels, clockwise from a thing's own top left."""


class NoPicture(ShinpanError):
    """There is nothing to look at."""


class NotClear(ShinpanError):
    """Something seems to lie on a table that is said to be clear."""


class Aim(msgspec.Struct, frozen=True):
    """What a picture shows of the table: enough to aim a camera by."""

    look: int
    """The number of the picture, to ask for it by."""
    size: tuple[int, int]
    markers: dict[int, Corners]
    """The corner markers that are seen."""
    hidden: dict[int, Corners | None]
    """Those that are not, and where they should lie, as far as that can be told."""
    zones: dict[str, Corners]
    """Where the places of the cards would lie if it were measured now, or lie as measured last."""
    fits: bool
    """It can be measured as it is."""
    words: tuple[Message, ...]
    """What is wrong or could be better, the most important first."""
    scale: float = 0.0
    """Pixels to the millimetre in the middle of the table; 0: nobody knows."""
    measured: bool = False
    """The running service has a calibration."""


class Spot(msgspec.Struct, frozen=True):
    """A picture in which a card is looked for, to be enrolled."""

    look: int
    size: tuple[int, int]
    card: Corners | None
    still: bool = False
    """It lies where it lay in the picture before."""
    known: str | None = None
    """The card that it is taken for by what is enrolled so far."""
    words: tuple[Message, ...] = ()


class Known(msgspec.Struct, frozen=True):
    """What is enrolled of a deck."""

    deck: str
    cards: dict[str, int]
    """Every card that is wanted, in order, and how many looks there are of it; the back last."""
    revision: int
    """Grows with every change, so that a tap made on an older state cannot take out another look."""
    used: bool
    """The running referee reads with exactly this."""
    twins: tuple[tuple[str, str], ...] = ()
    """Cards that are too alike to be told apart."""
    trouble: Message | None = None
    """Why what was enrolled before cannot be used."""


class Reading(msgspec.Struct, frozen=True):
    """The top card of a place as the camera has it."""

    zone: str
    card: str | None
    guesses: tuple[str, ...]
    rotation: float
    confidence: float
    look: int
    """Changes with the reading, for the picture's address."""


class CameraSetup(Protocol):
    """What the pages can ask of the camera. Every call may raise a ShinpanError with one clear sentence."""

    def aim(self) -> Aim: ...

    def aimed(self, look: int) -> bytes | None:
        """The picture that was aimed by, as a JPEG; None when it is kept no longer."""

    def measure(self, *, clear: bool, sure: bool = False) -> Aim:
        """Measure the table now and use that from here on. `clear`: nothing lies on it; where that seems wrong it is
        said once (NotClear), and whoever is `sure` says so."""

    def spot(self) -> Spot: ...

    def picture(self, look: int, *, card: bool = False) -> bytes | None:
        """The picture of that number, or the card found in it, as a JPEG; None when it is kept no longer."""

    def known(self) -> Known: ...

    def take(self, card: str, look: int, *, instead: bool) -> Known:
        """Enrol the card found in that picture; `instead` of all looks that there were of it."""

    def drop(self, card: str, place: int, revision: int) -> Known:
        """Take a look out again."""

    def look_of(self, card: str, place: int) -> bytes | None:
        """An enrolled look as a JPEG."""

    def use(self) -> Known:
        """Read with what is enrolled from here on, complete or not."""

    def anew(self, revision: int) -> Known:
        """Forget the deck; its file stays beside the new one until it is forgotten again."""

    def readings(self) -> list[Reading]:
        """What lies face up, as the camera reads it."""

    def crop(self, zone: str) -> bytes | None:
        """The card that was read there last, as a JPEG, cut out of the very picture."""

    def remember(self, zone: str, card: str) -> tuple[Known, int]:
        """Add the card that was read there last to the looks of `card`; tells which of them it became."""


class _NoCamera:
    """One sentence, whatever it is asked."""

    def __getattr__(self, name: str) -> Any:
        def nothing(*_: object, **__: object) -> Any:
            raise NoPicture(message("There is no camera at this table; cards are tapped on the page."))

        return nothing


NO_CAMERA = cast(CameraSetup, _NoCamera())
"""At a table without a camera."""

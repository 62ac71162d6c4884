"""What the senses tell the referee, and what the referee has done about it.

Every time is in seconds on the service's steady clock; only the referee knows the match clock.
"""

from enum import Enum
from typing import Any

import msgspec

from companion.core.layout import Sight
from companion.core.message import Message
from companion.core.rulings import Happening, Refusal


class Seen(msgspec.Struct, frozen=True, tag="seen"):
    """The camera has a new still picture of the table."""

    sight: Sight
    at: float


class Press(msgspec.Struct, frozen=True, tag="press"):
    """A button on a panel. `uncertainty` is how far `at` may be wrong: closer presses than that are a tie."""

    seat: int
    """Counted from 0 in the kifu's order of players."""
    button: str
    """`ready`, `up`, `down`, `select`, `call` (select, held); on the timer `start`, `reset`."""
    at: float
    uncertainty: float = 0.0
    clock: str = ""
    """The clock that stamped it: a board's, since its last handshake. Empty: the service's clock."""
    stamp: float = 0.0
    """Seconds on that clock. Presses with the same clock are ordered by their stamps alone, however late they come."""


class Tap(msgspec.Struct, frozen=True, tag="tap"):
    """Somebody touched the page. `by` is a player's name, or `referee`."""

    by: str
    what: str
    """`move`, `oops`, `ready`, `correct`, `call`, `answer`, `concede`; by the referee `pause`, `resume`, `undo`,
    `mend`, or an act: `time`, `award`, `rule`, `end`, `rename`."""
    data: dict[str, Any]
    at: float


class Tick(msgspec.Struct, frozen=True, tag="tick"):
    """Time passes. Sent many times a second; the referee learns the time only from events."""

    at: float


class SenseState(Enum):
    OK = "ok"
    MISSING = "missing"
    SIMULATED = "simulated"
    TROUBLE = "trouble"


class Condition(msgspec.Struct, frozen=True):
    """How a camera, a panel or the timer is, and in words what is wrong with it."""

    state: SenseState
    message: Message | None = None

    @property
    def usable(self) -> bool:
        return self.state in (SenseState.OK, SenseState.SIMULATED)


OK, MISSING, SIMULATED = Condition(SenseState.OK), Condition(SenseState.MISSING), Condition(SenseState.SIMULATED)


def trouble(reason: Message) -> Condition:
    return Condition(SenseState.TROUBLE, reason)


class Sense(msgspec.Struct, frozen=True, tag="sense"):
    """A camera or a panel came or went, or is simulated; the page says so."""

    name: str
    """`camera`, `panel 1`, `timer`, ..."""
    condition: Condition
    at: float
    news: Message | None = None
    """For everybody to read, once."""


Event = Seen | Press | Tap | Tick | Sense


class Light(msgspec.Struct, frozen=True, tag="light"):
    """A panel's light. `phase`: placing, locked, countdown, reveal, choice, call, refused, idle, offline; in the lobby
    asking and seated, which have the colour of their place."""

    seat: int
    phase: str
    count: int = 0
    """3, 2, 1 during the countdown; in the lobby the place whose colour it is."""


class Said(msgspec.Struct, frozen=True, tag="said"):
    """A sentence for the page: a ruling, what the referee did by hand (`act`), a refusal, a call (`call`), how much
    time is left (`time`), or news about the table (`notice`)."""

    kind: str
    rules: tuple[str, ...]
    message: Message
    line: int = 0
    """Line of the kifu it belongs to."""
    happened: Happening | None = None
    """What a ruling is about, as data for the page to draw."""
    only: str = ""
    """The one player whom it is told to; empty: everybody."""


class Read(msgspec.Struct, frozen=True, tag="read"):
    """A move was read from the camera's picture, which is kept as evidence."""

    line: int


class Warned(msgspec.Struct, frozen=True, tag="warned"):
    """The match is about to end by the clock; the sentence goes out beside it. Panels beep and blink."""


class Changed(msgspec.Struct, frozen=True, tag="changed"):
    """Something on the page is new: send it out."""


Effect = Light | Said | Read | Warned | Changed


class Outcome(msgspec.Struct, frozen=True):
    """What became of an event: the effects for panels and pages, and the refusal if it was not accepted."""

    effects: list[Effect]
    refusal: Refusal | None = None

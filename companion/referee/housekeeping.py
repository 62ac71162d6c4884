"""Looking after a table from a page: the doctor, settings, backups, and the first visit. Plain data and no I/O:
`companion.app.housekeeping` does the work, `web.upkeep` shows it."""

from collections.abc import Mapping
from typing import Any, Literal, Protocol

import msgspec

from companion.core.message import Message
from companion.core.rulings import ShinpanError
from companion.referee.lobby_view import Check

STEPS = ("pin", "camera", "cards", "panels", "timer", "trial")
"""Of the first visit, in order; the language is chosen on its first page."""


class WrongSetting(ShinpanError, ValueError):
    """A setting that cannot be what was asked for."""

    def __init__(self, said: Message, field: str) -> None:
        super().__init__(said)
        self.field = field


class HouseSetting(msgspec.Struct, frozen=True):
    """One setting on the page."""

    name: str
    about: Message
    kind: Literal["text", "number", "switch", "choice", "list", "secret"]
    value: Any
    choices: tuple[str, ...]
    origin: Message
    fixed: bool
    """The command line or the environment says it: the file would not count."""
    live: bool
    """A new value holds at once."""


class HouseGroup(msgspec.Struct, frozen=True):
    title: Message
    settings: tuple[HouseSetting, ...]


class KeptBackup(msgspec.Struct, frozen=True):
    name: str
    kilobytes: int
    day: str


class Stick(msgspec.Struct, frozen=True):
    """A USB stick that is plugged in, and about which nobody has said anything yet."""

    name: str
    free_megabytes: int


class Housekeeping(Protocol):
    """What the page can ask. Every call may raise a ShinpanError with one clear sentence."""

    def checks(self) -> tuple[Check, ...]: ...
    def mend(self) -> list[Message]: ...
    def settings(self) -> tuple[HouseGroup, ...]: ...
    def file(self) -> str: ...
    def change(self, values: Mapping[str, Any]) -> list[Message]:
        """Write these settings into the file, and use those that can be used at once; what is to be said."""

    def backups(self) -> tuple[KeptBackup, ...]: ...
    def back_up(self) -> Message: ...
    def stick(self) -> Stick | None: ...
    def answer_stick(self, answer: Literal["always", "never", "now"]) -> Message: ...
    def awaited(self) -> tuple[str, ...]:
        """Steps of the first visit that are not done; none: it is over."""

    def done(self, step: str) -> None: ...
    def claim(self, pin: str, *, here: bool) -> bool:
        """Set the referee's PIN on the first visit; False once anybody has set or used one. From the network only for a
        while after the table was switched on; `here`: on its own screen, where there is no hurry."""

    def has_referee(self) -> None:
        """Somebody has logged in with the referee's PIN: nobody else may choose one any more."""

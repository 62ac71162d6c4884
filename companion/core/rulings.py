"""What a referee decides: rulings and refusals, each naming its rule; and the errors that are neither."""

from typing import Any

import msgspec

from companion.core.message import Message


class Happening(msgspec.Struct, frozen=True, gc=False, tag_field="what"):
    """What happened, as data for the page to draw. A game has a subclass for each kind: `tag="struck"`."""


class Ruling(msgspec.Struct, frozen=True, gc=False):
    """One consequence of a rule: which rule, in words, and what it changed."""

    rule: str
    message: Message
    changes: dict[str, tuple[Any, Any]] = {}
    """Dotted path into the kifu's state -> (before, after)."""
    happened: Happening | None = None

    @property
    def text(self) -> str:
        """In plain English."""
        return str(self.message)


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """A play that was not accepted. It changed nothing."""

    rules: tuple[str, ...]
    """The rules that it breaks; empty where something other than a rule prevents it (a full disk)."""
    message: Message
    field: str = ""
    """Of a match that cannot be set up: the option that it is about, or `players`."""


class Refused(Exception):
    """Raised by the rules for a play that they forbid."""

    def __init__(self, rules: str | tuple[str, ...], message: Message, field: str = "") -> None:
        # A rule that is cited twice, by two reasons, is listed once.
        self.refusal = Refusal((rules,) if isinstance(rules, str) else tuple(dict.fromkeys(rules)), message, field)
        super().__init__(rules, message)

    def __str__(self) -> str:
        return str(self.refusal.message)

    @property
    def rules(self) -> tuple[str, ...]:
        return self.refusal.rules

    def citing(self, *more: str) -> "Refused":
        """The same refusal, these rules cited too."""
        return Refused((*self.rules, *(rule for rule in more if rule not in self.rules)), self.message, self.field)

    @property
    def message(self) -> Message:
        return self.refusal.message

    @property
    def field(self) -> str:
        return self.refusal.field

    @property
    def text(self) -> str:
        return str(self)


class ShinpanError(Exception):
    """Anything that goes wrong outside the rules; its message is one sentence for the person at the table."""

    def __init__(self, message: Message) -> None:
        self.message = message
        super().__init__(message)

    def __str__(self) -> str:
        return str(self.message)


class Mistake(ShinpanError, ValueError):
    """Something that cannot be read or used."""


class Unknown(ShinpanError, LookupError):
    """A name that is not known here."""

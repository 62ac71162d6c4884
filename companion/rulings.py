"""What a referee says: rulings, refusals, and the errors that are neither.

A sentence is a template in English with its facts beside it, never a finished string, so that every viewer can
have it in their own language (`companion.wording`). The template is the key of its translation.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

Facts = Mapping[str, Any]


THINGS = ("card", "weapon", "slot", "fan", "kind")
"""Facts that are ids of things: `bo_staff` is read as words."""


def worded(facts: Facts) -> dict[str, Any]:
    """Facts as a sentence tells them."""
    things = {name: fact.replace("_", " ") for name, fact in facts.items() if name in THINGS and isinstance(fact, str)}
    return {**facts, **things}


class Ruling(msgspec.Struct, frozen=True):
    """One consequence of a rule: which rule, in words, and what it changed."""

    rule: str
    say: str
    """English template: `"{attacker} strikes {defender}."`"""
    facts: dict[str, Any] = {}
    changes: dict[str, tuple[Any, Any]] = {}
    """Dotted path into the kifu's state -> (before, after)."""

    @property
    def text(self) -> str:
        return self.say.format_map(worded(self.facts))


class Refused(Exception):
    """A play that the rules forbid. It changes nothing; it names the rules it breaks."""

    def __init__(self, rules: str | tuple[str, ...], say: str, **facts: Any) -> None:
        self.rules = (rules,) if isinstance(rules, str) else rules
        self.say = say
        self.facts = facts
        super().__init__(self.text)

    @property
    def text(self) -> str:
        return self.say.format_map(worded(self.facts))


class ShinpanError(Exception):
    """Anything that goes wrong outside the rules; its text is one sentence for the person at the table."""


class Unknown(ShinpanError, LookupError):
    """A name that stands for nothing here."""

"""What a referee says: rulings, refusals, and the errors that are neither.

A sentence is a template in English with its facts beside it, never a finished string, so that every viewer can
have it in their own language (`companion.core.wording`). The template is the key of its translation. Things are ids
there (`bo_staff`), as in the kifu; they get their names when a sentence is made.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

Facts = Mapping[str, Any]


THINGS = frozenset(
    ("card", "weapon", "slot", "fan", "kind", "move", "element", "kamae", "side", "facing", "type", "zone")
) | {"stands", "belongs"}
"""Facts with these last words (or their plurals) hold ids of things, as `top_card`; others (`player`) are told as
they are."""


def plainly(thing: str) -> str:
    """An id as words, where no name is known."""
    return thing.replace("_", " ")


class Phrase(msgspec.Struct, frozen=True):
    """A part of a sentence that has facts of its own: one of several things that are wrong with a deck."""

    say: str
    facts: dict[str, Any] = {}

    @property
    def text(self) -> str:
        return self.say.format_map(worded(self.facts))


def _plain_text(phrase: Phrase) -> str:
    return phrase.text


def worded(
    facts: Facts, named: Callable[[str], str] = plainly, tell: Callable[[Phrase], str] = _plain_text
) -> dict[str, Any]:
    """Facts as a sentence tells them: things by their names, several of anything in a row."""
    return {key: _worded(fact, named if _is_thing(key) else str, tell) for key, fact in facts.items()}


def _is_thing(key: str) -> bool:
    last = key.rpartition("_")[2]
    return last in THINGS or last.removesuffix("s") in THINGS


def _worded(fact: Any, named: Callable[[str], str], tell: Callable[[Phrase], str]) -> Any:
    if isinstance(fact, str):
        return named(fact)
    if isinstance(fact, Phrase):
        return tell(fact)
    if not isinstance(fact, list | tuple):
        return fact
    mark = "; " if any(isinstance(each, Phrase) for each in fact) else ", "
    return mark.join(str(_worded(each, named, tell)) for each in fact)


class Ruling(msgspec.Struct, frozen=True, gc=False):
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


class Mistake(ShinpanError, ValueError):
    """Something that cannot be read or used. It keeps its template and facts, for the viewer's language."""

    def __init__(self, say: str, /, **facts: Any) -> None:
        self.say, self.facts = say, facts
        super().__init__(self.phrase.text)

    @property
    def phrase(self) -> Phrase:
        """To be told inside another sentence."""
        return Phrase(self.say, self.facts)


class Unknown(ShinpanError, LookupError):
    """A name that stands for nothing here."""

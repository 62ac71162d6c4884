"""What is said to people: a template with its facts, made anywhere and turned into a sentence at the edge.

>>> str(message("{player} plays {card}.", player=Thing("player", "Aki"), card=Thing("card", "bo_staff")))
'Aki plays bo staff.'
>>> str(plural("{count} stick", "{count} sticks", 2))
'2 sticks'

The English template is the key of its translation. `companion.core.wording` makes the sentence in the reader's
language; `str` is the plain English, for logs and developers. Nothing parses, splits or matches a sentence.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Union

import msgspec


class Thing(msgspec.Struct, frozen=True, gc=False, tag_field="is", tag="thing"):
    """A card, a weapon, a place or a player in a sentence: an id that gets its name when the sentence is made."""

    kind: str
    """`card`, `weapon`, `place`, `player`, ... A player's id is the name itself."""
    id: str

    def __str__(self) -> str:
        return self.id if self.kind == "player" else self.id.replace("_", " ")


Fact = Union[None, bool, int, float, str, Thing, "Message", tuple[Union[int, float, str, Thing, "Message"], ...]]
"""What a template can be filled with. Several of anything are listed."""


class Message(msgspec.Struct, frozen=True, gc=False, tag_field="is", tag="message"):
    """Use `message` and `plural` to make one: translations are collected from these calls."""

    template: str
    """English, its facts in braces: `"{attacker} strikes {defender}."`"""
    facts: dict[str, Fact] = {}
    many: str = ""
    """The template for any other count than one; empty where nothing is counted."""
    count: int = 1

    def __str__(self) -> str:
        template = self.many if self.many and self.count != 1 else self.template
        return fill(template, self.facts, str, str)


def message(template: str, /, **facts: Fact) -> Message:
    """Something to say. The template has to be written out in the call, or nobody could collect it for translation."""
    return Message(template, facts)


def plural(one: str, many: str, count: int, /, **facts: Fact) -> Message:
    """A message about so many of something; `count` is among its facts."""
    return Message(one, {"count": count, **facts}, many, count)


def things(kind: str, ids: Iterable[str]) -> tuple[Thing, ...]:
    """Several things of one kind, as a fact."""
    return tuple(Thing(kind, each) for each in ids)


def fill(template: str, facts: Mapping[str, Fact], name: Callable[[Thing], str], tell: Callable[[Message], str]) -> str:
    """The template with its facts in place: things by their names, messages as sentences, several in a row."""
    return template.format_map({key: _shown(fact, name, tell) for key, fact in facts.items()})


def _shown(fact: Fact, name: Callable[[Thing], str], tell: Callable[[Message], str]) -> object:
    if isinstance(fact, Thing):
        return name(fact)
    if isinstance(fact, Message):
        return tell(fact)
    if isinstance(fact, tuple):
        mark = "; " if any(isinstance(each, Message) for each in fact) else ", "
        return mark.join(str(_shown(each, name, tell)) for each in fact)
    return fact

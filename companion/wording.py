"""Sentences in the viewer's language.

The English template is the key. Each package keeps its translations beside its code (`it.po`), read as they are:
there is no compile step to forget. Things (cards, weapons, places) get the names that the match's game has for them.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from babel.messages.pofile import read_po

from companion.rulings import plainly, worded

LANGUAGES = ("en", "it")
HOMES = (
    "companion",
    "companion.games.sen_so",
    "companion.games.san_ni_ichi",
    "companion.games.sensu",
    "companion.games.senjutsu",
    "web",
)


@cache
def _catalogue(language: str) -> dict[str, str]:
    known: dict[str, str] = {}
    for home in HOMES:
        try:
            file = resources.files(home) / f"{language}.po"
        except ModuleNotFoundError:
            continue
        if file.is_file():
            with file.open("rb") as lines:
                for message in read_po(lines, locale=language):
                    if isinstance(message.id, str) and isinstance(message.string, str) and message.string:
                        known[message.id] = message.string
    return known


def translate(template: str, language: str) -> str:
    """The template in that language, or as it is where nobody has translated it."""
    return template if language == "en" else _catalogue(language).get(template, template)


Names = Callable[[str, str], str | None]
"""(id of a thing, language) -> its name, or None: `Match.name` for the things of a match."""


def say(template: str, facts: Mapping[str, Any], language: str = "en", names: Names = lambda *_: None) -> str:
    """The whole sentence."""
    named = worded(facts, lambda thing: names(thing, language) or plainly(thing))
    return translate(template, language).format_map(named)

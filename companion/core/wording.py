"""Sentences in the viewer's language.

The English template is the key. Each package keeps its translations beside its code (`it.po`), read as they are:
there is no compile step to forget. Things (cards, weapons, places) get the names that the match's game has for them.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from babel.messages.pofile import read_po

from companion.core.rulings import Phrase, plainly, worded

LANGUAGES = ("en", "it")
HOMES = (
    "companion",
    "companion.games.sen_so",
    "companion.games.san_ni_ichi",
    "companion.games.sensu",
    "companion.games.senjutsu",
    "web",
)


DEVICES = ("vision", "firmware_interface", "hardware")
"""Where sentences come finished, in English, for they may be about a device that no page knows."""


@cache
def _catalogue(language: str) -> dict[str, str]:
    return {key: words for home in HOMES for key, words in _kept(home, language).items()}


@cache
def _kept(home: str, language: str) -> dict[str, str]:
    try:
        file = resources.files(home) / f"{language}.po"
    except ModuleNotFoundError:
        return {}
    if not file.is_file():
        return {}
    with file.open("rb") as lines:
        return {
            message.id: message.string
            for message in read_po(lines, locale=language)
            if message.id and isinstance(message.id, str) and isinstance(message.string, str) and message.string
        }


def translate(template: str, language: str) -> str:
    """The template in that language, or as it is where nobody has translated it."""
    return template if language == "en" else _catalogue(language).get(template, template)


Names = Callable[[str, str], str | None]
"""(id of a thing, language) -> its name, or None: `Match.name` for the things of a match."""


def say(template: str, facts: Mapping[str, Any], language: str = "en", names: Names = lambda *_: None) -> str:
    """The whole sentence."""

    def tell(phrase: Phrase) -> str:
        return say(phrase.say, phrase.facts, language, names)

    named = worded(facts, lambda thing: names(thing, language) or plainly(thing), tell)
    return translate(template, language).format_map(named)


def retell(sentence: str, language: str) -> str:
    """A finished sentence about a device in the viewer's language, where its template is known; else as it is."""
    known = _of_devices(language)
    for template, pattern in _patterns(language):
        found = pattern.fullmatch(sentence)
        if found:
            terms = {name: _terms(fact, known) for name, fact in found.groupdict().items()}
            return known[template].format_map(terms)
    return sentence


@cache
def _of_devices(language: str) -> dict[str, str]:
    return {key: words for home in DEVICES for key, words in _kept(home, language).items()}


def _is_sentence(template: str) -> bool:
    """And not a mere term, as "far left": panels say theirs without a full stop."""
    return template.endswith((".", "?")) or template.count(" ") >= 3


@cache
def _patterns(language: str) -> list[tuple[str, re.Pattern[str]]]:
    """The templates that are sentences, those with fewer open places first."""
    found = []
    for template in sorted(_of_devices(language), key=lambda each: each.count("{")):
        parts = re.split(r"\{(\w+)\}", template)
        if _is_sentence(template):
            joined = "".join(f"(?P<{part}>.+)" if place % 2 else re.escape(part) for place, part in enumerate(parts))
            found.append((template, re.compile(joined)))
    return found


def _terms(fact: str, known: Mapping[str, str]) -> str:
    """Words inside a fact ("far left" in "3 (far left)") are known by themselves."""
    for term in (key for key in known if not _is_sentence(key)):
        fact = re.sub(rf"\b{re.escape(term)}\b", known[term], fact)
    return fact

"""Messages as sentences in the reader's language. This is the only place where that happens.

Each package keeps its translations beside its code: `locale/<language>/messages.po`, compiled when the package is
built (`companion.core.catalogues`) and read here by the standard library. A further language is one more folder.
"""

import gettext
from collections.abc import Callable
from functools import cache
from importlib import resources

from companion.core.message import Message, Thing, fill

SOURCE = "en"
"""The language that templates are written in."""
_homes = ["companion", "vision", "firmware_interface", "hardware", "web"]


def add_home(package: str) -> None:
    """Look for translations in this package too: a game's, when it is loaded."""
    if package not in _homes:
        _homes.append(package)
        _catalogue.cache_clear()
        translate.cache_clear()


def _languages() -> tuple[str, ...]:
    folders = resources.files("companion").joinpath("locale").iterdir()
    return (SOURCE, *sorted(folder.name for folder in folders if folder.is_dir()))


LANGUAGES = _languages()

Names = Callable[[str, str], str | None]
"""(id of a thing, language) -> its name, or None: `Match.name` for the things of a match."""


def nameless(thing: str, language: str) -> str | None:
    """Where there is no match to name things."""
    return None


def sentence(said: Message, language: str = SOURCE, names: Names = nameless) -> str:
    """The message in that language, its things called by their names."""

    def name(thing: Thing) -> str:
        return (None if thing.kind == "player" else names(thing.id, language)) or str(thing)

    def tell(part: Message) -> str:
        return sentence(part, language, names)

    return fill(_template(said, language), said.facts, name, tell)


def _template(said: Message, language: str) -> str:
    if language == SOURCE:
        return said.many if said.many and said.count != 1 else said.template
    if said.many:
        return _catalogue(language).ngettext(said.template, said.many, said.count)
    return translate(said.template, language)


@cache
def translate(text: str, language: str, context: str = "", home: str = "") -> str:
    """A text in that language, or as it is where nobody has translated it. `context` tells apart texts that are the
    same in English: a rule's number, the id of a thing. `home` is the package that is asked first, where two games may
    have different words for the same id."""
    if language == SOURCE or not text:
        return text
    known = _catalogue(language, home)
    return known.pgettext(context, text) if context else known.gettext(text)


@cache
def _catalogue(language: str, first: str = "") -> gettext.NullTranslations:
    """Every home's translations, one behind the other."""
    chain = gettext.NullTranslations()
    for home in reversed([*([first] if first else []), *_homes]):
        found = _compiled(home, language)
        if found is not None:
            found.add_fallback(chain)
            chain = found
    return chain


def _compiled(home: str, language: str) -> gettext.GNUTranslations | None:
    try:
        file = resources.files(home) / "locale" / language / "messages.mo"
    except ModuleNotFoundError:
        return None
    if not file.is_file():
        return None
    with file.open("rb") as lines:
        return gettext.GNUTranslations(lines)


@cache
def texts(home: str, language: str) -> dict[str, str]:
    """Every text of one package with its translation: for a page, which translates by itself. Those with a context or
    a plural are left out."""
    found = _compiled(home, language)
    known: dict[object, str] = {} if found is None else vars(found)["_catalog"]
    return {text: told for text, told in known.items() if isinstance(text, str) and text and "\x04" not in text}

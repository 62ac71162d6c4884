"""What a game keeps as data beside its code: its numbered rules (`rules.toml`) and names of things (`names.toml`).

Both are English there; translations are in the package's catalogues, each under its number or id.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any, TypeVar

import msgspec

from companion.core.wording import translate

T = TypeVar("T")


class Rule(msgspec.Struct, frozen=True):
    """A numbered rule, in our own words; English here, other languages in the catalogues under its number."""

    text: str
    origin: str = "booklet"

    def told(self, number: str, language: str) -> str:
        return translate(self.text, language, number)


def table_of(package: str, file: str, kind: type[T]) -> T:
    """A TOML file of a package as what it holds."""
    return msgspec.toml.decode((resources.files(package) / file).read_bytes(), type=kind)


@cache
def rules_of(package: str) -> dict[str, Rule]:
    """`companion.games.sen_so` -> its rules by number, the rules of the table itself last."""
    return _rules(package) | _rules("companion.games.kit")


def _rules(package: str) -> dict[str, Rule]:
    return table_of(package, "rules.toml", dict[str, Rule])


@cache
def names_of(package: str) -> Mapping[str, str]:
    """`companion.games.sen_so` -> id of a thing -> its name in English."""
    return table_of(package, "names.toml", dict[str, str])


def namer(package: str) -> Callable[[Any, str, str], str | None]:
    """`names` of a game out of `names.toml`: an id that is not there itself is named part by part.

    `fire-5` is "Fire 5", and the place `Aki.block` is "Aki: Block".
    """

    def name(state: Any, thing: str, language: str) -> str | None:
        known = names_of(package)
        if thing in known:
            return translate(known[thing], language, thing, package)
        owner, dot, place = thing.rpartition(".")
        if dot and place in known:
            return f"{owner}: {name(state, place, language)}"
        kind, dash, rest = thing.partition("-")
        return f"{name(state, kind, language)} {rest}" if dash and kind in known else None

    return name

"""How sentences call the cards and the places."""

from typing import Any

from companion.games.kit.catalogue import namer
from companion.games.sensu.cards import NAMES

_name = namer(__package__)


def names(state: Any, thing: str, language: str) -> str | None:
    """`hi_ogi-456-0` is "Hi-ōgi 4/5/6" in every language; everything else stands in `names.toml`."""
    return NAMES.get(thing) or _name(state, thing, language)

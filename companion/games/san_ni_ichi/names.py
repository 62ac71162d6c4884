"""How sentences call the cards and the places."""

from typing import Any

from companion.games.kit.catalogue import namer

_name = namer(__package__)


def names(state: Any, thing: str, language: str) -> str | None:
    """`fire-5` is "Fire 5", and a player's card, `Aki fire-5`, is "Aki Fire 5"."""
    known = _name(state, thing, language)
    if known is not None:
        return known
    owner, space, card = thing.rpartition(" ")
    named = _name(state, card, language) if space else None
    return f"{owner} {named}" if named is not None else None

"""What a game keeps as data beside its code: its numbered rules (`rules.toml`) and names of things (`names.toml`)."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from companion.games.kit.game import Rule

TABLE = {
    "TABLE-1": Rule(
        "One card cannot be in two places at once, nor can there be more copies of it than the deck holds.",
        "Una carta non può essere in due posti, né può avere più copie di quante ne contiene il mazzo.",
        "house",
    ),
    "TABLE-2": Rule(
        "Nobody can play more cards than the hand can hold.",
        "Nessuno può giocare più carte di quante ne possa tenere in mano.",
        "house",
    ),
    "TABLE-3": Rule(
        "This player, or this move, is not awaited now.",
        "Questo giocatore, o questa mossa, non è attesa adesso.",
        "house",
    ),
    "TABLE-4": Rule(
        "There is no such card, place, player or field.",
        "Non esiste una carta, un posto, un giocatore o un campo simile.",
        "house",
    ),
}
"""Rules of the table itself: they hold in every game."""


@cache
def rules_of(package: str) -> dict[str, Rule]:
    """`companion.games.sen_so` -> its rules by number, the table's own rules last."""
    data = (resources.files(package) / "rules.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, Rule]) | TABLE


@cache
def names_of(package: str) -> Mapping[str, Mapping[str, str]]:
    """`companion.games.sen_so` -> id of a thing -> language -> its name."""
    data = (resources.files(package) / "names.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, dict[str, str]])


def namer(package: str) -> Callable[[Any, str, str], str | None]:
    """`Game.names` out of `names.toml`: an id that is not there itself is named part by part.

    `fire-5` is "Fire 5", and the place `Aki.block` is "Aki: Block".
    """

    def name(state: Any, thing: str, language: str) -> str | None:
        known = names_of(package)
        if thing in known:
            return known[thing].get(language, known[thing]["en"])
        owner, dot, place = thing.rpartition(".")
        if dot and place in known:
            return f"{owner}: {name(state, place, language)}"
        kind, dash, rest = thing.partition("-")
        return f"{name(state, kind, language)} {rest}" if dash and kind in known else None

    return name

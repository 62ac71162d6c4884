"""The starter set, as data: its samurai and decks in `samurai.toml`, its cards in `starter_cards.txt`.

Every value there can be overruled by an owner of the real cards: the header's `cards` and `samurai` come first.
"""

from functools import cache
from importlib import resources

import msgspec

from companion.games.kit.catalogue import table_of
from companion.games.senjutsu.card_language.ability import Ability
from companion.games.senjutsu.card_language.script import read_cards


class Fighter(msgspec.Struct, frozen=True):
    """A samurai's console: its initiative number, health, hand limit and kamae tree; and a deck to begin with."""

    name: str
    weapon: str
    initiative: int
    tree: dict[str, tuple[str, ...]]
    """Kamae -> where a branch leads from it."""
    deck: dict[str, int]
    health: int = 5
    hand: int = 5


FIGHTERS = table_of(__package__, "samurai.toml", dict[str, Fighter])
ALIASES = {"warrior": "vengeful"}


@cache
def starter_cards() -> dict[str, Ability]:
    return read_cards((resources.files(__package__) / "starter_cards.txt").read_text(encoding="utf-8"))

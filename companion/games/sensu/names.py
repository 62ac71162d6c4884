"""What sentences call the cards and the places."""

from typing import Any

from companion.core.message import Thing
from companion.games.kit.catalogue import namer
from companion.games.sensu.cards import CARDS, NAMES, TYPES

_name = namer(__package__)

CARD = {card: Thing("card", card) for card in CARDS}
"""The cards as facts of a message."""
FAN = {kind: Thing("fan", kind) for kind in TYPES}
"""The types of fan as facts of a message."""


def all_cards(cards: tuple[str, ...]) -> tuple[Thing, ...]:
    """Several cards as a fact of a message."""
    return tuple([CARD[card] for card in cards])


def names(state: Any, thing: str, language: str) -> str | None:
    """`hi_ogi-456-0` is "Hi-ōgi 4/5/6" in every language; everything else stands in `names.toml`."""
    return NAMES.get(thing) or _name(state, thing, language)

"""Deck building: forty cards within the limits of their ranks, checked with reasons; decks as text.

A deck as text is a line a card, `3 Swift Mind`; `3x`, `x3` and ids are read as well, and `#` begins a comment.
"""

import re
from collections.abc import Mapping
from typing import Any

from companion.core.message import message
from companion.core.rulings import Refusal, ShinpanError
from companion.games.senjutsu.ability import PASSIVE, Ability, identity

SIZE = 40
MOST = {"gold": 1, "steel": 3}
"""Copies of one card by its rank; wood has no limit and jade is counted over the whole deck."""
SIZE_RULES = ("SJ-68", "SJ-5", "R28")
RANK_RULES = {"jade": "SJ-69", "gold": "SJ-70", "steel": "SJ-71", "wood": "SJ-72"}
_ENTRY = re.compile(r"(?:x\s*)?(\d+)\s*x?\s+(.+)|(.+?)\s+x\s*(\d+)", re.IGNORECASE)


class BadDeck(ShinpanError, ValueError):
    """A decklist that cannot be read, and why."""

    def __init__(self, say: str, **facts: Any) -> None:
        super().__init__(message(say, **facts))


def read_deck(text: str) -> dict[str, int]:
    """A decklist as `{card: copies}`."""
    deck: dict[str, int] = {}
    for number, row in enumerate(text.splitlines(), 1):
        row = row.partition("#")[0].strip()
        if not row:
            continue
        found = _ENTRY.fullmatch(row)
        if not found:
            say = "line {line}: {row!r} is not a number and a card, such as `3 Swift Mind`"
            raise BadDeck(say, line=number, row=row)
        name = identity(found[2] or found[3])
        deck[name] = deck.get(name, 0) + int(found[1] or found[4])
    return deck


def write_deck(deck: Mapping[str, int], cards: Mapping[str, Ability]) -> str:
    return "".join(f"{copies} {cards[card].name if card in cards else card}\n" for card, copies in deck.items())


def problems(deck: Mapping[str, int], cards: Mapping[str, Ability]) -> tuple[Refusal, ...]:
    """Everything that is wrong with this deck; nothing: it may be played."""
    found = [_one(card, copies, cards.get(card)) for card, copies in deck.items()]
    jade = [card for card in deck if card in cards and cards[card].rank == "jade"]
    if sum(deck[card] for card in jade) > 1:
        names = ", ".join(f"{deck[card]} {cards[card].name}" for card in jade)
        say = "only one jade card is allowed in the whole deck, and it has {names}"
        found.append(Refusal(("SJ-69", "R29"), message(say, **{"names": names})))
    total = sum(deck.values())
    if total < SIZE:
        say = "it has {total} cards where 40 are needed: {missing} are missing"
        found.append(Refusal(SIZE_RULES, message(say, **{"total": total, "missing": SIZE - total})))
    elif total > SIZE:
        say = "it has {total} cards where 40 are needed: {spare} are too many"
        found.append(Refusal(SIZE_RULES, message(say, **{"total": total, "spare": total - SIZE})))
    return tuple(problem for problem in found if problem)


def _one(card: str, copies: int, ability: Ability | None) -> Refusal | None:
    if card == PASSIVE or (ability and ability.type == "core"):
        say = "the passive card is no part of the deck"
        return Refusal(("SJ-74", "SJ-13", "R28"), message(say))
    if ability is None:
        return Refusal(("TABLE-4",), message("there is no card {card!r}", card=card))
    if copies < 1:
        say = "{copies} copies of {name} make no sense"
        return Refusal(("TABLE-4",), message(say, **{"copies": copies, "name": ability.name}))
    most = MOST.get(ability.rank)
    if most is not None and copies > most:
        say = "{name} is {kind}: at most {most} of it, and it has {copies}"
        facts = {"name": ability.name, "kind": ability.rank, "most": most, "copies": copies}
        return Refusal((RANK_RULES[ability.rank], "R29"), message(say, **facts))
    return None

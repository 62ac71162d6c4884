"""Deck building: forty cards within the limits of their ranks, checked with reasons; decks as text.

A deck as text has one card on each line, `3 Swift Mind`; `3x`, `x3` and ids are read as well, and `#` begins a
comment.
"""

import re
from collections.abc import Mapping

from companion.core.message import Thing, message, plural
from companion.core.rulings import Refusal, ShinpanError
from companion.games.senjutsu.card_language.ability import PASSIVE, Ability, identity

SIZE = 40
MOST = {"gold": 1, "steel": 3}
"""Copies of one card by its rank; wood has no limit and jade is counted over the whole deck."""
SIZE_RULES = ("SJ-68", "SJ-5", "SJ-R28")
RANK_RULES = {"jade": "SJ-69", "gold": "SJ-70", "steel": "SJ-71", "wood": "SJ-72"}
_ENTRY = re.compile(r"(?:x\s*)?(\d+)\s*x?\s+(.+)|(.+?)\s+x\s*(\d+)", re.IGNORECASE)
MOST_DIGITS = 6
"""Of a number in a deck; a deck has 40 cards."""


class BadDeck(ShinpanError, ValueError):
    """A decklist that cannot be read, and why."""


def read_deck(text: str) -> dict[str, int]:
    """A decklist as `{card: copies}`."""
    deck: dict[str, int] = {}
    for number, row in enumerate(text.splitlines(), 1):
        row = row.partition("#")[0].strip()
        if not row:
            continue
        found = _ENTRY.fullmatch(row)
        if not found:
            raise BadDeck(
                message("line {line}: {row!r} is not a number and a card, such as `3 Swift Mind`", line=number, row=row)
            )
        name, copies = identity(found[2] or found[3]), found[1] or found[4]
        if len(copies) > MOST_DIGITS:
            raise BadDeck(message("line {line}: no deck has as many copies of a card as that", line=number))
        deck[name] = deck.get(name, 0) + int(copies)
    return deck


def write_deck(deck: Mapping[str, int], cards: Mapping[str, Ability]) -> str:
    return "".join(f"{copies} {cards[card].name if card in cards else card}\n" for card, copies in deck.items())


def problems(deck: Mapping[str, int], cards: Mapping[str, Ability]) -> tuple[Refusal, ...]:
    """Everything that is wrong with this deck; nothing: it may be played."""
    found = [_one(card, copies, cards.get(card)) for card, copies in deck.items()]
    jade = [card for card in deck if card in cards and cards[card].rank == "jade"]
    if sum(deck[card] for card in jade) > 1:
        copies = tuple(f"{deck[card]} {cards[card].name}" for card in jade)
        found.append(
            Refusal(
                ("SJ-69", "SJ-R29"),
                message("only one jade card is allowed in the whole deck, and it has {cards}", cards=copies),
            )
        )
    total = sum(deck.values())
    if total < SIZE:
        told = plural(
            "it has {total} cards where 40 are needed: {count} is missing",
            "it has {total} cards where 40 are needed: {count} are missing",
            SIZE - total,
            total=total,
        )
        found.append(Refusal(SIZE_RULES, told))
    elif total > SIZE:
        told = plural(
            "it has {total} cards where 40 are needed: {count} is too many",
            "it has {total} cards where 40 are needed: {count} are too many",
            total - SIZE,
            total=total,
        )
        found.append(Refusal(SIZE_RULES, told))
    return tuple(problem for problem in found if problem)


def _one(card: str, copies: int, ability: Ability | None) -> Refusal | None:
    if card == PASSIVE or (ability and ability.type == "core"):
        return Refusal(("SJ-74", "SJ-13", "SJ-R28"), message("the passive card is not part of the deck"))
    if ability is None:
        return Refusal(("TABLE-4",), message("there is no card {name!r}", name=card))
    if copies < 1:
        told = message("a deck cannot have {copies} copies of {name}", copies=copies, name=ability.name)
        return Refusal(("TABLE-4",), told)
    most = MOST.get(ability.rank)
    if most is not None and copies > most:
        told = message(
            "{name} is {rank}: at most {most} of it, and it has {copies}",
            name=ability.name,
            rank=Thing("rank", ability.rank),
            most=most,
            copies=copies,
        )
        return Refusal((RANK_RULES[ability.rank], "SJ-R29"), told)
    return None

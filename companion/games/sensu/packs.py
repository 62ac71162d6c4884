"""A pack: some of the cards, as one number with a bit for each. The referee counts and compares packs all evening."""

from collections.abc import Iterable
from functools import cache

from companion.games.sensu.cards import CARDS

Pack = int

EMPTY: Pack = 0
ORDER = tuple(sorted(CARDS, key=lambda card: (CARDS[card].winds, CARDS[card].wild, CARDS[card].values)))
"""What two players leave out comes last, so that their packs are short numbers."""
BIT: dict[str, Pack] = {card: 1 << at for at, card in enumerate(ORDER)}
NO_CARD: Pack = 1 << len(ORDER)
"""A bit that no pack has."""
WORD = 9
"""Packs are spelled out this many cards at a time; every such part is spelled once."""
FIRST: Pack = (1 << WORD) - 1


def pack(cards: Iterable[str]) -> Pack:
    """Of different cards."""
    return sum(map(BIT.__getitem__, cards))


def spelled(some: Pack) -> tuple[str, ...]:
    """The cards of a pack, in the order of `ORDER`."""
    if some.bit_count() <= WORD:
        few = []
        while some:
            first = some & -some
            few.append(_CARD[first])
            some ^= first
        return tuple(few)
    found: tuple[str, ...] = ()
    at = 0
    while some:
        if part := some & FIRST:
            found += _word(at, part)
        some >>= WORD
        at += WORD
    return found


_CARD = {bit: card for card, bit in BIT.items()}


@cache
def _word(at: int, part: Pack) -> tuple[str, ...]:
    return tuple(ORDER[at + bit] for bit in range(WORD) if part >> bit & 1)

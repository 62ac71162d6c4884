"""Sets of cards as bit masks, one bit for each card: the rules compare and count sets at every move."""

from collections.abc import Iterable
from functools import cache

from companion.games.sensu.cards import CARDS

CardSet = int

EMPTY: CardSet = 0
ORDER = tuple(sorted(CARDS, key=lambda card: (CARDS[card].winds, CARDS[card].wild, CARDS[card].values)))
"""The card of each bit. Cards that two players leave out come last, which keeps the numbers of their sets small."""
BIT: dict[str, CardSet] = {card: 1 << at for at, card in enumerate(ORDER)}
NO_CARD: CardSet = 1 << len(ORDER)
"""A bit that is in no set."""
CHUNK = 9
"""Large sets are listed this many bits at a time, so that each chunk can be looked up."""
FIRST_CHUNK: CardSet = (1 << CHUNK) - 1


def card_set(cards: Iterable[str]) -> CardSet:
    """The set of these cards, which must all be different."""
    return sum(map(BIT.__getitem__, cards))


def cards_in(some: CardSet) -> tuple[str, ...]:
    """The cards of a set, in the order of `ORDER`."""
    if some.bit_count() <= CHUNK:
        few = []
        while some:
            first = some & -some
            few.append(_CARD[first])
            some ^= first
        return tuple(few)
    found: tuple[str, ...] = ()
    at = 0
    while some:
        if part := some & FIRST_CHUNK:
            found += _chunk(at, part)
        some >>= CHUNK
        at += CHUNK
    return found


_CARD = {bit: card for card, bit in BIT.items()}


@cache
def _chunk(at: int, part: CardSet) -> tuple[str, ...]:
    return tuple(ORDER[at + bit] for bit in range(CHUNK) if part >> bit & 1)

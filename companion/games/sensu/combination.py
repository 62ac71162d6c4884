"""What a combination is worth: its sum, its bonuses, and what may be redeemed."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from operator import itemgetter
from typing import Any

import msgspec

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.sensu.card_sets import CardSet, card_set
from companion.games.sensu.cards import CARDS, HAND, INDEX, TARGET, TYPES, sticks_of
from companion.games.sensu.moves import Combine
from companion.games.sensu.names import FAN

SMALLEST = 3
"""Two cards reach 18 at most."""

Sticks = tuple[int, ...]
"""Of the values 1 to 9, or of some cards."""
Laid = tuple[tuple[str, ...], int | None]
"""A combination and the value of its wild."""


class Worth(msgspec.Struct, frozen=True, gc=False):
    total: int
    pairs: tuple[int, ...]
    """Numbers that two or more of the cards have, not counting wilds."""
    trio: str | None
    """The type that three or more of the cards share."""
    highest: tuple[str, ...]
    """Cards with the most sticks: one of them is redeemed."""
    bonuses: int
    redemptions: tuple[tuple[str, ...], ...]
    """Every way to redeem: a card with the most sticks, then the bonus cards in the order of the combination."""

    def allows(self, redeem: tuple[str, ...]) -> bool:
        """Whether these cards may be redeemed. Bonus cards may be named in any order."""
        if redeem in self.redemptions:
            return True
        if len(redeem) != 1 + self.bonuses:
            return False
        return any(way[0] == redeem[0] and set(way) == set(redeem) for way in self.redemptions)


@lru_cache(maxsize=1 << 6)
def worth(cards: tuple[str, ...], wild: int | None, table: Sticks) -> Worth:
    """What these cards are worth together; they must all be different. `wild` is the value of a wild among them."""
    total, wilds, pairs = _numbers(sum(map(_VALUES_TALLY.__getitem__, cards)))
    trio = _trio(sum(map(_TYPES_TALLY.__getitem__, cards)))
    if wilds and wild:
        total += wild
    bonuses = bool(pairs) + (trio is not None)
    ways = _redemptions(tuple(map(_sticks(table).__getitem__, cards)), bonuses)
    redemptions = tuple([tuple([cards[at] for at in way]) for way in ways])
    highest = tuple(dict.fromkeys([way[0] for way in redemptions]))
    return Worth(total, pairs, trio, highest, bonuses, redemptions)


_VALUES = {card.id: card.values for card in CARDS.values()}
_SHOWN = sorted(set(_VALUES.values()))
_VALUES_TALLY = {card: 1 << 4 * _SHOWN.index(values) for card, values in _VALUES.items()}
"""A card as a number with four bits for each value. The sum over some cards, their tally, tells how many of them show
which values. There are few different tallies, so what follows from a tally is cached."""
_TYPES_TALLY = {card.id: 1 << 4 * INDEX[card.type] for card in CARDS.values()}


def _shown(tally: int) -> list[tuple[int, ...]]:
    """The values of the cards that make up a tally, in order."""
    return [values for at, values in enumerate(_SHOWN) for _ in range(tally >> 4 * at & 15)]


@cache
def _numbers(tally: int) -> tuple[int, int, tuple[int, ...]]:
    """The sum of all but the wilds, how many wilds there are, and the numbers that occur more than once."""
    shown = _shown(tally)
    numbers = [values[0] for values in shown if len(values) == 1]
    pairs = tuple(sorted({number for number in numbers if numbers.count(number) > 1}))
    return sum(numbers), len(shown) - len(numbers), pairs


@cache
def _trio(tally: int) -> str | None:
    """The type that three or more cards share."""
    return next((kind for at, kind in enumerate(TYPES) if tally >> 4 * at & 15 >= 3), None)


@lru_cache(maxsize=8)
def _sticks(table: Sticks) -> dict[str, int]:
    return {card.id: sticks_of(card, table) for card in CARDS.values()}


@cache
def _redemptions(sticks: Sticks, bonuses: int) -> tuple[tuple[int, ...], ...]:
    """Every way to redeem from cards with these sticks, as indices: one with the most, then the bonus cards."""
    most = max(sticks, default=0)
    firsts = [at for at, count in enumerate(sticks) if count == most]
    return tuple((first, *more) for first in firsts for more in _fewest(sticks, first, bonuses))


def _fewest(sticks: Sticks, first: int, count: int) -> list[tuple[int, ...]]:
    """Every choice of that many indices with the fewest sticks among the rest; between ties there is a free choice."""
    if not count:
        return [()]
    rest = [at for at in range(len(sticks)) if at != first]
    limit = sorted(sticks[at] for at in rest)[count - 1]
    sure = [at for at in rest if sticks[at] < limit]
    tied = [at for at in rest if sticks[at] == limit]
    return [tuple(sorted((*sure, *chosen))) for chosen in combinations(tied, count - len(sure))]


def reasons(cards: tuple[str, ...], found: Worth) -> tuple[Ruling, ...]:
    """Which bonuses a combination has, and why."""
    return _reasons(found.pairs, found.trio, wild_made_trio(cards, found)) if found.bonuses else ()


@cache
def _reasons(pairs: tuple[int, ...], trio: str | None, by_wild: bool) -> tuple[Ruling, ...]:
    said = []
    if pairs:
        said.append(Ruling("SU-23", message("Equal numbers ({numbers}) give one bonus card.", numbers=pairs)))
    if trio:
        told = message("Three sections of {fan} give one bonus card.", fan=FAN[trio])
        said.append(Ruling("SU-32" if by_wild else "SU-24", told))
    return tuple(said)


def wild_made_trio(cards: tuple[str, ...], found: Worth) -> bool:
    """Whether three sections of a type are there only with the wild."""
    return [CARDS[card].type for card in cards if not CARDS[card].wild].count(found.trio or "") == 2


def wild_in(cards: tuple[str, ...]) -> str | None:
    """The first wild among the cards."""
    return next((card for card in cards if CARDS[card].wild), None)


def wild_value(cards: tuple[str, ...]) -> int | None:
    """The value with which a wild among these cards makes 20; None where there is none."""
    wild = wild_in(cards)
    if wild is None:
        return None
    needed = TARGET - sum(CARDS[card].values[0] for card in cards if card != wild)
    return needed if needed in CARDS[wild].values else None


def combinations_of(cards: tuple[str, ...]) -> tuple[Laid, ...]:
    """Every combination that can be laid from these cards, with the value of its wild."""
    found = _making_twenty(sum(map(_VALUES_TALLY.__getitem__, cards)))
    if not found:
        return ()
    ordered = sorted(cards, key=_VALUES.__getitem__)
    return tuple([(pick(ordered), wild) for pick, wild in found])


Pick = Callable[[Sequence[Any]], tuple[Any, ...]]
"""Takes some items of a sequence, by index."""


@cache
def _making_twenty(tally: int) -> tuple[tuple[Pick, int | None], ...]:
    """Which of the cards, sorted by their values, make 20; each with the value of the wild."""
    values = _shown(tally)
    found: list[tuple[Pick, int | None]] = []
    for pick in _picks(len(values)):
        picked = pick(values)
        wilds = [shown for shown in picked if len(shown) > 1]
        needed = TARGET - sum([shown[0] for shown in picked if len(shown) == 1])
        if not wilds and not needed:
            found.append((pick, None))
        elif len(wilds) == 1 and needed in wilds[0]:
            found.append((pick, needed))
    return tuple(found)


@cache
def _picks(count: int) -> tuple[Pick, ...]:
    """Every selection of that many cards that has the size of a combination; small ones first."""
    sizes = range(SMALLEST, min(HAND, count) + 1)
    return tuple(itemgetter(*places) for size in sizes for places in combinations(range(count), size))


def lays(cards: tuple[str, ...], table: Sticks, orders: bool = False) -> tuple[Combine, ...]:
    """Every way to lay a combination of these cards and redeem from it; with `orders`, every order of the rest too."""
    found = []
    for chosen, wild in combinations_of(cards):
        for redeem in worth(chosen, wild, table).redemptions:
            rest = tuple([card for card in chosen if card not in redeem])
            for order in permutations(rest) if orders else (rest,):
                found.append(Combine(chosen, redeem, wild, order))
    return tuple(found)


SPREAD = 61
"""How far apart combinations of the same sum stand in the sample."""


@lru_cache(maxsize=8)
def sampler(deck: frozenset[str], table: Sticks) -> tuple[tuple[CardSet, tuple[Combine, ...]], ...]:
    """A sample of the combinations that this deck can make, each with every way to redeem from it.

    It has every sum of 20, in one type and in several, with and without a wild. For a referee who does not see the
    hand it stands for all of them. Combinations with the same sum are spread over the whole list, so that any few in a
    row differ.
    """
    by_value: dict[int, list[str]] = {value: [] for value in range(1, 10)}
    wilds: list[str] = []
    for card in sorted(deck):
        (wilds if CARDS[card].wild else by_value[CARDS[card].values[0]]).append(card)
    found: dict[CardSet, Laid] = {}
    sums = (v for size in range(SMALLEST, HAND + 1) for v in combinations_with_replacement(range(1, 10), size))
    for values in (v for v in sums if sum(v) == TARGET):
        for step, shift in product(range(3), range(4)):
            cards = tuple(by_value[v][(at * step + shift) % len(by_value[v])] for at, v in enumerate(values))
            options: list[Laid] = [(cards, None)]
            options += [
                ((*cards[:at], wild, *cards[at + 1 :]), value)
                for at, value in enumerate(values)
                for wild in wilds[shift :: 4 + step]
                if value in CARDS[wild].values
            ]
            for laid, wild_as in options:
                if len(set(laid)) == len(laid):
                    found.setdefault(card_set(laid), (laid, wild_as))
    every = [(cards, _ways(*laid, table)) for cards, laid in found.items()]
    return tuple(each for start in range(SPREAD) for each in every[start::SPREAD])


def _ways(cards: tuple[str, ...], wild: int | None, table: Sticks) -> tuple[Combine, ...]:
    """Every way to redeem from this combination."""
    return tuple(Combine(cards, redeem, wild) for redeem in worth(cards, wild, table).redemptions)

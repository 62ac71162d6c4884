"""What a combination is worth: its sum, its bonuses, and what may be redeemed."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, permutations, product
from typing import NamedTuple

from companion.games.sensu.cards import CARDS, HAND, TARGET, TITLES, sticks_of
from companion.games.sensu.moves import Combine
from companion.rulings import Ruling

SMALLEST = 3
"""Two cards reach 18 at most."""

Sticks = tuple[int, ...]
"""Sticks of the values 1 to 9."""
Laid = tuple[tuple[str, ...], int | None]
"""A combination and the value of its wild."""


class Worth(NamedTuple):
    total: int
    pairs: tuple[int, ...]
    """Numbers that stand on two or more of the cards, wilds left out."""
    trio: str | None
    """The type that three or more of the cards share."""
    wild_made_trio: bool
    highest: tuple[str, ...]
    """Cards with the most sticks: one of them is redeemed."""
    bonuses: int
    redemptions: tuple[tuple[str, ...], ...]
    """Every way to redeem: a card with the most sticks, then the bonus cards in the order of the combination."""

    def allows(self, redeem: tuple[str, ...]) -> bool:
        """Bonus cards are taken one by one, so the order they are named in is free."""
        if len(redeem) != 1 + self.bonuses:
            return False
        return any(way[0] == redeem[0] and set(way) == set(redeem) for way in self.redemptions)


@lru_cache(maxsize=1 << 16)
def worth(cards: tuple[str, ...], wild: int | None, table: Sticks) -> Worth:
    """Of different cards, in their order; `wild` is the value given to a wild among them (None counts as nothing)."""
    found = [CARDS[card] for card in cards]
    numbers = Counter(card.values[0] for card in found if not card.wild)
    types = Counter(card.type for card in found)
    naturals = Counter(card.type for card in found if not card.wild)
    sticks = {card.id: sticks_of(card, table) for card in found}
    total = sum(numbers.elements()) + (wild or 0) * any(card.wild for card in found)
    pairs = tuple(sorted(number for number, times in numbers.items() if times >= 2))
    trio = next((kind for kind, times in types.items() if times >= 3), None)
    most = max(sticks.values(), default=0)
    highest = tuple(card for card in cards if sticks[card] == most)
    bonuses = bool(pairs) + (trio is not None)
    ways = tuple(
        (first, *bonus) for first in highest for bonus in _fewest([c for c in cards if c != first], bonuses, sticks)
    )
    return Worth(total, pairs, trio, trio is not None and naturals[trio] < 3, highest, bonuses, ways)


def _fewest(cards: list[str], count: int, sticks: dict[str, int]) -> Iterator[tuple[str, ...]]:
    """Every choice of so many cards with the fewest sticks: all below the dearest one needed, then ties freely."""
    if not count:
        yield ()
        return
    dearest = sorted(sticks[card] for card in cards)[count - 1]
    sure = [card for card in cards if sticks[card] < dearest]
    tied = [card for card in cards if sticks[card] == dearest]
    for chosen in combinations(tied, count - len(sure)):
        yield tuple(card for card in cards if card in sure or card in chosen)


def reasons(found: Worth) -> list[Ruling]:
    """Which bonuses a combination has, and why."""
    said = []
    if found.pairs:
        numbers = ", ".join(map(str, found.pairs))
        said.append(Ruling("SU-23", "Equal numbers ({numbers}) give one bonus card.", {"numbers": numbers}))
    if found.trio:
        rule = "SU-32" if found.wild_made_trio else "SU-24"
        said.append(Ruling(rule, "Three sections of {fan} give one bonus card.", {"fan": TITLES[found.trio]}))
    return said


def wild_in(cards: tuple[str, ...]) -> str | None:
    """The first wild among the cards."""
    return next((card for card in cards if CARDS[card].wild), None)


def wild_value(cards: tuple[str, ...]) -> int | None:
    """The value that a wild among these cards takes to reach 20, if it has it."""
    wild = wild_in(cards)
    if wild is None:
        return None
    needed = TARGET - sum(CARDS[card].values[0] for card in cards if card != wild)
    return needed if needed in CARDS[wild].values else None


def combinations_of(cards: tuple[str, ...]) -> tuple[Laid, ...]:
    """Every combination that can be laid from these cards, with the value of its wild."""
    cards = tuple(sorted(cards, key=_VALUES.__getitem__))
    found = _making_twenty(tuple(_VALUES[card] for card in cards))
    return tuple((tuple(cards[at] for at in places), wild) for places, wild in found)


_VALUES = {card.id: card.values for card in CARDS.values()}


@cache
def _making_twenty(values: tuple[tuple[int, ...], ...]) -> tuple[tuple[tuple[int, ...], int | None], ...]:
    """By place, for values in their order: there are few different hands when types and copies are left out."""
    found: list[tuple[tuple[int, ...], int | None]] = []
    for size in range(SMALLEST, min(HAND, len(values)) + 1):
        for places in combinations(range(len(values)), size):
            wilds = [values[at] for at in places if len(values[at]) > 1]
            needed = TARGET - sum(values[at][0] for at in places if len(values[at]) == 1)
            if not wilds and not needed:
                found.append((places, None))
            elif len(wilds) == 1 and needed in wilds[0]:
                found.append((places, needed))
    return tuple(found)


@lru_cache(maxsize=1 << 14)
def lays(cards: tuple[str, ...], table: Sticks, orders: bool = False) -> tuple[Combine, ...]:
    """Every way to lay a combination of these cards and redeem from it; with `orders`, every order of the rest too."""
    found = []
    for chosen, wild in combinations_of(cards):
        for redeem in worth(chosen, wild, table).redemptions:
            rest = tuple(card for card in chosen if card not in redeem)
            for order in permutations(rest) if orders else (rest,):
                found.append(Combine(chosen, redeem, wild, order))
    return tuple(found)


@lru_cache(maxsize=8)
def sampler(deck: frozenset[str]) -> tuple[tuple[frozenset[str], tuple[str, ...], int | None], ...]:
    """A spread of combinations that this deck can make: every sum of 20, in one type and over several, with and
    without a wild. For a referee who does not see the hand it stands for all of them.
    """
    by_value: dict[int, list[str]] = {value: [] for value in range(1, 10)}
    wilds: list[str] = []
    for card in sorted(deck):
        (wilds if CARDS[card].wild else by_value[CARDS[card].values[0]]).append(card)
    found: dict[frozenset[str], Laid] = {}
    sums = [v for size in range(SMALLEST, HAND + 1) for v in product(range(1, 10), repeat=size)]
    for values in (v for v in sums if sum(v) == TARGET and list(v) == sorted(v)):
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
                    found.setdefault(frozenset(laid), (laid, wild_as))
    return tuple((cards, *laid) for cards, laid in found.items())


@lru_cache(maxsize=1 << 12)
def sampled(cards: tuple[str, ...], wild: int | None, table: Sticks) -> tuple[Combine, ...]:
    """Every way to redeem from this combination."""
    return tuple(Combine(cards, redeem, wild) for redeem in worth(cards, wild, table).redemptions)

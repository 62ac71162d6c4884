"""What a combination is worth: its sum, its bonuses, and what may be redeemed."""

from functools import cache, lru_cache
from itertools import combinations, permutations, product

import msgspec

from companion.games.sensu.cards import CARDS, HAND, TARGET, TYPES, sticks_of
from companion.games.sensu.moves import Combine
from companion.games.sensu.packs import Pack, pack
from companion.rulings import Ruling

SMALLEST = 3
"""Two cards reach 18 at most."""

Sticks = tuple[int, ...]
"""Sticks of the values 1 to 9."""
Laid = tuple[tuple[str, ...], int | None]
"""A combination and the value of its wild."""


class Worth(msgspec.Struct, frozen=True, gc=False):
    total: int
    pairs: tuple[int, ...]
    """Numbers that stand on two or more of the cards, wilds left out."""
    trio: str | None
    """The type that three or more of the cards share."""
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


@lru_cache(maxsize=1 << 12)
def worth(cards: tuple[str, ...], wild: int | None, table: Sticks) -> Worth:
    """Of different cards, in their order; `wild` is the value given to a wild among them (None counts as nothing)."""
    numbers = [number for card in cards if (number := _NUMBER[card])]
    types = [CARDS[card].type for card in cards]
    total = sum(numbers) + (wild or 0) * (len(numbers) < len(cards))
    pairs: tuple[int, ...] = ()
    if len(set(numbers)) < len(numbers):
        pairs = tuple(sorted({number for number in numbers if numbers.count(number) > 1}))
    trio = next((kind for kind in TYPES if types.count(kind) >= 3), None)
    bonuses = bool(pairs) + (trio is not None)
    sticks = _sticks(table)
    most = max(map(sticks.__getitem__, cards), default=0)
    highest = tuple([card for card in cards if sticks[card] == most])
    ways = [(first, *bonus) for first in highest for bonus in _fewest(cards, sticks, first, bonuses)]
    return Worth(total, pairs, trio, highest, bonuses, tuple(ways))


_NUMBER = {card.id: 0 if card.wild else card.values[0] for card in CARDS.values()}
"""What a card counts for the pairs: a wild nothing."""


@lru_cache(maxsize=8)
def _sticks(table: Sticks) -> dict[str, int]:
    return {card.id: sticks_of(card, table) for card in CARDS.values()}


def _fewest(cards: tuple[str, ...], sticks: dict[str, int], first: str, count: int) -> list[tuple[str, ...]]:
    """Every choice of so many cards with the fewest sticks of the rest: all below the dearest one needed, then ties
    freely."""
    if not count:
        return [()]
    rest = [card for card in cards if card != first]
    dearest = sorted(map(sticks.__getitem__, rest))[count - 1]
    sure = [card for card in rest if sticks[card] < dearest]
    tied = [card for card in rest if sticks[card] == dearest]
    return [
        tuple([card for card in rest if card in sure or card in chosen])
        for chosen in combinations(tied, count - len(sure))
    ]


def reasons(cards: tuple[str, ...], found: Worth) -> list[Ruling]:
    """Which bonuses a combination has, and why."""
    said = []
    if found.pairs:
        numbers = ", ".join(map(str, found.pairs))
        said.append(Ruling("SU-23", "Equal numbers ({numbers}) give one bonus card.", {"numbers": numbers}))
    if found.trio:
        rule = "SU-32" if wild_made_trio(cards, found) else "SU-24"
        said.append(Ruling(rule, "Three sections of {fan} give one bonus card.", {"fan": found.trio}))
    return said


def wild_made_trio(cards: tuple[str, ...], found: Worth) -> bool:
    """Whether three sections of a type are there only with the wild."""
    return [CARDS[card].type for card in cards if not CARDS[card].wild].count(found.trio or "") == 2


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
    found = _making_twenty(sum(map(_COUNTED.__getitem__, cards)))
    if not found:
        return ()
    ordered = sorted(cards, key=_VALUES.__getitem__)
    return tuple([(tuple([ordered[at] for at in places]), wild) for places, wild in found])


_VALUES = {card.id: card.values for card in CARDS.values()}
_SHOWN = sorted(set(_VALUES.values()))
_COUNTED = {card: 1 << 4 * _SHOWN.index(values) for card, values in _VALUES.items()}
"""Added up they tell how many of some cards show which values, four bits each: there are few different hands when
types and copies are left out."""


@cache
def _making_twenty(counted: int) -> tuple[tuple[tuple[int, ...], int | None], ...]:
    """By place among the cards in order of their values; with the value of the wild."""
    values = [shown for at, shown in enumerate(_SHOWN) for _ in range(counted >> 4 * at & 15)]
    found: list[tuple[tuple[int, ...], int | None]] = []
    begun: list[tuple[tuple[int, ...], int, int | None]] = [((), 0, None)]
    for at, shown in enumerate(values):
        wild = len(shown) > 1
        for places, total, wild_as in tuple(begun):
            if len(places) == HAND or (wild and wild_as):
                continue
            for value in shown:
                more = ((*places, at), total + value, value if wild else wild_as)
                if more[1] == TARGET:
                    found.append((more[0], more[2]))
                elif more[1] < TARGET:
                    begun.append(more)
    return tuple(sorted(found, key=lambda laid: (len(laid[0]), laid[0])))


@lru_cache(maxsize=1 << 11)
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


@lru_cache(maxsize=8)
def sampler(deck: frozenset[str]) -> tuple[tuple[Pack, tuple[str, ...], int | None], ...]:
    """A spread of combinations that this deck can make: every sum of 20, in one type and over several, with and
    without a wild. For a referee who does not see the hand it stands for all of them. Neighbours are unlike.
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
    every = [(pack(cards), *laid) for cards, laid in found.items()]
    return tuple(each for start in range(SPREAD) for each in every[start::SPREAD])


@lru_cache(maxsize=1 << 12)
def sampled(cards: tuple[str, ...], wild: int | None, table: Sticks) -> tuple[Combine, ...]:
    """Every way to redeem from this combination."""
    return tuple(Combine(cards, redeem, wild) for redeem in worth(cards, wild, table).redemptions)

"""The redeeming rule over every combination there is, against a plain statement of it.

A combination is a choice of cards; the three copies of a card differ only in winds, which redeeming never looks
at, so one choice of copies stands for all. Nothing else is left out: 52,584 combinations, wilds and their values
included. For other tables of sticks the three types, which redeeming treats alike, are counted once.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import pytest

from companion.core.rulings import Refused
from companion.games.sensu import combination
from companion.games.sensu.cards import CARDS, STICKS, TYPES
from companion.games.sensu.combination import worth

KINDS = [(value, kind) for value in range(1, 10) for kind in TYPES]
WILDS = {value: f"{low}{low + 1}{low + 2}" for low in (1, 4, 7) for value in range(low, low + 3)}
TABLES = [
    (3, 3, 3, 2, 2, 2, 1, 1, 1),
    (4, 4, 4, 2, 2, 2, 1, 1, 1),
    (4, 4, 4, 3, 3, 2, 1, 1, 1),
    (4, 4, 4, 3, 3, 3, 1, 1, 1),
    (4, 4, 4, 3, 3, 3, 2, 1, 1),
    (4, 4, 4, 3, 3, 3, 2, 2, 1),
]

Laid = tuple[tuple[str, ...], int | None]


def choices(size: int, total: int, start: int = 0) -> Iterator[tuple[tuple[int, str], ...]]:
    """So many numbered cards that add up to that, no more than three alike."""
    if not size:
        if not total:
            yield ()
        return
    for at in range(start, len(KINDS)):
        if KINDS[at][0] * size > total:
            return
        for rest in choices(size - 1, total - KINDS[at][0], at):
            if rest[:3] != (KINDS[at],) * 3:
                yield (KINDS[at], *rest)


def named(cards: tuple[tuple[int, str], ...]) -> tuple[str, ...]:
    copies: Counter[tuple[int, str]] = Counter()
    ids = []
    for value, kind in cards:
        ids.append(f"{kind}-{value}-{copies[value, kind]}")
        copies[value, kind] += 1
    return tuple(ids)


def every_combination() -> Iterator[Laid]:
    for size in (3, 4, 5):
        for cards in choices(size, 20):
            yield named(cards), None
        for value, shown in WILDS.items():
            for cards in choices(size - 1, 20 - value):
                for kind in TYPES:
                    yield (*named(cards), f"{kind}-{shown}-0"), value


def one_of_each_colouring(laid: Laid) -> bool:
    """Types are named in the order in which they come up."""
    seen = list(dict.fromkeys(CARDS[card].type for card in laid[0]))
    return seen == list(TYPES[: len(seen)])


def plainly(cards: tuple[str, ...], table: tuple[int, ...]) -> set[tuple[str, frozenset[str]]]:
    """The booklet, word by word: the card with most sticks, then for each bonus the one with fewest of the rest."""
    parts = {card: card.split("-") for card in cards}
    numbers = [number for _, number, _ in parts.values() if len(number) == 1]
    types = [kind for kind, _, _ in parts.values()]
    sticks = {card: table[int(number) - 1] if len(number) == 1 else 1 for card, (_, number, _) in parts.items()}
    bonuses = 0
    if len(numbers) != len(set(numbers)):
        bonuses += 1
    if any(types.count(kind) >= 3 for kind in types):
        bonuses += 1
    found = set()
    for order in permutations(cards, 1 + bonuses):
        rest = set(cards)
        if any(sticks[card] > sticks[order[0]] for card in rest):
            continue
        rest.remove(order[0])
        for bonus in order[1:]:
            if any(sticks[card] < sticks[bonus] for card in rest):
                break
            rest.remove(bonus)
        else:
            found.add((order[0], frozenset(order[1:])))
    return found


@pytest.mark.rule("SU-22", "SU-23", "SU-24", "SU-25", "SU-26", "SU-27", "SU-32", "SU-33", "SU-R4", "SU-R5", "SU-R6")
def test_every_combination_there_is_redeems_as_the_booklet_says():
    count = 0
    for cards, wild in every_combination():
        found = worth.__wrapped__(cards, wild, STICKS)
        assert found.total == 20
        assert {(way[0], frozenset(way[1:])) for way in found.redemptions} == plainly(cards, STICKS), cards
        assert len(set(found.redemptions)) == len(found.redemptions)
        count += 1
    assert count == 52584


def test_a_bonus_with_the_most_sticks_would_be_found_out(monkeypatch):
    """The check above can fail."""
    fewest = combination._fewest
    monkeypatch.setattr(combination, "_fewest", lambda sticks, *rest: fewest([-count for count in sticks], *rest))
    monkeypatch.setattr(combination, "_redemptions", combination._redemptions.__wrapped__)

    with pytest.raises(AssertionError):
        test_every_combination_there_is_redeems_as_the_booklet_says()


@pytest.mark.rule("SU-4", "SU-22", "SU-26")
@pytest.mark.parametrize("table", TABLES, ids=lambda table: "".join(map(str, table)))
def test_every_possible_table_of_sticks_redeems_as_the_booklet_says(table):
    for cards, wild in filter(one_of_each_colouring, every_combination()):
        found = worth.__wrapped__(cards, wild, table)
        assert {(way[0], frozenset(way[1:])) for way in found.redemptions} == plainly(cards, table), cards


@pytest.mark.rule("SU-21", "SU-22", "SU-26", "SU-R5")
def test_the_referee_accepts_exactly_those_ways_of_every_three_card_combination(story):
    table = story(["Aki", "Ben", "Cho", "Dai"])
    for cards, wild in every_combination():
        if len(cards) > 3:
            break
        legal = plainly(cards, STICKS)
        for redeem in (order for size in (1, 2, 3) for order in permutations(cards, size)):
            move = table.match.decode({"move": "combine", "cards": cards, "wild": wild, "redeem": redeem})
            assert accepts(table, move) == ((redeem[0], frozenset(redeem[1:])) in legal), (cards, redeem)


def accepts(table, move):
    try:
        table.match.game.rules.check(table.state, {}, "Aki", move)
    except Refused:
        return False
    return True

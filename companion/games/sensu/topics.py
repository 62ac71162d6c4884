"""Combinations of twenty, each with an example from the cards of the match."""

from itertools import combinations

from companion.core.message import message
from companion.games.kit.topics import Examples, Topic
from companion.games.sensu.cards import CARDS, TARGET
from companion.games.sensu.combination import SMALLEST, worth
from companion.games.sensu.state import SensuState


def topics(state: SensuState) -> tuple[Topic, ...]:
    wanted = (
        (message("A combination"), ("SU-21", "SU-22"), False, False),
        (message("A combination with equal numbers"), ("SU-23", "SU-26"), True, False),
        (message("A combination with three of a type"), ("SU-24", "SU-26"), False, True),
        (message("A combination with both"), ("SU-25", "SU-26"), True, True),
    )
    return tuple(Topic(title, rules, Examples(_example(state, pair, trio))) for title, rules, pair, trio in wanted)


def _example(state: SensuState, pair: bool, trio: bool) -> tuple[str, ...]:
    """The first cards that add up to twenty and give these bonuses and no other."""
    values = {card: CARDS[card].values[0] for card in sorted(state.terms.cards) if len(CARDS[card].values) == 1}
    for size in range(SMALLEST, SMALLEST + 3):
        for cards in combinations(values, size):
            if sum(values[card] for card in cards) == TARGET:
                found = worth(cards, None, state.terms.table)
                if (bool(found.pairs), found.trio is not None) == (pair, trio):
                    return cards
    return ()

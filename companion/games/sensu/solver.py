"""The solo solver: the best combination now.

It asks what can be reached without drawing another card: the solver follows every sequence of combinations that the
open cards allow, with every choice in it, and takes the one with the highest score. Between equal scores more closed
fans win, then more open fans that can still be completed with the cards left, then the shorter sequence.

Cards that are discarded together may be in any order, so they are kept as a set of which any card may be the top. The
order is chosen when the whole sequence is known, which makes the search much smaller.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from companion.games.sensu.cards import CARDS, FULL, INDEX, TYPES
from companion.games.sensu.combination import lays
from companion.games.sensu.moves import Combine, PlaceRedeemed
from companion.games.sensu.solo import deck_sticks, playable
from companion.games.sensu.state import SensuState, Terms

Cards = tuple[str, ...]
Value = tuple[int, int, int, int]
"""Score, closed fans, open fans that can still be completed, and minus the combinations it takes."""


class Plan(NamedTuple):
    steps: tuple[tuple[Combine, PlaceRedeemed], ...]
    """The combination to play now, and those that follow from it."""
    score: int
    """With all of them played and nothing drawn."""


class SolverNode(NamedTuple):
    """The open table of a solo game."""

    columns: tuple[Cards, ...]
    heaps: tuple[frozenset[str], ...]
    """The discards, bottom to top; the cards of a heap in any order."""
    fans: tuple[Cards, ...]
    """Sorted: the order in a fan does not matter here."""


class SolverStep(NamedTuple):
    combine: Combine
    top: str | None
    """The card that came from the discards."""
    placed: Cards
    useless: Cards


def best(state: SensuState) -> Plan | None:
    """The best combination now; None where there is none, or it is not the moment for one."""
    if not state.terms.solo or state.phase != "action" or not lays(playable(state), state.terms.table):
        return None
    seat = state.seats[0]
    heaps = tuple(frozenset((card,)) for card in seat.discards)
    node = SolverNode(state.columns, heaps, tuple(tuple(sorted(fan.cards)) for fan in seat.fans))
    value, steps = _Search(state.terms, deck_sticks(state)).answer(node, must=True)
    return Plan(tuple(_as_moves(steps)), value[0])


class _Search:
    def __init__(self, terms: Terms, in_deck: int) -> None:
        self.terms, self.in_deck = terms, in_deck
        self.known: dict[tuple[SolverNode, bool], tuple[Value, tuple[SolverStep, ...]]] = {}

    def answer(self, node: SolverNode, must: bool) -> tuple[Value, tuple[SolverStep, ...]]:
        """The best that can be reached from here, and how; `must`: stopping at once is not an answer."""
        if (node, must) not in self.known:
            found: list[tuple[Value, tuple[SolverStep, ...]]] = [] if must else [(self.value(node), ())]
            for after, step in self.steps(node).items():
                (points, closed, hopes, length), rest = self.answer(after, must=False)
                found.append(((points, closed, hopes, length - 1), (step, *rest)))
            self.known[node, must] = max(found, key=lambda answer: answer[0])
        return self.known[node, must]

    def sticks(self, fan: Cards) -> int:
        return sum(self.terms.sticks[card] for card in fan)

    def value(self, node: SolverNode) -> Value:
        sticks = [self.sticks(fan) for fan in node.fans]
        closed = sticks.count(FULL)
        bonus = self.in_deck if closed == len(TYPES) else 0
        hopes = sum(_can_make(FULL - self.sticks(fan), self._left(at, fan)) for at, fan in enumerate(node.fans))
        return sum(sticks) + bonus, closed, hopes - closed, 0

    def _left(self, at: int, fan: Cards) -> tuple[int, ...]:
        """Sticks of the cards of this type that are not in the fan yet."""
        rest = (card for card in self.terms.cards if INDEX[CARDS[card].type] == at and card not in fan)
        return tuple(sorted(self.terms.sticks[card] for card in rest))

    def steps(self, node: SolverNode) -> dict[SolverNode, SolverStep]:
        """Where one combination can lead, and one way to get there."""
        if all(self.sticks(fan) == FULL for fan in node.fans):
            return {}
        found: dict[SolverNode, SolverStep] = {}
        ends = tuple(column[-1] for column in node.columns if column)
        for top in (None, *sorted(node.heaps[-1] if node.heaps else ())):
            free = ends if top is None else (*ends, top)
            for combine in lays(free, self.terms.table):
                if top is None or top in combine.cards:
                    for after, step in self._outcomes(node, combine, top):
                        found.setdefault(after, step)
        return found

    def _outcomes(self, node: SolverNode, combine: Combine, top: str | None) -> Iterator[tuple[SolverNode, SolverStep]]:
        columns = tuple(c[:-1] if c and c[-1] in combine.cards else c for c in node.columns)
        heaps = node.heaps
        if top is not None:
            below, rest = heaps[:-1], heaps[-1] - {top}
            heaps = (*below, rest) if rest else below
        left = frozenset(combine.cards) - set(combine.redeem)
        heaps = (*heaps, left) if left else heaps
        for order in permutations(combine.redeem):
            fans, placed, useless = list(node.fans), [], []
            for card in order:
                at = INDEX[CARDS[card].type]
                if self.sticks((*fans[at], card)) > FULL:
                    useless.append(card)
                else:
                    fans[at] = tuple(sorted((*fans[at], card)))
                    placed.append(card)
            after = (*heaps, frozenset(useless)) if useless else heaps
            yield SolverNode(columns, after, tuple(fans)), SolverStep(combine, top, tuple(placed), tuple(useless))


@lru_cache(maxsize=1 << 12)
def _can_make(needed: int, sticks: tuple[int, ...]) -> bool:
    """Whether some of these add up to exactly that."""
    sums = {0}
    for count in sticks:
        sums |= {total + count for total in sums}
    return needed in sums


def _as_moves(steps: tuple[SolverStep, ...]) -> Iterator[tuple[Combine, PlaceRedeemed]]:
    """The steps as moves: each heap in the order in which its cards are used later, the first one on top."""
    for number, step in enumerate(steps):
        later = [other.top for other in steps[number + 1 :]]

        def depth(card: str, later: list[str | None] = later) -> int:
            return -later.index(card) if card in later else -len(later) - 1

        rest = tuple(card for card in step.combine.cards if card not in step.combine.redeem)
        laid = step.combine
        yield (
            Combine(laid.cards, laid.redeem, laid.wild, tuple(sorted(rest, key=depth))),
            PlaceRedeemed((*step.placed, *sorted(step.useless, key=depth))),
        )

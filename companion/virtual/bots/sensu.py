"""A Sensu bot. It keeps what makes twenty, lays what fills its fans, and takes a card from a pile when it helps."""

from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any, NamedTuple

from companion.games.sensu.cards import CARDS, FULL, TYPES
from companion.games.sensu.combination import lays
from companion.games.sensu.moves import Combine
from companion.games.sensu.state import Terms

Move = dict[str, Any]
Cards = tuple[str, ...]

CLOSES, POWER = 60, 15
STICK = 10
"""Points for a stick in a fan; everything else is measured by it."""
SPENT = 4
"""Points lost for each card that leaves the hand, because it has to be drawn again."""
WORTH_IT = 6
"""A combination with fewer points is not laid while there is something to draw."""
NEARLY = 3
"""Points for a card in the hand that would fit a fan."""


class BuildPlan(NamedTuple):
    """What happens to redeemed cards when they are placed in this order."""

    points: int
    order: Cards
    placed: Cards


class SensuMind:
    """What one player knows and thinks: the page, and the hand."""

    def __init__(self, view: dict[str, Any], name: str, hand: Sequence[str], terms: Terms, random: Random) -> None:
        self.view, self.name, self.hand, self.terms, self.random = view, name, tuple(hand), terms, random
        self.seats = {seat["player"]: seat for seat in view["seats"]}
        self.me = self.seats[name]
        self.fans = {fan["type"]: fan for fan in self.me["fans"]}
        self.tops = {player: seat["discards"][-1]["card"] for player, seat in self.seats.items() if seat["discards"]}

    @property
    def scarce(self) -> bool:
        """Whether so few cards are left in circulation that everybody waits for what the others hold."""
        piles = sum(len(seat["discards"]) for seat in self.seats.values())
        return int(self.view["deck"]) + piles <= 4 * len(self.seats)

    def build(self, order: Cards) -> BuildPlan:
        """Place these cards one after the other, as the rules allow."""
        sticks = {kind: fan["sticks"] for kind, fan in self.fans.items()}
        symbols = {kind: sum(card["symbol"] for card in fan["cards"]) for kind, fan in self.fans.items()}
        chosen, points = self.me["chosen"], 0
        placed = []
        for card in order:
            kind = CARDS[card].type
            after = sticks[kind] + self.terms.sticks[card]
            barred = after == FULL and self.terms.chosen_fan and chosen != kind
            if after > FULL or barred:
                continue
            sticks[kind] = after
            placed.append(card)
            points += STICK * self.terms.sticks[card]
            if after == FULL:
                points += CLOSES
                # The next chosen fan is drawn at random.
                chosen = None
            if self.terms.powers and card in self.terms.symbols:
                symbols[kind] += 1
                points += POWER * (symbols[kind] == 2)
        return BuildPlan(points, order, tuple(placed))

    def best_build(self, redeemed: Cards) -> BuildPlan:
        """The best order; of several equally good ones the first, which is the one that the camera reads."""
        return max(map(self.build, permutations(redeemed)), key=lambda built: built.points)

    def worth(self, laid: Combine) -> int:
        return self.best_build(laid.redeem).points - SPENT * len(laid.cards)

    def best(self, cards: Sequence[str]) -> tuple[int, Combine] | None:
        """The best combination that these cards make."""
        ways = [(self.worth(laid), at, laid) for at, laid in enumerate(lays(tuple(cards), self.terms.table))]
        if not ways:
            return None
        points, _, laid = max(ways, key=lambda way: (way[0], -way[1]))
        return points, laid

    def promise(self, cards: Sequence[str]) -> float:
        """What a hand is good for: the best combination in it, and sticks that would fit."""
        found = self.best(cards)
        useful = sum(bool(self.build((card,)).placed) for card in cards)
        return (found[0] if found else 0) + NEARLY * useful


def combination(mind: SensuMind, cards: Sequence[str], least: int = WORTH_IT) -> Combine | None:
    """The combination to lay now, or None to wait for a better one."""
    found = mind.best(cards)
    return found[1] if found and (found[0] >= least or mind.scarce) else None


def source(mind: SensuMind, sources: Sequence[str]) -> str:
    """Where to draw from: a pile whose top card helps, else the deck."""
    now = mind.promise(mind.hand)
    blind = 8.0 + 6.0 * mind.random.random()

    def gain(place: str) -> float:
        return blind if place not in mind.tops else mind.promise((*mind.hand, mind.tops[place])) - now

    return max(sources, key=gain)


def discard(mind: SensuMind, but: str | None = None) -> str:
    """The card that the hand needs least; not the one just taken from a discard pile."""
    free = [card for card in mind.hand if card != but]
    if mind.scarce:
        return mind.random.choice(free)

    def left(card: str) -> float:
        return mind.promise([other for other in mind.hand if other != card]) + mind.random.random()

    return max(free, key=left)


def harmony(mind: SensuMind, piles: Sequence[str]) -> str:
    return max(piles, key=lambda player: mind.build((mind.tops[player],)).points)


def courage(mind: SensuMind, choices: Sequence[Move]) -> dict[str, str]:
    """Every opponent loses from the fan that is nearest to ten."""

    def hurt(fans: dict[str, str]) -> int:
        return sum(mind.seats[player]["fans"][TYPES.index(kind)]["sticks"] for player, kind in fans.items())

    best: dict[str, str] = max((choice["fans"] for choice in choices), key=hurt)
    return best


# --- solo ---------------------------------------------------------------------------------------------------------


def playable(view: dict[str, Any]) -> Cards:
    """The last card of each column, then the top of the discards."""
    ends = [column[-1]["card"] for column in view["solo"]["columns"] if column]
    return (*ends, *(card["card"] for card in view["seats"][0]["discards"][-1:]))


def alone(mind: SensuMind) -> Combine | None:
    """Wait for a good combination while there are cards to come; at the end take any."""
    return combination(mind, playable(mind.view), 14 if mind.view["deck"] > 1 else 1)


def place_for(mind: SensuMind, card: str) -> str:
    """The best place for a drawn card: it should not cover a card that is still useful."""
    columns = [[each["card"] for each in column] for column in mind.view["solo"]["columns"]]
    discards = [each["card"] for each in mind.view["seats"][0]["discards"]]
    piles = {f"column{at}": column for at, column in enumerate(columns, 1)} | {"discards": discards}

    def serves(place: str) -> float:
        ends = [pile[-1] for name, pile in piles.items() if pile and name != place]
        buried = bool(piles[place]) and bool(mind.build((piles[place][-1],)).placed)
        return mind.promise((*ends, card)) - 2.0 * buried - 0.5 * len(piles[place]) + mind.random.random()

    return max(piles, key=serves)

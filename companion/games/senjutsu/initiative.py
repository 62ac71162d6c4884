"""Who acts next: the highest initiative, then by type, then by advantage (SJ-14, SJ-26, SJ-27)."""

from collections.abc import Sequence

from companion.games.senjutsu.state import Activation, Duel, DuelState

TYPE_ORDER = {"defence": 0, "attack": 1, "meditation": 2, "core": 3}


def in_order(state: DuelState) -> list[Activation]:
    """What still waits, in the order in which it will act as things stand now."""
    waiting, found = list(state.queue), []
    while waiting:
        nearest = first_of(waiting, state.duel, state.advantage)
        found.append(nearest)
        waiting.remove(nearest)
    return found


def first_of(waiting: Sequence[Activation], duel: Duel, advantage: Sequence[int]) -> Activation:
    """The next to act. Of each player only the first activation counts: a card's segments keep their order."""
    firsts: dict[int, Activation] = {}
    for activation in waiting:
        firsts.setdefault(activation.player, activation)
    best = None
    for first in firsts.values():
        activation = _first_addition(waiting, first) if first.at_once else first
        if best is None or _before(activation, best, duel, advantage):
            best = activation
    assert best is not None
    return best


def _first_addition(waiting: Sequence[Activation], first: Activation) -> Activation:
    """Of several additions of one player the printed speed decides the order (SJ-R22)."""
    cards: dict[str, Activation] = {}
    for activation in waiting:
        if activation.player == first.player:
            cards.setdefault(activation.card, activation)
    return max(cards.values(), key=lambda activation: activation.speed)


def tied_with(activation: Activation, waiting: Sequence[Activation]) -> Activation | None:
    """Somebody else's card that waits with the same speed."""
    if activation.at_once:
        return None
    same = (each for each in waiting if each.player != activation.player and each.speed == activation.speed)
    return next(same, None)


def _before(one: Activation, other: Activation, duel: Duel, advantage: Sequence[int]) -> bool:
    if one.at_once != other.at_once:
        return one.at_once
    if one.speed != other.speed:
        return one.speed > other.speed
    types = TYPE_ORDER[duel.cards[one.card].type], TYPE_ORDER[duel.cards[other.card].type]
    if types[0] != types[1]:
        return types[0] < types[1]
    return advantage.index(one.player) < advantage.index(other.player)

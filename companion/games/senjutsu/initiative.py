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
    best = waiting[0]
    seen, best_rank = {best.player}, None
    for activation in waiting:
        if activation.player not in seen:
            seen.add(activation.player)
            best_rank = best_rank or _rank(best, duel, advantage)
            rank = _rank(activation, duel, advantage)
            if rank < best_rank:
                best, best_rank = activation, rank
    return best


def _rank(activation: Activation, duel: Duel, advantage: Sequence[int]) -> tuple[bool, int, int, int]:
    kind = TYPE_ORDER[duel.cards[activation.card].type]
    return not activation.at_once, -activation.speed, kind, advantage.index(activation.player)

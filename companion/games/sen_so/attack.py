"""The Attack phase: which spaces are attacked, who is hit, and from which side (SEN-27, SEN-39 to SEN-56)."""

from collections.abc import Mapping
from typing import NamedTuple

from companion.games.sen_so.cards import SHURIKEN
from companion.games.sen_so.moves import RevealAction
from companion.games.sen_so.state import HIDDEN, Ninja, PendingAttack, SenSoState


class Hit(NamedTuple):
    """An attack on a space where somebody stands."""

    by: int
    on: int
    side: int
    """Where it comes from, relative to the defender's alignment."""


def attacks_of(state: SenSoState, actions: Mapping[int, RevealAction]) -> tuple[PendingAttack, ...]:
    """Every attack of this set, from where its player stands after the moves."""
    found = []
    for index, move in actions.items():
        ninja = state.ninjas[index]
        arrow = (move.turn + ninja.facing) % 8
        choices = _choices(state, ninja, move.card, arrow)
        if choices is not None:
            target = choices[0] if len(choices) == 1 else None
            found.append(PendingAttack(index, move.card, arrow, choices, target))
    return tuple(found)


def _choices(state: SenSoState, ninja: Ninja, card: str, arrow: int) -> tuple[int, ...] | None:
    """The spaces that this card can attack; None where it does not attack."""
    board = state.board
    if card == "attack":
        return board.locations(state.pattern(ninja.held), arrow, ninja.cell)
    if card == "flying_attack":
        if ninja.ban == "SEN-38" and not state.options.flying_attack_after_collision:  # SEN-R14
            return None
        return tuple(board.ray(ninja.cell, arrow)[:1])
    if card == SHURIKEN:
        occupied = {other.cell for other in state.ninjas if not other.out}
        return tuple(cell for cell in board.ray(ninja.cell, arrow) if cell in occupied)[:1]
    return None


def occupant(state: SenSoState, attack: PendingAttack) -> int | None:
    """Who stands on the attacked space. It is never the attacker, whose space is in no pattern (SEN-R16)."""
    for index in state.present:
        if state.ninjas[index].cell == attack.target:
            return index
    return None


def grazed(state: SenSoState, attack: PendingAttack) -> list[int]:
    """The other players next to an attacked space that nobody stands on (SEN-60, SEN-61, SEN-R18)."""
    if attack.target is None or attack.card == SHURIKEN or occupant(state, attack) is not None:
        return []
    around = state.board.around[attack.target]
    return [index for index in state.present if index != attack.by and state.ninjas[index].cell in around]


def hits_of(state: SenSoState) -> tuple[Hit, ...]:
    found = []
    for attack in state.attacks:
        on = occupant(state, attack)
        if on is not None:
            found.append(Hit(attack.by, on, _side(state, attack, on)))
    return tuple(found)


def _side(state: SenSoState, attack: PendingAttack, on: int) -> int:
    """The side a blow comes from, as the defender sees it (SEN-R17)."""
    defender, attacker = state.ninjas[on], state.ninjas[attack.by]
    bearing = None
    if state.options.block_bearing == "bearing":
        bearing = state.board.bearing(defender.cell, attacker.cell)
    if bearing is None:
        bearing = (attack.arrow + 4) % 8
    return (bearing - defender.facing) % 8


def sides_hit(state: SenSoState, index: int) -> frozenset[int]:
    """The sides from which this player is hit in this set."""
    return frozenset(hit.side for hit in hits_of(state) if hit.on == index)


def to_aim(state: SenSoState) -> tuple[int, ...]:
    """Whose attack has more than one location to choose from (SEN-40)."""
    return tuple(each.by for each in state.attacks if each.target is None and len(each.choices) > 1)


def to_glance(state: SenSoState) -> tuple[int, ...]:
    """Who has to say what a glancing attack counts as (SEN-A3)."""
    if state.options.glancing != "choice":
        return ()
    return tuple(each.by for each in state.attacks if not each.glance and grazed(state, each))


def to_guard(state: SenSoState) -> tuple[int, ...]:
    """Who is hit behind a hidden block, in seat order."""
    return tuple(sorted({hit.on for hit in hits_of(state) if state.ninjas[hit.on].block == HIDDEN}))

"""The Attack and Scoring phases: locations, blocks, and points (SEN-27, SEN-28, SEN-39 to SEN-69)."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from companion.core.message import message
from companion.core.rulings import Ruling
from companion.games.sen_so.geometry import NAMES
from companion.games.sen_so.moves import Reveal
from companion.games.sen_so.state import HIDDEN, SHURIKEN, Attack, Ninja, State

BLOW, GLANCE = 5, 1


class Hit(NamedTuple):
    """An attack that lands where somebody stands."""

    by: int
    on: int
    side: int
    """Where it comes from, relative to the defender's alignment."""


def attacks_of(state: State, actions: Mapping[int, Reveal]) -> tuple[Attack, ...]:
    """Every attack of this set, from where its player stands after the moves (I7)."""
    found = []
    for index, move in actions.items():
        ninja = state.ninjas[index]
        arrow = (move.turn + ninja.facing) % 8
        choices = _choices(state, ninja, move.card, arrow)
        if choices is not None:
            target = choices[0] if len(choices) == 1 else None
            found.append(Attack(index, move.card, arrow, choices, target))
    return tuple(found)


def _choices(state: State, ninja: Ninja, card: str, arrow: int) -> tuple[int, ...] | None:
    board = state.board
    if card == "attack":
        return board.locations(state.pattern(ninja.held), arrow, ninja.cell)
    if card == "flying_attack":
        if ninja.ban == "SEN-38" and not state.options.flying_attack_after_collision:
            return None
        return tuple(board.ray(ninja.cell, arrow)[:1])
    if card == SHURIKEN:
        occupied = {other.cell for other in state.ninjas if not other.out}
        return tuple(cell for cell in board.ray(ninja.cell, arrow) if cell in occupied)[:1]
    return None


def occupant(state: State, attack: Attack) -> int | None:
    """Who stands in the attacked cell; never the attacker, whose own cell is in no pattern (R16)."""
    for index in state.present:
        if state.ninjas[index].cell == attack.target:
            return index
    return None


def near(state: State, attack: Attack) -> list[int]:
    """Whom a glancing attack touches: players next to an attacked cell that nobody else stands in (SEN-60, SEN-61)."""
    if attack.target is None or attack.card == SHURIKEN or occupant(state, attack) is not None:
        return []
    around = state.board.around[attack.target]
    return [index for index in state.present if index != attack.by and state.ninjas[index].cell in around]


def hits_of(state: State) -> tuple[Hit, ...]:
    found = []
    for attack in state.attacks:
        on = occupant(state, attack)
        if on is not None:
            found.append(Hit(attack.by, on, _side(state, attack, on)))
    return tuple(found)


def _side(state: State, attack: Attack, on: int) -> int:
    """The side a blow comes from, as the defender sees it (R17)."""
    defender, attacker = state.ninjas[on], state.ninjas[attack.by]
    bearing = None
    if state.options.block_bearing == "bearing":
        bearing = state.board.bearing(defender.cell, attacker.cell)
    if bearing is None:
        bearing = (attack.arrow + 4) % 8
    return (bearing - defender.facing) % 8


def to_guard(state: State) -> tuple[int, ...]:
    """Who is hit behind a hidden block, in seat order."""
    return tuple(sorted({hit.on for hit in hits_of(state) if state.ninjas[hit.on].block == HIDDEN}))


def sides_hit(state: State, index: int) -> frozenset[int]:
    """The sides from which this player is hit in this set."""
    return frozenset(hit.side for hit in hits_of(state) if hit.on == index)


class _Sheet:
    """The score sheet of one set: it adds up and writes down why."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.scores = [ninja.score for ninja in state.ninjas]
        self.endurance = [ninja.endurance for ninja in state.ninjas]
        self.rulings: list[Ruling] = []

    def points(self, gains: Mapping[int, int], rule: str, say: str, **facts: object) -> None:
        """Write points down; a Knock Out counts only losses in its scores (SEN-A1)."""
        knock_out = self.state.options.knock_out is not None
        changes: dict[str, tuple[object, object]] = {}
        for index, gain in gains.items():
            name = self.state.ninjas[index].name
            endurance = self.endurance[index]
            if gain < 0 and endurance is not None:
                self.endurance[index] = endurance + gain
                changes[f"endurance.{name}"] = (endurance, endurance + gain)
            if gain > 0 and knock_out and not self.state.options.advanced_knock_out:
                continue
            if gain < 0 and self.state.options.advanced_knock_out:
                continue
            changes[f"scores.{name}"] = (self.scores[index], self.scores[index] + gain)
            self.scores[index] += gain
        self.rulings.append(Ruling(rule, message(say, **dict(facts)), changes))


def score(state: State) -> tuple[State, tuple[Ruling, ...]]:
    """Add up hits, blocked hits and glances; discard what was thrown (SEN-28)."""
    if not state.attacks:
        return state, ()
    sheet = _Sheet(state)
    hits = hits_of(state)
    blocked = {hit for hit in hits if state.ninjas[hit.on].block == hit.side}
    exchanged = {hit for hit in blocked if any(other.by == hit.on and other.on == hit.by for other in blocked)}
    for hit in hits:
        names = {"attacker": state.ninjas[hit.by].name, "defender": state.ninjas[hit.on].name}
        if hit in exchanged:
            if hit.by < hit.on:
                sheet.points(
                    {}, "SEN-64", "{attacker} and {defender} strike and block each other: nobody scores.", **names
                )
        elif hit in blocked:
            side = NAMES[hit.side]
            sheet.points(
                {hit.by: BLOW},
                "SEN-59",
                "{attacker} hits {defender}, whose block faces {side}: +5 and 0.",
                side=side,
                **names,
            )
        else:
            sheet.points({hit.by: BLOW, hit.on: -BLOW}, "SEN-58", "{attacker} strikes {defender}: +5 and −5.", **names)
    struck = {hit.by for hit in hits}
    for attack in state.attacks:
        if attack.by not in struck:
            _miss(sheet, attack)
    ninjas = [
        msgspec.structs.replace(ninja, score=sheet.scores[index], endurance=sheet.endurance[index])
        for index, ninja in enumerate(state.ninjas)
    ]
    for attack in state.attacks:
        if attack.card == SHURIKEN:
            thrower = ninjas[attack.by]
            ninjas[attack.by] = msgspec.structs.replace(thrower, thrown=thrower.thrown + 1)
            sheet.points({}, "SEN-46", "{player}'s Shuriken is out of the game.", player=thrower.name)
    return msgspec.structs.replace(state, ninjas=tuple(ninjas), attacks=(), asked=()), tuple(sheet.rulings)


def _miss(sheet: _Sheet, attack: Attack) -> None:
    state = sheet.state
    attacker = state.ninjas[attack.by].name
    if attack.card == SHURIKEN:
        sheet.points({}, "SEN-45", "{attacker}'s Shuriken hits nobody; it scores no glance.", attacker=attacker)
        return
    touched = near(state, attack)
    if attack.target is None or not touched:
        sheet.points({}, "SEN-27", "{attacker}'s attack hits nobody.", attacker=attacker)
        return
    facts = {
        "attacker": attacker,
        "cell": state.board.name(attack.target),
        "others": ", ".join(state.ninjas[index].name for index in touched),
        "count": len(touched),
    }
    rule = "SEN-62" if len(touched) > 1 else "SEN-60"
    gains = {attack.by: GLANCE * len(touched)}
    losses = dict.fromkeys(touched, -GLANCE)
    match glance_result(state, attack):
        case "attack":
            sheet.points(gains, rule, "{attacker} attacks {cell}, next to {others}: +{count}.", **facts)
        case "wound":
            sheet.points(losses, "SEN-A3", "{attacker} grazes {others} at {cell}: −1 each.", **facts)
        case "blow":
            sheet.points(
                gains | losses, "SEN-A3", "{attacker} grazes {others} at {cell}: +{count}, and −1 each.", **facts
            )
        case "none":
            sheet.points(
                {}, "SEN-A3", "{attacker} attacks {cell}; glancing attacks do not count in this match.", **facts
            )


def glance_result(state: State, attack: Attack) -> str:
    return attack.glance or state.options.glancing

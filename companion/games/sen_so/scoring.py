"""The Scoring phase: points for hits, blocked hits and glances; thrown weapons are gone (SEN-28, SEN-58 to SEN-69)."""

from collections.abc import Mapping

import msgspec

from companion.core.message import Message, Thing, message
from companion.core.rulings import Happening, Ruling
from companion.games.sen_so.attack import Hit, grazed, hits_of
from companion.games.sen_so.cards import SHURIKEN
from companion.games.sen_so.geometry import NAMES
from companion.games.sen_so.happenings import AttackGlanced, BlowsExchanged, NinjaStruck
from companion.games.sen_so.state import PendingAttack, SenSoState

BLOW, GLANCE = 5, 1


def score(state: SenSoState) -> tuple[SenSoState, tuple[Ruling, ...]]:
    """Add up the attacks of this set."""
    if not state.attacks:
        return state, ()
    sheet = _ScoreSheet(state)
    hits = hits_of(state)
    blocked = {hit for hit in hits if state.ninjas[hit.on].block == hit.side}
    for hit in hits:
        _score_hit(sheet, hit, blocked)
    struck = {hit.by for hit in hits}
    for attack in state.attacks:
        if attack.by not in struck:
            _score_miss(sheet, attack)
    return sheet.closed(), tuple(sheet.rulings)


class _ScoreSheet:
    """The score sheet of one set: it adds up the points and keeps the rulings that explain them."""

    def __init__(self, state: SenSoState) -> None:
        self.state = state
        self.scores = [ninja.score for ninja in state.ninjas]
        self.endurance = [ninja.endurance for ninja in state.ninjas]
        self.rulings: list[Ruling] = []

    def write(
        self, rule: str, said: Message, points: Mapping[int, int] | None = None, happened: Happening | None = None
    ) -> None:
        """Enter points, positive and negative by seat, as far as this match counts them."""
        changes: dict[str, tuple[object, object]] = {}
        for index, gain in (points or {}).items():
            name = self.state.ninjas[index].name
            endurance = self.endurance[index]
            if gain < 0 and endurance is not None:
                self.endurance[index] = endurance + gain
                changes[f"endurance.{name}"] = (endurance, endurance + gain)
            if self._counts(gain):
                changes[f"scores.{name}"] = (self.scores[index], self.scores[index] + gain)
                self.scores[index] += gain
        self.rulings.append(Ruling(rule, said, changes, happened))

    def _counts(self, gain: int) -> bool:
        """A Knock Out counts only losses in its scores (SEN-A1), an advanced one only gains (SEN-A2)."""
        if self.state.options.knock_out is None:
            return True
        return gain > 0 if self.state.options.advanced_knock_out else gain < 0

    def closed(self) -> SenSoState:
        """The state with these points, every attack settled and every thrown Shuriken out of the game (SEN-46)."""
        ninjas = [
            msgspec.structs.replace(ninja, score=self.scores[index], endurance=self.endurance[index])
            for index, ninja in enumerate(self.state.ninjas)
        ]
        for attack in self.state.attacks:
            if attack.card == SHURIKEN:
                thrower = ninjas[attack.by]
                ninjas[attack.by] = msgspec.structs.replace(thrower, thrown=thrower.thrown + 1)
                told = message("{player}'s Shuriken is out of the game.", player=thrower.thing)
                self.write("SEN-46", told)
        return msgspec.structs.replace(self.state, ninjas=tuple(ninjas), attacks=(), asked=())


def _score_hit(sheet: _ScoreSheet, hit: Hit, blocked: set[Hit]) -> None:
    board, by, on = sheet.state.board, sheet.state.ninjas[hit.by], sheet.state.ninjas[hit.on]
    start, cell = board.name(by.cell), board.name(on.cell)
    attacker, defender = by.thing, on.thing
    if hit not in blocked:
        sheet.write(
            "SEN-58",
            message("{attacker} strikes {defender}: +5 and −5.", attacker=attacker, defender=defender),
            {hit.by: BLOW, hit.on: -BLOW},
            NinjaStruck(by.name, on.name, start, cell, blocked=False),
        )
    elif not any(other.by == hit.on and other.on == hit.by for other in blocked):
        told = message(
            "{attacker} hits {defender}, whose block faces {side}: +5 and 0.",
            attacker=attacker,
            defender=defender,
            side=Thing("direction", NAMES[hit.side]),
        )
        sheet.write("SEN-59", told, {hit.by: BLOW}, NinjaStruck(by.name, on.name, start, cell, blocked=True))
    elif hit.by < hit.on:  # the exchange is told once (SEN-R20)
        sheet.write(
            "SEN-64",
            message(
                "{attacker} and {defender} strike and block each other: nobody scores.",
                attacker=attacker,
                defender=defender,
            ),
            happened=BlowsExchanged(by.name, on.name, start, cell),
        )


def _score_miss(sheet: _ScoreSheet, attack: PendingAttack) -> None:
    """An attack that hit nobody may still have grazed somebody."""
    state = sheet.state
    attacker = state.ninjas[attack.by].thing
    if attack.card == SHURIKEN:
        said = message("{attacker}'s Shuriken hits nobody; it scores no glance.", attacker=attacker)
        sheet.write("SEN-45", said)
        return
    touched = grazed(state, attack)
    if attack.target is None or not touched:
        sheet.write("SEN-27", message("{attacker}'s attack hits nobody.", attacker=attacker))
        return
    _score_glance(sheet, attack, state.board.name(attack.target), touched)


def _score_glance(sheet: _ScoreSheet, attack: PendingAttack, cell: str, touched: list[int]) -> None:
    state = sheet.state
    by = state.ninjas[attack.by]
    names = tuple(state.ninjas[index].name for index in touched)
    attacker, place = by.thing, Thing("place", cell)
    others = tuple(Thing("player", name) for name in names)
    points = GLANCE * len(touched)
    gains, losses = {attack.by: points}, dict.fromkeys(touched, -GLANCE)
    happened = AttackGlanced(by.name, names, state.board.name(by.cell), cell)
    match attack.glance or state.options.glancing:
        case "attack":
            rule = "SEN-62" if len(touched) > 1 else "SEN-60"
            said = message(
                "{attacker} attacks {cell}, next to {others}: +{points}.",
                attacker=attacker,
                cell=place,
                others=others,
                points=points,
            )
            sheet.write(rule, said, gains, happened)
        case "wound":
            said = message(
                "{attacker} grazes {others} at {cell}: −1 each.", attacker=attacker, cell=place, others=others
            )
            sheet.write("SEN-A3", said, losses, happened)
        case "blow":
            said = message(
                "{attacker} grazes {others} at {cell}: +{points}, and −1 each.",
                attacker=attacker,
                cell=place,
                others=others,
                points=points,
            )
            sheet.write("SEN-A3", said, gains | losses, happened)
        case "none":
            said = message(
                "{attacker} attacks {cell}; glancing attacks do not count in this match.",
                attacker=attacker,
                cell=place,
            )
            sheet.write("SEN-A3", said, happened=happened)

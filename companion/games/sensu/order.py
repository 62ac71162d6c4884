"""Whose turn it is, what the table waits for, and why another move has to wait."""

from collections.abc import Mapping
from functools import lru_cache

from companion.core.message import Message, Thing, message
from companion.core.rulings import Refused, Ruling
from companion.games.kit.faults import Faults
from companion.games.kit.game import Awaits, Sealed
from companion.games.sensu.moves import SensuMoves
from companion.games.sensu.state import SensuState, asked, replace

ACTIONS = ("draw", "combine")
NOTHING_TO_DRAW = ("combine", "pass")
ALONE: Mapping[str, tuple[str, ...]] = {
    kind: (kind,) for kind in ("discard", "place", "chosen", "wisdom", "harmony", "courage")
}

PROMPTS = {
    "draw": message("Draw a card, or lay a combination of 20."),
    "combine": message("Draw a card, or lay a combination of 20."),
    "pass": message("There is nothing to draw: lay a combination, or pass."),
    "discard": message("Discard one card on your own pile."),
    "place": message("Lay the redeemed cards into your fans."),
    "chosen": message("Which Closed fan card have you kept?"),
    "wisdom": message("Wisdom: where do you draw the next card from?"),
    "harmony": message("Harmony: whose top discard joins your fan?"),
    "courage": message("Courage: which fan does each opponent lose a card from?"),
}


def awaits(state: SensuState, sealed: Sealed) -> Awaits:
    phase = asked(state)
    if phase == "over":
        return {}
    if phase == "action":
        return {state.player: ACTIONS if state.deck else NOTHING_TO_DRAW}
    return {state.player: ALONE[phase]}


def pass_on(state: SensuState, said: list[Ruling], rule: str) -> SensuState:
    """The turn goes to the next player."""
    terms, turn = state.terms, (state.turn + 1) % len(state.seats)
    if not terms.solo:
        player = terms.players[turn]
        said.append(Ruling(rule, _next(player), {"turn": (state.player, player)}))
    return replace(state, phase="action", turn=turn, passed=rule)


@lru_cache(maxsize=64)
def _next(player: str) -> Message:
    return message("{player} is next.", player=Thing("player", player))


# --- moves that nobody is waiting for ------------------------------------------------------------------------------

POWER_RULES = {"wisdom": "SU-55", "harmony": "SU-56", "courage": "SU-57"}


def out_of_turn(state: SensuState, sealed: Sealed, player: str, move: SensuMoves) -> Refused | None:
    """Why this move is not possible now: what the table waits for, and what would have to come before the move."""
    faults = Faults()
    phase, solo = asked(state), state.terms.solo
    if phase == "over":
        faults.add(("SU-74", "SU-R22") if solo else "SU-50", message("The match is over."))
    elif player != state.player:
        told = message(
            "It is the turn of {turn}, not of {player}.",
            turn=Thing("player", state.player),
            player=Thing("player", player),
        )
        refill = state.passed == "SU-47" and move.kind == "draw"
        faults.add(tuple(filter(None, ("SU-16", "SU-15", state.passed, "SU-48" if refill else ""))), told)
    else:
        _report_awaited(phase, player, faults)
    _report_unasked(state, player, move.kind, faults)
    return faults.refusal


def _report_awaited(phase: str, name: str, faults: Faults) -> None:
    """Something else comes first."""
    player = Thing("player", name)
    if phase in POWER_RULES:
        told = message("A power acts at once: {player} has to carry it out first.", player=player)
        faults.add((POWER_RULES[phase], "SU-54", "SU-53", "SU-R14"), told)
    elif phase == "chosen":
        faults.add(("SU-63", "SU-64"), message("{player} has to draw a new chosen fan first.", player=player))
    elif phase == "discard":
        faults.add(("SU-19", "SU-16"), message("{player} has to discard a card first.", player=player))
    elif phase == "place":
        told = message("{player} has to place the redeemed cards first.", player=player)
        faults.add(("SU-38", "SU-16", "SU-48", "SU-28"), told)


def _report_unasked(state: SensuState, name: str, kind: str, faults: Faults) -> None:
    """An answer to a question that nobody has asked this player."""
    terms, player = state.terms, Thing("player", name)
    if kind in POWER_RULES:
        rules = (POWER_RULES[kind], "SU-52", "SU-53", *(() if terms.powers else ("SU-51",)))
        faults.add(rules, message("No power of that kind acts now."))
    elif kind == "chosen":
        rules = ("SU-63", "SU-59", "SU-60", *(() if terms.chosen_fan else ("SU-51",)))
        faults.add(rules, message("{player} has not just closed a chosen fan.", player=player))
    elif kind == "discard":
        faults.add(("SU-19", "SU-R1", "SU-16"), message("{player} does not hold more than five cards.", player=player))
    elif kind == "place":
        faults.add(("SU-38", "SU-28"), message("{player} has no redeemed cards to place.", player=player))
    elif kind == "pass":
        faults.add(("SU-16", "SU-R3"), message("{player} can draw, so passing is not allowed.", player=player))
    elif kind == "draw" and asked(state) == "action" and name == state.player:
        faults.add(("SU-18", "SU-17", "SU-49"), message("There is nothing to draw: the deck and all piles are empty."))

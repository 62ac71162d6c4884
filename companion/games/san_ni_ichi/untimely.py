"""Why a move is not awaited now, in the game's own rules."""

from typing import Any

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.kit.game import Sealed
from companion.games.san_ni_ichi import attack, selection
from companion.games.san_ni_ichi.cards import ATTACK, BLOCK, SAI, SHURIKEN, TONFA, YOSO
from companion.games.san_ni_ichi.hands import bombs_left
from companion.games.san_ni_ichi.state import State

_OF_CARDS = {
    "play": ("SNI-14",),
    "discard": ("SNI-23",),
    "block": ("SNI-29",),
    "sai": ("SNI-40",),
    "shuriken": ("SNI-42",),
    "tonfa": ("SNI-48",),
}
"""Moves that a revealed card makes, with the rule each belongs to."""
_NEEDS = {
    "play": (ATTACK, YOSO),
    "block": (BLOCK,),
    "sai": (SAI,),
    "shuriken": (SHURIKEN,),
    "tonfa": (TONFA,),
}


def untimely(state: State, sealed: Sealed, player: str, move: Any) -> Refused | None:
    """The fuller refusal for a move that is not awaited; None where there is no more to say."""
    facts = {"player": player, "move": move.kind, "round": state.round}
    if state.phase == "over":
        return Refused(("SNI-17", "SNI-R24"), message("The match is over."))
    if move.kind in ("smoke", "pass"):
        return _smoke(state, sealed, player, facts)
    if state.phase == "attack":
        return _attack(state, player, move, facts)
    if move.kind in _OF_CARDS:
        return Refused(
            ("SNI-10", *_OF_CARDS[move.kind]), message("Cards act in the Attack Phase, which is not now.", **facts)
        )
    if state.phase == "selection":
        return _selection(state, sealed, player, move, facts)
    return Refused(("SNI-10", "SNI-35"), message("The Damage Phase comes first: smoke bomb or not.", **facts))


def _smoke(state: State, sealed: Sealed, player: str, facts: dict[str, Any]) -> Refused:
    seat = state.table.seats[player]
    if state.phase == "damage" and player in sealed:
        return Refused(
            ("SNI-R16", "SNI-35"), message("{player} has declared already: there is one declaration a round.", **facts)
        )
    if not state.hands[seat]:
        rules = ("SNI-35", "SNI-39", "TABLE-2")
        return Refused(rules, message("{player} has no card in hand, so no smoke bomb either.", **facts))
    if not bombs_left(state):
        return Refused(("SNI-35", "TABLE-1", "SNI-7"), message("There is no smoke bomb left in any hand.", **facts))
    return Refused(("SNI-35", "SNI-R16"), message("Smoke bombs are for the start of the Damage Phase.", **facts))


def _selection(state: State, sealed: Sealed, player: str, move: Any, facts: dict[str, Any]) -> Refused:
    seat = state.table.seats[player]
    if state.selected:
        if seat not in state.selected:
            return Refused(("SNI-12", "SNI-R23"), message("{player} has no card lying face down.", **facts))
        if player in sealed and move.kind == "reveal":
            return Refused("SNI-12", message("{player} has turned up a card already.", **facts))
        return Refused(("SNI-11", "SNI-12"), message("The selected cards are turned up now, all together.", **facts))
    if move.kind == "reveal":
        return Refused(("SNI-12", "SNI-11"), message("Cards are turned up when everybody's lies face down.", **facts))
    if player in sealed:
        return Refused("SNI-11", message("{player} has chosen already: one card a round.", **facts))
    if not state.hands[seat]:
        rules = ("SNI-R23", "SNI-11", "TABLE-2")
        return Refused(rules, message("{player} has no card in hand and sits this round out.", **facts))
    if move.kind == "sit_out":
        try:
            selection.check_sit_out(state, sealed, seat, move)
        except Refused as refusal:
            return refusal
    return Refused(
        ("SNI-34", "SNI-39", "SNI-R22"),
        message("{player} has only smoke bombs, and those are never selected.", **facts),
    )


def _attack(state: State, player: str, move: Any, facts: dict[str, Any]) -> Refused:
    table = state.table
    if move.kind not in _OF_CARDS:
        return Refused(("SNI-10", "SNI-11"), message("The Attack Phase of round {round} is not over.", **facts))
    seat, value = attack.current(state)
    facts |= {"next": table.players[seat], "card": value.card}
    if player == table.players[seat]:
        kinds = attack.KINDS[value.kind]
        rules = ("SNI-14", *(rule for kind in (kinds[0], move.kind) for rule in _OF_CARDS[kind]))
        return Refused(
            tuple(dict.fromkeys(rules)), message("{player}'s card is {card}: it cannot do that ({move}).", **facts)
        )
    mine = [card for each, card in state.order[state.turn :] if table.players[each] == player]
    if not mine:
        return Refused(
            ("SNI-13", "SNI-11"), message("{player} has no card left to play this round; next is {next}.", **facts)
        )
    held = table.values[mine[0]]
    facts["own_card"] = mine[0]
    broken = ["SNI-13"]
    if (held.kind, value.kind) != (ATTACK, ATTACK):
        broken.append("SNI-26")
    say = "{next}'s {card} has the lower Strength and comes before {player}'s {own_card}."
    if held.strength == value.strength:
        broken.append("SNI-52")
        say = "{next}'s {card} comes before {player}'s {own_card}: the Strength is the same, the letter is earlier."
        if held.letter == value.letter:
            broken.append("SNI-R3")
            say = "{next}'s {card} comes before {player}'s {own_card}: a full tie goes clockwise from the dealer."
    if held.kind not in _NEEDS.get(move.kind, (held.kind,)):
        broken.append("SNI-14")
    return Refused(tuple(broken), message(say, **facts))

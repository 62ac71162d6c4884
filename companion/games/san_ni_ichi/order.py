"""Whose move it is, and why a move that nobody waits for is refused."""

from typing import Any

from companion.core.message import Message, Thing, message
from companion.core.rulings import Refused
from companion.games.kit.game import Awaits, Sealed
from companion.games.san_ni_ichi import attack, selection
from companion.games.san_ni_ichi.cards import ATTACK, BLOCK, SAI, SHURIKEN, TONFA, YOSO, Value
from companion.games.san_ni_ichi.hands import bombs_left
from companion.games.san_ni_ichi.state import SanNiIchiState

SMOKE_OR_PASS = ("smoke", "pass")
REVEAL = ("reveal",)
_RULES = {
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
"""Which kinds of card can make such a move."""


def awaits(state: SanNiIchiState, sealed: Sealed) -> Awaits:
    """Public: it follows from the open cards and the counts, never from who holds what."""
    names = state.table.players
    if state.phase == "attack":
        seat, value = state.next_card()
        return {names[seat]: attack.KINDS[value.kind]}
    if state.phase == "selection":
        if state.selected:
            return {names[seat]: REVEAL for seat in state.selected if names[seat] not in sealed}
        return {
            name: selection.kinds(state, seat)
            for seat, name in enumerate(names)
            if state.hands[seat] and name not in sealed
        }
    if state.phase == "damage":
        return {name: SMOKE_OR_PASS for seat, name in enumerate(names) if state.hands[seat] and name not in sealed}
    return {}


def out_of_turn(state: SanNiIchiState, sealed: Sealed, player: str, move: Any) -> Refused:
    """The refusal of a move that is not awaited, in the game's own rules."""
    if state.phase == "over":
        return Refused(("SNI-17", "SNI-R24"), message("The match is over."))
    if move.kind in SMOKE_OR_PASS:
        return _smoke(state, sealed, player)
    if state.phase == "attack":
        return _attack(state, player, move.kind)
    if move.kind in _RULES:
        return Refused(("SNI-10", *_RULES[move.kind]), message("Cards act in the Attack Phase, which is not now."))
    if state.phase == "selection":
        return _selection(state, sealed, player, move)
    return Refused(("SNI-10", "SNI-35"), message("The Damage Phase comes first: smoke bomb or not."))


def _smoke(state: SanNiIchiState, sealed: Sealed, player: str) -> Refused:
    thing = Thing("player", player)
    if state.phase == "damage" and player in sealed:
        told = message("{player} has already declared: there is one declaration a round.", player=thing)
        return Refused(("SNI-R16", "SNI-35"), told)
    if not state.hands[state.table.seats[player]]:
        told = message("{player} has no card in hand, so no smoke bomb either.", player=thing)
        return Refused(("SNI-35", "SNI-39", "TABLE-2"), told)
    if not bombs_left(state):
        return Refused(("SNI-35", "TABLE-1", "SNI-7"), message("There is no smoke bomb left in any hand."))
    return Refused(("SNI-35", "SNI-R16"), message("Smoke bombs are used at the start of the Damage Phase."))


def _selection(state: SanNiIchiState, sealed: Sealed, player: str, move: Any) -> Refused:
    seat = state.table.seats[player]
    thing = Thing("player", player)
    if state.selected:
        if seat not in state.selected:
            return Refused(("SNI-12", "SNI-R23"), message("{player} has no card lying face down.", player=thing))
        if player in sealed and move.kind == "reveal":
            return Refused("SNI-12", message("{player} has already turned up a card.", player=thing))
        return Refused(("SNI-11", "SNI-12"), message("The selected cards are turned up now, all together."))
    if move.kind == "reveal":
        return Refused(("SNI-12", "SNI-11"), message("Cards are turned up once everybody's card lies face down."))
    if player in sealed:
        return Refused("SNI-11", message("{player} has already chosen: one card a round.", player=thing))
    if not state.hands[seat]:
        told = message("{player} has no card in hand and sits this round out.", player=thing)
        return Refused(("SNI-R23", "SNI-11", "TABLE-2"), told)
    if move.kind == "sit_out":
        try:
            selection.check_sit_out(state, sealed, seat, move)
        except Refused as refusal:
            return refusal
    told = message("{player} has only smoke bombs, and those are never selected.", player=thing)
    return Refused(("SNI-34", "SNI-39", "SNI-R22"), told)


def _attack(state: SanNiIchiState, player: str, kind: str) -> Refused:
    table = state.table
    if kind not in _RULES:
        return Refused(
            ("SNI-10", "SNI-11"), message("The Attack Phase of round {round} is not over.", round=state.round)
        )
    seat, value = state.next_card()
    thing = Thing("player", player)
    if player == table.players[seat]:
        broken = ("SNI-14", *_RULES[attack.KINDS[value.kind][0]], *_RULES[kind])
        return Refused(
            tuple(dict.fromkeys(broken)),
            message(
                "{player}'s card is {card}: it cannot do that ({move}).",
                player=thing,
                card=Thing("card", value.card),
                move=Thing("move", kind),
            ),
        )
    waiting = [card for each, card in state.order[state.turn :] if table.players[each] == player]
    if not waiting:
        return Refused(
            ("SNI-13", "SNI-11"),
            message(
                "{player} has no card left to play this round; next is {next}.",
                player=thing,
                next=table.things[seat],
            ),
        )
    own = table.values[waiting[0]]
    rules, told = _precedes(table.things[seat], value, thing, own)
    wrong_kind = () if own.kind in _NEEDS.get(kind, (own.kind,)) else ("SNI-14",)
    return Refused((*rules, *wrong_kind), told)


def _precedes(leader: Thing, value: Value, player: Thing, own: Value) -> tuple[tuple[str, ...], Message]:
    """Why the one card comes before the other: the rules, and the sentence."""
    facts = {"next": leader, "card": Thing("card", value.card), "player": player, "own_card": Thing("card", own.card)}
    attacks = own.kind == value.kind == ATTACK
    rules = ("SNI-13",) if attacks else ("SNI-13", "SNI-26")
    if own.strength != value.strength:
        return rules, message("{next}'s {card} has the lower Strength and comes before {player}'s {own_card}.", **facts)
    if own.letter != value.letter:
        return (*rules, "SNI-52", *(() if attacks else ("SNI-R3",))), message(
            "{next}'s {card} comes before {player}'s {own_card}: the Strength is the same, the letter is earlier.",
            **facts,
        )
    return (*rules, "SNI-52", "SNI-R3"), message(
        "{next}'s {card} comes before {player}'s {own_card}: a full tie goes clockwise from the dealer.", **facts
    )

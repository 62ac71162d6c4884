"""Who is awaited for what, what the page then asks, and what is said about a move that comes at the wrong time."""

from collections.abc import Callable

from companion.core.message import Message, Thing, message
from companion.core.rulings import Refused
from companion.games.kit.game import Awaits, Kinds, Move, Sealed
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.card_language.ability import PASSIVE, STUN, identity
from companion.games.senjutsu.hand import check_in_hand
from companion.games.senjutsu.instants import check_fits
from companion.games.senjutsu.state import DuelState

PROMPTS = {
    "select": message("Choose a card and lay it face down."),
    "reveal": message("Turn your card up."),
    "speed": message("Choose the speed of your card."),
    "instant": message("Lay an instant over your card, or pass."),
    "step": message("Move your samurai."),
    "rotate": message("Turn your samurai."),
    "kamae": message("Change your stance (kamae), or keep it."),
    "choose": message("Choose one of the alternatives."),
    "use": message("Use this line, or pass."),
    "draw": message("Say how many cards you draw."),
    "discard": message("Discard face up what you are made to discard."),
}
_TOGETHER = {"select": ("select",), "reveal": ("reveal",)}
"""Stages in which everybody does the same."""


def awaits(state: DuelState, sealed: Sealed) -> Awaits:
    if state.ask is not None:
        return {state.duel.players[state.ask.player]: state.ask.kinds}
    kinds = _TOGETHER.get(state.stage)
    if kinds is None:
        return {}
    samurai = state.samurai
    return {name: kinds for name, seat in state.duel.seat.items() if name not in sealed and not samurai[seat].defeated}


def kinds_of(state: DuelState, sealed: Sealed, player: str) -> Kinds:
    """What this player alone is awaited for."""
    seat = state.duel.seat[player]
    if state.ask is not None:
        return state.ask.kinds if state.ask.player == seat else ()
    if player in sealed or state.samurai[seat].defeated:
        return ()
    return _TOGETHER.get(state.stage, ())


OUT_OF_TURN: dict[str, tuple[tuple[str, ...], Callable[[Thing], Message]]] = {
    "select": (("SJ-47", "SJ-6", "SJ-R33"), lambda player: message("A card is chosen once, in the Draw Phase.")),
    "reveal": (("SJ-48", "SJ-47", "SJ-6"), lambda player: message("Cards are revealed once, when all are chosen.")),
    "speed": (("SJ-15", "SJ-R7"), lambda player: message("{player} has no speed to choose now.", player=player)),
    "instant": (
        ("SJ-41", "SJ-43", "SJ-19"),
        lambda player: message("{player} cannot lay an instant now.", player=player),
    ),
    "pass": (("SJ-54",), lambda player: message("{player} cannot leave that out: it is forced.", player=player)),
    "step": (("SJ-54", "SJ-7"), lambda player: message("{player} has no move to make now.", player=player)),
    "rotate": (("SJ-54", "SJ-7"), lambda player: message("{player} has no rotation to make now.", player=player)),
    "kamae": (
        ("SJ-31", "SJ-R26"),
        lambda player: message("No card allows {player} a step to another kamae now.", player=player),
    ),
    "draw": (("SJ-46", "SJ-7"), lambda player: message("There is nothing for {player} to draw now.", player=player)),
    "discard": (
        ("SJ-51", "SJ-59"),
        lambda player: message("There is nothing for {player} to discard now.", player=player),
    ),
    "use": (
        ("SJ-54", "SJ-7"),
        lambda player: message("There is nothing optional for {player} to use now.", player=player),
    ),
    "choose": (
        ("SJ-58", "SJ-7"),
        lambda player: message("There is nothing for {player} to choose now.", player=player),
    ),
}


def out_of_turn(state: DuelState, sealed: Sealed, player: str, move: Move) -> Refused:
    """Why a move that is not awaited is refused."""
    seat = state.duel.seat[player]
    named = state.duel.named[seat]
    if state.stage == "over":
        return Refused(("SJ-R13", "SJ-R12", "SJ-34", "SJ-39"), message("The duel is over."))
    if state.samurai[seat].defeated:
        return Refused(("SJ-R12", "SJ-34", "SJ-39"), message("{player} is defeated and acts no more.", player=named))
    if isinstance(move, m.DiscardForced) and STUN in move.cards:
        return stun_discarded()
    if isinstance(move, m.LayInstant) and state.stage == "resolve":
        try:
            check_instant(state, seat, move)
        except Refused as refusal:
            return refusal.citing("SJ-41", "SJ-43")
    rules, tell = OUT_OF_TURN[move.kind]
    return Refused(rules, tell(named))


def stun_discarded() -> Refused:
    return Refused(("SJ-38", "SJ-R14", "SJ-67"), message("A stun card cannot be discarded."))


def check_instant(state: DuelState, seat: int, move: m.LayInstant) -> None:
    """Refuse a card that is not an instant, cannot be held, or does not fit now."""
    card = identity(move.card)
    if card in (STUN, PASSIVE):
        raise Refused(("SJ-19", "SJ-18"), message("{card} is not an instant.", card=Thing("card", card)))
    check_in_hand(state.duel, state.samurai[seat], seat, card)
    check_fits(state, seat, state.duel.cards[card])

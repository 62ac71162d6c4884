"""What the camera sees, as a move: cards laid, miniatures and kamae rings moved.

The referee is told only of a finished move: a miniature that has not gone as far as its line allows may still be on its
way, so the rest is asked for on the tablet or by a press of ready.
"""

from collections.abc import Callable

from companion.core.layout import Sight
from companion.games.kit.game import Move, Sealed
from companion.games.kit.reading import CoveredCard, Row, face_up_card, up
from companion.games.senjutsu import moves as m
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.hexes import FACINGS, STEPS, Hex, distance, plus
from companion.games.senjutsu.kamae_board import ring
from companion.games.senjutsu.layout import ArenaOnTable, facing_at, piece
from companion.games.senjutsu.legal_moves import legal_moves
from companion.games.senjutsu.movement import turns
from companion.games.senjutsu.order import kinds_of
from companion.games.senjutsu.state import DuelState

CARD = CoveredCard("card", m.SelectCard, m.RevealCard)
Answer = Move | None
Reader = Callable[[DuelState, str, Sight], Answer]


def read(state: DuelState, sealed: Sealed, player: str, sight: Sight) -> Answer:
    """What lies or stands there, as this player's answer; None where it says nothing yet."""
    for kind in kinds_of(state, sealed, player):
        if kind in READ:
            return READ[kind](state, player, sight)
    return None


def laid(state: DuelState, player: str, move: Move) -> dict[str, Row] | None:
    """How the cards lie once the move is made; None where it is tapped, or made with a miniature or a ring."""
    samurai = state.samurai[state.duel.seat[player]]
    match move:
        case m.LayInstant(card) if card != (samurai.card, *samurai.laid)[-1]:
            return {f"{player}.card": up(card)}
        case m.DiscardForced([card]) if card != _last_shown(samurai.pile):
            return {f"{player}.discards": up(card)}
    return CARD.laid(state, player, move)


def _instant(state: DuelState, player: str, sight: Sight) -> Answer:
    """Another card on top than before. The camera cannot tell a second copy of the same instant: that takes a tap."""
    card, samurai = face_up_card(sight, f"{player}.card"), state.samurai[state.duel.seat[player]]
    return m.LayInstant(card) if card and card != (samurai.card, *samurai.laid)[-1] else None


def _step(state: DuelState, player: str, sight: Sight) -> Answer:
    """A miniature that has gone as far as its line allows, without running into anything."""
    return _stepped(state, player, sight, state.asking_line(a.StepLine).hexes)


def _stepped(state: DuelState, player: str, sight: Sight, least: int) -> Answer:
    """The step that leads where the miniature stands, if that is at least so many hexes away."""
    seen, samurai = sight.pieces.get(piece(player)), state.samurai[state.duel.seat[player]]
    stands = ArenaOnTable(state.duel).hex_at(seen) if seen else None
    if stands is None or distance(state.duel.arena.names[stands], samurai.hex) < least:
        return None
    steps = (move for move in legal_moves(state, {}, player) if isinstance(move, m.StepMove))
    return next((move for move in steps if _ends(state, samurai.hex, move) == stands), None)


def _ends(state: DuelState, here: Hex, move: m.StepMove) -> str | None:
    """Where a path ends; None if it runs into anything."""
    others = {other.hex for other in state.samurai if not other.defeated}
    for name in move.path:
        here = plus(here, STEPS[FACINGS.index(name)])
        if here in others or here in state.duel.terrain or here not in state.duel.arena.hexes:
            return None
    return state.duel.arena.hexes[here]


def _rotate(state: DuelState, player: str, sight: Sight) -> Answer:
    """A miniature that has turned as far as its line allows."""
    return _turned(state, player, sight, whole=True)


def _turned(state: DuelState, player: str, sight: Sight, *, whole: bool) -> Answer:
    line, samurai = state.asking_line(a.RotateLine), state.samurai[state.duel.seat[player]]
    seen = sight.pieces.get(piece(player))
    if seen is None:
        return None
    facing = facing_at(seen)
    allowed = turns(samurai.facing, line.sixths, line.side, line.may and not whole)
    return m.RotateMove(FACINGS[facing]) if facing in allowed and facing != samurai.facing else None


def _kamae(state: DuelState, player: str, sight: Sight) -> Answer:
    """The ring lies on another kamae than the samurai is in."""
    seat, seen = state.duel.seat[player], sight.pieces.get(ring(player))
    lies = ArenaOnTable(state.duel).kamae_board(seat).kamae_at(seen) if seen else None
    return m.KamaeStep(lies) if lies and lies != state.samurai[seat].kamae else None


def _discard(state: DuelState, player: str, sight: Sight) -> Answer:
    """A single forced discard: a card lies face up on the discards that is not the last one seen face up there.

    Face-down discards of the same round may be laid there late, so only the last open card counts.
    """
    card, pile = face_up_card(sight, f"{player}.discards"), state.samurai[state.duel.seat[player]].pile
    if state.asking_line(a.ForcedDiscard).cards != 1 or not card:
        return None
    return m.DiscardForced([card]) if card != _last_shown(pile) else None


def _last_shown(pile: tuple[str | None, ...]) -> str | None:
    return next((shown for shown in reversed(pile) if shown), None)


def ready(state: DuelState, sealed: Sealed, player: str, sight: Sight) -> Answer:
    """A miniature that has not gone as far as it may stays where it is now; otherwise the optional line is left out."""
    kinds = kinds_of(state, sealed, player)
    if "pass" not in kinds:
        return None
    return (READY[kinds[0]](state, player, sight) if kinds[0] in READY else None) or m.PassUp()


READ: dict[str, Reader] = {
    "select": lambda state, player, sight: CARD.read(player, sight, lies=False),
    "reveal": lambda state, player, sight: CARD.read(player, sight, lies=True),
    "instant": _instant,
    "step": _step,
    "rotate": _rotate,
    "kamae": _kamae,
    "discard": _discard,
}
READY: dict[str, Reader] = {
    "step": lambda state, player, sight: _stepped(state, player, sight, 1),
    "rotate": lambda state, player, sight: _turned(state, player, sight, whole=False),
}
"""What a press of ready means while a miniature stands short of what its line allows."""


def misplaced(state: DuelState, sight: Sight) -> dict[str, tuple[str, str]]:
    """Players whose miniature, or else whose ring, is not where the rules have it: name -> (as seen, as ruled)."""
    strays = stray_rings(state, sight)
    rings = {player: (f"kamae {lies}", f"kamae {belongs}") for player, (lies, belongs) in strays.items()}
    return rings | stray_miniatures(state, sight)


def stray_rings(state: DuelState, sight: Sight) -> dict[str, tuple[str, str]]:
    ground, wrong = ArenaOnTable(state.duel), {}
    for seat, (player, samurai) in enumerate(zip(state.duel.players, state.samurai, strict=True)):
        seen = sight.pieces.get(ring(player))
        lies = ground.kamae_board(seat).kamae_at(seen) if seen else samurai.kamae
        if lies != samurai.kamae and not samurai.defeated:
            wrong[player] = lies or "?", samurai.kamae
    return wrong


def stray_miniatures(state: DuelState, sight: Sight) -> dict[str, tuple[str, str]]:
    ground, wrong = ArenaOnTable(state.duel), {}
    for player, samurai in zip(state.duel.players, state.samurai, strict=True):
        seen = sight.pieces.get(piece(player))
        if seen is None or samurai.defeated:
            continue
        stands = f"{ground.hex_at(seen) or '?'} {FACINGS[facing_at(seen)]}"
        belongs = f"{state.duel.arena.hexes[samurai.hex]} {FACINGS[samurai.facing]}"
        if stands != belongs:
            wrong[player] = (stands, belongs)
    return wrong

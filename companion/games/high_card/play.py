"""The rules: who may do what, what is refused, and what follows."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.message import Thing, message, things
from companion.core.rulings import Refused, Ruling
from companion.games.high_card.happenings import RoundTied, RoundWon
from companion.games.high_card.moves import LayCard, Moves, ShowCard
from companion.games.high_card.state import HighCardOptions, HighCardState, value
from companion.games.kit.game import Awaits, Sealed, decode_options
from companion.games.kit.seats import with_seat

TOGETHER = frozenset({"lay", "turn_up"})


def setup(players: Sequence[str], options: Mapping[str, Any]) -> HighCardState:
    seats = tuple(players)
    return HighCardState(decode_options(options, HighCardOptions), seats, ((),) * len(seats), (0,) * len(seats))


def awaits(state: HighCardState, sealed: Sealed) -> Awaits:
    kind = "turn_up" if state.covered else "lay"
    return {} if state.over else {player: (kind,) for player in state.players if player not in sealed}


def check(state: HighCardState, sealed: Sealed, player: str, move: Moves) -> None:
    if isinstance(move, ShowCard) and move.card not in state.hand(state.players.index(player)):
        card, who = Thing("card", move.card), Thing("player", player)
        if any(move.card in played for played in state.played):
            raise Refused("HC-3", message("{card} was played before.", card=card))
        raise Refused("HC-1", message("{player} does not hold {card}.", player=who, card=card))


def legal_moves(state: HighCardState, sealed: Sealed, player: str) -> list[Moves]:
    if player not in awaits(state, sealed):
        return []
    return [ShowCard(card) for card in state.hand(state.players.index(player))] if state.covered else [LayCard()]


def apply(state: HighCardState, moves: Mapping[str, Moves]) -> tuple[HighCardState, tuple[Ruling, ...]]:
    if not state.covered:
        return replace(state, covered=True), (Ruling("HC-2", message("Every card lies face down.")),)
    cards = {player: move.card for player, move in moves.items() if isinstance(move, ShowCard)}
    played = tuple((*before, cards[who]) for who, before in zip(state.players, state.played, strict=True))
    state, scored = _score(replace(state, covered=False, played=played), cards)
    return state, (scored, _ended(state)) if state.over else (scored,)


def _score(state: HighCardState, cards: Mapping[str, str]) -> tuple[HighCardState, Ruling]:
    highest = max(map(value, cards.values()))
    best = tuple(player for player in state.players if value(cards[player]) == highest)
    if len(best) > 1:
        tied = message("{players} share the highest value: nobody scores.", players=things("player", best))
        return state, Ruling("HC-4", tied, {}, RoundTied(best))
    (player,) = best
    seat = state.players.index(player)
    score, card = state.scores[seat], cards[player]
    won = message("{player} wins the round with {card}.", player=Thing("player", player), card=Thing("card", card))
    ruling = Ruling("HC-4", won, {f"scores.{player}": (score, score + 1)}, RoundWon(player, card))
    return replace(state, scores=with_seat(state.scores, seat, score + 1)), ruling


def _ended(state: HighCardState) -> Ruling:
    won = message("The match is won by {players}.", players=things("player", state.winners))
    return Ruling("HC-5", won, {"over": (False, True), "winners": ([], list(state.winners))})

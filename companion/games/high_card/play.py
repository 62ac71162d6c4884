"""The rules: what a player may do, what is refused, and what follows."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.core.message import Thing, message, things
from companion.core.rulings import Refused, Ruling
from companion.games.high_card.moves import LayCard, RoundTied, RoundWon, ShowCard
from companion.games.high_card.state import HighCardOptions, HighCardState
from companion.games.kit.game import Move, Sealed, decode_options


def setup(players: Sequence[str], options: Mapping[str, Any]) -> HighCardState:
    chosen, seats = decode_options(options, HighCardOptions), len(players)
    return HighCardState(tuple(players), (0,) * seats, options=chosen, played=((),) * seats)


def legal_moves(state: HighCardState, sealed: Sealed, player: str) -> Sequence[Move]:
    if state.over or player in sealed:
        return []
    return [ShowCard(card) for card in state.hand(player)] if state.covered else [LayCard()]


def check(state: HighCardState, sealed: Sealed, player: str, move: Move) -> None:
    if isinstance(move, ShowCard) and move.card not in state.hand(player):
        card, who = Thing("card", move.card), Thing("player", player)
        if any(move.card in played for played in state.played):
            raise Refused("HC-3", message("{card} was played before.", card=card))
        raise Refused("HC-1", message("{player} does not hold {card}.", player=who, card=card))


def apply(state: HighCardState, moves: Mapping[str, Move]) -> tuple[HighCardState, tuple[Ruling, ...]]:
    if not state.covered:
        return replace(state, covered=True), (Ruling("HC-2", message("Every card lies face down.")),)
    cards = {player: move.card for player, move in moves.items() if isinstance(move, ShowCard)}
    played = tuple((*before, cards[who]) for who, before in zip(state.players, state.played, strict=True))
    state, scored = _score(replace(state, covered=False, played=played), cards)
    return state, (scored, state.outcome("HC-5")) if state.over else (scored,)


def _score(state: HighCardState, cards: Mapping[str, str]) -> tuple[HighCardState, Ruling]:
    values = {player: int(cards[player].rpartition("-")[2]) for player in state.players}
    best = tuple(player for player, value in values.items() if value == max(values.values()))
    if len(best) > 1:
        tied = message("{players} share the highest value: nobody scores.", players=things("player", best))
        return state, Ruling("HC-4", tied, {}, RoundTied(best))
    (player,) = best
    card, score = cards[player], state.scores[state.players.index(player)]
    won = message("{player} wins the round with {card}.", player=Thing("player", player), card=Thing("card", card))
    ruling = Ruling("HC-4", won, {f"scores.{player}": (score, score + 1)}, RoundWon(player, card))
    return state.with_points(player, 1), ruling

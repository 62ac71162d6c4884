"""What anybody may know: everything, for the cards that lie face down are not in the state at all."""

from typing import Any

import msgspec

from companion.games.high_card.state import HighCardState


class HighCardView(msgspec.Struct, frozen=True):
    round: int
    scores: dict[str, int]
    played: dict[str, list[str]]
    over: bool
    winners: list[str]


def view(state: HighCardState, viewer: str | None) -> HighCardView:
    scores = dict(zip(state.players, state.scores, strict=True))
    played = {player: list(cards) for player, cards in zip(state.players, state.played, strict=True)}
    return HighCardView(len(state.played[0]) + (not state.over), scores, played, state.over, list(state.winners))


def facts(state: HighCardState) -> dict[str, Any]:
    """The state as the kifu names it."""
    return msgspec.structs.asdict(view(state, None))

"""What anybody may know: everything, for the cards that lie face down are not in the state at all."""

import msgspec

from companion.games.high_card.state import HighCardState


class HighCardView(msgspec.Struct, frozen=True):
    round: int
    scores: dict[str, int]
    played: dict[str, tuple[str, ...]]
    over: bool
    winners: tuple[str, ...]


def view(state: HighCardState, viewer: str | None) -> HighCardView:
    scores = dict(zip(state.players, state.scores, strict=True))
    played = dict(zip(state.players, state.played, strict=True))
    return HighCardView(len(state.played[0]) + (not state.over), scores, played, state.over, state.winners)

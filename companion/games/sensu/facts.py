"""The state as the kifu names it."""

from typing import Any

from companion.games.sensu.cards import TYPES
from companion.games.sensu.solo import level, score
from companion.games.sensu.state import Fan, State, asked, fan_of, winners


def facts(state: State) -> dict[str, Any]:
    seats = state.seats
    named: dict[str, Any] = {
        "over": state.phase == "over",
        "winners": winners(state),
        "turn": state.player,
        "phase": asked(state),
        "deck": state.deck,
        "hands": {seat.player: seat.hand for seat in seats},
        "discards": {seat.player: list(seat.discards) for seat in seats},
        "redeemed": list(state.redeemed),
        "fans": {seat.player: {kind: _fan(fan_of(seat, kind)) for kind in TYPES} for seat in seats},
        "sticks": {seat.player: sum(fan.sticks for fan in seat.fans) for seat in seats},
        "chosen": {seat.player: seat.chosen for seat in seats},
    }
    if state.terms.solo:
        points = score(state)
        named |= {"columns": [list(column) for column in state.columns], "score": points, "level": level(points)}
    return named


def _fan(fan: Fan) -> dict[str, Any]:
    return {"cards": list(fan.cards), "sticks": fan.sticks, "closed": fan.closed}

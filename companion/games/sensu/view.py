"""What a viewer may see, and the state as the kifu names it.

The referee knows nothing that is hidden, so everyone gets the same view. The cards that it has seen going into a hand
are left out: a player who has forgotten them gets no help.
"""

from typing import Any

import msgspec

from companion.core.message import Message, message
from companion.games.sensu.cards import CARDS, CLOSED_COPIES, LETTERS, TITLES, TYPES
from companion.games.sensu.fans import missing
from companion.games.sensu.solo import LEVEL_TITLES, level, score
from companion.games.sensu.state import Fan, FanSeat, SensuState, asked, fan_of, winners

POWERS_TITLE = message("Powers")
CHOSEN_FAN_TITLE = message("Chosen fan")


class FanCardView(msgspec.Struct, frozen=True):
    card: str
    type: str
    values: tuple[int, ...]
    winds: int
    sticks: int
    symbol: bool


class FanView(msgspec.Struct, frozen=True):
    type: str
    title: str
    cards: tuple[FanCardView, ...]
    sticks: int
    missing: int
    closed: bool
    letter: str
    """Stands for the power symbol of this type."""


class FanSeatView(msgspec.Struct, frozen=True):
    player: str
    hand: int
    discards: tuple[FanCardView, ...]
    """Bottom to top."""
    fans: tuple[FanView, ...]
    chosen: str | None


class SoloView(msgspec.Struct, frozen=True):
    columns: tuple[tuple[FanCardView, ...], ...]
    score: int
    level: str
    level_title: Message


class SensuView(msgspec.Struct, frozen=True):
    turn: str
    phase: str
    deck: int
    seats: tuple[FanSeatView, ...]
    redeemed: tuple[FanCardView, ...]
    """In front of the player whose turn it is, waiting to be placed."""
    closed_stacks: dict[str, int]
    """Closed fan cards left, by type; empty where they are one hidden deck (the chosen fan)."""
    variants: tuple[Message, ...]
    """The names of those in use."""
    over: bool
    winners: tuple[str, ...]
    solo: SoloView | None = None


def view(state: SensuState, viewer: str | None) -> SensuView:
    terms = state.terms
    used = {kind: sum(fan_of(seat, kind).closed for seat in state.seats) for kind in TYPES}
    return SensuView(
        turn=state.player,
        phase=asked(state),
        deck=state.deck,
        seats=tuple(_seat(state, seat) for seat in state.seats),
        redeemed=_cards(state, state.redeemed),
        closed_stacks={} if terms.chosen_fan else {kind: CLOSED_COPIES - used[kind] for kind in TYPES},
        variants=(POWERS_TITLE,) * terms.powers + (CHOSEN_FAN_TITLE,) * terms.chosen_fan,
        over=state.phase == "over",
        winners=tuple(winners(state)),
        solo=_solo(state) if terms.solo else None,
    )


def _seat(state: SensuState, seat: FanSeat) -> FanSeatView:
    fans = tuple(_fan(state, kind, fan_of(seat, kind)) for kind in TYPES)
    return FanSeatView(seat.player, seat.hand, _cards(state, seat.discards), fans, seat.chosen)


def _fan(state: SensuState, kind: str, fan: Fan) -> FanView:
    return FanView(kind, TITLES[kind], _cards(state, fan.cards), fan.sticks, missing(fan), fan.closed, LETTERS[kind])


def _cards(state: SensuState, cards: tuple[str, ...]) -> tuple[FanCardView, ...]:
    terms = state.terms
    return tuple(
        FanCardView(
            card,
            CARDS[card].type,
            CARDS[card].values,
            CARDS[card].winds,
            terms.sticks[card],
            terms.powers and card in terms.symbols,
        )
        for card in cards
    )


def _solo(state: SensuState) -> SoloView:
    points = score(state)
    columns = tuple(_cards(state, column) for column in state.columns)
    return SoloView(columns, points, level(points), LEVEL_TITLES[level(points)])


def facts(state: SensuState) -> dict[str, Any]:
    """The state as `docs/games/sensu.md` names it."""
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
        "fans": {seat.player: {kind: _fan_facts(fan_of(seat, kind)) for kind in TYPES} for seat in seats},
        "sticks": {seat.player: sum(fan.sticks for fan in seat.fans) for seat in seats},
        "chosen": {seat.player: seat.chosen for seat in seats},
    }
    if state.terms.solo:
        points = score(state)
        named |= {"columns": [list(column) for column in state.columns], "score": points, "level": level(points)}
    return named


def _fan_facts(fan: Fan) -> dict[str, Any]:
    return {"cards": list(fan.cards), "sticks": fan.sticks, "closed": fan.closed}

"""What a viewer may see.

The referee holds nothing hidden, so everyone gets the same; cards it remembers going into a hand are left out all
the same, because a player who forgot them is not to be helped.
"""

import msgspec

from companion.games.sensu.cards import CARDS, CLOSED_COPIES, TITLES, TYPES
from companion.games.sensu.fans import missing
from companion.games.sensu.solo import LEVEL_TITLES, level, score
from companion.games.sensu.state import Fan, Seat, State, asked, fan_of, winners


class CardView(msgspec.Struct, frozen=True):
    card: str
    type: str
    values: tuple[int, ...]
    winds: int
    sticks: int
    symbol: bool


class FanView(msgspec.Struct, frozen=True):
    type: str
    title: str
    cards: tuple[CardView, ...]
    sticks: int
    missing: int
    closed: bool


class SeatView(msgspec.Struct, frozen=True):
    player: str
    hand: int
    discards: tuple[CardView, ...]
    """Bottom to top."""
    fans: tuple[FanView, ...]
    chosen: str | None


class SoloView(msgspec.Struct, frozen=True):
    columns: tuple[tuple[CardView, ...], ...]
    score: int
    level: str
    level_title: str
    """English; `companion.core.wording` has it in the viewer's language."""


class View(msgspec.Struct, frozen=True):
    turn: str
    phase: str
    deck: int
    seats: tuple[SeatView, ...]
    redeemed: tuple[CardView, ...]
    """Before the player whose turn it is, waiting to be placed."""
    closed_stacks: dict[str, int]
    """Closed fan cards left, by type; empty where they are one hidden deck (the chosen fan)."""
    variants: tuple[str, ...]
    over: bool
    winners: tuple[str, ...]
    solo: SoloView | None = None


def view(state: State, viewer: str | None) -> View:
    terms = state.terms
    used = {kind: sum(fan_of(seat, kind).closed for seat in state.seats) for kind in TYPES}
    return View(
        turn=state.player,
        phase=asked(state),
        deck=state.deck,
        seats=tuple(_seat(state, seat) for seat in state.seats),
        redeemed=_cards(state, state.redeemed),
        closed_stacks={} if terms.chosen_fan else {kind: CLOSED_COPIES - used[kind] for kind in TYPES},
        variants=("powers",) * terms.powers + ("chosen_fan",) * terms.chosen_fan,
        over=state.phase == "over",
        winners=tuple(winners(state)),
        solo=_solo(state) if terms.solo else None,
    )


def _seat(state: State, seat: Seat) -> SeatView:
    fans = tuple(_fan(state, kind, fan_of(seat, kind)) for kind in TYPES)
    return SeatView(seat.player, seat.hand, _cards(state, seat.discards), fans, seat.chosen)


def _fan(state: State, kind: str, fan: Fan) -> FanView:
    return FanView(kind, TITLES[kind], _cards(state, fan.cards), fan.sticks, missing(fan), fan.closed)


def _cards(state: State, cards: tuple[str, ...]) -> tuple[CardView, ...]:
    terms = state.terms
    return tuple(
        CardView(
            card,
            CARDS[card].type,
            CARDS[card].values,
            CARDS[card].winds,
            terms.sticks[card],
            terms.powers and card in terms.symbols,
        )
        for card in cards
    )


def _solo(state: State) -> SoloView:
    points = score(state)
    columns = tuple(_cards(state, column) for column in state.columns)
    return SoloView(columns, points, level(points), LEVEL_TITLES[level(points)])

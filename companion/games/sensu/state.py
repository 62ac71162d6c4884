"""Where a match of Sensu stands, as far as the table shows it.

A hand is the cards known to be in it (they were taken from a face-up pile) and a number of unknown ones. Unknown
cards are counted by the shuffle they were drawn from. When the deck runs out, every card of that shuffle that has not
been seen is in a hand; so a card that was shuffled again can only be held by someone who has drawn since.
"""

from typing import Any, Literal

import msgspec

from companion.games.kit.seats import with_seat
from companion.games.sensu.card_sets import CardSet
from companion.games.sensu.cards import INDEX, STICKS, WILD_WINDS

Changes = dict[str, tuple[Any, Any]]
"""Of a ruling: dotted path -> before and after."""


class SensuOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    first: str | None = None
    variants: tuple[str, ...] = ()
    sticks: tuple[int, ...] = STICKS
    symbols: tuple[str, ...] | None = None
    chosen: dict[str, str] = {}
    wild_winds: int = WILD_WINDS
    harmony_may_start_fan: bool = True
    wisdom: Literal["tops", "any"] = "tops"
    """SU-R15: Wisdom takes the top of a discard pile, or any card of it."""


class Terms(msgspec.Struct, frozen=True):
    """What does not change during a match."""

    players: tuple[str, ...]
    cards: frozenset[str]
    """The deck of this match."""
    table: tuple[int, ...]
    """Sticks of the values 1 to 9."""
    sticks: dict[str, int]
    """Sticks of each card."""
    symbols: frozenset[str]
    powers: bool
    chosen_fan: bool
    harmony_may_start_fan: bool
    wisdom_takes_any: bool
    """Wisdom may take any card of a pile, and not only the top (SU-R15)."""
    wild_winds: int
    seat: dict[str, int]
    solo: bool
    goal: int
    """How many closed fans end the match."""


class Fan(msgspec.Struct, frozen=True, gc=False):
    cards: tuple[str, ...] = ()
    sticks: int = 0
    closed: bool = False


class FanSeat(msgspec.Struct, frozen=True, gc=False):
    player: str
    fans: tuple[Fan, ...]
    """In the order of `TYPES`; a fan without cards has not been started."""
    discards: tuple[str, ...]
    known: CardSet
    """Cards that everybody saw going into this hand."""
    unknown: tuple[int, ...]
    """How many other cards it holds, by the shuffle they came from."""
    chosen: str | None = None

    @property
    def hand(self) -> int:
        return self.known.bit_count() + sum(self.unknown)

    @property
    def closed(self) -> int:
        return sum(fan.closed for fan in self.fans)


class SensuState(msgspec.Struct, frozen=True, gc=False):
    terms: Terms
    seats: tuple[FanSeat, ...]
    deck: int
    unseen: tuple[CardSet, ...]
    """By shuffle: the cards of it that have not been seen since. They are in the deck or in hands."""
    turn: int
    passed: str = ""
    """The rule by which the turn came to whoever has it; empty in the first one."""
    old_tops: frozenset[str] = frozenset()
    """Cards that lay on top of a pile when the deck was made anew: they may still lie there until somebody draws."""
    phase: str = "action"
    """`action`, `discard`, `place`, `build` (questions are open), `over`."""
    redeemed: tuple[str, ...] = ()
    """Face up in front of the player; after `place` in the order in which they are placed."""
    asks: tuple[str, ...] = ()
    """To be answered before the next card is placed, in this order."""
    columns: tuple[tuple[str, ...], ...] = ()
    awarded: int = 0
    """Solo: points that the referee has given, or taken where it is negative."""
    ended: tuple[int, ...] | None = None
    """The seats that won a match which the referee has ended; None: not ended so."""

    @property
    def seat(self) -> FanSeat:
        """The seat whose turn it is."""
        return self.seats[self.turn]

    @property
    def player(self) -> str:
        return self.terms.players[self.turn]


replace = msgspec.structs.replace


def fan_of(seat: FanSeat, kind: str) -> Fan:
    return seat.fans[INDEX[kind]]


def set_seat(state: SensuState, at: int, seat: FanSeat) -> SensuState:
    return replace(state, seats=with_seat(state.seats, at, seat))


def set_fan(seat: FanSeat, kind: str, fan: Fan) -> FanSeat:
    return replace(seat, fans=with_seat(seat.fans, INDEX[kind], fan))


def asked(state: SensuState) -> str:
    """The phase as the page and the kifu name it: what the table waits for."""
    return state.asks[0] if state.asks else state.phase


def winners(state: SensuState) -> list[str]:
    """Whoever closed the last fan. A finished solo game is always won, at the level of its score."""
    if state.ended is not None:
        return [state.terms.players[seat] for seat in state.ended]
    return [state.player] if state.phase == "over" else []

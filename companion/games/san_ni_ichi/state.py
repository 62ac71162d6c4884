"""A match of San, Ni, Ichi! as everybody at the table can see it: open cards are known, hands are counts.

Inside the game players are seat numbers; names appear at the edge. All cards are dealt, so a card that is not in the
open is in a hand; `known` says in whose hand, where everybody saw it go there.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from companion.core.message import Thing, message
from companion.core.rulings import Refused
from companion.games.san_ni_ichi.cards import TORINOKO, Value
from companion.games.san_ni_ichi.moves import TurnUpSelected

Phase = Literal["selection", "attack", "damage", "over"]


class GivenWeapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon in the header with what its owner reads on it."""

    card: str
    letter: str | None = None
    damage: int | None = None


class SanNiIchiOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deck: tuple[int, int] | None = None
    weapons: tuple[str | GivenWeapon, ...] | None = None
    letters: dict[str, str] = {}
    dealer: str | int | None = None
    """By name, or by seat: 1 is the first player."""
    scoring: Literal["strength", "cards"] = "strength"
    teams: tuple[tuple[str, ...], ...] = ()
    weapons_may_be_discarded: bool = True
    yoso_may_start_pile: bool = False
    last_smoke_bomb: bool = True
    """SNI-R21: a smoke bomb that is the last card in hand may be used in a Damage Phase."""
    show_totals: bool = False
    """The players ask to see the totals while they play."""


class SanNiIchiTable(msgspec.Struct, frozen=True):
    """What stays the same for the whole match."""

    players: tuple[str, ...]
    seats: dict[str, int]
    things: tuple[Thing, ...]
    """The players as sentences name them, by seat."""
    options: SanNiIchiOptions
    deck: tuple[int, int]
    values: dict[str, Value]
    copies: dict[str, int]
    display: tuple[str, ...]
    """The weapons as they were laid out."""
    bombs: tuple[str, ...]
    """The ids of the smoke bombs among them."""
    reveals: dict[str, TurnUpSelected]
    """The move that turns up each card; made once, because they are listed often."""
    mates: tuple[int | None, ...]
    teams: tuple[tuple[int, ...], ...]
    """Without team play everybody is a team of one."""
    dealer: int

    def seat(self, name: str) -> int:
        found = self.seats.get(name)
        if found is None:
            told = message("There is no player called {player} in this match.", player=Thing("player", name))
            raise Refused("TABLE-4", told)
        return found

    def total(self, pile: tuple[str, ...]) -> int:
        """What a Damage Pile counts by the scoring in use."""
        if self.options.scoring == "cards":
            return len(pile)
        return sum(self.values[card].score for card in pile)

    def precedence(self, seat: int, card: str) -> tuple[int, str, int]:
        """The order of play: Strength, then letter, then clockwise from the dealer (SNI-R3)."""
        value = self.values[card]
        return value.strength, value.letter, (seat - self.dealer) % len(self.players)


class PileCard(NamedTuple):
    """A card in a Combat Pile. A Yoso Kogeki keeps the element that it took when it was played (SNI-R14)."""

    card: str
    element: str


Pile = tuple[PileCard, ...]
BOMB = TORINOKO
"""In `known`: a smoke bomb that was shown and kept. Which of the bombs it is never matters."""


class SanNiIchiState(msgspec.Struct, frozen=True):
    table: SanNiIchiTable
    round: int
    phase: Phase
    hands: tuple[int, ...]
    known: tuple[tuple[str, ...], ...]
    """Cards that everybody saw go into that hand and that have not left it since."""
    unseen: Mapping[str, int]
    """Copies that have never been open; a bomb stays in here until it is discarded by name."""
    unnamed: int
    """Smoke bombs that were used while nobody noted which."""
    selected: tuple[int, ...]
    """Seats whose card lies face down."""
    order: tuple[tuple[int, str], ...]
    """This round's cards in the order of play."""
    turn: int
    """How many of them have been played."""
    piles: tuple[Pile, ...]
    damage: tuple[tuple[str, ...], ...]
    blocked: tuple[int, ...]
    spent: tuple[tuple[int, str], ...]
    """Weapons that lie in front of their players until the round is over."""
    discards: tuple[str, ...]
    winners: tuple[int, ...] = ()
    awarded: tuple[int, ...] = ()
    """Damage that the referee has given, or taken where it is negative, by seat; empty: none so far."""

    def total(self, seat: int) -> int:
        """Damage by the scoring in use, with what the referee gave or took."""
        return self.table.total(self.damage[seat]) + self.given(seat)

    def given(self, seat: int) -> int:
        return self.awarded[seat] if self.awarded else 0

    def next_card(self) -> tuple[int, Value]:
        """Whose card is next in the Attack Phase, and which card it is."""
        seat, card = self.order[self.turn]
        return seat, self.table.values[card]


def cards(pile: Pile) -> list[str]:
    return [laid.card for laid in pile]

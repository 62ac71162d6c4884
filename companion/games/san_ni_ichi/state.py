"""A match of San, Ni, Ichi! as the table shows it: what lies open is known, hands are counts.

Players are seat numbers inside, names at the edge. Every card was dealt, so a card that lies nowhere in the
open is in a hand; `known` says in whose, where everybody saw it go there.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.san_ni_ichi.cards import TORINOKO, Value
from companion.games.san_ni_ichi.moves import Reveal


class GivenWeapon(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon in the header with what its owner reads on it."""

    card: str
    letter: str | None = None
    damage: int | None = None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deck: tuple[int, int] | None = None
    weapons: tuple[str | GivenWeapon, ...] | None = None
    letters: dict[str, str] = {}
    dealer: str | int | None = None
    """By name, or by seat: 1 is the first player."""
    scoring: Literal["strength", "cards"] = "strength"
    teams: tuple[tuple[str, ...], ...] = ()
    weapons_may_be_discarded: bool = True
    yoso_may_start_pile: bool = False
    show_totals: bool = False
    """The players ask to see the totals while they play."""


class Table(msgspec.Struct, frozen=True):
    """What stays the same for the whole match."""

    players: tuple[str, ...]
    seats: dict[str, int]
    options: Options
    deck: tuple[int, int]
    values: dict[str, Value]
    copies: dict[str, int]
    display: tuple[str, ...]
    """The weapons as they were laid out."""
    bombs: tuple[str, ...]
    """The names of the smoke bombs among them."""
    reveals: dict[str, Reveal]
    """Every move that turns up a card: they are listed often and made once."""
    mates: tuple[int | None, ...]
    teams: tuple[tuple[int, ...], ...]
    """Without team play everybody is a team of one."""
    dealer: int

    def seat(self, name: str) -> int:
        found = self.seats.get(name)
        if found is None:
            raise Refused("TABLE-4", message("There is no player called {player} in this match.", player=name))
        return found

    def total(self, pile: tuple[str, ...]) -> int:
        """What a Damage Pile counts by the scoring in use."""
        if self.options.scoring == "cards":
            return len(pile)
        return sum(self.values[card].score for card in pile)

    def precedence(self, seat: int, card: str) -> tuple[int, str, int]:
        """The order of play: Strength, then letter, then clockwise from the dealer."""
        value = self.values[card]
        return value.strength, value.letter, (seat - self.dealer) % len(self.players)


class Laid(NamedTuple):
    """A card in a Combat Pile. A Yoso Kogeki keeps the element it took when it was played."""

    card: str
    element: str


Pile = tuple[Laid, ...]
BOMB = TORINOKO
"""In `known`: a smoke bomb that was shown and kept. Which of the bombs it is never matters."""


class State(msgspec.Struct, frozen=True):
    table: Table
    round: int
    phase: str
    hands: tuple[int, ...]
    known: tuple[tuple[str, ...], ...]
    """Cards that everybody saw go into that hand and not come out again."""
    unseen: Mapping[str, int]
    """Copies that never lay open; a bomb stays in here until it is discarded by name."""
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


def facts(state: State) -> dict[str, Any]:
    """The state as the kifu names it."""
    table = state.table
    names = table.players
    return {
        "over": state.phase == "over",
        "winners": [names[seat] for seat in state.winners],
        "piles": {name: cards(pile) for name, pile in zip(names, state.piles, strict=True)},
        "damage": {name: table.total(pile) for name, pile in zip(names, state.damage, strict=True)},
        "taken": {name: len(pile) for name, pile in zip(names, state.damage, strict=True)},
        "hands": dict(zip(names, state.hands, strict=True)),
        "blocked": [names[seat] for seat in state.blocked],
        "round": state.round,
        "phase": state.phase,
    }


def cards(pile: Pile) -> list[str]:
    return [laid.card for laid in pile]


def put(row: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    """The row with one seat's entry replaced."""
    return (*row[:seat], value, *row[seat + 1 :])

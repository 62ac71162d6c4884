"""A person at the virtual table, who sees a page and a panel and has hands, buttons and a tablet."""

from collections.abc import Callable, Iterable
from random import Random
from typing import Any, Protocol

from companion.virtual.person import Person
from companion.virtual.physical_table import PhysicalTable

Page = dict[str, Any]
"""The page of the player's seat, as the web API gives it."""


class Hands:
    """What a virtual player can do. Everything is noted, so that the referee's record can be compared with it."""

    def __init__(
        self,
        name: str,
        table: PhysicalTable,
        press: Callable[[str], None],
        tap: Callable[[str, dict[str, Any]], None],
        random: Random,
        linger: Callable[[float], None],
        person: Person | None = None,
    ) -> None:
        """`person` decides what these hands do; without one, a bot does."""
        self.name = name
        self.person = person
        self.table = table
        self.random = random
        self.deeds: list[dict[str, Any]] = []
        """The moves that this player really made, as the kifu writes them."""
        self.presses: list[str] = []
        self._press, self._tap = press, tap
        self.linger = linger
        """Do nothing for that many seconds, while everybody looks."""

    def zone(self, place: str) -> str:
        return f"{self.name}.{place}"

    def press(self, button: str) -> None:
        self.presses.append(button)
        self._press(button)

    def tap(self, **move: Any) -> None:
        """Make a move on the tablet."""
        self.deeds.append(move)
        self._tap("move", move)

    def hold(self, cards: Iterable[str]) -> None:
        """These cards are in the hand; only a person at this seat is told."""
        if self.person is not None:
            self.person.cards = tuple(cards)

    def did(self, **move: Any) -> None:
        """Note what the cards just laid or turned mean."""
        self.deeds.append(move)


class Player(Protocol):
    hands: Hands
    carries: frozenset[str]
    """Kinds of move that a person at this seat taps and the hands carry out; others are tapped and that is all."""

    def act(self, page: Page, light: str) -> bool:
        """Do the next thing, if there is one to do; True if something was done."""
        ...

    def holds(self, move: dict[str, Any]) -> bool:
        """Whether a person at this seat has the cards for a move that was tapped."""
        ...

    def counts(self) -> Page:
        """What this player has once the match is over, counted from the cards themselves: {fact of the kifu: value}."""
        ...

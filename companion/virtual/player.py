"""A person at the virtual table: sees the page and the own panel, has hands, a button and a tablet."""

from collections.abc import Callable
from random import Random
from typing import Any, Protocol

from companion.virtual.physical_table import PhysicalTable

Page = dict[str, Any]
"""What the own seat's page shows, as the web API gives it."""


class Hands:
    """What a virtual player can do. Every deed is noted, so that the referee can be held to it afterwards."""

    def __init__(
        self,
        name: str,
        table: PhysicalTable,
        press: Callable[[str], None],
        tap: Callable[[str, dict[str, Any]], None],
        random: Random,
        linger: Callable[[float], None],
    ) -> None:
        self.name = name
        self.table = table
        self.random = random
        self.deeds: list[dict[str, Any]] = []
        """The moves that this player really made, in the kifu's own words."""
        self.presses: list[str] = []
        self._press, self._tap = press, tap
        self.linger = linger
        """Do nothing for so many seconds: everybody is looking."""

    def zone(self, place: str) -> str:
        return f"{self.name}.{place}"

    def press(self, button: str) -> None:
        self.presses.append(button)
        self._press(button)

    def tap(self, **move: Any) -> None:
        """Make a move on the tablet."""
        self.deeds.append(move)
        self._tap("move", move)

    def did(self, **move: Any) -> None:
        """Note what the cards just laid or turned mean."""
        self.deeds.append(move)


class Player(Protocol):
    hands: Hands

    def act(self, page: Page, light: str) -> bool:
        """Do the next thing, if there is one to do; True if something was done."""
        ...

    def counts(self) -> Page:
        """What this player has once the match is over, counted from the cards themselves: {fact of the kifu: value}."""
        ...

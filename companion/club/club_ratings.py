"""Ratings over all evenings of a venue. They change only when a result does, and are worked out again only then."""

import threading

from companion.club.store import Store
from companion.club.tournament import ledger
from companion.club.tournament.ratings import Rating, ratings
from companion.club.tournament.tournament import Tournament

CHANGES = ("finished", "reopened", "released")
"""What in a ledger can change them."""


class ClubRatings:
    """Safe to use from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._known: tuple[int, list[Rating]] = (-1, [])
        """The last result that is in them."""

    def all(self) -> list[Rating]:
        """The strongest first."""
        with self._lock:
            newest = self._store.last_step(*CHANGES)
            if self._known[0] != newest:
                self._known = newest, ratings(self._results())
            return self._known[1]

    def by_name(self) -> dict[str, float]:
        """Folded name -> rating."""
        return {each.name.casefold(): each.rating for each in self.all()}

    def _results(self) -> list[tuple[list[str], tuple[float, ...]]]:
        found = []
        for id in self._store.tournaments():
            tournament = Tournament(map(ledger.decode, self._store.ledger(id)))
            for each in tournament.rounds:
                for number, board in each.boards.items():
                    if each.counts(number):
                        found.append(([*map(tournament.name, board.players)], each.results[number].points))
        return found

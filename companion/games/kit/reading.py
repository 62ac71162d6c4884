"""What lies in a place, asked in the words of a game's `read`.

A place that is missing in a sight was covered by a hand: nothing is known of it. An empty place is empty. A card that
lies face up and was not recognised has no name yet.

>>> sight = Sight({"Aki.card": (SeenCard("fire-5", True),), "Ben.card": (SeenCard(None, False),), "deck": ()})
>>> face_up_card(sight, "Aki.card"), face_up_card(sight, "Ben.card"), face_up_card(sight, "Cho.card")
('fire-5', None, None)
>>> face_down(sight, "Aki.card"), face_down(sight, "Ben.card"), face_down(sight, "deck")
(False, True, False)
>>> is_empty(sight, "deck"), is_empty(sight, "Cho.card")
(True, False)
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from companion.core.layout import SeenCard, Sight
from companion.games.kit.game import Move

Row = tuple[SeenCard, ...]
DOWN: Row = (SeenCard(None, False),)
"""A card that lies face down, for `laid`."""


def up(*cards: str, rotation: float = 0.0) -> Row:
    """Cards that lie face up, for `laid`."""
    return tuple(SeenCard(card, True, rotation) for card in cards)


def top_card(sight: Sight, zone: str) -> SeenCard | None:
    """The card on top there; None where nothing lies, or nothing is known."""
    lying = sight.zones.get(zone)
    return lying[-1] if lying else None


def face_up_card(sight: Sight, zone: str) -> str | None:
    """The id of the card on top, if it lies face up and was recognised."""
    top = top_card(sight, zone)
    return top.card if top and top.face_up else None


def face_down(sight: Sight, zone: str) -> bool:
    """Whether the card on top lies face down."""
    top = top_card(sight, zone)
    return top is not None and not top.face_up


def is_empty(sight: Sight, zone: str) -> bool:
    """Whether it is certain that nothing lies there."""
    return sight.zones.get(zone) == ()


def all_named(sight: Sight, zone: str) -> tuple[str, ...] | None:
    """The ids of all cards there, bottom to top; None where one of them, or the whole place, is not known for sure."""
    lying = sight.zones.get(zone)
    if lying is None:
        return None
    cards = tuple(seen.card for seen in lying if seen.face_up and seen.card is not None)
    return cards if len(cards) == len(lying) else None


class CoveredCard(NamedTuple):
    """A card that is laid face down in one of its player's places and turned up there later."""

    place: str
    lay: Callable[[], Move]
    """The move when it lies there face down."""
    turn_up: Callable[[str], Move]
    """The move when it lies there face up, given the card."""

    def read(self, player: str, sight: Sight, *, lies: bool) -> Move | None:
        """The next of its two moves, or None; `lies` says whether it has been laid."""
        zone = f"{player}.{self.place}"
        if not lies:
            return self.lay() if face_down(sight, zone) else None
        card = face_up_card(sight, zone)
        return self.turn_up(card) if card else None

    def laid(self, state: Any, player: str, move: Move) -> dict[str, Row] | None:
        """How the table looks after either move; None for any other."""
        if type(move) not in (self.lay, self.turn_up):
            return None
        card = getattr(move, "card", None)
        return {f"{player}.{self.place}": up(card) if card else DOWN}

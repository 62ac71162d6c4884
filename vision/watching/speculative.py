"""Reading ahead: zones that lie still already while a hand still moves elsewhere.

When several players turn up their cards, the last hand leaves long after most cards have come to rest. What was read of
them meanwhile need not be read once more when all lies still, unless it looks different by then.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from companion.core.layout import SeenCard
from vision.watching.motion import Mask, Thumbnail, ZoneMask

Differs = Callable[[Thumbnail, Thumbnail], Mask]


class _Kept(NamedTuple):
    looked: Thumbnail
    cards: tuple[SeenCard, ...]


class SpeculativeReadings:
    """What was read ahead, for as long as it looks the same."""

    def __init__(self, still: int, differs: Differs) -> None:
        self.still, self._differs = still, differs
        self._rested: dict[str, int] = {}  # frames for which a zone has lain still
        self._kept: dict[str, _Kept] = {}

    def resting(self, places: Iterable[ZoneMask], small: Thumbnail, motion: Mask) -> Iterator[ZoneMask]:
        """The places that have lain still for long enough, and of which nothing is kept. Once in every frame."""
        places = tuple(places)
        for place in places:
            name = place.zone.name
            self._rested[name] = 1 if place.touched(motion) else self._rested.get(name, 0) + 1
        for place in places:
            if self._rested[place.zone.name] >= self.still and self.kept(place, small) is None:
                yield place

    def keep(self, place: ZoneMask, small: Thumbnail, cards: tuple[SeenCard, ...]) -> None:
        """Nothing unsure is kept: that is looked at again after a while, and other zones have their turn first."""
        if doubtful(cards):
            self._rested[place.zone.name] = 0
        else:
            self._kept[place.zone.name] = _Kept(small[place.box].copy(), cards)

    def kept(self, place: ZoneMask, small: Thumbnail) -> tuple[SeenCard, ...] | None:
        """What was read here, if it looks now as it did then."""
        kept = self._kept.get(place.zone.name)
        if kept is None or place.shows(self._differs(small[place.box], kept.looked)):
            return None
        return kept.cards

    def forget(self) -> None:
        self._rested, self._kept = {}, {}


def doubtful(cards: tuple[SeenCard, ...]) -> bool:
    """Is there a card face up that was not named?"""
    return any(card.face_up and card.card is None for card in cards)

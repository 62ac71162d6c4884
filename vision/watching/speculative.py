"""Speculative reading: zones that lie still already while a hand still moves elsewhere.

When several players turn up their cards, the last hand leaves long after most cards have come to rest. What was read of
them in the meantime is used when the whole table lies still, unless it looks different by then.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from companion.core.layout import SeenCard
from vision.watching.motion import Mask, Thumbnail, ZoneMask

Differs = Callable[[Thumbnail, Thumbnail], Mask]


class _Kept(NamedTuple):
    picture: Thumbnail
    cards: tuple[SeenCard, ...]


class SpeculativeReadings:
    """What was read speculatively, for as long as it looks the same."""

    def __init__(self, still: int, differs: Differs) -> None:
        self.still, self._differs = still, differs
        self._still_frames: dict[str, int] = {}
        self._kept: dict[str, _Kept] = {}

    def resting(self, zones: Iterable[ZoneMask], small: Thumbnail, motion: Mask) -> Iterator[ZoneMask]:
        """The zones that have lain still for long enough, and of which nothing is kept. To be asked once per frame."""
        zones = tuple(zones)
        for zone in zones:
            self._still_frames[zone.name] = 1 if zone.touched_by(motion) else self._still_frames.get(zone.name, 0) + 1
        for zone in zones:
            if self._still_frames[zone.name] >= self.still and self.kept(zone, small) is None:
                yield zone

    def keep(self, zone: ZoneMask, small: Thumbnail, cards: tuple[SeenCard, ...]) -> None:
        """An unsure reading is not kept: the zone is read again after a while, and others have their turn first."""
        if unsure(cards):
            self._still_frames[zone.name] = 0
        else:
            self._kept[zone.name] = _Kept(small[zone.box].copy(), cards)

    def kept(self, zone: ZoneMask, small: Thumbnail) -> tuple[SeenCard, ...] | None:
        """What was read here, if it looks now as it did then."""
        kept = self._kept.get(zone.name)
        if kept is None or zone.contains(self._differs(small[zone.box], kept.picture)):
            return None
        return kept.cards

    def forget(self) -> None:
        self._still_frames, self._kept = {}, {}


def unsure(cards: tuple[SeenCard, ...]) -> bool:
    """Whether a card lies face up that was not named."""
    return any(card.face_up and card.card is None for card in cards)

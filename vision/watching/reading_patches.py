"""The pictures that readings were made of: small parts of the very frame, kept while the card lies there."""

from dataclasses import dataclass
from itertools import count

import numpy as np

from companion.core.layout import SeenCard, Sight
from vision.detection.card_finder import card_corners_at
from vision.pictures import Array, Image
from vision.watching.watcher import Watcher

MARGIN = 0.35
"""How much more than the card is kept around it, in card widths: it may lie askew."""
_numbers = count(1)


@dataclass(frozen=True)
class Patch:
    """A card as it was read, and the part of the frame around it."""

    card: SeenCard
    patch: Image
    at: Array
    """Where in the frame the part begins."""
    number: int


def patches(frame: Image, sight: Sight, watcher: Watcher, before: dict[str, Patch]) -> dict[str, Patch]:
    """For the top card of every zone where it lies face up. A zone that is not in the sight is covered: what was read
    there before still lies there, as far as is known."""
    turns = {zone.name: zone.turn for zone in watcher.layout.zones}
    kept = {name: patch for name, patch in before.items() if name not in sight.zones}
    for name, cards in sight.zones.items():
        if not cards or not cards[-1].face_up:
            continue
        old = before.get(name)
        kept[name] = old if old is not None and old.card == cards[-1] else _cut(frame, cards[-1], turns[name], watcher)
    return kept


def _cut(frame: Image, card: SeenCard, turn: float, watcher: Watcher) -> Patch:
    size = watcher.layout.card
    outline = card_corners_at(card.x, card.y, turn + card.rotation, size, watcher.calibration)
    margin = MARGIN * float(np.linalg.norm(outline[1] - outline[0]))
    limit = (frame.shape[1], frame.shape[0])
    low = np.clip(np.floor(outline.min(0) - margin), 0, limit).astype(int)
    high = np.clip(np.ceil(outline.max(0) + margin), low + 1, limit).astype(int)
    return Patch(card, frame[low[1] : high[1], low[0] : high[0]].copy(), low.astype(float), next(_numbers))

"""What happened in a duel, as data for the page to draw. Players by name, hexes as the kifu writes them (`d3`)."""

from typing import Literal

from companion.core.rulings import Happening


class SamuraiMoved(Happening, frozen=True, tag="moved"):
    player: str
    start: str
    end: str


class SamuraiTurned(Happening, frozen=True, tag="turned"):
    player: str
    facing: str


class SamuraiStruck(Happening, frozen=True, tag="struck"):
    attacker: str
    defender: str
    start: str
    """Where the attacker stands."""
    end: str
    """Where the defender stood, who may have fallen by the time that the page draws it."""


class AttackBlocked(Happening, frozen=True, tag="blocked"):
    attacker: str
    defender: str
    start: str
    end: str


class SamuraiWounded(Happening, frozen=True, tag="wounded"):
    """Wound cards were taken."""

    player: str
    cards: int
    bleeding: bool


class SamuraiBled(Happening, frozen=True, tag="bled"):
    """Deck cards went to the discards because of bleeding wounds."""

    player: str
    cards: int


class SamuraiStunned(Happening, frozen=True, tag="stunned"):
    player: str
    cards: int
    hex: str
    by: Literal["card", "collision", "obstacle", "empty_deck"]


class SamuraiDefeated(Happening, frozen=True, tag="defeated"):
    player: str
    hex: str


class CardsDrawn(Happening, frozen=True, tag="drew"):
    player: str
    cards: int


class CardsDiscarded(Happening, frozen=True, tag="discarded"):
    player: str
    cards: tuple[str | None, ...]
    """From bottom to top as they come to lie; None is face down."""

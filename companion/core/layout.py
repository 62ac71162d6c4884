"""The table in millimetres: where things belong, and what was seen lying there.

The origin is the table's near left corner as seat 1 sees it; x grows to the right, y away from seat 1. Angles are
degrees counter-clockwise seen from above. Vision fills in what lies where and knows no rules; a game says what it
means and knows no pixels.
"""

from collections.abc import Mapping

import msgspec

from companion.core.drawing import Face, Shape


class Zone(msgspec.Struct, frozen=True):
    """A named place for cards. Its centre, its size, and which way is up for its owner."""

    name: str
    x: float
    y: float
    width: float
    height: float
    turn: float = 0.0
    """A card lying upright for the owner of this zone is turned this far on the table."""
    rotations: int = 4
    """How many ways a card may lie here, evenly spaced: 1, 2, 4 or 8. A crosswise card needs 4."""
    holds: str = "one"
    """`one` card; a `pile` whose top card counts; a `row` of overlapping cards that are all to be read in order."""


def owner_of(zone: str) -> str:
    """The player whose place that is, by its name: `Aki.action1`. Empty: a place of everybody's. A player's name may
    have dots of its own."""
    return zone.rpartition(".")[0]


class Layout(msgspec.Struct, frozen=True):
    """A whole table for one match: its size, its zones, what is printed on the mat, what the pieces are."""

    width: float
    height: float
    zones: tuple[Zone, ...]
    card: tuple[float, float]
    """Width and height of this game's cards."""
    mat: tuple[Shape, ...] = ()
    """Printed on the play mat, in table millimetres (board lines, zone frames)."""
    tags: dict[int, str] = {}
    """Marker number on top of (or under) a piece -> name of the piece, e.g. 10 -> "pawn.Aki"."""
    tag_size: float = 20.0
    holder: Face | None = None
    """A frame every card lies in, drawn around it and turned with the zone (Sen So)."""


class SeenCard(msgspec.Struct, frozen=True):
    """One card as the camera has it."""

    card: str | None
    """Its id; None: face down, or face up and not sure which."""
    face_up: bool
    rotation: float = 0.0
    """Degrees counter-clockwise against the zone's own upright."""
    x: float = 0.0
    y: float = 0.0
    confidence: float = 1.0
    guesses: tuple[str, ...] = ()
    """The best names, best first, when it is not sure."""


class SeenPiece(msgspec.Struct, frozen=True):
    """A pawn or miniature as the camera has it: where it stands and which way it faces."""

    x: float
    y: float
    rotation: float = 0.0


class Sight(msgspec.Struct, frozen=True):
    """The whole table at one still moment.

    A zone that is missing was covered and is not known; an empty one is empty.
    """

    zones: Mapping[str, tuple[SeenCard, ...]]
    """Bottom to top where cards overlap."""
    pieces: Mapping[str, SeenPiece] = {}

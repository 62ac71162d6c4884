"""What tables and venue say to each other: JSON, one struct for each topic. `python -m companion.club.schema` writes it
down for others.

Every payload has `v`. A reader leaves out fields that it does not know, so fields can be added; where the meaning of
one changes, `v` grows, and an older reader says so instead of guessing.
"""

from typing import Annotated, Any, Literal, TypeVar

import msgspec

from companion.club.topics import VERSION
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.validation import read_json, wrong_field

LARGEST = 768 * 1024
"""Bytes of a payload; nats-server takes no more than a megabyte."""
Short = Annotated[str, msgspec.Meta(max_length=200)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10_000_000)]
T = TypeVar("T", bound="Payload")


class BadPayload(ShinpanError):
    """Something arrived that cannot be read."""


class FromTheFuture(BadPayload):
    """It was written by a newer Shinpan."""


class Payload(msgspec.Struct, frozen=True, kw_only=True):
    v: int = VERSION


# --- a table says ---------------------------------------------------------------------------------------------------


class Presence(Payload, frozen=True, kw_only=True):
    """Retained; the last will says that the table has gone."""

    here: bool
    session: Short = ""
    """Another one with every start of the table."""
    software: Short = ""


class PlayerState(msgspec.Struct, frozen=True):
    name: Short
    standing: float | None = None
    """Points, wounds or damage, as the game counts."""
    awaited: bool = False
    ready: bool = False


class HealthState(msgspec.Struct, frozen=True):
    name: Short
    state: Literal["ok", "missing", "simulated", "trouble"]
    text: Annotated[str, msgspec.Meta(max_length=600)] = ""


Stage = Literal["lobby", "placing", "countdown", "reveal", "choice", "paused", "over"]


class TableState(Payload, frozen=True, kw_only=True):
    """Retained: all that the wall shows of a table."""

    session: Short = ""
    stage: Stage = "lobby"
    count: int = 0
    """3, 2, 1 during the countdown."""
    game: Short = ""
    title: Short = ""
    match: Short = ""
    """The file name of its kifu without the ending."""
    moves: Count = 0
    players: Annotated[tuple[PlayerState, ...], msgspec.Meta(max_length=12)] = ()
    unit: Short = ""
    """What `standing` counts: `scores`, `wounds`, ..."""
    least_wins: bool = False
    winners: Annotated[tuple[Short, ...], msgspec.Meta(max_length=12)] = ()
    reached: float = 0.0
    """Seconds on the match clock when this was sent."""
    running: bool = False
    limit: float | None = None
    calls: Annotated[tuple[Short, ...], msgspec.Meta(max_length=12)] = ()
    """Who calls for the referee."""
    health: Annotated[tuple[HealthState, ...], msgspec.Meta(max_length=24)] = ()
    order: Short = ""
    """The order of the venue that is played here."""
    wanted: int = 0
    """The newest `wanted` that has been carried out, or refused."""
    obstacle: Annotated[str, msgspec.Meta(max_length=600)] = ""
    """Why it could not be carried out."""
    unsent: Count = 0
    """Lines of kifu that the venue has not acknowledged."""


class RulingOut(Payload, frozen=True, kw_only=True):
    """A ruling as it falls. It may be lost: the kifu is what counts."""

    match: Short
    line: Count
    kind: Short
    rules: Annotated[tuple[Short, ...], msgspec.Meta(max_length=12)] = ()
    text: dict[str, str]
    """Language -> sentence."""
    what: Short = ""
    """What happened, in one word, where the game has one: `struck`, `win`, ..."""


class MatchHead(msgspec.Struct, frozen=True):
    """How far somebody has a kifu."""

    match: Short
    lines: Count
    check: Short = ""
    """The SHA-256 of the last line, as the kifu has it; empty: no line, or one without a check."""


class Have(Payload, frozen=True, kw_only=True):
    """After connecting: the kifus that this table has. The venue answers with how far it has each of them."""

    session: Short
    part: Count = 0
    matches: Annotated[tuple[MatchHead, ...], msgspec.Meta(max_length=1000)]


class Piece(Payload, frozen=True, kw_only=True):
    """Lines of a kifu, as they stand in the file, checks and all. For the venue alone: there may be sealed moves among
    them."""

    match: Short
    first: Annotated[int, msgspec.Meta(ge=1, le=10_000_000)]
    """The number of the first of them, counted from 1."""
    lines: Annotated[tuple[str, ...], msgspec.Meta(min_length=1, max_length=1000)]


class PageOut(Payload, frozen=True, kw_only=True):
    """The page of the table as a spectator has it there, while somebody at the venue looks at it."""

    language: Short
    page: dict[str, Any]


# --- the venue says -------------------------------------------------------------------------------------------------


class Acks(Payload, frozen=True, kw_only=True):
    """How far the venue has these kifus *on its disk*. Only this lets a table stop sending."""

    session: Short = ""
    part: int = -1
    """Which `have` it answers; -1: none."""
    matches: tuple[MatchHead, ...] = ()


class TakeOver(msgspec.Struct, frozen=True):
    """A match that was begun at another table, and its kifu so far."""

    table: Short
    match: Short
    lines: tuple[str, ...]


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """A match of a tournament that this table is to play."""

    id: Short
    title: Short
    """`Spring Cup, round 2, table 3`"""
    game: Short
    players: Annotated[tuple[Short, ...], msgspec.Meta(min_length=1, max_length=6)]
    """In seat order."""
    options: dict[str, Any] = {}
    start: bool = False
    """It begins; before that the players only find their names at the table."""
    take_over: TakeOver | None = None


class Deed(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the desk does at a table, once."""

    id: Short
    kind: Literal["time", "pause", "resume", "answer"]
    seconds: float = 0.0
    why: Short = ""


class Wanted(Payload, frozen=True, kw_only=True):
    """Retained: all that the venue wants of a table at present. The table brings itself there, in its own time, however
    often and in whatever order these arrive: an older one is left out."""

    serial: int
    order: Order | None = None
    deeds: Annotated[tuple[Deed, ...], msgspec.Meta(max_length=32)] = ()
    watched: tuple[Short, ...] = ()
    """Languages in which somebody looks at the table's page."""


class VenueHere(Payload, frozen=True, kw_only=True):
    """Retained, with a last will: whether the venue is there. When its session is another one, every table tells anew
    what it has."""

    here: bool
    session: Short = ""
    name: Short = ""


class RoundOut(Payload, frozen=True, kw_only=True):
    """Retained: where the tournament stands, for lights and speakers."""

    title: Short = ""
    round: int = 0
    rounds: int = 0
    stage: Literal["none", "registration", "called", "playing", "break", "over"] = "none"
    ends: float = 0.0
    """Seconds since 1970 at which the round, or the break, is over by the venue's clock; 0: no time is set."""
    paused: bool = False


ANY = (Presence, TableState, RulingOut, Have, Piece, PageOut, Acks, Wanted, VenueHere, RoundOut)
KINDS: dict[str, type[Payload]] = {
    "presence": Presence,
    "state": TableState,
    "ruling": RulingOut,
    "have": Have,
    "kifu": Piece,
    "page": PageOut,
    "acks": Acks,
    "wanted": Wanted,
    "venue": VenueHere,
    "round": RoundOut,
}
"""The last word of a topic -> what stands in it."""


def write(payload: Payload) -> bytes:
    return msgspec.json.encode(payload)


def read(data: bytes, kind: type[T]) -> T:
    """Raises BadPayload, with one sentence about it."""
    if len(data) > LARGEST:
        raise BadPayload(message("it has {size} kB, and nothing that is said here has", size=len(data) // 1024))
    try:
        version = read_json(data, dict[str, Any]).get("v", VERSION)
        if isinstance(version, int) and version > VERSION:
            raise FromTheFuture(
                message(
                    "it speaks version {version} of the club's language and this Shinpan knows {known}: update it",
                    version=version,
                    known=VERSION,
                )
            )
        return read_json(data, kind)
    except msgspec.DecodeError as error:
        raise BadPayload(wrong_field(error)) from None

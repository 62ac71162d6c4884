"""What can happen in a tournament. A tournament is the list of these, in order, and nothing else is kept of it."""

from typing import Annotated, Any, Literal

import msgspec

Kind = Literal["swiss", "round_robin", "knockout", "tables"]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Why = Annotated[str, msgspec.Meta(max_length=200)]


class TournamentRules(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    title: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
    kind: Kind
    game: str
    options: dict[str, Any] = {}
    rounds: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    """0: as many as it takes: everybody against everybody, or until one is left, or enough for one winner."""
    least: Annotated[int, msgspec.Meta(ge=2, le=6)] = 2
    most: Annotated[int, msgspec.Meta(ge=2, le=6)] = 2
    """Players at a table; more than two only where `kind` is `tables`."""
    minutes: Annotated[float, msgspec.Meta(ge=0, le=1440)] = 0
    """Of a round; 0: as long as it takes."""
    between: Annotated[float, msgspec.Meta(ge=0, le=1440)] = 0
    """Minutes from the call to the start of a round."""
    alone: bool = False
    """It runs by itself: the next round is paired when the last result is in, called, and started after `between`."""
    hold: bool = False
    """Results count when the arbiter has released them."""
    seed: int = 1
    """For chance: the same seed pairs the same way."""


class LedgerEvent(msgspec.Struct, frozen=True, tag_field="what", omit_defaults=True):
    """Base of them."""


class TournamentBegan(LedgerEvent, frozen=True, tag="began"):
    rules: TournamentRules
    at: float = 0.0


class EntrantCame(LedgerEvent, frozen=True, tag="came"):
    id: int
    name: Name
    rating: float = 0.0
    """What is known of the player's strength before; the order of the first round."""


class EntrantLeft(LedgerEvent, frozen=True, tag="left"):
    id: int
    why: Why = ""


class EntrantBack(LedgerEvent, frozen=True, tag="back"):
    id: int


class PairedBoard(msgspec.Struct, frozen=True):
    """Who plays at one table in one round."""

    number: int
    players: tuple[int, ...]
    """In seat order."""
    table: str = ""
    """Where; empty: the pairing has no table yet."""


class RoundPaired(LedgerEvent, frozen=True, tag="paired"):
    round: int
    boards: tuple[PairedBoard, ...]
    byes: tuple[int, ...] = ()
    at: float = 0.0


class RoundUnpaired(LedgerEvent, frozen=True, tag="unpaired"):
    """Before it starts: somebody came late or left, and it is paired again."""

    round: int


class RoundStarted(LedgerEvent, frozen=True, tag="started"):
    round: int
    at: float = 0.0


class BoardMoved(LedgerEvent, frozen=True, tag="moved"):
    """A board goes on at another table."""

    round: int
    board: int
    table: str


class BoardFinished(LedgerEvent, frozen=True, tag="finished"):
    """A result, from a table or by the arbiter's hand."""

    round: int
    board: int
    points: tuple[float, ...]
    """By seat, from 0 (last) to 1 (won against everybody)."""
    standing: tuple[float, ...] = ()
    match: str = ""
    """Table and name of the kifu; empty: by hand."""
    held: bool = False
    why: Why = ""


class BoardReopened(LedgerEvent, frozen=True, tag="reopened"):
    """The end was taken back at the table."""

    round: int
    board: int
    why: Why = ""


class ResultReleased(LedgerEvent, frozen=True, tag="released"):
    round: int
    board: int


class PenaltyGiven(LedgerEvent, frozen=True, tag="penalty"):
    number: int
    id: int
    points: float
    why: Why


class PenaltyDropped(LedgerEvent, frozen=True, tag="penalty_dropped"):
    number: int


class TimeExtended(LedgerEvent, frozen=True, tag="extended"):
    round: int
    seconds: float
    board: int = 0
    """0: all."""


class RoundPaused(LedgerEvent, frozen=True, tag="paused"):
    round: int
    at: float


class RoundResumed(LedgerEvent, frozen=True, tag="resumed"):
    round: int
    at: float


class TournamentEnded(LedgerEvent, frozen=True, tag="ended"):
    at: float = 0.0


AnyLedgerEvent = (
    TournamentBegan
    | EntrantCame
    | EntrantLeft
    | EntrantBack
    | RoundPaired
    | RoundUnpaired
    | RoundStarted
    | BoardMoved
    | BoardFinished
    | BoardReopened
    | ResultReleased
    | PenaltyGiven
    | PenaltyDropped
    | TimeExtended
    | RoundPaused
    | RoundResumed
    | TournamentEnded
)


_decoder: msgspec.json.Decoder[AnyLedgerEvent] = msgspec.json.Decoder(AnyLedgerEvent)


def encode(event: AnyLedgerEvent) -> str:
    return msgspec.json.encode(event).decode()


def decode(text: str) -> AnyLedgerEvent:
    return _decoder.decode(text)

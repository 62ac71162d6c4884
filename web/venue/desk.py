"""What the arbiter does at the desk, and what anybody may send: a registration, a table that joins."""

import threading
from collections.abc import Callable, Mapping
from typing import Annotated, Protocol

import msgspec
from flask import Flask, Response, abort, g, request

from companion.club import joining, reports
from companion.club.club_ratings import ClubRatings
from companion.club.joining import JoinAnswer, JoinRequest
from companion.club.membership import BrokerAddress
from companion.club.store import KnownTable
from companion.club.tournament.ledger import TournamentRules
from companion.club.tournament.ratings import Rating
from companion.club.venue import Venue
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from web.answers import Done, Trouble, answer, as_json, decoded
from web.budgets import GuestBudget

Text = Annotated[str, msgspec.Meta(max_length=200)]


class DeskDeed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """Base of what can be done."""


class BeginTournamentBody(DeskDeed, frozen=True, tag="begin"):
    rules: TournamentRules


class EnterBody(DeskDeed, frozen=True, tag="enter"):
    names: Annotated[str, msgspec.Meta(max_length=50_000)]
    """One or more: a line each, or a CSV with ratings."""


class LeaveTournamentBody(DeskDeed, frozen=True, tag="leave"):
    id: int
    why: Text = ""


class BackBody(DeskDeed, frozen=True, tag="back"):
    id: int


class RoundBody(DeskDeed, frozen=True, tag="round"):
    step: Annotated[str, msgspec.Meta(pattern="^(pair|unpair|start|pause|resume|end)$")]


class MoveBody(DeskDeed, frozen=True, tag="move"):
    board: int
    table: str


class ExtendBody(DeskDeed, frozen=True, tag="extend"):
    minutes: Annotated[float, msgspec.Meta(ge=-600, le=600)]
    board: int = 0


class ResultBody(DeskDeed, frozen=True, tag="result"):
    round: int
    board: int
    points: tuple[float, ...]
    why: Text


class ReleaseBody(DeskDeed, frozen=True, tag="release"):
    round: int
    board: int


class PenaltyBody(DeskDeed, frozen=True, tag="penalty"):
    id: int
    points: Annotated[float, msgspec.Meta(ge=0, le=100)]
    why: Text


class ForgiveBody(DeskDeed, frozen=True, tag="forgive"):
    number: int


class AnswerCallBody(DeskDeed, frozen=True, tag="answer"):
    table: str


class DismissBody(DeskDeed, frozen=True, tag="dismiss"):
    number: int


class CodeBody(DeskDeed, frozen=True, tag="code"):
    name: Text


class DropTableBody(DeskDeed, frozen=True, tag="drop"):
    table: str


class LightsBody(DeskDeed, frozen=True, tag="lights"):
    """How Home Assistant, or anything else that only listens, gets to the broker."""


AnyDeskBody = (
    BeginTournamentBody
    | EnterBody
    | LeaveTournamentBody
    | BackBody
    | RoundBody
    | MoveBody
    | ExtendBody
    | ResultBody
    | ReleaseBody
    | PenaltyBody
    | ForgiveBody
    | AnswerCallBody
    | DismissBody
    | CodeBody
    | DropTableBody
    | LightsBody
)


class RegisterBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=80)]


class CodeAnswer(msgspec.Struct, frozen=True):
    code: str
    address: str
    """The whole of it, for `shinpan club join`."""


class ListenerAnswer(msgspec.Struct, frozen=True):
    """An account at the venue's broker that may listen and say nothing."""

    broker: BrokerAddress
    user: str
    secret: str
    authority: str
    """PEM of whoever vouches for the broker; empty: it speaks in the open."""


class RatingsAnswer(msgspec.Struct, frozen=True):
    ratings: tuple[Rating, ...]


class Door(Protocol):
    """Who gets in at the broker."""

    def joined(self, table: KnownTable) -> JoinAnswer:
        """Let this table in, and say how it gets there."""
        ...

    def dropped(self) -> None:
        """A table is not in the club any more."""
        ...

    def listener(self) -> ListenerAnswer:
        """Raises ShinpanError where the broker is the club's own."""
        ...


def add_desk(
    app: Flask, venue: Venue, ratings: ClubRatings, door: Door, arbiter: Callable[[], None], now: Callable[[], float]
) -> None:
    """`arbiter` turns everybody else away."""
    registering, coming_in, joining_lock = GuestBudget(now), GuestBudget(now), threading.Lock()

    def spent(budget: GuestBudget) -> None:
        if not budget.spend(request.remote_addr or ""):
            abort(answer(429, message("Too many taps at once; wait a moment.")))

    def tried(step: Callable[[], Response | None]) -> Response:
        try:
            with venue.news:
                done = step()
                venue.freshen()
            return as_json(Done()) if done is None else done
        except ShinpanError as error:
            return as_json(Trouble(sentence(error.message, g.language)), 409)

    @app.post("/api/desk")
    def do_at_desk() -> Response:
        arbiter()
        body: AnyDeskBody = decoded(AnyDeskBody)  # type: ignore[arg-type]
        known = ratings.by_name() if isinstance(body, EnterBody) else {}
        return tried(lambda: _do(venue, door, known, body))

    @app.post("/api/register")
    def take_registration() -> Response:
        """Whoever scans the code enters a name; once a tournament is open for it."""
        body = decoded(RegisterBody)
        spent(registering)
        name, known = " ".join(body.name.split()), ratings.by_name()

        def enter() -> None:
            venue.desk.enter(name, known.get(name.casefold(), 0.0))

        return tried(enter)

    @app.post("/api/join")
    def let_table_in() -> Response:
        spent(coming_in)
        asked = decoded(JoinRequest)

        def let_in() -> Response:
            table = joining.join(venue.store, asked, venue.clock())
            venue.add(table.id, table.name, table.key)
            return as_json(door.joined(table))

        with joining_lock:
            return tried(let_in)

    @app.get("/api/ratings")
    def known_ratings() -> Response:
        return as_json(RatingsAnswer(tuple(ratings.all())))


def _do(venue: Venue, door: Door, known: Mapping[str, float], body: AnyDeskBody) -> Response | None:
    desk, at = venue.desk, venue.clock()
    match body:
        case BeginTournamentBody():
            desk.begin(body.rules, at)
        case EnterBody():
            _enter(venue, known, body.names)
        case LeaveTournamentBody():
            desk.leave(body.id, body.why)
        case BackBody():
            desk.come_back(body.id)
        case RoundBody():
            _step(venue, body.step, at)
        case MoveBody():
            venue.move_board(body.board, body.table)
        case ExtendBody():
            desk.extend(60.0 * body.minutes, body.board)
        case ResultBody():
            desk.correct(body.round, body.board, body.points, body.why)
        case ReleaseBody():
            desk.release(body.round, body.board)
        case PenaltyBody():
            desk.penalise(body.id, body.points, body.why)
        case ForgiveBody():
            desk.forgive(body.number)
        case AnswerCallBody():
            venue.answer_calls(body.table)
        case DismissBody():
            venue.dismiss(body.number)
        case CodeBody():
            code = joining.new_code(venue.store, body.name, at)
            return as_json(CodeAnswer(joining.spoken(code), f"{request.host_url}join/{code}"))
        case DropTableBody():
            venue.drop(body.table)
            door.dropped()
        case LightsBody():
            return as_json(door.listener())
    return None


def _enter(venue: Venue, known: Mapping[str, float], text: str) -> None:
    """All of them, or the first that cannot be entered says why; those before it are in."""
    for name, rating in reports.entrants_of(text):
        venue.desk.enter(name, rating or known.get(name.casefold(), 0.0))


def _step(venue: Venue, step: str, at: float) -> None:
    desk = venue.desk
    match step:
        case "pair":
            desk.pair(venue.free_tables(), at)
        case "unpair":
            desk.unpair()
        case "start":
            desk.start(at)
        case "pause":
            desk.pause(at)
        case "resume":
            desk.resume(at)
        case "end":
            desk.end(at)

"""What the arbiter does at the desk, and what anybody may send: a registration, a table that joins."""

import threading
from collections.abc import Callable
from typing import Annotated

import msgspec
from flask import Flask, Response, abort, g, request, session

from companion.club import joining, reports
from companion.club.joining import JoinAnswer, JoinRequest
from companion.club.store import KnownTable
from companion.club.tournament import ledger
from companion.club.tournament.ledger import TournamentRules
from companion.club.tournament.ratings import Rating, ratings
from companion.club.venue import Venue
from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from web.answers import Done, Trouble, answer, as_json, decoded
from web.budgets import TapBudget
from web.pins import REFEREE, Pins

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
)


class RegisterBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, msgspec.Meta(max_length=80)]


class CodeAnswer(msgspec.Struct, frozen=True):
    code: str
    address: str
    """The whole of it, for `shinpan club join`."""


class RatingsAnswer(msgspec.Struct, frozen=True):
    ratings: tuple[Rating, ...]


def add_desk(
    app: Flask, venue: Venue, pins: Pins, now: Callable[[], float], joined: Callable[[KnownTable], JoinAnswer]
) -> None:
    """`joined` lets a table in at the broker and says how it gets there."""
    budget, joining_lock = TapBudget(now), threading.Lock()

    def arbiter() -> None:
        if REFEREE not in pins.held(session):
            abort(answer(403, message("Only the arbiter can do that: log in with the PIN first.")))

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
        return tried(lambda: _do(venue, body))

    @app.post("/api/register")
    def take_registration() -> Response:
        """Whoever scans the code enters a name; once a tournament is open for it."""
        body = decoded(RegisterBody)
        if not budget.spend(request.remote_addr or ""):
            abort(answer(429, message("Too many taps at once; wait a moment.")))

        def enter() -> None:
            known = {each.name.casefold(): each.rating for each in club_ratings(venue)}
            venue.desk.enter(body.name, known.get(" ".join(body.name.split()).casefold(), 0.0))

        return tried(enter)

    @app.post("/api/join")
    def let_table_in() -> Response:
        if not budget.spend(f"join {request.remote_addr}"):
            abort(answer(429, message("Too many taps at once; wait a moment.")))
        asked = decoded(JoinRequest)

        def let_in() -> Response:
            table = joining.join(venue.store, asked, venue.clock())
            venue.add(table.id, table.name, table.key)
            return as_json(joined(table))

        with joining_lock:
            return tried(let_in)

    @app.get("/api/ratings")
    def known_ratings() -> Response:
        return as_json(RatingsAnswer(tuple(club_ratings(venue))))

    # --- files ----------------------------------------------------------------------------------------------------

    @app.get("/standings.csv")
    def csv() -> Response:
        text = reports.standings_csv(venue.desk.tournament, g.language)
        kept = {"Content-Disposition": "attachment; filename=standings.csv"}
        return Response(text, mimetype="text/csv", headers=kept)

    @app.get("/tournament.json")
    def whole() -> Response:
        arbiter()
        return Response(reports.as_json(venue.store.ledger(venue.desk.id)), mimetype="application/json")

    @app.get("/report.pdf")
    def report() -> Response:
        try:
            return Response(reports.report(venue.desk.tournament, g.language), mimetype="application/pdf")
        except ShinpanError as error:
            return answer(503, error.message)


def club_ratings(venue: Venue) -> list[Rating]:
    """Over all tournaments of this venue, in order."""
    from companion.club.tournament.tournament import Tournament

    def results() -> list[tuple[list[str], tuple[float, ...]]]:
        found = []
        for id in venue.store.tournaments():
            tournament = Tournament(map(ledger.decode, venue.store.ledger(id)))
            for each in tournament.rounds:
                for number, board in each.boards.items():
                    if each.counts(number):
                        found.append(([*map(tournament.name, board.players)], each.results[number].points))
        return found

    return ratings(results())


def _do(venue: Venue, body: AnyDeskBody) -> Response | None:
    desk, at = venue.desk, venue.clock()
    match body:
        case BeginTournamentBody():
            desk.begin(body.rules, at)
        case EnterBody():
            _enter(venue, body.names)
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
    return None


def _enter(venue: Venue, text: str) -> None:
    """All of them, or the first that cannot be entered says why; those before it are in."""
    known = {each.name.casefold(): each.rating for each in club_ratings(venue)}
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

"""The read-only API for programs of others, `/api/v1`: matches, standings and the live state, as any spectator may see
them. `docs/api.md` describes it; `/api/v1/openapi.json` is made from the structs below, which stay as they are.
"""

from collections.abc import Collection, Sequence
from typing import Annotated, Any, TypeVar

import msgspec
from flask import Flask, Response, abort, g, request

from companion.core.rulings import ShinpanError, Unknown
from companion.core.validation import wrong_field
from companion.core.wording import sentence
from companion.history.library import MatchLibrary
from companion.history.listing import MatchListed, WantedMatches
from companion.history.standings import standings
from companion.referee.lobby_view import LobbyPage
from companion.referee.service import Service
from web.answers import Trouble, answer, as_json, unreadable
from web.history import Shelf
from web.openapi import Operation, described

READING = 1.0
"""Seconds that a request may spend on taking in new kifus."""
Word = Annotated[str, msgspec.Meta(max_length=100)]
QueryT = TypeVar("QueryT")


class MatchesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches; what is left out does not matter."""

    game: Word = ""
    """`sen_so`, `san_ni_ichi`, `senjutsu`, `sensu`, or a game of your own."""
    player: Word = ""
    day: Annotated[str, msgspec.Meta(pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")] = ""
    """`2026-11-14`, or a month or a year of it."""
    start: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] = 0
    """How many to pass over, the newest first."""
    count: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50


class StandingsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    game: Word = ""
    player: Word = ""
    day: Annotated[str, msgspec.Meta(pattern=r"^(\d{4}(-\d{2}(-\d{2})?)?)?$")] = ""


class NoQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing can be asked."""


class PublishedSeat(msgspec.Struct, frozen=True):
    name: str
    won: bool


class PublishedMatch(msgspec.Struct, frozen=True):
    """A match that is kept here."""

    name: str
    game: str
    title: str
    """What people call it; empty: nothing."""
    began: str
    """By the table's clock, `2026-11-14 20:15:00`; empty where the file does not say."""
    players: tuple[PublishedSeat, ...]
    """In seat order."""
    moves: int
    seconds: float
    """On the match clock."""
    over: bool
    how: str
    """How the referee ended it; empty: by its rules, or not yet."""
    fault: str
    """What is wrong with its file; empty: nothing."""


class PublishedMatches(msgspec.Struct, frozen=True):
    total: int
    start: int
    matches: tuple[PublishedMatch, ...]


class PublishedStanding(msgspec.Struct, frozen=True):
    name: str
    matches: int
    wins: int
    shared: int
    """Wins that somebody else has, too."""


class PublishedStandings(msgspec.Struct, frozen=True):
    standings: tuple[PublishedStanding, ...]


class LiveClock(msgspec.Struct, frozen=True):
    reached: float
    running: bool
    limit: float | None


class LiveSentence(msgspec.Struct, frozen=True):
    """A ruling, a call, a refusal or a notice."""

    number: int
    """Counts up over the match."""
    kind: str
    rules: tuple[str, ...]
    text: str
    line: int
    """Of the kifu; 0: none."""
    taken_back: bool


class LiveState(msgspec.Struct, frozen=True):
    """The table now, as a spectator sees it."""

    version: int
    """Grows with everything new: ask again only for what is newer."""
    lobby: bool
    """No match is played; what follows is empty."""
    match: str = ""
    game: str = ""
    players: tuple[str, ...] = ()
    stage: str = ""
    """`placing`, `countdown`, `reveal`, `choice` or `over`."""
    count: int = 0
    paused: bool = False
    over: bool = False
    awaited: tuple[str, ...] = ()
    clock: LiveClock | None = None
    counted: str = ""
    """What the tally counts."""
    tally: tuple[int, ...] = ()
    """By seat."""
    said: tuple[LiveSentence, ...] = ()
    """The latest, oldest first."""


OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "/api/v1/matches",
        "matches",
        "The matches that are kept here, the newest first.",
        MatchesQuery,
        PublishedMatches,
    ),
    Operation("/api/v1/matches/{name}", "match", "One match.", NoQuery, PublishedMatch, missing=True),
    Operation(
        "/api/v1/standings",
        "standings",
        "Who has won most; with `day`, of an evening.",
        StandingsQuery,
        PublishedStandings,
    ),
    Operation("/api/v1/live", "live", "The table now, as any spectator sees it.", NoQuery, LiveState),
)
ABOUT = (
    "Matches, standings and the live state of a Shinpan table. Everything is read-only and what any spectator may see."
)


def add_api_v1(app: Flask, service: Service, shelf: Shelf, origins: Collection[str] = ()) -> None:
    """`origins` are sites whose pages may read this in a browser; programs need no leave."""
    specification = msgspec.json.encode(described("Shinpan", "1", ABOUT, OPERATIONS, Trouble))

    def library() -> MatchLibrary:
        shelf.library.refresh(READING)
        return shelf.library

    def asked(kind: type[QueryT]) -> QueryT:
        given = {name: value for name, value in request.args.items() if name != "lang"}
        try:
            return msgspec.convert(given, kind, strict=False)
        except msgspec.ValidationError as error:
            abort(unreadable(wrong_field(error)))

    @app.after_request
    def share(response: Response) -> Response:
        origin = request.headers.get("Origin", "")
        if request.path.startswith("/api/v1/"):
            response.vary.add("Origin")
            if origin in origins:
                response.headers["Access-Control-Allow-Origin"] = origin
                response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
        return response

    @app.get("/api/v1/openapi.json")
    def openapi_v1() -> Response:
        return Response(specification, mimetype="application/json")

    @app.get("/api/v1/matches")
    def matches_v1() -> Response:
        query = asked(MatchesQuery)
        wanted = WantedMatches(query.game, query.player, query.day)
        found = library().find(wanted, query.start, query.count)
        return as_json(PublishedMatches(found.total, query.start, tuple(map(_published, found.matches))))

    @app.get("/api/v1/matches/<name>")
    def match_v1(name: str) -> Response:
        asked(NoQuery)
        try:
            return as_json(_published(library().match(name)))
        except (Unknown, ShinpanError) as error:
            return answer(404, error.message)

    @app.get("/api/v1/standings")
    def standings_v1() -> Response:
        query = asked(StandingsQuery)
        lines = standings(library().index, WantedMatches(query.game, query.player, query.day))
        rows = tuple(PublishedStanding(line.name, line.matches, line.wins, line.shared) for line in lines)
        return as_json(PublishedStandings(rows))

    @app.get("/api/v1/live")
    def live_v1() -> Response:
        asked(NoQuery)
        return as_json(live_state(service, g.language))


def live_state(service: Service, language: str) -> LiveState:
    page = service.page(None, language)
    if isinstance(page, LobbyPage):
        return LiveState(page.version, lobby=True)
    last: Sequence[Any] = page.tally.steps
    return LiveState(
        version=page.version,
        lobby=False,
        match=page.match,
        game=page.game,
        players=page.players,
        stage=page.stage,
        count=page.count,
        paused=page.paused,
        over=page.over,
        awaited=page.awaited,
        clock=LiveClock(page.clock.reached, page.clock.running, page.clock.limit),
        counted=page.tally.title,
        tally=last[-1].tally if last else (),
        said=tuple(
            LiveSentence(each.number, each.kind, each.rules, each.text, each.line, each.taken_back)
            for each in page.said
        ),
    )


def _published(match: MatchListed) -> PublishedMatch:
    return PublishedMatch(
        name=match.name,
        game=match.game,
        title=match.title,
        began=match.began,
        players=tuple(PublishedSeat(seat.name, seat.won) for seat in match.seats),
        moves=match.moves,
        seconds=match.seconds,
        over=match.over,
        how=match.how,
        fault="" if match.fault is None else sentence(match.fault, g.language),
    )

"""A tournament as files: what can be taken home, and what can be brought in."""

import threading
from collections.abc import Callable

from flask import Flask, Response, g, request

from companion.club import reports
from companion.club.venue import Venue
from companion.core.rulings import ShinpanError
from companion.core.wording import sentence
from web.answers import Done, Trouble, answer, as_json
from web.budgets import IMPORT_TOURNAMENT, LARGEST_IMPORT


class KeptReport:
    """A report is laid out once for each state of the tournament: strangers may ask for it as often as they like."""

    def __init__(self, venue: Venue) -> None:
        self._venue, self._lock = venue, threading.Lock()
        self._made: dict[str, tuple[int, bytes]] = {}

    def get(self, language: str) -> bytes:
        with self._lock:
            newest, made = self._venue.store.last_step(), self._made.get(language)
            if made is None or made[0] != newest:
                made = newest, reports.report(self._venue.desk.tournament, language)
                self._made[language] = made
            return made[1]


def add_files(app: Flask, venue: Venue, arbiter: Callable[[], None]) -> None:
    """`arbiter` turns everybody else away."""
    kept = KeptReport(venue)

    def file(data: str | bytes, name: str, mimetype: str) -> Response:
        return Response(data, mimetype=mimetype, headers={"Content-Disposition": f"attachment; filename={name}"})

    @app.get("/standings.csv")
    def standings_file() -> Response:
        return file(reports.standings_csv(venue.desk.tournament, g.language), "standings.csv", "text/csv")

    @app.get("/results.csv")
    def results_file() -> Response:
        return file(reports.results_csv(venue.desk.tournament, g.language), "results.csv", "text/csv")

    @app.get("/report.pdf")
    def report_file() -> Response:
        try:
            return Response(kept.get(g.language), mimetype="application/pdf")
        except ShinpanError as error:
            return answer(503, error.message)

    @app.get("/tournament.json")
    def whole_file() -> Response:
        arbiter()
        return file(reports.as_json(venue.store.ledger(venue.desk.id)), "tournament.json", "application/json")

    @app.post(IMPORT_TOURNAMENT)
    def bring_in() -> Response:
        """Go on with a tournament that was exported, here or at another venue."""
        arbiter()
        request.max_content_length = LARGEST_IMPORT
        try:
            events = reports.from_json(request.get_data())
            with venue.news:
                venue.desk.bring_in(events, venue.tables)
                venue.freshen()
            return as_json(Done())
        except ShinpanError as error:
            return as_json(Trouble(sentence(error.message, g.language)), 409)

"""The pages of a venue: a whole Swiss of eight players on four tables, run from the desk in a browser."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect
from werkzeug.test import TestResponse

from companion.club.joining import JoinAnswer, JoinRequest, new_code
from companion.club.payloads import RulingOut
from companion.club.store import KnownTable
from companion.club.tournament.ledger import TournamentRules
from tests.companion.club.simulated import Club, club, until
from tests.web.axe import findings
from tests.web.chromium import SCREENS
from web.app import Settings
from web.budgets import GuestBudget
from web.server import Server
from web.venue.app import create_venue_app
from web.venue.desk import ListenerAnswer
from web.venue.news import GAP, HALL, VenueNews

PIN = "246810"
ORIGIN = {"Origin": "http://localhost"}
SHOTS = os.environ.get("SHOTS")
"""A folder for pictures of every page, to be looked at."""


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Club]:
    with club(tmp_path, "nats", 4) as four:
        yield four


class DoorOfClub:
    """The door of a club that runs in these tests."""

    def __init__(self, made: Club) -> None:
        self._made = made

    def joined(self, table: KnownTable) -> JoinAnswer:
        self._made.let_in()
        return JoinAnswer(
            venue=self._made.venue.id,
            venue_name="Test",
            table=table.id,
            name=table.name,
            secret=table.secret,
            broker=self._made.broker.address,
        )

    def dropped(self) -> None:
        self._made.let_in()

    def listener(self) -> ListenerAnswer:
        return ListenerAnswer(self._made.broker.address, "lights", "secret", "")


@pytest.fixture
def app(made: Club) -> FlaskClient:
    settings = Settings(referee_pin=PIN, secret="s" * 32)
    return create_venue_app(made.venue, settings, DoorOfClub(made)).test_client()


def test_only_the_arbiter_may_do_anything_at_the_desk(app: FlaskClient) -> None:
    assert app.get("/desk").status_code == 401
    for body in ({"what": "round", "step": "end"}, {"what": "code", "name": "Table 9"}):
        assert app.post("/api/desk", json=body, headers=ORIGIN).status_code == 403
    assert app.get("/tournament.json").status_code == 403
    for public in ("/wall", "/pairings", "/standings", "/register", "/api/venue", "/standings.csv", "/register.svg"):
        assert app.get(public).status_code == 200


def test_what_is_wrong_is_one_sentence_and_changes_nothing(app: FlaskClient) -> None:
    app.post("/api/login", json={"role": "referee", "pin": PIN}, headers=ORIGIN)
    rules = {"title": "Cup", "kind": "swiss", "game": "sen_so"}
    bad = app.post("/api/desk", json={"what": "begin", "rules": {**rules, "game": "chess"}}, headers=ORIGIN)
    assert (bad.status_code, bad.json["text"]) == (409, "There is no game called chess here.")
    assert app.post("/api/desk", json={"what": "begin", "rules": rules}, headers=ORIGIN).status_code == 200
    assert app.post("/api/register", json={"name": "Aki"}, headers=ORIGIN).status_code == 200
    twice = app.post("/api/register", json={"name": " aki "}, headers=ORIGIN)
    assert twice.json["text"] == "aki is registered already; add something to the name."
    assert app.post("/api/desk", json={"what": "fly"}, headers=ORIGIN).status_code == 400
    assert [each["name"] for each in app.get("/api/venue").json["entrants"]] == ["Aki"]


def test_one_request_waits_for_a_page_that_never_comes_and_all_others_are_answered(
    app: FlaskClient, made: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The workers for strangers are few: whoever asks for a silent table must not take them all."""
    waiting, go_on = threading.Event(), threading.Event()

    def wait(news: VenueNews, version: int, timeout: float) -> int:
        waiting.set()
        go_on.wait(20)
        return version

    monkeypatch.setattr(VenueNews, "wait", wait)
    monkeypatch.setattr(VenueNews, "page_of", lambda news, table, language: None)
    monkeypatch.setattr("web.venue.app.PAGE_WAIT", 0.5)
    table = next(iter(made.venue.tables))
    monkeypatch.setattr(made.venue.tables[table], "here", True)
    first = threading.Thread(target=lambda: app.application.test_client().get(f"/table/{table}"))
    first.start()
    try:
        assert waiting.wait(20)
        waiting.clear()
        assert app.get(f"/table/{table}").status_code == 200
        assert not waiting.is_set()
    finally:
        go_on.set()
        first.join()


def test_a_table_joins_with_a_code_once(app: FlaskClient, made: Club) -> None:
    code = new_code(made.venue.store, "Table 9", made.venue.clock())
    body = {"code": code, "key": "", "software": ""}
    assert app.post("/api/join", json=body, headers=ORIGIN).json["name"] == "Table 9"
    assert app.post("/api/join", json=body, headers=ORIGIN).status_code == 409
    assert JoinRequest(code=code).code == code


@pytest.fixture
def arbiter(app: FlaskClient) -> FlaskClient:
    """Logged in, with a tournament of four that is open for registration."""
    app.post("/api/login", json={"role": "referee", "pin": PIN}, headers=ORIGIN)
    rules = {"title": "Cup", "kind": "swiss", "game": "sen_so", "rounds": 2}
    do(app, what="begin", rules=rules)
    do(app, what="enter", names="Aki,1200\nBen\nCho\nDai")
    return app


def do(app: FlaskClient, **body: object) -> None:
    answer = app.post("/api/desk", json=body, headers=ORIGIN)
    assert answer.status_code == 200, answer.text


def bring_in(app: FlaskClient, data: bytes) -> TestResponse:
    return app.post("/api/tournament", data=data, content_type="application/json", headers=ORIGIN)


def test_a_tournament_is_taken_home_and_brought_in_again(arbiter: FlaskClient) -> None:
    do(arbiter, what="round", step="pair")
    do(arbiter, what="round", step="start")
    do(arbiter, what="result", round=1, board=1, points=[1, 0], why="the clock broke")
    before = arbiter.get("/api/venue").json
    taken = arbiter.get("/tournament.json").data
    running = bring_in(arbiter, taken)
    assert (running.status_code, running.json["text"]) == (409, "Cup is not over; end it first.")
    do(arbiter, what="round", step="end")
    do(arbiter, what="begin", rules={"title": "Other", "kind": "swiss", "game": "sen_so"})
    do(arbiter, what="round", step="end")
    assert bring_in(arbiter, taken).status_code == 200
    after = arbiter.get("/api/venue").json

    assert [after[part] for part in ("standings", "rounds", "entrants")] == [
        before[part] for part in ("standings", "rounds", "entrants")
    ]
    do(arbiter, what="round", step="end")
    broken = bring_in(arbiter, b"[1]")
    assert (broken.status_code, broken.json["text"]) == (409, "That file is not an exported tournament.")


def test_results_go_home_as_csv_with_the_arbiters_reason(arbiter: FlaskClient) -> None:
    do(arbiter, what="round", step="pair")
    do(arbiter, what="result", round=1, board=1, points=[1, 0], why="the clock broke")
    lines = arbiter.get("/results.csv").text.splitlines()

    assert lines[0] == "round,table,seat,name,points,reason"
    assert "1,the clock broke" in lines[1]
    assert len(lines) == 5


def test_a_stranger_brings_nothing_in(app: FlaskClient) -> None:
    assert bring_in(app, b"[]").status_code == 403
    assert app.post("/api/desk", json={"what": "lights"}, headers=ORIGIN).status_code == 403


def test_nobody_fills_a_tournament_from_one_phone(arbiter: FlaskClient) -> None:
    said = [arbiter.post("/api/register", json={"name": f"P{at}"}, headers=ORIGIN).status_code for at in range(30)]

    assert said == [200] * GuestBudget.AT_ONCE + [429] * (30 - GuestBudget.AT_ONCE)
    assert len(arbiter.get("/api/venue").json["entrants"]) == 4 + GuestBudget.AT_ONCE


def test_guests_are_forgotten_and_never_more_than_so_many_are_kept() -> None:
    now = 0.0
    budget = GuestBudget(lambda: now)
    for number in range(3 * GuestBudget.GUESTS):
        assert budget.spend(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}")
    assert len(budget) == GuestBudget.GUESTS
    now = GuestBudget.EVERY + 1.0
    assert budget.spend("10.0.0.1")
    assert len(budget) == 1


def test_phones_hear_nothing_of_moves_at_the_tables(made: Club) -> None:
    news, table = VenueNews(made.venue), made.table(1)
    until(lambda: made.venue.tables["t1"].here)
    before = news.page_of(HALL, "en")
    table.member._say("ruling", RulingOut(match="m", line=1, kind="ruling", text={"en": "Aki strikes."}))
    until(lambda: made.venue.tables["t1"].rulings)

    assert news.page_of(HALL, "en") == before
    made.venue.desk.begin(TournamentRules(title="Cup", kind="swiss", game="sen_so"), 0.0)
    assert news.page_of(HALL, "en")["round"]["title"] == "Cup"  # type: ignore[index]


@pytest.mark.long
@pytest.mark.browser
def test_a_swiss_of_eight_players_on_four_tables_from_the_desk(made: Club, browser: Browser) -> None:
    settings = Settings(referee_pin=PIN, secret="s" * 32)
    app = create_venue_app(made.venue, settings, DoorOfClub(made))
    news: VenueNews = app.extensions["shinpan"]["news"]
    tables = [made.table(number) for number in range(1, 5)]
    venue = made.venue
    until(lambda: all(each.here for each in venue.tables.values()))
    with Server(app, news, "127.0.0.1", 0, None, GAP, news) as server:
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        broken: list[str] = []
        page.on("pageerror", lambda error: broken.append(str(error)))
        page.goto(f"{server.url}desk")
        page.fill("#pin", PIN)
        page.click("#login button")
        page.fill("#begin-title", "Spring Cup")
        page.fill("#begin-rounds", "3")
        page.uncheck("#begin-alone")
        page.click(".begin button.ready")
        page.click("text=Add players …")
        page.fill("#ask textarea", "\n".join(("Aki", "Ben", "Cho", "Dai", "Emi", "Fumi", "Gen", "Hana")))
        page.click("#ask button.ready")
        for number in range(1, 4):
            page.click(f"text=Pair round {number}")
            until(
                lambda: all(
                    len(each.table.arrangement.players) == 2 and each.table.arrangement.order for each in tables
                )
            )
            if number == 1:
                shoot(browser, server.url, "called", ("wall",))
            page.click("text=Start on all tables")
            until(lambda: all(each.playing for each in tables))
            if number == 2:
                shoot(browser, server.url, "playing", ("wall", "pairings", "standings", "register"))
            for each in tables:
                each.win()
            last = number
            until(lambda: venue.desk.tournament.rounds[last - 1].over)  # noqa: B023
        expect(page.locator("#progress")).to_have_text("The tournament is over")
        shoot(browser, server.url, "over", ("wall", "pairings", "standings"))
        assert findings(page) == []
        assert broken == []
        page.close()

    tournament = venue.desk.tournament
    assert set(tournament.met().values()) == {1}
    assert sum(tournament.points().values()) == 12.0


def shoot(browser: Browser, url: str, name: str, pages: tuple[str, ...]) -> None:
    """Look at these pages: accessible, nothing wider than the screen; with SHOTS, pictures of all sizes."""
    for each in pages:
        for size in ("wall", "tablet", "phone") if SHOTS else ("phone",):
            width, height = SCREENS[size]
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(f"{url}{each}")
            page.wait_for_selector("main > *")
            if SHOTS:
                page.screenshot(path=f"{SHOTS}/{name}-{each}-{width}.png")
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), f"{each} is too wide"
            assert findings(page) == []
            page.close()

"""The pages of a venue: a whole Swiss of eight players on four tables, run from the desk in a browser."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, expect

from companion.club.joining import JoinAnswer, JoinRequest, new_code
from companion.club.store import KnownTable
from tests.companion.club.simulated import Club, club, until
from tests.web.axe import findings
from tests.web.chromium import SCREENS
from web.app import Settings
from web.server import Server
from web.venue.app import create_venue_app
from web.venue.news import GAP, VenueNews

PIN = "246810"
ORIGIN = {"Origin": "http://localhost"}
SHOTS = os.environ.get("SHOTS")
"""A folder for pictures of every page, to be looked at."""


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Club]:
    with club(tmp_path, "nats", 4) as four:
        yield four


def joined(made: Club, table: KnownTable) -> JoinAnswer:
    made.let_in()
    return JoinAnswer(
        venue=made.venue.id,
        venue_name="Test",
        table=table.id,
        name=table.name,
        secret=table.secret,
        broker=made.broker.address,
    )


@pytest.fixture
def app(made: Club) -> FlaskClient:
    settings = Settings(referee_pin=PIN, secret="s" * 32)
    return create_venue_app(made.venue, settings, lambda table: joined(made, table)).test_client()


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


def test_a_table_joins_with_a_code_once(app: FlaskClient, made: Club) -> None:
    code = new_code(made.venue.store, "Table 9", made.venue.clock())
    body = {"code": code, "key": "", "software": ""}
    assert app.post("/api/join", json=body, headers=ORIGIN).json["name"] == "Table 9"
    assert app.post("/api/join", json=body, headers=ORIGIN).status_code == 409
    assert JoinRequest(code=code).code == code


@pytest.mark.long
@pytest.mark.browser
def test_a_swiss_of_eight_players_on_four_tables_from_the_desk(made: Club, browser: Browser) -> None:
    settings = Settings(referee_pin=PIN, secret="s" * 32)
    app = create_venue_app(made.venue, settings, lambda table: joined(made, table))
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

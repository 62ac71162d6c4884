"""The referee's desk in a real browser: acts by hand with their reasons, taking back, calls, corrections."""

import pytest
from playwright.sync_api import Page, expect

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.games import game
from tests.web.axe import findings
from tests.web.chromium import log_in
from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app
from web.server import Server

pytestmark = pytest.mark.browser

TABLETS = ((1280, 800), (1920, 1080))
OPTIONS = {
    "sen_so": {"end": {"time": 600}},
    "san_ni_ichi": {"scoring": "cards"},
    "senjutsu": {"arena": (8, 5)},
    "sensu": {"wisdom": "any"},
}


@pytest.fixture
def evening() -> Evening:
    return Evening(starts={"Aki": "e4", "Ben": "e6"}, end={"time": 600})


@pytest.fixture
def desk(open_page) -> Page:
    page = open_page("referee")
    log_in(page, SETTINGS.referee_pin)
    return page


def moved(evening: Evening) -> None:
    evening.begin()
    evening.reveal(Aki=("move", "F"), Ben=("move", "B"))


def choose(page: Page, text: str) -> None:
    page.locator(".reason", has_text=text).first.click()


def send(page: Page) -> None:
    page.locator(".act-form button.act").click()


def test_points_are_taken_with_a_reason_that_is_one_tap(desk, evening):
    desk.get_by_role("button", name="Take from Ben").click()
    send(desk)
    expect(desk.locator(".act-form .wrong")).to_contain_text("Say why: the reason is kept with the match.")
    assert evening.lines == []
    choose(desk, "Looked at a covered card")
    send(desk)

    expect(desk.locator(".act-form")).to_have_count(0)
    expect(desk.locator(".person .score").nth(1)).to_have_text("−1")
    expect(desk.locator("#rulings li").first).to_have_class("said act fresh")
    assert evening.lines[-1]["why"] == "Looked at a covered card"


@pytest.mark.parametrize("value", ["0", "1000", "", "1e9"])
def test_an_amount_that_makes_no_sense_is_told_in_the_form(desk, evening, value):
    desk.get_by_role("button", name="Give to Aki").click()
    desk.locator(".act-form input[type=number]").fill(value)
    choose(desk, "A wrong score")
    send(desk)

    expect(desk.locator(".act-form .wrong")).not_to_be_empty()
    assert evening.lines == []


def test_time_is_added_and_a_match_that_time_had_ended_goes_on(desk, evening):
    moved(evening)
    evening.wait(700)
    expect(desk.locator("body")).to_have_attribute("data-stage", "over")
    desk.get_by_role("button", name="+1 min").click()
    desk.get_by_label("Minutes").last.fill("5")
    choose(desk, "An interruption")
    send(desk)

    expect(desk.locator("body")).to_have_attribute("data-stage", "placing")
    assert evening.lines[-1]["seconds"] == 300


def test_a_ruling_by_hand_an_end_and_a_new_name(desk, evening):
    desk.get_by_role("button", name="Rule by hand").click()
    desk.locator(".act-form input").first.fill("Pawns stand in the middle.")
    send(desk)
    expect(desk.locator("#rulings li.act").first).to_contain_text("The referee rules: Pawns stand in the middle.")
    desk.get_by_role("button", name="End the match").click()
    choose(desk, "Disqualified")
    desk.get_by_label("Player", exact=True).select_option("Ben")
    choose(desk, "Unfair play")
    send(desk)

    expect(desk.locator("#rulings li.act").first).to_contain_text("The match goes to Aki.")
    assert evening.lines[-1] == {
        "referee": "end",
        "how": "disqualified",
        "player": "Ben",
        "why": "Unfair play",
        "at": 0.0,
    }
    desk.get_by_role("button", name="Rename").click()
    desk.get_by_label("Player", exact=True).select_option("Ben")
    desk.get_by_label("New name").fill("Aki")
    send(desk)
    expect(desk.locator(".act-form .wrong")).to_contain_text("Two players have the same name.")


def test_taking_back_is_seen_before_and_after(desk, evening, open_page):
    status = open_page()
    moved(evening)
    desk.locator("#moves").fill("2")
    expect(desk.locator(".undoes li").first).to_contain_text("moves to")
    expect(desk.locator(".undoing")).to_contain_text("the pawn of Aki: on e4")
    choose(desk, "Wrong tap")
    desk.locator(".undo button").click()

    expect(desk.locator(".due")).to_contain_text("the pawn of Aki: on e4")
    for page in (desk, status):
        expect(page.locator("#rulings .undone").first).to_contain_text("moves to")
        expect(page.locator("#rulings li").first).to_contain_text("Put back on the table:")
    desk.get_by_role("button", name="All is put back").click()
    expect(desk.locator(".due")).to_have_count(0)


def test_a_misread_move_is_put_right_with_one_tap(desk, evening):
    moved(evening)
    seen = {"Aki.action1": (SeenCard("move", True),), "Ben.action1": (SeenCard("move", True, 180.0),)}
    evening.service.submit(Seen(Sight(seen), evening.at))
    evening.tap("referee", "correct", zone="Aki.action1", card="attack")
    expect(desk.locator(".due")).to_contain_text("has already counted as a move of Aki")
    desk.get_by_role("button", name="Take it back and make it right").click()

    expect(desk.locator(".due")).to_have_count(0)
    expect(desk.locator(".undoes")).not_to_contain_text("Aki moves to")
    assert [line.get("card") for line in evening.lines[-2:]] == ["attack", "move"]
    assert evening.service.referee.match.facts["players"]["Aki"]["cell"] == "e4"


def test_a_player_calls_and_the_referee_comes(desk, open_page, evening):
    seat = open_page("seat/Ben", "phone")
    log_in(seat, PINS["Ben"])
    seat.locator("#menu-button").click()
    seat.get_by_role("button", name="Call the referee").click()
    expect(desk.locator(".due.call")).to_contain_text("Ben calls you.")
    expect(seat.locator("#menu .call")).to_have_attribute("aria-pressed", "true")
    desk.get_by_role("button", name="I come").click()

    expect(desk.locator(".due.call")).to_have_count(0)
    expect(seat.locator("#menu .call")).to_have_text("Call the referee")


def test_conceding_is_asked_twice(open_page, evening):
    seat = open_page("seat/Ben", "phone")
    log_in(seat, PINS["Ben"])
    seat.locator("#menu-button").click()
    seat.get_by_role("button", name="Concede").click()
    seat.get_by_role("button", name="Play on").click()
    assert evening.lines == []
    seat.get_by_role("button", name="Concede").click()
    seat.get_by_role("button", name="Yes, I concede").click()

    expect(seat.locator("body")).to_have_attribute("data-stage", "over")
    assert evening.lines[-1]["how"] == "conceded"


# What does not fit its place, and by how many pixels.
SCROLLS = """() => ["html", ".people", ".look", ".work"].map((name) => document.querySelector(name))
  .filter((part) => part.scrollHeight > part.clientHeight + 1 || part.scrollWidth > part.clientWidth + 1)
  .map((part) => `${part.className || "page"} ${part.scrollHeight - part.clientHeight}`)"""


@pytest.mark.parametrize("language", ["en", "it"])
@pytest.mark.parametrize(
    ("name", "players"),
    [("sen_so", 2), ("sen_so", 4), ("san_ni_ichi", 6), ("senjutsu", 4), ("sensu", 1), ("sensu", 5)],
)
def test_the_desk_needs_no_scrolling_on_a_tablet(browser, name, players, language):
    people = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fumi")[:players]
    evening = Evening(people, game(name), **OPTIONS[name])
    for seat in range(players):
        evening.sense(f"panel {seat + 1}", "ok")
    evening.sense("camera", "ok")
    evening.sense("timer", "missing")
    evening.tap(people[-1], "call")
    with Server(create_app(evening.service, SETTINGS), evening.service, port=0) as server:
        for width, height in TABLETS:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(f"{server.url}referee?lang={language}", wait_until="domcontentloaded")
            log_in(page, SETTINGS.referee_pin)
            expect(page.locator(".due.call")).to_have_count(1)
            assert page.evaluate(SCROLLS) == []
            page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_desk(open_page, evening, scheme):
    page = open_page("referee?lang=it", color_scheme=scheme)
    log_in(page, SETTINGS.referee_pin)
    moved(evening)
    evening.tap("referee", "award", player="Ben", points=1, why="fair")
    evening.tap("referee", "undo", moves=1, why="unfair")
    evening.tap("referee", "rule", say="Carefully.")
    evening.tap("Ben", "call")
    unsure = SeenCard(None, True, guesses=("move", "leap"))
    evening.service.submit(Seen(Sight({"Aki.action1": (unsure,)}), evening.at))
    expect(page.locator(".question")).to_have_count(1)
    expect(page.locator("#rulings .undone")).to_have_count(1)
    for opens in ("Chiudi la partita", "Cambia nome", "+1 min"):
        page.get_by_role("button", name=opens).click()
        assert findings(page) == []

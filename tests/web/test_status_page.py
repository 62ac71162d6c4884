"""The page for everybody on every screen: nothing is cut off, rulings are read from afar, and it speaks if asked."""

import re

import pytest
from playwright.sync_api import expect

from companion.games import game
from tests.web.axe import findings
from tests.web.chromium import SCREENS
from tests.web.evening import SETTINGS, Evening
from tests.web.hit_test import covered_anywhere
from web.app import create_app
from web.server import Server

pytestmark = pytest.mark.browser
SIX = ("Massimiliano", "Ben", "Cho", "Dai", "Emi", "Fumi")

# Texts that are cut off, by an ellipsis or by the edge of what holds them.
CUT = """() => {
  const hidden = (each) => {
    const list = each.closest("#rulings");
    return list && each.getBoundingClientRect().left >= list.getBoundingClientRect().right - 1;
  };
  const right = (each) => each.getBoundingClientRect().right;
  const out = (each) => each.closest(".player") && right(each) > right(each.closest(".player")) + 1;
  return Array.from(document.querySelectorAll(".player *, #rulings li, .said p, #clock, .title, #senses li"))
    .filter((each) => !hidden(each))
    .filter((each) => each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX !== "visible"
      || right(each) > innerWidth + 1 || out(each))
    .map((each) => each.className + " " + each.textContent);
}"""
# Parts of the head line that lie over each other, and whether the title takes more than a line.
HEAD = """() => {
  const box = (each) => each.getBoundingClientRect();
  const parts = Array.from(document.querySelectorAll(".head > :not(.title), .title em, .title small"))
    .filter((each) => box(each).width);
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const pairs = parts.flatMap((a, at) => parts.slice(at + 1).filter((b) => over(box(a), box(b))).map((b) => [a, b]));
  const title = document.querySelector(".title");
  const lines = box(title).height / parseFloat(getComputedStyle(title).lineHeight);
  return [pairs.map(([a, b]) => a.className + " over " + b.className), Math.round(lines)];
}"""
# Rulings that begin on the wall, and whether they are there as a whole.
WHOLE = """() => {
  const list = document.querySelector("#rulings").getBoundingClientRect();
  const rows = Array.from(document.querySelectorAll("#rulings li")).map((each) => each.getBoundingClientRect());
  const seen = rows.filter((row) => row.left < list.right - 1);
  return [seen.length, seen.every((row) => row.bottom <= list.bottom + 1)];
}"""
# The browser's voice, replaced by a list of what it would say.
VOICE = """() => {
  window.spoken = [];
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const speak = (said) => {
    window.spoken.push([said.lang, said.text]);
    document.documentElement.dataset.spoken = said.text;
    said.onend();
  };
  const speech = { speak, cancel() {}, getVoices: () => [] };
  Object.defineProperty(window, "speechSynthesis", { value: speech });
}"""


@pytest.fixture
def evening() -> Evening:
    return Evening(("Aki", "Ben", "Cho", "Dai"), starts={"Aki": "e4", "Ben": "e6"}, end={"time": 1200})


@pytest.mark.parametrize(
    ("screen", "language"),
    [("phone", "it"), ("upright", "en"), ("tablet", "it"), ("wall", "it")]
    + [
        pytest.param(screen, language, marks=pytest.mark.long)
        for screen, language in (("phone", "en"), ("upright", "it"), ("tablet", "en"), ("wall", "en"))
    ],
)
def test_six_players_can_be_read_on_every_screen_and_nothing_is_cut_off(browser, screen, language):
    evening = Evening(SIX, game("san_ni_ichi"), show_totals=True)
    for player in SIX:
        evening.move(player, "select")
    with Server(create_app(evening.service, SETTINGS), evening.service, port=0) as server:
        width, height = SCREENS[screen]
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto(f"{server.url}?lang={language}")
        expect(page.locator(".player .name")).to_have_text(list(SIX))
        expect(page.locator(".player .unit").first).to_have_text({"en": "damage", "it": "danni"}[language])
        assert page.evaluate(CUT) == []
        evening.count()
        expect(page.locator(".player .state").first).to_have_text(
            {"en": "Turn up!", "it": "Girate le carte!"}[language]
        )
        assert page.evaluate(CUT) == []
        assert covered_anywhere(page) == []
        assert findings(page) == []
        page.close()


@pytest.mark.parametrize("width", [360, 390, 800])
def test_the_name_of_the_game_has_a_line_and_nothing_in_the_head_lies_over_it(browser, evening, width):
    for each in evening, Evening(SIX, game("san_ni_ichi"), show_totals=True):
        each.sense("camera", "simulated")
        with Server(create_app(each.service, SETTINGS), each.service, port=0) as server:
            page = browser.new_page(viewport={"width": width, "height": 640})
            page.goto(f"{server.url}?lang=it")
            expect(page.locator(".title .mock")).to_be_visible()
            assert page.evaluate(HEAD) == [[], 1]
            page.close()


@pytest.mark.parametrize("screen", ["phone", "upright", "tablet", "wall"])
def test_no_control_is_covered_in_any_stage(open_page, evening, screen):
    page = open_page(screen=screen)
    stages = [evening.arm, evening.place, evening.ready, lambda: evening.wait(1.0), lambda: evening.wait(2.0)]
    for step in stages:
        step()
        expect(page.locator("body")).to_have_attribute("data-stage", evening.service.referee.stage)
        assert covered_anywhere(page) == []
    evening.tap("referee", "end", how="agreed", why="late", winners=["Aki"])
    expect(page.locator("#outcome")).to_be_visible()
    assert covered_anywhere(page) == []


def test_a_large_screen_is_a_wall_with_letters_for_four_metres(open_page, evening):
    page = open_page(screen="wall")
    evening.begin()
    expect(page.locator("body.wall #rulings li").first).to_be_visible()
    size = page.locator("#rulings li").nth(1).evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
    assert size >= 0.04 * SCREENS["wall"][1] - 1
    seen, whole = page.evaluate(WHOLE)
    assert seen >= 3
    assert whole
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate(CUT) == []


def test_any_screen_can_be_asked_to_be_a_wall_and_a_large_one_not_to_be(open_page):
    expect(open_page("?wall").locator("body.wall")).to_have_count(1)
    expect(open_page(screen="tablet").locator("body.wall")).to_have_count(0)
    expect(open_page("?wall=no", screen="wall").locator("body.wall")).to_have_count(0)


def test_the_course_of_the_match_is_drawn_and_told(open_page, evening):
    page = open_page()
    evening.begin()
    evening.tap("referee", "award", player="Ben", points=5, why="fair play")
    chart = page.locator("#chart svg")
    expect(chart).to_have_attribute("aria-label", re.compile("^Points: Aki 0, Ben 5, Cho 0, Dai 0"))
    expect(chart.locator(".course")).to_have_count(4)
    steps = evening.service.page(None).tally.steps
    assert [step.tally for step in steps] == [(0, 0, 0, 0), (0, 5, 0, 0)]

    evening.tap("referee", "undo", moves=1, why="not fair")
    expect(chart).to_have_attribute("aria-label", re.compile("^Points: Aki 0, Ben 0, Cho 0, Dai 0"))
    assert len(evening.service.page(None).tally.steps) == 1


def test_a_warning_of_the_end_stands_among_the_rulings(open_page, evening):
    page = open_page("?lang=it")
    evening.begin()
    evening.wait(0.1)
    evening.wait(1200 - 299.0)
    expect(page.locator("#rulings li.time")).to_have_text(re.compile("Tempo Mancano (meno di )?cinque minuti."))


def test_the_voice_is_off_until_it_is_switched_on_and_then_says_only_what_is_new(open_page, evening):
    page = open_page("?lang=it")
    page.add_init_script(f"({VOICE})()")
    page.reload()
    voice = page.locator("#voice")
    expect(voice).to_have_attribute("aria-pressed", "false")
    evening.move("Aki", "arm", weapons=["katana"])
    expect(page.locator("#rulings li")).to_have_count(1)
    assert page.evaluate("window.spoken") == []

    voice.click()
    expect(voice).to_have_attribute("aria-pressed", "true")
    evening.move("Ben", "arm", weapons=["katana"])
    expect(page.locator("#rulings li")).to_have_count(2)
    told = [text for language, text in page.evaluate("window.spoken") if language == "it"]
    assert told[0] == "La voce è attiva"
    assert told[1] == page.locator("#rulings li p").first.inner_text()
    assert len(told) == 2

    page.reload()
    expect(page.locator("#rulings li")).to_have_count(2)
    expect(voice).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.spoken") == []


def test_the_voice_counts_and_says_whose_turn_it_is(open_page, evening):
    page = open_page()
    page.add_init_script(f"({VOICE})()")
    page.reload()
    page.locator("#voice").click()
    evening.arm()
    evening.place()
    evening.ready()
    for count in "3", "2", "1":
        expect(page.locator("#moment .number")).to_have_text(count)
        evening.wait(1.0)
    expect(page.locator("#moment .turn")).to_be_visible()
    for player in evening.players[:-1]:
        evening.move(player, "show", weapon="katana")
    # Not wait_for_function: what it evaluates after its first try is forbidden by the page's own security policy.
    expect(page.locator("html")).to_have_attribute("data-spoken", "It is Dai's turn.")
    told = [text for _, text in page.evaluate("window.spoken")]
    assert [text for text in told if text in ("3", "2", "1", "Turn up!")] == ["3", "2", "1", "Turn up!"]


def test_a_seats_page_leaves_speaking_to_its_own_way_of_reading_aloud(enter, evening):
    assert 'id="voice"' in enter("Aki").get("/seat/Aki").text


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_overlay_is_transparent_and_has_scores_clock_and_the_last_ruling(open_page, evening, language):
    page = open_page(f"overlay?lang={language}", screen="wall")
    evening.begin()
    evening.tap("referee", "award", player="Ben", points=5, why="fair play")
    expect(page.locator("#scores b")).to_have_text(["0", "5", "0", "0"])
    expect(page.locator("#scores small").nth(1)).to_have_text({"en": "points", "it": "punti"}[language])
    expect(page.locator("#last")).to_contain_text("TABLE-5")
    expect(page.locator("#clock span")).to_have_text(re.compile("^(19|20):"))
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert findings(page) == []


def test_the_overlay_knows_no_more_than_a_spectator_even_for_the_referee(enter):
    told = enter("referee").get("/overlay").text
    assert '"role":""' in told
    assert '"viewer":null' in told

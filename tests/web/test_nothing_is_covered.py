"""No overlay ever covers a control, on any page, in any stage of a match."""

import pytest
from playwright.sync_api import expect

from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from tests.web.chromium import log_in
from tests.web.evening import PINS, SETTINGS, Evening
from tests.web.hit_test import covered_anywhere

pytestmark = pytest.mark.browser


@pytest.fixture
def evening() -> Evening:
    return Evening(starts={"Aki": "e4", "Ben": "e6"}, end={"actions": 3})


def test_the_hit_test_finds_what_is_covered_and_what_is_only_painted_over(open_page):
    page = open_page()
    page.wait_for_selector("#sound:not([hidden])")
    assert covered_anywhere(page) == []
    page.evaluate("""() => {
      const veil = document.createElement("i");
      veil.style.cssText = "position: fixed; inset: 0; z-index: 9; background: #fff3;";
      document.body.append(veil);
    }""")
    assert any("sound" in control for control, _ in covered_anywhere(page))
    page.evaluate("document.body.lastChild.style.pointerEvents = 'none'")
    over = dict(covered_anywhere(page))
    assert any("sound" in control and "painted" in what for control, what in over.items())
    page.evaluate("document.body.lastChild.style.background = 'none'")
    assert covered_anywhere(page) == []


def arming(evening: Evening) -> None:
    pass


def placing(evening: Evening) -> None:
    evening.arm()


def counting(evening: Evening) -> None:
    evening.place()


def turning_up(evening: Evening) -> None:
    evening.count()


def calling(evening: Evening) -> None:
    for player in evening.players:
        evening.move(player, "show", weapon="katana")
    evening.tap("Ben", "call")


def unsure(evening: Evening) -> None:
    evening.ready()
    evening.count()
    card = SeenCard(None, True, guesses=("move", "leap"))
    evening.service.submit(Seen(Sight({"Aki.action1": (card,)}), evening.at))


def aiming(evening: Evening) -> None:
    evening.move("Aki", "reveal", card="attack", direction="F")
    evening.move("Ben", "reveal", card="move", direction="F")


def paused(evening: Evening) -> None:
    evening.tap("referee", "pause")


def taken_back(evening: Evening) -> None:
    evening.tap("referee", "undo", moves=2, why="a dispute")


def conceded(evening: Evening) -> None:
    evening.tap("Aki", "concede")


STAGES = (arming, placing, counting, turning_up, calling, unsure, aiming, paused, taken_back, conceded)
PAGES = {
    "referee": (SETTINGS.referee_pin, ("tablet", "upright", "phone")),
    "seat/Aki": (PINS["Aki"], ("phone", "small phone", "tablet")),
    "": ("", ("tablet", "phone")),
}


@pytest.mark.parametrize(("path", "screen"), [(path, screen) for path in PAGES for screen in PAGES[path][1]])
def test_no_control_is_covered_in_any_stage(open_page, evening, path, screen):
    page = open_page(path, screen)
    if PAGES[path][0]:
        log_in(page, PAGES[path][0])
    for stage in STAGES:
        stage(evening)
        now = evening.service.page(None)
        expect(page.locator("body")).to_have_attribute("data-stage", now.stage)
        expect(page.locator("#rulings li")).to_have_count(len(now.said))
        assert (stage.__name__, covered_anywhere(page)) == (stage.__name__, [])

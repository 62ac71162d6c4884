"""An evening of four games looked back at in a real browser, from the first moment to the last."""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from companion.history.moments import MomentShown, lines, moments
from companion.history.retelling import retold
from companion.record import kifu
from companion.referee.table_view import AnyPage
from tests.companion.history.live_table import LiveTable, alike
from tests.web.axe import findings
from tests.web.chromium import SCREENS
from tests.web.evening import SETTINGS, Evening
from web.app import create_app
from web.server import Server

KIFU = Path(__file__).parents[1] / "kifu"
EVENING = {
    "2026-11-14-200000-sen_so": "sen_so/blocks-and-shuriken",
    "2026-11-14-203000-san_ni_ichi": "san_ni_ichi/sample_match",
    "2026-11-14-210000-senjutsu": "senjutsu/instants",
    "2026-11-14-213000-sensu": "sensu/powers",
}
SHOWN = """
window.moments = {};
document.addEventListener("moment", (event) => { window.moments[event.detail.version] = event.detail; });
"""
"""Keeps what the review page has put on the screen: line -> the whole page."""
pytestmark = pytest.mark.browser


class LookedBackAt(NamedTuple):
    server: Server
    live: dict[str, dict[int, AnyPage]]
    """Match -> line -> the page that a spectator had when the match was played up to there."""
    data: Path


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LookedBackAt]:
    """Four matches played one after the other at one table, by taps."""
    data, live = tmp_path_factory.mktemp("evening"), {}
    for name, path in EVENING.items():
        transcript = (KIFU / f"{path}.kifu").read_bytes()
        header = next(kifu.read(transcript)).line
        assert isinstance(header, kifu.Header)
        played = LiveTable(data, header, began=datetime.strptime(name[:17], "%Y-%m-%d-%H%M%S"))
        assert played.play(transcript).stem == name
        live[name] = played.pages["en"]
    evening = Evening()
    with Server(create_app(evening.service, replace(SETTINGS, data=data)), evening.service, port=0) as running:
        yield LookedBackAt(running, live, data)


def opened(browser: Browser, screen: str, address: str) -> tuple[Page, list[str]]:
    width, height = SCREENS[screen]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, reduced_motion="reduce", locale="en"
    )
    page, wrong = context.new_page(), []
    page.add_init_script(SHOWN)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(address)
    return page, wrong


def last_seen(live: dict[int, AnyPage], line: int, until: MomentShown | None) -> AnyPage | None:
    """The page that a spectator had at this moment, before the next one."""
    return next((live[each] for each in sorted(live) if line <= each < (until.line if until else 10_000)), None)


def through_all_moments(browser: Browser, table: LookedBackAt, screen: str, name: str) -> None:
    """Every moment in turn, by the arrow key; what is shown is what a spectator saw, struct by struct."""
    told = retold("x.kifu", (table.data / "matches" / f"{name}.kifu").read_bytes())
    wanted = lines(told, 0, 10_000)
    page, wrong = opened(browser, screen, f"{table.server.url}/history/{name}")
    expect(page.locator("body")).to_have_attribute("data-line", str(wanted[-1]))
    page.keyboard.press("Home")
    for line in wanted:
        expect(page.locator("body")).to_have_attribute("data-line", str(line))
        assert page.locator("#rulings > li").count() == len(told.page(told.at(line)).said)
        assert page.evaluate("location.hash") == f"#{line}"
        page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).to_contain_text(f"Line {wanted[-1]}")
    shown = {int(line): each for line, each in page.evaluate("window.moments").items()}
    assert sorted(shown) == wanted
    for moment, until in pairwise([*moments(told, "en"), None]):
        assert moment is not None
        live = last_seen(table.live[name], moment.line, until)
        if live is None:  # the last to lay a card was ready with it: the same tap wrote the count
            assert getattr(until, "kind", "") == "count", f"line {moment.line}"
            continue
        then, seen = alike(shown[moment.line], live)
        if moment.line not in table.live[name]:  # a line that is no moment stands below it: the signature at the end
            del then["record"], seen["record"]
        assert then == seen, f"line {moment.line}"
    page.keyboard.press("Home")
    expect(page.locator("body")).to_have_attribute("data-line", str(wanted[0]))
    assert wrong == []
    page.context.close()


@pytest.mark.parametrize(
    ("screen", "name"), [("upright", "2026-11-14-200000-sen_so"), ("phone", "2026-11-14-213000-sensu")]
)
def test_a_match_is_looked_at_from_its_first_moment_to_its_last(
    browser: Browser, table: LookedBackAt, screen: str, name: str
) -> None:
    through_all_moments(browser, table, screen, name)


@pytest.mark.long
@pytest.mark.parametrize("screen", ["upright", "tablet", "phone"])
@pytest.mark.parametrize("name", EVENING)
def test_the_whole_evening_is_looked_at_on_every_screen(
    browser: Browser, table: LookedBackAt, screen: str, name: str
) -> None:
    through_all_moments(browser, table, screen, name)


def test_a_link_leads_to_its_moment_and_a_swipe_to_the_next(browser: Browser, table: LookedBackAt) -> None:
    name = "2026-11-14-203000-san_ni_ichi"
    told = retold("x.kifu", (table.data / "matches" / f"{name}.kifu").read_bytes())
    wanted = lines(told, 0, 10_000)
    page, wrong = opened(browser, "phone", f"{table.server.url}/history/{name}#{wanted[20]}")
    body = page.locator("body")
    expect(body).to_have_attribute("data-line", str(wanted[20]))
    swipe = """(by) => {
        const board = document.getElementById("board");
        const touch = (x) => new Touch({ identifier: 1, target: board, clientX: x, clientY: 100 });
        board.dispatchEvent(new TouchEvent("touchstart", { touches: [touch(200)], changedTouches: [touch(200)] }));
        board.dispatchEvent(new TouchEvent("touchend", { touches: [], changedTouches: [touch(200 + by)] }));
    }"""
    page.evaluate(swipe, -90)
    expect(body).to_have_attribute("data-line", str(wanted[21]))
    page.evaluate(swipe, 90)
    expect(body).to_have_attribute("data-line", str(wanted[20]))
    page.click("#all-moments summary")
    page.click(f'#moments a[href="#{wanted[5]}"]')
    expect(body).to_have_attribute("data-line", str(wanted[5]))
    assert wrong == []
    page.context.close()


@pytest.mark.parametrize("path", ["sen_so/first-match", "senjutsu/wounds-and-decks"])
def test_the_last_moment_looks_like_the_status_page(browser: Browser, path: str, tmp_path: Path) -> None:
    """The same scripts draw the same table: what stands on the board of the one stands on that of the other."""
    transcript = (KIFU / f"{path}.kifu").read_bytes()
    header = next(kifu.read(transcript)).line
    assert isinstance(header, kifu.Header)
    live = LiveTable(tmp_path, header)
    written = live.play(transcript)
    with Server(create_app(live.service, replace(SETTINGS, data=tmp_path)), live.service, port=0) as running:
        status, wrong = opened(browser, "tablet", f"{running.url}/")
        review, also_wrong = opened(browser, "tablet", f"{running.url}/history/{written.stem}")
        look = "() => [document.querySelector('#board').textContent, document.querySelectorAll('#board *').length]"
        last = lines(retold(written.name, written.read_bytes()), 0, 10_000)[-1]
        expect(review.locator("body")).to_have_attribute("data-line", str(last))
        expect(status.locator("#board > *").first).to_be_visible()
        assert review.evaluate(look) == status.evaluate(look)
        link = status.locator("#outcome a", has_text="Look back")
        expect(link).to_have_attribute("href", f"/history/{written.stem}")
        status.context.close()
        review.context.close()
    assert wrong + also_wrong == []


def test_axe_finds_nothing_on_the_pages_that_look_back(browser: Browser, table: LookedBackAt) -> None:
    for address in ("/history", "/people", "/history/2026-11-14-200000-sen_so#40"):
        page, wrong = opened(browser, "phone", f"{table.server.url}{address}")
        expect(page.locator("#matches li, #standings tbody tr, #rulings > li").first).to_be_visible()
        assert findings(page) == [], address
        assert wrong == []
        page.context.close()

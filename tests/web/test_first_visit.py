"""The first visit in a real browser, at a table that was just installed: from the language to a trial match."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.companion.upkeep.patient import gallery_of
from tests.web.axe import findings
from tests.web.chromium import SCREENS
from tests.web.served_table import ServedTable, served_table
from vision.calibration.calibrate import Calibration

pytestmark = pytest.mark.browser

PIN = "246810"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ServedTable]:
    with served_table(tmp_path) as table:
        yield table


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    width, height = SCREENS["phone"]
    context = browser.new_context(viewport={"width": width, "height": height})
    yield context.new_page()
    context.close()


def is_done(page: Page, step: str) -> None:
    expect(page.locator(f'#steps [data-step="{step}"].done')).to_be_visible()


def is_awaited(page: Page, step: str) -> None:
    expect(page.locator(f'#steps [data-step="{step}"]:not(.done)')).to_be_visible()


def test_a_new_table_is_set_up_on_a_phone_from_the_language_to_a_trial_match(table: ServedTable, page: Page) -> None:
    page.goto(f"{table.url}/")
    expect(page).to_have_url(f"{table.url}/welcome")
    page.get_by_role("link", name="Italiano").click()
    expect(page.locator("h1")).to_contain_text("Benvenuti")
    page.get_by_role("link", name="English").click()
    expect(page.locator('[data-step="camera"] .finding')).to_be_hidden()

    page.fill("#pin", "123")
    page.evaluate("document.getElementById('claim').noValidate = true")
    page.click("#claim button")
    expect(page.locator("#fault-pin")).to_contain_text("6 to 12 digits")
    page.fill("#pin", PIN)
    page.click("#claim button")
    is_done(page, "pin")

    expect(page.locator('[data-step="camera"] .finding')).to_contain_text("Choose a game first")
    page.get_by_role("button", name="Sen So").click()
    expect(page.locator('[data-step="camera"] .finding')).to_contain_text("not been measured yet")
    expect(page.locator('[data-step="cards"] .finding')).to_contain_text("are not enrolled")
    assert findings(page) == []
    page.get_by_role("link", name="Aim and measure").click()
    page.click("#measure:enabled")
    expect(page.locator("#answer")).to_contain_text("Measured.")
    assert Calibration.load(table.data / "calibration.json").width == 640
    page.goto(f"{table.url}/welcome")
    is_done(page, "camera")

    # As `shinpan enrol sen_so --images FOLDER` writes it; tests/web/test_camera_setup_pages.py enrols card by card.
    (table.data / "galleries").mkdir(exist_ok=True)
    gallery_of("sen_so").save(table.data / "galleries" / "sen_so.gallery")

    is_awaited(page, "panels")
    table.panels[0].tap(0, "ready")
    expect(page.locator("#pressed")).to_have_text(re.compile("^Pressed: seat [12]$"))
    is_awaited(page, "panels")
    table.panels[1].tap(0, "ready")
    expect(page.locator("#pressed")).to_have_text("Pressed: seat 1, 2")
    is_done(page, "panels")
    is_done(page, "timer")
    is_done(page, "cards")

    page.click("#trial")
    expect(page).to_have_url(f"{table.url}/?later")
    # The panel that was pressed last waits for a name.
    for name in ("Ben", "Aki"):
        if name == "Aki":
            table.panels[0].tap(0, "ready")
        page.fill("#sitting-name", name)
        page.click("#sitting .act")
        expect(page.locator("#round")).to_contain_text(name)
    page.click("#start")
    expect(page.locator("#tiles")).to_have_count(0)  # the page of the match has come
    playing = page.request.get(f"{table.url}/healthz").json()
    assert playing["playing"] is True
    page.goto(f"{table.url}/")
    assert not page.url.endswith("/welcome")

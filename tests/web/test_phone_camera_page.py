"""The page on which a phone becomes the camera, in a real browser whose camera is Chromium's fake one: it plays a
rendered table."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.core.events import OK
from tests.web.chromium import CHROMIUM, FLAGS, SCREENS
from tests.web.evening import SETTINGS
from tests.web.phone_table import FAKE_PHONE, PhoneTable
from vision.calibration.calibrate import Calibration
from web.pins import CAMERA
from web.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture
def evening(tmp_path: Path) -> PhoneTable:
    return PhoneTable(tmp_path, end={"actions": 3})


@pytest.fixture
def live(evening: PhoneTable) -> Iterator[PhoneTable]:
    with evening.running():
        yield evening


def filming(playwright_browser: Browser, film: Path) -> Browser:
    flags = [*FLAGS, *FAKE_PHONE, f"--use-file-for-fake-video-capture={film}"]
    return playwright_browser.browser_type.launch(executable_path=CHROMIUM, args=flags)


def phone_of(browser: Browser, screen: str = "phone") -> tuple[BrowserContext, Page]:
    width, height = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height})
    return context, context.new_page()


def log_in(page: Page) -> None:
    page.fill("#pin", SETTINGS.referee_pin)
    page.click("#login button")
    page.wait_for_selector("#begin")


def test_the_table_is_measured_through_the_referees_phone(browser, server: Server, live, tmp_path):
    chromium = filming(browser, live.film(tmp_path / "table.mjpeg"))
    try:
        context, page = phone_of(chromium)
        page.goto(f"{server.url}camera", wait_until="domcontentloaded")
        log_in(page)
        expect(page.locator("#code")).to_be_visible()
        page.click("#begin")
        expect(page.locator("#drawn .marker")).to_have_count(4)
        expect(page.locator("#verdict")).to_have_text("The whole table is in the picture: measure it.")
        expect(page.locator("#pace")).to_contain_text("ms on the way")
        assert live.feed.camera is live.phone
        assert live.phone.condition == OK

        page.click("#measure")
        expect(page.locator("#verdict")).to_have_text("The table sees through this phone.")
        assert Calibration.load(tmp_path / "calibration.json").width == live.layout.width

        page.click("#stop")
        expect(page.locator("#begin")).to_be_visible()
        for _ in range(100):  # the page does not wait for the table to look through its own camera again
            if live.feed.camera is live.camera:
                break
            page.wait_for_timeout(100)
        assert live.feed.camera is live.camera
        context.close()
    finally:
        chromium.close()


def test_a_phone_that_scanned_the_code_sends_what_lies_on_the_table(browser, app, server: Server, live, tmp_path):
    live.measured_and_taught()
    zone = live.zone("Aki.weapon")
    live.lay("katana", zone.x, zone.y, zone.turn)
    chromium = filming(browser, live.film(tmp_path / "table.mjpeg"))
    try:
        pins = app.extensions["shinpan"]["pins"]
        context, page = phone_of(chromium)
        page.goto(f"{server.url}camera/join#{pins.pin(CAMERA)}")
        page.wait_for_selector("#begin")
        assert "#" not in page.url
        page.click("#begin")
        expect(page.locator("#verdict")).to_have_text("The table sees through this phone.")
        for _ in range(100):
            if "Aki.weapon" in live.feed.readings:
                break
            page.wait_for_timeout(100)
        assert live.feed.readings["Aki.weapon"].card.card == "katana"

        second, other = phone_of(chromium)
        other.goto(f"{server.url}camera/join#{pins.pin(CAMERA)}")
        other.click("#begin")
        expect(other.locator("#answer")).to_contain_text("Another phone is the camera of this table.")
        other.click("#answer button")
        expect(page.locator("#answer")).to_contain_text("Another phone is the camera of this table.")
        expect(page.locator("#begin")).to_be_visible()
        expect(other.locator("#verdict")).to_have_text("The table sees through this phone.")
        second.close()
        context.close()
    finally:
        chromium.close()

"""The two guided pages and the referee's corrections in a real browser, before the virtual table's camera."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.core.events import trouble
from companion.core.message import message
from tests.web.camera_table import CameraTable
from tests.web.chromium import SCREENS, Open, log_in
from tests.web.evening import SETTINGS
from vision.calibration.calibrate import Calibration
from vision.enrolment.from_folder import gallery_path
from vision.recognition.gallery import Gallery

pytestmark = pytest.mark.browser


@pytest.fixture
def evening(tmp_path: Path) -> CameraTable:
    return CameraTable(tmp_path, end={"actions": 3})


@pytest.fixture
def live(evening: CameraTable) -> Iterator[CameraTable]:
    with evening.filming():
        yield evening


def enter(open_page: Open, path: str, screen: str = "tablet") -> Page:
    page = open_page(path, screen)
    page.fill("#pin", SETTINGS.referee_pin)
    page.click("#login button")
    return page


def test_the_table_is_calibrated_by_looking_at_the_page(open_page, live):
    live.cover(3)
    page = enter(open_page, "calibrate?lang=it")
    expect(page.locator("#words li")).to_have_text(
        "Il marcatore 3 (lontano a sinistra) è coperto: bastano gli altri tre, un po' meno esattamente."
    )
    expect(page.locator("#markers .unseen-marker")).to_contain_text("3")
    expect(page.locator("#stage .marker.hidden")).to_have_count(1)
    expect(page.locator("#measure")).to_be_enabled()

    live.cover()
    expect(page.locator("#stage .marker")).to_have_count(4)
    expect(page.locator("#stage .zone")).to_have_count(len(live.layout.zones))
    expect(page.locator("#stage .zone text").first).to_have_text("Arma")
    page.click("#measure")

    expect(page.locator("#answer")).to_have_text("Misurato. L'arbitro lo usa da adesso.")
    assert Calibration.load(live.data / "calibration.json").width == live.layout.width


def test_while_it_measures_the_page_says_so_and_cannot_be_tapped_again(open_page, live, monkeypatch):
    """On a small computer it takes seconds, and the button came back to life before the answer was there."""
    go_on = threading.Event()
    page = enter(open_page, "calibrate")
    expect(page.locator("#measure")).to_be_enabled()
    measure = live.service.camera_setup.measure
    monkeypatch.setattr(live.service.camera_setup, "measure", lambda **how: go_on.wait(30) and measure(**how))
    page.click("#measure")
    expect(page.locator("#answer")).to_have_text("Measuring …")
    with page.expect_response(lambda answer: answer.url.endswith("/api/aim")):
        pass
    expect(page.locator("#measure")).to_be_disabled()

    go_on.set()
    expect(page.locator("#answer")).to_contain_text("Measured.")
    expect(page.locator("#measure")).to_be_enabled()


def test_a_deck_is_enrolled_by_laying_one_card_after_the_other(open_page, live):
    live.expose()
    live.service.camera_setup.measure(clear=True)
    page = enter(open_page, "enrol")
    expect(page.locator("#wanted h2")).to_have_text("Move")
    expect(page.locator("#progress output")).to_have_text("0 of 12")
    expect(page.locator("#words")).to_contain_text("No card is to be seen")

    live.lay("move")
    expect(page.locator("#stage .found.still")).to_be_visible()
    page.click("#take")
    expect(page.locator("#progress output")).to_have_text("1 of 12")
    expect(page.locator("#wanted h2")).to_have_text("Leap")
    # The card that still lies there is known, and is not taken for the next one by itself.
    page.check("#auto")
    expect(page.locator("#words")).to_contain_text("This looks like Move")
    page.click("#skip")
    live.lay("flying_attack")
    expect(page.locator("#progress output")).to_have_text("2 of 12")

    kept = gallery_path(live.data, "sen_so")
    assert Gallery.load(kept).cards == ("move", "flying_attack")
    page.goto(page.url.split("#")[0])
    expect(page.locator("#wanted h2")).to_have_text("Leap")  # where it stopped
    page.click("#back")
    page.click("#looks figure button")
    expect(page.locator("#progress output")).to_have_text("1 of 12")
    assert Gallery.load(kept).cards == ("flying_attack",)


@pytest.mark.parametrize("path", ["calibrate", "enrol"])
def test_a_table_without_a_picture_says_why(open_page, evening, path):
    evening.camera.condition = trouble(message("The camera {name} gives no picture: is its cable out?", name="front"))

    page = enter(open_page, f"{path}?lang=it", "phone")

    expect(page.locator("#stage figcaption")).to_have_text("La telecamera front non dà immagini: il cavo è staccato?")
    assert page.evaluate("document.documentElement.scrollWidth") <= SCREENS["phone"][0]


def test_a_card_nobody_knows_is_settled_by_one_tap_and_remembered(open_page, evening):
    evening.gallery().without(["katana"]).save(gallery_path(evening.data, "sen_so"))
    evening.plug()
    evening.expose()
    evening.service.camera_setup.measure(clear=True)
    zone = evening.zone("Aki.weapon")
    evening.lay("katana", zone.x, zone.y, zone.turn)
    evening.expose(8)
    page = open_page("referee")
    log_in(page, SETTINGS.referee_pin)

    question = page.locator(".questions .question")
    expect(question.locator("img.crop")).to_be_visible()
    question.locator("input[type=checkbox]").check()
    question.locator("select").select_option("katana")

    expect(page.locator("#answer")).to_contain_text("One more look at Katana is known.")
    expect(page.locator(".questions .question")).to_have_count(0)
    assert "katana" in Gallery.load(gallery_path(evening.data, "sen_so")).cards
    page.locator("#answer button").click()
    expect(page.locator("#answer")).to_contain_text("taken out again")
    assert "katana" not in Gallery.load(gallery_path(evening.data, "sen_so")).cards


def test_a_sure_and_wrong_reading_is_set_right_and_a_ruling_shows_its_picture(open_page, evening):
    evening.plug(evening.gallery())
    evening.expose()
    evening.service.camera_setup.measure(clear=True)
    zone = evening.zone("Aki.weapon")
    evening.lay("katana", zone.x, zone.y, zone.turn)
    evening.expose(4)
    evening.arm()
    line = evening.service.referee.said[-1].line
    evening.service.evidence.keep(evening.feed.picture(), [line])
    page = open_page("referee")
    log_in(page, SETTINGS.referee_pin)

    page.locator("#rulings .picture").first.click()
    expect(page.locator("#rule.evidence img")).to_be_visible()
    page.locator("#rule > button").click()
    page.click(".camera-reads summary")
    expect(page.locator(".reading b")).to_have_text("Katana")
    page.click(".reading")
    with page.expect_response(lambda answer: answer.request.method == "POST") as settled:
        page.locator(".readings .question select").select_option("nunchaku")

    assert settled.value.ok
    assert evening.service.referee.sight.zones["Aki.weapon"][-1].card == "nunchaku"
    assert page.locator("#rulings .picture").count() == 1
    spectator = open_page()
    expect(spectator.locator("#rulings li").first).to_be_visible()
    assert spectator.locator(".picture").count() == 0


def test_sounds_are_off_until_they_are_switched_on_and_stay_so(open_page, evening):
    page = open_page()
    switch = page.locator("#sound")
    expect(switch).to_have_attribute("aria-pressed", "false")

    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    page.reload(wait_until="domcontentloaded")

    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")

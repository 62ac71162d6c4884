"""A card is moved after ready at the virtual table; the referee finds the moment on the clip, in a real browser."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.app.demo import Evening
from companion.app.match_store import begin
from companion.app.wiring import Keeping
from companion.games import game
from companion.record import kifu
from companion.record.journal import DataFolder
from companion.record.verification import verify
from tests.web.axe import findings
from tests.web.chromium import log_in
from web.app import Settings
from web.pins import SeatPin
from web.server import Server

pytestmark = pytest.mark.browser

SETTINGS = Settings(referee_pin="987654", seats=(SeatPin("111111"),) * 6, secret="for tests only")
MOVED = "A card of Aki was moved after ready: put it right and press ready again."
# How far the picture that is shown differs from the first one of the clip, in the square around a spot of the table.
DIFFERS = """async ([x, y]) => {
  const shown = document.querySelector("dialog .still");
  await shown.decode();
  const canvas = document.createElement("canvas");
  canvas.width = shown.naturalWidth;
  canvas.height = shown.naturalHeight;
  const context = canvas.getContext("2d");
  context.drawImage(shown, 0, 0);
  const spot = context.getImageData(Math.round(x * canvas.width) - 12, Math.round(y * canvas.height) - 12, 24, 24).data;
  const before = window.spotBefore || (window.spotBefore = spot);
  let most = 0;
  for (let at = 0; at < spot.length; at += 1) most = Math.max(most, Math.abs(spot[at] - before[at]));
  return most;
}"""


@contextmanager
def dispute(folder: Path) -> Iterator[Evening]:
    """A match of Sen So in which somebody pushes a locked card and puts it back."""
    with DataFolder(folder) as data:
        referee, journal = begin(data, game("sen_so"), ("Aki", "Ben"), {}, datetime(2026, 1, 1, tzinfo=UTC))
        evening = Evening(referee, 3, SETTINGS, keeping=Keeping(None, journal.path.with_suffix("")))
        try:
            while referee.phase("Aki") != "locked":
                evening.beat()
            evening._film()
            evening.clock.advance(1.0)
            evening._table.push("Aki.action1", 9.0, -4.0)
            evening._film()
            evening.clock.advance(0.5)
            evening._table.push("Aki.action1", -9.0, 4.0)
            evening._film()
            evening.clock.advance(3.0)
            evening._expose(evening._scene)
            yield evening
        finally:
            evening.close()
            journal.close()


def open_clip(browser: Browser, evening: Evening, url: str, width: int, height: int) -> Page:
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(url + "referee", wait_until="domcontentloaded")
    log_in(page, SETTINGS.referee_pin)
    page.locator("#rulings li.call .clip").click()
    expect(page.locator("dialog.dispute .still")).to_have_js_property("complete", True)
    return page


def test_a_card_that_was_moved_after_ready_is_found_on_its_clip(browser: Browser, tmp_path: Path) -> None:
    with dispute(tmp_path) as evening, Server(evening.app, evening.service, port=0) as server:
        page = open_clip(browser, evening, server.url, 1280, 800)
        dialog = page.locator("dialog.dispute")
        expect(dialog.locator(".doubted")).to_have_text(MOVED)
        expect(dialog.locator(".cited")).to_contain_text("SEN-15")
        expect(dialog.locator(".mark.press")).not_to_have_count(0)
        expect(dialog.locator(".mark.sentence.call")).to_have_count(1)
        expect(dialog.locator("[data-zone='Aki.action1'] .moved")).to_have_text("moved by 10 mm")
        assert findings(page) == []

        zone = next(each for each in evening._table.layout.zones if each.name == "Aki.action1")
        layout = evening._table.layout
        spot = [zone.x / layout.width, 1 - (zone.y + zone.height / 3) / layout.height]
        dialog.locator(".scrubber").focus()
        for _ in range(60):
            page.keyboard.press("ArrowLeft")
        expect(dialog.locator(".still")).to_have_attribute("data-frame", "0")
        seen = [page.evaluate(DIFFERS, spot)]
        frames = int(dialog.locator(".when").inner_text().rpartition(" ")[2])
        for _ in range(frames - 1):
            page.keyboard.press("ArrowRight")
            seen.append(page.evaluate(DIFFERS, spot))
        assert max(seen) > 60  # the card, or the hand that moves it, can be seen there
        assert seen[0] < 30
        page.close()


def test_the_referee_upholds_or_changes_a_ruling_and_either_is_a_line_of_the_kifu(
    browser: Browser, tmp_path: Path
) -> None:
    with dispute(tmp_path) as evening, Server(evening.app, evening.service, port=0) as server:
        page = open_clip(browser, evening, server.url, 390, 844)
        page.get_by_role("button", name="Uphold").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator("#rulings li.act").first).to_contain_text(MOVED)
        page.locator("#rulings li.call .clip").click()
        page.get_by_role("button", name="Change").click()
        page.get_by_role("button", name="Give or take: Aki").click()
        page.locator("dialog .reason", has_text="A card was touched after ready").click()
        page.locator("dialog .act-form button.act").click()
        expect(page.locator("dialog[open]")).to_have_count(0)
        page.close()

    (path,) = (tmp_path / "matches").glob("*.kifu")
    lines = [each.line for each in kifu.read(path.read_bytes())]
    acts = [line.fields for line in lines if isinstance(line, kifu.Acted)]
    assert acts == [
        {"referee": "rule", "say": f"Upheld after the clip: {MOVED}"},
        {"referee": "award", "player": "Aki", "points": -1, "why": "A card was touched after ready"},
    ]
    clips = [line for line in lines if isinstance(line, kifu.Picture) and line.of[0].endswith(".avi")]
    assert clips
    assert "exchanged" not in str(verify(path, None).told)
    clip = path.with_suffix("") / clips[-1].of[0]
    clip.write_bytes(clip.read_bytes()[:-1] + b"x")
    assert "exchanged" in str([str(each) for each in verify(path, None).told])

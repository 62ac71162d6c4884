"""Somebody sits down at the virtual table in a real browser and plays against bots until the match is over."""

import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.app.virtual_table import VirtualTable
from companion.cli.serving import new_settings
from companion.record.journal import DataFolder
from companion.record.replay import Replay
from web.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.long]
TAPS = 3000
OFFERED = (
    "#hand:not([hidden]) .asking button:enabled",
    "#bar-acts button:enabled",
    "#acts .card-choice:not([aria-pressed='true'])",
    "#acts button.big:enabled",
)


class Running:
    """A virtual table that plays as fast as it can, in a thread of its own."""

    def __init__(self, folder: DataFolder, game: str) -> None:
        self.table = VirtualTable(folder, new_settings(data=folder.path), None, 5, game)
        self.server = Server(self.table.running.app, self.table.running.service, port=0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat)

    def _beat(self) -> None:
        while not self._stop.is_set():
            self.table.beat()
            self._stop.wait(0.01)

    def __enter__(self) -> "Running":
        self.server.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.server.stop()
        self.table.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("game", ["high_card", "sen_so", "san_ni_ichi", "senjutsu", "sensu"])
def test_a_person_plays_to_the_end_in_the_browser(tmp_path: Path, phone: Page, game: str) -> None:
    chance = Random(7)
    with DataFolder(tmp_path) as folder, Running(folder, game) as running:
        phone.goto(running.server.url, wait_until="domcontentloaded")
        phone.click("#place-0")
        phone.fill("#sitting-name", "Zoe")
        phone.keyboard.press("Enter")
        expect(phone.locator("#place-0")).to_have_class("place taken mine")
        if game == "sen_so":
            phone.click("#preset-1")
        phone.click("#start")
        phone.wait_for_url("**/seat/Zoe")
        match = running.table.running.service.referee.match
        for _ in range(TAPS):
            if match.over:
                break
            for wanted in OFFERED:
                found = phone.locator(wanted)
                count = found.count()
                if count:
                    try:
                        found.nth(chance.randrange(count)).click(timeout=700)
                    except Exception:  # it went while the finger was on its way
                        continue
                    break
            phone.wait_for_timeout(30)
        assert match.over
        expect(phone.locator("#outcome")).to_be_visible()
        (path,) = folder.matches.glob("*.kifu")
    assert Replay.of(path).finish().over

"""Somebody sits down at the virtual table in a real browser and plays against bots until the match is over.

`SHOTS=folder` keeps pictures.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.app.virtual_table import VirtualTable
from companion.cli.serving import new_settings
from companion.record.journal import DataFolder
from companion.record.replay import Replay
from tests.web.chromium import SCREENS
from tests.web.finger import OFFERED, Finger
from tests.web.hit_test import covered_anywhere
from web.server import Server

pytestmark = pytest.mark.browser
LONGEST = 6000
"""Rounds of looking, tapping and moving after which a match that goes nowhere is given up."""


class Guest:
    """Somebody with a phone at a virtual table that plays as fast as it can."""

    def __init__(self, folder: DataFolder, browser: Browser, game: str, language: str, screen: str) -> None:
        self.table = VirtualTable(folder, new_settings(data=folder.path), None, 5, game)
        self.service = self.table.running.service
        self.server = Server(self.table.running.app, self.service, port=0)
        self.server.start()
        width, height = SCREENS[screen]
        self._context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        self.phone = self._context.new_page()
        self.troubles: list[str] = []
        self.phone.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.phone.goto(f"{self.server.url}?lang={language}", wait_until="domcontentloaded")

    def close(self) -> None:
        self._context.close()
        self.server.stop()
        self.table.close()

    def sit(self, place: int, name: str) -> None:
        self.phone.click(f"#place-{place}")
        self.phone.check("#sitting-own")
        self.phone.fill("#sitting-name", name)
        self.phone.keyboard.press("Enter")
        expect(self.phone.locator(f"#place-{place}")).to_have_class("place taken mine")

    def play(self, finger: Finger, name: str) -> int:
        """Until the match is over; how often this seat was asked something."""
        match, asked, last = self.service.referee.match, 0, 0
        for _ in range(LONGEST):
            self.table.beat()
            if match.over:
                break
            page = self.service.page(name)
            hand, waits = page.hand, bool(page.awaits)
            if hand is None or (hand.question is None and not waits):
                continue
            asked += hand.question is not None and hand.question.number != last
            last = hand.question.number if hand.question is not None else last
            if not finger.tap():
                self.phone.wait_for_timeout(20)
        last_page = self.service.page(name)
        assert match.over, (match.awaits, last_page.hand, self.phone.evaluate(OFFERED), self.troubles)
        return asked

    def looked_at(self, name: str) -> None:
        if shots := os.environ.get("SHOTS"):
            Path(shots).mkdir(parents=True, exist_ok=True)
            self.phone.screenshot(path=Path(shots) / f"sitting-{name}.png")
        assert covered_anywhere(self.phone) == [], name


@pytest.fixture
def guest(tmp_path: Path, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Guest]:
    with DataFolder(tmp_path) as folder:
        guest = Guest(folder, browser, *request.param)
        try:
            yield guest
        finally:
            guest.close()
        (path,) = folder.matches.glob("*.kifu")
        assert Replay.of(path).finish().over
        assert guest.troubles == []


def plays(guest: Guest, game: str) -> None:
    guest.sit(0, "Zoe")
    if game == "sen_so":
        guest.phone.click("#preset-1")
    expect(guest.phone.locator("#start")).to_be_enabled()
    guest.phone.click("#start")
    guest.phone.wait_for_url("**/seat/Zoe")
    finger = Finger(guest.phone, 7)

    assert guest.play(finger, "Zoe") > 0
    assert finger.taps > 0
    expect(guest.phone.locator("#outcome")).to_be_visible()
    guest.looked_at(game)


@pytest.mark.parametrize("guest", [("high_card", "en", "phone")], indirect=True)
def test_somebody_sits_down_in_the_browser_and_plays_to_the_end(guest: Guest) -> None:
    plays(guest, "high_card")


@pytest.mark.long
@pytest.mark.parametrize(
    ("guest", "game"),
    [
        ((name, language, screen), name)
        for name in ("sen_so", "san_ni_ichi", "senjutsu", "sensu")
        for language, screen in (("en", "phone"), ("it", "small phone"))
    ],
    indirect=["guest"],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_a_person_plays_each_game_to_its_end_against_bots(guest: Guest, game: str) -> None:
    plays(guest, game)

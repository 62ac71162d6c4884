"""A whole evening in real browsers: lobby, four phones, rematch, other games with six, two and one, in two languages.

`make test-evening` plays it as a whole, every day a shorter one is played. `SHOTS=folder` keeps pictures of it.
"""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.app.table import Table
from companion.app.wiring import Devices, Eyes
from companion.cli.serving import kept_settings
from companion.core.events import Tap
from companion.record.journal import DataFolder
from companion.record.replay import Replay
from companion.upkeep.config import TableConfig
from tests.web.axe import findings
from tests.web.chromium import SCREENS
from tests.web.finger import Finger
from tests.web.hit_test import covered_anywhere
from web.server import Server

pytestmark = pytest.mark.browser
PEOPLE = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fumi")
ROUNDS = 6000
"""So many times at most everybody looks at the own phone until a match is over."""
TAPS = 60
"""So many attempts at most until the first moves of a match are made."""


class WholeEvening:
    def __init__(self, folder: DataFolder, browser: Browser, language: str) -> None:
        settings, _ = kept_settings(folder.path, TableConfig())
        self.table = Table(folder, time.monotonic, settings, Devices(), lambda match: Eyes())
        self.service = self.table.running.service
        self.server = Server(self.table.running.app, self.service, port=0)
        self.table.running.senses.start()
        self.server.start()
        self.language = language
        self.troubles: list[str] = []
        self._browser = browser
        self._contexts: list[BrowserContext] = []
        self.tablet = self.open("tablet")
        self.wall = self.open("wall")
        self.upright = self.open("upright")
        self.phones: dict[str, Page] = {}

    def open(self, screen: str) -> Page:
        width, height = SCREENS[screen]
        # axe looks at colours, which an animation changes for a moment.
        context = self._browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.goto(f"{self.server.url}?lang={self.language}", wait_until="domcontentloaded")
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()
        self.server.stop()
        self.table.running.senses.stop()
        self.table.close()

    def sit_with_phone(self, place: int) -> None:
        phone = self.phones[PEOPLE[place]] = self.open("phone" if place % 2 else "small phone")
        assert _lines(phone, "h1") == 1
        phone.click(f"#place-{place}")
        phone.check("#sitting-own")
        phone.fill("#sitting-name", PEOPLE[place])
        phone.keyboard.press("Enter")
        expect(phone.locator(f"#place-{place}")).to_have_class("place taken mine")

    def sit_at_tablet(self, place: int) -> None:
        self.tablet.click(f"#place-{place}")
        self.tablet.fill("#sitting-name", PEOPLE[place])
        self.tablet.keyboard.press("Enter")
        expect(self.tablet.locator(f"#place-{place}")).to_have_class("place taken")

    def stand(self, place: int) -> None:
        self.tablet.click(f"#place-{place}")
        self.tablet.locator("#sitting .deeds button").first.click()
        expect(self.tablet.locator(f"#place-{place}")).to_have_class("place free")

    def start(self, game: str, preset: int | None = None) -> None:
        self.tablet.click(f"#tile-{game}")
        expect(self.tablet.locator(f"#tile-{game}")).to_have_attribute("aria-pressed", "true")
        if preset is not None:
            self.tablet.click(f"#preset-{preset}")
        self.looked_at(self.tablet, f"lobby-{game}")
        expect(self.tablet.locator("#start")).to_be_enabled()
        self.tablet.click("#start")
        self.tablet.wait_for_selector("#board")

    def play(self, moves: int) -> None:
        """Everybody with a phone taps what it offers, until so many moves have been made."""
        for _ in range(TAPS):
            if self.service.referee.match.moves >= moves or self.service.referee.match.over:
                return
            for name in self.service.referee.match.players:
                if name in self.phones:
                    _tap(self.phones[name])
        assert self.service.referee.match.moves >= moves

    def play_to_the_end(self) -> None:
        """Everybody who is awaited taps whatever their own phone offers, until the rules end the match."""
        match = self.service.referee.match
        fingers = {name: Finger(self.phones[name], seed) for seed, name in enumerate(match.players)}
        for _ in range(ROUNDS):
            if match.over:
                break
            tapped = [fingers[name].tap() for name in match.players if name in match.awaits]
            if not any(tapped):
                self.tablet.wait_for_timeout(50)
        assert match.over
        assert match.ended_by_hand is None
        expect(self.tablet.locator("#outcome")).to_be_visible()

    def end(self, game: str) -> None:
        for name in self.service.referee.match.players:
            if name in self.phones:
                self.looked_at(self.phones[name], f"{game}-{name}")
                break
        self.looked_at(self.wall, f"{game}-wall")
        self.looked_at(self.upright, f"{game}-upright")
        over = {"how": "agreed", "why": "It is late."}
        assert self.service.submit(Tap("referee", "end", over, self.service.now())).refusal is None
        expect(self.tablet.locator("#outcome")).to_be_visible()
        self.looked_at(self.tablet, f"{game}-result")

    def next(self, step: int) -> None:
        """The first step is a rematch, the last one another game."""
        before = self.service.page(None).match
        self.tablet.locator("#outcome .next .act").nth(step).click()
        for _ in range(200):
            if self.service.page(None).match != before:
                return
            self.tablet.wait_for_timeout(50)
        raise AssertionError("the table stayed where it was")

    def read_the_rules(self, title: str) -> None:
        """From the lobby, of any game, and back again."""
        page = self.wall
        page.click("#to-rules")
        page.get_by_role("link", name=title, exact=True).click()
        expect(page.locator(".games [aria-current]")).to_have_text(title)
        expect(page.locator(".rule-list dt").nth(5)).to_be_visible()
        self.looked_at(page, "rules")
        page.click(".mark")
        page.wait_for_selector("#tiles")

    def looked_at(self, page: Page, name: str) -> None:
        if shots := os.environ.get("SHOTS"):
            Path(shots).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(shots) / f"{self.language}-{name}.png")
        assert covered_anywhere(page) == [], name
        assert findings(page) == [], name


def _lines(page: Page, wanted: str) -> int:
    """Over how many lines the words of an element run."""
    words = "const words = document.createRange(); words.selectNodeContents(element)"
    return int(page.locator(wanted).evaluate(f"element => {{ {words}; return words.getClientRects().length; }}"))


def _tap(phone: Page) -> None:
    """One thing that this phone offers: the last step in its bar, or else a card or a button to choose."""
    for wanted in ("#bar-acts button:enabled:not(.ready)", "#acts .card-choice", "#acts button.big:enabled", ".ready"):
        found = phone.locator(wanted)
        if found.count() and found.first.is_visible():
            try:
                found.nth(0).click(timeout=1500)
            except Exception:  # it went while the finger was on its way
                return
            phone.wait_for_timeout(60)


@pytest.fixture
def evening(tmp_path: Path, browser: Browser, request: pytest.FixtureRequest) -> Iterator[WholeEvening]:
    with DataFolder(tmp_path) as folder:
        evening = WholeEvening(folder, browser, request.param)
        try:
            yield evening
        finally:
            evening.close()
        for path in folder.matches.glob("*.kifu"):
            assert Replay.of(path).finish().over
        assert evening.troubles == []


@pytest.mark.parametrize("evening", ["it"], indirect=True)
def test_two_people_play_a_match_a_rematch_and_another_game(evening: WholeEvening) -> None:
    for place in range(2):
        evening.sit_with_phone(place)
    evening.start("sen_so", preset=1)
    evening.play(2)
    evening.end("sen_so")
    evening.next(0)
    evening.play(1)
    over = {"how": "agreed", "why": "It is late."}
    assert evening.service.submit(Tap("referee", "end", over, evening.service.now())).refusal is None
    evening.next(2)
    evening.tablet.wait_for_selector("#tiles")
    evening.stand(1)
    evening.tablet.click("#tile-sensu")
    expect(evening.tablet.locator("#start")).to_be_enabled()
    evening.tablet.click("#start")
    evening.tablet.wait_for_selector("#board")
    assert evening.service.submit(Tap("referee", "end", over, evening.service.now())).refusal is None


@pytest.mark.long
@pytest.mark.parametrize("evening", ["en", "it"], indirect=True)
def test_four_people_play_a_whole_evening_without_a_keyboard(evening: WholeEvening) -> None:
    for place in range(4):
        evening.sit_with_phone(place)
    evening.read_the_rules("Sensu")
    evening.start("sen_so", preset=1)
    for name, phone in evening.phones.items():
        phone.wait_for_url(f"**/seat/{name}")
    evening.play(4)
    evening.end("sen_so")
    evening.next(0)
    evening.play(4)
    evening.end("rematch")
    evening.next(2)

    evening.tablet.wait_for_selector("#tiles")
    evening.sit_at_tablet(4)
    evening.sit_at_tablet(5)
    evening.start("san_ni_ichi")
    evening.play(4)
    evening.end("san_ni_ichi")
    evening.next(2)

    evening.tablet.wait_for_selector("#tiles")
    for place in (5, 4, 3, 2):
        evening.stand(place)
    evening.start("senjutsu")
    evening.play(2)
    evening.end("senjutsu")
    evening.next(2)

    evening.tablet.wait_for_selector("#tiles")
    evening.start("sensu")
    evening.play(2)
    evening.end("sensu")
    evening.next(2)

    evening.tablet.wait_for_selector("#tiles")
    evening.stand(1)
    evening.start("sensu")
    evening.play(1)
    evening.end("solo")


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "people", "preset"),
    [("sen_so", 4, 1), ("san_ni_ichi", 6, None), ("senjutsu", 2, None), ("sensu", 1, None)],
)
@pytest.mark.parametrize("evening", ["en", "it"], indirect=True)
def test_each_game_is_played_to_its_end_by_taps(
    evening: WholeEvening, game: str, people: int, preset: int | None
) -> None:
    """Two-player Sensu, in which somebody has to know what to lay, is in `test_seat_on_a_phone.py`."""
    for place in range(people):
        evening.sit_with_phone(place)
    evening.start(game, preset)
    for name, phone in evening.phones.items():
        phone.wait_for_url(f"**/seat/{name}")
    evening.play_to_the_end()
    evening.looked_at(evening.tablet, f"{game}-played-out")
    evening.looked_at(evening.phones["Aki"], f"{game}-played-out-phone")

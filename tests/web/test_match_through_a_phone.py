"""Whole matches whose camera is a phone's page: the table is drawn, held before the page's camera, and comes back as
the JPEGs that the page sends. The table is measured through the page, too.

Chromium's fake camera plays a file and cannot answer the referee, so here the page's camera is a canvas on which the
test draws what lies on the table. From the canvas on everything is real: the media stream, the page's own picture
taking, its JPEGs, HTTP, the phone camera, the watcher. Only pixels pass."""

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.app.demo import DemoClock, Sitting, Studio, VirtualDevices, differences
from companion.app.match_store import begin
from companion.app.wiring import Devices, Eyes, Keeping, put_together
from companion.cli.serving import new_settings
from companion.games import game
from companion.record.journal import DataFolder
from companion.virtual import dealt
from tests.web.chromium import SCREENS
from tests.web.phone_table import CanvasPhone
from vision.camera.phone import PhoneCamera
from vision.pictures import Image
from vision.recognition.gallery import Gallery
from vision.simulation.scene import Scene
from web.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.long]

PLAYERS = {"sen_so": 2, "san_ni_ichi": 3, "sensu": 2, "senjutsu": 2}
NEW_PICTURES = 2
"""The first may have been taken before the table changed."""


class HeldBefore:
    """What stands in for the drawn camera: whatever it is shown is held before the phone until that has sent it."""

    def __init__(self) -> None:
        self.phone = PhoneCamera()
        self.lens: CanvasPhone | None = None
        self.pictures = 0

    def show(self, frame: Image) -> None:
        assert self.lens is not None
        self.lens.hold(frame)
        wanted = self.pictures_arrived() + NEW_PICTURES
        for _ in range(2000):
            if self.pictures_arrived() >= wanted:
                return
            self.lens.page.wait_for_timeout(10)
        raise AssertionError("the phone sends no pictures")

    def pictures_arrived(self) -> int:
        return self.pictures

    def counting(self) -> None:
        give = self.phone.give

        def counted(phone: str, picture: bytes, late: float) -> None:
            give(phone, picture, late)
            self.pictures += 1

        self.phone.give = counted  # type: ignore[method-assign]


class PhoneDevices(VirtualDevices):
    def __init__(self, places: int, clock: DemoClock) -> None:
        super().__init__(places, clock)
        self.held = HeldBefore()
        self.held.counting()
        self.camera = self.held  # type: ignore[assignment]

    @property
    def plugged(self) -> Devices:
        return Devices(self.held.phone, self.held.phone, self.panels)


@pytest.fixture
def phone_page(browser: Browser) -> Iterator[CanvasPhone]:
    width, height = SCREENS["phone"]
    context = browser.new_context(viewport={"width": width, "height": height})
    yield CanvasPhone(context, PhoneCamera())
    context.close()


def become_camera(lens: CanvasPhone, server: Server, pin: str, empty: Image) -> None:
    page: Page = lens.page
    page.goto(f"{server.url}camera", wait_until="domcontentloaded")
    page.fill("#pin", pin)
    page.click("#login button")
    page.wait_for_selector("#begin")
    lens.hold(empty)
    page.click("#begin")


@pytest.mark.parametrize("name", PLAYERS)
def test_a_whole_match_is_refereed_through_a_phone(name: str, phone_page: CanvasPhone, tmp_path: Path) -> None:
    people, seed = ("Aki", "Ben", "Cho")[: PLAYERS[name]], 7
    settings = new_settings(people, data=tmp_path)
    began = time.perf_counter()
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, game(name), people, dealt(name, people, {}, Random(seed)), datetime.now())
        clock, studio = DemoClock(None), Studio(referee.match, seed)
        devices = PhoneDevices(len(people), clock)
        devices.held.lens = phone_page
        running = put_together(referee, lambda: clock.now, settings, devices.plugged)
        deck = referee.match.game.table.deck(referee.match.state)
        gallery = Gallery.from_faces(name, {card: each.face for card, each in deck.cards.items()}, deck.back)
        running.play(referee, Keeping(tmp_path), Eyes(gallery=gallery))
        with Server(running.app, running.service, port=0) as server:
            become_camera(phone_page, server, settings.referee_pin, studio.frame(Scene()))
            while not phone_page.page.locator("#measure").is_visible():
                devices.held.show(studio.frame(Scene()))
                running.senses.look()
            phone_page.page.click("#measure")
            expect(phone_page.page.locator("#verdict")).to_have_text("The table sees through this phone.")
            assert running.feed.watcher is not None

            evening = Sitting(running, devices, studio, seed, (15.0, 45.0))
            while not evening.over:
                evening.beat()
            state = running.service.phone_camera.state()
            found = differences(evening, journal.path)  # type: ignore[arg-type]
        running.senses.stop()
        devices.close()
        journal.close()
    print(
        f"{name}: {referee.match.moves} moves, {evening.feed.frames} pictures read of {devices.held.pictures}, "
        f"{state.size[0]} x {state.size[1]}, {state.rate:.1f} a second, {1000 * state.late:.0f} ms on the way, "
        f"{evening.corrections} corrections, {len(found)} differences, {time.perf_counter() - began:.0f} s"
    )
    assert [str(each) for each in found] == []

"""`make pictures`: the pages as the README shows them, photographed at the virtual table in a real browser."""

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import cv2
import msgspec
import numpy as np
from playwright.sync_api import Browser, sync_playwright

from tests.companion.app.evenings import arranged
from tests.web.chromium import CHROMIUM, FLAGS, SCREENS
from web.app import Settings, create_app
from web.pins import SeatPin
from web.server import Server

FOLDER = Path(__file__).parents[1] / "docs/pictures"
QUALITY = 82
SETTINGS = Settings(
    referee_pin="987654", seats=(SeatPin("111111"),) * 6, secret="only for pictures", camera_for="everyone"
)


class Picture(msgspec.Struct, frozen=True):
    game: str
    players: int
    moves: int
    """So far into the match."""
    path: str = ""
    screen: str = "tablet"
    pin: str = ""


PICTURES = {
    "status": Picture("sen_so", 4, 60),
    "seat": Picture("sen_so", 2, 0, "seat/Aki", "phone", "111111"),
    "referee": Picture("senjutsu", 2, 24, "referee", "tablet", "987654"),
    "wall": Picture("san_ni_ichi", 6, 40, screen="wall"),
    "sensu": Picture("sensu", 2, 40),
}


def take(folder: Path, names: Iterable[str] = PICTURES) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        for name in names:
            _photograph(browser, PICTURES[name], folder / f"{name}.webp")
        browser.close()


def _photograph(browser: Browser, picture: Picture, file: Path) -> None:
    with tempfile.TemporaryDirectory() as data, arranged(Path(data), picture.game, picture.players, 3, {}) as evening:
        while evening.service.referee.match.moves < picture.moves and not evening.over:
            evening.beat()
        app = create_app(evening.service, SETTINGS)
        with Server(app, evening.service, port=0) as server:
            width, height = SCREENS[picture.screen]
            page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
            page.goto(server.url + picture.path)
            if picture.pin:
                page.fill("#pin", picture.pin)
                page.click("#login button")
            page.wait_for_selector("#board svg")
            if page.locator("#camera").count():
                page.wait_for_selector("#camera img[src]")
            photograph = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
            assert photograph is not None
            cv2.imwrite(str(file), photograph, [cv2.IMWRITE_WEBP_QUALITY, QUALITY])
            page.close()


if __name__ == "__main__":
    take(FOLDER, sys.argv[1:] or PICTURES)

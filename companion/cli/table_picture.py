"""A moment of a match as a picture: the review page, drawn by the scripts that draw the live one.

There is no second way to draw a table that could say something else, so a browser is needed: Chromium, which the
table's own screen uses too.
"""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from companion.core.message import message
from companion.core.rulings import ShinpanError
from companion.history.retelling import Retelling
from companion.history.wishes import HistoryWishes, keep
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import Service
from web.app import Settings, create_app
from web.server import Server

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NAME = "match"
PATIENCE = 60
"""Seconds that the browser may take."""
DRAWN = 6000
"""Milliseconds of the page's own time until it is drawn."""
FLAGS = (
    "--headless",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
)


class NotDrawn(ShinpanError):
    """The picture could not be made."""


def draw(
    told: Retelling, kifu: bytes, wanted: HistoryWishes, line: int, png: Path, language: str, size: tuple[int, int]
) -> None:
    """Write the page of that line to a PNG file."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise NotDrawn(message("A picture needs a browser: install chromium (sudo apt install chromium)."))
    service = Service(Referee(RecordedMatch(told.match, lambda fields: 0)), time.monotonic)
    with tempfile.TemporaryDirectory(prefix="shinpan-") as folder:
        data = Path(folder)
        (data / "matches").mkdir()
        (data / "matches" / f"{NAME}.kifu").write_bytes(kifu)
        keep(data, wanted)
        app = create_app(service, Settings(referee_pin="", secret=os.urandom(16).hex(), data=data))
        with Server(app, service, port=0) as server:
            _photograph(browser, f"{server.url}/history/{NAME}?lang={language}#{line}", data, size)
        shot = data / "shot.png"
        if not shot.is_file():
            raise NotDrawn(message("The browser has made no picture."))
        shutil.copyfile(shot, png)


def _photograph(browser: str, address: str, folder: Path, size: tuple[int, int]) -> None:
    rooted = ("--no-sandbox",) if os.geteuid() == 0 else ()
    own = (f"--user-data-dir={folder / 'profile'}", f"--window-size={size[0]},{size[1]}")
    shot = (f"--virtual-time-budget={DRAWN}", f"--screenshot={folder / 'shot.png'}")
    try:
        subprocess.run(
            [browser, *FLAGS, *rooted, *own, *shot, address], capture_output=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        raise NotDrawn(message("The browser has made no picture.")) from None

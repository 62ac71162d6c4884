"""A real browser for the page tests, and the screens it is looked at on."""

import shutil
from collections.abc import Callable

from playwright.sync_api import Page

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
SCREENS = {
    "tablet": (1280, 800),
    "upright": (800, 1280),
    "phone": (390, 844),
    "small phone": (360, 640),
    "wall": (1920, 1080),
}
Open = Callable[..., Page]


def log_in(page: Page, pin: str) -> None:
    page.fill("#pin", pin)
    page.click("#login button")
    page.wait_for_selector("#acts button:visible, #own-name span")

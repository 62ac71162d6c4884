"""Fixtures for the web tests: an evening, and browsers that are at its table in different roles."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.web.chromium import CHROMIUM, FLAGS, SCREENS, Open
from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app
from web.server import Server

# A page that is late on a busy machine is not a page that is wrong.
expect.set_options(timeout=30_000)

ORIGIN = {"Origin": "http://localhost"}
Enter = Callable[[str], FlaskClient]


@pytest.fixture
def evening() -> Evening:
    return Evening()


@pytest.fixture
def app(evening: Evening) -> Flask:
    return create_app(evening.service, SETTINGS, now=lambda: evening.at)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A spectator."""
    return app.test_client()


@pytest.fixture
def enter(app: Flask) -> Enter:
    """A new browser, logged in as a player or the referee."""

    def enter(role: str) -> FlaskClient:
        browser = app.test_client()
        pin = PINS.get(role, SETTINGS.referee_pin)
        assert browser.post("/api/login", json={"role": role, "pin": pin}, headers=ORIGIN).status_code == 200
        return browser

    return enter


@pytest.fixture
def enter_at() -> Callable[[Evening, str], FlaskClient]:
    """A new browser at another evening's table, logged in as the referee or a player."""

    def enter_at(evening: Evening, role: str) -> FlaskClient:
        browser = create_app(evening.service, SETTINGS, now=lambda: evening.at).test_client()
        pin = PINS.get(role, SETTINGS.referee_pin)
        assert browser.post("/api/login", json={"role": role, "pin": pin}, headers=ORIGIN).status_code == 200
        return browser

    return enter_at


@pytest.fixture
def tap() -> Callable[..., Any]:
    def tap(browser: FlaskClient, what: str, query: str = "", **data: Any) -> Any:
        return browser.post(f"/api/tap{query}", json={"what": what, "data": data}, headers=ORIGIN)

    return tap


@pytest.fixture
def server(app: Flask, evening: Evening) -> Iterator[Server]:
    with Server(app, evening.service, port=0) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS])
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[Open]:
    """A page on a screen of its own; at the end its console must have been silent."""
    troubles: list[str] = []
    contexts = []

    def open_page(path: str = "", screen: str = "tablet", **more: Any) -> Page:
        width, height = SCREENS[screen]
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if said.type in ("error", "warning") else None)
        page.goto(server.url + path, wait_until="domcontentloaded")
        return page

    yield open_page
    for context in contexts:
        context.close()
    # A page that asks for a PIN, or a refusal, says so with its status, and the browser remarks on that.
    assert [trouble for trouble in troubles if not any(code in trouble for code in ("400", "401", "409"))] == []

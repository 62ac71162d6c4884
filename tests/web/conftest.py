"""Fixtures for the web tests: an evening, and browsers that are at its table in different roles."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app

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
def tap() -> Callable[..., Any]:
    def tap(browser: FlaskClient, what: str, query: str = "", **data: Any) -> Any:
        return browser.post(f"/api/tap{query}", json={"what": what, "data": data}, headers=ORIGIN)

    return tap


@pytest.fixture
def server(app: Flask, evening: Evening) -> Iterator[Any]:
    from web.server import Server

    with Server(app, evening.service, port=0) as running:
        yield running

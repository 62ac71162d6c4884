"""Routes and roles: the table in the docs has every address, and every address keeps to it."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app

TABLE = Path(__file__).parents[2] / "docs" / "routes.md"
ORIGIN = {"Origin": "http://localhost"}
ROLES = ("anyone", "seat", "referee", "screen")
KEY = "0123456789abcdef"
BODIES: dict[str, dict[str, Any]] = {
    "/api/tap": {"what": "ready"},
    "/api/settings": {"values": {}},
    "/api/backup/stick": {"answer": "now"},
    "/api/welcome/claim": {"pin": "135791"},
    "/api/welcome/done": {"step": "camera"},
    "/api/login": {"role": "referee", "pin": "000000"},
    "/api/lobby": {"what": "start"},
    "/api/lobby/sit": {"place": 3, "name": "Emi"},
    "/api/table/next": {"to": "lobby"},
    "/api/seat/renew": {"place": 5},
    "/api/hand": {"player": "Aki", "number": 1, "chosen": [0]},
    "/api/cards/<name>": {"values": {}},
    "/api/measure": {"clear": True},
    "/api/deck/take": {"card": "katana", "look": 1},
    "/api/deck/drop": {"card": "katana", "place": 0, "revision": 0},
    "/api/deck/anew": {"revision": 0},
    "/api/phone/begin": {"phone": "1"},
    "/api/phone/leave": {"phone": "1"},
    "/api/remember": {"zone": "Aki.weapon", "card": "katana"},
}
"""What is sent where a route wants something; the others are content with nothing."""
VALUES = {
    "player": "Aki",
    "number": "1",
    "name": "sen_so",
    "place": "0",
    "look": "1",
    "card": "katana",
    "zone": "Aki.x",
}
ASKED = {"/api/options": "?player=Aki", "/api/advice": "?player=Aki", "/api/undo": "?moves=1"}


def table() -> dict[str, dict[str, str]]:
    """`GET /cards/<name>` -> role -> what the docs say."""
    rows = re.findall(r"^\| ((?:GET|POST) [^|]*?) \|(.*)\|$", TABLE.read_text(), re.MULTILINE)
    return {
        re.sub(r"`(\w+)`", r"<\1>", address): dict(zip(ROLES, (cell.strip() for cell in cells.split("|")), strict=True))
        for address, cells in rows
    }


def plain(rule: Rule) -> str:
    """`/sit/<int:number>` -> `/sit/<number>`."""
    return re.sub(r"<(?:\w+:)?(\w+)>", r"<\1>", rule.rule)


def addresses() -> dict[str, Rule]:
    app = create_app(Evening().service, SETTINGS)
    return {
        f"{method} {plain(rule)}": rule
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def browser(role: str, lobby_for: Any) -> FlaskClient:
    """A browser at a match of its own, so that what one role does changes nothing for the next."""
    seats = (*SETTINGS.seats, *SETTINGS.seats[:2])
    settings = msgspec.structs.replace(SETTINGS, screen=KEY, lobby_for=lobby_for, seats=seats)
    client = create_app(Evening().service, settings).test_client()
    logins = {"seat": ("Aki", PINS["Aki"]), "referee": ("referee", SETTINGS.referee_pin), "screen": ("screen", KEY)}
    if role in logins:
        name, pin = logins[role]
        assert client.post("/api/login", json={"role": name, "pin": pin}, headers=ORIGIN).status_code == 200
    return client


def test_the_table_has_every_address_and_no_other() -> None:
    assert sorted(table()) == sorted(addresses())


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("lobby_for", ["everyone", "players", "referee"])
def test_every_address_keeps_to_the_table(role: str, lobby_for: str) -> None:
    wrong = []
    client = browser(role, lobby_for)
    for address, roles in table().items():
        method, _, path = address.partition(" ")
        filled = re.sub(r"<(\w+)>", lambda found: VALUES[found[1]], path) + ASKED.get(path, "")
        with_body = {"json": BODIES.get(path, {})} if method == "POST" else {}
        asking = browser(role, lobby_for) if path == "/api/logout" else client
        answer = asking.open(filled, method=method, headers=ORIGIN, **with_body)
        may = answer.status_code not in (401, 403)
        if path == "/api/login":
            may = answer.status_code != 401  # 403 is what a wrong PIN gets
        open_to = {"everyone": ROLES, "players": ROLES[1:], "referee": ROLES[2:]}[lobby_for]
        told = roles[role] == "✓" or (roles[role] == "lobby" and role in open_to)
        if may != told:
            wrong.append(f"{address}: {answer.status_code} {answer.get_data(as_text=True)[:80]}")
    assert wrong == []

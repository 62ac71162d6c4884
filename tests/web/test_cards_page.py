"""The set-up page: the owner of the real cards puts right what is printed on them, and only the referee may."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from playwright.sync_api import expect

from companion.games.san_ni_ichi import GAME
from companion.record import corrections
from tests.web.chromium import SCREENS
from tests.web.conftest import ORIGIN
from tests.web.evening import SETTINGS, Evening
from web.app import create_app


@pytest.fixture
def evening() -> Evening:
    return Evening(("Aki", "Ben", "Cho"), GAME, deck=[7, 0])


@pytest.fixture
def app(evening: Evening, tmp_path: Path) -> Flask:
    return create_app(evening.service, msgspec.structs.replace(SETTINGS, data=tmp_path), now=lambda: evening.at)


def save(browser: Any, **values: Any) -> Any:
    return browser.post("/api/cards/san_ni_ichi", json={"values": values}, headers=ORIGIN)


def test_only_the_referee_sees_the_page_and_saves(client, enter, tmp_path):
    assert client.get("/cards").status_code == 401
    assert enter("Aki").get("/cards").status_code == 401
    assert save(enter("Aki"), weapon_4={"strength": 7}).status_code == 403
    assert not corrections.path_of(tmp_path, GAME).exists()

    assert enter("referee").get("/cards").status_code == 200


def test_what_is_saved_is_in_the_data_folder_and_on_the_page(enter, tmp_path):
    referee = enter("referee")

    answer = save(referee, weapon_4={"strength": 7, "letter": "c", "damage": [1, 2, 3, 4]}, weapon_5={"strength": 11})

    assert answer.status_code == 200
    kept = {"weapon_4": {"strength": 7, "letter": "C", "damage": (1, 2, 3, 4)}}
    assert corrections.load(tmp_path, GAME) == kept
    row = next(row for row in answer.json["rows"] if row["key"] == "weapon_4")
    assert [(cell["field"], cell["own"], cell["value"], cell["origin"]) for cell in row["cells"][:2]] == [
        ("kind", "sai", "sai", "house"),
        ("strength", 13, 7, "house"),
    ]


def test_what_no_card_can_have_is_refused_with_its_place(enter, tmp_path):
    answer = save(enter("referee"), weapon_4={"strength": 7, "letter": "AB"})

    assert answer.status_code == 409
    assert answer.json["row"] == "weapon_4"
    assert answer.json["field"] == "letter"
    assert answer.json["text"] == "letter of weapon_4 is a single letter, not 'AB'."
    assert corrections.load(tmp_path, GAME) == {}


def test_the_page_keeps_the_language_it_was_asked_for_in(enter):
    referee = enter("referee")
    assert "Arma 4" in referee.get("/cards?lang=it").text

    answer = save(referee, weapon_4={"strength": 7})

    assert answer.json["rows"][3]["title"] == "Arma 4"
    assert [cell["title"] for cell in answer.json["rows"][3]["cells"]] == ["Tipo", "Forza", "Lettera", "Danni"]
    assert save(referee, weapon_4={"strength": 700}).json["text"].endswith("è un numero intero da 0 a 99, non 700.")


def test_a_file_that_cannot_be_used_is_told_on_the_page(enter, tmp_path):
    path = corrections.path_of(tmp_path, GAME)
    path.parent.mkdir()
    path.write_text("[weapon_4]\nstrength = 'x'\n")

    assert "line 2: strength of weapon_4 is a whole number" in enter("referee").get("/cards").text


def test_a_game_that_does_not_exist_has_no_page(enter):
    assert enter("referee").get("/cards/go").status_code == 404
    assert enter("referee").post("/api/cards/go", json={"values": {}}, headers=ORIGIN).status_code == 404


def test_without_a_data_folder_the_page_is_read_only(evening):
    browser = create_app(evening.service, SETTINGS).test_client()
    browser.post("/api/login", json={"role": "referee", "pin": SETTINGS.referee_pin}, headers=ORIGIN)

    assert '"locked":true' in browser.get("/cards").text
    assert save(browser, weapon_4={"strength": 7}).status_code == 409


@pytest.mark.browser
def test_an_owner_corrects_a_card_in_the_browser(browser, server, tmp_path):
    width, height = SCREENS["phone"]
    page = browser.new_page(viewport={"width": width, "height": height})
    page.goto(f"{server.url}/cards", wait_until="domcontentloaded")
    page.fill("#pin", SETTINGS.referee_pin)
    page.click("#login button")
    row = page.locator("tbody tr").nth(3)
    expect(row.locator(".origin")).to_have_text(["house"] * 4)
    expect(page.locator("#save")).to_be_disabled()

    row.get_by_label("Weapon 4: Strength").fill("700")
    row.get_by_label("Weapon 4: Letter").fill("c")
    expect(page.locator("#saved")).to_have_text("2 not saved yet")
    page.locator("#save").click()
    expect(page.locator("#trouble")).to_contain_text("whole number from 0 to 99")
    expect(row.get_by_label("Weapon 4: Strength")).to_have_attribute("aria-invalid", "true")

    row.get_by_label("Weapon 4: Strength").fill("7")
    page.locator("#save").click()
    expect(page.locator("#saved")).to_have_text("Saved. It counts from the next match on.")
    expect(page.locator("#trouble")).to_be_hidden()
    expect(row.locator(".origin")).to_have_text(["house", "yours", "yours", "house"])
    assert corrections.load(tmp_path, GAME) == {"weapon_4": {"strength": 7, "letter": "C"}}

    row.get_by_role("button", name="Back to 13 (house)").click()
    row.get_by_role("button", name="Back to A (house)").click()
    page.locator("#save").click()
    expect(page.locator("#saved")).to_have_text("Saved. It counts from the next match on.")
    assert corrections.load(tmp_path, GAME) == {}
    page.close()

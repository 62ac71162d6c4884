"""The pages themselves: who gets which, and that names are only ever text."""

import json
import re

from tests.web.evening import PINS, SETTINGS, Evening
from web.app import create_app
from web.pins import SeatPin
from web.words import choose


def test_everybody_gets_the_status_page(client):
    page = client.get("/")

    assert page.status_code == 200
    assert "Sen So" in page.text


def test_the_status_page_is_the_spectators_even_for_a_player(enter, evening):
    """It may be on the wall: what only its owner may know is not on it."""
    evening.arm(Aki=["nunchaku"])

    first = _first(enter("Aki").get("/").text)

    assert first["role"] == ""
    assert [seat["loadout"] for seat in first["page"]["view"]["seats"]] == [None, None]


def test_a_seat_asks_for_its_pin_and_then_shows_the_own_inventory(client, enter, evening):
    evening.arm(Aki=["nunchaku"])

    assert client.get("/seat/Aki").status_code == 401
    assert enter("Ben").get("/seat/Aki").status_code == 401
    first = _first(enter("Aki").get("/seat/Aki").text)
    assert first["page"]["view"]["seats"][0]["loadout"] == ["nunchaku"]


def test_a_seat_that_nobody_sits_in_is_said(client):
    page = client.get("/seat/Zoe")

    assert page.status_code == 404
    assert "Nobody called Zoe sits at this table." in page.text


def test_the_referees_page_asks_for_the_pin(client, enter):
    assert client.get("/referee").status_code == 401
    assert "987654" not in client.get("/referee").text
    assert enter("referee").get("/referee").status_code == 200
    assert enter("Aki").get("/referee").status_code == 401


def test_the_language_is_asked_for_kept_or_what_the_browser_prefers(client):
    assert '<html lang="it">' in client.get("/", headers={"Accept-Language": "it-IT,it;q=0.9"}).text
    assert '<html lang="en">' in client.get("/", headers={"Accept-Language": "fr"}).text
    assert "Decisioni" in client.get("/?lang=it").text
    assert '<html lang="it">' in client.get("/").text
    assert '<html lang="en">' in client.get("/?lang=en").text
    assert choose("xx", "it", "en") == "it"


def test_a_page_that_does_not_exist_is_a_sentence_in_the_viewers_language(client):
    page = client.get("/nothing?lang=it")

    assert page.status_code == 404
    assert "non c&#39;è una pagina simile" in page.text
    assert client.get("/api/nothing?lang=it").json == {"text": "A questo tavolo non c'è una pagina simile."}


def test_a_game_is_drawn_by_its_own_script_and_an_unknown_one_plainly(client, evening, monkeypatch):
    assert "status.js?build=" in client.get("/").text
    assert "drawing=sen_so" in client.get("/").text

    monkeypatch.setattr(evening.service.referee.match, "game", _renamed(evening.service.referee.match.game))
    assert "drawing=plain" in client.get("/").text


def test_a_players_name_is_only_ever_text():
    evil = "</script><img src=x onerror=alert(1)>"
    evening = Evening((evil, "Ben & Co"))
    settings = type(SETTINGS)(referee_pin="1", seats=(SeatPin(PINS["Aki"]),), secret="another long secret")
    client = create_app(evening.service, settings).test_client()

    for path in ("/", f"/seat/{evil}"):
        page = client.get(path).text
        assert "<img src=x" not in page
    assert _first(client.get("/").text)["page"]["players"] == [evil, "Ben & Co"]


def test_the_icon_has_a_home(client):
    assert client.get("/favicon.ico").status_code == 302
    with client.get("/static/mark.svg") as picture:
        assert picture.mimetype == "image/svg+xml"


def _first(html):
    return json.loads(re.search(r'id="first">(.*?)</script>', html, re.DOTALL)[1])


def _renamed(game):
    import dataclasses

    return dataclasses.replace(game, name="not_drawn_yet")

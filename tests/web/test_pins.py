"""Logging in: one PIN for each seat and one for the referee; guessing is slowed down, nobody is locked out for good."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.evening import PINS, SETTINGS, Evening
from web.app import Settings, create_app
from web.pins import NotYours, Pins, Tries, viewer

ORIGIN = {"Origin": "http://localhost"}


def _login(browser, role, pin, **more):
    return browser.post("/api/login", json={"role": role, "pin": pin}, headers=ORIGIN, **more)


def test_a_wrong_pin_gets_a_clear_sentence(client):
    answer = _login(client, "referee", "000000")

    assert answer.status_code == 403
    assert answer.json == {"text": "That is not the PIN. It is on the table's own screen."}
    assert "Set-Cookie" not in answer.headers


def test_each_pin_opens_its_own_door_only(client):
    for role in (*PINS, "referee", "", "Nobody"):
        for other, pin in {**PINS, "referee": SETTINGS.referee_pin}.items():
            right = role == other
            pins = Pins(SETTINGS.secret, {**PINS, "referee": SETTINGS.referee_pin})
            assert pins.accepts(role, pin) is right


def test_a_role_without_a_pin_cannot_be_logged_in_to():
    pins = Pins("secret", {"Aki": "", "referee": ""})

    assert not pins.accepts("Aki", "")
    assert not pins.accepts("referee", "")
    assert not pins.accepts("Nobody", "")


def test_after_five_wrong_pins_an_address_waits_and_then_may_try_again(client, evening):
    for _ in range(5):
        assert _login(client, "referee", "000000").status_code == 403
    waits = _login(client, "referee", SETTINGS.referee_pin)

    assert waits.status_code == 429
    assert waits.json["text"] == "Too many wrong PINs. Try again in 15 min."
    assert waits.headers["Retry-After"] == "900"
    evening.at += 901
    assert _login(client, "referee", SETTINGS.referee_pin).status_code == 200


def test_another_address_is_not_held_up(client):
    for _ in range(5):
        _login(client, "referee", "000000", environ_base={"REMOTE_ADDR": "10.0.0.7"})

    assert _login(client, "Aki", PINS["Aki"], environ_base={"REMOTE_ADDR": "10.0.0.7"}).status_code == 429
    assert _login(client, "Aki", PINS["Aki"], environ_base={"REMOTE_ADDR": "10.0.0.8"}).status_code == 200


def test_a_header_cannot_pretend_another_address(client):
    for number in range(5):
        client.post(
            "/api/login",
            json={"role": "referee", "pin": "0"},
            headers={**ORIGIN, "X-Forwarded-For": f"10.0.0.{number}"},
        )

    assert _login(client, "referee", SETTINGS.referee_pin).status_code == 429


def test_many_addresses_together_are_slowed_down_but_not_the_tables_own_screen():
    tries = Tries(lambda: 0.0)
    for number in range(20):
        tries.wrong(f"10.0.0.{number}")

    assert tries.wait("10.0.0.99") > 0
    assert tries.wait("127.0.0.1") == 0


def test_the_right_pin_clears_the_count(client):
    for _ in range(4):
        _login(client, "Aki", "0")
    _login(client, "Aki", PINS["Aki"])
    for _ in range(4):
        assert _login(client, "Aki", "0").status_code == 403
    assert _login(client, "Aki", PINS["Aki"]).status_code == 200


@given(st.lists(st.tuples(st.floats(0, 4000), st.booleans()), max_size=40))
def test_no_address_ever_guesses_more_than_five_times_in_fifteen_minutes(steps):
    now = 0.0
    tries = Tries(lambda: now)
    guessed = []
    for later, _ in steps:
        now += later / 10
        if tries.wait("10.0.0.7") == 0:
            tries.wrong("10.0.0.7")
            guessed.append(now)
    for first, sixth in zip(guessed, guessed[5:], strict=False):
        assert sixth - first >= 15 * 60 - 1e-6


def test_a_shared_tablet_holds_several_seats_and_speaks_for_the_one_it_says(client, evening):
    for role in ("Aki", "Ben"):
        assert _login(client, role, PINS[role]).status_code == 200

    assert client.get("/api/page").json["viewer"] == "Ben"
    assert client.get("/api/page?as=Aki").json["viewer"] == "Aki"
    assert client.get("/api/page?as=").json["viewer"] is None
    assert client.get("/api/page?as=Cho").status_code == 403
    body = {"what": "move", "data": {"move": "arm", "weapons": []}, "as": "Aki"}
    assert client.post("/api/tap", json=body, headers=ORIGIN).status_code == 200
    assert evening.lines[-1]["by"] == "Aki"


def test_logging_out_leaves_the_other_seats_logged_in(client):
    for role in ("Aki", "Ben"):
        _login(client, role, PINS[role])
    client.post("/api/logout", json={"role": "Ben"}, headers=ORIGIN)

    assert client.get("/seat/Ben").status_code == 401
    assert client.get("/seat/Aki").status_code == 200
    client.post("/api/logout", json={}, headers=ORIGIN)
    assert client.get("/seat/Aki").status_code == 401


def test_the_cookie_is_strict_and_out_of_reach_of_scripts(client):
    cookie = _login(client, "Aki", PINS["Aki"]).headers["Set-Cookie"]

    assert "SameSite=Strict" in cookie
    assert "HttpOnly" in cookie


def test_a_new_pin_closes_the_old_door(evening):
    """The same secret with a new PIN: who logged in with the old one is out."""
    before = create_app(evening.service, SETTINGS).test_client()
    _login(before, "Aki", PINS["Aki"])
    cookie = before.get_cookie("shinpan").value
    renewed = Settings(referee_pin="987654", seat_pins={"Aki": "999999"}, secret=SETTINGS.secret)
    after = create_app(evening.service, renewed).test_client()
    after.set_cookie("shinpan", cookie)

    assert before.get("/seat/Aki").status_code == 200
    assert after.get("/seat/Aki").status_code == 401


def test_a_cookie_that_was_made_elsewhere_opens_nothing():
    evening = Evening()
    forger = create_app(evening.service, Settings(referee_pin="1", secret="the forger's own secret")).test_client()
    _login(forger, "referee", "1")
    client = create_app(evening.service, SETTINGS).test_client()
    client.set_cookie("shinpan", forger.get_cookie("shinpan").value)

    assert client.get("/referee").status_code == 401


def test_a_request_speaks_only_for_roles_it_holds():
    assert viewer((), None) is None
    assert viewer(("Aki", "referee"), None) == "referee"
    assert viewer(("Aki", "referee"), "") is None
    with pytest.raises(NotYours):
        viewer(("Aki",), "referee")

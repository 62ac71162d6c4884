"""Logging in: one PIN for each seat and one for the referee; guessing is slowed down, nobody is locked out for good."""

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.evening import PINS, SETTINGS, Evening
from web.app import Settings, create_app
from web.pins import REVOKED_FILE, NotYours, Pins, SeatPin, viewer
from web.tries import Device, KnownDevices, Tries

ORIGIN = {"Origin": "http://localhost"}


def of_all() -> Pins:
    """The PINs of everybody at the evening's table."""
    return Pins(
        SETTINGS.secret, SETTINGS.referee_pin, SETTINGS.seats, lambda: {name: at for at, name in enumerate(PINS)}
    )


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
            pins = of_all()
            assert pins.accepts(role, pin) is right


def test_a_role_without_a_pin_cannot_be_logged_in_to():
    pins = Pins("secret", "", [SeatPin("")], lambda: {"Aki": 0})

    assert not pins.accepts("Aki", "")
    assert not pins.accepts("referee", "")
    assert not pins.accepts("Nobody", "")


def test_after_five_wrong_pins_an_address_waits_a_little_and_longer_each_time(client, evening):
    for _ in range(5):
        assert _login(client, "referee", "000000").status_code == 403
    waits = _login(client, "referee", SETTINGS.referee_pin)

    assert waits.status_code == 429
    assert waits.json["text"] == "Too many wrong PINs. Try again in 10 seconds."
    assert waits.headers["Retry-After"] == "10"
    evening.at += 10
    assert _login(client, "referee", "000000").status_code == 403
    assert _login(client, "referee", "000000").headers["Retry-After"] == "20"
    evening.at += 19
    assert _login(client, "referee", "000000").json["text"] == "Too many wrong PINs. Try again in 1 second."
    evening.at += 1
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


def test_the_own_right_pin_forgives_no_guesses_at_another_role(client):
    """Four guesses at the referee's PIN, one's own PIN, four guesses, ..."""
    guessed = 0
    for _ in range(50):
        for _ in range(4):
            guessed += _login(client, "referee", "000000").status_code == 403
        _login(client, "Aki", PINS["Aki"])

    assert guessed == 5


PINS_OF_ALL = of_all()
STRANGER = Device("new")


def test_many_addresses_together_are_slowed_down_but_not_the_tables_own_screen():
    tries = Tries(lambda: 0.0)
    for number in range(20):
        assert tries.enter(PINS_OF_ALL, "referee", "0", f"10.0.0.{number}", STRANGER) is False

    assert tries.enter(PINS_OF_ALL, "referee", SETTINGS.referee_pin, "10.0.0.99", STRANGER) == 10.0
    assert tries.enter(PINS_OF_ALL, "Aki", PINS["Aki"], "10.0.0.99", STRANGER) is True
    assert tries.enter(PINS_OF_ALL, "referee", SETTINGS.referee_pin, "127.0.0.1", STRANGER) is True


def test_one_device_cannot_be_many_with_the_addresses_it_gives_itself():
    tries = Tries(lambda: 0.0)
    for number in range(5):
        assert tries.enter(PINS_OF_ALL, "referee", "0", f"2001:db8::{number}", STRANGER) is False

    assert tries.enter(PINS_OF_ALL, "referee", "0", "2001:db8::99", STRANGER) == 10.0
    assert tries.enter(PINS_OF_ALL, "referee", "0", "2001:db8:1::1", STRANGER) is False


def test_a_known_device_is_counted_by_itself():
    tries = Tries(lambda: 0.0)
    known = STRANGER.let_in("referee")
    for _ in range(5):
        assert tries.enter(PINS_OF_ALL, "referee", "0", "10.0.0.7", known) is False

    assert tries.enter(PINS_OF_ALL, "referee", "0", "10.0.0.7", known) == 10.0
    assert tries.enter(PINS_OF_ALL, "referee", "0", "10.0.0.8", Device("other", ("referee",))) is False
    assert tries.enter(PINS_OF_ALL, "Aki", PINS["Aki"], "10.0.0.7", known) is True


def test_a_device_cookie_that_is_not_ours_makes_nobody_known():
    forged = KnownDevices("another secret").cookie(Device("x", ("referee",)))

    assert KnownDevices("secret").read(forged).roles == ()
    assert KnownDevices("secret").read("").roles == ()
    ours = KnownDevices("secret")
    assert ours.read(ours.cookie(Device("x", ("referee",)))) == Device("x", ("referee",))


def test_the_right_pin_clears_the_count_of_its_own_device(client):
    for _ in range(4):
        _login(client, "Aki", "0")
    _login(client, "Aki", PINS["Aki"])
    for _ in range(3):
        for _ in range(4):
            assert _login(client, "Aki", "0").status_code == 403
        assert _login(client, "Aki", PINS["Aki"]).status_code == 200


@pytest.mark.parametrize("addresses", [1, 3, 200])
def test_who_guesses_all_evening_has_less_than_one_chance_in_ten_thousand_and_keeps_nobody_out(addresses):
    """Five hours of a player who tries as soon as one of the addresses may, also at the table's own screen, while the
    referee logs in on the usual phone again and again."""
    now = 0.0
    tries = Tries(lambda: now)
    phone = STRANGER.let_in("referee")
    places = ["127.0.0.1", *(f"10.0.0.{number}" for number in range(addresses))]
    guesses = 0
    while now < 5 * 3600:
        waits = []
        for place in places:
            while (wait := tries.enter(PINS_OF_ALL, "referee", "000000", place, STRANGER)) is False:
                guesses += 1
            waits.append(wait)
            assert tries.enter(PINS_OF_ALL, "Aki", PINS["Aki"], place, Device("own", ("0",))) is True
        assert tries.enter(PINS_OF_ALL, "referee", SETTINGS.referee_pin, "10.0.0.250", phone) is True
        now += min(waits)

    print(f"{addresses} addresses: {guesses} guesses")
    assert 10 < guesses < 100


def test_guesses_at_the_same_moment_are_no_more_than_guesses_in_a_row():
    tries = Tries(lambda: 0.0)

    def guess(_):
        return tries.enter(PINS_OF_ALL, "referee", "0", "10.0.0.7", STRANGER) is False

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(guess, range(200))) == 5


@given(st.lists(st.floats(0, 4000), max_size=60))
def test_each_wait_of_an_address_is_twice_the_one_before(steps):
    now = 0.0
    tries = Tries(lambda: now)
    guessed = []
    for later in steps:
        now += later / 10
        if tries.enter(PINS_OF_ALL, "referee", "0", "10.0.0.7", STRANGER) is False:
            guessed.append(now)
    for number, (before, after) in enumerate(pairwise(guessed[4:])):
        assert after - before >= min(10 * 2**number, 1200) - 1e-6


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


def test_logging_out_ends_the_login_wherever_its_cookie_has_been_copied_to(app, client):
    for role in ("Aki", "Ben"):
        _login(client, role, PINS[role])
    thief = app.test_client()
    thief.set_cookie("shinpan", client.get_cookie("shinpan").value)
    assert thief.get("/seat/Ben").status_code == 200

    client.post("/api/logout", json={"role": "Ben"}, headers=ORIGIN)
    assert thief.get("/seat/Ben").status_code == 401
    assert thief.get("/seat/Aki").status_code == 200
    client.post("/api/logout", json={}, headers=ORIGIN)
    assert thief.get("/seat/Aki").status_code == 401
    _login(client, "Aki", PINS["Aki"])
    assert client.get("/seat/Aki").status_code == 200
    assert thief.get("/seat/Aki").status_code == 401


@pytest.mark.parametrize("content", [None, b"", b"{", b"[1, 2]", b"\xff"])
def test_a_login_that_was_ended_stays_so_after_a_restart(tmp_path, content):
    settings = msgspec.structs.replace(SETTINGS, data=tmp_path)
    before = create_app(Evening().service, settings).test_client()
    _login(before, "Aki", PINS["Aki"])
    cookie = before.get_cookie("shinpan").value
    before.post("/api/logout", json={}, headers=ORIGIN)
    file = tmp_path / REVOKED_FILE
    assert file.stat().st_mode & 0o777 == 0o600
    if content is not None:
        file.write_bytes(content)  # a damaged file keeps no table from starting
    after = create_app(Evening().service, settings).test_client()
    after.set_cookie("shinpan", cookie)

    assert after.get("/seat/Aki").status_code == (401 if content is None else 200)


def test_a_cookie_with_tickets_of_another_form_opens_nothing():
    for roles in ([], [["Aki"]], [["Aki", "x"]], [["Aki", "x", "y"]], [["Aki", "x", "y", "z"]]):
        assert PINS_OF_ALL.held({"roles": roles}) == ()


def test_the_cookie_is_strict_and_out_of_reach_of_scripts(client):
    cookies = _login(client, "Aki", PINS["Aki"]).headers.getlist("Set-Cookie")

    assert sorted(cookie.partition("=")[0] for cookie in cookies) == ["device", "shinpan"]
    assert all("SameSite=Strict" in cookie and "HttpOnly" in cookie for cookie in cookies)


def test_a_new_pin_closes_the_old_door(evening):
    """The same secret with a new PIN: who logged in with the old one is out."""
    before = create_app(evening.service, SETTINGS).test_client()
    _login(before, "Aki", PINS["Aki"])
    cookie = before.get_cookie("shinpan").value
    renewed = Settings(referee_pin="987654", seats=(SeatPin("999999"),), secret=SETTINGS.secret)
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

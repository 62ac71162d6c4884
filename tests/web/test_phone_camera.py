"""A phone as the camera: who may be it, what is taken from it, and what the desk is told."""

import http.client
import json
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.phone_camera import MOST_BYTES
from tests.web.evening import PINS, SETTINGS
from tests.web.phone_table import PhoneTable
from web.app import create_app
from web.pins import CAMERA, Pins
from web.server import Server

ORIGIN = {"Origin": "http://localhost"}
PICTURE = cv2.imencode(".jpg", np.full((80, 120, 3), 90, np.uint8))[1].tobytes()


@pytest.fixture
def evening() -> PhoneTable:
    return PhoneTable(None)


class Caller:
    """A phone's browser, without the browser."""

    def __init__(self, server: Server) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        self.origin = f"http://localhost:{server.port}"
        self.cookie = ""

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, Any]:
        host = self.origin.removeprefix("http://")
        common = {"Host": host, "Origin": self.origin, "Content-Type": "application/json", "Cookie": self.cookie}
        self._connection.request(method, path, body, {**common, **headers})
        answer = self._connection.getresponse()
        cookies = [value for name, value in answer.getheaders() if name == "set-cookie"]
        self.cookie = "; ".join(each.partition(";")[0] for each in cookies) or self.cookie
        text = answer.read()
        return answer.status, json.loads(text) if text[:1] == b"{" else text

    def log_in(self, role: str, pin: str) -> None:
        assert self.ask("POST", "/api/login", json.dumps({"role": role, "pin": pin}).encode())[0] == 200

    def begin(self, phone: str = "p", *, instead: bool = False) -> tuple[int, Any]:
        return self.ask("POST", "/api/phone/begin", json.dumps({"phone": phone, "instead": instead}).encode())

    def send(self, picture: bytes = PICTURE, phone: str = "p", **headers: str) -> tuple[int, Any]:
        sent = {"Content-Type": "image/jpeg", "X-Phone": phone, "X-Late": "140", **headers}
        return self.ask("POST", "/api/phone/picture", picture, **sent)

    def close(self) -> None:
        self._connection.close()


@pytest.fixture
def caller(server: Server) -> Iterator[Caller]:
    made = Caller(server)
    yield made
    made.close()


@pytest.fixture
def referees(caller: Caller) -> Caller:
    caller.log_in("referee", SETTINGS.referee_pin)
    return caller


def test_the_referees_phone_becomes_the_camera_and_the_desk_hears_of_it(evening, referees):
    status, state = referees.begin()
    assert (status, state["chosen"], state["sends"], state["own"]) == (200, True, False, "virtual table")

    assert referees.send() == (200, {"ok": True})
    assert evening.feed.camera is evening.phone
    state = referees.ask("GET", "/api/phone")[1]
    assert (state["sends"], state["size"], state["late"], state["text"]) == (True, [120, 80], 0.14, "")


def test_the_table_goes_back_to_its_own_camera(evening, referees):
    referees.begin()
    referees.send()
    assert referees.ask("POST", "/api/phone/own", b"{}")[1]["chosen"] is False
    assert evening.feed.camera is evening.camera
    assert referees.send()[0] == 409


def test_a_phone_that_stops_gives_the_table_its_own_camera_back(evening, referees):
    referees.begin()
    referees.ask("POST", "/api/phone/leave", b'{"phone": "p"}')
    assert evening.feed.camera is evening.camera


def test_a_second_phone_is_asked_and_the_first_is_told(referees):
    referees.begin()
    referees.send()
    status, said = referees.begin("q")
    assert (status, said["ask"]) == (409, True)

    assert referees.begin("q", instead=True)[0] == 200
    assert referees.send(phone="p") == (409, {"text": "Another phone is the camera of this table now."})
    assert referees.send(phone="q")[0] == 200


def test_players_and_strangers_cannot_be_the_camera(caller, evening):
    assert caller.begin()[0] == 403
    assert caller.send()[0] == 403
    caller.log_in("Aki", PINS["Aki"])
    assert caller.begin()[0] == 403
    assert caller.send()[0] == 403
    assert evening.phone.read() is None


def test_a_paired_phone_may_be_the_camera_and_nothing_else(evening, caller):
    pins: Pins = create_app(evening.service, SETTINGS).extensions["shinpan"]["pins"]
    caller.log_in(CAMERA, pins.pin(CAMERA))
    assert caller.begin()[0] == 200
    assert caller.send()[0] == 200
    assert caller.ask("GET", "/api/aim")[0] == 200

    for path in ("/api/aim/1.jpg", "/api/readings", "/camera.jpg", "/api/lobby/codes", "/api/phone/code.svg"):
        assert caller.ask("GET", path)[0] == 403, path
    assert caller.ask("POST", "/api/measure", b'{"clear": true}')[0] == 403
    assert caller.ask("POST", "/api/tap", b'{"what": "pause"}')[0] == 403
    assert caller.ask("POST", "/api/phone/own", b"{}")[0] == 403


def test_a_new_pin_of_the_referee_ends_all_pairings(evening):
    pins: Pins = create_app(evening.service, SETTINGS).extensions["shinpan"]["pins"]
    ticket, before = pins.ticket(CAMERA), pins.pin(CAMERA)
    assert pins.may_be_camera({"roles": [ticket]})

    pins.take("123123", pins.seats)
    assert not pins.may_be_camera({"roles": [ticket]})
    assert pins.pin(CAMERA) != before


def test_the_code_to_scan_holds_the_pairing_and_is_for_the_referee(enter, client):
    assert client.get("/api/phone/code.svg").status_code == 403
    assert enter("referee").get("/api/phone/code.svg").mimetype == "image/svg+xml"


@pytest.mark.parametrize(
    ("picture", "headers", "status"),
    [
        (b"no picture", {}, 400),
        (b"", {}, 400),
        (PICTURE, {"Content-Type": "text/plain"}, 415),
        (PICTURE, {"X-Phone": ""}, 400),
        (PICTURE, {"X-Phone": "x" * 200}, 400),
        (PICTURE, {"Origin": "http://evil.example"}, 403),
        (PICTURE, {"Host": "evil.example"}, 400),
        (PICTURE, {"Content-Length": str(MOST_BYTES + 1)}, 413),
    ],
)
def test_what_is_no_picture_of_our_own_page_is_turned_away_with_a_sentence(referees, picture, headers, status):
    referees.begin()
    got, said = referees.send(picture, **headers)
    assert got == status
    assert said["text"]


@pytest.mark.parametrize("late", ["nan", "-5", "1e99", "soon"])
def test_nonsense_about_time_is_no_trouble(referees, late):
    referees.begin()
    assert referees.send(**{"X-Late": late})[0] == 200
    assert 0 <= referees.ask("GET", "/api/phone")[1]["late"] <= 60


def test_only_the_cameras_page_may_look_through_a_devices_camera(enter):
    referee = enter("referee")
    assert "camera=(self)" in referee.get("/camera").headers["Permissions-Policy"]
    assert "camera=()" in referee.get("/calibrate").headers["Permissions-Policy"]


def test_at_a_virtual_table_no_phone_is_needed(evening, enter):
    from companion.core.phone_camera import NO_PHONE

    evening.service.phone_camera = NO_PHONE
    referee = enter("referee")
    said = referee.post("/api/phone/begin", json={"phone": "p"}, headers=ORIGIN)
    assert (said.status_code, "drawn" in said.get_json()["text"]) == (409, True)
    assert referee.get("/api/phone").get_json()["chosen"] is False
    assert referee.post("/api/phone/leave", json={"phone": "p"}, headers=ORIGIN).status_code == 409

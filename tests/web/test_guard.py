"""Strangers' pages stay out: foreign names, foreign origins, anything but JSON; and the headers on every answer."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.web.evening import PINS
from web.guard import HEADERS, own_names, same_origin, trusted

GOOD = {"role": "Aki", "pin": PINS["Aki"]}


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "192.168.1.20", "dojo.example:80"]
)
def test_the_table_answers_to_its_own_names(client, host):
    assert client.get("/api/page", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "a b",
        "x@localhost",
        "",
    ],
)
def test_a_foreign_name_is_turned_away_wherever_it_asks(client, host):
    """A page elsewhere can make its own name point here; it must not be served, nor be able to log in."""
    for path in ("/", "/api/page", "/camera.jpg", "/static/shinpan.css"):
        assert client.get(path, headers={"Host": host}).status_code == 400
    headers = {"Host": host, "Origin": f"http://{host}"}
    assert client.post("/api/login", json=GOOD, headers=headers).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "file://localhost"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://localhost", "Sec-Fetch-Site": "same-site"},
    ],
)
def test_only_our_own_pages_may_send(client, headers):
    for path in ("/api/login", "/api/tap", "/api/logout"):
        assert client.post(path, json=GOOD, headers=headers).status_code == 403


def test_our_own_page_may_send(client):
    headers = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}

    assert client.post("/api/login", json=GOOD, headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_cannot_be_posted(client, kind):
    body = b'{"role": "Aki", "pin": "111111"}'
    answer = client.post("/api/login", data=body, headers={"Origin": "http://localhost", "Content-Type": kind})

    assert answer.status_code == 415
    assert answer.json == {"text": "Send that as JSON."}


@pytest.mark.parametrize("path", ["/", "/api/page", "/static/shinpan.css", "/nothing", "/referee", "/camera.jpg"])
def test_every_answer_carries_the_headers(client, path):
    with client.get(path) as answer:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value
        assert "'unsafe" not in answer.headers["Content-Security-Policy"]


def test_nothing_private_is_kept_by_a_cache(client):
    assert client.get("/api/page").headers["Cache-Control"] == "no-store"
    assert client.get("/").headers["Cache-Control"] == "no-store"


@given(st.from_regex(r"[a-z0-9-]{1,20}(\.[a-z0-9-]{1,20}){0,3}(:[0-9]{1,5})?", fullmatch=True))
def test_no_name_is_trusted_that_is_not_listed_and_not_an_address(host):
    name = host.partition(":")[0]
    address = name.count(".") == 3 and all(part.isdecimal() and int(part) < 256 for part in name.split("."))

    if trusted(host):
        assert name in own_names() or address


@given(st.text(max_size=30), st.text(max_size=30))
def test_an_origin_of_any_text_is_ours_only_where_it_names_this_host(origin, host):
    if same_origin(origin, None, host):
        assert origin.lower() in (f"http://{host}".lower(), f"https://{host}".lower())


def test_the_web_knows_no_pixels_and_no_wires():
    code = (
        "import sys, web.app, web.server;"
        "known = {name.partition('.')[0] for name in sys.modules};"
        "print(sorted(known & {'vision', 'firmware_interface', 'hardware', 'cv2', 'serial', 'gpiozero'}))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"

"""The live stream, over a real server on a free port."""

import http.client
import json
import socket
import time
import urllib.request
import zlib
from contextlib import ExitStack

import pytest

from companion.core.wording import translate
from tests.web.evening import PINS, SETTINGS
from web import events
from web.server import CannotListen, Server, serve


class Viewer:
    """A browser's EventSource, reduced to reading."""

    def __init__(self, port, query="", source="127.0.0.1", **headers):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20, source_address=(source, 0))
        self.connection.request("GET", f"/events{query}", headers=headers)
        self.answer = self.connection.getresponse()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.answer.close()
        self.connection.close()

    def next(self, kind="page"):
        """The next event of that kind; its data, decoded."""
        event = ""
        while line := self.answer.readline().decode():
            if line.startswith("event: "):
                event = line.removeprefix("event: ").strip()
            elif line.startswith("data: ") and event == kind:
                return json.loads(line.removeprefix("data: ") or "null") if kind == "page" else None
        raise EOFError


def _cookie(server, role):
    url = server.url.rstrip("/")
    body = json.dumps({"role": role, "pin": PINS.get(role, SETTINGS.referee_pin)}).encode()
    headers = {"Origin": url, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{url}/api/login", body, headers)) as answer:
        cookies = answer.headers.get_all("Set-Cookie")
    return next(cookie.partition(";")[0] for cookie in cookies if cookie.startswith("shinpan="))


def test_a_compressed_stream_gives_up_each_message_at_once(server, evening):
    with Viewer(server.port, **{"Accept-Encoding": "gzip"}) as viewer:
        assert viewer.answer.headers["Content-Encoding"] == "gzip"
        unpacker, text = zlib.decompressobj(zlib.MAX_WBITS | 16), b""
        while text.count(b"event: page") < 1:
            text += unpacker.decompress(viewer.answer.read1())
        assert text.startswith(b"retry: ")
        assert text.endswith(b"\n\n")

        evening.move("Aki", "arm", weapons=["katana"])
        while b"SEN-10" not in text:
            text += unpacker.decompress(viewer.answer.read1())
        assert text.endswith(b"\n\n")


def test_the_whole_page_comes_at_once_and_with_every_change(server, evening):
    with Viewer(server.port) as viewer:
        assert viewer.answer.headers["Content-Type"].startswith("text/event-stream")
        assert viewer.next()["awaited"] == ["Aki", "Ben"]

        evening.move("Aki", "arm", weapons=["katana"])
        page = viewer.next()
        while page["version"] < evening.service.version:
            page = viewer.next()
        assert page["said"][-1]["rules"] == ["SEN-10"]
        assert page["build"]


def test_a_viewer_of_old_gets_pages_without_frames(server, evening):
    """HTTP/1.0 has no chunks; what is handed to a whole hall at once would have some around it."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as sock, sock.makefile("rb") as answer:
        sock.sendall(b"GET /events HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        while answer.readline().strip():
            pass
        seen = [answer.readline() for _ in range(6)]
        evening.move("Aki", "arm", weapons=["katana"])
        seen += [answer.readline() for _ in range(3)]
    assert {line.partition(b":")[0] for line in seen} == {b"retry", b"id", b"event", b"data", b"\n"}


def test_a_viewer_who_stops_reading_for_a_while_ends_up_with_the_newest_page(server, evening):
    """Pages that are handed out and the one that waited for the viewer come in order, and the last is the newest."""
    with Viewer(server.port) as viewer:
        viewer.next()
        for number in range(400):
            evening.tap("referee", ("resume", "pause")[number % 2])
            evening.service.freshen()
            if number % 40 == 0:
                time.sleep(events.GAP)
        versions = [viewer.next()["version"]]
        while versions[-1] < evening.service.version:
            versions.append(viewer.next()["version"])
    assert versions == sorted(versions)


def test_the_stream_shows_each_role_what_it_may_know(server, evening):
    evening.arm(Aki=["nunchaku"], Ben=["katana"])

    def inventories(query="", **headers):
        with Viewer(server.port, query, **headers) as viewer:
            return [seat["loadout"] for seat in viewer.next()["view"]["seats"]]

    cookie = _cookie(server, "Aki")
    assert inventories() == [None, None]
    assert inventories(Cookie=cookie) == [["nunchaku"], None]
    assert inventories("?as=Aki", Cookie=cookie) == [["nunchaku"], None]
    assert inventories("?as=", Cookie=cookie) == [None, None]
    assert inventories(Cookie="shinpan=forged; lang=it") == [None, None]


def test_the_stream_speaks_the_viewers_language(server, evening):
    with Viewer(server.port, "?lang=it") as viewer:
        prompt = viewer.next()["prompts"]["Aki"]

    assert prompt == translate("Choose the weapons of this match.", "it") != "Choose the weapons of this match."


@pytest.mark.parametrize(
    ("query", "headers", "status"),
    [
        ("", {"Host": "evil.example"}, 400),
        ("", {"Sec-Fetch-Site": "cross-site"}, 403),
        ("?as=Aki", {}, 403),
        ("?as=referee", {"Cookie": "shinpan=x"}, 403),
    ],
)
def test_the_stream_makes_the_same_checks_as_the_pages(server, query, headers, status):
    with Viewer(server.port, query, **headers) as viewer:
        assert viewer.answer.status == status
        assert json.loads(viewer.answer.read())["text"]
        assert viewer.answer.headers["X-Frame-Options"] == "DENY"


def test_a_quiet_table_still_gives_signs_of_life(app, evening, monkeypatch):
    monkeypatch.setattr(events, "BEAT", 0.05)

    with Server(app, evening.service, port=0) as server, Viewer(server.port) as viewer:
        viewer.next()
        viewer.next("beat")
        viewer.next("beat")
    assert events.BEAT < 15


def test_a_hall_of_viewers_costs_one_encoding_for_each_kind(server, evening, monkeypatch):
    made = []
    page = evening.service.page

    def counted(*kind):
        made.append(kind)
        return page(*kind)

    with ExitStack() as hall:
        viewers = [hall.enter_context(Viewer(server.port, f"?lang={'it' if seat % 2 else 'en'}")) for seat in range(60)]
        for viewer in viewers:
            viewer.next()
        monkeypatch.setattr(evening.service, "page", counted)
        evening.move("Aki", "arm", weapons=[])
        for viewer in viewers:
            assert viewer.next()["said"]

    assert sorted(set(made), key=str) == [(None, "en"), (None, "it")]
    assert len(made) == 2


def test_viewers_who_leave_are_forgotten(server, evening):
    with Viewer(server.port) as viewer:
        viewer.next()
        assert server.stream.watching == 1
    with Viewer(server.port) as viewer:
        # The server notices one leaving no later than it serves the next ones.
        for _ in range(50):
            evening.sense("camera", "ok")
            evening.sense("camera", "missing")
            viewer.next()
            if server.stream.watching == 1:
                break
        assert server.stream.watching == 1


def test_too_many_viewers_are_told_so(server, monkeypatch):
    monkeypatch.setattr(events, "VIEWERS", 1)

    with (
        Viewer(server.port, source="127.0.0.2") as first,
        Viewer(server.port, source="127.0.0.3") as second,
    ):
        first.next()
        assert second.answer.status == 503


def test_spectators_cannot_take_the_places_of_referee_seats_and_own_screen(server, monkeypatch):
    monkeypatch.setattr(events, "VIEWERS", 4)
    cookies = {role: _cookie(server, role) for role in ("Aki", "referee")}

    with ExitStack() as hall:
        for number in range(6):
            hall.enter_context(Viewer(server.port, source=f"127.0.0.{number + 2}"))
        for role, cookie in cookies.items():
            viewer = hall.enter_context(Viewer(server.port, f"?as={role}", source="127.0.0.2", Cookie=cookie))
            assert viewer.next()["viewer"] == role
        assert hall.enter_context(Viewer(server.port)).next()["viewer"] is None
        assert hall.enter_context(Viewer(server.port, source="127.0.0.9")).answer.status == 503


def test_one_address_cannot_take_all_places(server, monkeypatch):
    monkeypatch.setattr(events, "VIEWERS_PER_ADDRESS", 2)

    with ExitStack() as hall:
        statuses = [
            hall.enter_context(Viewer(server.port, source=source)).answer.status
            for source in ("127.0.0.2", "127.0.0.2", "127.0.0.2", "127.0.0.3")
        ]
    assert statuses == [200, 200, 503, 200]


def test_a_role_that_watches_on_too_many_pages_loses_the_oldest(server, monkeypatch):
    monkeypatch.setattr(events, "KEPT", 1)
    cookie = _cookie(server, "Aki")

    with (
        Viewer(server.port, source="127.0.0.2", Cookie=cookie) as old,
        Viewer(server.port, source="127.0.0.3", Cookie=cookie) as new,
    ):
        assert new.next()["viewer"] == "Aki"
        assert old.answer.read()  # to its end


def test_logging_out_ends_the_streams_of_that_login_and_no_others(server):
    cookie, other = _cookie(server, "Aki"), _cookie(server, "Aki")
    url = server.url.rstrip("/")
    headers = {"Origin": url, "Content-Type": "application/json", "Cookie": cookie}

    with Viewer(server.port, "?as=Aki", Cookie=cookie) as mine, Viewer(server.port, "?as=Aki", Cookie=other) as theirs:
        assert mine.next()["viewer"] == theirs.next()["viewer"] == "Aki"
        urllib.request.urlopen(urllib.request.Request(f"{url}/api/logout", b"{}", headers)).close()
        mine.answer.read()  # to its end
        assert server.stream.watching == 1
    with Viewer(server.port, "?as=Aki", Cookie=cookie) as refused:
        assert refused.answer.status == 403


def test_a_match_faster_than_anybody_can_watch_is_thinned_out_and_ends_up_right(server, evening):
    with Viewer(server.port) as viewer:
        viewer.next()
        for number in range(400):
            evening.sense("timer", str(number))
        seen = 0
        while (page := viewer.next())["senses"]["timer"]["text"] != "399":
            seen += 1

    assert page["version"] == evening.service.version
    assert seen < 400


def test_a_taken_port_is_one_clear_sentence(server, app, evening):
    with pytest.raises(CannotListen, match=rf"^Port {server.port} is taken by another program\. .*--port\.$"):
        serve(app, evening.service, "127.0.0.1", server.port)


@pytest.mark.parametrize(("host", "port"), [("no.such.host.invalid", 8080), ("127.0.0.1", 99999), ("192.0.2.1", 8080)])
def test_an_address_that_cannot_be_had_is_one_clear_sentence(app, evening, host, port):
    with pytest.raises(CannotListen, match=r"\.$"):
        Server(app, evening.service, host, port)


def test_stopping_lets_every_viewer_go(app, evening):
    server = serve(app, evening.service, port=0, background=True)
    with Viewer(server.port) as viewer:
        viewer.next()
        server.stop()
        with pytest.raises(EOFError):
            viewer.next()
    server.stop()
    with pytest.raises(OSError, match="refused"):
        Viewer(server.port)


def test_a_server_that_never_ran_gives_its_port_back(app, evening):
    server = Server(app, evening.service, port=0)
    server.stop()

    Server(app, evening.service, port=server.port).stop()

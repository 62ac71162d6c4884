"""`/healthz` tells a service manager the truth about every thread that the table needs."""

import json
import threading
import urllib.error
import urllib.request
from collections.abc import Callable

from companion.app.camera_feed import CameraFeed
from companion.app.senses import CAMERA, PANELS, Senses
from companion.core.heartbeat import PATIENCE, Heartbeats
from web.events import PAGES
from web.server import Server


def asked(server: Server) -> tuple[int, dict]:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/healthz") as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def until(true: Callable[[], bool]) -> bool:
    waiting = threading.Event()
    return any(true() or waiting.wait(0.01) for _ in range(1000))


def test_a_thread_that_is_late_is_named_until_it_beats_again():
    now = 0.0
    hearts = Heartbeats(lambda: now)
    hearts.beat("camera")
    hearts.beat("pages", 20.0)
    now = PATIENCE + 0.1
    assert hearts.silent() == ("camera",)
    hearts.beat("camera")
    assert hearts.silent() == ()
    now = 100.0
    hearts.end("camera")
    assert hearts.silent() == ("pages",)


def test_a_table_that_works_says_so_and_one_whose_thread_hangs_says_which(app, evening):
    service = evening.service
    now = 0.0
    service.heartbeats = Heartbeats(lambda: now)
    senses = Senses(service, CameraFeed())
    hang, hanging = threading.Event(), threading.Event()
    with Server(app, service, port=0) as server:
        senses.start()
        assert asked(server) == (200, {"ok": True, "silent": [], "playing": True})
        now += 60.0
        assert until(lambda: asked(server)[0] == 200), "all of them beat again"

        def look(*_: object) -> None:
            hanging.set()
            hang.wait()

        senses.feed.look = look
        assert hanging.wait(10.0)
        now += 60.0
        assert until(lambda: asked(server) == (503, {"ok": False, "silent": [CAMERA], "playing": True}))
        hang.set()
        assert until(lambda: asked(server)[0] == 200)
        senses.stop()
        assert PANELS not in service.heartbeats.silent()


def test_a_device_that_fails_every_time_is_no_sign_of_life(evening):
    service, now = evening.service, 0.0
    service.heartbeats = Heartbeats(lambda: now)
    senses = Senses(service, CameraFeed())
    failed = threading.Event()

    def poll() -> None:
        failed.set()
        raise RuntimeError("of no kind that anybody expects")

    senses.poll = poll
    senses.start()
    assert failed.wait(10.0)
    now += 60.0
    assert until(lambda: service.heartbeats.silent() == (PANELS,))
    senses.stop()


def test_a_page_that_cannot_be_made_does_not_end_the_news(app, evening):
    service, now = evening.service, 0.0
    service.heartbeats = Heartbeats(lambda: now)
    failed = threading.Event()
    wait = service.wait

    def broken(version: int, timeout: float) -> int:
        failed.set()
        raise RuntimeError("of no kind that anybody expects")

    with Server(app, service, port=0) as server:
        service.wait = broken
        assert failed.wait(10.0)
        now += 60.0
        assert until(lambda: asked(server) == (503, {"ok": False, "silent": [PAGES], "playing": True}))
        service.wait = wait
        assert until(lambda: asked(server)[0] == 200)

"""What spectators see of the camera's picture, pixel by pixel, over a match at the virtual table."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from werkzeug.test import Client

from companion.app.demo import SAME_SITE, Evening
from companion.app.match_store import begin
from companion.app.spectator_picture import PAINT
from companion.core.layout import Zone
from companion.games import game
from companion.record.journal import DataFolder
from vision.pictures import Image
from web.app import Settings
from web.pins import CameraFor, SeatPin

PIN = "123456"


class Watched:
    """A match of High Card with a spectator and the referee looking at the camera's picture."""

    def __init__(self, evening: Evening) -> None:
        self.evening = evening
        self.spectator, self.referee = Client(evening.app), Client(evening.app)
        login = {"role": "referee", "pin": PIN}
        assert self.referee.post("/api/login", json=login, headers=SAME_SITE).status_code == 200

    def picture(self, who: Client) -> Image | None:
        answer = who.get("/camera.jpg")
        if answer.status_code == 204:
            return None
        assert answer.status_code == 200
        return cv2.imdecode(np.frombuffer(answer.data, np.uint8), cv2.IMREAD_COLOR)

    def middle(self, picture: Image, zone: Zone) -> Image:
        """The part of a picture in the middle of a place."""
        watcher = self.evening.feed.watcher
        assert watcher is not None
        x, y = watcher.calibration.projection.pixels([(zone.x, zone.y)])[0].astype(int)
        return picture[y - 6 : y + 7, x - 6 : x + 7]

    @property
    def zones(self) -> list[Zone]:
        """Where somebody's covered cards lie."""
        watcher = self.evening.feed.watcher
        assert watcher is not None
        return [zone for zone in watcher.layout.zones if zone.name.startswith(("Aki.", "Ben."))]


@pytest.fixture(name="no_waiting", autouse=True)
def pictures_are_made_for_each_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.api.PICTURE_EVERY", -1.0)


def watched(folder: Path, camera_for: CameraFor) -> Iterator[Watched]:
    settings = Settings(referee_pin=PIN, seats=(SeatPin("1"),) * 6, secret="s", camera_for=camera_for)
    with DataFolder(folder) as data:
        referee, journal = begin(data, game("high_card"), ("Aki", "Ben"), {}, datetime(2026, 1, 1, tzinfo=UTC))
        evening = Evening(referee, 7, settings)
        try:
            yield Watched(evening)
        finally:
            evening.close()
            journal.close()


@pytest.fixture(name="masked")
def masked_table(tmp_path: Path) -> Iterator[Watched]:
    yield from watched(tmp_path, "masked")


@pytest.fixture(name="delayed")
def delayed_table(tmp_path: Path) -> Iterator[Watched]:
    yield from watched(tmp_path, "delayed")


def far(one: Image, other: Image) -> float:
    return float(np.abs(one.astype(float) - other).mean())


def test_masked_places_are_painted_over_in_every_picture_until_the_end(masked: Watched) -> None:
    seen_by_referee = 0
    while not masked.evening.over:
        masked.evening.beat()
        shown, whole = masked.picture(masked.spectator), masked.picture(masked.referee)
        if shown is None or whole is None or masked.evening.over:
            continue
        for zone in masked.zones:
            assert far(masked.middle(shown, zone), np.full_like(masked.middle(shown, zone), PAINT[0])) < 3.0
            seen_by_referee += far(masked.middle(whole, zone), masked.middle(shown, zone)) > 10.0
        same = np.abs(shown.astype(int) - whole).max(2) < 40
        assert same.mean() > 0.4  # the rest of the table is there, and live

    assert seen_by_referee > 10


def test_a_delayed_picture_is_that_of_the_last_reveal_and_no_other(delayed: Watched) -> None:
    evening = delayed.evening
    pictures: list[bytes] = []
    revealed = [0]
    before: dict[str, object] = {}
    while not evening.over:
        evening.beat()
        now = dict(evening.service.referee.turned_up)
        if len(now) == 2 and len(before) < 2:
            revealed.append(revealed[-1] + 1)
        before = now
        answer = delayed.spectator.get("/camera.jpg")
        if not evening.over and answer.status_code == 200 and answer.data not in pictures:
            pictures.append(answer.data)
            # The cards that were just turned up lie there for everybody to see; nothing else has been laid yet.
            assert evening.service.lying_open
        if not revealed[-1]:
            assert answer.status_code == 204

    assert 2 <= len(pictures) <= revealed[-1]


def test_who_lifts_a_card_between_two_reveals_is_not_seen(delayed: Watched) -> None:
    evening = delayed.evening
    while delayed.picture(delayed.spectator) is None:
        evening.beat()
    while evening.service.lying_open:
        evening.beat()
    shown = delayed.spectator.get("/camera.jpg").data
    assert evening.feed.frame is not None
    lifted = np.full_like(evening.feed.frame, 255)  # a card held right under the camera

    evening.feed.frame = lifted

    assert delayed.spectator.get("/camera.jpg").data == shown
    seen = delayed.picture(delayed.referee)
    assert seen is not None
    assert far(seen, lifted) < 3.0

"""Camera and panels plugged into a service, the way `shinpan serve` does it."""

import os
import threading
import time
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.app.camera_feed import CameraFeed
from companion.app.senses import STEPPED_BACK, Senses
from companion.app.wiring import Devices, Keeping, eyes_for, open_devices, open_eye, put_together
from companion.cli import shinpan
from companion.core.events import MISSING, OK, SIMULATED, Press, trouble
from companion.core.layout import Zone
from companion.core.message import Message
from companion.games import game
from companion.record.evidence import Evidence
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.lobby import Arrangement, Lobby
from companion.referee.referee import Referee
from companion.referee.service import Service, TableDevices
from companion.upkeep.config import TableConfig
from vision.calibration.projection import TableProjection
from vision.camera.frames import VirtualCamera
from vision.pictures import Image
from vision.simulation.paint import paint
from vision.simulation.scene import Lying, Scene, SceneRenderer
from web.app import Settings


class Table:
    """A Sen So table for two with an empty data folder, and a studio to photograph it in."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.match = Match(game("sen_so"), ["Aki", "Ben"], {"end": {"actions": 3}})
        self.lines: list[object] = []
        self.layout = self.match.game.table.layout(self.match.state)
        self.deck = self.match.game.table.deck(self.match.state)
        self._studio = SceneRenderer(self.layout, TableProjection.overhead(self.layout.width, self.layout.height))
        self._noise = np.random.default_rng(1)

    def plug(self, feed: CameraFeed, evidence: Path | None = None) -> Senses:
        """A service that has this camera."""
        devices = TableDevices(feed.picture, evidence=Evidence(evidence))
        self.service = Service(Referee(RecordedMatch(self.match, self._write)), lambda: 0.0, devices)
        return Senses(self.service, feed)

    def _write(self, fields: object) -> int:
        self.lines.append(fields)
        return len(self.lines) + 1

    def photograph(self, *cards: Lying) -> Image:
        return self._studio.frame(Scene(cards), self._noise)

    def down(self, player: str) -> list[Lying]:
        zones = [zone for zone in self.layout.zones if zone.name.startswith(player)]
        return [self._lying(zone) for zone in zones]

    def _lying(self, zone: Zone) -> Lying:
        return Lying(self.deck.back, zone.x, zone.y, zone.turn, holder_turn=zone.turn)

    def prepare(self) -> None:
        """What an owner does on the first evening: pictures of the cards, the clear table, two commands."""
        pictures = self.data / "pictures"
        pictures.mkdir()
        for name, card in self.deck.cards.items():
            cv2.imwrite(str(pictures / f"{name}.png"), paint(card.face, 6.0).image)
        cv2.imwrite(str(pictures / "back.png"), paint(self.deck.back, 6.0).image)
        cv2.imwrite(str(self.data / "clear.png"), self.photograph())
        run = CliRunner().invoke
        for arguments in (
            ["enrol", "sen_so", "--images", str(pictures), "--data", str(self.data)],
            ["calibrate", "sen_so", "--image", str(self.data / "clear.png"), "--data", str(self.data)],
        ):
            done = run(shinpan, arguments)
            assert done.exit_code == 0, done.output


def test_cards_enrolled_and_a_table_calibrated_by_command_are_refereed(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.prepare()
    films = tmp_path / "film"
    films.mkdir()
    for number in range(10):
        cv2.imwrite(str(films / f"{number:02}.png"), table.photograph(*table.down("Aki")))

    eyes = eyes_for(tmp_path, table.match)
    feed = CameraFeed(open_eye(f"images:{films}")[0], eyes.watcher, eyes.blind)
    senses = table.plug(feed, tmp_path / "evidence")
    for name in table.match.players:
        table.service.referee.record.move(
            name, table.match.decode({"move": "arm", "weapons": ["katana", "kau_sin_ke"]}), 0.0
        )
    for _ in range(10):
        senses.look()
    table.service.submit(Press(0, "ready", 0.0))
    senses.look()

    assert eyes.blind is None
    slots = ("weapon", "block", "action1", "action2")
    move, picture = table.lines[-2:]
    assert move == {"by": "Aki", "move": "set", "slots": slots, "at": 0.0}
    assert (feed.picture() or b"").startswith(b"\xff\xd8")
    name = f"{len(table.lines):05}"
    assert [path.name for path in (tmp_path / "evidence").iterdir()] == [f"{name}.jpg"]
    digest = sha256((tmp_path / "evidence" / f"{name}.jpg").read_bytes()).hexdigest()
    assert picture == {"picture": digest, "of": [name], "at": 0.0}


def test_a_table_that_is_not_prepared_says_what_to_do_and_shows_its_picture(tmp_path: Path) -> None:
    table = Table(tmp_path)
    cv2.imwrite(str(tmp_path / "a.png"), table.photograph())

    eyes = eyes_for(tmp_path, table.match)
    feed = CameraFeed(open_eye(f"images:{tmp_path}")[0], eyes.watcher, eyes.blind)
    senses = table.plug(feed)
    senses.look()

    assert eyes.watcher is None
    assert "not enrolled" in str(table.service.referee.senses["camera"].message)
    assert feed.picture() is not None


@pytest.mark.parametrize("source", ["file:nowhere", "images:nowhere", "crystal ball"])
def test_a_camera_that_is_not_there_is_one_sentence(source: str) -> None:
    camera, condition = open_eye(source)
    assert condition is not None
    said = str(condition.message)

    assert camera is None
    assert said.endswith((".", "?"))
    assert len(said.splitlines()) == 1


def test_a_camera_that_is_not_plugged_in_yet_is_waited_for() -> None:
    camera, _ = open_eye("v4l2:/dev/video99")

    assert camera is not None
    camera.close()
    assert "cannot be opened" in str(camera.condition.message)


def test_a_camera_that_goes_and_comes_back_is_told(tmp_path: Path) -> None:
    table = Table(tmp_path)
    camera = VirtualCamera()
    senses = table.plug(CameraFeed(camera))
    seen = []
    out = trouble(Message("The cable is out."))
    for condition in (OK, out, OK):
        camera.condition = condition
        senses.look()
        seen.append(table.service.referee.senses["camera"])

    assert seen == [OK, out, OK]


class Reader:
    """A watcher that takes its time over a frame, and notes which frames it was given."""

    notice = None

    def __init__(self, feed: list[CameraFeed], then: "Reader | None" = None) -> None:
        self.frames: list[int] = []
        self._feed, self._then = feed, then

    def look(self, frame: Image, now: float) -> None:
        self.frames.append(int(frame[0, 0, 0]))
        if self._then is not None:  # somebody measures the table anew while this frame is being read
            self._feed[0].see_with(self._then)  # type: ignore[arg-type]
            assert self._feed[0].watcher is self._then


def test_the_watcher_changes_between_two_frames(tmp_path: Path) -> None:
    """What is being read is read to its end by what began to read it; the next frame is the new one's."""
    camera, feeds = VirtualCamera(), list[CameraFeed]()
    new = Reader(feeds)
    old = Reader(feeds, then=new)
    feeds.append(CameraFeed(camera, old))  # type: ignore[arg-type]
    for number in (1, 2, 3):
        camera.show(np.full((4, 4, 3), number, np.uint8))
        feeds[0].look(lambda: 0.0)

    assert (old.frames, new.frames) == ([1], [2, 3])


def test_a_table_is_put_together_in_one_place(tmp_path: Path) -> None:
    """Pages, senses and match of the running table all speak of the same devices."""
    table = Table(tmp_path)
    camera = VirtualCamera()
    settings = Settings(referee_pin="1", secret="s")
    referee = Referee(RecordedMatch(table.match, table._write))
    running = put_together(referee, lambda: 0.0, settings, Devices(camera, conditions={"timer": MISSING}))
    running.play(referee, Keeping(pictures=tmp_path / "p"))
    camera.show(table.photograph())
    running.senses.look()

    assert running.service.picture() == running.feed.picture() is not None
    assert running.service.evidence.folder == tmp_path / "p"
    assert running.service.camera_setup.aim().fits
    assert referee.senses == {"timer": MISSING, "camera": SIMULATED}
    assert running.app.test_client().get("/api/page").get_json()["senses"]["timer"]["state"] == "missing"


def test_what_is_switched_off_by_choice_is_not_said_to_be_missing(tmp_path: Path) -> None:
    off = TableConfig(camera="none", panels=("none",))
    assert open_devices(off, tmp_path, lambda: 0.0).conditions == {}

    wanted = TableConfig(camera="none", panels=("socket://127.0.0.1:9",))
    conditions = open_devices(wanted, tmp_path, lambda: 0.0).conditions
    assert conditions["panel 1"] == MISSING
    assert "camera" not in conditions


def test_the_cameras_thread_lets_the_others_go_first():
    """On a busy machine the camera is slow before the match is."""
    service = Service(Lobby(Arrangement(), lambda arrangement: None), time.monotonic)
    senses, looked, niceness = Senses(service, CameraFeed()), threading.Event(), []

    def look() -> None:
        niceness.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        looked.set()

    senses.look = look
    senses.start()
    assert looked.wait(10.0)
    senses.stop()
    assert niceness[0] == min(19, os.getpriority(os.PRIO_PROCESS, 0) + STEPPED_BACK)

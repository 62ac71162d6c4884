"""Looking after a table that runs: the first visit, settings, backups and sticks, from a browser."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.app.housekeeping import CLAIMABLE, House
from companion.app.table import Table
from companion.app.wiring import Devices, Eyes
from companion.cli.serving import apply_settings, claim_table, kept_settings
from companion.record.journal import DataFolder
from companion.upkeep.backup import kept
from companion.upkeep.config import Configured, configured
from companion.upkeep.machine import MachineProbe
from companion.upkeep.restore import look_through

ORIGIN = {"Origin": "http://localhost"}


class Home:
    """A real table in a folder, with its house, and browsers at it."""

    def __init__(self, folder: DataFolder, root: Path, *, first: bool = True, text: str = "") -> None:
        self.data, self.root, self.now = folder.path, root, 1000.0
        self.file = folder.path / "shinpan.toml"
        self.file.write_text(f"# ours\ncamera = 'none'\npanels = ['none']\n{text}")
        holds: Configured = configured({"data": str(folder.path)}, self.file, {})
        self.settings, _ = kept_settings(folder.path, holds.table)
        self.table = Table(folder, lambda: 0.0, self.settings, Devices(), lambda match: Eyes())
        running = self.table.running
        self.house = House(
            running,
            holds,
            partial(apply_settings, self.table, self.settings),
            {"data": str(folder.path)},
            self.file,
            first=first,
            claim=partial(claim_table, running.app, folder.path),
            clock=lambda: self.now,
            probe=MachineProbe(root),
        )
        running.service.house = self.house
        self.app = running.app

    def browser(self, pin: str = "") -> FlaskClient:
        client = self.app.test_client()
        if pin:
            assert post(client, "/api/login", role="referee", pin=pin)[0] == 200
        return client

    def referee(self) -> FlaskClient:
        return self.browser(self.settings.referee_pin)

    def plug_in(self, name: str = "STICK", number: str = "12AB-34CD") -> Path:
        """A stick, as the kernel shows it."""
        place = self.root / "media" / name
        for folder in (place, self.root / "proc/self", self.root / "sys/block/sda", self.root / "dev/disk/by-uuid"):
            folder.mkdir(parents=True, exist_ok=True)
        (self.root / "sys/block/sda/removable").write_text("1\n")
        (self.root / "dev/sda1").touch()
        (self.root / "dev/disk/by-uuid" / number).symlink_to("../../sda1")
        mounts = f"/dev/root / ext4 rw 0 0\n/dev/sda1 {place} vfat rw,nosuid 0 0\n"
        (self.root / "proc/self/mounts").write_text(mounts)
        return place


def post(client: FlaskClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = client.post(path, json=body, headers=ORIGIN)
    return answer.status_code, answer.get_json()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    with DataFolder(tmp_path / "data") as folder:
        made = Home(folder, tmp_path / "root")
        yield made
        made.table.close()


def test_the_first_visit_leads_to_the_wizard_and_its_pin_is_the_referees(home: Home) -> None:
    first, second = home.browser(), home.browser()

    assert first.get("/").headers["Location"] == "/welcome"
    assert b'id="claim"' in first.get("/welcome").data
    status, said = post(first, "/api/welcome/claim", pin="12345")
    assert (status, said["field"]) == (409, "pin")
    assert post(first, "/api/welcome/claim", pin="246813")[0] == 200
    assert post(second, "/api/welcome/claim", pin="999999")[0] == 409
    assert second.get("/welcome").status_code == 401
    assert second.get("/").status_code == 200
    assert post(home.browser("246813"), "/api/welcome/done", step="camera")[0] == 200
    assert home.house.awaited() == ("cards", "panels", "timer", "trial")
    assert post(first, "/api/welcome/done", step="all")[0] == 200
    assert home.house.awaited() == ()


def test_once_the_referee_has_logged_in_nobody_else_chooses_the_pin(home: Home) -> None:
    referee, stranger = home.referee(), home.browser()

    assert post(stranger, "/api/welcome/claim", pin="111222")[0] == 409
    assert stranger.get("/welcome").status_code == 401
    assert referee.get("/welcome").status_code == 200
    assert home.house.awaited() == ("camera", "cards", "panels", "timer", "trial")


def test_a_new_table_that_was_left_alone_is_not_for_whoever_finds_it_later(home: Home) -> None:
    home.now += CLAIMABLE + 1
    away, screen = home.browser(), home.browser()
    asked = {"json": {"pin": "246813"}, "headers": ORIGIN}

    answer = away.post("/api/welcome/claim", environ_overrides={"REMOTE_ADDR": "192.168.1.66"}, **asked)
    assert answer.status_code == 409
    assert "within 30 minutes" in answer.get_json()["text"]
    assert answer.get_json()["field"] == "pin"
    assert home.house.awaited()[0] == "pin"

    assert screen.post("/api/welcome/claim", environ_overrides={"REMOTE_ADDR": "127.0.0.1"}, **asked).status_code == 200


def test_a_table_that_was_used_before_has_no_first_visit(tmp_path: Path) -> None:
    with DataFolder(tmp_path / "data") as folder:
        home = Home(folder, tmp_path / "root", first=False)

        assert home.browser().get("/").status_code == 200
        assert post(home.browser(), "/api/welcome/claim", pin="246813")[0] == 409
        home.table.close()


def test_settings_hold_at_once_where_they_can_and_say_so_where_they_cannot(home: Home) -> None:
    referee = home.referee()

    status, said = post(referee, "/api/settings", values={"lobby_for": "referee", "idle_frames": 4, "port": 81})

    assert status == 200
    assert said["told"] == [f"Saved in {home.file}.", "From the next start on: port."]
    assert home.table.running.feed.pace.idle == 0.25
    assert post(home.browser(), "/api/lobby", what="game", data={"game": "sen_so"})[0] == 403
    assert home.file.read_text().startswith("# ours\n")
    assert configured({}, home.file, {}).table.port == 81


def test_a_wrong_setting_is_told_at_its_place_and_nothing_is_written(home: Home) -> None:
    before = home.file.read_text()

    status, said = post(home.referee(), "/api/settings", values={"review": True, "port": 70000})

    assert (status, said["field"]) == (409, "port")
    assert said["text"] == "That cannot be set: port must be at most 65535."
    assert home.file.read_text() == before


def test_a_new_pin_ends_the_old_logins(home: Home) -> None:
    referee = home.referee()

    assert post(referee, "/api/settings", values={"referee_pin": "864209"})[0] == 200

    assert referee.get("/upkeep").status_code == 401
    assert home.browser("864209").get("/upkeep").status_code == 200


def test_the_doctor_is_on_the_page_and_mends_what_is_harmless(home: Home) -> None:
    referee = home.referee()
    (home.data / "logins.json").chmod(0o644)

    before = {each["name"]: each["state"] for each in referee.get("/api/doctor").get_json()["checks"]}
    _, said = post(referee, "/api/doctor/fix")
    after = {each["name"]: each["state"] for each in said["checks"]}

    assert (before["private"], after["private"]) == ("trouble", "ok")
    assert before["service"] == "ok"
    assert "Private again: logins.json." in said["told"]
    assert home.browser().get("/api/doctor").status_code == 403


def test_a_stick_is_asked_about_once(home: Home) -> None:
    referee = home.referee()
    place = home.plug_in()

    assert home.house.stick() is not None
    status, said = post(referee, "/api/backup/stick", answer="always")

    assert (status, said["stick"]) == (200, None)
    (path,) = kept(place / "shinpan-backups")
    assert look_through(path).files
    assert home.house.do_what_is_due(path.stat().st_mtime + 3600) == []
    assert len(home.house.do_what_is_due(path.stat().st_mtime + 2 * 86400)) == 1


def test_a_stick_that_is_not_wanted_stays_empty(home: Home) -> None:
    place = home.plug_in()

    assert post(home.referee(), "/api/backup/stick", answer="never")[1]["text"] == "No backups go to STICK."

    assert home.house.stick() is None
    assert home.house.do_what_is_due(1e10) == []
    assert list(place.iterdir()) == []


def test_a_backup_is_made_by_itself_when_it_is_due(home: Home) -> None:
    (home.data / "matches" / "2026-01-01-200000-sen_so.kifu").write_text('{"kifu": 1}\n')

    (told,) = home.house.do_what_is_due(2e9)
    (path,) = kept(home.data / "backups")

    assert path.name in str(told)
    assert home.house.do_what_is_due(path.stat().st_mtime + 3600) == []
    assert post(home.referee(), "/api/backup")[1]["backups"][0]["name"].startswith("shinpan-")

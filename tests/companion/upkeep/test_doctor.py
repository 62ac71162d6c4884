"""The doctor against tables that are broken in one way each: it names what is wrong, and what it says mends it."""

import os
import socket
import tarfile
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

import cv2
import msgspec
import pytest

from companion.cli import run
from companion.core.wording import LANGUAGES
from companion.record.journal import DataFolder
from companion.referee.lobby_view import check_shown
from companion.upkeep.facts import (
    CameraFacts,
    DiskFacts,
    Facts,
    PanelFacts,
    PanelsFacts,
    ServiceFacts,
    SystemFacts,
)
from companion.upkeep.pictures import camera_facts, sharpness
from companion.upkeep.sense_checks import CHECKS, examined
from tests.companion.upkeep.patient import TABLE, USER, Patient, gallery_of, table_seen

Step = Callable[[Patient], None]


@pytest.fixture
def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Patient]:
    made = Patient(tmp_path, monkeypatch)
    yield made
    made.close()


class Case(NamedTuple):
    name: str
    """The check that must tell."""
    breaks: Step
    told: str
    by_hand: Step | None = None
    """What a person does who reads it, where no command does."""


def write(name: str, text: str) -> Step:
    def step(patient: Patient) -> None:
        path = patient.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    return step


def data(name: str, content: bytes, rights: int = 0o600) -> Step:
    def step(patient: Patient) -> None:
        path = patient.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(rights)

    return step


def conf(line: str) -> Step:
    return lambda patient: patient.set(line)


def both(*steps: Step) -> Step:
    def step(patient: Patient) -> None:
        for each in steps:
            each(patient)

    return step


def no_data(patient: Patient) -> None:
    for path in sorted(patient.data.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    patient.data.rmdir()


def old_backup(patient: Patient) -> None:
    assert patient.run("shinpan backup") == 0
    (path,) = (patient.data / "backups").iterdir()
    os.utime(path, (time.time() - 9 * 86400,) * 2)


def hung(patient: Patient) -> None:
    patient.locks.append(DataFolder(patient.data).__enter__())


def taken_port(patient: Patient) -> None:
    port = patient.facts().network.port
    patient.sockets.append(socket.create_server(("127.0.0.1", port)))


def leave_group(group: str) -> Step:
    def step(patient: Patient) -> None:
        path = patient.root / "etc/group"
        path.write_text("".join(
            line.replace(USER, "") if line.startswith(group) else line for line in path.read_text().splitlines(True)
        ))  # fmt: skip

    return step


def light_on(patient: Patient) -> None:
    patient.show(TABLE)


KIFU = data("matches/2026-01-01-200000-sen_so.kifu", b'{"kifu": 1}\n')
LOGINS = b'{"referee_pin": "135791"}'
CASES = {
    "a setting that does not exist": Case("config", conf("prot = 80"), "line 1: there is no setting called prot"),
    "a value of the wrong kind": Case("config", conf("port = 'high'"), "line 1: port must be a whole number"),
    "a configuration with PINs that everybody can read": Case(
        "config", both(conf("referee_pin = '135791'"), lambda p: p.config.chmod(0o644)), "there are PINs in it"
    ),
    "a package that is missing": Case("packages", write("packages", "segno"), "Packages are missing: segno."),
    "OpenCV twice": Case("packages", write("packages", "+opencv-python"), "OpenCV is installed twice"),
    "a table that hangs": Case("service", hung, "its pages do not answer"),
    "no data folder": Case("data", no_data, "is not there"),
    "a data folder of somebody else": Case("data", write("foreign", ""), "shinpan may not write to the data folder"),
    "a disk that can only be read": Case("data", write("readonly", ""), "can only be read"),
    "a full disk": Case("disk", write("full", ""), "Only 1 MB are free on the disk"),
    "a worn card": Case(
        "wear",
        write("sys/block/mmcblk0/device/life_time", "0x09 0x02\n"),
        "The card has used 90 % of its life.",
        write("sys/block/mmcblk0/device/life_time", "0x01 0x01\n"),
    ),
    "a damaged file that was set aside": Case(
        "files", data("panels.json.damaged-1", b"?"), "A damaged file was set aside: panels.json.damaged-1."
    ),
    "secrets that others can read": Case("private", data("logins.json", LOGINS, 0o644), "logins.json"),
    "a user who is not in a group": Case("groups", leave_group("video"), "shinpan is not in the group video."),
    "a clock that nothing sets": Case("clock", write("ntp", "NTP=no\nNTPSynchronized=no\n"), "nothing sets it"),
    "a weak power supply": Case(
        "power",
        write("throttled", "throttled=0x50005\n"),
        "The voltage is too low now.",
        write("throttled", "throttled=0x0\n"),
    ),
    "power that was weak": Case(
        "power",
        write("throttled", "throttled=0x50000\n"),
        "too low since the last start",
        write("throttled", "throttled=0x0\n"),
    ),
    "no air": Case(
        "heat",
        write("sys/class/thermal/thermal_zone0/temp", "84200\n"),
        "The processor has 84 °C. Give it air",
        write("sys/class/thermal/thermal_zone0/temp", "51000\n"),
    ),
    "no network": Case("name", write("offline", ""), "on no network"),
    "no name": Case("name", write("hostname", "localhost\n"), "no name of its own"),
    "a port that somebody else has": Case("port", taken_port, "is taken"),
    "a damaged certificate": Case("tls", both(conf("tls = true"), data("tls/table.pem", b"?")), "table.pem is damaged"),
    "no backup": Case("backups", KIFU, "There is no backup yet."),
    "an old backup": Case("backups", both(KIFU, old_backup), "The newest backup is 9 days old."),
    "a folder for backups that is gone": Case(
        "backups", both(conf("backup_folder = '/nowhere/at/all'"), KIFU), "/nowhere/at/all, is not there"
    ),
    "no camera": Case("camera", conf("camera = 'v4l2:/dev/no-camera'"), "no-camera"),
    "a camera that may not be opened": Case(
        "camera",
        both(conf("camera = 'v4l2:0'"), write("dev/video0", ""), leave_group("video")),
        "The camera /dev/video0 is there, and may not be opened.",
    ),
    "darkness": Case("exposure", lambda p: p.show(TABLE // 8), "too dark", light_on),
    "a lens cap": Case("exposure", lambda p: p.show(TABLE * 0), "The picture is black", light_on),
    "a lens that is out of focus": Case(
        "focus", lambda p: p.show(cv2.GaussianBlur(TABLE, (0, 0), 3.2)), "out of focus", light_on
    ),
    "two covered markers": Case(
        "markers",
        lambda p: p.show(cv2.rectangle(TABLE.copy(), (0, 0), (TABLE.shape[1], 300), (60, 80, 50), -1)),
        "(far left)",
        light_on,
    ),
    "a table that was never measured": Case("markers", lambda p: (p.data / "calibration.json").unlink(), "calibrate"),
    "a damaged measurement": Case("calibration", data("calibration.json", b"?"), "is not a calibration"),
    "a camera that was pushed": Case("calibration", lambda p: p.show(table_seen(24)), "has moved by 24 pixels"),
    "cards that are not enrolled": Case(
        "cards",
        lambda p: (p.data / "galleries/sen_so.gallery").unlink(),
        "11 cards of this game are not enrolled.",
        lambda p: gallery_of("sen_so").save(p.data / "galleries/sen_so.gallery"),
    ),
    "no panel": Case("panels", conf("panels = ['/dev/no-panel']"), "no-panel", conf("panels = ['none']")),
    "a timer without pins": Case("timer", conf("timer = 'gpio'"), "no GPIO pins"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_broken_is_named_and_mended_by_what_the_doctor_says(patient: Patient, case: Case) -> None:
    case.breaks(patient)

    found = patient.look()[case.name]

    assert found.state == "trouble"
    assert case.told in str(found.message)
    if case.by_hand is not None:
        case.by_hand(patient)
        found = patient.look()[case.name]
    for _ in range(2):  # behind one trouble there may be another: the camera may be opened now, and is not there
        if found.state == "trouble":
            assert found.command, "somebody has to be told what to do"
            assert patient.run(found.command) == 0
            if found.name == "tls":
                patient.mend(found)  # a restart makes the certificate; there is none to be restarted here
            found = patient.look()[case.name]
    assert found.state != "trouble"


def test_a_table_that_is_well_is_told_so(patient: Patient) -> None:
    assert {name: str(each.message) for name, each in patient.look().items() if each.state == "trouble"} == {}


def test_one_covered_marker_is_told_and_is_no_trouble(patient: Patient) -> None:
    patient.show(cv2.rectangle(TABLE.copy(), (0, 0), (300, 300), (60, 80, 50), -1))

    found = patient.look()["markers"]

    assert found.state == "ok"
    assert str(found.message) == "Marker 3 (far left) is hidden: the other three do, a little less exactly."


FIXED = [
    name for name, case in CASES.items() if case.name in ("config", "private", "tls", "backups") or "no data" in name
]


@pytest.mark.parametrize("name", [each for each in FIXED if "gone" not in each])
def test_what_is_harmless_is_mended_by_the_doctor_itself(patient: Patient, name: str) -> None:
    case = CASES[name]
    case.breaks(patient)
    found = patient.look()[case.name]

    assert found.fix
    patient.mend(found)
    assert patient.look()[case.name].state != "trouble"


NOT_HERE: dict[str, tuple[Facts, str]] = {
    "python": (Facts(system=SystemFacts(python=(3, 9))), "3.11 or newer"),
    "speed": (Facts(disk=DiskFacts(fsync=0.6)), "That is slow"),
    "links": (Facts(panels=PanelsFacts(True, True, (PanelFacts("p", "b", "1.0", old=True),))), "a newer one is here"),
    "camera": (Facts(camera=camera_facts("v4l2:0", [TABLE] * 5, 1.0, None, live=True)), "the same picture again"),
    "rate": (Facts(camera=CameraFacts("auto", looked=True, rate=1.4)), "1.4 pictures a second. That is slow"),
    "clock": (Facts(system=SystemFacts(today=date(1970, 1, 1))), "The clock says 1970-01-01"),
    "panels": (
        Facts(panels=PanelsFacts(True, True, (PanelFacts("p", "b"),), without=(3,))), "Seat 3 has no panel."
    ),
    "service": (Facts(service=ServiceFacts(7, True, ("camera",))), "these stand still: camera"),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_HERE)
def test_what_cannot_be_broken_here_is_told_from_its_facts(name: str) -> None:
    facts, told = NOT_HERE[name]

    (found,) = (each for each in examined(facts) if each.name == name)

    assert found.state == "trouble"
    assert told in str(found.message)


def test_a_cable_that_loses_lines_is_told() -> None:
    facts = Facts(panels=PanelsFacts(True, True, (PanelFacts("p", "b", "1.1", lost=4, damaged=9),)))

    (found,) = (each for each in examined(facts) if each.name == "links")

    assert str(found.message).startswith("On the cable of panel b 4 lines were lost and 9 damaged")


def test_each_thing_is_checked_once_and_says_something_in_every_language() -> None:
    found = examined(Facts())

    assert len({each.name for each in found}) == len(CHECKS) > 25
    for language in LANGUAGES:
        assert all(check_shown(each, language).text for each in found)


def test_focus_is_told_from_the_edges_of_the_markers() -> None:
    sharp, soft = sharpness(TABLE), sharpness(cv2.GaussianBlur(TABLE, (0, 0), 3.2))

    assert sharp is not None
    assert soft is not None
    assert soft < 0.17 < 0.25 < sharp


# --- the command --------------------------------------------------------------------------------------------------


def test_the_command_prints_one_line_each_and_the_report_has_no_secret(
    patient: Patient, capsys: pytest.CaptureFixture[str]
) -> None:
    patient.set("referee_pin = '135791'")
    patient.set("camera = 'none'")
    patient.set("webhooks = ['https://hooks.example/T0KEN']")
    data("logins.json", LOGINS, 0o644)(patient)
    (patient.data / "evening.events").write_text('{"events": 1}\n{"half')
    capsys.readouterr()

    with pytest.raises(SystemExit) as ended:
        run(["doctor", "--fix", "--bundle", "-o", "report.tar.gz"])
    told = capsys.readouterr().out

    assert ended.value.code in (0, 1)
    assert "Private again: logins.json." in told
    assert "✓ private" in told
    with tarfile.open("report.tar.gz") as report:
        parts = {each.name: report.extractfile(each).read() for each in report}  # type: ignore[union-attr]
    assert not [name for name, content in parts.items() if b"135791" in content or b"T0KEN" in content]
    assert parts["shinpan-report/evening.events"] == b'{"events": 1}\n'
    assert msgspec.json.decode(parts["shinpan-report/settings.json"])["referee_pin"]["value"] == "******"

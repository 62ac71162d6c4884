"""Nothing that is only convenient keeps a match from being played: it is set aside under another name, and said."""

import zlib
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from companion.app.live_camera_setup import CALIBRATION
from companion.app.match_store import begin, last_time, resume
from companion.app.table import Table
from companion.app.wiring import NO_EYES, Devices, Keeping, eyes_for, open_devices, put_together
from companion.core.events import Tap, Tick
from companion.core.files import PRIVATE, set_aside, write_whole
from companion.core.message import message
from companion.games import game
from companion.record import kifu
from companion.record.journal import LONGEST_LINE, DataFolder, Journal, JournalFailed
from companion.record.recorded_match import REFUSALS
from companion.record.replay import Replay
from companion.referee.timekeeper import LINE_EVERY
from companion.upkeep.config import TableConfig
from firmware_interface import bindings
from vision.enrolment.from_folder import gallery_path
from web.app import Settings

SEN_SO = game("sen_so")
BEGAN = datetime(2026, 1, 1)
NOT_TEXT = b"\x00\x00\xff\xfe garbage \x00"


def two_begun(folder: DataFolder) -> Path:
    _, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, BEGAN)
    journal.close()
    return journal.path


def test_a_file_that_is_set_aside_keeps_its_bytes_and_the_next_one_gets_another_number(tmp_path: Path) -> None:
    path = tmp_path / "panels.json"
    for number in (1, 2):
        path.write_bytes(b"%d" % number)
        told = str(set_aside(path, message("{file} is not a kifu.", file=path.name)))
        assert f"panels.json.damaged-{number}" in told
        assert (tmp_path / f"panels.json.damaged-{number}").read_bytes() == b"%d" % number
        assert not path.exists()


def test_a_private_file_is_private_even_where_an_open_one_was(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    write_whole(path, b"old")
    path.with_name("secret.new").write_bytes(b"left by a power cut")
    write_whole(path, b"new", rights=PRIVATE)

    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("damage", [b"", b"{", NOT_TEXT, b"[" * 100_000, b'{"a":[1],"b":[1]}', b'{"a":["one"]}'])
def test_panels_that_were_seated_during_a_power_cut_cost_no_match(
    tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    with DataFolder(tmp_path) as folder:
        two_begun(folder)
        (tmp_path / bindings.FILE).write_bytes(damage)
        going_on = resume(folder, SEN_SO)
        assert going_on is not None
        referee, journal = going_on
        table = TableConfig(camera="none", panels=("socket://127.0.0.1:9",))
        devices = open_devices(table, tmp_path, lambda: 0.0)
        settings = Settings(referee_pin="123456", secret="s")
        put_together(referee, lambda: 0.0, settings, devices).play(referee, Keeping(tmp_path))
        journal.close()
        assert devices.panels is not None
        devices.panels.close()

    assert (tmp_path / "panels.json.damaged-1").read_bytes() == damage
    assert "panels.json.damaged-1" in str(referee.said[-1].message)
    assert "panels.json.damaged-1" in caplog.text


def test_any_damage_to_the_panels_seats_is_survived(tmp_path: Path) -> None:
    whole, chance = b'{"e660b4400768a82f": [1], "e660b44007662d2c": [2, 3]}\n', Random(1)
    path = tmp_path / bindings.FILE
    for _ in range(500):
        damaged = bytearray(whole[: chance.randrange(len(whole) + 1)])
        for _ in range(min(len(damaged), chance.randrange(3))):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        bindings.load_or_set_aside(path)
        assert not path.exists() or bindings.load(path) is not None
        for aside in tmp_path.glob("*.damaged-*"):
            aside.unlink()


@pytest.mark.parametrize(
    "damage", [b"", b"{}", NOT_TEXT, b"[" * 100_000, b'{"width":1e999}', b'{"width":NaN,"height":1,"view":1}']
)
def test_a_damaged_calibration_and_gallery_are_set_aside(tmp_path: Path, damage: bytes) -> None:
    pictures = gallery_path(tmp_path, "sen_so")
    pictures.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / CALIBRATION).write_bytes(damage)
    pictures.write_bytes(damage)
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, BEGAN)
        journal.close()
    eyes = eyes_for(tmp_path, referee.match)

    assert len(eyes.notices) == 2
    assert (tmp_path / f"{CALIBRATION}.damaged-1").read_bytes() == damage
    assert pictures.with_name(f"{pictures.name}.damaged-1").read_bytes() == damage


def test_corrections_that_no_person_wrote_are_set_aside(tmp_path: Path) -> None:
    cards = tmp_path / "cards"
    cards.mkdir()
    (cards / "sen_so.toml").write_bytes(NOT_TEXT)
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, BEGAN)
        journal.close()

    assert "sen_so.toml.damaged-1" in str(referee.said[-1].message)


@pytest.mark.parametrize("name", ["zzz-sen_so.kifu", "copy of 2026-01-01-000000-sen_so.kifu", "9999-sen_so.kifu"])
@pytest.mark.parametrize("content", [b"not a kifu\n", b'{"kifu":1,"game":"sen_so","players":["Cho","Dai"]}\n'])
def test_a_stray_file_does_not_keep_a_match_from_coming_back(tmp_path: Path, name: str, content: bytes) -> None:
    with DataFolder(tmp_path) as folder:
        path = two_begun(folder)
        (folder.matches / name).write_bytes(content)
        (folder.matches / "2027-01-01-000000-sen_so.kifu").mkdir()
        going_on = resume(folder, SEN_SO)
        assert going_on is not None
        going_on[1].close()

        assert going_on[1].path == path
        assert (folder.matches / name).read_bytes() == content


@pytest.mark.parametrize("content", [b"\x00" * 512 + b"\n", b"hello\nworld\n", b"[" * 100_000 + b"\n"])
def test_a_newer_file_without_any_match_in_it_is_set_aside(tmp_path: Path, content: bytes) -> None:
    with DataFolder(tmp_path) as folder:
        path = two_begun(folder)
        newer = folder.matches / "2027-01-01-000000-sen_so.kifu"
        newer.write_bytes(content)
        going_on = resume(folder, SEN_SO)
        assert going_on is not None
        referee, journal = going_on
        notice = referee.said[-1].message
        journal.close()

        assert journal.path == path
        assert f"{newer.name}.damaged-1" in str(notice)
        assert newer.with_name(f"{newer.name}.damaged-1").read_bytes() == content


def test_a_damaged_newest_match_does_not_keep_the_table_from_starting(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        path = two_begun(folder)
        path.write_bytes(path.read_bytes().replace(b"Ben", b"Bea", 1))
        table = Table(folder, lambda: 0.0, Settings(referee_pin="123456", secret="s"), Devices(), lambda match: NO_EYES)
        resumed, lobby = table.resume(), table.running.service.lobby
        assert resumed is None
        assert lobby is not None
        table.close()

        assert path.with_name(f"{path.name}.damaged-1").exists()
        assert any(f"{path.name} cannot go on: line 1" in str(each) for each in lobby.notices)
        assert any("set aside" in str(each) for each in lobby.notices)
        assert folder.newest("sen_so") is None


def remembered(text: str) -> bytes:
    return b"%b %08x\n" % (text.encode(), zlib.crc32(text.encode()))


@pytest.mark.parametrize("text", ["000000003.60", "000080002.00", "inf", "nan", "-1", "1e400", "000000000.00"])
@pytest.mark.parametrize("checked", [True, False])
def test_an_edited_clock_ends_no_match(tmp_path: Path, text: str, checked: bool) -> None:
    with DataFolder(tmp_path) as folder:
        path = two_begun(folder)
        path.with_suffix(".clock").write_bytes(remembered(text) if checked else text.encode() + b"\n")
        going_on = resume(folder, SEN_SO)
        assert going_on is not None
        referee, journal = going_on
        written = last_time(kifu.load(path))

        assert written <= referee.clock.read(0.0) <= written + LINE_EVERY
        referee.handle(Tap("referee", "resume", {}, 0.0))
        referee.handle(Tick(0.02))
        journal.close()
        assert not referee.match.over
        assert not Replay.of(path).finish().over


def test_one_flipped_bit_in_the_clock_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "a.kifu"
    journal = Journal.create(path, {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]})
    journal.keep_elapsed(12.34)
    journal.close()
    assert Journal.elapsed(path) == 12.34
    clock = path.with_suffix(".clock")
    whole = clock.read_bytes().rstrip()
    for bit in range(8 * len(whole)):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        clock.write_bytes(flipped)
        assert Journal.elapsed(path) == 0.0, bit


def test_a_line_that_would_make_the_kifu_too_large_to_be_read_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.kifu"
    journal = Journal.create(path, {"kifu": 1, "game": "sen_so", "players": ["Aki", "Ben"]})
    with pytest.raises(JournalFailed, match="too long"):
        journal.append({"note": "x" * LONGEST_LINE})
    monkeypatch.setattr(kifu, "LARGEST", 400)
    while journal.path.stat().st_size < 350:
        journal.append({"note": "short"})
    with pytest.raises(JournalFailed, match="Begin another match"):
        journal.append({"note": "x" * 50})
    journal.close()

    assert len(kifu.load(path)) <= 400
    again, notice = Journal.reopen(path)
    again.close()
    assert notice is None


def test_refused_moves_cannot_fill_a_kifu(tmp_path: Path) -> None:
    with DataFolder(tmp_path) as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, BEGAN)
        for number in range(500):
            weapons = ["x" * 60_000] if number % 2 else ["katana", "katana"]
            outcome = referee.handle(Tap("Ben", "move", {"move": "arm", "weapons": weapons}, number / 100))
            assert outcome.refusal is not None
        journal.close()
        written = kifu.load(journal.path)

        assert written.count(b"\n") <= REFUSALS + 2
        assert len(written) < 20_000
        assert Replay(written).finish().moves == 0
        going_on = resume(folder, SEN_SO)
        assert going_on is not None
        going_on[1].close()

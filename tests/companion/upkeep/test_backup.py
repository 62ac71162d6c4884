"""Backups: one file, made while a match is played, and put back whole or not at all."""

import gzip
import hashlib
import io
import os
import sqlite3
import tarfile
import time
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.app.match_store import begin, resume
from companion.cli.backup import backup as command
from companion.cli.backup import restore as restore_command
from companion.games import game
from companion.record.journal import DataFolder, InUse
from companion.upkeep.backup import MANIFEST, BackedUp, BackupManifest, drop_old, kept, make
from companion.upkeep.restore import BadBackup, look_through, restore

SEN_SO = game("sen_so")
ARM = {"move": "arm", "weapons": ["katana", "kau_sin_ke", "shuriken", "shuriken"]}


def table(path: Path) -> Path:
    """A data folder with some of everything."""
    for name, content in {
        "matches/2026-01-01-200000-sen_so.kifu": b'{"kifu": 1}\n{"half a li',
        "matches/2026-01-01-200000-sen_so/1.jpg": b"picture",
        "matches/2026-01-01-200000-sen_so/1.avi": b"clip",
        "galleries/sen_so.gallery": b"looks",
        "calibration.json": b"{}",
        "table.key": b"key",
        "logins.json": b"{}",
        "table.json.new": b"left by a power cut",
        "lock": b"12",
        "backups/old": b"not again",
    }.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def test_everything_comes_back_on_another_machine(tmp_path: Path) -> None:
    data, other = table(tmp_path / "here"), tmp_path / "there"
    conf, conf_there = tmp_path / "shinpan.toml", tmp_path / "etc" / "shinpan.toml"
    conf.write_text("port = 81\n")
    conf_there.parent.mkdir()
    conf_there.write_text("port = 82\n")

    path = make(data, tmp_path / "stick", conf)
    manifest, told = restore(path, other, conf_there)

    files = {each.relative_to(other).as_posix(): each.read_bytes() for each in other.rglob("*") if each.is_file()}
    assert files.pop("lock")
    assert files == {
        "matches/2026-01-01-200000-sen_so.kifu": b'{"kifu": 1}\n',
        "galleries/sen_so.gallery": b"looks",
        "calibration.json": b"{}",
        "table.key": b"key",
        "logins.json": b"{}",
    }
    assert conf_there.read_text() == "port = 81\n"
    assert conf_there.with_name("shinpan.toml.before-restore").read_text() == "port = 82\n"
    assert path.stat().st_mode & 0o777 == 0o600
    assert not manifest.pictures
    assert str(told[0]) == "1 match is back."


def test_pictures_and_clips_come_where_they_are_wanted(tmp_path: Path) -> None:
    path = make(table(tmp_path / "here"), tmp_path, pictures=True)

    wanted = {f"matches/2026-01-01-200000-sen_so/1.{kind}" for kind in ("jpg", "avi")}
    assert wanted <= look_through(path).files.keys()


def test_a_backup_made_while_a_match_is_played_goes_on_just_there(tmp_path: Path) -> None:
    with DataFolder(tmp_path / "here") as folder:
        referee, journal = begin(folder, SEN_SO, ("Aki", "Ben"), {}, datetime(2026, 1, 1))
        referee.record.move("Aki", referee.match.decode(ARM), 0.0)
        path = make(folder.path, tmp_path)
        referee.record.move("Ben", referee.match.decode(ARM), 0.0)
        journal.close()

    restore(path, tmp_path / "there")

    with DataFolder(tmp_path / "there") as folder:
        found = resume(folder)
        assert found is not None
        assert found[0].match.moves == 1
        found[1].close()


def test_a_database_is_taken_between_two_of_its_transactions(tmp_path: Path) -> None:
    data = tmp_path / "here"
    data.mkdir()
    with sqlite3.connect(data / "evenings.db") as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("CREATE TABLE evening (day)")
        base.execute("INSERT INTO evening VALUES ('today')")
        base.commit()
        base.execute("INSERT INTO evening VALUES ('not yet')")
        restore(make(data, tmp_path), tmp_path / "there")
    base.close()

    copy = sqlite3.connect(tmp_path / "there" / "evenings.db")
    assert copy.execute("SELECT day FROM evening").fetchall() == [("today",)]
    copy.close()


def test_what_was_there_before_is_set_aside(tmp_path: Path) -> None:
    data = table(tmp_path / "here")
    path = make(data, data / "backups")
    (data / "calibration.json").write_bytes(b"newer")

    restore(path, data)
    restore(path, data)

    assert (data / "calibration.json").read_bytes() == b"{}"
    assert (data / "before-restore-1" / "calibration.json").read_bytes() == b"newer"
    assert (data / "before-restore-2" / "calibration.json").read_bytes() == b"{}"
    assert path.exists()
    assert not (data / "restore.json").exists()


def test_nothing_is_restored_over_a_table_that_runs(tmp_path: Path) -> None:
    data = table(tmp_path / "here")
    path = make(data, tmp_path)

    with DataFolder(data), pytest.raises(InUse):
        restore(path, data)

    assert (data / "calibration.json").exists()


BACKUP: list[bytes] = []


def whole(tmp_path: Path) -> bytes:
    if not BACKUP:
        BACKUP.append(make(table(tmp_path / "source"), tmp_path / "made").read_bytes())
    return BACKUP[0]


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_torn_or_altered_file_is_one_sentence_and_changes_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("torn")
    content = bytearray(whole(folder))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content) - 12)) :]
    else:
        at = data.draw(st.integers(10, len(content) - 9))  # not in the header, nor in the check at the end
        content[at] ^= 1 << data.draw(st.integers(0, 7))
    (folder / "x.tar.gz").write_bytes(content)
    here = folder / "here"
    here.mkdir()
    (here / "calibration.json").write_bytes(b"mine")

    told = ""
    try:
        restore(folder / "x.tar.gz", here)
    except BadBackup as error:
        told = str(error)
    if told:
        assert told.startswith("x.tar.gz ")
        assert (here / "calibration.json").read_bytes() == b"mine"
        assert not (here / ".restoring").exists()
    else:
        assert look_through(folder / "x.tar.gz").files  # a bit that nothing depends on


def evil(path: Path, *entries: tuple[str, bytes], link: str = "") -> Path:
    with tarfile.open(path, "w:gz") as tar:
        for name, content in entries:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
        if link:
            entry = tarfile.TarInfo("matches")
            entry.type, entry.linkname = tarfile.SYMTYPE, link
            tar.addfile(entry)
    return path


@pytest.mark.parametrize("name", ["../outside", "/tmp/outside", "a/../../outside", "a\\..\\outside"])
def test_a_way_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    path = evil(tmp_path / "evil.tar.gz", (name, b"x"), (MANIFEST, b"{}"))

    with pytest.raises(BadBackup, match="an entry that no table writes"):
        restore(path, tmp_path / "data")

    assert not (tmp_path / "outside").exists()


def test_links_and_files_that_are_not_listed_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadBackup, match="no table writes"):
        restore(evil(tmp_path / "link.tar.gz", link="/etc"), tmp_path / "data")
    listed = b'{"form": 1, "made": "", "table": "", "pictures": false, "files": {}}'
    with pytest.raises(BadBackup, match="no table writes"):
        restore(evil(tmp_path / "more.tar.gz", ("more", b"x"), (MANIFEST, listed)), tmp_path / "data")
    newer = listed.replace(b'"form": 1', b'"form": 2')
    with pytest.raises(BadBackup, match="newer version"):
        restore(evil(tmp_path / "new.tar.gz", (MANIFEST, newer)), tmp_path / "data")


def listing(**files: bytes) -> bytes:
    """A manifest that vouches for these files."""
    known = {name: BackedUp(hashlib.sha256(content).hexdigest(), len(content)) for name, content in files.items()}
    return msgspec.json.encode(BackupManifest(1, "", "", False, known))


@pytest.mark.parametrize(
    "name",
    ["lock", "lock/inside", "restore.json", "serving.json", "backups/x.tar.gz", ".restoring/x", "before-restore-1/x"],
)
def test_what_belongs_to_this_machine_alone_is_refused_before_anything_is_touched(tmp_path: Path, name: str) -> None:
    """A folder in the place of the lock broke off the restoring half-way, with everything set aside."""
    here = table(tmp_path / "here")
    path = evil(tmp_path / "evil.tar.gz", (name, b"x"), (MANIFEST, listing(**{name: b"x"})))

    with pytest.raises(BadBackup, match="no table writes"):
        restore(path, here)

    assert (here / "calibration.json").read_bytes() == b"{}"
    assert not list(here.glob("before-restore-*"))


@pytest.mark.parametrize("when", ["9" * 20, "-5", "inf", "nan"])
def test_a_date_that_no_clock_shows_is_passed_over(tmp_path: Path, when: str) -> None:
    path = tmp_path / "late.tar.gz"
    with tarfile.open(path, "w:gz", format=tarfile.PAX_FORMAT) as tar:
        for name, content in (("calibration.json", b"{}"), (MANIFEST, listing(**{"calibration.json": b"{}"}))):
            entry = tarfile.TarInfo(name)
            entry.size, entry.pax_headers = len(content), {"mtime": when}
            tar.addfile(entry, io.BytesIO(content))

    restore(path, tmp_path / "data")

    assert abs((tmp_path / "data" / "calibration.json").stat().st_mtime - time.time()) < 3600


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_of_gigabytes_is_not_taken_into_memory(tmp_path: Path, kind: bytes) -> None:
    """A few kilobytes of gzip can hold it; `tarfile` reads it as a whole."""
    path = tmp_path / "bomb.tar.gz"
    entry = tarfile.TarInfo("x")
    entry.type, entry.size = kind, 4 * 2**20
    with gzip.open(path, "wb") as file:
        file.write(entry.tobuf() + b"0" * entry.size)
    with pytest.raises(BadBackup, match="torn or damaged"):
        restore(path, tmp_path / "data")


def test_a_name_that_cannot_be_written_down_is_told_all_the_same(tmp_path: Path) -> None:
    name = b"matches/\xff\x1b[2J.kifu".decode("utf-8", "surrogateescape")
    path = evil(tmp_path / "evil.tar.gz", (name, b"x"), (MANIFEST, b"{}"))
    with pytest.raises(BadBackup) as error:
        restore(path, tmp_path / "data")
    assert str(error.value).isascii()
    assert str(error.value).isprintable()


def test_only_the_newest_are_kept(tmp_path: Path) -> None:
    for day in range(1, 5):
        path = make(table(tmp_path / "here"), tmp_path / "b", now=lambda day=day: datetime(2026, 1, day))  # type: ignore[misc]
        os.utime(path, (day, day))

    dropped = drop_old(tmp_path / "b", 2)

    assert len(dropped) == 2
    assert [path.name[-24:-14] for path in kept(tmp_path / "b")] == ["2026-01-03", "2026-01-04"]


def test_a_full_stick_is_one_sentence_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match=r"The backup cannot be written to .*: No space left on device"):
        make(table(tmp_path / "here"), tmp_path / "b")

    assert list((tmp_path / "b").iterdir()) == []


def test_the_commands_say_what_they_did(tmp_path: Path) -> None:
    data = table(tmp_path / "here")

    made = CliRunner().invoke(command, ["--data", str(data)])
    (path,) = kept(data / "backups")
    seen = CliRunner().invoke(restore_command, [str(path), "--check"])
    back = CliRunner().invoke(restore_command, [str(path), "--data", str(data)])

    assert made.output.startswith(f"{path} is written: ")
    assert "is whole: 5 files of" in seen.output
    assert "1 match is back." in back.output

"""A file that is replaced is whole or as it was, whatever goes wrong on the way."""

import errno
import os
from pathlib import Path

import pytest

from companion.core.files import PRIVATE, NotWritten, write_whole
from companion.core.rulings import ShinpanError


def test_a_file_and_its_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "cards" / "sen_so.toml"
    write_whole(path, b"whole")
    write_whole(path, b"whole again")

    assert path.read_bytes() == b"whole again"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("broken", ["fsync", "write", "replace"])
def test_what_was_there_stays_where_something_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    path = tmp_path / "panels.json"
    write_whole(path, b"old")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if broken == "write":
        (tmp_path / "panels.json.new").mkdir()
    else:
        monkeypatch.setattr(*((Path, "replace") if broken == "replace" else (os, "fsync")), full)
    with pytest.raises(NotWritten, match=r"panels\.json cannot be written: "):
        write_whole(path, b"new")

    assert path.read_bytes() == b"old"
    assert broken == "write" or list(tmp_path.iterdir()) == [path]


def test_everything_is_on_the_disk_before_the_name_and_the_name_before_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power cut after the rename must find the new content, and after the call the new name."""
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def synced(file: int) -> None:
        done.append("folder" if os.path.isdir(f"/proc/self/fd/{file}") else "content")
        sync(file)

    def renamed(path: Path, target: Path) -> Path:
        done.append("name")
        return replace(path, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", renamed)
    write_whole(tmp_path / "a", b"a")

    assert done == ["content", "name", "folder"]


def test_a_caller_may_have_an_error_of_its_own(tmp_path: Path) -> None:
    class BadCalibration(ShinpanError):
        """It cannot be kept."""

    (tmp_path / "a").write_text("a file where the folder should be")

    with pytest.raises(BadCalibration, match=r"Not a directory|File exists"):
        write_whole(tmp_path / "a" / "b", b"", BadCalibration)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can write for somebody else")
def test_what_root_writes_for_a_table_belongs_to_the_tables_user(tmp_path):
    (tmp_path / "kept").write_bytes(b"old")
    os.chown(tmp_path / "kept", 4321, 4322)
    write_whole(tmp_path / "kept", b"new", rights=PRIVATE)
    found = (tmp_path / "kept").stat()
    assert (found.st_uid, found.st_gid, found.st_mode & 0o777) == (4321, 4322, PRIVATE)
    os.chown(tmp_path, 4321, 4322)
    write_whole(tmp_path / "first", b"new")
    assert (tmp_path / "first").stat().st_uid == 4321

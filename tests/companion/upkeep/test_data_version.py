"""A data folder is brought up to date with a copy kept, and comes back as it was where the newer program fails."""

import contextlib
import os
from pathlib import Path

import pytest

from companion.upkeep import data_version
from companion.upkeep.data_version import COPIES, FILE, WrongDataVersion, bring_up_to_date, put_back, version


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "matches" / "one").mkdir(parents=True)
    (folder / "matches" / "one.kifu").write_text("line\n")
    (folder / "matches" / "one" / "3.jpg").write_bytes(b"picture")
    (folder / "table.json").write_text("{}")
    (folder / "lock").write_text("17")
    return folder


def rename_table(folder: Path) -> None:
    """A migration that may be begun again."""
    if (folder / "table.json").exists():
        (folder / "table.json").rename(folder / "seats.json")
    with (folder / "matches" / "one.kifu").open("a") as kifu:
        kifu.write("changed\n")


MIGRATIONS = {1: rename_table}


def names(folder: Path) -> set[str]:
    return {str(each.relative_to(folder)) for each in folder.rglob("*") if each.is_file()}


def test_a_folder_without_a_number_is_the_first_version_and_gets_its_number(data):
    assert version(data) == 1
    bring_up_to_date(data)
    assert (data / FILE).read_text() == "1\n"
    assert not (data / COPIES).exists(), "nothing changes, so nothing is copied"


def test_every_version_so_far_has_a_way_to_the_next():
    assert {*data_version.MIGRATIONS} == {*range(1, data_version.CURRENT)}


def test_an_older_folder_is_copied_and_then_changed(data):
    bring_up_to_date(data, 2, MIGRATIONS)
    assert version(data) == 2
    assert (data / "seats.json").exists()
    kept = data_version.copy_path(data, 1)
    assert names(kept) == {"matches/one.kifu", "matches/one/3.jpg", "table.json"}
    assert (kept / "matches/one.kifu").read_text() == "line\n", "a copy, not the same file"
    assert os.path.samefile(kept / "matches/one/3.jpg", data / "matches/one/3.jpg"), "pictures are not doubled"


def test_the_first_copy_is_kept_when_a_migration_is_begun_again(data):
    def breaks(folder: Path) -> None:
        rename_table(folder)
        raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        bring_up_to_date(data, 2, {1: breaks})
    bring_up_to_date(data, 2, MIGRATIONS)
    assert (data_version.copy_path(data, 1) / "matches/one.kifu").read_text() == "line\n"


def test_a_newer_folder_is_refused_and_left_alone(data):
    (data / FILE).write_text("7\n")
    with pytest.raises(WrongDataVersion, match="newer Shinpan"):
        bring_up_to_date(data)
    assert (data / "table.json").exists()


def test_a_number_that_is_none_is_told(data):
    (data / FILE).write_text("two")
    with pytest.raises(WrongDataVersion, match="does not say"):
        bring_up_to_date(data)


def test_the_copy_comes_back_and_what_the_newer_one_left_is_kept(data):
    before = names(data)
    bring_up_to_date(data, 2, MIGRATIONS)
    assert put_back(data, 1)
    assert names(data) - {each for each in names(data) if each.startswith(COPIES)} == before | {FILE}
    assert (data / "matches/one.kifu").read_text() == "line\n"
    assert (data / COPIES / "undone-2" / "seats.json").exists()
    assert not put_back(data, 1), "once is enough"


def test_nothing_is_put_back_where_the_newer_one_changed_nothing(data):
    bring_up_to_date(data)
    assert not put_back(data)


@pytest.mark.parametrize("renames", range(1, 9))
def test_putting_back_may_be_interrupted_anywhere(data, renames, monkeypatch):
    before = names(data)
    bring_up_to_date(data, 2, MIGRATIONS)
    rename, left = Path.rename, renames

    def cut(self: Path, target: Path) -> Path:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", cut)
        with contextlib.suppress(KeyboardInterrupt):
            put_back(data, 1)
    put_back(data, 1)
    assert {each for each in names(data) if not each.startswith(COPIES)} == before | {FILE}
    assert (data / "matches/one.kifu").read_text() == "line\n"
    assert version(data) == 1


def test_a_missing_copy_is_told(data):
    (data / FILE).write_text("2\n")
    with pytest.raises(WrongDataVersion, match="no copy"):
        put_back(data, 1)

"""The commands that look back: history, show and stats."""

import io
import json
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest

from companion.cli import run

KIFU = Path(__file__).parents[2] / "kifu"
FIRST = KIFU / "sen_so" / "first-match.kifu"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "matches").mkdir()
    shutil.copy(FIRST, tmp_path / "matches" / "2026-11-13-200000-sen_so.kifu")
    shutil.copy(KIFU / "sensu" / "conceded.kifu", tmp_path / "matches" / "2026-11-14-200000-sensu.kifu")
    (tmp_path / "matches" / "broken.kifu").write_text("no kifu")
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: Any) -> str:
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(run([str(each) for each in arguments]))
    assert ended.value.code in (0, 2)
    return capsys.readouterr().out


def test_history_lists_and_names_what_is_broken(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed = told(capsys, "history", "--data", data, "--language", "it")
    assert "2026-11-13-200000-sen_so" in listed
    assert "vinta da Aki" in listed
    rows = [json.loads(line) for line in told(capsys, "history", "--data", data, "--json", "--rebuild").splitlines()]
    assert [row["name"] for row in rows if row["fault"]] == ["broken"]
    assert len(told(capsys, "history", "--data", data, "--game", "sensu", "--json").splitlines()) == 1


def test_show_gives_a_moment_in_words_as_json_and_in_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    shown = told(capsys, "show", FIRST, "--at", 30)
    assert "the pawn of Aki: on e4" in shown
    assert "SEN-59" in shown
    page = json.loads(told(capsys, "show", FIRST, "--at", 30, "--json"))
    assert page["version"] == 29
    assert "Aki" in told(capsys, "show", FIRST, "--list")


def test_stats_counts_people_and_sets_one_against_the_other(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "2 won of 2" in told(capsys, "stats", "--data", data)
    assert "Katana: 1×" in told(capsys, "stats", "Aki", "--data", data)
    assert "2 matches together." in told(capsys, "stats", "Aki", "Ben", "--data", data)
    assert "Aki" not in told(capsys, "stats", "--anonymous", "Aki", "--data", data)
    assert "Aki" in told(capsys, "stats", "--named", "N. N. 1", "--data", data)


def test_matches_are_renamed_exported_deleted_and_imported(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "2026-11-13-200000-sen_so"
    assert "The final" in told(capsys, "history", "rename", name, "The final", "--data", data)
    told(capsys, "history", "export", data / "all.zip", "--game", "sen_so", "--data", data)
    assert zipfile.ZipFile(io.BytesIO((data / "all.zip").read_bytes())).namelist() == [f"{name}.kifu"]
    assert "no moment of it" in told(capsys, "history", "delete", name, "--yes", "--data", data)
    assert not (data / "matches" / f"{name}.kifu").exists()
    assert f"{name}-imported" in told(capsys, "history", "import", data / "all.zip", "--data", data)

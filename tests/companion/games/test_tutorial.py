"""`docs/adding-a-game.md`, followed from an empty folder: its blocks are a game that is found, checked and played."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli.game_skeleton import write
from companion.core import catalogues

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^`([\w./]+)`\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blocks as files, and what pip writes down when the package is installed."""
    folder = tmp_path_factory.mktemp("empty") / "top_card"
    for name, text in BLOCK.findall((ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    catalogues.main(["compile", str(folder)])
    info = folder / "top_card-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: top_card\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[shinpan.games]\ntop_card = top_card:GAME\n")
    return folder


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    here = {**os.environ, "PYTHONPATH": f"{home}{os.pathsep}{ROOT}"}
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=home, env=here)


def shinpan(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return run(home, "-c", "from companion.cli import main; main()", *arguments)


def test_the_game_of_the_tutorial_has_nothing_missing(home: Path) -> None:
    checked = shinpan(home, "game", "check", "top_card")

    assert (checked.stdout, checked.returncode) == ("top_card: nothing is missing.\n", 0)


def test_its_tests_pass(home: Path) -> None:
    done = run(home, "-m", "pytest", "-q", "-p", "no:cacheprovider")

    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


def test_it_is_played_in_the_demo_and_the_referee_sees_what_is_done(home: Path, tmp_path: Path) -> None:
    arguments = ("--once", "--speed", "max", "--seed", "7", "--json", "--data", str(tmp_path))
    played = json.loads(shinpan(home, "demo", "top_card", *arguments).stdout)

    assert played["result"]["over"]
    assert played["differences"] == []


def test_the_tutorial_builds_the_example_in_the_tree(home: Path, tmp_path: Path) -> None:
    """So that the two do not drift apart: what `shinpan game new` writes is the example under another name."""
    made = {file.relative_to(tmp_path / "top_card"): file for file in write("top_card", tmp_path / "top_card")}
    del made[Path("README.md")]

    assert {path: file.read_text() for path, file in made.items()} == {path: (home / path).read_text() for path in made}

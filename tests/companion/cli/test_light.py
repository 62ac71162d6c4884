"""A command imports what it needs and no more: `--help` no games, `replay` neither OpenCV nor Flask."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from companion.cli import COMMANDS, shinpan

ROOT = Path(__file__).parents[3]
KIFU = ROOT / "tests" / "kifu" / "high_card" / "three-rounds.kifu"
HEAVY = {
    "cv2",
    "numpy",
    "flask",
    "werkzeug",
    "uvicorn",
    "serial",
    "fpdf",
    "babel",
    "setuptools",
    "rich",
    "vision",
    "web",
}


def imported(*arguments: str) -> set[str]:
    """Every module that is loaded when that command is done."""
    code = (
        "import sys; from companion.cli import run\n"
        "try: run(sys.argv[1:])\n"
        "except SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, env=here, check=True
    )
    return set(done.stderr.split())


def games(modules: set[str]) -> set[str]:
    """The games among them."""
    return {name.split(".")[2] for name in modules if name.startswith("companion.games.")} - {"kit"}


def test_help_imports_no_game_and_nothing_heavy():
    modules = imported("--help")

    assert not HEAVY & modules
    assert not games(modules)


@pytest.mark.parametrize("arguments", [("replay", str(KIFU)), ("rules", "high_card"), ("cards", "high_card")])
def test_a_command_about_one_game_imports_that_game_and_nothing_heavy(arguments):
    modules = imported(*arguments)

    assert not HEAVY & modules
    assert games(modules) == {"high_card"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_of_them_says_of_itself(name):
    """The first words are the same; the list may say less."""
    command = shinpan.get_command(click.Context(shinpan), name)

    assert command is not None
    assert (command.help or "").split()[:2] == COMMANDS[name][1].split()[:2]


def test_printing_without_fpdf2_says_how_to_install_it(tmp_path):
    code = "import sys; sys.modules['fpdf'] = None; from companion.cli import main; main()"
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, "print", "mat", "high_card"],
        capture_output=True,
        text=True,
        env=here,
        cwd=tmp_path,
    )

    assert done.returncode == 2
    assert done.stderr == 'shinpan: Printing needs fpdf2; this installs it: pip install "shinpan[print]"\n'


def test_the_built_package_has_compiled_translations(tmp_path):
    """What setuptools runs for the package, on a copy of one catalogue."""
    from companion.core.catalogues import BuildWithCatalogues, compile_one

    source = tmp_path / "messages.po"
    source.write_bytes((ROOT / "companion" / "games" / "high_card" / "locale" / "it" / "messages.po").read_bytes())
    (tmp_path / "it").mkdir()
    moved = source.rename(tmp_path / "it" / "messages.po")
    compile_one(moved)

    assert moved.with_suffix(".mo").stat().st_size > 1000
    assert BuildWithCatalogues.__mro__[1].__module__ == "setuptools.command.build_py"

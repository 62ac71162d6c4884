"""The pages for people: no link leads nowhere, and every command in them exists and is tried by a test."""

import re
import shlex
from pathlib import Path

import click
import pytest

from companion.cli import shinpan
from companion.upkeep import mounting

ROOT = Path(__file__).parents[1]
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "hardware/README.md",
    ROOT / "hardware/image/README.md",
]
TESTS = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
GUIDES = ("sen_so", "san_ni_ichi", "senjutsu", "sensu")


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_link_leads_nowhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, place = link.partition("#")
        target = (page.parent / file) if file else page
        assert target.exists(), link
        if place and target.suffix == ".md":
            assert place in anchors(target), link


def told(page: Path) -> list[list[str]]:
    """The commands that a page tells people to type."""
    text = page.read_text("utf-8")
    found = re.findall(r"`(?:sudo )?(shinpan [^`\n]+)`", text)
    for kind, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if kind not in ("", "sh", "console"):
            continue
        found += re.findall(r"^(?:\$ )?(?:sudo )?(shinpan [^#\n]+)", block, re.MULTILINE)
    commands = []
    for each in found:
        try:
            commands.append(shlex.split(each.replace("…", " ").partition("  #")[0])[1:])
        except ValueError:
            commands.append(each.split()[1:])
    return commands


def resolved(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command, and what is said behind it."""
    command: click.Command | None = shinpan
    context = click.Context(shinpan)
    rest = list(words)
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        command = command.get_command(context, rest.pop(0))
    assert command is not None, words
    return command, rest


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_exists_with_its_options(page: Path) -> None:
    for words in told(page):
        command, rest = resolved(words)
        known = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {
            "--help",
            "--version",
        }
        options = {word.partition("=")[0] for word in rest if re.match(r"--[a-z]", word)}
        assert options <= known, words


def path_of(words: list[str]) -> tuple[str, ...]:
    """`panel flash --keep-pins` -> panel, flash."""
    _, rest = resolved(words)
    return tuple(words[: len(words) - len(rest)])


def tried_in(test: str, path: tuple[str, ...]) -> bool:
    """Whether a file of tests runs this command: as arguments (`"panel", "flash"`), as somebody would type it
    (`shinpan panel flash`), or by the function itself (`from companion.cli… import panel`, then `["flash", …]`)."""
    arguments = r"[\[(,]\s*" + r",\s*".join(f'"{word}"' for word in path) + r"\s*[,\])]"
    function = rf"^from companion\.cli\S* import .*\b{path[0]}\b" if len(path) == 1 else rf"import .*\b{path[0]}\b"
    first = r"[\[(]\s*" + r",\s*".join(f'"{word}"' for word in path[1:])
    if re.search(arguments, test) or re.search(rf"shinpan {' '.join(path)}\b", test):
        return True
    return bool(re.search(function, test, re.MULTILINE)) and (len(path) == 1 or bool(re.search(first, test)))


def test_every_command_that_people_are_told_is_tried_by_a_test() -> None:
    """Each with its subcommand: `shinpan panel flash` is not tried by a test of `shinpan panel list`."""
    paths = {path_of(words) for page in PAGES for words in told(page) if words and not words[0].startswith("-")}

    assert len(paths) > 35
    assert {path for path in paths if not any(tried_in(test, path) for test in TESTS)} == set()


def test_troubleshooting_goes_by_symptom_and_has_more_than_twenty() -> None:
    text = (ROOT / "docs/troubleshooting.md").read_text("utf-8")
    numbers = [int(number) for number in re.findall(r"^\| \*\*(\d+)\. ", text, re.MULTILINE)]

    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > 20


@pytest.mark.parametrize("name", GUIDES)
def test_every_game_has_a_short_guide_for_players(name: str) -> None:
    text = (ROOT / f"docs/guides/{name}.md").read_text("utf-8")

    assert 120 < len(text.split()) < 500
    assert f"shinpan rules {name}" in text


def test_the_heights_of_the_camera_are_those_of_the_mats() -> None:
    """Made anew by: python -m companion.upkeep.mounting"""
    page = (ROOT / "docs/mounting-the-camera.md").read_text("utf-8")

    assert mounting.written(page) == page
    assert (ROOT / "docs/pictures/mounting.svg").read_text("utf-8") == mounting.drawing()


def test_a_camera_hangs_where_its_angle_says() -> None:
    found = mounting.mounting(640, 640, mounting.Optics("a right angle", 90.0, 90.0, 1400))

    assert found.lowest == pytest.approx(350.0)
    assert found.scale == pytest.approx(2.0)
    assert found.highest == pytest.approx(538.46, abs=0.01)

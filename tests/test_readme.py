"""What the README shows is true."""

import doctest
import re
from pathlib import Path

from companion.cli import COMMANDS
from companion.record.replay import Replay

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", README, re.DOTALL)


def test_its_python_runs() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)

    assert result.attempted > 0
    assert result.failed == 0


def test_its_kifu_replays() -> None:
    (kifu,) = blocks("json")

    match = Replay(kifu.encode()).finish()

    assert match.players == ("Aki", "Ben")


def test_its_commands_exist() -> None:
    shown = re.findall(r"^shinpan (\w+)", "".join(blocks("sh")), re.MULTILINE)

    assert set(shown) <= set(COMMANDS)
    assert {"demo", "serve", "replay", "rules"} <= set(shown)


def test_it_opens_with_the_two_commands_and_make_has_them() -> None:
    first = blocks("sh")[0]
    targets = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)

    assert re.findall(r"^make (\w+)", first, re.MULTILINE) == ["run", "test"]
    assert {"run", "test", "setup", "bench"} <= set(targets)


def test_its_links_lead_somewhere() -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", README):
        assert (ROOT / link).exists(), link

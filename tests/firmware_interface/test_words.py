"""What is wrong with a panel or the timer is told on the page in Italian too."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import firmware_interface
import hardware
from companion.core.wording import retell

SPOKEN = {
    Path(firmware_interface.__file__).parent / "link.py": {"LinkLost", "WrongVersion"},
    Path(firmware_interface.__file__).parent / "panels.py": {"LinkLost"},
    Path(firmware_interface.__file__).parent / "ports.py": {"return"},
    Path(hardware.__file__).parent / "timer.py": {"NoPins"},
}


def _text(node: ast.expr) -> str:
    """A text with something in every open place; empty for what is none."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)  # type: ignore[misc]
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def sentences(file: Path) -> Iterator[str]:
    """The reasons that are raised there, or given back as text."""
    for node in ast.walk(ast.parse(file.read_text())):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in SPOKEN[file]
            and node.args
        ):
            yield _text(node.args[0])
        elif isinstance(node, ast.Return) and node.value is not None and "return" in SPOKEN[file]:
            yield _text(node.value)


@pytest.mark.parametrize("file", SPOKEN, ids=lambda file: file.stem)
def test_every_trouble_is_known_in_italian(file: Path) -> None:
    found = [text for text in sentences(file) if " " in text]

    assert len(found) >= 3
    assert [text for text in found if retell(text, "it") == text] == []


def test_ports_and_names_stay_as_they_are() -> None:
    told = retell("/dev/ttyACM0 is in use by thonny (process 12): close that first", "it")

    assert told == "/dev/ttyACM0 è usata da thonny (process 12): chiudilo prima"

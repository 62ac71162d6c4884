"""Whatever panels, ports and the timer say is known in Italian too, with the same facts in it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

import firmware_interface
import hardware
from companion.core.message import Message, message
from companion.core.wording import sentence, translate

HOMES = [Path(package.__file__).parent for package in (firmware_interface, hardware)]


def templates(home: Path) -> Iterator[str]:
    """Every text that is given to `message` or `plural` in a package."""
    for file in home.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("message", "plural"):
                yield from (each.value for each in node.args if isinstance(each, ast.Constant))  # type: ignore[misc]


def wordless(template: str) -> bool:
    return not any(letter.isalpha() for text, *_ in Formatter().parse(template) for letter in text)


def facts(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.name)
def test_every_sentence_is_known_in_italian_with_the_same_facts(home: Path) -> None:
    found = {text for text in templates(home) if not wordless(text)}

    assert len(found) >= 3
    assert [text for text in found if translate(text, "it") == text] == []
    assert [text for text in found if facts(translate(text, "it")) != facts(text)] == []


@pytest.mark.parametrize("home", HOMES, ids=lambda home: home.name)
def test_no_translation_is_left_over(home: Path) -> None:
    with (home / "locale" / "it" / "messages.po").open("rb") as lines:
        known = {str(each.id) for each in read_po(lines) if each.id}

    assert known - set(templates(home)) == set()


def test_ports_and_names_stay_as_they_are() -> None:
    user: Message = message("{name} (process {number})", name="thonny", number="12")
    told = message("{port} is in use by {user}: close that first", port="/dev/ttyACM0", user=user)

    assert sentence(told, "it") == "/dev/ttyACM0 è usata da thonny (processo 12): chiudilo prima"

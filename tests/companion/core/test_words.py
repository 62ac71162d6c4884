"""What the commands print is made of messages, and never of words put between facts."""

import ast
import re
from pathlib import Path

import pytest

import companion

COMMANDS = [
    Path(companion.__file__).parent / "cli" / f"{name}.py" for name in ("cards", "deck", "game", "replay", "rules")
]


@pytest.mark.parametrize("file", COMMANDS, ids=lambda file: file.stem)
def test_a_command_puts_no_words_of_its_own_between_facts(file: Path) -> None:
    """They would be English for everybody: a text with facts in it is a template."""
    parts = [
        part.value
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for part in node.values
        if isinstance(part, ast.Constant)
    ]

    words = [str(part) for part in parts if re.search("[a-z]{2}", str(part))]
    assert [each for each in words if not each.startswith(("pip ", "shinpan "))] == []  # but for commands to type

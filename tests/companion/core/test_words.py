"""What the commands print themselves, and what is wrong with a file, is known in Italian too."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

import companion
from companion.core.wording import translate
from companion.games import game, names

HOME = Path(companion.__file__).parent
COMMANDS = [HOME / "cli" / f"{name}.py" for name in ("cards", "deck", "replay", "rules")]
BEHIND = [HOME / f"{name}.py" for name in ("corrections", "kifu", "replay")]
"""Where the sentences of those commands come from."""


def templates(file: Path) -> Iterator[str]:
    """Every text for people: no docstring, no help of an option, nothing without a word of its own."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    apart = [node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    apart += [part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values]
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    apart += [part for node in functions for each in node.decorator_list for part in ast.walk(each)]
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in apart:
            words = re.sub(r"\{.*?\}", "", node.value)
            if re.search("[a-z]", words) and (" " in node.value or "{" in node.value):
                yield node.value


def facts(template: str) -> set[tuple[str, str | None]]:
    return {(name, shown) for _, name, _, shown in Formatter().parse(template) if name}


@pytest.mark.parametrize("file", [*COMMANDS, *BEHIND], ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_every_text_has_its_italian_with_the_same_facts(file: Path) -> None:
    found = set(templates(file))

    assert found
    assert [text for text in found if translate(text, "it") == text] == []
    assert [text for text in found if facts(translate(text, "it")) != facts(text)] == []


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

    assert [part for part in parts if re.search("[a-z]{2}", str(part))] == []


def test_every_translation_has_the_facts_of_its_sentence() -> None:
    with (HOME / "it.po").open("rb") as lines:
        known = {message.id: message.string for message in read_po(lines, locale="it") if message.id}

    assert len(known) > 70
    assert [english for english, italian in known.items() if facts(english) != facts(italian)] == []


@pytest.mark.parametrize("name", names())
def test_everything_printed_on_the_cards_is_called_by_an_italian_name(name: str) -> None:
    rows = game(name).printed.rows()
    values = [value for row in rows for value in row.values]
    texts = {"yours", *(row.group for row in rows), *(value.title for value in values)}
    texts |= {value.origin for value in values} | {value.note for value in values if value.note}
    texts |= {row.say for row in rows if re.search("[a-z]", re.sub(r"\{.*?\}", "", row.say))}

    assert [text for text in texts if translate(text, "it") == text] == []

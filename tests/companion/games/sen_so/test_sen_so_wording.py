"""Every sentence of the match and of Sen So can be said in Italian, with the same facts in it."""

import ast
from pathlib import Path
from string import Formatter

import pytest

import companion
from companion import games
from companion.core.wording import translate

games.game("sen_so")  # its translations are looked for once it is loaded
HOME = Path(companion.__file__).parent
SOURCES = [
    *sorted((HOME / "games" / "sen_so").glob("*.py")),
    HOME / "games" / "kit" / "game.py",
    HOME / "record" / "match.py",
    HOME / "record" / "replay.py",
]


def _sentences() -> list[str]:
    """String constants that read as a sentence and are no docstring."""
    found = []
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        texts = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs | parts]
        found += [text.value for text in texts if isinstance(text.value, str)]
    return sorted({text for text in found if text.endswith(".") and " " in text})


SENTENCES = _sentences()


def test_there_are_sentences_to_translate():
    assert len(SENTENCES) > 80


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_has_its_italian_with_the_same_facts(sentence):
    italian = translate(sentence, "it")

    assert italian != sentence
    assert _facts(italian) == _facts(sentence)


def _facts(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}

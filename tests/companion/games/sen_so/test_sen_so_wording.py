"""Every sentence, rule and name of Sen So, and the sentences of a match, can be said in Italian with the same facts."""

import ast
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

import companion
from companion import games
from companion.core.wording import translate
from companion.games.kit.catalogue import names_of

GAME = games.game("sen_so")
HOME = Path(companion.__file__).parent
PACKAGE = HOME / "games" / "sen_so"
SOURCES = [
    *sorted(PACKAGE.glob("*.py")),
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


def _catalogue(package: str) -> Iterator[tuple[str, str, str]]:
    """(context, English, Italian) of every entry; of a plural one each form."""
    with (resources.files(package) / "locale" / "it" / "messages.po").open("rb") as lines:
        for entry in read_po(lines, locale="it"):
            forms = ([entry.id], [entry.string]) if isinstance(entry.id, str) else (entry.id, entry.string)
            for english, italian in zip(*forms, strict=True):
                if english:
                    yield entry.context or "", english, italian


OURS = list(_catalogue("companion.games.sen_so"))
ITALIAN = {(context, english): italian for context, english, italian in [*_catalogue("companion"), *OURS]}
SENTENCES = _sentences()


def test_there_are_sentences_to_translate():
    assert len(SENTENCES) > 80


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_sentence_has_its_italian_with_the_same_facts(sentence):
    italian = ITALIAN["", sentence]

    assert italian != sentence
    assert _facts(italian) == _facts(sentence)


def test_rules_and_names_are_told_in_italian():
    rules, names = GAME.rules.catalogue(), names_of("companion.games.sen_so")

    assert all(translate(rule.text, "it", number) != rule.text for number, rule in rules.items())
    assert all(("", thing) not in ITALIAN and (thing, name) in ITALIAN for thing, name in names.items())


def test_the_catalogue_holds_what_is_said_and_nothing_else():
    said = set()
    for _, _, templates, _, _ in extract_from_dir(
        str(PACKAGE), [("**.py", "python")], keywords={"message": None, "plural": (1, 2)}
    ):
        said |= {("", each) for each in ([templates] if isinstance(templates, str) else templates)}
    said |= {(number, rule.text) for number, rule in GAME.rules.catalogue().items() if number.startswith("SEN-")}
    said |= set(names_of("companion.games.sen_so").items())

    assert {(context, english) for context, english, _ in OURS} == said


def _facts(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name}

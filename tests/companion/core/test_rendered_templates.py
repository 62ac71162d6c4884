"""Every sentence of every catalogue, filled in with one and with several and read back for what went wrong."""

import re
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from companion.core import catalogues
from companion.core.message import message
from companion.core.rulings import Refused

ROOT = Path(__file__).parents[3]
SOURCES = catalogues.sources(ROOT)
NOUNS = "cards|sticks|hexes|moves|players|wounds|rounds|weapons|hands|copies|seconds|minutes|files|matches"
ITALIAN = "carte|stecche|esagoni|mosse|giocatori|ferite|armi|mani|copie|secondi|minuti|partite|stordimenti"
WRONG = {
    "braces that are left": re.compile(r"\{\w*\}|\{\{|\}\}"),
    "a word twice": re.compile(r"(?<![\w'’])([^\W\d_]{2,}) \1(?![\w-])", re.IGNORECASE),
    "two blanks": re.compile(r"\S  [a-zàèéìòù]"),
    "a blank before a full stop or comma": re.compile(r"\w [.,](?:\s|$)"),
    "one of many": re.compile(rf"(?<![\w.,–/-])(?<!and )(?<! e )1 (?:{NOUNS}|{ITALIAN})\b"),
}
MEANT = frozenset({"due due"})
"""Doubled words that are right."""


class _Any(dict[str, Any]):
    """Something for every fact: the count where there is one, a word that no sentence contains otherwise."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self._count, self._given = count, 0

    def __missing__(self, key: str) -> Any:
        if key == "count":
            return self._count
        self._given += 1
        return f"Xyz{'abcdefghijklmnopqrstuvwxyz'[self._given % 26]}"


def rendered(template: str, count: int) -> str:
    """The template with facts, as `str.format` makes it; a conversion (`!r`) and a format are left out."""
    facts = _Any(count)
    parts = []
    for text, field, _, _ in Formatter().parse(template):
        parts.append(text)
        if field is not None:
            parts.append(str(facts[field.split(".")[0]]))
    return "".join(parts)


def wrong_with(text: str) -> list[str]:
    return [
        f"{what}: {found[0]!r} in {text!r}"
        for what, pattern in WRONG.items()
        if (found := pattern.search(text)) and found[0].lower() not in MEANT
    ]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(ROOT)))
def test_every_template_reads_well_with_one_and_with_several(source: Path) -> None:
    found = []
    for each in catalogues.load(source):
        if not each.id:
            continue
        fills = "python-brace-format" in each.flags
        one_many = [each.id, each.string] if isinstance(each.id, str) else None
        if one_many is None:
            texts = [(each.id[0], 1), (each.id[1], 3), (each.string[0], 1), (each.string[1], 3)]
        else:
            texts = [(str(text), count) for text in one_many for count in ((1, 3) if "{count}" in str(text) else (3,))]
        for text, count in texts:
            found += wrong_with(rendered(text, count) if fills else text)
    assert found == [], "\n".join(found)


@pytest.mark.parametrize(
    "text",
    ["Aki draws {count} sticks.", "Aki ha 1 carte.", "the the card", "a card .", "{{player}} draws"],
)
def test_what_is_wrong_is_found(text: str) -> None:
    assert wrong_with(rendered(text, 1) if "{count}" in text else text)


def test_a_rule_that_two_reasons_cite_is_listed_once() -> None:
    assert Refused(("TABLE-4", "SJ-7", "TABLE-4"), message("The match is over.")).rules == ("TABLE-4", "SJ-7")

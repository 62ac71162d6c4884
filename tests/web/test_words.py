"""Every word of the page is known in Italian, and the page takes nothing from another host."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

import web
from tests.web.evening import Evening
from web.words import for_scripts

HOME = Path(web.__file__).parent
SCRIPTS = sorted(HOME.glob("static/**/*.js"))
TEXT = r'"((?:[^"\\]|\\.)*)"'


CATALOGUE = "locale/it/messages.po"


def _known(home=HOME):
    with (home / CATALOGUE).open("rb") as lines:
        return {message.id: message.string for message in read_po(lines) if message.id}


def _said():
    """Everything that is translated where it is used: in scripts, templates and answers."""
    for script in SCRIPTS:
        source = script.read_text()
        yield from re.findall(rf"\bt\(\s*{TEXT}", source)
        yield from re.findall(rf"\bbutton\({TEXT}", source)
    for template in sorted(HOME.glob("templates/*.html")):
        yield from re.findall(r"""_\(["'](.*?)["']\)""", template.read_text())
    for module in sorted(HOME.glob("*.py")):
        yield from re.findall(rf"message\(\s*{TEXT}", module.read_text())


def test_every_word_of_the_page_is_known_in_italian():
    known = {**_known(HOME.parent / "companion"), **_known()}

    assert len(set(_said())) > 50
    assert [word for word in _said() if not known.get(word)] == []


def test_a_translation_has_the_same_facts_as_its_sentence():
    for sentence, italian in _known().items():
        assert set(re.findall(r"\{\w*\}", sentence)) == set(re.findall(r"\{\w*\}", italian)), sentence


def test_a_whole_evening_is_told_in_italian():
    evening = Evening(starts={"Aki": "e4", "Ben": "e6"}, end={"actions": 1})
    told = []

    def listen():
        english, italian = evening.service.page(None, "en"), evening.service.page(None, "it")
        told.extend(zip(english.prompts.values(), italian.prompts.values(), strict=True))
        told.extend((a.text, b.text) for a, b in zip(english.said, italian.said, strict=True))

    listen()
    evening.begin()
    listen()
    evening.tap("referee", "pause")
    evening.tap("referee", "resume")
    evening.ready()
    listen()
    evening.count()
    listen()
    evening.move("Aki", "reveal", card="attack", direction="F")
    evening.move("Ben", "reveal", card="move", direction="F")
    evening.move("Aki", "aim", cell="e5")
    listen()
    evening.move("Ben", "guard", direction=None)
    listen()

    assert len(told) > 40
    assert [english for english, italian in told if english == italian] == []


def test_scripts_get_their_words_with_the_page():
    assert for_scripts("en") == {}
    assert for_scripts("it")["Rulings"] == "Decisioni"


@pytest.mark.parametrize(
    "file", [*SCRIPTS, *HOME.glob("static/*.css"), *HOME.glob("templates/*.html")], ids=lambda f: f.name
)
def test_nothing_comes_from_another_host(file):
    found = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", file.read_text())

    assert [address for address in found if "www.w3.org" not in address] == []


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_scripts_are_plain_enough_for_an_old_tablet(script):
    """ES2017 modules: no optional chaining, no nullish operator, no spread in objects, no HTML from text."""
    source = script.read_text()

    assert re.findall(r"\?\.[a-zA-Z\[(]|\?\?|\{\s*\.\.\.|innerHTML|outerHTML|insertAdjacentHTML|\beval\b", source) == []

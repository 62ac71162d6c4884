"""Every word of the page is known in Italian, and the page takes nothing from another host."""

import re
from pathlib import Path

import pytest

import web
from tests.web.evening import Evening
from web.words import for_scripts

HOME = Path(web.__file__).parent
SCRIPTS = sorted(HOME.glob("static/**/*.js"))


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

"""Rules and sentences: every one is there, in both languages, and says what is filled in."""

import ast
import re
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest

from companion.core.wording import LANGUAGES, sentence, translate
from companion.games.san_ni_ichi import GAME
from companion.record.replay import Replay

KIFU = sorted((Path(__file__).parents[3] / "kifu" / "san_ni_ichi").glob("*.kifu"))
PACKAGE = resources.files("companion.games.san_ni_ichi")


def sources():
    return [file.read_text() for file in PACKAGE.iterdir() if file.name.endswith(".py")]


def sentences():
    """Every sentence template in the package: text that ends like a sentence, docstrings left out."""
    found = set()
    for source in sources():
        tree = ast.parse(source)
        quoted = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in quoted:
                text = node.value
                if " " in text and text[-1] in ".?":
                    found.add(text)
    return sorted(found)


def fields(template):
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("template", sentences())
def test_every_sentence_is_said_in_italian_with_the_same_facts(template):
    italian = translate(template, "it")

    assert italian != template
    assert fields(italian) == fields(template)


def test_there_are_sentences_to_translate():
    assert len(sentences()) > 80


def test_every_numbered_rule_and_every_ruling_is_in_the_catalogue_in_both_languages():
    rules = GAME.rules.catalogue()

    expected = {f"SNI-{number}" for number in range(1, 66)} | {f"SNI-R{number}" for number in range(1, 33)}
    assert {rule for rule in rules if rule.startswith("SNI")} == expected
    for number, rule in rules.items():
        assert rule.text
        assert rule.told(number, "it") != rule.text
        assert rule.origin in ("booklet", "inferred", "house")


def test_every_rule_that_the_code_cites_exists():
    cited = {rule for source in sources() for rule in re.findall(r'"((?:SNI-R?|TABLE-)\d+)"', source)}

    assert cited
    assert cited <= set(GAME.rules.catalogue())


@pytest.mark.parametrize("path", KIFU, ids=lambda path: path.stem)
def test_sentences_call_cards_by_their_names_in_both_languages(path):
    replay = Replay.of(path)
    for played in replay:
        told = [*played.rulings, *([played.refusal] if played.refusal else [])]
        for language in LANGUAGES if replay.match else ():
            for each in told:
                text = sentence(each.message, language, replay.match.name)
                assert not re.search(r"(fire|water|wood|shuriken|block|torinoko|sai|tonfa|kogeki)-\d|_", text), text


def test_a_card_has_a_name_in_each_language():
    assert [
        GAME.rules.names(None, card, "it") for card in ("fire-5", "yoso_kogeki-15", "Aki wood-3", "Aki.combat")
    ] == [
        "Fuoco 5",
        "Yoso Kogeki 15",
        "Aki Legno 3",
        "Aki: Pila di Combattimento",
    ]

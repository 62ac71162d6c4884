"""Rules and sentences: every one is there, in both languages, and says what is filled in."""

import ast
import re
from importlib import resources
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from companion.core.rulings import Refused
from companion.core.wording import LANGUAGES, sentence
from companion.games import game
from companion.games.kit.catalogue import names_of
from companion.games.san_ni_ichi.moves import SelectCard, TurnUp
from companion.record.match import Match
from companion.record.replay import Replay

GAME = game("san_ni_ichi")
KIFU = sorted((Path(__file__).parents[3] / "kifu" / "san_ni_ichi").glob("*.kifu"))
PACKAGE = resources.files("companion.games.san_ni_ichi")


def sources():
    return [file.read_text() for file in PACKAGE.iterdir() if file.name.endswith(".py")]


def templates():
    """Every template in the package, with its plural where it has one. A call that is not literal fails here."""
    found = set()
    for source in sources():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("message", "plural"):
                number = 2 if node.func.id == "plural" else 1
                found.add(tuple(ast.literal_eval(argument) for argument in node.args[:number]))
    return sorted(found)


def printed():
    """What the set-up page says of the printed cards."""
    rows = GAME.printed.rows()
    values = [value for row in rows for value in row.values]
    return (
        {row.say for row in rows}
        | {row.group for row in rows}
        | {each.title for each in values}
        | {each.note for each in values if each.note}
    )


def italian():
    with (PACKAGE / "locale" / "it" / "messages.po").open("rb") as lines:
        return [each for each in read_po(lines, locale="it") if each.id]


def fields(template):
    return {name for _, name, _, _ in Formatter().parse(template) if name}


@pytest.mark.parametrize("template", templates(), ids=lambda template: template[0])
def test_every_sentence_is_said_in_italian_with_the_same_facts(template):
    (known,) = [each for each in italian() if each.id == (template if len(template) > 1 else template[0])]

    told = known.string if len(template) > 1 else (known.string,)
    assert [fields(each) for each in told] == [fields(each) for each in template]
    if " " in template[0] and template[0][-1] in ".?!":
        assert told != template


def test_there_are_sentences_to_translate():
    assert len(templates()) > 80


def test_the_printed_cards_are_described_in_italian():
    known = {each.id for each in italian() if not each.context and each.string}

    assert printed() <= known


def test_nothing_is_translated_that_nobody_says():
    said = {template if len(template) > 1 else template[0] for template in templates()} | printed()
    rules = {(number, rule.text) for number, rule in GAME.rules.catalogue().items()}
    names = set(names_of("companion.games.san_ni_ichi").items())

    for each in italian():
        assert (each.context, each.id) in rules | names if each.context else each.id in said


def test_counted_things_have_a_singular_and_a_plural_in_both_languages():
    with pytest.raises(Refused) as refusal:
        GAME.rules.setup(("Aki", "Ben", "Cho"), {"weapons": ["block-0"]})
    message = refusal.value.message
    assert sentence(message).startswith("1 weapon is laid out;")
    assert sentence(message, "it").startswith("È scoperta 1 arma;")

    with pytest.raises(Refused) as refusal:
        GAME.rules.setup(("Aki", "Ben", "Cho"), {"deck": [5, 1]})
    message = refusal.value.message
    assert sentence(message).startswith("Strengths 1 to 5 and 1 weapon make 16 cards;")
    assert sentence(message, "it").startswith("Le Forze da 1 a 5 e 1 arma fanno 16 carte;")


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
    assert [GAME.rules.names(None, card, "it") for card in ("fire-5", "yoso_kogeki-15", "Aki.combat")] == [
        "Fuoco 5",
        "Yoso Kogeki 15",
        "Aki: Pila di Combattimento",
    ]


def test_a_players_card_is_two_things_in_a_sentence():
    table = Match(GAME, ("Aki", "Ben", "Cho"), {"deck": [7, 0]})
    for name in table.players:
        table.move(name, SelectCard())
    for name, card in zip(table.players, ("fire-5", "wood-3", "fire-1"), strict=True):
        turned_up = table.move(name, TurnUp(card))

    told = sentence(turned_up[0].message, "it", table.name)
    assert told == "Scoperte insieme: Aki Fuoco 5; Ben Legno 3; Cho Fuoco 1."

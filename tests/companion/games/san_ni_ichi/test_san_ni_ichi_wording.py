"""Rules and sentences: every one is there, in both languages, and says what is filled in."""

import re
from importlib import resources
from pathlib import Path

import pytest

from companion.core.rulings import Refused
from companion.core.wording import LANGUAGES, sentence
from companion.games import game
from companion.games.san_ni_ichi.moves import SelectFaceDown, TurnUpSelected
from companion.record.match import Match
from companion.record.replay import Replay

GAME = game("san_ni_ichi")
KIFU = sorted((Path(__file__).parents[3] / "kifu" / "san_ni_ichi").glob("*.kifu"))
PACKAGE = resources.files("companion.games.san_ni_ichi")


def sources():
    return [file.read_text() for file in PACKAGE.iterdir() if file.name.endswith(".py")]


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


def test_what_the_booklet_says_and_what_we_ruled_are_told_apart():
    for number, rule in GAME.rules.catalogue().items():
        if number.startswith("SNI"):
            assert (rule.origin == "booklet") == (not number.startswith("SNI-R")), number


@pytest.mark.parametrize(
    ("numbers", "condition"),
    [
        (("SNI-27", "SNI-28", "SNI-R11", "SNI-R15"), "here Strengths are added up"),
        (("SNI-56",), "unless the scoring is simplified"),
        (("SNI-23",), "An attack card"),
        (("SNI-R10",), "if the match forbids it"),
        (("SNI-44",), "SNI-R12 says whether it may start one"),
        (("SNI-45", "SNI-R14"), "On a pile"),
        (("SNI-R12",), "unless the match allows it"),
        (("SNI-36", "SNI-38"), "protected"),
        (("SNI-39",), "SNI-R21 says when"),
        (("SNI-2", "SNI-3", "SNI-4", "SNI-5"), "Base deck"),
    ],
)
def test_a_rule_that_depends_on_a_switch_says_so(numbers, condition):
    for number in numbers:
        assert condition in GAME.rules.catalogue()[number].text


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
        table.move(name, SelectFaceDown())
    for name, card in zip(table.players, ("fire-5", "wood-3", "fire-1"), strict=True):
        turned_up = table.move(name, TurnUpSelected(card))

    told = sentence(turned_up[0].message, "it", table.name)
    assert told == "Scoperte insieme: Aki Fuoco 5; Ben Legno 3; Cho Fuoco 1."

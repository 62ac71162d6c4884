"""Rule texts and sentences in both languages, and the transcripts beside the tests."""

import ast
from importlib import resources
from pathlib import Path
from typing import get_args

import pytest

from companion.core.wording import sentence
from companion.games import game
from companion.record.replay import Replay

GAME = game("sensu")
PACKAGE = resources.files("companion.games.sensu")
KIFU = Path(__file__).parents[3] / "kifu" / "sensu"
BESIDE = Path(__file__).parent


def strings():
    """Every string in the package, except docstrings."""
    for file in PACKAGE.iterdir():
        if file.name.endswith(".py"):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            notes = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
            constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in notes)
            yield from (node.value for node in constants if isinstance(node.value, str))


@pytest.mark.parametrize(
    ("language", "one", "more"), [("en", "1 stick.", "2 sticks."), ("it", "1 stecca.", "2 stecche.")]
)
def test_sticks_are_counted_in_the_singular_and_the_plural(story, language, one, more):
    table = story()
    cards = ["gun_sen-7-0", "hi_ogi-7-1", "mai_ougi-6-0"]
    table.does("Aki", "combine", cards=cards, redeem=["mai_ougi-6-0", "gun_sen-7-0"])
    said = table.does("Aki", "place", cards=["gun_sen-7-0", "mai_ougi-6-0"])

    told = [sentence(ruling.message, language, table.match.name) for ruling in said]
    assert told[1].endswith(one)
    assert told[2].endswith(more)


def test_every_numbered_rule_is_there_in_two_languages_with_its_origin():
    rules = GAME.rules.catalogue()

    for number in range(1, 79):
        assert rules[f"SU-{number}"].origin == "booklet"
    for number in range(1, 27):
        assert rules[f"SU-R{number}"].origin == "house"
    assert rules["SU-I5"].origin == "inferred"
    for number, rule in rules.items():
        assert rule.told(number, "en").endswith(".")
        assert rule.told(number, "it").endswith(".")
        assert rule.told(number, "en") != rule.told(number, "it")


def test_every_rule_is_held_by_a_test_that_names_it():
    marked = set()
    for file in BESIDE.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.rule":
                marked |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}

    assert set(GAME.rules.catalogue()) - marked == set()


def test_every_rule_that_the_code_cites_exists():
    cited = {text for text in strings() if text.startswith(("SU-", "TABLE-")) and " " not in text}

    assert len(cited) > 60
    assert cited <= set(GAME.rules.catalogue())


def test_every_kind_of_move_has_a_prompt():
    kinds = {str(move.__struct_config__.tag) for move in get_args(GAME.rules.moves)}

    assert set(GAME.rules.prompts) == kinds


@pytest.mark.parametrize("file", sorted(KIFU.glob("*.kifu")), ids=lambda file: file.stem)
def test_transcripts_replay_as_written(file):
    replay = Replay.of(file)
    played = list(replay)
    assert played


def test_there_are_transcripts_of_every_kind():
    assert {file.stem for file in KIFU.glob("*.kifu")} >= {"two_players", "examples", "powers", "chosen_fan", "solo"}


def test_the_sample_of_the_manual_is_a_transcript_that_replays():
    manual = (Path(__file__).parents[4] / "docs" / "games" / "sensu.md").read_text(encoding="utf-8")
    samples = [part.split("```", 1)[0] for part in manual.split("```kifu\n")[1:]]

    assert samples
    for sample in samples:
        assert Replay(sample.encode()).finish().moves > 3

"""Transcripts, the documentation's examples, the catalogue of rules and the Italian of every sentence."""

import ast
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli import shinpan
from companion.core.message import message
from companion.core.rulings import Refused
from companion.core.wording import LANGUAGES, sentence, translate
from companion.games.senjutsu import GAME
from companion.games.senjutsu.ability import KAMAE, RANKS, TYPES
from companion.games.senjutsu.given import read_any
from companion.games.senjutsu.moves import AnyMove
from companion.games.senjutsu.rows import NAMED, UNNAMED
from companion.games.senjutsu.script import read_cards
from companion.games.senjutsu.starter import FIGHTERS
from companion.record.match import Match
from companion.record.replay import Broken, Replay

ROOT = Path(__file__).parents[4]
KIFU = sorted((ROOT / "tests/kifu/senjutsu").glob("*.kifu"))
DOCS = (ROOT / "docs/games/senjutsu.md").read_text()
PACKAGE = ROOT / "companion/games/senjutsu"


@pytest.mark.rule("SJ-53", "SJ-55", "SJ-56", "SJ-57", "SJ-58", "SJ-59", "SJ-60", "SJ-61", "SJ-62", "SJ-63")
@pytest.mark.parametrize("path", KIFU, ids=lambda path: path.stem)
def test_a_transcript_goes_as_it_is_written(path: Path) -> None:
    replay = Replay.of(path)
    try:
        played = list(replay)
    except Broken as error:
        pytest.fail(f"{path.name}: {error}")

    assert played


@pytest.mark.rule("SJ-53", "SJ-54", "SJ-56", "SJ-57", "SJ-60", "SJ-61", "SJ-62", "SJ-63")
def test_the_booklets_three_rounds_are_told_line_by_line_as_the_documentation_has_them() -> None:
    path = ROOT / "tests/kifu/senjutsu/booklet-example.kifu"
    page = (ROOT / "docs/games/senjutsu-example.md").read_text()
    (printed,) = re.findall(r"```kifu\n(.*?)```", page, re.DOTALL)
    (account,) = re.findall(r"```account\n(.*?)```", page, re.DOTALL)
    told = CliRunner().invoke(shinpan, ["replay", str(path)])

    assert printed == path.read_text()
    assert told.exit_code == 0
    assert told.output.splitlines()[:-1] == account.splitlines()


def test_the_sample_match_of_the_documentation_goes_as_it_is_written() -> None:
    (sample,) = re.findall(r"```kifu\n(.*?)```", DOCS, re.DOTALL)
    match = Replay(sample.encode()).finish()

    assert match.facts["winners"] == ["Aki"]


def test_the_cards_of_the_documentation_can_be_read() -> None:
    (script,) = re.findall(r"```\n(card .*?)```", DOCS, re.DOTALL)
    (objects,) = re.findall(r"```json\n(.*?)```", DOCS, re.DOTALL)
    cards = [read_any(msgspec.json.decode(line)["cards"]) for line in objects.splitlines()]

    assert read_cards(script)["dash_down_strike"].segments[1].speed == (4,)
    assert cards[0] == cards[1] == cards[2]


def test_the_documentation_names_every_move_option_and_fact() -> None:
    from companion.games.senjutsu.state import Options

    moves = {str(kind.__struct_config__.tag) for kind in AnyMove.__args__}  # type: ignore[attr-defined]
    facts = set(Match(GAME, ("Aki", "Ben")).facts) | {"hex", "facing", "kamae", "defeated"}
    named = set(re.findall(r"`\.?([a-z_]+)(?:\.P)?(?:\.[a-z]+)?`", DOCS))
    assert moves | set(Options.__struct_fields__) | facts <= named | {"samurai"}


def test_every_numbered_rule_is_in_the_catalogue() -> None:
    rules = GAME.rules.catalogue()

    wanted = {f"SJ-{number}" for number in range(1, 76)} | {f"R{number}" for number in range(1, 35)}
    assert wanted <= set(rules)
    assert all(rule.text and rule.told(number, "it") != rule.text and rule.origin for number, rule in rules.items())


def test_the_documentation_cites_rules_that_exist() -> None:
    rules = set(GAME.rules.catalogue())

    assert set(re.findall(r"\b(?:SJ-|TABLE-|R)\d+\b", DOCS)) <= rules


def test_every_rule_that_the_code_cites_exists() -> None:
    cited = set()
    for module in PACKAGE.glob("*.py"):
        cited |= set(re.findall(r'"((?:SJ-|R|TABLE-)\d+)"', module.read_text()))

    assert cited <= set(GAME.rules.catalogue())


CARD_FILES = ("rows.py", "actions.py", "script.py", "given.py")
"""What is wrong with a card: these sentences begin with its name and line."""


def sentences(names: Iterable[str]) -> list[str]:
    """Every string in these modules that reads as a sentence for the people at the table."""
    found = []
    for name in sorted(names):
        module = PACKAGE / name
        tree = ast.parse(module.read_text())
        prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        strings = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in prose)
        texts = [node.value for node in strings if isinstance(node.value, str)]
        found += [text for text in texts if text.endswith(".") and " " in text]
    return found


def placeholders(sentence: str) -> set[str]:
    return set(re.findall(r"{\w+(?:!r)?}", sentence))


def test_every_sentence_has_its_italian_with_the_same_facts() -> None:
    modules = {module.name for module in PACKAGE.glob("*.py")} - {*CARD_FILES, "starter.py"}
    said = sentences(modules)
    assert len(said) > 80
    for text in said:
        italian = translate(text, "it")
        assert italian != text, text
        assert placeholders(italian) == placeholders(text), text


def test_every_mistake_in_a_card_is_told_in_italian_too() -> None:
    mistakes = sentences(CARD_FILES)
    assert len(mistakes) > 35
    for mistake in mistakes:
        told = {start + mistake: translate(start + mistake, "it") for start in (NAMED, UNNAMED)}
        known = [(sentence, italian) for sentence, italian in told.items() if italian != sentence]
        assert known, mistake
        assert all(placeholders(italian) == placeholders(sentence) for sentence, italian in known)
        assert all(", riga {line}: " in italian or italian.startswith("riga ") for _, italian in known)


@pytest.mark.rule("SJ-68")
def test_an_illegal_header_is_refused_as_it_foretells() -> None:
    header = {
        "kifu": 1,
        "game": "senjutsu",
        "players": ["Aki", "Ben"],
        "options": {"decks": {"Aki": {"quick_stab": 30}}},
        "refused": "SJ-68",
    }
    (played,) = Replay(msgspec.json.encode(header))

    assert played.refusal is not None
    assert "10 are missing" in str(played.refusal.message)


def test_sentences_call_cards_kamae_and_the_rest_by_their_names_in_both_languages() -> None:
    match = Match(GAME, ("Aki", "Ben"), {"cards": "card Kō Tsuki\ntype attack\nrank wood\nspeed 1\ndraw 1\n"})

    def told(language: str, template: str, **facts: Any) -> str:
        return sentence(message(template, **facts), language, match.name)

    takes = "{player} takes the kamae {kamae}."
    assert told("en", takes, player="Aki", kamae="balance") == "Aki takes the kamae Balance."
    assert told("it", takes, player="Aki", kamae="balance") == "Aki assume il kamae Equilibrio."
    assert told("it", "{player} reveals {card}.", player="Aki", card="wild_swing") == "Aki scopre Wild Swing."
    assert told("it", "{player} reveals {card}.", player="Aki", card="passive") == "Aki scopre Passiva."
    assert told("en", "{cards}", cards=["ko_tsuki", "stun"]) == "Kō Tsuki, Stun"
    wrong = "{player}'s piece stands on {stands}; it belongs on {belongs}."
    ring = told("it", wrong, player="Aki", stands="kamae balance", belongs="kamae ?")
    assert "kamae Equilibrio" in ring
    assert "kamae ?" in ring
    kinds = {str(kind.__struct_config__.tag) for kind in AnyMove.__args__}
    zones = {zone.name.rpartition(".")[2] for zone in GAME.table.layout(match.state).zones}
    for thing in {*kinds, *zones, *KAMAE, *TYPES, *RANKS, *FIGHTERS, "wound", "bleeding"}:
        assert all(GAME.rules.names(match.state, thing, language) for language in LANGUAGES)


@pytest.mark.rule("SJ-69", "SJ-70", "SJ-71", "SJ-68")
def test_all_that_is_wrong_with_a_deck_is_said_in_both_languages() -> None:
    deck = {"dragon_moon_slash": 2, "swift_mind": 4, "passive": 1}
    with pytest.raises(Refused) as caught:
        Match(GAME, ("Aki", "Ben"), {"decks": {"Aki": deck}})

    assert {"SJ-68", "SJ-69", "SJ-71", "SJ-74"} <= set(caught.value.rules)
    assert caught.value.text == (
        "The deck of Aki is not legal: Swift Mind is steel: at most 3 of it, and it has 4; the passive card is no part "
        "of the deck; only one jade card is allowed in the whole deck, and it has 2 Dragon Moon Slash; it has 7 cards "
        "where 40 are needed: 33 are missing."
    )
    italian = sentence(caught.value.message, "it", Match(GAME, ("Aki", "Ben")).name)
    assert "Swift Mind è di acciaio: al massimo 3, e ne ha 4" in italian
    assert "ne mancano 33" in italian

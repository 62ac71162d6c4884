"""Transcripts, the documentation's examples, the catalogue of rules and the Italian of every sentence."""

import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli import shinpan
from companion.core.catalogues import findings, said
from companion.core.message import Thing, message, things
from companion.core.rulings import Refused
from companion.core.wording import LANGUAGES, sentence
from companion.games.senjutsu import GAME
from companion.games.senjutsu.card_language.ability import KAMAE, RANKS, TYPES
from companion.games.senjutsu.card_language.given import read_any
from companion.games.senjutsu.card_language.rows import BadCard
from companion.games.senjutsu.card_language.script import read_cards
from companion.games.senjutsu.cards import FIGHTERS
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
    from companion.games.senjutsu.state import SenjutsuOptions

    moves = {str(kind.__struct_config__.tag) for kind in get_args(GAME.rules.moves)}
    facts = set(Match(GAME, ("Aki", "Ben")).facts) | {"hex", "facing", "kamae", "defeated"}
    named = set(re.findall(r"`\.?([a-z_]+)(?:\.P)?(?:\.[a-z]+)?`", DOCS))
    assert moves | set(SenjutsuOptions.__struct_fields__) | facts <= named | {"samurai"}


def test_every_numbered_rule_is_in_the_catalogue() -> None:
    rules = GAME.rules.catalogue()

    wanted = {f"SJ-{number}" for number in range(1, 76)} | {f"SJ-R{number}" for number in range(1, 35)}
    assert wanted <= set(rules)
    assert all(rule.text and rule.told(number, "it") != rule.text and rule.origin for number, rule in rules.items())


def test_the_documentation_cites_rules_that_exist() -> None:
    rules = set(GAME.rules.catalogue())

    assert set(re.findall(r"\b(?:SJ-R?|TABLE-)\d+\b", DOCS)) <= rules


def test_every_rule_that_the_code_cites_exists() -> None:
    cited = set()
    for module in PACKAGE.rglob("*.py"):
        cited |= set(re.findall(r'"((?:SJ-R?|TABLE-)\d+)"', module.read_text()))

    assert cited <= set(GAME.rules.catalogue())


def test_every_sentence_has_its_italian_with_the_same_facts_and_no_other_is_there() -> None:
    assert len(list(said(PACKAGE))) > 220
    assert findings(PACKAGE) == []


def test_a_mistake_in_a_card_is_told_with_its_line_in_italian_too() -> None:
    bad = BadCard(4, message("the season is a number."), "SJ-23", "Jab")
    assert sentence(bad.message, "it") == "Jab, riga 4: la stagione è un numero."
    assert sentence(BadCard(4, bad.reason).message, "it") == "riga 4: la stagione è un numero."


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


@pytest.mark.parametrize("cited", ["R28", "SJ-R28"])
def test_an_old_file_may_cite_a_ruling_without_the_letters_of_the_game(cited: str) -> None:
    options = {"decks": {"Aki": {"quick_stab": 30}}}
    header = {"kifu": 1, "game": "senjutsu", "players": ["Aki", "Ben"], "options": options, "refused": cited}
    (played,) = Replay(msgspec.json.encode(header))
    assert played.refusal is not None
    start = msgspec.json.encode({**header, "options": {}, "refused": []})
    late = msgspec.json.encode({"by": "Aki", "move": "speed", "value": 5, "refused": cited.replace("28", "7")})
    refused = list(Replay(start + b"\n" + late))[-1]

    assert refused.refusal is not None
    assert "SJ-R7" in refused.refusal.rules
    with pytest.raises(Broken, match="another reason"):
        list(Replay(msgspec.json.encode({**header, "refused": cited.replace("28", "1")})))


def test_only_senjutsu_had_rulings_without_letters() -> None:
    header = {"kifu": 1, "game": "san_ni_ichi", "players": ["Aki"], "refused": "R1"}
    with pytest.raises(Broken, match="refused by R1, and is refused for another reason"):
        list(Replay(msgspec.json.encode(header)))


def test_sentences_call_cards_kamae_and_the_rest_by_their_names_in_both_languages() -> None:
    match = Match(GAME, ("Aki", "Ben"), {"cards": "card Kō Tsuki\ntype attack\nrank wood\nspeed 1\ndraw 1\n"})

    def told(language: str, template: str, **facts: Any) -> str:
        return sentence(message(template, player=Thing("player", "Aki"), **facts), language, match.name)

    takes, balance = "{player} takes the kamae {kamae}.", Thing("kamae", "balance")
    assert told("en", takes, kamae=balance) == "Aki takes the kamae Balance."
    assert told("it", takes, kamae=balance) == "Aki assume il kamae Equilibrio."
    assert told("it", "{player} reveals {card}.", card=Thing("card", "wild_swing")) == "Aki scopre Wild Swing."
    assert told("it", "{player} reveals {card}.", card=Thing("card", "passive")) == "Aki scopre Passiva."
    assert told("en", "{cards}", cards=things("card", ["ko_tsuki", "stun"])) == "Kō Tsuki, Stun"
    ring = sentence(GAME.table.misplaced_call("Aki", "kamae balance", "kamae ?"), "it", match.name)
    assert "kamae Equilibrio" in ring
    assert "kamae ?" in ring
    kinds = {str(kind.__struct_config__.tag) for kind in get_args(GAME.rules.moves)}
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
        "The deck of Aki is not legal: Swift Mind is steel: at most 3 of it, and it has 4; the passive card is not "
        "part of the deck; only one jade card is allowed in the whole deck, and it has 2 Dragon Moon Slash; it has 7 "
        "cards where 40 are needed: 33 are missing."
    )
    italian = sentence(caught.value.message, "it", Match(GAME, ("Aki", "Ben")).name)
    assert "Swift Mind è di acciaio: al massimo 3, e ne ha 4" in italian
    assert "ne mancano 33" in italian

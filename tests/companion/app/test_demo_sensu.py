"""Sensu through pictures and cables: fans and columns are read as they lie, and compared card by card at the end."""

import json
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from companion.app.demo import differences
from companion.cli import shinpan
from companion.core.rulings import Refused, ShinpanError
from companion.games import game, names
from companion.games.sensu.cards import TYPES
from companion.record import kifu
from companion.virtual import dealt
from tests.companion.app.evenings import PEOPLE, play, seeds

VARIANTS = ([], ["powers"], ["chosen_fan"], ["powers", "chosen_fan"])


def options_of(players: int, seed: int) -> dict[str, Any]:
    """Every variant for every number of players in turn; the solo game has none."""
    if players == 1:
        return {}
    variants = VARIANTS[seed // 5 % 4]
    chosen = {name: TYPES[(seat + seed) % 3] for seat, name in enumerate(PEOPLE[:players])}
    return {"variants": variants, **({"chosen": chosen} if "chosen_fan" in variants else {})}


@pytest.mark.parametrize(("players", "seed", "moves"), [(1, 7, 24), (2, 6, 18), (5, 19, 16)])
def test_an_evening_is_refereed_as_it_was_played(tmp_path: Path, players: int, seed: int, moves: int) -> None:
    play(tmp_path, "sensu", players, seed, options_of(players, seed), moves)


def header_of_a_demo(folder: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The options that a demo of the chosen fan writes down before the first card is laid."""

    def nobody_comes(*_: Any) -> None:
        raise ShinpanError("Nobody comes.")

    monkeypatch.setattr("companion.cli.demo.Evening", nobody_comes)
    options = [
        "--players",
        "5",
        "--options",
        '{"variants": ["chosen_fan"]}',
        "--seed",
        str(seed),
        "--data",
        str(folder),
    ]
    done = CliRunner().invoke(shinpan, ["demo", "sensu", *options])
    assert str(done.exception) == "Nobody comes."
    header = next(kifu.read(kifu.load(next((folder / "matches").glob("*.kifu"))))).line
    assert isinstance(header, kifu.Header)
    return header.options


@pytest.mark.rule("SU-59")
def test_a_demo_deals_the_chosen_fans_that_nobody_named_by_its_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt_by = {seed: header_of_a_demo(tmp_path / str(seed), seed, monkeypatch)["chosen"] for seed in (1, 2)}
    again = header_of_a_demo(tmp_path / "again", 1, monkeypatch)["chosen"]

    assert list(dealt_by[1]) == list(PEOPLE[:5])
    assert {kind for chosen in dealt_by.values() for kind in chosen.values()} <= set(TYPES)
    assert again == dealt_by[1] != dealt_by[2]


def test_what_is_named_stands_and_a_match_is_dealt_nothing_else() -> None:
    named = {"variants": ["chosen_fan"], "chosen": {"Ben": "hi_ogi"}}
    other = {"variants": ["powers"]}

    for seed in range(20):
        assert dealt("sensu", PEOPLE[:3], named, Random(seed))["chosen"]["Ben"] == "hi_ogi"
    for name in names():
        assert dealt(name, PEOPLE[:3], other, Random(1)) is other


def test_a_match_at_a_real_table_still_needs_its_chosen_fans_named() -> None:
    with pytest.raises(Refused, match="Every player needs a chosen fan; without one: Aki, Ben") as refusal:
        game("sensu").rules.setup(PEOPLE[:2], {"variants": ["chosen_fan"]})

    assert "SU-59" in refusal.value.rules


@pytest.mark.parametrize("options", [{"variants": 3}, {"variants": ["chosen_fan"], "chosen": [1]}])
def test_options_that_cannot_be_read_are_left_for_the_rules_to_refuse(options: dict[str, Any]) -> None:
    assert dealt("sensu", PEOPLE[:2], options, Random(1)) is options


def test_a_referee_who_saw_it_differently_is_found_out(tmp_path: Path) -> None:
    """The check that all the other tests rely on can fail."""
    evening = play(tmp_path, "sensu", 2, 3, {}, 3)
    evening.players[0].hands.deeds[0] = {"move": "draw", "from": "Ben"}

    assert differences(evening, next((tmp_path / "matches").glob("*.kifu")))


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds())
def test_a_hundred_matches_are_refereed_as_they_were_played(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    players = 1 + seed % 5
    options = options_of(players, seed)
    began = time.process_time()
    evening = play(tmp_path, "sensu", players, seed, options)
    match = evening.service.referee.match
    counted = [each.counts()["fans"] for each in evening.players]
    assert counted == list(match.facts["fans"].values())
    with capsys.disabled():
        end = f"score {match.facts['score']}" if players == 1 else f"won by {match.facts['winners'][0]}"
        told = f"{players} players, {match.moves} moves, {evening.feed.frames} pictures, {end}"
        print(f"\nseed {seed}: {told}, {time.process_time() - began:.0f} s", json.dumps(options), flush=True)

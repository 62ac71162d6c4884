"""Sensu through pixels and wire: fans and columns are read as they lie, and counted card by card at the end."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from companion.demo import differences
from companion.games.sensu.cards import TYPES
from tests.companion.evenings import PEOPLE, play, seeds

VARIANTS = ([], ["powers"], ["chosen_fan"], ["powers", "chosen_fan"])


def options_of(players: int, seed: int) -> dict[str, Any]:
    """Every variant for every number of players in turn; alone there is none."""
    if players == 1:
        return {}
    variants = VARIANTS[seed // 5 % 4]
    chosen = {name: TYPES[(seat + seed) % 3] for seat, name in enumerate(PEOPLE[:players])}
    return {"variants": variants, **({"chosen": chosen} if "chosen_fan" in variants else {})}


@pytest.mark.parametrize(("players", "seed", "moves"), [(1, 7, 24), (2, 6, 18), (5, 19, 16)])
def test_an_evening_is_refereed_as_it_was_played(tmp_path: Path, players: int, seed: int, moves: int) -> None:
    play(tmp_path, "sensu", players, seed, options_of(players, seed), moves)


def test_a_referee_who_saw_it_differently_is_found_out(tmp_path: Path) -> None:
    """The check that all the others stand on can fail."""
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
        told = f"{players} players, {match.moves} moves, {evening.senses.frames} pictures, {end}"
        print(f"\nseed {seed}: {told}, {time.process_time() - began:.0f} s", json.dumps(options), flush=True)

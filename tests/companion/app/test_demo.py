"""Whole matches through pixels and wire: the referee must have seen exactly what the players did."""

from pathlib import Path
from typing import Any

import pytest

from companion.app.demo import differences
from tests.companion.app.evenings import play


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"end": {"time": 300}}),
        (3, {"end": {"actions": 5}, "knock_out": 10, "glancing": "choice"}),
        (4, {"end": {"actions": 4}}),
    ],
)
def test_a_sen_so_match_is_refereed_as_it_was_played(tmp_path: Path, players: int, options: dict[str, Any]) -> None:
    play(tmp_path, "sen_so", players, 7, options)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 101))
def test_a_hundred_sen_so_matches_are_refereed_as_they_were_played(tmp_path: Path, seed: int) -> None:
    ends: list[dict[str, Any]] = [{"end": {"time": 1800}}, {"end": {"actions": 25}}, {"end": {"points": 30}}]
    play(tmp_path, "sen_so", 2 + seed % 3, seed, ends[seed // 3 % 3])


def test_the_same_seed_gives_the_same_match(tmp_path: Path) -> None:
    options = {"end": {"actions": 2}}
    first, second = (play(tmp_path / str(n), "sen_so", 2, 3, options) for n in range(2))

    assert [player.hands.deeds for player in first.players] == [player.hands.deeds for player in second.players]
    assert first.clock.now == second.clock.now


def test_a_referee_who_saw_it_differently_is_found_out(tmp_path: Path) -> None:
    """The check that all the others stand on can fail."""
    evening = play(tmp_path, "sen_so", 2, 5, {"end": {"actions": 1}})
    evening.players[0].hands.deeds[-1] = {"move": "reveal", "card": "move", "direction": "FL"}
    evening.players[1].hands.presses.append("ready")

    found = differences(evening, next((tmp_path / "matches").glob("*.kifu")))

    assert len(found) == 2

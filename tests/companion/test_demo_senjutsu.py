"""Whole Senjutsu duels through pixels and wire; the players count their wounds and cards by themselves."""

from pathlib import Path
from typing import Any

import pytest

from companion.demo import differences
from tests.companion.evenings import play

DUELS: tuple[tuple[int, dict[str, Any]], ...] = (
    (2, {}),
    (3, {"health": 3}),
    (4, {"health": 3}),
    (2, {"samurai": {"Aki": "ronin", "Ben": "vengeful"}, "terrain": ["d3", "e3"], "block_timing": "equal_or_faster"}),
    (3, {"health": {"Aki": 4, "Ben": 2, "Cho": 3}, "collision_cancels": "first_mover", "instant_order": "bottom"}),
    (4, {"health": 2, "advantage_symbol": "up", "edge_cancels": True}),
    (2, {"hand_limit": 3, "stun_defeat": "limit", "empty_deck": "stun", "arena": [4, 4]}),
    (2, {"starts": {"Aki": "c1", "Ben": "f5"}, "facings": {"Aki": "NE"}, "health": 4}),
)
"""Every number of samurai, each switch, terrain, another arena."""


@pytest.mark.parametrize(("number", "seed", "health"), [(0, 6, 3), (5, 8, 1)])
def test_a_duel_is_refereed_as_it_was_played(tmp_path: Path, number: int, seed: int, health: int) -> None:
    players, options = DUELS[number]
    evening = play(tmp_path, "senjutsu", players, seed, options | {"health": health})

    # A third count: what the camera saw laid out. The last wounds of a duel are not laid out any more.
    sight, ruled = evening.service.referee.sight, evening.service.referee.match.facts["row"]
    for name, row in ruled.items():
        laid = [card.card for card in sight.zones[f"{name}.wounds"]]
        assert laid == row[: len(laid)]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 101))
def test_a_hundred_duels_are_refereed_as_they_were_played(tmp_path: Path, seed: int) -> None:
    players, options = DUELS[seed % len(DUELS)]
    play(tmp_path, "senjutsu", players, seed, options)


def test_a_wound_that_nobody_took_is_found_out(tmp_path: Path) -> None:
    """The players' own count is a check of its own, and it can fail."""
    evening = play(tmp_path, "senjutsu", 2, 6, {"health": 1})
    evening.players[0]._me.row.append("wound")  # type: ignore[attr-defined]

    found = differences(evening, next((tmp_path / "matches").glob("*.kifu")))

    assert len(found) == 1
    assert found[0].startswith("Aki has wounds ")

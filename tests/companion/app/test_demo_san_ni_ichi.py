"""Whole San, Ni, Ichi! matches through pixels and wire; the Damage Piles are counted card by card."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from companion.app.demo import differences
from tests.companion.app.evenings import play, seeds

BOMBS = ["torinoko-1", "torinoko-2", "torinoko-3", "sai-13", "tonfa-11", "block-0"]
MATCHES: tuple[tuple[int, dict[str, Any]], ...] = (
    (3, {}),
    (4, {}),
    (5, {"scoring": "cards"}),
    (6, {}),
    (4, {"teams": [["Aki", "Cho"], ["Ben", "Dai"]]}),
    (3, {"deck": [6, 3], "weapons": ["tonfa-11", "sai-13", "torinoko-1"], "scoring": "cards"}),
    (6, {"teams": [["Aki", "Dai"], ["Ben", "Emi"], ["Cho", "Fumi"]], "scoring": "cards", "dealer": "Cho"}),
    (3, {"weapons": BOMBS}),
    (4, {"deck": [8, 4], "weapons": ["yoso_kogeki-15", "yoso_kogeki-15", "block-0", "block-0"]}),
    (4, {"deck": [9, 1]}),
    (3, {"weapons": ["yoso_kogeki-3", "yoso_kogeki-9", *BOMBS[2:]], "yoso_may_start_pile": True}),
    (5, {"deck": [9, 8], "weapons_may_be_discarded": False, "dealer": "Emi"}),
    (3, {"deck": [7, 0]}),
    (5, {"deck": [10, 5]}),
)
"""Every number of players, teams, both scorings, the alternate decks, the switches."""


@pytest.mark.parametrize(("number", "seed"), [(0, 7), (7, 3)])
def test_a_match_is_refereed_as_it_was_played(tmp_path: Path, number: int, seed: int) -> None:
    play(tmp_path, "san_ni_ichi", MATCHES[number][0], seed, MATCHES[number][1])


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds())
def test_a_hundred_matches_are_refereed_as_they_were_played(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    players, options = MATCHES[seed % len(MATCHES)]
    began = time.process_time()
    evening = play(tmp_path, "san_ni_ichi", players, seed, options)
    match = evening.service.referee.match
    counted = [each.counts()["damage"] for each in evening.players]
    assert counted == list(match.facts["damage"].values())
    with capsys.disabled():
        told = f"{players} players, {match.moves} moves, {evening.feed.frames} pictures, damage counted {counted}"
        print(f"\nseed {seed}: {told}, {time.process_time() - began:.0f} s", json.dumps(options), flush=True)


def test_a_damage_pile_that_counts_something_else_is_found_out(tmp_path: Path) -> None:
    """The count of the cards is a check of its own, and it can fail."""
    evening = play(tmp_path, "san_ni_ichi", 3, 12, {"deck": [7, 0]})
    hands = evening.players[0].hands
    hands.table.lay(hands.zone("damage"), "fire-7", face_up=False)

    found = differences(evening, next((tmp_path / "matches").glob("*.kifu")))

    assert len(found) == 2
    assert all(str(sentence).startswith("Aki has ") for sentence in found)

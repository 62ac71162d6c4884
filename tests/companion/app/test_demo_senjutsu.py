"""Whole Senjutsu duels through pixels and wire; the players count their wounds and cards by themselves."""

import os
from pathlib import Path
from time import process_time
from typing import Any

import pytest

from companion.app.demo import Evening, differences
from companion.games.senjutsu import GAME
from companion.games.senjutsu.kamae_board import ring
from companion.games.senjutsu.layout import ArenaOnTable, piece
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from tests.companion.app.evenings import play
from web.app import Settings
from web.pins import SeatPin

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


def seeds() -> range:
    """`SENJUTSU_SEEDS=31-39` plays a part of the hundred; a single number is one duel."""
    first, _, last = os.environ.get("SENJUTSU_SEEDS", "1-100").partition("-")
    return range(int(first), int(last or first) + 1)


@pytest.mark.long
@pytest.mark.parametrize("seed", seeds())
def test_a_hundred_duels_are_refereed_as_they_were_played(
    tmp_path: Path, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    players, options = DUELS[seed % len(DUELS)]
    began = process_time()
    evening = play(tmp_path, "senjutsu", players, seed, options)

    facts = evening.service.referee.match.facts
    wounds = ", ".join(f"{name} {len(row)} of {facts['health'][name]}" for name, row in facts["row"].items())
    took = process_time() - began
    with capsys.disabled():
        print(f"\nduel {seed}: {players} samurai, {facts['round']} rounds, wounds {wounds}: agreed ({took:.0f} s CPU)")


def test_a_wound_that_nobody_took_is_found_out(tmp_path: Path) -> None:
    """The players' own count is a check of its own, and it can fail."""
    evening = play(tmp_path, "senjutsu", 2, 6, {"health": 1})
    evening.players[0].cards.row.append("wound")  # type: ignore[attr-defined]

    found = differences(evening, next((tmp_path / "matches").glob("*.kifu")))

    assert len(found) == 1
    assert str(found[0]).startswith("Aki has wounds ")


@pytest.mark.rule("SJ-4", "SJ-54", "SJ-29")
def test_a_miniature_and_a_ring_that_are_put_down_wrong_are_seen_and_called() -> None:
    """People err: Aki's miniature stands one hex too far and turned, Ben's ring lies on balance before any step."""
    match = Match(GAME, ("Aki", "Ben"), {"decks": {"quick_stab": 40}})
    referee = Referee(RecordedMatch(match, lambda fields: 1))
    evening = Evening(referee, 3, Settings(referee_pin="1", seats=(SeatPin("1"),) * 6, secret="s"))
    ground, table = ArenaOnTable(match.state.duel), evening.players[0].hands.table  # type: ignore[attr-defined]
    try:
        table.stand(piece("Aki"), *ground.centre(match.state.duel.arena.names["d2"]), 300.0)
        table.stand(ring("Ben"), *ground.kamae_board(1).places["balance"])
        for _ in range(200):
            if match.facts["phase"] != "draw":
                break
            evening.beat()
    finally:
        evening.close()

    calls = [str(said.message) for said in referee.said if said.kind == "call"]
    assert sorted(calls) == [
        "Aki's piece stands on d2 NE; it belongs on d1 N.",
        "Ben's piece stands on kamae balance; it belongs on kamae gateway.",
    ]
    assert match.facts["samurai"]["Aki"] == {"id": "master", "hex": "d1", "facing": "N", "kamae": "gateway"} | {
        "defeated": False
    }

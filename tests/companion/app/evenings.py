"""A match at the virtual table, through pixels and wire, held to what was really done."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.app.demo import Evening, differences
from companion.app.match_store import begin
from companion.games import game
from companion.record.journal import DataFolder
from companion.record.replay import Replay
from web.app import Settings
from web.pins import SeatPin

PEOPLE = ("Aki", "Ben", "Cho", "Dai", "Emi", "Fumi")
LONGEST = 6_000
"""Beats after which a match that goes nowhere is given up."""


def seeds(default: str = "1-100") -> range:
    """The long tests in parts: `SEEDS=27-36 pytest -m long …`."""
    first, _, last = os.environ.get("SEEDS", default).partition("-")
    return range(int(first), int(last or first) + 1)


@contextmanager
def arranged(folder: Path, name: str, players: int, seed: int, options: dict[str, Any]) -> Iterator[Evening]:
    """A virtual table before its first beat."""
    people = PEOPLE[:players]
    settings = Settings(referee_pin="1", seats=(SeatPin("1"),) * 6, secret="s")
    with DataFolder(folder) as data:
        referee, journal = begin(data, game(name), people, options, datetime(2026, 1, 1, tzinfo=UTC))
        evening = Evening(referee, seed, settings)
        try:
            yield evening
        finally:
            evening.close()
            journal.close()


def play(folder: Path, name: str, players: int, seed: int, options: dict[str, Any], moves: int = 0) -> Evening:
    """One match at the virtual table, or its first so many moves, held to what was really done."""
    with arranged(folder, name, players, seed, options) as evening:
        referee = evening.service.referee
        for _ in range(LONGEST):
            if evening.over or 0 < moves <= referee.match.moves:
                break
            evening.beat()
    assert evening.over or 0 < moves <= referee.match.moves
    path = next((folder / "matches").glob(f"*-{name}.kifu"))
    found = differences(evening, path)
    assert found == []
    assert [said for said in referee.said if said.kind in ("refused", "call")] == []
    assert Replay.of(path).finish().facts == referee.match.facts
    return evening

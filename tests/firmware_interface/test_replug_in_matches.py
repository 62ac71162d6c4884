"""Cables that are pulled and put back all through whole matches: each is played to its end, and rightly."""

from pathlib import Path
from random import Random

import pytest

from companion.app.demo import differences
from companion.record.journal import DataFolder
from firmware_interface.simulator import SimulatedPanel
from tests.firmware_interface.clear_sight import sen_so

BACK_WITHIN = 2.0


class Patient:
    """A player whose panel is dark waits with the finger until it has light again."""

    def __init__(self, board: SimulatedPanel) -> None:
        self.board = board
        self.waiting: list[tuple[int, str]] = []
        self._tap = board.tap
        board.tap = self.tap  # type: ignore[method-assign]

    def tap(self, seat: int, button: str, at: float | None = None) -> None:
        if self.board.lights[0].phase in ("dark", "offline"):
            self.waiting.append((seat, button))
        else:
            self._tap(seat, button, at)

    def go_on(self) -> None:
        if self.board.lights[0].phase not in ("dark", "offline"):
            for seat, button in self.waiting:
                self._tap(seat, button)
            self.waiting.clear()


def play(folder: Path, seed: int, actions: int) -> list[float]:
    """One match with clumsy feet under the table; how long each pulled panel took to come back."""
    chance = Random(seed)
    back = []
    with DataFolder(folder) as data:
        evening, journal = sen_so(data, seed, {"end": {"actions": actions}})
        panels = evening.senses.panels
        assert panels is not None
        players = [Patient(board) for board in evening._boards]
        for _ in range(300):
            if evening.over:
                break
            out = chance.sample(range(3), chance.randint(1, 3))
            for seat in out:
                players[seat].board.unplug()
            for _ in range(chance.randint(0, 2)):
                evening.beat()
            chance.shuffle(out)
            for seat in out:
                players[seat].board.replug()
            began = evening.clock.now
            while not all(panels.seated(seat) for seat in out) and evening.clock.now < began + 10:
                evening.clock.advance(0.02)
                evening.senses.poll(evening._hear)
            back.append(evening.clock.now - began)
            for player in players:
                player.go_on()
            for _ in range(chance.randint(5, 12)):
                evening.beat()
        evening.close()
        journal.close()
    assert evening.over
    assert [said.say for said in evening.service.referee.said if said.kind in ("refused", "call")] == []
    assert differences(evening, journal.path) == []
    assert max(back) <= BACK_WITHIN
    return back


def test_a_match_is_finished_although_panels_are_pulled_all_the_time(tmp_path: Path) -> None:
    assert len(play(tmp_path, 1, actions=2)) >= 10


@pytest.mark.long
def test_two_hundred_cables_pulled_during_matches(tmp_path: Path) -> None:
    cycles: list[float] = []
    seed = 100
    while len(cycles) < 200:
        seed += 1
        cycles += play(tmp_path / str(seed), seed, actions=8)
    print(f"{len(cycles)} cycles in {seed - 100} matches, longest {max(cycles):.2f} s")

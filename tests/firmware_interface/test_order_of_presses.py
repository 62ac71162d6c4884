"""Who was ready first, over the whole way: fingers, firmware, boards whose clocks drift, slow cables, referee, page."""

import random
import re
from typing import Any

import pytest

from companion.app.camera_feed import CameraFeed
from companion.app.senses import Senses
from companion.core.events import Seen
from companion.core.layout import SeenCard, Sight
from companion.games import game
from companion.record.match import Match
from companion.record.recorded_match import RecordedMatch
from companion.referee.referee import Referee
from companion.referee.service import Service
from firmware_interface.panels import Panels
from firmware_interface.simulator import SimulatedPanel, lockstep

PEOPLE = ("Aki", "Ben", "Cho")


class Table:
    """Three players whose cards already lie covered; panels behind serial device files; the test turns the clock."""

    def __init__(self, *boards: SimulatedPanel) -> None:
        self.now = 50.0
        self.boards = boards
        self.lines: list[Any] = []
        match = Match(game("san_ni_ichi"), PEOPLE, {})
        self.service = Service(Referee(RecordedMatch(match, self._write)), lambda: self.now)
        seats = {board.uid: (seat,) for seat, board in enumerate(boards)} if len(boards) > 1 else {}
        panels = Panels(3, lambda: [board.port for board in boards], seats)
        self.senses = Senses(self.service, CameraFeed(), panels)
        zones: dict[str, tuple[SeenCard, ...]] = {zone.name: () for zone in match.game.table.layout(match.state).zones}
        zones |= {f"{player}.selected": (SeenCard(None, False, 90.0),) for player in PEOPLE}
        self.service.submit(Seen(Sight(zones), self.now))

    def _write(self, fields: Any) -> int:
        self.lines.append(fields)
        return len(self.lines)

    def run(self, seconds: float, step: float) -> None:
        panels = self.senses.panels
        assert panels is not None
        for _ in range(round(seconds / step)):
            self.now += step
            self.senses.poll(lambda: lockstep(panels, self.boards, self.now))

    @property
    def order(self) -> str:
        return str(self.service.page(None).order)

    @property
    def written(self) -> list[dict[str, Any]]:
        (note,) = [line for line in self.lines if "ready" in line]
        assert note["note"] == self.order
        return list(note["ready"])

    def close(self) -> None:
        self.senses.stop()
        for board in self.boards:
            board.close()


@pytest.mark.parametrize("seed", range(8))
def test_what_is_claimed_is_true_although_clocks_drift_and_cables_are_slow(seed: int) -> None:
    chance = random.Random(seed)
    boards = [SimulatedPanel(1, f"{number + 1:016x}", 50.0, drift=chance.uniform(-1, 1) * 80e-6) for number in range(3)]
    table = Table(*boards)
    for board in boards:
        board.delay(chance.choice([0.0, 0.004, 0.012]))
    table.run(20.0, 0.02)
    touched = [table.now + chance.choice([0.01, 0.012, 0.03, 0.05, 0.2]) for _ in PEOPLE]
    for board, at in zip(boards, touched, strict=True):
        board.tap(0, "ready", at)
    table.run(0.5, 0.004)
    rows = table.written
    table.close()

    place = {player: number for number, row in enumerate(rows) for player in row["players"]}
    for one in range(3):
        for other in range(3):
            if place[PEOPLE[one]] < place[PEOPLE[other]]:
                assert touched[one] < touched[other], "an order was claimed that was not so"
    for row in rows[1:]:
        (first, *_), (mine, *_) = (each["players"] for each in (rows[0], row))
        true = touched[PEOPLE.index(mine)] - touched[PEOPLE.index(first)]
        assert row["after"] == pytest.approx(true, abs=row["give"] + 0.001)
        assert row["give"] < 0.05


def test_presses_well_apart_are_told_in_words() -> None:
    boards = [SimulatedPanel(1, f"{number + 1:016x}", 50.0, drift=80e-6 * (number - 1)) for number in range(3)]
    table = Table(*boards)
    table.run(10.0, 0.02)
    for board, after in zip(boards, (0.038, 0.0, 1.5), strict=True):
        board.tap(0, "ready", table.now + 0.05 + after)
    table.run(2.0, 0.004)
    told = re.fullmatch(r"Ben was ready first, (\d+) ms before Aki \(±(\d+) ms\)\.", table.order)
    table.close()

    assert told is not None
    assert abs(int(told[1]) - 38) <= int(told[2]) <= 10


def test_one_board_for_all_seats_tells_two_milliseconds_apart_over_a_cable_that_takes_eighty() -> None:
    hub = SimulatedPanel(3, "a" * 16, 50.0, drift=-80e-6)
    table = Table(hub)
    hub.delay(0.08)
    table.run(20.0, 0.02)
    for seat, after in enumerate((0.005, 0.003, 0.0)):
        hub.tap(seat, "ready", table.now + 0.05 + after)
    table.run(1.0, 0.004)
    told = table.order
    table.close()

    assert told == "Cho was ready first, 3 ms before Ben (±1 ms)."

"""Three, two, one on eight panels at the same moment, whatever their clocks and cables are like."""

import random

import pytest

from companion.core.events import Light
from firmware_interface.panels import LEAD, Panels
from firmware_interface.simulator import SimulatedPanel, lockstep

TOGETHER_WITHIN = 0.020


@pytest.mark.parametrize("trouble", ["none", "a line lost", "a line damaged", "slow cables"])
def test_eight_panels_count_within_twenty_milliseconds_of_each_other(trouble: str) -> None:
    chance = random.Random(7)
    now = 100.0
    boards = [SimulatedPanel(1, f"{seat:016x}", now, drift=chance.uniform(-1, 1) * 80e-6) for seat in range(8)]
    panels = Panels(8, lambda: [board.port for board in boards])
    for board in boards:
        board.delay(chance.uniform(0.0, 0.03) if trouble == "slow cables" else 0.0)
    while now < 115.0:
        now += 0.02
        lockstep(panels, boards, now)
    apart = []
    for count in (3, 2, 1):
        begun, victim = now, chance.choice(boards)
        if trouble == "a line lost":
            victim.fail("drop", to="panel")
        elif trouble == "a line damaged":
            victim.fail("corrupt", to="panel")
        for seat in range(8):
            panels.show(Light(seat, "countdown", count), now)
        while now < begun + 1.0:
            now += 0.002 if now > begun + LEAD - 0.05 and now < begun + LEAD + 0.05 else 0.01
            lockstep(panels, boards, now)
        assert all((board.lights[0].phase, board.lights[0].count) == ("countdown", count) for board in boards)
        moments = [board.lit_at[0] for board in boards]
        apart.append(max(moments) - min(moments))
        assert min(moments) > begun
    panels.close()
    for board in boards:
        board.close()

    assert max(apart) <= TOGETHER_WITHIN

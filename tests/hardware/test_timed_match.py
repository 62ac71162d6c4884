"""A timed match with the timer panel beside it: its digits, the page's clock and the match are of one mind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from companion.journal import DataFolder
from hardware.timer import TimerPanel, TimerPins, digits, simulated_pins
from tests.firmware_interface.clear_sight import ClearSight, sen_so

LIMIT = 90.0


class Timed:
    """A match and its timer; the timer hears of the match clock now and then, as it does from a service."""

    def __init__(self, evening: ClearSight) -> None:
        self.evening = evening
        self.pins: MockFactory = simulated_pins()
        self.timer = TimerPanel(self.pins, lambda: evening.clock.now)
        self.apart = 0.0

    def beat(self) -> None:
        evening, clock = self.evening, self.evening.service.referee.clock
        evening.beat()
        for event in self.timer.poll(evening.clock.now):
            evening.service.submit(event)
        self.timer.show(clock.read(evening.clock.now), clock.running, evening.clock.now, LIMIT)
        evening.clock.advance(0.09)  # until the next news comes it counts by itself
        self.timer.poll(evening.clock.now)
        page = evening.service.page(None)["clock"]
        assert page["running"] == clock.running
        self.apart = max(self.apart, abs(page["reached"] - self.timer.reached(evening.clock.now)))

    def press(self, pin: int) -> None:
        self.pins.pin(pin).drive_low()
        self.evening.clock.advance(0.03)
        self.pins.pin(pin).drive_high()
        self.evening.clock.advance(0.03)


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Timed]:
    with DataFolder(tmp_path) as data:
        evening, journal = sen_so(data, 5, {"end": {"time": LIMIT}})
        timed = Timed(evening)
        yield timed
        timed.timer.close()
        evening.close()
        journal.close()


def test_a_timed_match_runs_out_on_the_timer_and_on_the_page_alike(timed: Timed) -> None:
    for _ in range(3000):
        if timed.evening.over:
            break
        timed.beat()

    assert timed.evening.over
    assert timed.apart <= 0.1
    assert timed.timer.text == "0000"
    assert timed.evening.service.page(None)["clock"]["reached"] >= LIMIT


def test_start_and_pause_on_the_timer_hold_the_match_and_let_it_go_on(timed: Timed) -> None:
    clock = timed.evening.service.referee.clock
    while not clock.running:
        timed.beat()
    timed.press(TimerPins().start)
    timed.beat()
    assert timed.evening.service.referee.paused
    held = clock.read(timed.evening.clock.now)
    for _ in range(20):
        timed.beat()
    assert clock.read(timed.evening.clock.now) == held
    timed.beat()
    assert timed.timer.text == digits(LIMIT - held)
    timed.press(TimerPins().start)
    timed.beat()

    assert clock.running
    assert timed.apart <= 0.1

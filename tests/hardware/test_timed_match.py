"""A timed match with the timer panel beside it, plugged in as `shinpan serve` does: digits, page and match agree."""

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory

from companion.record.journal import DataFolder
from hardware.timer import END_BEEP, TimerPanel, TimerPins, simulated_pins
from tests.firmware_interface.clear_sight import ClearSight, sen_so

LIMIT = 90.0


class Timed:
    """A match and its timer on mock pins; the service's senses carry word between them."""

    def __init__(self, evening: ClearSight, kifu: Path) -> None:
        self.evening, self.kifu = evening, kifu
        self.pins: MockFactory = simulated_pins()
        self.timer = evening.senses.timer = TimerPanel(self.pins, lambda: evening.clock.now)
        self.apart = 0.0
        self.buzzed = 0

    def beat(self) -> None:
        self.evening.beat()
        self._compare()
        self.evening.clock.advance(0.09)  # until the next news comes it counts by itself
        self.timer.poll(self.evening.clock.now)
        self._compare()

    def _compare(self) -> None:
        """The page's clock against the timer's, and the figures that people read off both."""
        page = self.evening.service.page(None).clock
        reached = self.timer.elapsed(self.evening.clock.now)
        self.apart = max(self.apart, abs(page.reached - reached))
        left = LIMIT - page.reached
        figures = {
            f"{math.ceil(s) // 60:02}{math.ceil(s) % 60:02}" for s in (left, max(0, left - 0.1), left + 0.1) if s >= 0
        }
        assert self.timer.text in figures | {"0000"} if left <= 0.1 else self.timer.text in figures
        self.buzzed += bool(self.pins.pin(TimerPins().buzzer).state)

    def press(self, pin: int) -> None:
        self.pins.pin(pin).drive_low()
        self.evening.clock.advance(0.03)
        self.pins.pin(pin).drive_high()
        self.evening.clock.advance(0.03)
        self.evening.senses.poll(self.evening._hear)

    def until_it_runs(self) -> None:
        while not self.evening.service.referee.clock.running:
            self.beat()

    @property
    def reached(self) -> float:
        return self.evening.service.referee.clock.read(self.evening.clock.now)

    @property
    def last_said(self) -> str:
        return str(self.evening.service.page(None).said[-1].text)


@pytest.fixture
def timed(tmp_path: Path) -> Iterator[Timed]:
    with DataFolder(tmp_path) as data:
        evening, journal = sen_so(data, 5, {"end": {"time": LIMIT}})
        yield Timed(evening, journal.path)
        evening.close()
        journal.close()


def test_a_timed_match_runs_out_on_the_timer_and_on_the_page_alike(timed: Timed) -> None:
    for _ in range(3000):
        if timed.evening.over:
            break
        timed.beat()
    timed.beat()

    assert timed.evening.over
    assert timed.apart <= 0.1
    assert timed.timer.text == "0000"
    assert timed.evening.service.page(None).clock.reached >= LIMIT
    assert timed.buzzed > 0
    clocks = [json.loads(line).get("clock") for line in timed.kifu.read_text().splitlines()]
    assert max(filter(None, clocks)) >= LIMIT


def test_start_and_pause_on_the_timer_hold_the_match_and_let_it_go_on(timed: Timed) -> None:
    timed.until_it_runs()
    timed.press(TimerPins().start)
    assert timed.evening.service.page(None).paused
    held = timed.reached
    for _ in range(20):
        timed.beat()
    assert timed.reached == held
    timed.press(TimerPins().start)
    timed.beat()

    assert not timed.evening.service.page(None).paused
    assert timed.reached > held
    assert timed.apart <= 0.1


def test_start_before_the_first_count_starts_the_clock(timed: Timed) -> None:
    assert timed.reached == 0.0
    timed.press(TimerPins().start)

    assert timed.evening.service.referee.clock.running


def test_reset_pauses_the_match_and_keeps_the_time_played(timed: Timed) -> None:
    timed.until_it_runs()
    for _ in range(30):
        timed.beat()
    before = timed.reached
    for _ in range(2):
        timed.press(TimerPins().reset)

    assert not timed.evening.service.referee.clock.running
    assert timed.reached >= before - 0.001 > 0.0
    assert timed.last_said.startswith("Reset: the clock is stopped.")
    timed.press(TimerPins().start)
    assert timed.evening.service.referee.clock.running


def test_reset_silences_the_end(timed: Timed) -> None:
    timed.timer.show(LIMIT - 0.05, True, timed.evening.clock.now, LIMIT)
    for _ in range(2):
        timed.timer.poll(timed.evening.clock.now)
        timed.evening.clock.advance(0.1)
    assert timed.pins.pin(TimerPins().buzzer).state
    timed.press(TimerPins().reset)
    timed.timer.poll(timed.evening.clock.now)

    assert timed.evening.clock.now < END_BEEP
    assert not timed.pins.pin(TimerPins().buzzer).state

"""The timer panel on gpiozero's mock pins, with a clock that the test turns."""

import random
from collections.abc import Iterator

import pytest
from click.testing import CliRunner
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin

from companion.core.clock import MatchClock
from companion.core.events import SIMULATED, Press, Sense
from hardware.displays import TM1637, BareDigits
from hardware.timer import NoPins, TimerPanel, TimerPins, digits, real_pins, simulated_pins, try_out


class Chip:
    """A TM1637 that listens on its two wires as the real one does: to edges."""

    def __init__(self, clock: int = 23, data: int = 24) -> None:
        self.clock, self.data = clock, data
        self.level = {clock: True, data: True}
        self.bits: list[int] = []
        self.commands: list[list[int]] = []

    def hear(self, pin: int, level: bool) -> None:
        self.level[pin] = level
        if pin == self.clock and level:
            self.bits.append(int(self.level[self.data]))
        elif pin == self.data and self.level[self.clock]:
            if level:  # the stop sign; its own rise of the clock is no bit
                assert len(self.bits) % 9 == 1
                groups = [self.bits[at : at + 9] for at in range(0, len(self.bits) - 1, 9)]
                assert not any(group[8] for group in groups), "two outputs would pull against each other"
                self.commands.append([sum(bit << place for place, bit in enumerate(group[:8])) for group in groups])
            self.bits = []

    @property
    def text(self) -> str:
        letters = {segments: letter for letter, segments in TM1637.SEGMENTS.items()}
        digits = next(command[1:] for command in reversed(self.commands) if command[0] == 0xC0)
        shown = [letters[segments & 0x7F] for segments in digits]
        return "".join([*shown[:2], ":" if digits[1] & 0x80 else "", *shown[2:]])


class Listened(MockPin):
    chip = Chip()

    def _change_state(self, value: bool) -> bool:
        changed = bool(super()._change_state(value))
        if changed and self._function == "output" and self.info.name in ("GPIO23", "GPIO24"):
            self.chip.hear(int(self.info.name[4:]), value)
        return changed


class Table:
    """A timer panel, its pins, and the time."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.chip = Listened.chip = Chip()
        self.factory = MockFactory(pin_class=Listened)
        self.timer = TimerPanel(self.factory, lambda: self.now)
        self.events: list[Press | Sense] = []

    def run(self, seconds: float, step: float = 0.01) -> list[tuple[float, bool]]:
        """Let time pass; when the buzzer changed."""
        changes, before = [], self.buzzing
        for _ in range(round(seconds / step)):
            self.now += step
            self.events += self.timer.poll(self.now)
            if self.buzzing != before:
                before = self.buzzing
                changes.append((round(self.now, 2), before))
        return changes

    def touch(self, pin: int, *levels: int, step: float = 0.001) -> None:
        """A button closes to ground: 1 is pressed."""
        for level in levels:
            contact = self.factory.pin(pin)
            contact.drive_low() if level else contact.drive_high()
            self.now += step

    @property
    def buzzing(self) -> bool:
        return bool(self.factory.pin(TimerPins().buzzer).state)

    @property
    def bar(self) -> int:
        return sum(bool(self.factory.pin(pin).state) for pin in TimerPins().bar)

    def presses(self) -> list[tuple[str, float]]:
        return [(event.button, round(event.at, 3)) for event in self.events if isinstance(event, Press)]


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table()
    yield table
    table.timer.close()
    table.factory.reset()


def test_it_says_openly_that_it_is_simulated(table: Table) -> None:
    table.run(0.1)

    assert table.events == [Sense("timer", SIMULATED, 1000.01)]


@pytest.mark.parametrize(
    ("seconds", "down", "up"),
    [(1800, "3000", "3000"), (59.01, "0100", "0059"), (0.1, "0001", "0000"), (0, "0000", "0000"),
     (5999, "9959", "9959"), (6000, "0140", "0140"), (7265, "0201", "0201")],
)  # fmt: skip
def test_counting_down_it_is_zero_only_at_the_end(seconds: float, down: str, up: str) -> None:
    assert digits(seconds) == down
    assert digits(seconds, up=True) == up


def test_the_chip_understands_what_it_is_sent(table: Table) -> None:
    table.timer.show(0.0, False, table.now, limit=1800)
    table.run(0.01)

    assert table.chip.text == "30:00"
    assert table.chip.commands[-1] == [0x8C]
    table.timer.close()
    assert table.chip.text == "    "


def test_while_start_is_held_it_shows_a_number_in_parts(table: Table) -> None:
    table.timer.show(0.0, False, table.now, None, "123456")
    table.run(0.1)
    table.touch(TimerPins().start, 1)
    seen = []
    for _ in range(16):
        table.run(0.5, step=0.02)
        seen.append(table.chip.text)
    table.touch(TimerPins().start, 0)
    table.run(0.1)

    assert [text for text, before in zip(seen, ["", *seen], strict=False) if text != before] == [
        "00:00", "-123", " 456", "-123"
    ]  # fmt: skip
    assert table.chip.text == "00:00"
    table.timer.show(0.0, False, table.now, None)
    table.touch(TimerPins().start, 1)
    table.run(4.0, step=0.02)
    assert table.chip.text == "00:00"


def test_the_wires_rest_while_nothing_changes(table: Table) -> None:
    table.timer.show(12.0, False, table.now)
    table.run(0.01)
    sent = len(table.chip.commands)
    table.run(5.0)

    assert len(table.chip.commands) == sent


def test_a_running_clock_blinks_its_colon_and_a_paused_one_does_not(table: Table) -> None:
    table.timer.show(0.0, True, table.now, limit=60)
    table.run(0.3)
    first = table.chip.text
    table.run(0.5)

    assert {first, table.chip.text} == {"01:00", "0100"}
    table.timer.show(0.8, False, table.now, limit=60)
    table.run(0.01)
    assert table.chip.text == "01:00"


def test_bare_digits_show_the_same() -> None:
    factory = simulated_pins()
    display = BareDigits((2, 3, 4, 7, 8, 9, 10), 11, (12, 16, 20, 21), factory)
    display.show("1234", True)
    assert display._all.value == ("1", "2.", "3", "4")
    display.show("5", False)
    assert display._all.value == (" ", " ", " ", "5")
    display.close()


def test_a_timer_may_have_bare_digits_and_no_buzzer() -> None:
    pins = TimerPins(buzzer=None, segments=(2, 3, 4, 7, 8, 9, 10), point=11, digits=(12, 16, 20, 21))
    timer = TimerPanel(simulated_pins(), lambda: 0.0, pins)
    timer.show(0.0, True, 0.0, limit=1.0)
    for tenths in range(30):
        timer.poll(tenths / 10)

    assert timer.text == "0000"
    timer.close()


def test_it_agrees_with_the_match_clock_to_a_tenth_of_a_second(table: Table) -> None:
    """Through starts, pauses and late news: the digits change within a tenth of when the page's would."""
    chance = random.Random(8)
    clock = MatchClock()
    limit = 300.0
    differ = 0.0
    for step in range(20_000):
        table.now += 0.02
        if chance.random() < 0.005:
            clock.pause(table.now) if clock.running else clock.start(table.now)
            table.timer.show(clock.read(table.now), clock.running, table.now, limit)
        elif step % 50 == 0:
            table.timer.show(clock.read(table.now), clock.running, table.now, limit)
        table.timer.poll(table.now)
        page = max(0.0, limit - clock.read(table.now))
        differ = max(differ, abs(table.timer.elapsed(table.now) - clock.read(table.now)))
        assert table.timer.text in {digits(page), digits(max(0.0, page - 0.1)), digits(page + 0.1)}

    assert clock.read(table.now) > 100
    assert differ < 0.001


def test_the_bar_empties_with_the_time(table: Table) -> None:
    table.timer.show(0.0, True, table.now, limit=100)
    lit = []
    table.run(5, 0.1)
    for _ in range(11):
        lit.append(table.bar)
        table.run(10, 0.1)

    assert lit == [5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0]


def test_the_buzzer_counts_the_last_ten_seconds_and_marks_the_end(table: Table) -> None:
    table.timer.show(0.0, True, table.now, limit=30.0)
    changes = table.run(40.0)

    began = [at for at, on in changes if on]
    assert [round(1030.0 - at) for at in began] == [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert all(0 <= at - round(at) < 0.03 for at in began)
    lasted = [round(off - on, 1) for (on, _), (off, _) in zip(changes[::2], changes[1::2], strict=True)]
    assert lasted == [0.6] + [0.1] * 9 + [2.0]


def test_the_buzzer_warns_of_the_last_five_minutes_and_the_last_one_once_each(table: Table) -> None:
    table.timer.show(0.0, True, table.now, limit=320.0)
    began = [at for at, on in table.run(300.0, step=0.05) if on]

    assert [round(1320.0 - at) for at in began] == [300, 60]


def test_time_that_is_taken_in_a_pause_is_warned_of_when_the_match_goes_on(table: Table) -> None:
    table.timer.show(0.0, True, table.now, limit=400.0)
    table.run(1.0)
    table.timer.show(1.0, False, table.now, limit=400.0)
    table.run(1.0)
    table.timer.show(1.0, False, table.now, limit=50.0)
    assert table.run(2.0) == []
    table.timer.show(1.0, True, table.now, limit=50.0)
    assert [on for _, on in table.run(2.0)] == [True, False]


def test_the_end_is_sounded_even_if_the_clock_is_stopped_at_that_very_moment(table: Table) -> None:
    table.timer.show(29.5, True, table.now, limit=30.0)
    table.run(0.4)
    table.timer.show(30.0, False, table.now, limit=30.0)

    assert [on for _, on in table.run(3.0)] == [True, False]


def test_a_paused_clock_is_silent(table: Table) -> None:
    table.timer.show(25.0, False, table.now, limit=30.0)

    assert table.run(20.0) == []


@pytest.mark.parametrize(("pin", "button"), [(17, "start"), (27, "reset")])
def test_a_bouncing_button_is_one_press_at_its_first_touch(table: Table, pin: int, button: str) -> None:
    table.run(0.1)
    touched = round(table.now, 3)
    table.touch(pin, 1, 0, 1, 0, 1)
    table.run(0.2)
    table.touch(pin, 0, 1, 0)
    table.run(0.2)

    assert table.presses() == [(button, touched)]
    assert all(event.seat == -1 for event in table.events if isinstance(event, Press))


def test_presses_between_two_polls_are_not_lost(table: Table) -> None:
    table.run(0.1)
    for _ in range(3):
        table.touch(17, 1, 0, step=0.05)
    table.run(0.01)

    assert [button for button, _ in table.presses()] == ["start"] * 3


def test_without_pins_it_says_so_and_pretends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonsense")

    with pytest.raises(NoPins, match=r"no GPIO pins .* ask for a simulated timer"):
        real_pins()


def test_pins_that_are_mock_by_the_users_own_setting_are_called_simulated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "mock")
    timer = TimerPanel(real_pins(), lambda: 0.0)

    assert timer.poll(0.0) == [Sense("timer", SIMULATED, 0.0)]
    timer.close()


def test_it_can_be_tried_out_by_itself_and_says_that_it_is_simulated() -> None:
    result = CliRunner().invoke(try_out, ["--simulate", "--seconds", "0.05"])

    assert result.exit_code == 0
    assert result.output.splitlines()[-1] == "00:00  SIMULATED"


def test_trying_it_out_without_pins_ends_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "nonsense")
    result = CliRunner().invoke(try_out, [])

    assert result.exit_code == 1
    assert "no GPIO pins" in result.output

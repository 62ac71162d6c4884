"""All panels of a table, through real serial device files, with the real firmware at the other end."""

import random
from collections.abc import Iterator

import pytest

from companion.core.events import Light, Press, Sense
from companion.core.rulings import Unknown
from firmware_interface.link import HOLD
from firmware_interface.panels import LEAD, Panels
from firmware_interface.simulator import SimulatedPanel, lockstep


class Bench:
    """A table with simulated panels on it, and its own time."""

    def __init__(self, *boards: int, seats: int | None = None, bound: dict[str, tuple[int, ...]] | None = None) -> None:
        self.now = 100.0
        self.boards = [SimulatedPanel(count, f"{number:016x}", self.now) for number, count in enumerate(boards)]
        self.panels = Panels(sum(boards) if seats is None else seats, self.ports, bound)
        self.events: list[Press | Sense] = []

    def ports(self) -> list[str]:
        return [board.port for board in self.boards if board.port]

    def run(self, seconds: float, step: float = 0.01) -> list[Press | Sense]:
        """Let time pass; what happened in it."""
        heard = []
        for _ in range(round(seconds / step)):
            self.now += step
            heard += lockstep(self.panels, self.boards, self.now)
        self.events += heard
        return heard

    def presses(self, seconds: float = 0.5) -> list[tuple[int, str]]:
        return [(event.seat, event.button) for event in self.run(seconds) if isinstance(event, Press)]

    def phases(self) -> list[tuple[str, int]]:
        return [(shown.phase, shown.count) for board in self.boards for shown in board.lights]

    def states(self) -> dict[str, str]:
        """The last of each: the state in a word, or the sentence of what is wrong."""
        told = {event.name: event.condition for event in self.events if isinstance(event, Sense)}
        return {name: str(each.message) if each.message else each.state.value for name, each in told.items()}

    def close(self) -> None:
        self.panels.close()
        for board in self.boards:
            board.close()


@pytest.fixture
def two() -> Iterator[Bench]:
    bench = Bench(1, 1)
    bench.run(0.5)
    yield bench
    bench.close()


@pytest.fixture
def hub() -> Iterator[Bench]:
    bench = Bench(3)
    bench.run(0.5)
    yield bench
    bench.close()


def test_panels_are_found_greeted_and_said_to_be_simulated(two: Bench) -> None:
    assert two.states() == {"panel 1": "simulated", "panel 2": "simulated"}
    assert two.panels.bound == {"0" * 16: (0,), "0" * 15 + "1": (1,)}


def test_a_press_arrives_with_its_seat_its_button_and_the_moment_of_the_touch(two: Bench) -> None:
    two.boards[1].tap(0, "down", two.now + 0.0123)

    (press,) = two.run(0.2)
    assert isinstance(press, Press)
    assert (press.seat, press.button) == (1, "down")
    assert press.at == pytest.approx(two.now - 0.2 + 0.0123, abs=press.uncertainty)
    assert press.uncertainty <= 0.0015


def test_one_board_may_serve_several_seats(hub: Bench) -> None:
    for seat in range(3):
        hub.boards[0].tap(seat, "select")
        hub.panels.show(Light(seat, "choice", 0), hub.now)

    assert sorted(hub.presses()) == [(0, "select"), (1, "select"), (2, "select")]
    assert hub.phases() == [("choice", 0)] * 3


def test_select_held_for_a_second_calls_the_referee_and_chooses_nothing(two: Bench) -> None:
    two.boards[1].press(0, "select", two.now)
    assert two.run(HOLD - 0.1) == []
    (call,) = two.run(0.3)
    assert isinstance(call, Press)
    assert (call.seat, call.button) == (1, "call")
    two.boards[1].release(0, "select", two.now)
    assert two.run(0.5) == []


def test_a_short_select_comes_when_the_finger_leaves_with_the_moment_of_the_touch(two: Bench) -> None:
    touched = two.now
    two.boards[0].press(0, "select", touched)
    two.boards[0].release(0, "select", touched + 0.6)
    assert two.run(0.55) == []
    (press,) = two.run(0.3)
    assert isinstance(press, Press)
    assert press.button == "select"
    assert press.at == pytest.approx(touched, abs=press.uncertainty)


def test_presses_of_a_seat_come_in_the_order_of_the_fingers(two: Bench) -> None:
    two.boards[0].press(0, "select", two.now)
    two.boards[0].tap(0, "up", two.now + 0.1)
    two.boards[0].release(0, "select", two.now + 0.3)

    assert [press.button for press in two.run(0.6) if isinstance(press, Press)] == ["select", "up"]


def test_whoever_calls_blinks_until_it_is_answered(two: Bench) -> None:
    two.panels.show(Light(0, "call"), two.now)
    two.run(5.0)
    assert two.phases()[0] == ("refused", 0)
    two.panels.show(Light(0, "placing"), two.now)
    two.run(0.1)
    assert two.phases()[0] == ("placing", 0)


@pytest.mark.parametrize("phase", ["placing", "locked", "choice", "refused", "idle"])
def test_a_light_is_shown_at_once(two: Bench, phase: str) -> None:
    two.panels.show(Light(1, "reveal"), two.now)
    two.run(LEAD + 0.02)
    two.panels.show(Light(1, phase), two.now)
    two.run(0.01)

    assert two.phases() == [("idle", 0), (phase, 0)]


def test_the_countdown_begins_everywhere_at_the_same_moment_even_when_a_line_is_lost(two: Bench) -> None:
    two.boards[0].fail("drop", to="panel")
    start = two.now
    for seat in range(2):
        two.panels.show(Light(seat, "countdown", 3), two.now)
    changed: dict[int, float] = {}
    while len(changed) < 2:
        two.run(0.001, 0.001)
        for seat, (phase, count) in enumerate(two.phases()):
            if (phase, count) == ("countdown", 3):
                changed.setdefault(seat, two.now)

    assert abs(changed[0] - changed[1]) <= 0.02
    assert changed[0] - start == pytest.approx(LEAD, abs=0.005)


def test_a_light_that_comes_before_the_countdown_takes_its_place(two: Bench) -> None:
    two.panels.show(Light(0, "countdown", 3), two.now)
    two.run(0.1)
    two.panels.show(Light(0, "placing"), two.now)
    two.run(1.0)

    assert two.phases()[0] == ("placing", 0)


@pytest.mark.parametrize("to", ["host", "panel"])
@pytest.mark.parametrize("fault", ["drop", "corrupt"])
@pytest.mark.parametrize("lines", [1, 2, 3])
def test_a_press_is_told_exactly_once_whatever_the_wire_does(two: Bench, to: str, fault: str, lines: int) -> None:
    touched = two.now
    two.boards[0].fail(fault, lines, to)
    two.boards[0].tap(0, "ready")
    presses = [event for event in two.run(3.0) if isinstance(event, Press)]

    assert [(press.seat, press.button) for press in presses] == [(0, "ready")]
    assert presses[0].at == pytest.approx(touched, abs=presses[0].uncertainty)


def test_the_first_of_two_presses_is_not_forgotten_when_only_the_second_gets_through(two: Bench) -> None:
    two.boards[0].fail("drop")
    two.boards[0].tap(0, "up", two.now)
    two.boards[0].tap(0, "down", two.now + 0.02)
    presses = sorted((event for event in two.run(1.0) if isinstance(event, Press)), key=lambda press: press.at)

    assert [press.button for press in presses] == ["up", "down"]


@pytest.mark.parametrize("fault", ["drop", "corrupt"])
def test_a_light_is_shown_although_commands_and_answers_are_lost(two: Bench, fault: str) -> None:
    two.boards[0].fail(fault, 2, "panel")
    two.boards[0].fail(fault, 1, "host")
    two.panels.show(Light(0, "locked"), two.now)
    two.run(1.0)

    assert two.phases()[0] == ("locked", 0)
    assert two.states()["panel 1"] == "simulated"


def test_noise_on_the_wire_is_counted_and_harmless(two: Bench) -> None:
    two.boards[0].noise(b"\x00\xffGURU MEDITATION\n\x03$$$*\n")
    two.run(12)

    assert {status.uid: status.bad for status in two.panels.status()} == {two.boards[0].uid: 2, two.boards[1].uid: 0}
    assert two.states() == {"panel 1": "simulated", "panel 2": "simulated"}


def test_a_board_that_resets_is_lit_again(two: Bench) -> None:
    two.panels.show(Light(0, "locked"), two.now)
    two.run(0.1)
    two.boards[0].reset()
    two.run(2.0)
    two.boards[0].tap(0, "ready")

    assert two.phases()[0] == ("locked", 0)
    assert two.presses() == [(0, "ready")]


def test_a_pulled_panel_is_missed_and_found_again_at_another_port_with_its_light(two: Bench) -> None:
    two.panels.show(Light(0, "locked"), two.now)
    two.run(0.1)
    before = two.boards[0].port
    two.boards[0].unplug()
    two.run(1.0)
    assert two.states()["panel 1"] == "missing"
    held = SimulatedPanel(uid="f" * 16)  # takes the old name, as another device may
    two.boards[0].replug()
    two.run(2.0)

    assert two.boards[0].port != before
    assert two.states()["panel 1"] == "simulated"
    assert two.phases()[0] == ("locked", 0)
    held.close()


def test_panels_come_back_to_their_own_seats_in_any_order() -> None:
    bench = Bench(1, 1, 1, 1)
    bench.run(0.5)
    seats = dict(bench.panels.bound)
    chance = random.Random(3)
    for _ in range(5):
        out = chance.sample(bench.boards, chance.randint(1, 4))
        for board in out:
            board.unplug()
        bench.run(0.6, 0.05)
        chance.shuffle(out)
        for board in out:
            board.replug()
            bench.run(chance.choice([0.0, 0.1]), 0.05)
        bench.run(2.0, 0.05)
        assert set(bench.states().values()) == {"simulated"}
    for seat, board in enumerate(bench.boards):
        board.tap(0, "ready")
        assert bench.presses() == [(seat, "ready")]

    assert bench.panels.bound == seats
    bench.close()


def test_a_board_bound_to_a_seat_gets_it_however_late_it_comes() -> None:
    bench = Bench(1, 1, bound={"0" * 16: (1,)})
    bench.boards[0].unplug()
    bench.run(0.5)
    bench.boards[0].replug()
    bench.run(1.0)
    bench.boards[0].tap(0, "up")
    bench.boards[1].tap(0, "down")

    assert sorted(bench.presses()) == [(0, "down"), (1, "up")]
    bench.close()


def test_a_panel_too_many_is_called_a_spare_and_takes_the_seat_of_one_that_goes() -> None:
    bench = Bench(1, 1, seats=1)
    bench.run(0.5)
    assert bench.states()[f"panel at {bench.boards[1].port}"].endswith("this one is a spare")
    bench.boards[0].unplug()
    bench.run(6.0, 0.05)
    bench.boards[1].tap(0, "ready")

    assert bench.presses() == [(0, "ready")]
    bench.close()


def test_a_panel_of_another_protocol_is_refused_with_the_cure() -> None:
    bench = Bench(seats=1)
    bench.boards = [SimulatedPanel(uid="a" * 16, now=bench.now, version=(2, 0))]
    bench.run(1.0)

    assert bench.states()["panel 1"] == "missing"
    assert bench.states()[f"panel at {bench.boards[0].port}"] == (
        f"panel {'a' * 16} speaks protocol 2.0 and this program 1.1: bring it up to date with 'shinpan panel flash'"
    )
    bench.close()


def test_a_newer_minor_version_is_welcome() -> None:
    bench = Bench(seats=1)
    bench.boards = [SimulatedPanel(now=bench.now, version=(1, 9))]
    bench.run(1.0)

    assert bench.states()["panel 1"] == "simulated"
    bench.close()


def test_a_panel_of_the_first_version_is_lit_in_words_that_it_knows() -> None:
    bench = Bench(seats=2)
    bench.boards = [SimulatedPanel(now=bench.now, version=(1, minor)) for minor in (0, 1)]
    bench.run(1.0)
    old, new = (next(s for s in bench.panels.status() if s.uid == board.uid).seats[0] for board in bench.boards)
    for seat in (old, new):
        bench.panels.show(Light(seat, "seated", 4), bench.now)
    bench.run(0.5)

    assert bench.boards[0].lights[0].phase == "locked"
    assert (bench.boards[1].lights[0].phase, bench.boards[1].lights[0].count) == ("seated", 4)
    bench.close()


def test_what_is_pressed_while_nobody_listens_is_no_answer(two: Bench) -> None:
    two.boards[0].fail("drop", 10, "panel")
    two.boards[0].tap(0, "ready", two.now + 4.0)
    two.run(5.0)
    assert two.phases()[0] == ("offline", 0)
    assert two.states()["panel 1"] == "missing"

    assert two.presses(5.0) == []
    assert two.states()["panel 1"] == "simulated"


def test_a_seat_that_the_table_does_not_have_is_refused(two: Bench) -> None:
    with pytest.raises(Unknown, match="no seat 3"):
        two.panels.show(Light(2, "locked"), two.now)


@pytest.mark.parametrize("light", [Light(0, "asleep"), Light(0, "countdown", 16), Light(0, "countdown", -1)])
def test_a_light_that_no_panel_has_is_refused(two: Bench, light: Light) -> None:
    with pytest.raises(Unknown, match="a panel has no light"):
        two.panels.show(light, two.now)


def test_a_late_wire_moves_no_press_and_says_how_sure_it_is(two: Bench) -> None:
    two.boards[0].delay(0.08)
    two.run(20.0, 0.02)
    touched = two.now
    two.boards[0].tap(0, "ready")
    (press,) = (event for event in two.run(1.0) if isinstance(event, Press))

    assert press.at == pytest.approx(touched, abs=press.uncertainty)
    assert press.uncertainty == pytest.approx(0.04, abs=0.015)


def test_time_may_jump_as_a_fast_simulation_does(two: Bench) -> None:
    two.run(1000.0, 10.0)
    two.boards[0].tap(0, "ready")

    assert (0, "ready") in [(event.seat, event.button) for event in two.run(20, 10.0) if isinstance(event, Press)]
    assert two.states() == {"panel 1": "simulated", "panel 2": "simulated"}


def test_a_refusal_is_seen_for_a_moment_although_the_next_light_follows_at_once(two: Bench) -> None:
    two.panels.show(Light(0, "refused"), two.now)
    two.panels.show(Light(0, "placing"), two.now)
    two.run(0.9)
    assert two.phases()[0] == ("refused", 0)
    two.run(0.2)

    assert two.phases()[0] == ("placing", 0)


def test_a_warning_is_a_beep_and_a_blink_after_which_the_light_is_as_before(two: Bench) -> None:
    two.panels.show(Light(0, "placing"), two.now)
    two.panels.show(Light(1, "countdown", 2), two.now)
    two.run(0.5)
    two.panels.warn()
    two.run(0.1)
    assert [board.sounding for board in two.boards] == [440, 440]
    assert two.phases() == [("idle", 0), ("countdown", 2)]
    two.run(1.0)
    assert [board.sounding for board in two.boards] == [0, 0]
    assert two.phases() == [("placing", 0), ("countdown", 2)]


def test_what_happens_after_a_refusal_does_not_wait_for_it(two: Bench) -> None:
    two.panels.show(Light(0, "refused"), two.now)
    two.panels.show(Light(0, "placing"), two.now)
    two.run(0.2)
    two.panels.show(Light(0, "locked"), two.now)
    two.run(0.02)

    assert two.phases()[0] == ("locked", 0)


def test_a_board_that_is_no_panel_is_not_seated(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(1)
    hello = bench.boards[0]._firmware._say
    monkeypatch.setattr(
        bench.boards[0]._firmware,
        "_say",
        lambda verb, *values: hello(verb, "timer", *values[1:]) if verb == "HELLO" else hello(verb, *values),
    )
    bench.run(1.0)

    assert bench.states()[f"panel at {bench.boards[0].port}"] == f"board {'0' * 16} is a timer and no panel"
    assert bench.states()["panel 1"] == "missing"
    bench.close()


def test_two_boards_with_one_number_are_told_apart_by_their_ports_and_neither_flaps() -> None:
    bench = Bench(seats=2)
    bench.boards = [SimulatedPanel(1, "a" * 16, bench.now), SimulatedPanel(1, "a" * 16, bench.now)]
    bench.run(4.0)
    told = [str(event.news) for event in bench.events if isinstance(event, Sense) and event.news is not None]
    assert len(told) == 1
    assert "told apart by their ports" in told[0]
    assert all(board.port in told[0] for board in bench.boards)
    bench.boards[0].tap(0, "up")
    bench.boards[1].tap(0, "down")
    assert sorted(button for _, button in bench.presses()) == ["down", "up"]
    assert {seat for seats in bench.panels.bound.values() for seat in seats} == {0, 1}

    assert [event for event in bench.run(30.0, 0.05) if isinstance(event, Sense)] == []
    bench.close()


def test_a_second_board_with_the_number_of_the_first_may_be_a_spare() -> None:
    bench = Bench(seats=1)
    bench.boards = [SimulatedPanel(1, "a" * 16, bench.now), SimulatedPanel(1, "a" * 16, bench.now)]
    bench.run(20.0, 0.05)
    first = next(place for place in bench.panels.status() if place.seats)
    came_or_went = [event for event in bench.run(30.0, 0.05) if isinstance(event, Sense) and event.name == "panel 1"]

    assert came_or_went == []
    assert next(place for place in bench.panels.status() if place.seats).port == first.port
    assert sum(isinstance(event, Sense) and event.news is not None for event in bench.events) == 1
    bench.close()


def test_boards_with_one_number_keep_their_seats_over_a_restart() -> None:
    bench = Bench(seats=2)
    bench.boards = [SimulatedPanel(1, "a" * 16, bench.now), SimulatedPanel(1, "a" * 16, bench.now)]
    bench.run(4.0)
    seats = {status.port: status.seats for status in bench.panels.status()}
    bench.panels.close()
    bench.panels = Panels(2, lambda: reversed(bench.ports()), bench.panels.bound)
    bench.run(6.0, 0.05)

    assert {status.port: status.seats for status in bench.panels.status()} == seats
    bench.close()

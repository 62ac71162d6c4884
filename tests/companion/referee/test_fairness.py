"""The order of presses is claimed only where it is certain."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.events import Press
from companion.referee.fairness import apart, first, order, surely_before


def press(seat: int, at: float, uncertainty: float = 0.002, clock: str = "", stamp: float = 0.0) -> Press:
    return Press(seat, "ready", at, uncertainty, clock, stamp)


@st.composite
def _presses(draw: st.DrawFn) -> list[Press]:
    """Fingers at true moments; each clock is off by no more than it says, one board's stamps are whole milliseconds."""
    pressed = []
    for seat in range(draw(st.integers(0, 6))):
        true, uncertainty = draw(st.integers(0, 600)) / 10_000, draw(st.sampled_from([0.0, 0.002, 0.01]))
        wrong = draw(st.floats(-1, 1)) * uncertainty
        pressed.append(
            press(seat, true + wrong, uncertainty, draw(st.sampled_from(["", "hub"])), int(true * 1000) / 1000)
        )
    return pressed


presses = _presses()


def test_presses_that_are_clearly_apart_are_ordered_however_they_arrive() -> None:
    late, early = press(0, 1.010), press(1, 1.000)

    assert order([late, early]) == ((early,), (late,))
    assert first([late, early]) == (early,)


@pytest.mark.parametrize("apart", [0.0, 0.001, 0.004])
def test_presses_closer_than_the_clocks_can_tell_are_a_tie(apart: float) -> None:
    one, other = press(0, 1.0), press(1, 1.0 + apart)

    assert order([one, other]) == ((one, other),)
    assert first([other, one]) == (other, one)


def test_one_bad_clock_makes_ties_only_for_itself() -> None:
    early, late, vague = press(0, 1.0), press(1, 1.1), press(2, 1.1, uncertainty=0.02)

    assert order([early, late, vague]) == ((early,), (late, vague))


def test_two_buttons_of_one_board_are_told_apart_by_its_clock_however_late_the_wire_was() -> None:
    """A long round trip makes the board's clock uncertain to the host, and says nothing about its own two stamps."""
    late, early = press(0, 5.00, 0.08, "hub", 71.032), press(1, 5.01, 0.08, "hub", 71.030)

    assert order([late, early]) == ((early,), (late,))
    assert apart(early, late) == pytest.approx((0.002, 0.001))


def test_a_clock_that_started_anew_is_another_clock() -> None:
    before, after = press(0, 5.0, clock="board since 1.000", stamp=300.0), press(1, 9.0, clock="board since 8.000")

    assert order([after, before]) == ((before,), (after,))


def test_stamps_of_one_millisecond_are_a_tie() -> None:
    one, other = press(0, 5.0, 0.0, "hub", 71.030), press(1, 5.2, 0.0, "hub", 71.031)

    assert order([one, other]) == ((one, other),)


def test_nobody_pressed_and_nobody_was_first() -> None:
    assert order([]) == ()
    assert first([]) == ()


@given(presses)
def test_groups_are_certain_and_as_small_as_certainty_allows(pressed: list[Press]) -> None:
    groups = order(pressed)

    assert sorted(map(repr, pressed)) == sorted(repr(one) for group in groups for one in group)
    for number, group in enumerate(groups):
        for later in groups[number + 1 :]:
            assert all(surely_before(one, other) for one in group for other in later)
        for size in range(1, len(group)):
            for ahead in combinations(group, size):
                behind = [one for one in group if one not in ahead]
                assert not behind or not all(surely_before(one, other) for one in ahead for other in behind)


@given(presses)
def test_who_may_have_been_first_is_in_the_first_group(pressed: list[Press]) -> None:
    leaders = first(pressed)

    assert bool(leaders) == bool(pressed)
    assert all(leader in order(pressed)[0] for leader in leaders)

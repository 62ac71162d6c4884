"""The order of presses is claimed only where it is certain."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.events import Press
from firmware_interface.fairness import first, order, surely_before


def press(seat: int, at: float, give: float = 0.002) -> Press:
    return Press(seat, "ready", at, give)


presses = st.lists(
    st.builds(press, st.integers(0, 7), st.integers(0, 60).map(lambda ms: ms * 0.001), st.sampled_from([0, 0.01])),
    max_size=8,
)


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
    early, late, vague = press(0, 1.0), press(1, 1.1), press(2, 1.1, give=0.02)

    assert order([early, late, vague]) == ((early,), (vague, late))


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
            by_end = sorted(group, key=lambda one: one.at - one.give)
            assert not all(surely_before(one, other) for one in by_end[:size] for other in by_end[size:])


@given(presses)
def test_who_may_have_been_first_is_in_the_first_group(pressed: list[Press]) -> None:
    leaders = first(pressed)

    assert bool(leaders) == bool(pressed)
    assert all(leader in order(pressed)[0] for leader in leaders)

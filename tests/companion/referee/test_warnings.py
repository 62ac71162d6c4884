"""Everybody is warned at five minutes, one minute and ten seconds before the end: once, and while the match goes on."""

import pytest

from companion.core.events import Warned
from tests.companion.referee.test_referee import RefereedTable

ALL = ["Five minutes left.", "One minute left.", "Ten seconds left."]


@pytest.fixture
def table() -> RefereedTable:
    """Twelve minutes to be played, and the clock runs."""
    table = RefereedTable(end={"time": 720.0})
    table.tap("referee", "resume")
    return table


def warned(table: RefereedTable) -> list[str]:
    return [str(said.message) for said in table.referee.said if said.kind == "time"]


def test_each_warning_comes_once_and_at_its_moment(table):
    table.wait(419.75)
    assert warned(table) == []
    assert sum(isinstance(effect, Warned) for effect in table.wait(1.0)) == 1
    assert warned(table) == ALL[:1]
    table.wait(238.0)
    assert warned(table) == ALL[:1]
    table.wait(1.5)
    assert warned(table) == ALL[:2]
    table.wait(58.0)
    assert warned(table) == ALL
    assert not table.match.over


def test_the_kifu_does_not_know_of_warnings(table):
    table.wait(719.0)

    assert warned(table) == ALL
    assert all(set(line) == {"clock"} for line in table.lines)


def test_nobody_is_warned_in_a_pause_and_once_when_it_is_over(table):
    table.wait(410.0)
    table.tap("referee", "pause")
    table.tap("referee", "time", seconds=-60, why="late")
    table.wait(30.0)
    assert warned(table) == []
    table.tap("referee", "resume")
    table.wait(1.0)
    assert warned(table) == ["Less than five minutes left."]


def test_time_that_is_taken_warns_at_once_and_only_of_what_is_left(table):
    table.wait(60.0)
    table.tap("referee", "time", seconds=-620, why="the hall closes")
    table.wait(0.5)
    assert warned(table) == ["Less than a minute left."]


def test_time_that_is_added_lets_a_warning_come_again_when_it_is_true_again(table):
    table.wait(670.0)
    table.tap("referee", "time", seconds=60, why="a spilt drink")
    table.wait(0.5)
    assert warned(table) == ALL[:2]
    table.wait(55.0)
    assert warned(table) == [*ALL[:2], "One minute left."]


def test_a_match_that_begins_with_little_time_begins_without_a_warning():
    table = RefereedTable(end={"time": 60.0})
    table.tap("referee", "resume")
    table.wait(49.0)
    assert warned(table) == []
    table.wait(2.0)
    assert warned(table) == ["Ten seconds left."]

"""What the games share: refusals of several faults, seats, places around a table, what lies in a place."""

import doctest
from importlib import import_module

import msgspec
import pytest

from companion.core.layout import SeenCard, Sight
from companion.core.message import message
from companion.core.rulings import Refused
from companion.games.kit import reading
from companion.games.kit.faults import Faults
from companion.games.kit.seat_layout import SeatPlace, frame
from companion.games.kit.seats import change_seat, with_seat


@pytest.mark.parametrize("name", ["faults", "reading", "seat_layout", "seats"])
def test_the_examples_in_the_docstrings_are_true(name):
    result = doctest.testmod(import_module(f"companion.games.kit.{name}"))

    assert result.attempted
    assert not result.failed


def test_no_fault_refuses_nothing():
    faults = Faults()

    faults.refuse()

    assert not faults
    assert faults.refusal is None


def test_several_faults_are_one_refusal_that_cites_every_rule_once_and_says_the_first():
    faults = Faults()
    faults.add("A-1", message("The first."))
    faults.add(("A-2", "A-1"), message("The second."))

    with pytest.raises(Refused) as refused:
        faults.refuse()

    assert faults
    assert refused.value.rules == ("A-1", "A-2")
    assert str(refused.value) == "The first."


def test_one_seat_is_replaced_and_the_others_stay_the_same_objects():
    class Place(msgspec.Struct, frozen=True):
        name: str
        score: int = 0

    seats = (Place("Aki"), Place("Ben"), Place("Cho"))
    changed = change_seat(seats, 2, score=3)

    assert changed == (Place("Aki"), Place("Ben"), Place("Cho", 3))
    assert changed[0] is seats[0]
    assert with_seat(seats, 0, seats[1])[0] is seats[1]


@pytest.mark.parametrize(
    ("turn", "point"), [(0.0, (110.0, 220.0)), (90.0, (80.0, 210.0)), (180.0, (90.0, 180.0)), (270.0, (120.0, 190.0))]
)
def test_right_and_ahead_are_as_the_player_sees_them(turn, point):
    assert SeatPlace("Aki", 100, 200, turn).at(right=10, ahead=20) == point


def test_a_row_is_centred_or_begins_where_it_is_told_to():
    seat = SeatPlace("Aki", 0, 0, 0.0)
    places = (("deck", 60.0, "pile"), ("card", 40.0, "one"))

    centred = [zone.x for zone in seat.row(places, ahead=50, height=90, gap=10)]
    from_left = [zone.x for zone in seat.row(places, ahead=50, height=90, gap=10, left=0)]

    assert centred == [-25.0, 35.0]
    assert from_left == [30.0, 90.0]


def test_the_frame_of_a_zone_at_the_side_of_the_table_is_turned_with_it():
    zone = SeatPlace("Aki", 0, 0, 90.0).zone("card", 0, 0, 60, 90)
    outline, label = frame(zone, "CARD", "#000000", below=5)

    assert max(x for x, _ in outline.points) == 45
    assert max(y for _, y in outline.points) == 30
    assert label.at == (50.0, 0.0)


def test_a_card_that_was_not_recognised_has_no_name_and_spoils_a_row():
    sight = Sight({"row": (SeenCard("a", True), SeenCard(None, True)), "good": (SeenCard("a", True),)})

    assert reading.face_up_card(sight, "row") is None
    assert not reading.face_down(sight, "row")
    assert reading.all_named(sight, "row") is None
    assert reading.all_named(sight, "good") == ("a",)
    assert reading.all_named(sight, "covered") is None

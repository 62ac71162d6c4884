"""`shinpan bench-pi`: every part has a price, and the reckoning adds up."""

import msgspec
import pytest
from click.testing import CliRunner

from companion.app.budget import Budget, Part
from companion.cli import shinpan
from companion.core.message import message


def test_the_share_of_a_core_and_the_slowest_machine_follow_from_the_parts() -> None:
    parts = (
        Part(message("look"), 20.0, 0.2, 2.0, idle=True),
        Part(message("poll"), 0.2, 0.002, 50.0, idle=True),
        Part(message("x"), 9.0, 1.0, 9.0),
    )
    budget = Budget(100.0, parts)

    assert budget.idle == pytest.approx(0.05)
    assert budget.slowest == pytest.approx(200.0)


def test_every_part_is_measured() -> None:
    done = CliRunner().invoke(shinpan, ["bench-pi", "--seconds", "0.05", "--json"])

    found = msgspec.json.decode(done.output)
    assert len(found["parts"]) == 9
    assert all(part["milliseconds"] > 0 and part["loops"] > 0 for part in found["parts"])

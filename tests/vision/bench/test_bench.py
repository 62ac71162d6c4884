"""How the vision bench counts: a row that is read with too few cards or too many."""

from functools import cache

import pytest

from companion.core.layout import SeenCard, Zone
from tests.bench.vision.full_tables import FullTable, LaidCard, Tally

ROW = Zone("row", 0, 0, 200, 96, holds="row")


@cache
def table() -> FullTable:
    return FullTable("sen_so", 2)


def laid(names: str) -> list[LaidCard]:
    return [LaidCard(name, True, 0.0) if name != "-" else LaidCard("x", False, 0.0) for name in names.split()]


def seen(names: str) -> tuple[SeenCard, ...]:
    return tuple(SeenCard(None if name in "?-" else name, name != "-") for name in names.split())


@pytest.mark.parametrize(
    ("lies", "read", "wrong", "unsure", "miscounted"),
    [
        ("a b - c", "a b - c", 0, 0, 0),
        ("a b c", "a ? c", 0, 1, 0),
        ("a b c", "a c", 1, 0, 1),
        ("a b c d", "a ? d", 0, 2, 1),
        ("a", "a ?", 0, 1, 1),
        ("a", "a b", 1, 0, 1),
        ("a b", "? c", 1, 1, 0),
        ("a - b", "a ? b", 0, 1, 0),
        ("a b", "- b", 1, 0, 0),
        ("a b", "", 2, 0, 1),
        # Nothing is lost: covered cards are all alike and were once paired across a row, the doubts between torn away.
        ("a - - b c d - -", "a ? - ? ? ? - -", 0, 4, 0),
        ("a b c - d e f g h", "? ? ? - ? ? ? - h", 1, 6, 0),
    ],
)
def test_a_doubt_counts_for_every_card_it_stands_for(
    lies: str, read: str, wrong: int, unsure: int, miscounted: int
) -> None:
    found = Tally()
    table().compare(ROW, laid(lies), seen(read), found)

    assert (len(found.wrong), len(found.unsure), found.miscounted) == (wrong, unsure, miscounted)

"""Real photographs of SET cards, where they are at hand: a part of what `python -m vision.bench` measures in full."""

import pytest

from vision.bench.peers import Features, MarginHash, Ours, StatisticalHash
from vision.bench.score import measure
from vision.bench.set_photos import FOLDER, Photos, photos, tables

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the photographs are not on this machine")


@pytest.fixture(scope="module")
def found() -> Photos:
    return photos(FOLDER)


def test_every_card_on_the_webcam_tables_is_found_and_named(found: Photos) -> None:
    assert tables(found) == (24, 24, 0)


def test_a_part_of_the_photographs_is_named_with_few_doubts_and_no_mistake(found: Photos) -> None:
    ours = measure(Ours, found.enrolled(), found.queries[::8], splits=1)

    assert ours.forced >= 95  # two of 51
    assert ours.wrong == 0
    assert ours.unsure <= 12  # six of 51
    assert ours.unknown <= 10


@pytest.mark.long
def test_all_photographs_reach_the_aims_and_are_ahead_of_every_peer(found: Photos) -> None:
    ours = measure(Ours, found.enrolled(), found.queries)

    assert ours.forced >= 99
    assert ours.wrong <= 0.5
    assert ours.unsure <= 5
    assert ours.unknown <= 2
    for peer in (StatisticalHash, MarginHash, Features):
        other = measure(peer, found.enrolled(), found.queries)
        assert ours.forced > other.forced
        assert ours.wrong < other.wrong
        assert ours.unsure < other.unsure
        assert ours.unknown < other.unknown

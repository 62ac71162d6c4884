"""Hand-written matches, replayed through the reader that `shinpan replay` uses."""

import re
from pathlib import Path

import pytest

from companion.record.replay import Replay

ROOT = Path(__file__).parents[4]
TRANSCRIPTS = sorted((ROOT / "tests" / "kifu" / "san_ni_ichi").glob("*.kifu"))
PAGE = ROOT / "docs" / "games" / "san_ni_ichi.md"


def test_there_are_transcripts():
    assert len(TRANSCRIPTS) >= 5


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_the_transcript_goes_as_it_is_written(path):
    assert list(Replay.of(path))


def test_the_sample_match_of_the_documentation_goes_as_it_is_written():
    (sample,) = re.findall(r"```kifu\n(.*?)```", PAGE.read_text(), re.DOTALL)

    assert Replay(sample.encode()).finish().over

"""Every transcript in the tree goes as it is written: those of the tests, and those printed in the documentation."""

import re
from pathlib import Path

import pytest

from companion import games, kifu
from companion.replay import Replay

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "kifu").rglob("*.kifu"))
PAGES = sorted((ROOT / "docs").rglob("*.md"))
FENCE = re.compile(r"^```kifu\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _printed() -> list[object]:
    found = []
    for page in PAGES:
        for number, sample in enumerate(FENCE.findall(page.read_text(encoding="utf-8")), 1):
            found.append(pytest.param(sample.encode(), id=f"{page.relative_to(ROOT)}-{number}"))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_transcript_goes_as_it_is_written(path):
    played = list(Replay.of(path))

    assert any(isinstance(each.line, kifu.Expect) or each.refusal for each in played), "it checks nothing"


@pytest.mark.parametrize("sample", _printed())
def test_a_transcript_printed_in_the_documentation_goes_as_it_is_written(sample):
    assert list(Replay(sample))


@pytest.mark.parametrize("name", games.NAMES)
def test_every_game_has_transcripts_of_legal_and_of_illegal_play(name):
    played = [line for path in FILES if path.parent.name == name for line in Replay.of(path)]

    assert any(each.rulings for each in played)
    assert any(each.refusal for each in played)

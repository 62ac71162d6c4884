"""Every transcript in the tree goes as it is written: those of the tests, and those printed in the documentation."""

import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.core.rulings import ShinpanError
from companion.record import kifu
from companion.record.replay import Replay

ROOT = Path(__file__).parents[3]
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


@pytest.mark.parametrize("name", games.names())
def test_every_game_has_transcripts_of_legal_and_of_illegal_play(name):
    played = [line for path in FILES if path.parent.name == name for line in Replay.of(path)]

    assert any(each.rulings for each in played)
    assert any(each.refusal for each in played)


VALUE = re.compile(rb'"[^"]*"|-?\d+(?:\.\d+)?|true|false|null')
STRANGE = (
    b"null",
    b"-1",
    b"1e999",
    b"99999999999999999999",
    b'""',
    b'"x"',
    b"[]",
    b"{}",
    b"true",
    b"1.5",
    b'["a","a"]',
)


@settings(max_examples=200)
@given(st.data())
def test_whatever_stands_in_a_transcript_it_is_followed_or_one_sentence_says_why_not(data):
    """No name, number or field in it can bring the rules down."""
    text = data.draw(st.sampled_from(FILES)).read_bytes()
    for _ in range(data.draw(st.integers(1, 2))):
        found = list(VALUE.finditer(text))
        at = data.draw(st.sampled_from(found))
        other = data.draw(st.sampled_from(STRANGE) | st.sampled_from(found).map(lambda value: value[0]))
        text = text[: at.start()] + other + text[at.end() :]
    replay = Replay(text)
    with suppress(ShinpanError):
        for played in replay:
            assert all("{" not in replay.told(ruling.message) for ruling in played.rulings)

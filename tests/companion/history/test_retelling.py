"""Looking back: every moment of a match is shown as the live page showed it."""

from pathlib import Path

import pytest

from companion.history.retelling import retold
from companion.record import kifu
from tests.companion.history.live_table import LiveTable, alike

KIFU = Path(__file__).parents[2] / "kifu"
PLAYED = [path for path in sorted(KIFU.rglob("*.kifu")) if not next(kifu.read(path.read_bytes())).line.refused]


@pytest.mark.parametrize("path", PLAYED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_moment_is_the_page_that_a_spectator_saw_then(path: Path, tmp_path: Path) -> None:
    header = next(kifu.read(path.read_bytes())).line
    assert isinstance(header, kifu.Header)
    table = LiveTable(tmp_path, header)
    written = table.play(path.read_bytes())
    key = table.journal.head.key

    told = retold(written.name, written.read_bytes(), key)

    assert told.fault is None
    assert told.then[-1].number == table.journal.lines
    for line, live in table.pages["en"].items():
        then, seen = alike(told.page(told.at(line)), live)
        assert then == seen, f"line {line}"

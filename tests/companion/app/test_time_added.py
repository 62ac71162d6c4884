"""A match that time has ended can go on with time added, also when the table was switched off in between."""

from pathlib import Path

import pytest

from companion.core.events import Tick
from companion.record.journal import DataFolder
from companion.record.replay import Replay
from tests.companion.app.test_table import Evening, post


@pytest.mark.parametrize("undo", [False, True])
def test_a_match_ended_by_time_is_reopened_by_the_referee_after_a_restart(tmp_path: Path, undo: bool) -> None:
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        evening.start("Aki", "Ben", game="sen_so")
        seat = evening.browser("Aki")
        arming = {"move": "arm", "weapons": ["katana"]}
        assert post(seat, "/api/tap", what="move", data=arming) == 200
        assert post(evening.browser("referee"), "/api/tap", what="resume", data={}) == 200
        evening.at += 2000.0
        evening.service.submit(Tick(evening.at))
        assert evening.service.referee.match.over
        evening.close()
    with DataFolder(tmp_path) as folder:
        evening = Evening(folder)
        assert evening.table.resume() is not None
        assert evening.service.referee.match.over
        referee = evening.browser("referee")
        if undo:
            assert post(referee, "/api/tap", what="undo", data={"moves": 1, "why": "a dispute"}) == 200
        assert post(referee, "/api/tap", what="time", data={"seconds": 600, "why": "a dispute"}) == 200
        assert not evening.service.referee.match.over
        assert post(referee, "/api/tap", what="resume", data={}) == 200
        evening.at += 300.0
        evening.service.submit(Tick(evening.at))
        assert not evening.service.referee.match.over
        facts = evening.service.referee.match.facts
        evening.close()
        (kifu,) = folder.matches.glob("*.kifu")
        again = Replay.of(kifu).finish()
        assert again.facts["awaits"] == facts["awaits"]
        assert not again.over

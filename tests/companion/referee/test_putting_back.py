"""What people are told to put back on the table: for every game, at every position of every transcript."""

from pathlib import Path

import pytest

from companion.core.rulings import ShinpanError
from companion.core.wording import LANGUAGES, sentence
from companion.record.replay import Replay
from companion.referee.putting_back import put_back

KIFU = sorted((Path(__file__).parents[2] / "kifu").glob("*/*.kifu"))


@pytest.mark.parametrize("path", KIFU, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_table_that_is_put_back_looks_as_it_did(path):
    replay = Replay.of(path)
    try:
        for _ in replay:
            match = replay.match
            if match is None or not match.moves:
                continue
            back = match.rewound(1)
            told = put_back(match, back)
            if match.game.table.lies is not None:
                now = dict(match.game.table.lies(match.state, match.sealed))
                then = match.game.table.lies(back.state, back.sealed)
                assert list(now) == list(then), "a place is named whether or not something lies there"
                assert [each for place, each in then.items() if now[place] != each] == list(told)
            for language in LANGUAGES:
                assert all("{" not in sentence(each, language, match.name) for each in told)
    except ShinpanError:
        assert replay.match is None, "only a refused header ends a transcript early"


def test_a_step_forward_is_taken_back_by_putting_pawn_and_card_back():
    match = Replay.of(KIFU[0].parents[1] / "sen_so" / "time-up-and-taken-back.kifu").finish()
    for player in match.players:
        match.move(player, match.decode({"move": "reveal", "card": "move", "direction": "F"}))

    told = [sentence(each, "en", match.name) for each in put_back(match, match.rewound(2))]
    assert "the pawn of Aki: on e1" in told
    assert "the pawn of Ben: on e9" in told

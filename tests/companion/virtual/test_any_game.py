"""Players for any game: what they do is what the referee sees, whether they lay cards or tap."""

import json

import pytest
from click.testing import CliRunner

from companion import virtual
from companion.cli import shinpan
from companion.games import names
from companion.virtual import any_game


@pytest.mark.parametrize(
    ("game", "players", "options"),
    [
        ("high_card", 2, {}),
        ("high_card", 3, {"rounds": 1}),
        ("high_card", 4, {"rounds": 7}),
        ("sen_so", 2, {"end": {"actions": 3}}),
        ("san_ni_ichi", 3, {}),
    ],
)
def test_a_match_is_played_to_its_end_as_the_players_meant_it(monkeypatch, tmp_path, game, players, options):
    """The older games have more on the table than cards, so there everything is tapped."""
    monkeypatch.setattr(virtual, "_module", lambda name: None)
    if game != "high_card":
        monkeypatch.setattr(any_game.AnyPlayer, "_places", lambda player, move: None)
    arguments = ["--once", "--speed", "max", "--seed", "7", "--json", "--data", str(tmp_path)]
    more = ["--players", str(players), "--options", json.dumps(options)]

    done = CliRunner().invoke(shinpan, ["demo", game, *arguments, *more], obj={}, catch_exceptions=False)

    played = json.loads(done.stdout)
    assert played["result"]["over"]
    assert played["differences"] == []


def test_a_game_without_players_of_its_own_gets_these():
    assert virtual.seating("high_card").func is any_game.seat
    assert [name for name in names() if virtual._module(name) is None] == ["high_card"]

"""`shinpan game check` proves each game's `read`: every kind of move that is laid is tried, a broken one named."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion import games
from companion.cli.game_check import CHECKS, LENGTH, PEOPLE
from companion.core.layout import SeenCard, Sight
from companion.games.kit.game import Game
from companion.record import conformance
from companion.record.match import Match

LAID: dict[str, set[str]] = {
    "high_card": {"lay", "turn_up"},
    "sen_so": {"set", "show", "reveal", "change_block", "change_weapon", "second_weapon", "guard"},
    "san_ni_ichi": {"select", "reveal", "play", "discard", "block", "sai", "shuriken", "tonfa"},
    "senjutsu": {"select", "reveal", "instant", "discard"},
    "sensu": {"draw", "discard", "combine", "place", "wisdom", "harmony", "courage"},
}
"""What is laid; the rest is tapped, or made with a pawn, a miniature or a ring."""
CHECK = conformance.reading_inverts_the_layout
OPTIONS: dict[str, dict[str, Any]] = {
    "sen_so": {"board": [4, 4], "dual_wield": True, "end": {"points": 60}},
    "sensu": {"variants": ["powers"]},
}
"""What brings the rarer moves about."""


def begin(game: Game) -> Match:
    players = 2 if game.name == "senjutsu" else 3
    return Match(game, PEOPLE[:players], OPTIONS.get(game.name, {}))


def findings(game: Game, **table: Any) -> list[str]:
    """What is found with another table."""
    changed, pick = replace(game, table=replace(game.table, **table)), Random(7)
    return [str(each) for each in CHECK(lambda: begin(changed), [pick.randrange(2**20) for _ in range(LENGTH)])]


def blind(sight: Sight) -> Sight:
    """No card is recognised."""
    return Sight({zone: tuple(SeenCard(None, each.face_up) for each in row) for zone, row in sight.zones.items()})


@pytest.mark.parametrize("name", games.names())
def test_a_read_that_does_not_invert_the_layout_is_named(name):
    game = games.game(name)

    def broken(state: Any, sealed: Any, player: str, sight: Sight) -> Any:
        return game.table.read(state, sealed, player, blind(sight))

    assert CHECK in CHECKS
    assert findings(game) == []
    assert {each.rpartition(": ")[2] for each in findings(game, read=broken)} == {"`read` does not invert the layout."}


def test_a_game_that_does_not_say_how_its_moves_lie_is_told_so():
    assert findings(games.game("sen_so"), laid=None) == [
        "`read` is not checked: no `table.laid` says how moves lie there."
    ]


def test_a_card_that_is_read_for_another_is_named_with_both():
    game = games.game("san_ni_ichi")

    def crossed(state: Any, sealed: Any, player: str, sight: Sight) -> Any:
        move = game.table.read(state, sealed, player, sight)
        return type(move)("fire-1") if move and move.kind == "reveal" else move

    first = findings(game, read=crossed)[0]

    assert '{"move":"reveal","card":"' in first
    assert 'and is read as {"move":"reveal","card":"fire-1"}' in first


@pytest.mark.parametrize("name", games.names())
def test_every_kind_of_move_that_is_made_with_cards_is_tried(name):
    """So that the proof does not grow empty: what `laid` shows in up to 150 short matches."""
    game, kinds = games.game(name), LAID[name]
    shown: set[str] = set()
    for seed in range(150):
        if kinds <= shown:
            break
        shown |= set(_laid(game, Random(seed)))

    assert shown == kinds


def _laid(game: Game, pick: Random) -> Iterator[str]:
    match = begin(game)
    while not match.over and match.moves < 60:
        for player in match.awaits:
            for move in game.rules.legal_moves(match.state, match.sealed, player):
                if game.table.laid(match.state, player, move) is not None:  # type: ignore[misc]
                    yield move.kind
        match.move(*conformance.choose(match, pick.randrange(2**20)))

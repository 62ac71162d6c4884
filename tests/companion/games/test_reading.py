"""What players lay is read as the move that they meant: moves of every game that are made with cards alone.

How each looks on the table is written down here once more, apart from the code that reads it.
"""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.layout import SeenCard
from companion.games import game
from companion.games.sen_so.geometry import NUMBER
from companion.record.conformance import Laying, Row, reading_inverts_the_layout
from companion.record.match import Match

DOWN: Row = (SeenCard(None, False),)
EMPTY: Row = ()


def up(card: str, direction: str = "F") -> Row:
    return (SeenCard(card, True, -45.0 * NUMBER[direction] % 360),)


def sen_so(state: Any, player: str, move: Any) -> dict[str, Row] | None:
    places: dict[str, Row]
    match move.kind:
        case "set":
            slots = (*move.slots, "action1") if state.phase == "select" else move.slots
            places = dict.fromkeys(slots, DOWN)
        case "show":
            places = {"weapon": up(move.weapon)}
        case "reveal":
            places = {"action1": up(move.card, move.direction)}
        case "change_block":
            weapon = state.ninjas[state.index(player)].weapon
            places = {"action1": EMPTY, "block": DOWN, "weapon": up(weapon) if weapon else EMPTY}
        case "change_weapon":
            places = {"action1": EMPTY, "weapon": up(move.weapon)}
        case "second_weapon":
            places = {"action1": EMPTY, "block": up(move.weapon)}
        case "guard" if move.direction:
            places = {"block": up("block", move.direction)}
        case _:
            return None
    return {f"{player}.{place}": row for place, row in places.items()}


def san_ni_ichi(state: Any, player: str, move: Any) -> dict[str, Row] | None:
    match move.kind:
        case "select":
            return {f"{player}.selected": DOWN}
        case "reveal":
            return {f"{player}.selected": up(move.card)}
    return None


def senjutsu(state: Any, player: str, move: Any) -> dict[str, Row] | None:
    samurai = state.samurai[state.duel.seat[player]]
    match move.kind:
        case "select":
            return {f"{player}.card": DOWN}
        case "reveal":
            return {f"{player}.card": up(move.card)}
        case "instant" if move.card != (samurai.card, *samurai.laid)[-1]:
            return {f"{player}.card": up(move.card)}
    return None


def sensu(state: Any, player: str, move: Any) -> dict[str, Row] | None:
    match move.kind:
        case "discard" if move.card not in state.old_tops:
            return {f"{player}.discards": up(move.card)}
    return None


GAMES: dict[str, tuple[Laying, int, dict[str, Any]]] = {
    "sen_so": (sen_so, 3, {"end": {"points": 6}, "board": [4, 4], "dual_wield": True}),
    "san_ni_ichi": (san_ni_ichi, 3, {}),
    "senjutsu": (senjutsu, 2, {}),
    "sensu": (sensu, 2, {}),
}


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15, deadline=None)
@given(drawn=st.lists(st.integers(0, 2**20), min_size=20, max_size=60))
def test_a_move_that_is_laid_is_read_as_it_was_meant(name, drawn):
    laid, count, options = GAMES[name]
    tried: list[str] = []

    def noted(state: Any, player: str, move: Any) -> Any:
        places = laid(state, player, move)
        tried.extend([move.kind] if places else [])
        return places

    def begin() -> Match:
        return Match(game(name), ("Aki", "Ben", "Cho")[:count], options)

    assert sorted({str(each) for each in reading_inverts_the_layout(begin, drawn, noted)}) == []
    assert tried

"""The check that a game reads its cards as it lays them."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.layout import Sight
from companion.core.message import Thing, message
from companion.core.rulings import Refused
from companion.games.kit.game import Move
from companion.games.kit.reading import Row
from companion.record.conformance.playing import TRIED, Begin, Findings, choose, written
from companion.record.match import Match


def reading_inverts_the_layout(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Every legal move, laid on the table as `table.laid` says, is read as that move."""
    match = begin()
    table, laid = match.game.table, match.game.table.laid
    if laid is None:
        yield message("`read` is not checked: no `table.laid` says how moves lie there.")
        return
    lying: dict[str, Row] = {zone.name: () for zone in table.layout(match.state).zones}
    for choice in drawn:
        if match.over:
            return
        for player in match.awaits:
            legal = match.game.rules.legal_moves(match.state, match.sealed, player)
            step = -(-len(legal) // TRIED) or 1
            for move in legal[::step]:
                yield from _read_back(match, player, move, lying, laid(match.state, player, move))
        player, move = choose(match, choice)
        lying |= laid(match.state, player, move) or {}
        match.move(player, move)


def _read_back(
    match: Match, player: str, move: Move, lying: Mapping[str, Row], places: Mapping[str, Row] | None
) -> Findings:
    table = match.game.table
    if places is None:
        return
    cards = table.deck(match.state).cards
    for zone, row in places.items():
        if zone not in lying:
            yield message("{move} is laid in {zone}, and the layout has no such place.", move=written(move), zone=zone)
        for each in row:
            if each.card is not None and each.card not in cards:
                yield message("{move} lays {card}, and the deck has no such card.", move=written(move), card=each.card)
    read = table.read(match.state, match.sealed, player, Sight({**lying, **places}))
    if read != move and (read is None or _after(match, player, read) != _after(match, player, move)):
        yield message(
            "{move} of {player} lies on the table, and is read as {read}: `read` does not invert the layout.",
            move=written(move),
            player=Thing("player", player),
            read=written(read),
        )


def _after(match: Match, player: str, move: Move) -> Any:
    """What follows from a move; two that lead to the same state may be read one for the other."""
    try:
        match.move(player, move)
    except Refused as refusal:
        return refusal.rules
    after = match.state, match.sealed
    match.undo(1)
    return after

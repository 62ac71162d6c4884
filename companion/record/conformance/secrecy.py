"""Checks of what a game's views give away."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from companion.core.message import Thing, message
from companion.games.kit.game import Move
from companion.record.conformance.playing import Begin, Findings, play
from companion.record.match import Match


def sealed_moves_stay_hidden(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Two runs that differ only in a sealed move look the same to everybody."""
    match = begin()
    for _ in play(match, drawn):
        for player in match.awaits:
            found = match.game.rules.legal_moves(match.state, match.sealed, player)
            for kind in match.game.rules.together:
                held = [move for move in found if move.kind == kind]
                looks = {_look(match, player, move) for move in held[:1] + held[-1:]}
                if len(looks - {b""}) > 1:
                    yield message("A view shows which {kind} somebody has sealed.", kind=kind)


def _look(match: Match, player: str, move: Move) -> bytes:
    """All that anybody is shown after that move, or nothing where it does not stay sealed."""
    match.move(player, move)
    shown = b""
    if player in match.sealed:
        views = [match.game.rules.view(match.state, viewer) for viewer in (None, *match.players)]
        shown = msgspec.json.encode([views, match.awaits])
    match.undo(1)
    return shown


def spectators_know_least(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Where views differ, the spectator's has a blank there: what one player alone is shown is that player's own."""
    match = begin()
    for _ in play(match, drawn):
        spectator = _shown_to(match, None)
        for player in match.players:
            for path, value in _told_differently(spectator, _shown_to(match, player)):
                if value and value != "hidden":
                    yield message(
                        "A spectator is shown {value} at {path}, and {player} something else: the view shows too much.",
                        value=str(value),
                        path=path,
                        player=Thing("player", player),
                    )


def _shown_to(match: Match, viewer: str | None) -> Any:
    """A view as a page gets it."""
    return msgspec.json.decode(msgspec.json.encode(match.game.rules.view(match.state, viewer)))


def _told_differently(spectator: Any, own: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(spectator, dict) and isinstance(own, dict):
        for key in spectator:
            yield from _told_differently(spectator[key], own.get(key), f"{path}.{key}")
    elif isinstance(spectator, list) and isinstance(own, list) and len(spectator) == len(own):
        for at, (theirs, mine) in enumerate(zip(spectator, own, strict=True)):
            yield from _told_differently(theirs, mine, f"{path}.{at}")
    elif spectator != own:
        yield path, spectator

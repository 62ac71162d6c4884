"""What a game has to do with the referee's acts by hand: time, points, the end of a match, another name.

These are the defaults of `Rules`, for a state that has `players`, `scores` (one for each player) and `ended` (the seats
that won a match the referee has ended; None: not ended so). A game that keeps such things elsewhere has its own
functions, and one that lacks them refuses the act.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import Refused, Ruling
from companion.games.kit.seats import with_seat

ACT = "TABLE-5"
"""The rule behind everything that the referee does by hand."""
Step = tuple[Any, tuple[Ruling, ...]]
"""The state that follows, and the rulings."""


def does_not_fit(why: Message) -> Refused:
    return Refused(ACT, why)


def award_scores(state: Any, player: str, points: int, why: str) -> Step:
    if not _has(state, "players", "scores"):
        return nothing_to_award()
    seat = state.players.index(player)
    score = state.scores[seat]
    changes = {f"scores.{player}": (score, score + points)}
    after = replace(state, scores=with_seat(state.scores, seat, score + points))
    return after, (Ruling(ACT, points_given(player, points, why), changes),)


def nothing_to_award() -> Step:
    raise does_not_fit(message("There are no points to give or take in this match."))


def points_given(player: str, points: int, why: str) -> Message:
    who = Thing("player", player)
    if points > 0:
        return plural(
            "The referee gives {player} {count} point: {why}",
            "The referee gives {player} {count} points: {why}",
            points,
            player=who,
            why=why,
        )
    return plural(
        "The referee takes {count} point from {player}: {why}",
        "The referee takes {count} points from {player}: {why}",
        -points,
        player=who,
        why=why,
    )


def no_time_limit(state: Any, sealed: Mapping[str, Any], seconds: float, why: str) -> Step:
    raise does_not_fit(message("This match is not played against the clock."))


def end_by_field(state: Any, winners: tuple[str, ...]) -> Any:
    if not _has(state, "players", "ended"):
        raise does_not_fit(message("A match of this game cannot be ended by hand."))
    return replace(state, ended=tuple(state.players.index(player) for player in winners))


def rename_in_players(state: Any, player: str, name: str) -> Any:
    if not _has(state, "players"):
        raise does_not_fit(message("Players of this game cannot be renamed during a match."))
    return replace(state, players=renamed(state.players, player, name))


def renamed(names: tuple[str, ...], player: str, name: str) -> tuple[str, ...]:
    """The same names, one of them changed.

    >>> renamed(("Aki", "Ben"), "Ben", "Bea")
    ('Aki', 'Bea')
    """
    return tuple(name if each == player else each for each in names)


def _has(state: Any, *fields: str) -> bool:
    return set(fields) <= set(getattr(state, "__struct_fields__", ()))

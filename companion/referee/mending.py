"""A card that was misread and has already become a move: what it would take to make it right."""

from collections.abc import Iterable
from itertools import islice

import msgspec

from companion.core.layout import Sight
from companion.core.message import Message, Thing, message, plural
from companion.core.rulings import Refused
from companion.games.kit.game import Move
from companion.record.match import Match, Moment

FAR = 12
"""So many moves back a reading is looked for: a card seldom lies there for longer."""


class MendingOffer(msgspec.Struct, frozen=True):
    """To take a misread move back and make the right one."""

    zone: str
    card: str | None
    rotation: float | None
    player: str
    meant: Move | None
    """The move that the right card makes; None: none that the rules allow."""
    again: tuple[tuple[str, Move], ...]
    """Moves of others that were made together with it, and stay."""
    moves: int
    """How many moves are taken back for it."""
    made: int
    """How many moves there were when this was offered; with any other number it is out of date."""

    @property
    def question(self) -> Message:
        told = message(
            "The card at {place} has already counted as a move of {player}.",
            place=Thing("place", self.zone),
            player=Thing("player", self.player),
        )
        lost = self.moves - 1 - len(self.again)
        if lost:
            more = plural(
                "{told} {count} later move would be taken back with it.",
                "{told} {count} later moves would be taken back with it.",
                lost,
                told=told,
            )
            told = more
        return told if self.meant else message("{told} As you correct it, it is no move that may be made.", told=told)


def offer(
    match: Match, seen: Sight, right: Sight, correction: tuple[str, str | None, float | None]
) -> MendingOffer | None:
    """What it takes to put a move right that was read from `seen`, where `right` is what really lies there; None: no
    move depends on the difference."""
    counted = list(islice((moment for moment in match.past if moment.counts), FAR))
    for back, moment in enumerate(counted, 1):
        if moment.by not in match.players or not isinstance(moment.done, Move):
            continue
        if _read(match, moment, seen) != moment.done:
            continue
        meant = _read(match, moment, right)
        if meant == moment.done:
            continue
        allowed, again = _allowed(match, moment, meant), _made_with(match, moment, reversed(counted[: back - 1]))
        return MendingOffer(*correction, moment.by, allowed, again, back, match.moves)
    return None


def _read(match: Match, moment: Moment, sight: Sight) -> Move | None:
    move: Move | None = match.game.table.read(moment.state, moment.sealed, moment.by, sight)
    return move


def _made_with(match: Match, first: Moment, later: Iterable[Moment]) -> tuple[tuple[str, Move], ...]:
    """The moves after this one that others made in the same common step."""
    together, made = match.game.rules.together, list[tuple[str, Move]]()
    for moment in (first, *later):
        if not isinstance(moment.done, Move) or moment.done.kind not in together:
            break
        made.append((moment.by, moment.done))
    return tuple(made[1:])


def _allowed(match: Match, moment: Moment, move: Move | None) -> Move | None:
    if move is None or move.kind not in match.game.rules.awaits(moment.state, moment.sealed).get(moment.by, ()):
        return None
    try:
        match.game.rules.check(moment.state, moment.sealed, moment.by, move)
    except Refused:
        return None
    return move

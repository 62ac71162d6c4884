"""The moments of a match that somebody can go to, and what each of them is, in words for everybody.

What was not shown to everybody then is not told here either: a move that was sealed is told as that, and a move that
was refused in secret is no moment at all.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from companion.core.message import Message, Thing, message
from companion.core.wording import sentence
from companion.history.retelling import Retelling
from companion.history.then import Then
from companion.record import kifu


class MomentShown(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the places where the scrubber can stand."""

    line: int
    """Of the kifu: `#57` in the address."""
    kind: str
    """`begin`, `move`, `reveal`, `refused`, `act`, `undo`, `call`, `count`, `clock` or `pause`."""
    text: str
    at: float | None = None
    """Seconds on the match clock; None: the kifu does not say."""
    by: str = ""
    rules: tuple[str, ...] = ()
    undone: bool = False
    """It was taken back later."""


def moments(told: Retelling, language: str, after: int = 0) -> list[MomentShown]:
    """Those behind that line, in order."""
    struck = told.then[-1].struck if told.then else frozenset()
    return [_shown(told, then, language, struck) for then in _showable(told) if then.number > after]


def lines(told: Retelling, start: int, count: int) -> list[int]:
    """The lines of so many moments, from that line on."""
    return list(islice((then.number for then in _showable(told) if then.number >= start), count))


def _showable(told: Retelling) -> Iterator[Then]:
    before: Then | None = None
    for then in told.then:
        if before is None or _is_moment(told, before, then):
            yield then
        before = then


def _is_moment(told: Retelling, before: Then, then: Then) -> bool:
    match then.line:
        case kifu.Moved(fields=fields):
            return then.refusal is None or not _secret(told, fields)
        case kifu.Acted() | kifu.Undo():
            return True
        case kifu.Note(rules=rules, ready=ready):
            return bool(rules or ready)
        case kifu.Clock():
            return then.spoken > before.spoken
        case kifu.Signed(signed=signed):
            return signed == "pause" and not before.paused
    return False


def _secret(told: Retelling, fields: dict[str, Any]) -> bool:
    rules = told.match.game.rules
    return fields.get("move") in rules.together | rules.secret


def _shown(told: Retelling, then: Then, language: str, struck: frozenset[int]) -> MomentShown:
    kind, what, rules = _told(told, then)
    match = told.match
    line = then.line
    return MomentShown(
        then.number,
        kind,
        sentence(what, language, match.name),
        line.clock if isinstance(line, kifu.Clock) else getattr(line, "at", None),
        line.by if isinstance(line, kifu.Moved) and line.by in then.players else "",
        rules,
        then.number in struck,
    )


def _told(told: Retelling, then: Then) -> tuple[str, Message, tuple[str, ...]]:
    if then.refusal is not None:
        return "refused", then.refusal.message, then.refusal.rules
    match then.line:
        case kifu.Header():
            return "begin", message("The match begins."), ()
        case kifu.Moved(by=by, fields=fields):
            kind = "reveal" if fields.get("move") in told.match.game.reveals.kinds else "move"
            return kind, _moved(told, by, str(fields.get("move"))), ()
        case kifu.Acted():
            return "act", _said_of(then), ()
        case kifu.Undo():
            return "undo", _first_said(then), ()
        case kifu.Note(ready=ready, rules=rules):
            return ("count", then.order, ()) if ready else ("call", _last_said(then), rules)
        case kifu.Clock():
            return "clock", _last_said(then), ()
    return "pause", message("The match is paused."), ()


def _moved(told: Retelling, player: str, kind: str) -> Message:
    """As much of a move as everybody could see when it was made."""
    game, who = told.match.game, Thing("player", player)
    if kind in game.reveals.kinds:
        return message("{player} turns up a card.", player=who)
    if kind in game.reveals.locks - game.reveals.open_locks:
        return message("{player} lays a card face down.", player=who)
    if kind in (game.rules.together | game.rules.secret) - game.reveals.open_locks:
        return message("{player} has chosen.", player=who)
    return message("{player}: {move}.", player=who, move=Thing("move", kind))


def _said_of(then: Then) -> Message:
    """The first sentence of that line: what was done; those behind it say what follows."""
    return next((said.message for said in then.said if said.line == then.number), message("An act of the referee."))


def _last_said(then: Then) -> Message:
    return next((said.message for said in reversed(then.said) if not said.only), message("The clock."))


def _first_said(then: Then) -> Message:
    """Taking back says how many first, and then what has to be put back on the table."""
    said = [each for each in then.said[-2:] if each.kind == "notice"]
    return said[-2 if then.put_back and len(said) > 1 else -1].message if said else message("Taken back.")

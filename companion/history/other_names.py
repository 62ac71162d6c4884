"""A line of a kifu under other names, for people who want to be anonymous. The file itself stays as it is.

A name is taken for one where it stands as a whole value or key: in the list of players, as `by`, as the target of a
move. In what people wrote freely it is taken out wherever it occurs.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.history.wishes import rewritten
from companion.record import kifu

FREE_TEXT = ("why", "say")
NOT_A_NAME = ("move", "referee", "card", "cards", "weapon", "weapons", "direction", "slots", "how")
"""Fields of a line that hold no player, whatever a player is called."""


def called_otherwise(line: kifu.Line, names: Mapping[str, str]) -> kifu.Line:
    match line:
        case kifu.Header():
            players = tuple(names.get(player, player) for player in line.players)
            return replace(line, players=players, options=_swapped(line.options, names))
        case kifu.Moved():
            return replace(line, by=names.get(line.by, line.by), fields=_fields(line.fields, names))
        case kifu.Acted():
            return replace(line, fields=_fields(line.fields, names))
        case kifu.Undo():
            return replace(line, by=names.get(line.by, line.by), why=rewritten(line.why, names))
        case kifu.Note():
            owner, dot, place = line.place.partition(".")
            return replace(
                line,
                note=rewritten(line.note, names),
                place=f"{names.get(owner, owner)}{dot}{place}",
                ready=_swapped(line.ready, names),
                first=line.first and msgspec.convert(_swapped(msgspec.to_builtins(line.first), names), kifu.FirstReady),
            )
    return line


def _fields(fields: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {
        key: value
        if key in NOT_A_NAME
        else rewritten(value, names)
        if key in FREE_TEXT and isinstance(value, str)
        else _swapped(value, names)
        for key, value in fields.items()
    }


def _swapped(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list | tuple):
        return type(value)(_swapped(each, names) for each in value)
    if isinstance(value, dict):
        return {names.get(key, key): _swapped(each, names) for key, each in value.items()}
    return value

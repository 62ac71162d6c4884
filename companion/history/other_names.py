"""Lines of a kifu, sentences and clips under other names, for people who want to be anonymous. The files themselves
stay as they are.

A name is taken for one where it stands as a whole value or key: in the list of players, as `by`, as the target of a
move, as a player in a sentence, as the owner of a place. From what people wrote freely it is taken out as a word.
"""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.layout import owner_of
from companion.core.message import Fact, Message, Thing
from companion.history.names_in_text import without_names
from companion.record import kifu
from companion.record.clip import Testimony

FREE_TEXT = ("why", "say")
NOT_A_NAME = ("move", "referee", "card", "cards", "weapon", "weapons", "direction", "slots", "how")
"""Fields of a line that hold no player, whatever a player is called."""


def names_in(data: bytes, names: Mapping[str, str]) -> dict[str, str]:
    """The same names, and those that the same people had in this kifu before they were renamed, or have had since."""
    known = dict(names)
    if not names or b'"rename"' not in data:
        return known
    renamed = []
    with suppress(kifu.NotAKifu, kifu.Altered):
        for numbered in kifu.read(data):
            match numbered.line:
                case kifu.Acted(fields={"referee": "rename", "player": str(before), "name": str(since)}, refused=()):
                    renamed.append((before, since))
    for before, since in [*reversed(renamed), *renamed]:
        if since in known:
            known.setdefault(before, known[since])
        elif before in known:
            known[since] = known[before]
    return known


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
            return replace(line, by=names.get(line.by, line.by), why=without_names(line.why, names))
        case kifu.Note():
            return replace(
                line,
                note=without_names(line.note, names),
                place=_place(line.place, names),
                ready=_swapped(line.ready, names),
                first=line.first and msgspec.convert(_swapped(msgspec.to_builtins(line.first), names), kifu.FirstReady),
            )
    return line


def told_otherwise(said: Message, names: Mapping[str, str]) -> Message:
    """The same sentence about people who are called otherwise."""
    return replace(said, facts={key: _fact(fact, names) for key, fact in said.facts.items()})


def witnessed_otherwise(testimony: Testimony, names: Mapping[str, str]) -> Testimony:
    """What the referee knew in the seconds of a clip, likewise."""
    return replace(
        testimony,
        players=tuple(names.get(player, player) for player in testimony.players),
        presses=tuple(replace(each, player=names.get(each.player, each.player)) for each in testimony.presses),
        readings=tuple(replace(each, zone=_place(each.zone, names)) for each in testimony.readings),
        sentences=tuple(
            replace(each, text=without_names(each.text, names), said=each.said and told_otherwise(each.said, names))
            for each in testimony.sentences
        ),
    )


def _fact(fact: Fact, names: Mapping[str, str]) -> Any:
    if isinstance(fact, Thing):
        if fact.kind == "player":
            return Thing(fact.kind, names.get(fact.id, fact.id))
        return Thing(fact.kind, _place(fact.id, names))
    if isinstance(fact, Message):
        return told_otherwise(fact, names)
    if isinstance(fact, str):
        return without_names(fact, names)
    return tuple(_fact(each, names) for each in fact) if isinstance(fact, tuple) else fact


def _place(zone: str, names: Mapping[str, str]) -> str:
    owner = owner_of(zone)
    return f"{names[owner]}{zone[len(owner) :]}" if owner in names else zone


def _fields(fields: dict[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {
        key: value
        if key in NOT_A_NAME
        else without_names(value, names)
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

"""The check of the referee's acts in a game: replayed and taken back exactly, whatever they meet."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.message import Thing, message, plural
from companion.core.rulings import Refused
from companion.record import kifu
from companion.record.acts import RenamePlayer, decode
from companion.record.conformance.playing import Begin, Findings, choose, fields
from companion.record.match import Match
from companion.record.recorded_match import header
from companion.record.replay import Replay


def acts_are_exact(begin: Begin, drawn: Sequence[int]) -> Findings:
    """Acts of the referee between the moves: each is replayed and taken back exactly, and a new name is everywhere."""
    match = begin()
    line, chain = kifu.write(header(match), kifu.START)
    lines = [line]
    past: list[Snapshot] = []
    """What stood before each input that an undo counts, since somebody was last renamed."""
    for at, choice in enumerate(drawn):
        before, written = _stands(match), _any_input(match, at, choice)
        try:
            yield from _put_in(match, written, past)
        except Refused as refusal:
            if _stands(match) != before:
                yield message("A refused act changes the state: {reason}", reason=refusal.message)
            written["refused"] = refusal.rules
        line, chain = kifu.write(written, chain)
        lines.append(line)
    again = Replay(b"".join(lines)).finish()
    if (_stands(again), again.players) != (_stands(match), match.players):
        yield message("A match with acts of the referee, written down and replayed, ends in another state.")


Snapshot = tuple[Any, Mapping[str, Any], dict[str, Any]]


def _stands(match: Match) -> Snapshot:
    return match.state, match.sealed, match.facts


def _any_input(match: Match, at: int, choice: int) -> dict[str, Any]:
    """A move, an act, an undo or the clock, as a kifu has it."""
    kind, choice = choice % 12, choice // 12
    player = match.players[choice % len(match.players)]
    amount, why = choice // 8 % 21 - 10, f"choice {at}"
    match kind:
        case 0:
            return {"referee": "time", "seconds": amount * 30, "why": why}
        case 1 | 2:
            return {"referee": "award", "player": player, "points": amount, "why": why}
        case 3:
            return {"referee": "rule", "say": why}
        case 4:
            how = ("agreed", "conceded", "abandoned", "disqualified")[amount % 4]
            return {"referee": "end", "how": how, "player": player, "why": why}
        case 5:
            return {"referee": "rename", "player": player, "name": f"N{at}"}
        case 6 if match.moves:
            return {"undo": 1 + choice % min(3, match.moves), "why": why}
        case 7:
            return {"clock": match.facts.get("clock", 0) + 15.0 * abs(amount)}
    if match.over:
        return {"undo": min(3, match.moves), "why": why} if match.moves else {"referee": "rule", "say": why}
    player, move = choose(match, choice)
    return {"by": player, **fields(move)}


def _put_in(match: Match, written: Mapping[str, Any], past: list[Snapshot]) -> Findings:
    before = _stands(match)
    if "undo" in written:
        match.undo(written["undo"])
        if len(past) >= written["undo"]:
            wanted = past[-written["undo"]]
            del past[-written["undo"] :]
            if _stands(match) != wanted:
                yield plural(
                    "Taking back {count} move or act leads to another state.",
                    "Taking back {count} moves and acts leads to another state.",
                    written["undo"],
                )
        else:
            past.clear()
    elif "clock" in written:
        match.clock(written["clock"])
    elif "move" in written:
        match.move(written["by"], match.decode({name: value for name, value in written.items() if name != "by"}))
        past.append(before)
    else:
        act = decode(written)
        match.act(act)
        if isinstance(act, RenamePlayer):
            past.clear()
            yield from _name_is_gone(match, act.player)
        else:
            past.append(before)


def _name_is_gone(match: Match, name: str) -> Findings:
    views = [match.game.rules.view(match.state, viewer) for viewer in (None, *match.players)]
    zones = [zone.name for zone in match.game.table.layout(match.state).zones]
    shown = msgspec.json.decode(msgspec.json.encode([match.facts, views, list(match.sealed)], enc_hook=str))
    if name in _texts_in(shown) or any(zone.startswith(f"{name}.") for zone in zones):
        yield message("{player} has a new name, and the old one is still in the state.", player=Thing("player", name))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _texts_in(each)
    elif isinstance(value, str):
        yield value

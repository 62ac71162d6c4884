"""Lines of a card, resolved one by one from top to bottom (SJ-7). A line that leaves a choice asks for it."""

from collections.abc import Callable
from typing import Any

from companion.games.senjutsu import ability as a
from companion.games.senjutsu.desk import Desk, replace
from companion.games.senjutsu.hexes import Hex, bearing, minus, plus, turned
from companion.games.senjutsu.movement import face, turns, walk
from companion.games.senjutsu.state import Ask, Frame, Guard


def resolve_line(desk: Desk) -> None:
    """Take the next line off the top frame and do it, or ask."""
    frame = desk.frames.pop()
    line, rest = frame.lines[0], frame.lines[1:]
    if rest:
        desk.frames.append(replace(frame, lines=rest))
    RESOLVE[type(line)](desk, frame, line)
    desk.settle()


def _attack(desk: Desk, frame: Frame, line: a.Attack) -> None:
    attacker, me = frame.player, desk.samurai[frame.player]
    name = desk.players[attacker]
    struck: dict[int, a.Harm] = {}
    answers: list[Guard] = []
    for offset, wounds in line.hexes:
        target = desk.at(plus(me.hex, turned(offset, me.facing)))
        if target is None or target == attacker:
            continue
        guard = _guard(desk, target, me.hex, frame.speed)
        if guard is None:
            desk.rule("SJ-20", "{player} strikes {target}.", player=name, target=desk.players[target])
            struck[target] = replace(line.harm, wound=wounds)
        else:
            say = "{target} blocks the attack of {player}."
            desk.rule("R9", say, player=name, target=desk.players[target])
            answers.append(guard)
    if not struck and not answers:
        desk.rule("SJ-20", "The attack of {player} strikes nobody.", player=name)
    if len(frame.lines) > 1:
        desk.frames[-1] = replace(desk.frames[-1], hit=bool(struck))
    for guard in answers:
        if guard.then:
            desk.push(guard.player, guard.then, guard.speed)
    harm(desk, struck, attacker)


def harm(desk: Desk, struck: dict[int, a.Harm], cause: int) -> None:
    """All of them at once; the highest advantage is asked first for what must be discarded."""
    order = [seat for seat in desk.advantage if seat in struck]
    for seat in order:
        desk.hurt(seat, struck[seat])
        if struck[seat].push:
            away = bearing(minus(desk.samurai[seat].hex, desk.samurai[cause].hex))
            walk(desk, seat, (away,) * struck[seat].push, cause)
    for seat in reversed(order):
        if struck[seat].discard:
            desk.push(seat, (a.Drop(struck[seat].discard),))


def _guard(desk: Desk, target: int, attacker: Hex, speed: int) -> Guard | None:
    """A block of the target that stops an attack from that hex at that initiative (R8)."""
    samurai = desk.samurai[target]
    seen = turned(minus(attacker, samurai.hex), -samurai.facing)
    faster = desk.duel.options.block_timing == "equal_or_faster"
    for guard in desk.guards:
        in_time = guard.speed >= speed if faster else guard.speed == speed
        if guard.player == target and in_time and seen in guard.hexes:
            return guard
    return None


def _block(desk: Desk, frame: Frame, line: a.Block) -> None:
    desk.guards.append(Guard(frame.player, frame.speed, line.hexes, line.then))
    desk.rule("R8", "{player} blocks at {speed}.", player=desk.players[frame.player], speed=frame.speed)


def _step(desk: Desk, frame: Frame, line: a.Step) -> None:
    if not line.may and len(line.ways) == 1:
        way = (desk.samurai[frame.player].facing + line.ways[0]) % 6
        walk(desk, frame.player, (way,) * line.hexes, frame.player)
    else:
        desk.ask = Ask(frame.player, ("step", "pass") if line.may else ("step",), line)


def _rotate(desk: Desk, frame: Frame, line: a.Rotate) -> None:
    allowed = turns(desk.samurai[frame.player].facing, line.sixths, line.side, line.may)
    if len(allowed) == 1:
        face(desk, frame.player, allowed[0])
    else:
        desk.ask = Ask(frame.player, ("rotate", "pass") if line.may else ("rotate",), line)


def _draw(desk: Desk, frame: Frame, line: a.Draw) -> None:
    if line.may:
        desk.ask = Ask(frame.player, ("draw", "pass"), line)
    else:
        desk.draw(frame.player, line.cards, in_draw_phase=False)


def _discard(desk: Desk, frame: Frame, line: a.Discard) -> None:
    desk.discard(frame.player, line.cards, "SJ-59")


def _suffer(desk: Desk, frame: Frame, line: a.Suffer) -> None:
    desk.hurt(frame.player, line.harm)


def _foes(desk: Desk, frame: Frame, line: a.Foes) -> None:
    harm(desk, {seat: line.harm for seat in desk.standing() if seat != frame.player}, frame.player)


def _everyone(desk: Desk, frame: Frame, line: a.Everyone) -> None:
    harm(desk, dict.fromkeys(desk.standing(), line.harm), frame.player)


def _drop(desk: Desk, frame: Frame, line: a.Drop) -> None:
    """Stuns cannot be discarded, so an empty or stunned hand gives what it has (R14)."""
    count = min(line.cards, desk.samurai[frame.player].hand)
    if count:
        desk.ask = Ask(frame.player, ("discard",), a.Drop(count))


def _advantage(desk: Desk, frame: Frame, line: a.Advantage) -> None:
    before = [desk.players[seat] for seat in desk.advantage]
    place = desk.advantage.index(frame.player)
    up = 0 if desk.duel.options.advantage_symbol == "top" else max(0, place - 1)
    desk.advantage.insert(up, desk.advantage.pop(place))
    after = [desk.players[seat] for seat in desk.advantage]
    if after != before:
        name = desk.players[frame.player]
        desk.rule("SJ-28", "{player} gains the advantage.", {"advantage": (before, after)}, player=name)


def _kamae(desk: Desk, frame: Frame, line: a.Kamae) -> None:
    if desk.duel.trees[frame.player].get(desk.samurai[frame.player].kamae):
        desk.ask = Ask(frame.player, ("kamae", "pass"), line)


def shift(desk: Desk, seat: int, kamae: str) -> None:
    name, was = desk.players[seat], desk.samurai[seat].kamae
    desk.change(seat, kamae=kamae)
    changes = {f"samurai.{name}.kamae": (was, kamae)}
    desk.rule("SJ-31", "{player} takes the kamae {kamae}.", changes, player=name, kamae=kamae)


def _cost(desk: Desk, frame: Frame, line: a.Cost) -> None:
    seat = frame.player
    if desk.samurai[seat].hand >= line.discard:
        if line.discard:
            desk.discard(seat, line.discard, "SJ-57")
        desk.hurt(seat, line.harm)
        return
    if len(frame.lines) > 1:
        desk.frames.pop()
    desk.rule("R5", "{player} cannot pay the cost: nothing follows from it.", player=desk.players[seat])


def _in(desk: Desk, frame: Frame, line: a.In) -> None:
    if desk.samurai[frame.player].kamae in line.kamae:
        name, kamae = desk.players[frame.player], desk.samurai[frame.player].kamae
        desk.rule("SJ-22", "{player} is in the kamae {kamae}: its line counts.", player=name, kamae=kamae)
        desk.frames.append(replace(frame, lines=line.lines))


def _either(desk: Desk, frame: Frame, line: a.Either) -> None:
    # It stays on top until the answer puts what was chosen in its place.
    desk.frames.append(replace(frame, lines=(line,)))
    desk.ask = Ask(frame.player, ("choose",), line)


def _may(desk: Desk, frame: Frame, line: a.May) -> None:
    desk.frames.append(replace(frame, lines=(line,)))
    desk.ask = Ask(frame.player, ("use", "pass"), line)


def _on_hit(desk: Desk, frame: Frame, line: a.OnHit) -> None:
    if frame.hit:
        desk.frames.append(replace(frame, lines=line.lines))


RESOLVE: dict[type[Any], Callable[[Desk, Frame, Any], None]] = {
    a.Attack: _attack,
    a.Block: _block,
    a.Step: _step,
    a.Rotate: _rotate,
    a.Draw: _draw,
    a.Discard: _discard,
    a.Suffer: _suffer,
    a.Foes: _foes,
    a.Everyone: _everyone,
    a.Drop: _drop,
    a.Advantage: _advantage,
    a.Kamae: _kamae,
    a.Cost: _cost,
    a.In: _in,
    a.Either: _either,
    a.May: _may,
    a.OnHit: _on_hit,
}

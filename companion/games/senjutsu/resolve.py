"""Lines of a card, resolved one by one from top to bottom (SJ-7). A line that leaves a choice asks for it."""

from collections.abc import Callable
from typing import Any

from companion.core.message import Thing, message
from companion.games.senjutsu.card_language import ability as a
from companion.games.senjutsu.desk import Desk, replace
from companion.games.senjutsu.happenings import AttackBlocked, SamuraiStruck
from companion.games.senjutsu.hexes import Hex, bearing, distance, minus, plus, turned
from companion.games.senjutsu.movement import face, turns, walk
from companion.games.senjutsu.state import Ask, Frame, StandingBlock


def resolve_line(desk: Desk) -> None:
    """Take the next line off the top frame and do it, or ask."""
    frame = desk.frames.pop()
    lines = frame.lines
    if len(lines) > 1:
        desk.frames.append(Frame(frame.player, lines[1:], frame.speed, frame.hit))
    RESOLVE[type(lines[0])](desk, frame, lines[0])
    if desk.wounded:
        desk.settle()


def _attack(desk: Desk, frame: Frame, line: a.AttackLine) -> None:
    attacker, me = frame.player, desk.samurai[frame.player]
    struck: dict[int, a.Harm] = {}
    blocks: list[StandingBlock] = []
    for offset, wounds in line.hexes:
        target = desk.at(plus(me.hex, turned(offset, me.facing)))
        if target is None or target == attacker:
            continue
        block = _block_against(desk, target, me.hex, frame.speed)
        if block is None:
            _tell_strike(desk, attacker, target)
            struck[target] = replace(line.harm, wound=wounds)
        else:
            _tell_block(desk, attacker, target, frame.speed, block.speed)
            blocks.append(block)
    if not struck and not blocks:
        desk.rule("SJ-20", message("The attack of {player} strikes nobody.", player=desk.duel.named[attacker]))
    if len(frame.lines) > 1:
        desk.frames[-1] = replace(desk.frames[-1], hit=bool(struck))
    for block in blocks:
        if block.then:
            desk.push(block.player, block.then, block.speed)
    harm(desk, struck, attacker)


def _tell_strike(desk: Desk, attacker: int, target: int) -> None:
    names, hexes = desk.duel.named, (desk.hex_of(attacker), desk.hex_of(target))
    told = message("{player} strikes {target}.", player=names[attacker], target=names[target])
    desk.rule("SJ-20", told, None, SamuraiStruck(desk.players[attacker], desk.players[target], *hexes))


def _tell_block(desk: Desk, attacker: int, target: int, speed: int, block: int) -> None:
    names, hexes = desk.duel.named, (desk.hex_of(attacker), desk.hex_of(target))
    if block == speed:
        told = message(
            "{target} blocks the attack of {player}: both come at speed {speed}, and a block comes first.",
            player=names[attacker],
            target=names[target],
            speed=speed,
        )
    else:
        told = message(
            "{target} blocks the attack of {player} at speed {speed}: the block stands since speed {block}.",
            player=names[attacker],
            target=names[target],
            speed=speed,
            block=block,
        )
    desk.rule("SJ-R9", told, None, AttackBlocked(desk.players[attacker], desk.players[target], *hexes))


def harm(desk: Desk, struck: dict[int, a.Harm], cause: int) -> None:
    """Everybody is hurt at once; the highest advantage is asked first for what must be discarded."""
    left = desk.hurt([seat for seat in desk.advantage if seat in struck], struck)
    stands = desk.samurai[cause].hex
    # The farthest first, so that nobody runs into a samurai who is about to leave (SJ-R35).
    for seat in sorted(left, key=lambda seat: -distance(desk.samurai[seat].hex, stands)):
        if struck[seat].push:
            away = bearing(minus(desk.samurai[seat].hex, stands))
            walk(desk, seat, (away,) * struck[seat].push, cause)
    for seat in reversed(left):
        if struck[seat].discard:
            desk.push(seat, (a.ForcedDiscard(struck[seat].discard),))


def _block_against(desk: Desk, target: int, attacker: Hex, speed: int) -> StandingBlock | None:
    """A block of the target that stops an attack from that hex at that initiative (SJ-R8)."""
    samurai = desk.samurai[target]
    seen = turned(minus(attacker, samurai.hex), -samurai.facing)
    faster = desk.duel.options.block_timing == "equal_or_faster"
    for block in desk.blocks:
        in_time = block.speed >= speed if faster else block.speed == speed
        if block.player == target and in_time and seen in block.hexes:
            return block
    return None


def _block(desk: Desk, frame: Frame, line: a.BlockLine) -> None:
    desk.blocks = (*desk.blocks, StandingBlock(frame.player, frame.speed, line.hexes, line.then))
    told = message(
        "{player} is ready to block attacks at speed {speed}.", player=desk.duel.named[frame.player], speed=frame.speed
    )
    desk.rule("SJ-R8", told)


def _step(desk: Desk, frame: Frame, line: a.StepLine) -> None:
    if not line.may and len(line.ways) == 1:
        way = (desk.samurai[frame.player].facing + line.ways[0]) % 6
        walk(desk, frame.player, (way,) * line.hexes, frame.player)
    else:
        desk.ask = Ask(frame.player, ("step", "pass") if line.may else ("step",), line)


def _rotate(desk: Desk, frame: Frame, line: a.RotateLine) -> None:
    allowed = turns(desk.samurai[frame.player].facing, line.sixths, line.side, line.may)
    if len(allowed) == 1:
        face(desk, frame.player, allowed[0])
    else:
        desk.ask = Ask(frame.player, ("rotate", "pass") if line.may else ("rotate",), line)


def _draw(desk: Desk, frame: Frame, line: a.DrawLine) -> None:
    if line.may:
        desk.ask = Ask(frame.player, ("draw", "pass"), line)
    else:
        desk.draw(frame.player, line.cards, in_draw_phase=False)


def _discard(desk: Desk, frame: Frame, line: a.DiscardLine) -> None:
    desk.discard(frame.player, line.cards, "SJ-59")


def _suffer(desk: Desk, frame: Frame, line: a.SufferLine) -> None:
    desk.hurt([frame.player], {frame.player: line.harm})


def _foes(desk: Desk, frame: Frame, line: a.FoesLine) -> None:
    harm(desk, {seat: line.harm for seat in desk.standing() if seat != frame.player}, frame.player)


def _everyone(desk: Desk, frame: Frame, line: a.EveryoneLine) -> None:
    harm(desk, dict.fromkeys(desk.standing(), line.harm), frame.player)


def _forced_discard(desk: Desk, frame: Frame, line: a.ForcedDiscard) -> None:
    """Stuns cannot be discarded, so a hand gives only the ability cards that it has (SJ-R14)."""
    count = min(line.cards, desk.samurai[frame.player].hand)
    if count:
        desk.ask = Ask(frame.player, ("discard",), a.ForcedDiscard(count))


def _advantage(desk: Desk, frame: Frame, line: a.AdvantageLine) -> None:
    before = desk.advantage
    place = before.index(frame.player)
    up = 0 if desk.duel.options.advantage_symbol == "top" else max(0, place - 1)
    others = [seat for seat in before if seat != frame.player]
    desk.advantage = (*others[:up], frame.player, *others[up:])
    if desk.advantage != before:
        told = message("{player} gains the advantage.", player=desk.duel.named[frame.player])
        names = [desk.players[seat] for seat in before], [desk.players[seat] for seat in desk.advantage]
        desk.rule("SJ-28", told, {"advantage": names})


def _kamae(desk: Desk, frame: Frame, line: a.KamaeLine) -> None:
    if desk.duel.trees[frame.player].get(desk.samurai[frame.player].kamae):
        desk.ask = Ask(frame.player, ("kamae", "pass"), line)


def shift(desk: Desk, seat: int, kamae: str) -> None:
    was = desk.samurai[seat].kamae
    desk.change(seat, kamae=kamae)
    told = message("{player} takes the kamae {kamae}.", player=desk.duel.named[seat], kamae=Thing("kamae", kamae))
    desk.rule("SJ-31", told, {f"samurai.{desk.players[seat]}.kamae": (was, kamae)})


def _cost(desk: Desk, frame: Frame, line: a.CostLine) -> None:
    seat = frame.player
    if desk.samurai[seat].hand >= line.discard:
        if line.discard:
            desk.discard(seat, line.discard, "SJ-57")
        desk.hurt([seat], {seat: line.harm})
        return
    if len(frame.lines) > 1:
        desk.frames.pop()
    told = message("{player} cannot pay the cost: nothing follows from it.", player=desk.duel.named[seat])
    desk.rule("SJ-R5", told)


def _in_kamae(desk: Desk, frame: Frame, line: a.InKamaeLine) -> None:
    kamae = desk.samurai[frame.player].kamae
    if kamae in line.kamae:
        told = message(
            "{player} is in the kamae {kamae}: its line counts.",
            player=desk.duel.named[frame.player],
            kamae=Thing("kamae", kamae),
        )
        desk.rule("SJ-22", told)
        desk.frames.append(Frame(frame.player, line.lines, frame.speed, frame.hit))


def _either(desk: Desk, frame: Frame, line: a.EitherLine) -> None:
    # It stays on top until the answer puts the chosen lines in its place.
    desk.frames.append(Frame(frame.player, (line,), frame.speed, frame.hit))
    desk.ask = Ask(frame.player, ("choose",), line)


def _may(desk: Desk, frame: Frame, line: a.MayLine) -> None:
    desk.frames.append(Frame(frame.player, (line,), frame.speed, frame.hit))
    desk.ask = Ask(frame.player, ("use", "pass"), line)


def _on_hit(desk: Desk, frame: Frame, line: a.OnHitLine) -> None:
    if frame.hit:
        desk.frames.append(Frame(frame.player, line.lines, frame.speed, frame.hit))


RESOLVE: dict[type[Any], Callable[[Desk, Frame, Any], None]] = {
    a.AttackLine: _attack,
    a.BlockLine: _block,
    a.StepLine: _step,
    a.RotateLine: _rotate,
    a.DrawLine: _draw,
    a.DiscardLine: _discard,
    a.SufferLine: _suffer,
    a.FoesLine: _foes,
    a.EveryoneLine: _everyone,
    a.ForcedDiscard: _forced_discard,
    a.AdvantageLine: _advantage,
    a.KamaeLine: _kamae,
    a.CostLine: _cost,
    a.InKamaeLine: _in_kamae,
    a.EitherLine: _either,
    a.MayLine: _may,
    a.OnHitLine: _on_hit,
}

"""Steps over the arena: free hexes, other samurai in the way (SJ-64), objects and the arena's edge (SJ-65)."""

from collections.abc import Sequence

from companion.games.senjutsu.desk import Desk
from companion.games.senjutsu.hexes import FACINGS, STEPS, plus


def walk(desk: Desk, mover: int, ways: Sequence[int], cause: int) -> None:
    """Move a samurai step by step in these absolute directions; `cause` is whose card makes it move."""
    if mover not in desk.stirred:
        desk.stirred = (*desk.stirred, mover)
    start = desk.samurai[mover].hex
    place, bumped, other = start, False, None
    for way in ways:
        there = plus(place, STEPS[way])
        other = desk.at(there)
        if other == mover:
            other = None  # on the way back to where it came from: nobody runs into oneself
        if other is not None:
            break
        if there not in desk.duel.arena.hexes or there in desk.duel.terrain:
            # Several blocked steps of one action are one stun (R17).
            bumped = True
            if desk.duel.options.edge_cancels:
                break
        else:
            place = there
    if place != start:
        desk.change(mover, hex=place)
        name, names = desk.players[mover], desk.duel.arena.hexes
        changes = {f"samurai.{name}.hex": (names[start], names[place])}
        desk.rule("SJ-54", "{player} moves to {hex}.", changes, player=name, hex=names[place])
    if bumped:
        desk.stun(mover, 1, "SJ-65")
        if desk.duel.options.edge_cancels:
            _cancel(desk, cause, "R17")
    if other is not None:
        desk.stun(mover, 1, "SJ-64")
        desk.stun(other, 1, "SJ-64")
        _cancel(desk, _first_mover(desk, mover, other, cause), "SJ-64")


def _first_mover(desk: Desk, mover: int, other: int, cause: int) -> int:
    """Whose card the collision cancels, by R16's switch."""
    if desk.duel.options.collision_cancels == "mover" or other not in desk.stirred:
        return cause
    return min(mover, other, key=desk.stirred.index)


def _cancel(desk: Desk, seat: int, rule: str) -> None:
    desk.cancel(seat)
    desk.rule(rule, "The rest of {player}'s card is cancelled.", player=desk.players[seat])


def face(desk: Desk, seat: int, facing: int) -> None:
    was = desk.samurai[seat].facing
    if facing != was:
        desk.change(seat, facing=facing)
        name = desk.players[seat]
        changes = {f"samurai.{name}.facing": (FACINGS[was], FACINGS[facing])}
        desk.rule("SJ-54", "{player} turns to face {facing}.", changes, player=name, facing=FACINGS[facing])


def turns(facing: int, sixths: int, side: int, may: bool) -> tuple[int, ...]:
    """The facings that a rotation allows."""
    sides = (-1, 1) if not side else (side,)
    counts = range(sixths + 1) if may else (sixths,)
    return tuple(dict.fromkeys((facing + count * way) % 6 for count in counts for way in sides))

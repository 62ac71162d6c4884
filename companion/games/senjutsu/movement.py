"""Steps over the arena: free hexes, other samurai in the way (SJ-64), objects and the arena's edge (SJ-65)."""

from collections.abc import Sequence
from functools import cache

from companion.core.message import Message, Thing, message, plural, things
from companion.core.rulings import Refused
from companion.games.senjutsu.card_language.ability import StepLine
from companion.games.senjutsu.desk import Desk
from companion.games.senjutsu.happenings import SamuraiMoved, SamuraiTurned
from companion.games.senjutsu.hexes import FACINGS, STEPS, WAYS, Arena, Hex, facing_of, minus, plus
from companion.games.senjutsu.state import DuelState


def walk(desk: Desk, mover: int, ways: Sequence[int], cause: int) -> None:
    """Move a samurai step by step in these absolute directions; `cause` is whose card makes it move."""
    if mover not in desk.stirred:
        desk.stirred = (*desk.stirred, mover)
    start = desk.samurai[mover].hex
    place, other = start, None
    bumped: Hex | None = None
    for way in ways:
        there = plus(place, STEPS[way])
        other = desk.at(there)
        if other == mover:
            other = None  # a path may lead back to where it began: nobody collides with themselves
        if other is not None:
            break
        if there not in desk.duel.arena.hexes or there in desk.duel.terrain:
            # Several blocked steps of one action are one stun (SJ-R17).
            bumped = bumped or there
            if desk.duel.options.edge_cancels:
                break
        else:
            place = there
    if place != start:
        _arrive(desk, mover, place)
    if bumped:
        desk.stun(mover, 1, "SJ-65", _at_the_edge if bumped not in desk.duel.arena.hexes else _at_an_object, "obstacle")
        if desk.duel.options.edge_cancels:
            _cancel(desk, cause, "SJ-R17")
    if other is not None:
        names = desk.duel.named[mover], desk.duel.named[other]
        desk.stun(mover, 1, "SJ-64", lambda *_: _runs_into(*names), "collision")
        desk.stun(other, 1, "SJ-64", lambda *_: _is_run_into(*names), "collision")
        _cancel(desk, _first_mover(desk, mover, other, cause), "SJ-64")


def _at_the_edge(player: Thing, count: int) -> Message:
    return message("{player} is stopped at the arena's edge and takes a stun card into the hand.", player=player)


def _at_an_object(player: Thing, count: int) -> Message:
    return message("{player} is stopped by an object and takes a stun card into the hand.", player=player)


def _runs_into(mover: Thing, other: Thing) -> Message:
    return message("{player} runs into {other} and takes a stun card into the hand.", player=mover, other=other)


def _is_run_into(mover: Thing, other: Thing) -> Message:
    return message("{player} runs into {other}, who takes a stun card into the hand, too.", player=mover, other=other)


def _arrive(desk: Desk, mover: int, place: Hex) -> None:
    name, names = desk.players[mover], desk.duel.arena.hexes
    start, end = names[desk.samurai[mover].hex], names[place]
    desk.change(mover, hex=place)
    told = message("{player} moves to {hex}.", player=desk.duel.named[mover], hex=Thing("place", end))
    desk.rule("SJ-54", told, {f"samurai.{name}.hex": (start, end)}, SamuraiMoved(name, start, end))


def _first_mover(desk: Desk, mover: int, other: int, cause: int) -> int:
    """Whose card the collision cancels, as the option `collision_cancels` has it (SJ-R16)."""
    if desk.duel.options.collision_cancels == "mover" or other not in desk.stirred:
        return cause
    return min(mover, other, key=desk.stirred.index)


def _cancel(desk: Desk, seat: int, rule: str) -> None:
    desk.cancel(seat)
    desk.rule(rule, message("The rest of {player}'s card is cancelled.", player=desk.duel.named[seat]))


def face(desk: Desk, seat: int, facing: int) -> None:
    was = desk.samurai[seat].facing
    if facing == was:
        return
    desk.change(seat, facing=facing)
    name, after = desk.players[seat], FACINGS[facing]
    told = message("{player} turns to face {facing}.", player=desk.duel.named[seat], facing=Thing("direction", after))
    desk.rule("SJ-54", told, {f"samurai.{name}.facing": (FACINGS[was], after)}, SamuraiTurned(name, after))


@cache
def turns(facing: int, sixths: int, side: int, may: bool) -> tuple[int, ...]:
    """The facings that a rotation allows."""
    sides = (-1, 1) if not side else (side,)
    counts = range(sixths + 1) if may else (sixths,)
    return tuple(dict.fromkeys((facing + count * way) % 6 for count in counts for way in sides))


def directions(state: DuelState, seat: int, line: StepLine, places: Sequence[str]) -> list[int]:
    """The steps that these hexes or facings name, as absolute directions; refused where the line has no such step."""
    duel, samurai, player = state.duel, state.samurai[seat], state.duel.named[seat]
    others = [other.hex for at, other in enumerate(state.samurai) if at != seat and not other.defeated]
    here, found = samurai.hex, list[int]()
    if len(places) > line.hexes:
        told = plural(
            "This line moves {player} {count} hex at most.",
            "This line moves {player} {count} hexes at most.",
            line.hexes,
            player=player,
        )
        raise Refused(("SJ-54", "SJ-7"), told)
    for name in places:
        way = facing_of(name)
        if way is None:
            way = _way_to(duel.arena, here, name)
        if (way - samurai.facing) % 6 not in line.ways:
            told = message(
                "{player} cannot step {direction} ({relative}); this line goes {ways}.",
                player=player,
                direction=Thing("direction", FACINGS[way]),
                relative=Thing("direction", WAYS[(way - samurai.facing) % 6]),
                ways=things("direction", (WAYS[one] for one in line.ways)),
            )
            raise Refused(("SJ-54", "SJ-7", "SJ-21"), told)
        found.append(way)
        there = plus(here, STEPS[way])
        if there in others:
            # A collision ends the move; whatever was named after it is ignored.
            return found
        if there in duel.arena.hexes and there not in duel.terrain:
            here = there
    if not line.may and len(found) < line.hexes:
        told = plural(
            "{player} must move {count} hex: this move is forced.",
            "{player} must move {count} hexes: this move is forced.",
            line.hexes,
            player=player,
        )
        raise Refused("SJ-54", told)
    return found


def _way_to(arena: Arena, here: Hex, name: str) -> int:
    there = arena.hex_of(name)
    if there is None:
        raise Refused("TABLE-4", message("There is no hex or facing {name} in this arena.", name=name))
    if minus(there, here) not in STEPS:
        told = message(
            "{hex} is not next to {here}: a step goes one hex.",
            hex=Thing("place", name),
            here=Thing("place", arena.hexes[here]),
        )
        raise Refused(("SJ-54", "TABLE-4"), told)
    return STEPS.index(minus(there, here))

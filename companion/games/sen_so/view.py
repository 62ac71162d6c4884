"""What somebody may know of a Sen So match. Weapons that were chosen and not yet shown are their owner's secret."""

import msgspec

from companion.games.sen_so.ending import block_name, winners
from companion.games.sen_so.state import Attack, State


class Seat(msgspec.Struct, frozen=True):
    name: str
    facing: int
    cell: str | None
    score: int
    endurance: int | None
    weapon: str | None
    block: str | None
    """`hidden`, or the side it guards; None where a second weapon has its place."""
    momentum: bool
    acted: bool
    thrown: int
    out: bool
    loadout: tuple[str, ...] | None
    """Only for its owner."""
    second: str | None = None
    """The weapon in the other hand (SEN-A5)."""


class Strike(msgspec.Struct, frozen=True):
    by: str
    card: str
    arrow: int
    choices: tuple[str, ...]
    target: str | None


class View(msgspec.Struct, frozen=True):
    board: tuple[int, int]
    seats: tuple[Seat, ...]
    strikes: tuple[Strike, ...]
    phase: str
    set: int
    clock: float
    end: dict[str, float]
    over: bool
    winners: tuple[str, ...]


def view(state: State, viewer: str | None) -> View:
    seats = tuple(
        Seat(
            ninja.name,
            ninja.facing,
            None if ninja.out else state.board.name(ninja.cell),
            ninja.score,
            ninja.endurance,
            ninja.weapon,
            block_name(ninja.block),
            ninja.momentum,
            ninja.acted,
            ninja.thrown,
            ninja.out,
            ninja.left if viewer == ninja.name else None,
            ninja.second,
        )
        for ninja in state.ninjas
    )
    end = state.options.end
    limits = (
        {} if end is None else {name: limit for name, limit in msgspec.structs.asdict(end).items() if limit is not None}
    )
    strikes = tuple(_strike(state, attack) for attack in state.attacks)
    return View(
        state.options.board,
        seats,
        strikes,
        state.phase,
        state.set,
        state.clock,
        limits,
        state.phase == "over",
        tuple(winners(state)),
    )


def _strike(state: State, attack: Attack) -> Strike:
    name = state.board.name
    target = None if attack.target is None else name(attack.target)
    return Strike(state.ninjas[attack.by].name, attack.card, attack.arrow, tuple(map(name, attack.choices)), target)

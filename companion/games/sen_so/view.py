"""What somebody may know of a match, and its state as the kifu names it.

Weapons that were chosen and not shown yet are their owner's secret.
"""

from typing import Any, Literal

import msgspec

from companion.games.sen_so.cards import INVENTORY, WEAPONS
from companion.games.sen_so.ending import winners
from companion.games.sen_so.geometry import Direction
from companion.games.sen_so.state import End, Ninja, PendingAttack, Phase, SenSoState


class NinjaView(msgspec.Struct, frozen=True):
    name: str
    facing: int
    """Where this player looks, in eighth turns clockwise from north."""
    cell: str | None
    """None for a player who is out."""
    score: int
    endurance: int | None
    weapon: str | None
    block: Direction | Literal["hidden"] | None
    """`hidden`, or the side it guards; None where a second weapon has its place."""
    momentum: bool
    acted: bool
    thrown: int
    """Shuriken out of the game."""
    out: bool
    loadout: tuple[str, ...] | None
    """Only for its owner."""
    second: str | None = None
    """The weapon in the other hand (SEN-A5)."""


class StrikeView(msgspec.Struct, frozen=True):
    """An attack that is not scored yet."""

    by: str
    card: str
    arrow: int
    choices: tuple[str, ...]
    target: str | None
    """None until it is chosen."""


class InventoryView(msgspec.Struct, frozen=True):
    """While somebody has to choose weapons: how much room each takes, and how much there is (SEN-10)."""

    spaces: dict[str, int]
    room: int


INVENTORIES = InventoryView({name: weapon.spaces for name, weapon in WEAPONS.items()}, INVENTORY)


class SenSoView(msgspec.Struct, frozen=True):
    board: tuple[int, int]
    seats: tuple[NinjaView, ...]
    strikes: tuple[StrikeView, ...]
    phase: Phase
    set: int
    clock: float
    end: End
    over: bool
    winners: tuple[str, ...]
    inventory: InventoryView | None


def view(state: SenSoState, viewer: str | None) -> SenSoView:
    return SenSoView(
        state.options.board,
        tuple(_ninja(state, ninja, ninja.name == viewer) for ninja in state.ninjas),
        tuple(_strike(state, attack) for attack in state.attacks),
        state.phase,
        state.set,
        state.clock,
        state.options.end or End(),
        state.phase == "over",
        tuple(winners(state)),
        INVENTORIES if any(ninja.loadout is None for ninja in state.ninjas) else None,
    )


def _ninja(state: SenSoState, ninja: Ninja, own: bool) -> NinjaView:
    return NinjaView(
        ninja.name,
        ninja.facing,
        _cell(state, ninja),
        ninja.score,
        ninja.endurance,
        ninja.weapon,
        ninja.block_name,
        ninja.momentum,
        ninja.acted,
        ninja.thrown,
        ninja.out,
        ninja.left if own else None,
        ninja.second,
    )


def _cell(state: SenSoState, ninja: Ninja) -> str | None:
    return None if ninja.out else state.board.name(ninja.cell)


def _strike(state: SenSoState, attack: PendingAttack) -> StrikeView:
    name = state.board.name
    target = None if attack.target is None else name(attack.target)
    return StrikeView(state.ninjas[attack.by].name, attack.card, attack.arrow, tuple(map(name, attack.choices)), target)


def facts(state: SenSoState) -> dict[str, Any]:
    """The state as `docs/games/sen_so.md` describes it."""
    found: dict[str, Any] = {
        "over": state.phase == "over",
        "winners": winners(state),
        "scores": {ninja.name: ninja.score for ninja in state.ninjas},
        "players": {
            ninja.name: {
                "cell": _cell(state, ninja),
                "weapon": ninja.weapon,
                "block": ninja.block_name,
                "momentum": ninja.momentum,
                "loadout": list(ninja.left),
                "out": ninja.out,
            }
            for ninja in state.ninjas
        },
        "set": state.set,
        "phase": state.phase,
        "clock": state.clock,
    }
    if state.options.dual_wield:
        for ninja in state.ninjas:
            found["players"][ninja.name]["second"] = ninja.second
    if state.options.knock_out is not None:
        found["endurance"] = {ninja.name: ninja.endurance for ninja in state.ninjas}
    return found

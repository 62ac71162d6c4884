"""The public state of a Sen So match, and the options it was set up with."""

from collections.abc import Sequence
from importlib import resources
from typing import Any, Literal

import msgspec

from companion.games.sen_so.geometry import Board, Offset
from companion.games.sen_so.geometry import board as board_of


class Weapon(msgspec.Struct, frozen=True):
    spaces: int
    pattern: tuple[tuple[int, int], ...]
    """[forward, right] for an attack straight ahead."""
    pattern_origin: str
    hands: int
    """How many hands it takes (SEN-A5)."""
    helps: str = ""
    """The movement that this weapon allows without a move before it."""
    copies: int = 1


WEAPONS = msgspec.toml.decode((resources.files(__package__) / "weapons.toml").read_bytes(), type=dict[str, Weapon])
SHURIKEN = "shuriken"
INVENTORY = 8
BARE_HANDS = ((1, 0),)
"""Without a weapon an attack has one location, straight ahead (R1)."""
Slot = Literal["weapon", "block", "action1", "action2"]
SLOTS: tuple[Slot, ...] = ("weapon", "block", "action1", "action2")
HIDDEN = -1
NO_BLOCK = -2
"""A second weapon lies in the block's place (SEN-A5)."""
BOTH_HANDS = 2


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ends: exactly one of the three."""

    time: float | None = None
    actions: int | None = None
    points: int | None = None


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    board: tuple[int, int] = (9, 9)
    starts: dict[str, str] = {}
    end: End | None = None
    patterns: dict[str, tuple[tuple[int, int], ...]] = {}
    block_bearing: Literal["bearing", "arrow"] = "bearing"
    """R17: where a blow comes from off the straight lines is where the attacker stands, or what the arrow says."""
    flying_attack_after_collision: bool = True
    """R14"""
    weapon_waives_bans: bool = False
    """R4, R5"""
    knock_out: int | None = None
    """SEN-A1: endurance"""
    advanced_knock_out: bool = False
    """SEN-A2: endurance and score apart"""
    glancing: Literal["attack", "wound", "blow", "choice", "none"] = "attack"
    """SEN-A3"""
    rotating_block: bool = False
    """SEN-A4"""
    dual_wield: bool = False
    """SEN-A5"""
    hands: dict[str, int] = {}
    """SEN-A5: how many hands a weapon takes, where the house is wrong"""


class Ninja(msgspec.Struct, frozen=True):
    """One player's standing."""

    name: str
    facing: int
    """The alignment: where this player looks over the board, as an absolute direction."""
    cell: int
    score: int = 0
    endurance: int | None = None
    loadout: tuple[str, ...] | None = None
    """None until armed."""
    weapons: tuple[str, ...] = ()
    """Those of the loadout that can be held, so no Shuriken."""
    down: frozenset[str] = frozenset()
    """Slots that are filled: in the set-up, and `action2` at the end of a set."""
    shown: bool = False
    weapon: str | None = None
    block: int = HIDDEN
    """HIDDEN, NO_BLOCK, or the side it guards, relative to the own alignment."""
    second: str | None = None
    """The weapon in the other hand, in the block's place (SEN-A5)."""
    unguarded: frozenset[int] = frozenset()
    """Sides of which the player has said that the block that still lies there does not guard them."""
    thrown: int = 0
    """Shuriken out of the game."""
    momentum: bool = False
    """The last action was a movement: a Leap or Flying Attack may follow (SEN-34, SEN-49)."""
    ban: str = ""
    """The rule that forbids a Leap or Flying Attack now: SEN-38 after a collision, SEN-50 after a Flying Attack."""
    acted: bool = False
    """Has played this set's action."""
    rotated: bool = False
    out: bool = False

    @property
    def held(self) -> tuple[str, ...]:
        """The weapons in play: one, or two in a dual wield."""
        if self.weapon is None:
            return ()
        return (self.weapon,) if self.second is None else (self.weapon, self.second)

    @property
    def shuriken(self) -> int:
        return (self.loadout or ()).count(SHURIKEN) - self.thrown

    @property
    def left(self) -> tuple[str, ...]:
        """What the loadout still holds: a Shuriken that was thrown is out of the game (SEN-46)."""
        kept = list(self.loadout or ())
        for _ in range(self.thrown):
            kept.remove(SHURIKEN)
        return tuple(kept)


class Attack(msgspec.Struct, frozen=True):
    """One attack of this set, from the moment its card is turned up until it is scored."""

    by: int
    card: str
    arrow: int
    """Where the card points, as an absolute direction."""
    choices: tuple[int, ...]
    target: int | None = None
    """The attacked cell, once chosen."""
    glance: str = ""
    """What a glancing attack counts as, once that is settled."""


class State(msgspec.Struct, frozen=True):
    options: Options
    ninjas: tuple[Ninja, ...]
    phase: str = "setup"
    """setup, pre_actions, attack, guard, select, over"""
    set: int = 0
    """Sets resolved so far."""
    clock: float = 0.0
    time_up: bool = False
    attacks: tuple[Attack, ...] = ()
    asked: tuple[int, ...] = ()
    """Who has something to answer in the phase attack, glance or guard."""
    changed_weapon: bool = False
    """In this set a weapon was changed, so no block can be any more."""

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(ninja.name for ninja in self.ninjas)

    @property
    def board(self) -> Board:
        return board_of(*self.options.board)

    @property
    def present(self) -> Sequence[int]:
        if self.options.knock_out is None:
            return range(len(self.ninjas))
        return [index for index, ninja in enumerate(self.ninjas) if not ninja.out]

    def index(self, name: str) -> int:
        for index, ninja in enumerate(self.ninjas):
            if ninja.name == name:
                return index
        raise KeyError(name)

    def with_ninja(self, index: int, **changes: Any) -> "State":
        ninjas = list(self.ninjas)
        ninjas[index] = msgspec.structs.replace(ninjas[index], **changes)
        return msgspec.structs.replace(self, ninjas=tuple(ninjas))

    def pattern(self, held: tuple[str, ...]) -> tuple[Offset, ...]:
        """The patterns of the weapons in play as (right, forward) offsets."""
        printed = self.options.patterns
        drawn = [offset for weapon in held for offset in printed.get(weapon, WEAPONS[weapon].pattern)]
        return tuple((right, forward) for forward, right in (drawn if held else BARE_HANDS))

    def manageable(self, weapon: str, other: str | None) -> bool:
        """Two hands are enough for this weapon and the other one, if there is one (SEN-A5)."""
        if other is None:
            return True
        return sum(self.options.hands.get(each, WEAPONS[each].hands) for each in (weapon, other)) <= BOTH_HANDS

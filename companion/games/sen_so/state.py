"""The public state of a Sen So match, and the options it was set up with."""

from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from companion.core.message import Thing
from companion.games.kit.seats import change_seat
from companion.games.sen_so.cards import BARE_HANDS, BOTH_HANDS, SHURIKEN, WEAPONS
from companion.games.sen_so.geometry import NAMES, Direction, Offset, SquareGrid, grid

Slot = Literal["weapon", "block", "action1", "action2"]
SLOTS: tuple[Slot, ...] = ("weapon", "block", "action1", "action2")
HIDDEN = -1
NO_BLOCK = -2
"""A second weapon lies in the block's place (SEN-A5)."""
Phase = Literal["setup", "pre_actions", "attack", "glance", "guard", "select", "over"]
Glance = Literal["attack", "wound", "blow"]
Ban = Literal["", "SEN-38", "SEN-50"]


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ends. Exactly one of the three is set."""

    time: float | None = None
    actions: int | None = None
    points: int | None = None


class SenSoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    board: tuple[int, int] = (9, 9)
    starts: dict[str, str] = {}
    end: End | None = End(time=1800.0)
    patterns: dict[str, tuple[tuple[int, int], ...]] = {}
    block_bearing: Literal["bearing", "arrow"] = "bearing"
    """SEN-R17: a blow comes from where the attacker stands, or always from the reverse of the card's arrow."""
    flying_attack_after_collision: bool = True
    """SEN-R14: a Flying Attack that collided still strikes."""
    weapon_waives_bans: bool = False
    """SEN-R4, SEN-R5: a weapon that helps also lifts the ban after a collision or a Flying Attack."""
    knock_out: int | None = None
    """SEN-A1: everybody's endurance; None for a match that is no Knock Out."""
    advanced_knock_out: bool = False
    """SEN-A2: endurance and score are kept apart."""
    glancing: Literal["attack", "wound", "blow", "choice", "none"] = "attack"
    """SEN-A3: what a glancing attack counts as."""
    rotating_block: bool = False
    """SEN-A4"""
    dual_wield: bool = False
    """SEN-A5"""
    hands: dict[str, int] = {}
    """SEN-A5: how many hands a weapon takes, where the printed card says otherwise than `weapons.toml`."""


class Ninja(msgspec.Struct, frozen=True):
    """One player's standing."""

    name: str
    facing: int
    """The alignment: the absolute direction in which this player looks over the board."""
    cell: int
    score: int = 0
    endurance: int | None = None
    loadout: tuple[str, ...] | None = None
    """None until armed."""
    weapons: tuple[str, ...] = ()
    """The weapons of the loadout that can be held; a Shuriken cannot."""
    down: frozenset[str] = frozenset()
    """Slots that are filled: in the set-up, and `action2` at the end of a set."""
    shown: bool = False
    weapon: str | None = None
    block: int = HIDDEN
    """HIDDEN, NO_BLOCK, or the side it guards, relative to its owner's alignment."""
    second: str | None = None
    """The weapon in the other hand, in the block's place (SEN-A5)."""
    unguarded: frozenset[int] = frozenset()
    """Sides on which the player was hit without showing the block that is still in place: it does not guard them."""
    thrown: int = 0
    """Shuriken out of the game."""
    momentum: bool = False
    """The last action was a movement: a Leap or Flying Attack may follow (SEN-34, SEN-49)."""
    ban: Ban = ""
    """The rule that forbids a Leap or Flying Attack now: SEN-38 after a collision, SEN-50 after a Flying Attack."""
    acted: bool = False
    """Has played this set's action."""
    rotated: bool = False
    """Has turned the block in this set (SEN-A4)."""
    out: bool = False
    """Knocked out, or conceded (SEN-A1)."""

    @property
    def thing(self) -> Thing:
        """The player, as a fact of a message."""
        return Thing("player", self.name)

    @property
    def held(self) -> tuple[str, ...]:
        """The weapons in play: one, or two in a dual wield."""
        if self.weapon is None:
            return ()
        return (self.weapon,) if self.second is None else (self.weapon, self.second)

    @property
    def block_name(self) -> Direction | Literal["hidden"] | None:
        """The block as the kifu names it."""
        if self.block == NO_BLOCK:
            return None
        return "hidden" if self.block == HIDDEN else NAMES[self.block]

    @property
    def shuriken(self) -> int:
        """How many Shuriken are left to throw."""
        return (self.loadout or ()).count(SHURIKEN) - self.thrown

    @property
    def left(self) -> tuple[str, ...]:
        """What the loadout still holds: a Shuriken that was thrown is out of the game (SEN-46)."""
        kept = list(self.loadout or ())
        for _ in range(self.thrown):
            kept.remove(SHURIKEN)
        return tuple(kept)


class PendingAttack(msgspec.Struct, frozen=True):
    """One attack of this set, from the moment its card is turned up until it is scored."""

    by: int
    card: str
    arrow: int
    """Where the card points, as an absolute direction."""
    choices: tuple[int, ...]
    target: int | None = None
    """The attacked cell, once chosen."""
    glance: Glance | None = None
    """What a glancing attack counts as, once its player has chosen (SEN-A3)."""


class SenSoState(msgspec.Struct, frozen=True):
    options: SenSoOptions
    ninjas: tuple[Ninja, ...]
    phase: Phase = "setup"
    set: int = 0
    """Sets resolved so far."""
    clock: float = 0.0
    time_up: bool = False
    attacks: tuple[PendingAttack, ...] = ()
    asked: tuple[int, ...] = ()
    """Who has something to answer in the phases attack, glance and guard."""
    changed_weapon: bool = False
    """A weapon was changed in this set, so it is too late to change a block."""
    added_time: float = 0.0
    """Seconds by which the referee has moved the time limit."""
    time_ended: Phase | None = None
    """Where a match that time has ended goes on if time is added."""
    ended: tuple[int, ...] | None = None
    """The seats that won a match which the referee has ended; None: not ended so."""

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(ninja.name for ninja in self.ninjas)

    @property
    def board(self) -> SquareGrid:
        return grid(*self.options.board)

    @property
    def present(self) -> Sequence[int]:
        """The seats that are still in."""
        if self.options.knock_out is None:
            return range(len(self.ninjas))
        return [index for index, ninja in enumerate(self.ninjas) if not ninja.out]

    def index(self, name: str) -> int:
        for index, ninja in enumerate(self.ninjas):
            if ninja.name == name:
                return index
        raise KeyError(name)

    def with_ninja(self, index: int, **changes: Any) -> "SenSoState":
        return msgspec.structs.replace(self, ninjas=change_seat(self.ninjas, index, **changes))

    def pattern(self, held: tuple[str, ...]) -> tuple[Offset, ...]:
        """The patterns of the weapons in play as (right, forward) offsets."""
        printed = self.options.patterns
        drawn = [offset for weapon in held for offset in printed.get(weapon, WEAPONS[weapon].pattern)]
        return tuple((right, forward) for forward, right in (drawn if held else BARE_HANDS))

    def manageable(self, weapon: str, other: str | None) -> bool:
        """Whether two hands are enough for this weapon and the other one, if there is one (SEN-A5)."""
        if other is None:
            return True
        return sum(self.options.hands.get(each, WEAPONS[each].hands) for each in (weapon, other)) <= BOTH_HANDS
